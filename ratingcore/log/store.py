"""What stores of a log do alike, on top of the few things each does its own way."""

import time
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self

from ratingcore.errors import Conflict
from ratingcore.events import Event, Instant, Row
from ratingcore.log.append import Expected, Store, append, backfill
from ratingcore.log.facts import EMPTY, Batch, Head, Name, Receipt
from ratingcore.log.identity import Matcher
from ratingcore.log.readings import Readings

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
