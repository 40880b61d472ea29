"""The orders of the last lists: where a new list begins to sort, since few players move between two lists."""

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.arrays import Floats, Ints

MANY = 4
"""Lists whose orders are kept."""


class Near(NamedTuple):
    """An order of all rows that is nearly the one of a new list.

    Attributes
    ----------
    order : (n,) int
        Rows from the top, as the last list had them; those that it did not have come last.
    moved : (n,) bool
        By row: whether the last list had another player there, or the player with another rating. All others of
        equal rating stand in alphabetical order already.
    """

    order: Ints
    moved: NDArray[np.bool_]


class _Last(NamedTuple):
    order: Ints
    rating: Floats
    id: Ints


class LastOrders:
    """Rows of players from the top, as the last list of a pool by a method had them.

    An order is only where sorting begins: a list is the same with any of them, and without. Threads may share them.
    """

    def __init__(self) -> None:
        self._kept: dict[Hashable, _Last] = {}

    def near(self, which: Hashable, rating: Floats, ids: Ints) -> Near | None:
        """An order near that of players with these ratings, by row; None if no such list was made."""
        last = self._kept.get(which)
        if last is None:
            return None
        n, had = len(ids), len(last.id)
        order, common = last.order, min(n, had)
        if had != n:
            order = np.concatenate([order[order < n], np.arange(had, n, dtype=order.dtype)])
        moved = np.ones(n, dtype=np.bool_)
        same = (rating[:common] == last.rating[:common]) & (ids[:common] == last.id[:common])
        np.logical_not(same, out=moved[:common])
        return Near(order, moved)

    def keep(self, which: Hashable, order: Ints, rating: Floats, ids: Ints) -> None:
        """Keep the order of a list, whose players had these ratings by row.

        Equal ratings must stand in alphabetical order. What `which` says must tell lists apart in which the same
        players have other names, as erased ones have.
        """
        others = [(key, kept) for key, kept in self._kept.items() if key != which]
        last = _Last(order.astype(np.int32), rating.copy(), ids.copy())  # columns of a file are not held open
        self._kept = dict([*others, (which, last)][-MANY:])
