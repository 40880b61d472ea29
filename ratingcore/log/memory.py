"""The log in memory: for tests, and the simplest example of a store."""

import secrets
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ratingcore.errors import CursorMoved, LogUnavailable, UnknownUid
from ratingcore.events import Instant, Row
from ratingcore.events.recorded_games import GameColumns
from ratingcore.log.append import UidTaken
from ratingcore.log.base_log import BaseLog
from ratingcore.log.chain import digest_of
from ratingcore.log.contract import Look
from ratingcore.log.facts import EMPTY, GENESIS, Batch, Head, Name
from ratingcore.log.names import Book, Names
from ratingcore.log.names_upon import NamesUpon


def wall_clock() -> Instant:
    """The current time in microseconds since 1970."""
    return time.time_ns() // 1000


def random_salt() -> str:
    """Sixteen random bytes in hexadecimal."""
    return secrets.token_hex(16)


class MemoryLog(BaseLog):
    """A log that lives as long as the process.

    Any thread may use it at any time: whoever reads while another thread appends waits until it is done, and sees whole
    batches only.

    Parameters
    ----------
    clock : callable
        Returns the instant at which a batch is recorded.
    salt : callable
        Returns the salt of a new name, and the key of the log.
    """

    def __init__(self, clock: Callable[[], Instant] = wall_clock, salt: Callable[[], str] = random_salt) -> None:
        self.now = clock
        self.key = salt()
        self._salt = salt
        self._names = Names((), salt)
        self._erasures = 0
        self._draft: NamesUpon | None = None
        self._lock = threading.RLock()
        """Held by whoever writes for the whole transaction, and by whoever reads for a moment."""
        self._batches: list[Batch] = []
        self._rows: list[Row] = []
        self._by_uid: dict[str, Row] = {}
        self._by_kind: dict[str, list[Row]] = {}
        """Rows of each kind but games: few, and asked for after every append."""
        self._cursors: dict[str, int] = {}

    # what only a file has

    @property
    def path(self) -> None:
        """No file."""

    @property
    def address(self) -> None:
        """Nothing opens it again."""

    @property
    def derived(self) -> None:
        """No file, so no tables in it."""

    def backup(self, path: str | Path) -> NoReturn:
        """Refused: there is no file to copy."""
        raise LogUnavailable(str(path), "a log in memory has no backup", "export it")

    def lending(self, subscriber: str, expected: int, read: Callable[[], int]) -> NoReturn:
        """Refused: there is no database to write to."""
        raise LogUnavailable(":memory:", "a log in memory has no database to write to", "commit the feed instead")

    # names

    def look(self) -> Look:
        """The head and the names at one moment."""
        with self._lock:
            last, book = self.last_batch(), self.names_book
            return Look(Head(last.last, last.digest) if last else EMPTY, book.count, self._erasures, book)

    @property
    def names_book(self) -> Book:
        """The names; inside a transaction of this thread, as it leaves them."""
        with self._lock:  # nobody but the thread that is in the transaction finds a draft here
            return self._names if self._draft is None else self._draft

    @property
    def draft(self) -> NamesUpon:
        """The names as the transaction leaves them."""
        assert self._draft is not None, "there is no draft outside a transaction"
        return self._draft

    # what appending needs

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction that others wait for; undone if anything in it fails."""
        with self._lock:
            outer, key, batches, rows = self._draft, self.key, len(self._batches), len(self._rows)
            self._draft = draft = NamesUpon(outer or self._names, (outer or self._names).count, self._salt)
            try:
                yield
            except BaseException:
                self.key = key
                for row in self._rows[rows:]:
                    del self._by_uid[row.uid]
                    if row.kind != "game":
                        self._by_kind[row.kind].pop()
                del self._rows[rows:], self._batches[batches:]
                raise
            else:
                book = outer or self._names
                book.restore(draft.fresh)
                book.erase(draft.gone)
                self._erasures += len(draft.gone) + sum(name.key is None for name in draft.fresh)
            finally:
                self._draft = outer

    def reading(self) -> AbstractContextManager[object]:
        """Lets nobody write until the block ends."""
        return self._lock

    def last_batch(self) -> Batch | None:
        with self._lock:
            return self._batches[-1] if self._batches else None

    def find(self, uids: Sequence[str]) -> dict[str, Row]:
        with self._lock:
            return {uid: self._by_uid[uid] for uid in uids if uid in self._by_uid}

    def write(self, batch: Batch, names: Sequence[Name], rows: Sequence[tuple[Any, ...]]) -> None:
        made = {row.uid: row for row in map(Row._make, rows)}
        if len(made) < len(rows) or any(uid in self._by_uid for uid in made):
            raise UidTaken
        self._batches.append(batch)
        self._rows += made.values()
        self._by_uid |= made
        for row in made.values():
            if row.kind != "game":
                self._by_kind.setdefault(row.kind, []).append(row)

    # what loading an export needs

    def adopt(self, key: str) -> None:
        """Take the key of the log that is being loaded."""
        self.key = key

    def faults(self) -> Iterable[str]:
        """None: nobody but this process can reach the log."""
        return ()

    def remarks(self) -> Iterable[str]:
        """None, as of faults."""
        return ()

    # what subscribers need

    def cursor(self, subscriber: str) -> int:
        with self._lock:
            return self._cursors.get(subscriber, 0)

    def move_cursor(self, subscriber: str, expected: int, position: int) -> None:
        with self._lock:
            current = self.cursor(subscriber)
            if current != expected:
                raise CursorMoved(subscriber, expected, current)
            self._cursors[subscriber] = position

    # what erasing needs

    def erase(self, numbers: Sequence[int], by: str = "") -> None:
        """Deletes the keys and salts of ids; every digest stays valid. `by` is not stored."""
        self.draft.erase(numbers)

    def likely(self, patterns: Sequence[str], after: int, to: int | None) -> Iterator[Row]:
        """All rows: a superset of those that match the patterns, which is enough for the caller."""
        return self.rows(after, to)

    def uncleared(self) -> tuple[int, ...]:
        """Always empty: no file holds bytes of erased names."""
        return ()

    def clear(self) -> None:
        """Nothing to clear."""

    # the protocol

    def batches(self, after: int = 0) -> Iterator[Batch]:
        with self._lock:
            return iter(self._batches[bisect_right(self._batches, after, key=lambda batch: batch.last) :])

    def rows(
        self, after: int = 0, to: int | None = None, kinds: Sequence[str] = (), pool: int | None = None
    ) -> Iterator[Row]:
        with self._lock:
            end = len(self._rows) if to is None else to
            if kinds and "game" not in kinds:
                rows = self._of_kinds(set(kinds), after, end)
            else:
                rows = self._rows[max(after, 0) : max(end, 0)]
        return (row for row in rows if (not kinds or row.kind in kinds) and (pool is None or row.pool == pool))

    def _of_kinds(self, kinds: Iterable[str], after: int, to: int) -> list[Row]:
        rows: list[Row] = []
        for kind in kinds:
            each = self._by_kind.get(kind, [])
            start, stop = (bisect_right(each, at, key=lambda row: row.position) for at in (after, to))
            rows += each[start:stop]
        return sorted(rows, key=lambda row: row.position)

    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]:
        wanted = sorted({int(position) for position in positions})
        with self._lock:
            return iter([self._rows[position - 1] for position in wanted if 0 < position <= len(self._rows)])

    def row_of(self, uid: str) -> Row:
        row = self.find([uid]).get(uid)
        if row is None:
            raise UnknownUid(uid)
        return row

    def rows_between(self, first: str, last: str) -> Iterator[Row]:
        with self._lock:
            return iter([self._by_uid[uid] for uid in sorted(uid for uid in self._by_uid if first <= uid < last)])

    def games(self, pool: int, after: int, to: int) -> GameColumns:
        rows = list(self.rows(after, to, ("game",), pool))
        return GameColumns(
            np.array([row.position for row in rows], dtype=np.int64),
            np.array([row.played for row in rows], dtype=np.int64),
            np.array([row.order for row in rows], dtype=np.int32),
            np.array([row.a for row in rows], dtype=np.int32),
            np.array([row.b for row in rows], dtype=np.int32),
            np.array([row.score for row in rows], dtype=np.float64),
        )

    def fields(self, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]:
        for row in self.rows(after, to, ("game", "session"), pool):
            value = row.facts.get(field)
            if value is not None:
                yield row.position, int(value) if value is True or value is False else value

    def uid(self, position: int) -> str:
        return self.uids([position])[0]

    def uids(self, positions: Sequence[int]) -> list[str]:
        with self._lock:
            return [self._rows[position - 1].uid for position in positions]

    def digest_at(self, position: int) -> str:
        with self._lock:
            return self._digest_at(position)

    def _digest_at(self, position: int) -> str:
        number = bisect_right(self._batches, position, key=lambda batch: batch.last)
        before = self._batches[number - 1].digest if number else GENESIS
        if number == len(self._batches) or self._batches[number].first > position:
            return before
        batch = self._batches[number]
        names = [name for name in self.names() if name.batch == batch.first]
        return digest_of(before, batch, names, self._rows[batch.first - 1 : position])

    def position_at(self, recorded: Instant) -> int:
        with self._lock:
            number = bisect_right(self._batches, recorded, key=lambda batch: batch.recorded)
            return self._batches[number - 1].last if number else 0
