"""The games of a view that every method forecasts, with their months, pairs and the experience of the players."""

from functools import cached_property

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns import Floats, Ints, View
from ratingcore.methods.kernels import kernel
from ratingcore.replay.fold import MONTH

Bools = NDArray[np.bool_]

_SHORT = 2**16
"""Players whose rows fit into 16 bits."""


@frozen(eq=False)
class Played:
    """The games of a view, in order of play. Sessions are not among them.

    Parameters
    ----------
    a, b : (n,) int
        Rows of the players.
    score : (n,) float64 in [0, 1]
        Share of the point that `a` took.
    played : (n,) int64, microseconds since 1970
    position : (n,) int64
        Place of each game in the log.
    view : View
    """

    a: Ints
    b: Ints
    score: Floats
    played: Ints
    position: Ints
    view: View

    @classmethod
    def of(cls, view: View) -> "Played":
        """The games of a view."""
        games = view.timeline.table.part(0, view.n_games)
        return cls(games.a, games.b, games.score, games.played, games.position, view)

    def __len__(self) -> int:
        return len(self.a)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the players, by row."""
        return tuple(self.view.names())

    @cached_property
    def month(self) -> Ints:
        """Calendar month of each game (UTC), counted from the month of the first."""
        if not len(self):
            return np.empty(0, dtype=np.int64)
        edges = MONTH.edges(int(self.played[0]), int(self.played[-1]))
        return np.repeat(np.arange(len(edges) - 1), np.diff(np.searchsorted(self.played, edges)))

    @cached_property
    def experience(self) -> tuple[Ints, Ints]:
        """Number of games each of the two players had played before each game."""
        of_a, of_b = np.empty(len(self), dtype=np.int64), np.empty(len(self), dtype=np.int64)
        _count(self.a, self.b, np.zeros(self.view.n_players, dtype=np.int64), of_a, of_b)
        return of_a, of_b

    @cached_property
    def pair(self) -> Ints:
        """A number for each pair of players who met, the same for all their games."""
        low, high = np.minimum(self.a, self.b), np.maximum(self.a, self.b)
        if self.view.n_players <= _SHORT:  # two sorts of short numbers take a tenth of one of long ones
            order = np.argsort(high.astype(np.uint16), kind="stable")
            order = order[np.argsort(low.astype(np.uint16)[order], kind="stable")]
        else:
            order = np.argsort(low.astype(np.int64) * self.view.n_players + high)
        low, high = low[order], high[order]
        fresh = np.ones(len(order), dtype=bool)
        fresh[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.cumsum(fresh) - 1
        return number


@kernel
def _count(a: Ints, b: Ints, seen: Ints, of_a: Ints, of_b: Ints) -> None:
    for g in range(len(a)):
        i, j = a[g], b[g]
        of_a[g] = seen[i]
        of_b[g] = seen[j]
        seen[i] += 1
        seen[j] += 1
