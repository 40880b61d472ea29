"""The orders of the last lists: where a new list begins to sort, since few players move between two lists."""

from collections.abc import Hashable

import numpy as np

from ratingcore.tables.arrays import Ints

MANY = 4
"""Lists whose orders are kept."""


class LastOrders:
    """Rows of players from the top, as the last list of a pool by a method had them.

    An order is only where sorting begins: a list is the same with any of them, and without. Threads may share them.
    """

    def __init__(self) -> None:
        self._kept: dict[Hashable, Ints] = {}

    def of(self, which: Hashable, players: int) -> Ints | None:
        """An order of so many rows, of which those beyond the last list come last; None if no such list was made."""
        order = self._kept.get(which)
        if order is None or len(order) == players:
            return order
        return np.concatenate([order[order < players], np.arange(len(order), players, dtype=order.dtype)])

    def keep(self, which: Hashable, order: Ints) -> None:
        """Keep the order of a list."""
        others = [(key, kept) for key, kept in self._kept.items() if key != which]
        self._kept = dict([*others, (which, order.astype(np.int32))][-MANY:])
