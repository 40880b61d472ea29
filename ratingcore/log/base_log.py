"""What all logs answer from their rows and names, and what all stores do on top of their own few functions."""

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from types import TracebackType
from typing import Self

from ratingcore.errors import Conflict, UnknownName
from ratingcore.events import CORRECTIONS, Event, Instant, Row, decode
from ratingcore.events.corrections import Corrections
from ratingcore.log.append import Expected, Store, append, backfill
from ratingcore.log.contract import Finds, Log
from ratingcore.log.facts import EMPTY, Batch, Head, Name, Receipt
from ratingcore.log.identity import Matcher


def wall_clock() -> Instant:
    """The current time in microseconds since 1970."""
    return time.time_ns() // 1000


def random_salt() -> str:
    """Sixteen random bytes in hexadecimal."""
    return secrets.token_hex(16)


MANY = 10_000
"""Names above which only those that begin like the one that is sought are compared with it: comparing is slow."""


def near_names(name: str, names: list[str]) -> tuple[str, ...]:
    """Up to three names that are spelt much like one that is not among them.

    Examples
    --------
    >>> near_names("anna", ["ann", "bo", "anja"])
    ('ann', 'anja')
    """
    if len(names) > MANY:
        begin = name[:2].casefold()
        names = [one for one in names if one[:2].casefold() == begin and abs(len(one) - len(name)) < 3][:MANY]
    return tuple(get_close_matches(name, names, n=3))


class Readings:
    """Base of the logs, also of one that is only supposed."""

    supposed: int = 0

    def keys_of(self: Log, kind: str) -> list[str]:
        return [name.key for name in self.names() if name.kind == kind and name.key is not None]

    def nameless(self: Log, kind: str) -> list[int]:
        return [name.id for name in self.names() if name.kind == kind and name.key is None]

    def number_of(self: Log, kind: str, key: str, book: Finds | None = None) -> int:
        number = (book or self.names_book).find(kind, key)
        if number is None:
            raise UnknownName(kind, key, near_names(key, self.keys_of(kind)))
        return number

    def corrections(self: Log, to: int | None = None) -> Corrections:
        return Corrections.of(self.rows(0, to, CORRECTIONS))

    def as_read(self: Log, uid: str) -> Row | None:
        return self.corrections().read(self.row_of(uid))

    def decoder(self: Log) -> Callable[[Row], Event]:
        names = _Named(self.names_book.key, self.uid)
        return lambda row: decode(row, names)


class _Named:
    """Names and uids of a log, for decoding its rows; looked up once, as a log in a file asks the file each time."""

    def __init__(self, key: Callable[[int], str], uid: Callable[[int], str]) -> None:
        self.key = key
        self.uid = uid


_ASK = 0.02
"""Seconds between two looks at the head of a log that does not tell when it moves."""


class BaseLog(Readings):
    """Base of the stores; a subclass is a `Store`, to which appending writes."""

    @property
    def head(self: Store) -> Head:
        last = self.last_batch()
        return Head(last.last, last.digest) if last else EMPTY

    def append(
        self: Store,
        events: Iterable[Event],
        *,
        source: str = "",
        expect: Expected = None,
        conflicts: list[Conflict] | None = None,
        matching: Matcher | None = None,
    ) -> Receipt:
        return append(self, events, source, expect, conflicts, matching)

    def backfill(
        self: Store,
        parts: Iterable[tuple[Instant, Sequence[Event]]],
        *,
        source: str = "",
        matching: Matcher | None = None,
    ) -> Receipt:
        return backfill(self, parts, source, matching)

    def restore(self: Store, batch: Batch, names: Sequence[Name], rows: Sequence[Row]) -> None:
        """Write a batch as it was exported."""
        self.draft.restore(names)
        self.write(batch, names, rows)

    def names(self: Store) -> Sequence[Name]:
        return self.names_book.names()

    def id_of(self: Store, kind: str, key: str) -> int | None:
        return self.names_book.find(kind, key)

    @property
    def beyond(self) -> tuple[str, ...]:
        """Sentences about what keeps erased names where no erasure reaches: nothing of the store itself."""
        return ()

    def wait(self: Store, after: int, seconds: float) -> Head | None:
        """The head, as soon as it is beyond a position; None if it is not in so many seconds."""
        until = time.monotonic() + seconds
        while (last := self.last_batch()) is None or last.last <= after:
            left = until - time.monotonic()
            if left <= 0:
                return None
            time.sleep(min(left, _ASK))
        return Head(last.last, last.digest)

    def close(self) -> None:
        """Nothing to release."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
