"""Abilities that only some stores have, and fallbacks for stores without them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ratingcore.connections import driver
from ratingcore.errors import LogUnavailable
from ratingcore.events import Row
from ratingcore.log.chain import Batch, Head, Name
from ratingcore.log.contract import Log, Tables
from ratingcore.log.segments import Segment


@runtime_checkable
class Searched(Protocol):
    """A store that searches the texts of its rows."""

    def likely(self, patterns: Sequence[str], after: int, to: int | None) -> Iterator[Row]: ...


@runtime_checkable
class Examined(Protocol):
    """A store that checks itself for faults that rows, names and digests do not show."""

    def faults(self) -> Iterable[str]: ...
    def remarks(self) -> Iterable[str]: ...


Places = NDArray[np.intp]


@runtime_checkable
class Seals(Protocol):
    """A store that keeps many games of one pool as columns, in sealed segments, if `may_seal` lets it."""

    def may_seal(self) -> bool: ...
    def write_segment(self, batch: Batch, names: Sequence[Name], segment: Segment) -> None: ...
    def sealed(self, batch: Batch) -> Segment | None: ...
    def segment_faults(self, hashed: dict[int, NDArray[np.int64]]) -> Iterable[str]: ...


@runtime_checkable
class FindsSealed(Protocol):
    """A log that finds sealed games: a store that seals them, or a trial on top of one."""

    def any_between(self, first: str, last: str) -> bool: ...
    def sealed_parts(self, pool: int, after: int, to: int) -> list[tuple[int, int]]: ...
    def sealed_with(self, uids: NDArray[np.bytes_]) -> Iterator[tuple[Places, Segment, Places]]: ...


@runtime_checkable
class InFile(Protocol):
    """A store that keeps a log in a file, and can copy it to another one."""

    @property
    def path(self) -> Path | None: ...
    def backup(self, path: str | Path) -> None: ...


@runtime_checkable
class Hosted(Protocol):
    """A store that can take part in the transaction of a host."""

    def hosted(self, connection: object) -> AbstractContextManager[tuple[Log, Head]]: ...


@runtime_checkable
class InDatabase(Protocol):
    """A store in a database, in which plugins and consumers of events keep tables of their own."""

    @property
    def tables(self) -> Tables | None: ...
    def lending(self, subscriber: str, expected: int, read: Callable[[], int]) -> AbstractContextManager[Any]: ...


@runtime_checkable
class Leasing(Protocol):
    """A store that admits one follower of a name at a time, across all processes that have the log open."""

    def lease(self, subscriber: str) -> AbstractContextManager[None]: ...


@runtime_checkable
class Listening(Protocol):
    """A store that is notified of appends, and prepares for this before it waits."""

    def listening(self) -> AbstractContextManager[None]: ...


@runtime_checkable
class Cleared(Protocol):
    """A store that holds the bytes of erased names until it is cleared."""

    def uncleared(self) -> tuple[int, ...]: ...
    def clear(self) -> None: ...


@runtime_checkable
class Copied(Protocol):
    """A store that may have copies of erased names elsewhere, which an erasure cannot remove."""

    @property
    def beyond(self) -> tuple[str, ...]: ...


def likely(log: Log, patterns: Sequence[str], after: int, to: int | None) -> Iterator[Row]:
    """Rows whose uid or data may match one of the patterns, in order: all rows if the store cannot search."""
    return log.likely(patterns, after, to) if isinstance(log, Searched) else log.rows(after, to)


def any_between(log: Log, first: str, last: str) -> bool:
    """True if the log has a row with `first <= uid < last`."""
    if isinstance(log, FindsSealed):
        return log.any_between(first, last)
    return any(True for _ in log.rows_between(first, last))


def sealed_parts(log: Log, pool: int, after: int, to: int) -> list[tuple[int, int]]:
    """First and last positions of the sealed games of a pool, segment by segment, in order."""
    return log.sealed_parts(pool, after, to) if isinstance(log, FindsSealed) else []


def sealed_with(log: Log, uids: NDArray[np.bytes_]) -> Iterator[tuple[Places, Segment, Places]]:
    """Yields each segment that has some of these ids, with their indexes in `uids` and in the segment."""
    return log.sealed_with(uids) if isinstance(log, FindsSealed) else iter(())


def faults_of(log: Log) -> Iterable[str]:
    """Sentences about faults of the store itself, which rows, names and digests do not show."""
    return log.faults() if isinstance(log, Examined) else ()


def sealed_in(log: Log, batch: Batch) -> Segment | None:
    """The segment with the games of a batch, read anew from the store; None if the batch is stored as rows.

    Raises
    ------
    BadSegment
        If the segment is damaged.
    """
    return log.sealed(batch) if isinstance(log, Seals) else None


def segment_faults(log: Log, hashed: dict[int, NDArray[np.int64]]) -> Iterable[str]:
    """Sentences about stray segments, and ids that are not unique or not in their index; call it if all else is sound.

    `hashed` has the hashes of the ids of segments that were read already, by first position.
    """
    return log.segment_faults(hashed) if isinstance(log, Seals) else ()


def remarks_of(log: Log) -> Iterable[str]:
    """Sentences about data that may be right, or may have been changed by hand."""
    return log.remarks() if isinstance(log, Examined) else ()


def uncleared(log: Log) -> tuple[int, ...]:
    """Ids of erased names whose bytes may still be in the storage of the log."""
    return log.uncleared() if isinstance(log, Cleared) else ()


def clear(log: Log) -> None:
    """Removes every byte of erased names; `ErasureUnfinished` while others are reading them."""
    if isinstance(log, Cleared):
        log.clear()


def beyond(log: Log) -> tuple[str, ...]:
    """Sentences about copies of erased names that an erasure cannot remove."""
    return log.beyond if isinstance(log, Copied) else ()


def file_of(log: Log) -> Path | None:
    """The file of a log; None for a log without one."""
    return log.path if isinstance(log, InFile) else None


def plugin_tables(log: Log) -> Tables | None:
    """Tables that plugins keep in the database of a log; None for a log without one."""
    return log.tables if isinstance(log, InDatabase) else None


def backup(log: Log, path: str | Path) -> None:
    """Copies a log to a file, whole and consistent.

    Raises
    ------
    LogUnavailable
        If its store cannot make such copies.
    """
    if not isinstance(log, InFile):
        raise _cannot(log, "its store cannot be copied to a file", "export it: any store can load an export")
    log.backup(path)


def hosted(log: Log, connection: object) -> AbstractContextManager[tuple[Log, Head]]:
    """The log inside the transaction of a host, and a head up to which both have the same events.

    Raises
    ------
    LogUnavailable
        If its store cannot join the transaction of a host.
    """
    if not isinstance(log, Hosted):
        advice = "record after the commit, from an outbox: docs/embedding/transactions.md has one"
        raise _cannot(log, "its store cannot join the transaction of a host", advice)
    return log.hosted(driver(connection))


def lease(log: Log, subscriber: str) -> AbstractContextManager[None]:
    """A block that only one follower of a subscriber can be in at a time; it also ends if its process is killed.

    A store without leases admits every follower; two of them then notice each other only by `CursorMoved`.

    Raises
    ------
    LogUnavailable
        If another follower stays in such a block for longer than the log waits.
    """
    return log.lease(subscriber) if isinstance(log, Leasing) else nullcontext()


def listening(log: Log) -> AbstractContextManager[None]:
    """A block in which a thread waits for new events again and again."""
    return log.listening() if isinstance(log, Listening) else nullcontext()


def lending(log: Log, subscriber: str, expected: int, read: Callable[[], int]) -> AbstractContextManager[Any]:
    """Opens a transaction in which a consumer writes its own tables and its cursor moves.

    Yields the connection of the store: of `sqlite3`, or of psycopg.

    Raises
    ------
    LogUnavailable
        If its store is not in a database.
    """
    if not isinstance(log, InDatabase):
        raise _cannot(log, "its store is not in a database", "store your own rows first, then commit the feed")
    return log.lending(subscriber, expected, read)


def _cannot(log: Log, why: str, advice: str) -> LogUnavailable:
    return LogUnavailable("this log" if log.address is None else str(log.address), why, advice)
