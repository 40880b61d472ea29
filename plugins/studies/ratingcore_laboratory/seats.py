"""Rows of a method's state for players and pairs of players, in order of appearance."""

import numpy as np

from ratingcore.plugin import Column, Games, Ints, State
from ratingcore.plugin.analysis import frozen_array

NOWHERE = -1


class Seating:
    """Assigns rows of the state, as a replay of the same results would.

    Attributes
    ----------
    row : (ids,) int32
        Row of each player; `NOWHERE` for those who have not appeared.
    id : (rows,) int
        Player of each row.
    """

    __slots__ = ("_columns", "_pairs", "_ranks", "id", "row")

    def __init__(self, columns: tuple[Column, ...]) -> None:
        self._columns = columns
        self.row: Ints = np.empty(0, dtype=np.int32)
        self.id: Ints = np.empty(0, dtype=np.int64)
        self._pairs: Ints = np.empty(0, dtype=np.int64)
        self._ranks: Ints = np.empty(0, dtype=np.int64)

    def know(self, players: int) -> None:
        """Makes room for this number of ids."""
        more = np.full(players - len(self.row), NOWHERE, dtype=np.int32)
        self.row = np.concatenate([self.row, more])

    def seat(self, members: Ints) -> None:
        """Gives rows to the members who have none yet, in this order."""
        fresh = members[self.row[members] == NOWHERE]
        if not len(fresh):
            return
        player, first = np.unique(fresh, return_index=True)
        player = player[np.argsort(first)]
        self.row[player] = np.arange(len(self.id), len(self.id) + len(player))
        self.id = np.concatenate([self.id, player])

    @property
    def paired(self) -> bool:
        """Whether the state has rows for pairs of players."""
        return any(column.per == "pair" for column in self._columns)

    def pair(self, games: Games) -> None:
        """Sets the row of the pair of each game."""
        low, high = np.minimum(games.a, games.b).astype(np.int64), np.maximum(games.a, games.b).astype(np.int64)
        keys = low * 2**31 + high
        seen = self._pairs
        fresh = keys[~np.isin(keys, seen)]
        key, first = np.unique(fresh, return_index=True)
        rank = np.empty(len(key), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(seen), len(seen) + len(key))
        self._pairs, self._ranks = np.concatenate([seen, key]), np.concatenate([self._ranks, rank])
        by = np.argsort(self._pairs)
        self._pairs, self._ranks = self._pairs[by], self._ranks[by]
        games.pair = frozen_array(self._ranks[np.searchsorted(self._pairs, keys)])

    def start(self) -> State:
        """The state before any game, with the rows there are now."""
        return State.start(self._columns, len(self.id), len(self._pairs))
