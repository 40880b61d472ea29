"""How often each player stands in the first games of a column, kept at places along it as it is counted."""

from bisect import bisect_left
from itertools import pairwise
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.arrays import Ints, tally

BLOCK = 65_536
"""Games between two places whose counts are kept, at the least."""

APART = 4
"""Games a player between two places whose counts are kept, so that they take no more than a byte a game."""


class RunningCounts:
    """Counts of games by player at places along columns that may grow longer, but whose games never change.

    Threads may share them: where two count at once, what one of them keeps may be lost, and is counted again.
    """

    def __init__(self) -> None:
        self._kept: tuple[tuple[int, Ints], ...] = ((0, np.empty(0, dtype=np.int32)),)
        """Places in order, and how many games each player by row has before it, without trailing zeros."""

    def far(self, place: int, games: int) -> int:
        """How many games lie between a place and the nearest one that is kept, in columns of so many games."""
        return abs(self._nearest(place, games)[0] - place)

    def wants(self, place: int, players: int) -> bool:
        """Whether the counts before a place, of so many players, are worth keeping: none are kept nearby."""
        at = bisect_left(self._kept, place, key=itemgetter(0))
        apart = _apart(players)
        return all(abs(near - place) >= apart for near, _ in self._kept[max(at - 1, 0) : at + 1])

    def keep(self, place: int, counts: NDArray[np.int64]) -> None:
        """Keep the counts of the games before a place, if that is worth it."""
        if self.wants(place, len(counts)):
            kept, last = self._kept, int(counts.nonzero()[0].max(initial=-1))
            at = bisect_left(kept, place, key=itemgetter(0))
            self._kept = (*kept[:at], (place, counts[: last + 1].astype(np.int32)), *kept[at:])

    def take(self, other: "RunningCounts", games: int) -> None:
        """Take over what is kept in other columns that have the same first games, so many of them."""
        for place, counts in other._kept[1:]:
            if place <= games:
                self.keep(place, counts.astype(np.int64))

    def through(self, a: Ints, b: Ints, place: int, players: int) -> NDArray[np.int64]:
        """How many of the games before a place each player takes part in, counted from the nearest one that is kept.

        Parameters
        ----------
        a, b : (games,) int
            Rows of players.
        place : int, from 0 to games
        players : int
            Rows before the place are below it.
        """
        begin, known = self._nearest(place, len(a))
        counts = np.zeros(max(players, len(known)), dtype=np.int64)
        counts[: len(known)] = known
        sign, step = 1 if begin < place else -1, _apart(len(counts))
        for start, stop in pairwise((*range(begin, place, sign * step), place)):
            for rows in (a, b):
                tally(counts, rows[min(start, stop) : max(start, stop)], sign)
            self.keep(stop, counts)
        return counts[:players]

    def _nearest(self, place: int, games: int) -> tuple[int, Ints]:
        kept = self._kept
        at = bisect_left(kept, place, key=itemgetter(0))
        around = [near for near in kept[max(at - 1, 0) : at + 1] if near[0] <= games]
        return min(around, key=lambda near: abs(near[0] - place))


def _apart(players: int) -> int:
    """How many games lie between two places at the least."""
    return max(BLOCK, APART * players)
