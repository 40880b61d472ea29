"""Finds events to which no derived uid leads, by pool, time and players: ids of their own, uids made of names."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ratingcore.events import Row
from ratingcore.events.recorded_games import GameColumns
from ratingcore.log.identity import Identity, is_given_or_older, is_older
from ratingcore.log.protocol import Log


class OlderRows:
    """The results and seeds of a log with uids of earlier versions, which made them of names.

    They are looked up in the columns of the whole pool, read once: no index of the log leads to them.

    Parameters
    ----------
    log : Log
    own : bool
        Also those with an id that their file gave them.
    """

    def __init__(self, log: Log, own: bool = False) -> None:
        self._log = log
        self._is_meant = is_given_or_older if own else is_older
        self._games = cache(self._read_games)
        self._others = cache(self._read_others)

    def alike(self, identities: Iterable[Identity]) -> Iterator[tuple[Identity, Row]]:
        """The events of these identities, each with its own, in order of position."""
        wanted = set(identities)
        positions = [self._positions(pool, played, pairs) for (pool, played), pairs in _by_time(wanted).items()]
        rows = list(self._log.rows_at(np.concatenate(positions).tolist() if positions else []))
        for identity in wanted:
            if identity.kind != "game":
                rows += self._others(identity.kind, identity.pool)[identity.played]
        for row in sorted(set(rows)):
            identity = Identity.of(row)
            if identity in wanted and self._is_meant(row.uid):
                yield identity, row

    def at_time(self, identity: Identity) -> list[Row]:
        """All events of the kind, pool and time of an identity."""
        if identity.kind != "game":
            rows = self._others(identity.kind, identity.pool)[identity.played]
        else:
            rows = list(self._log.rows_at(self._positions(identity.pool, identity.played, None).tolist()))
        return [row for row in rows if self._is_meant(row.uid)]

    def _positions(self, pool: int, played: int, pairs: set[tuple[int, int]] | None) -> NDArray[np.int64]:
        """Positions of the games of a pool at a time; only those of these pairs where given."""
        games, order = self._games(pool)
        start, end = (int(np.searchsorted(games.played, played, side, sorter=order)) for side in ("left", "right"))
        here = order[start:end]
        if pairs is None:
            return games.position[here]
        codes = np.array([low << 32 | high for low, high in pairs if low > 0 and high < 2**31], np.int64)
        a, b = games.a[here].astype(np.int64), games.b[here].astype(np.int64)
        return games.position[here[np.isin(np.minimum(a, b) << 32 | np.maximum(a, b), codes)]]

    def _read_games(self, pool: int) -> tuple[GameColumns, NDArray[np.int64]]:
        games = self._log.games(pool, 0, self._log.head.position)
        return games, np.argsort(games.played, kind="stable")

    def _read_others(self, kind: str, pool: int) -> dict[int, list[Row]]:
        """The seeds or sessions of a pool, by time."""
        others: dict[int, list[Row]] = defaultdict(list)
        for row in self._log.rows(0, None, (kind,), pool):
            if row.played is not None:
                others[row.played].append(row)
        return others


def _by_time(identities: Iterable[Identity]) -> dict[tuple[int, int], set[tuple[int, int]]]:
    """The pairs of players of the games, by pool and time."""
    pairs: dict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)
    for identity in identities:
        if identity.kind == "game":
            pairs[identity.pool, identity.played].add((identity.low, identity.high))
    return pairs
