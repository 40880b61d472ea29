"""Methods whose numbers overflow, or that write where they must not."""

from math import nan

import numpy as np
from attrs import frozen

from ratingcore.plugin import Floats, Games, Ints, Rated, State, kernel
from tests.testing.honest import Honest, again


@frozen
class Explosive(Honest):
    """Overflows when ratings are far apart."""

    def share(self, gap: Floats) -> Floats:
        return np.asarray(1.0 / (1.0 + 10.0 ** (-gap / 400.0)))


@frozen
class Fragile(Honest):
    """Has no number for what it was sure of."""

    def rate(self, state: State, games: Games) -> Rated:
        rated = super().rate(state, games)
        rating = rated.state["rating"]
        return again(rated, state=state.replace(rating=np.where(np.abs(rating - 1500.0) > 250.0, nan, rating)))


@frozen
class Vandal(Honest):
    """Rounds the scores it was given."""

    def rate(self, state: State, games: Games) -> Rated:
        games.score.flags.writeable = True
        games.score[:] = np.round(games.score + 0.1)
        return super().rate(state, games)


@kernel
def _hashed(a: Ints, change: Floats) -> None:
    h = 1
    for g in range(len(a)):
        h = h * 6364136223846793005 + 1442695040888963407
        change[g] = (h >> 8) % 1000


@frozen
class Wrapping(Honest):
    """Counts on integers that never end, and compiled ones do."""

    def rate(self, state: State, games: Games) -> Rated:
        rated, noise = super().rate(state, games), games.blank()
        _hashed(games.a, noise)
        return again(rated, notes={"noise": noise})


@kernel
def _scribbled(a: Ints, change: Floats) -> None:
    for g in range(len(a)):
        change[g] = a[g]
        a[g] = 0


@frozen
class Scribbling(Honest):
    """Writes into its inputs, which goes unseen until it is compiled."""

    def rate(self, state: State, games: Games) -> Rated:
        rated, noise = super().rate(state, games), games.blank()
        _scribbled(games.a, noise)
        return rated
