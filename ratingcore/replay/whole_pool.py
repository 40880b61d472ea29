"""Runs of retrospective methods: all results of a pool in one call, on the starting state with all seeds."""

import numpy as np

from ratingcore.replay.record import Replay
from ratingcore.replay.run import Run, pairs_in


class WholePool(Run):
    """A run of a retrospective method."""

    def replay(self) -> Replay:
        """The run: hindsight, without moves of single results. Of several seeds of a player the latest stands."""
        state = self.begun(self.view.n_players, pairs_in(self.results))
        self.planter.plant(state, np.arange(len(self.seeds.played)), 0, 0)
        solved = self.answers.solved(self.method.rate(state, self.results), state, self.results)
        return self.record(solved.state, self.results, solved=solved)
