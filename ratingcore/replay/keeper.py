"""The keeper of what calls return, call by call, in columns over all results."""

import numpy as np

from ratingcore.columns.arrays import Floats
from ratingcore.columns.games import Games
from ratingcore.columns.sides import Sides
from ratingcore.methods.contract import Change, Rated
from ratingcore.methods.strengths import Strengths, placed
from ratingcore.replay.beside import Beside, chosen_of
from ratingcore.replay.moves import Moves, Settled


class Keeper:
    """Columns over all results, filled a call at a time. A label is zero, and a note NaN, where no call gives it."""

    def __init__(self, results: Games | Sides) -> None:
        self._games = isinstance(results, Games)
        if isinstance(results, Sides):
            self._side_start = results.result
            self._member_start = results.side[results.result]
        self._n = len(results)
        self._members = 2 * len(results) if self._games else len(results.player)  # type: ignore[union-attr]  # sides
        self._expected = np.empty(len(results.score))
        self._change = np.empty(self._members)
        self._draw: Floats | None = None
        self._held: Floats | None = None
        self._before: dict[str, Floats] = {}
        self._notes: dict[str, Floats] = {}
        self._strengths: Strengths | None = None
        self.after: list[Settled] = []

    def keep(self, start: int, stop: int, rated: Rated) -> None:
        """Keep what a call returned for the results from `start` to before `stop`."""
        members = self._range(start, stop)
        sides = slice(start, stop) if self._games else slice(*self._side_start[[start, stop]].tolist())
        self._expected[sides] = rated.expected
        _put(self._change[members], rated.change)
        if rated.draw is not None:
            if self._draw is None:
                self._draw = np.full(self._n, np.nan)
            self._draw[start:stop] = rated.draw
        if rated.strengths is not None:
            self._strengths = placed(self._strengths, rated.strengths(), sides, len(self._expected))
        for label, moved in rated.before.items():
            if label not in self._before:
                self._before[label] = np.zeros(self._members)
            _put(self._before[label][members], moved)
        for name, note in rated.notes.items():
            if name not in self._notes:
                self._notes[name] = np.full(self._n, np.nan)
            self._notes[name][start:stop] = note

    def _range(self, start: int, stop: int) -> slice:
        return slice(2 * start, 2 * stop) if self._games else slice(*self._member_start[[start, stop]].tolist())

    def hold(self, start: int, stop: int, ratings: Floats) -> None:
        """Keep the ratings with which the members of these results went into their call."""
        if self._held is None:
            self._held = np.full(self._members, np.nan)
        self._held[self._range(start, stop)] = ratings

    def moves(self, results: Games | Sides, beside: Beside | None = None) -> Moves:
        """The moves of the first results, as many as these, with further columns if they were kept."""
        n, sides = len(results), len(results.score)
        members = self._range(0, n)
        if beside is not None:
            beside.close()
        return Moves(
            self._expected[:sides],
            self._change[members],
            None if self._draw is None else self._draw[:n],
            {label: moved[members] for label, moved in self._before.items()},
            None if self._held is None else self._held[members],
            self.after,
            {name: note[:n] for name, note in self._notes.items()},
            None if self._strengths is None else self._strengths.take(slice(sides)),
            {} if beside is None else chosen_of(beside.before, members),
            {} if beside is None else chosen_of(beside.after, members),
        )


def _put(place: Floats, change: Change) -> None:
    if isinstance(change, tuple):
        place[0::2], place[1::2] = change
    else:
        place[:] = change
