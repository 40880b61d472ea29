"""Methods whose forecasts are not what they rate by, or know what is to come."""

from collections.abc import Sequence

import numpy as np
from attrs import evolve, frozen

from ratingcore.plugin import Floats, Forecast, Games, Ints, Method, Need, Rated, Sides, Solved, State, Strengths
from ratingcore.plugin.curves import expit
from tests.testing.honest import SLOPE, Honest, again
from tests.testing.toys import BradleyTerry, TeamElo, known


@frozen
class Sure(Honest):
    """Is certain beyond certainty."""

    def share(self, gap: Floats) -> Floats:
        return 0.5 + gap / 20.0


@frozen
class TwoFaced(Honest):
    """Forecasts on another curve than it rates."""

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(expit(1.01 * SLOPE * (state["rating"][games.a] - state["rating"][games.b])))


@frozen
class Clairvoyant(Honest):
    """Lets the score colour what it had expected."""

    def rate(self, state: State, games: Games) -> Rated:
        rated = super().rate(state, games)
        return again(rated, expected=0.99 * rated.expected + 0.01 * games.score)


@frozen
class Insider(Honest):
    """Reads the points of the game it forecasts."""

    needs = (Need("points_a"), Need("points_b"))

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(expit(0.01 * (games["points_a"] - games["points_b"])))


@frozen
class Partisan(TeamElo):
    """Prefers whoever is named first."""

    def strengths(self, strength: Floats) -> Strengths:
        return super().strengths(strength - np.arange(len(strength)))


@frozen
class Wavering(TeamElo):
    """Says other chances when asked than when it rates."""

    def expected(self, state: State, sides: Sides) -> Forecast:
        forecast = super().expected(state, sides)
        return evolve(forecast, strengths=evolve(known(forecast), curve="normal"))


@frozen
class Peeping(TeamElo):
    """Is surer of whoever wins."""

    def rate(self, state: State, sides: Sides) -> Rated:
        rated = super().rate(state, sides)
        asked = rated.strengths
        assert asked is not None
        return again(rated, strengths=lambda: self.strengths(asked().mean + sides.score))


_MEMORY: dict[int, State] = {}


@frozen
class Elephant(BradleyTerry):
    """Remembers the largest fit it ever made."""

    def rate(self, state: State, games: Games) -> Solved:
        players = len(state["rating"])
        solved = super().rate(state, games)
        best = _MEMORY.setdefault(players, solved.state)
        if best["games"].sum() < solved.state["games"].sum():
            best = _MEMORY[players] = solved.state
        return Solved(best, solved.fitted, solved.track)


@frozen
class Boastful(BradleyTerry):
    """Says that two players share more than either has."""

    def rate(self, state: State, games: Games) -> Solved:
        return evolve(super().rate(state, games), covariance=lambda i, j: 1.0 if i == j else 2.0)


@frozen
class Hurried(Honest):
    """Rounds what it sweeps."""

    @classmethod
    def sweep(
        cls, settings: Sequence[Method], games: Games, given: Floats, cuts: Ints, *, single: bool = False
    ) -> Floats | None:
        return np.round(np.log(2.0) * np.diff(cuts), 1) * np.ones((len(settings), 1))
