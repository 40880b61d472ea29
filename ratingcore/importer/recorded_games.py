"""Finds events of a log: batches by source, games by pool and time, and events whose file gave them ids."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np
from attrs import field, frozen

from ratingcore.events import Row
from ratingcore.events.rows import GameColumns
from ratingcore.log.abilities import any_between
from ratingcore.log.chain import Batch, without_mark
from ratingcore.log.contract import Log
from ratingcore.log.derived_uids import PREFIXES, Identity, is_given


@frozen
class KnownRows:
    """Games of a file that the log has from other sources: their positions, by line and by content of the row.

    Lines with several games are missing from `lines`.
    """

    lines: dict[int, int] = field(factory=dict)
    contents: defaultdict[str, list[int]] = field(factory=lambda: defaultdict(list))


def source_at(log: Log, position: int) -> str:
    """The source of the batch of an event; empty without one."""
    batch = next(log.batches(position - 1))
    return "" if batch.source is None else log.book.key(batch.source)


def batches_from(log: Log, source: str) -> Iterator[Batch]:
    """The batches of a source, including those filed later."""
    key = log.book.key
    return (one for one in log.batches() if one.source is not None and without_mark(key(one.source)) == source)


def has_derived(log: Log) -> bool:
    """True if the log has results without an id from their file."""
    starts = (PREFIXES["game"], PREFIXES["session"])
    return any(any_between(log, start, start[:-1] + ".") for start in starts)


class GamesByTime:
    """The games of a log by pool and time; a pool is read once, and later only its new events are read.

    Parameters
    ----------
    log : Log
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._read: dict[int, tuple[int, list[GameColumns]]] = {}
        """By pool, how far it was read, and its games by time, in parts of decreasing lengths."""

    def at(self, pool: int, times: Iterable[int]) -> GameColumns:
        """Returns the games of a pool, given by its id, at some times."""
        parts, wanted = self._parts(pool), np.array(sorted(set(times)), np.int64)
        found = []
        for games in parts:
            start, stop = (np.searchsorted(games.played, wanted, side) for side in ("left", "right"))
            sizes = stop - start
            at = np.repeat(start - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
            found.append(games.take(at))
        return _by_time(found)

    def _parts(self, pool: int) -> list[GameColumns]:
        upto, parts = self._read.get(pool, (0, []))
        head = self._log.head.position
        if head > upto or not parts:
            part = _by_time([self._log.games(pool, upto, head)])
            while parts and len(parts[-1].played) <= len(part.played):
                part = _by_time([parts.pop(), part])
            parts.append(part)
            self._read[pool] = head, parts
        return parts


def _by_time(parts: Sequence[GameColumns]) -> GameColumns:
    """Games by time, and for one time in the order of the log."""
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    games = GameColumns(*columns)
    return games.take(np.lexsort((games.position, games.played)))


class GivenIds:
    """The results and seeds of a log with ids that their file gave them, found by pool, time and players.

    The log has no index for them, so the columns of the whole pool are read.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._games = GamesByTime(log)
        self._others = cache(self._read_others)

    def alike(self, identities: Iterable[Identity]) -> Iterator[tuple[Identity, Row]]:
        """Yields the events of some identities, each with its identity, in order of position."""
        wanted, times = set(identities), defaultdict[int, set[int]](set)
        rows: list[Row] = []
        for identity in wanted:
            if identity.kind == "game":
                times[identity.pool].add(identity.played)
            else:
                rows += self._others(identity.kind, identity.pool)[identity.played]
        for pool, some in times.items():
            pairs = {(one.played, one.low, one.high) for one in wanted if one.kind == "game" and one.pool == pool}
            games = self._games.at(pool, some)
            columns = (games.played, np.minimum(games.a, games.b), np.maximum(games.a, games.b), games.position)
            cells = zip(*(column.tolist() for column in columns), strict=True)
            rows += self._log.rows_at(position for *pair, position in cells if tuple(pair) in pairs)
        for row in sorted(set(rows)):
            identity = Identity.of(row)
            if identity in wanted and is_given(row.uid):
                yield identity, row

    def at_time(self, identity: Identity) -> list[Row]:
        """Returns all events of the kind, pool and time of an identity."""
        if identity.kind != "game":
            rows = self._others(identity.kind, identity.pool)[identity.played]
        else:
            rows = list(self._log.rows_at(self._games.at(identity.pool, [identity.played]).position.tolist()))
        return [row for row in rows if is_given(row.uid)]

    def _read_others(self, kind: str, pool: int) -> dict[int, list[Row]]:
        """The seeds or sessions of a pool, by time."""
        others: dict[int, list[Row]] = defaultdict(list)
        for row in self._log.rows(0, None, (kind,), pool):
            if row.played is not None:
                others[row.played].append(row)
        return others
