"""Methods whose ratings depend on how a replay is cut, or on what else there is."""

import numpy as np
from attrs import frozen

from ratingcore.plugin import Games, Rated, State, opposed
from tests.testing.honest import Honest, again

_TIMES: list[int] = []


@frozen
class Moody(Honest):
    """Rates otherwise every time."""

    def rate(self, state: State, games: Games) -> Rated:
        _TIMES.append(len(games))
        return Honest(self.k + 1e-9 * len(_TIMES)).rate(state, games)


@frozen
class Presuming(Honest):
    """Believes that blank columns are empty."""

    def rate(self, state: State, games: Games) -> Rated:
        blank, rated = games.blank(), super().rate(state, games)
        return again(rated, state=state.replace(rating=rated.state["rating"] + 0.0 * blank.sum()))


@frozen
class Lumping(Honest):
    """Rates the games of a call together."""

    def rate(self, state: State, games: Games) -> Rated:
        expected = self.expected(state, games).expected
        change = self.k * (games.score - expected)
        rating = state.copy("rating")
        np.add.at(rating, games.a, change)
        np.add.at(rating, games.b, -change)
        return Rated(state.replace(rating=rating), expected, opposed(change))


@frozen
class Counting(Honest):
    """Looks at how many players there are."""

    def rate(self, state: State, games: Games) -> Rated:
        return Honest(self.k + 0.01 * len(state["rating"])).rate(state, games)


@frozen
class Averaging(Honest):
    """Puts the mean back to where it was, so that everybody moves a little."""

    def rate(self, state: State, games: Games) -> Rated:
        for g in range(len(games)):
            state = super().rate(state, games.part(g, g + 1)).state
            state = state.replace(rating=state["rating"] + 0.01 * (1500.0 - state["rating"].mean()) + 1e-3)
        return Rated(state, games.score * 0.0 + 0.5, opposed(games.score * 0.0))


@frozen
class Silent(Honest):
    """Gives a bonus that it does not tell."""

    def rate(self, state: State, games: Games) -> Rated:
        rated = super().rate(state, games)
        rating = rated.state.copy("rating")
        np.add.at(rating, games.a, 0.001)
        return again(rated, state=state.replace(rating=rating))
