"""Base classes of log stores: answers computed from rows, and transactions."""

import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from itertools import repeat
from types import TracebackType
from typing import Self

import numpy as np

from ratingcore.errors import LogUnavailable, OtherHistory
from ratingcore.events import Instant, Row
from ratingcore.events.rows import GameColumns
from ratingcore.log.append import Store, append
from ratingcore.log.chain import GENESIS, Batch, Cells, Head, Name, digest_within, head_after
from ratingcore.log.contract import Log, Look, Seen
from ratingcore.log.lookup import found_once
from ratingcore.log.names import NameBook, NameDraft
from ratingcore.log.stored_names import StoredNames
from ratingcore.log.stored_rows import BATCHES, StoredRows
from ratingcore.log.transaction import Inside, Tail


def wall_clock() -> Instant:
    """The current time in microseconds since 1970."""
    return time.time_ns() // 1000


_FEW, _HEADS = 16, 1_000
"""Largest number of uids whose rows are cached for the rest of a transaction, and number of heads cached."""
_ASK = 0.02
"""Seconds between two checks of the head of a log that does not announce new events."""


def names_in_memory(salt: Callable[[], str]) -> NameDraft:
    """An empty book of names for a store that keeps them in memory.

    Parameters
    ----------
    salt : callable
        Returns the salt of a new name.
    """
    return NameDraft(StoredNames(lambda *_: []), 0, salt)


def columns_of(rows: Iterable[Row]) -> GameColumns:
    """Converts rows of games to columns."""
    cells = [(row.position, row.played, row.order, row.a, row.b, row.score) for row in rows]
    table = np.array(cells, dtype=[("", kind) for kind in ("i8", "i8", "i4", "i4", "i4", "f8")])
    return GameColumns(*(np.ascontiguousarray(table[name]) for name in table.dtype.names or ()))


def fields_of(rows: Iterable[Row], field: str) -> Iterator[tuple[int, str | int | float]]:
    """Positions of rows that have a field of `data`, with its values; True and False become 1 and 0."""
    for row in rows:
        value = row.facts.get(field)
        if value is not None:
            yield row.position, int(value) if isinstance(value, bool) else value


class BaseLog:
    """Base class of stores; a subclass provides the other members of `Store`."""

    def close(self) -> None:
        """Does nothing: there is nothing to release."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def head(self: Store) -> Head:
        return head_after(self.last_batch())

    append = append  # the function, whose first argument is a `Store`

    now: Callable[[], Instant] = staticmethod(wall_clock)

    @property
    def draft(self: Store) -> NameDraft:
        """The names, including those of the open transaction; this is `book`, if the store keeps names in memory."""
        assert isinstance(self.book, NameDraft), "a store whose book is not a `NameDraft` must override `draft`"
        return self.book

    def look(self: Store) -> Look:
        head, book = self.head, self.book
        return Look(head, book.count, len(book.erased), book)

    def reading(self) -> AbstractContextManager[object]:
        """Does nothing: rows never change."""
        return nullcontext()

    def rows_at(self: Log, positions: Iterable[int]) -> Iterator[Row]:
        for position in sorted({int(position) for position in positions if position > 0}):
            yield from self.rows(position - 1, position)

    def rows_between(self: Log, first: str, last: str) -> Iterator[Row]:
        return iter(sorted((row for row in self.rows() if first <= row.uid < last), key=lambda row: row.uid))

    def games(self: Log, pool: int, after: int, to: int) -> GameColumns:
        return columns_of(self.rows(after, to, ("game",), pool))

    def fields(self: Log, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]:
        return fields_of(self.rows(after, to, ("game", "session"), pool), field)

    def digest_at(self: Log, position: int) -> str:
        batch = next(self.batches(position - 1), None) if position > 0 else None
        if batch is None:
            return self.head.digest if position > 0 else GENESIS
        if batch.last == position:
            return batch.digest
        names = [name for name in self.book.names() if name.batch == batch.first]
        rows = list(self.rows(batch.first - 1, batch.last))
        return digest_within(self.digest_at(batch.first - 1), batch, names, rows, position)

    @contextmanager
    def loading(self: Store) -> Iterator[bool]:
        """Like `writing`, for a great many rows: a store may use more memory then."""
        with self.writing():
            yield False

    @contextmanager
    def indexed_last(self, *, names: bool = False) -> Iterator[bool]:
        """Within `loading`, a block in which a store may postpone indexing uids, and names if requested.

        Yields whether uids are postponed; then no event can be found by its uid in the block.
        """
        yield False

    def write_games(
        self: Store, batch: Batch, names: Sequence[Name], pool: int, columns: Sequence[Sequence[object]]
    ) -> None:
        """Writes a batch of games of one pool.

        Parameters
        ----------
        columns : sequence of uid, played, order, a, b, score, data
            Each holds a value for every game.
        """
        uids, played, order, a, b, score, data = columns
        kind, pools, nothing = repeat("game"), repeat(pool), repeat(None)
        cells = zip(
            range(batch.first, batch.last + 1),
            uids,
            kind,
            pools,
            played,
            order,
            a,
            b,
            score,
            nothing,
            data,
            strict=False,
        )
        self.write(batch, names, list(cells))

    def restore(self: Store, batch: Batch, names: Sequence[Name], rows: Sequence[Row]) -> None:
        self.draft.restore(names)
        self.write(batch, names, rows)

    def wait(self: Store, after: int, seconds: float) -> Head | None:
        """Waits for a head beyond a position and returns it; None if there is none after `seconds`."""
        until = time.monotonic() + seconds
        while (last := self.last_batch()) is None or last.last <= after:
            left = until - time.monotonic()
            if left <= 0:
                return None
            time.sleep(min(left, _ASK))
        return head_after(last)


class StoredLog(StoredRows, BaseLog):
    """Base class of logs in a database, in which one transaction at a time appends.

    A subclass opens the transaction, and reads the state inside it.
    """

    _book: StoredNames
    _held: Seen
    """The newest state seen; while the log is open, its history must continue to contain it."""
    _heads: dict[int, str]
    """Digests of the states seen, by position."""
    _tail: Tail
    _mine: threading.local
    _read_only: bool
    _salt: Callable[[], str]

    @property
    @abstractmethod
    def _where(self) -> str:
        """Name of the log in errors."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[Inside]:
        """A transaction that blocks other writers and is committed at the end."""

    @abstractmethod
    def _savepoint(self, part: Inside) -> AbstractContextManager[Inside]:
        """A part of the transaction of this thread; if anything in it fails, only this part is rolled back."""

    @property
    @abstractmethod
    def _in_transaction(self) -> bool:
        """True if this thread is in the middle of a transaction."""

    @property
    def _inside(self) -> Inside | None:
        """The state of the log for this thread inside `writing`; None outside."""
        inside: Inside | None = getattr(self._mine, "inside", None)
        return inside if inside is not None and self._in_transaction else None

    @property
    def draft(self) -> NameDraft:
        """The names, with those of the open transaction."""
        return self._appending.draft

    @property
    def _appending(self) -> Inside:
        inside = self._inside
        assert inside is not None, "inside `writing` only"
        return inside

    @property
    def head(self) -> Head:
        return self.look().head

    @abstractmethod
    def _looked(self, at: int) -> tuple[Seen, str | None, Batch | None]:
        """Reads in one statement the state, the digest of the batch that ends at a position, and the newest batch."""

    @property
    def _at_a_moment(self) -> bool:
        """True if this thread reads a snapshot, which may be older than what other threads have seen."""
        return self._in_transaction

    def look(self) -> Look:
        """The head and the names at the same moment, read by one statement."""
        inside = self._inside
        if inside is not None:
            return Look(*inside.seen, inside.draft)
        self._check_place()
        held = self._held
        seen, there, _ = self._looked(held.head.position)
        if not self._at_a_moment:
            self._continues(held, there, seen)
        book = self._names()
        book.saw(seen.names, seen.erasures)
        return Look(*seen, book)

    def _entered(self, held: Seen, there: str | None, seen: Seen, last: Batch | None) -> Inside:
        """The state at the beginning of a transaction that appends; nothing is written yet."""
        self._continues(held, there, seen)
        book = self._names()
        book.saw(seen.names, seen.erasures)
        inside = Inside(last, seen.names, seen.erasures, NameDraft(book, seen.names, self._salt))
        if self._tail.head == inside.head:
            inside.tail = self._tail
        return inside

    def _check_place(self) -> None:
        """Checks that the log is still where it was opened; does nothing by default, since servers do not move logs."""

    def _names(self) -> StoredNames:
        """The book that all threads share."""
        return self._book

    def _continues(self, held: Seen, there: str | None, seen: Seen) -> None:
        """Checks that the history still contains the last state seen, then remembers the new one.

        Raises
        ------
        LogUnavailable
            If the log was truncated or replaced: a backup took its place, or its server lost the last appends.
            Its ids may then belong to other names.
        """
        if held.head.position and there != held.head.digest:
            raise self._another_history(f"it was at {held.head}, and now ends at {seen.head}")
        self._hold(seen)

    def _hold(self, seen: Seen) -> None:
        held = self._held
        if (seen.head.position, seen.erasures) > (held.head.position, held.erasures):
            self._held = seen
            if len(self._heads) == _HEADS:
                self._heads.clear()
            self._heads[seen.head.position] = seen.head.digest

    def _another_history(self, what: str) -> OtherHistory:
        return OtherHistory(self._where, f"another history took its place while it was open: {what}")

    @property
    def book(self) -> NameBook:
        """The current names, with those of an open transaction of this thread."""
        inside = self._inside
        return self.look().book if inside is None else inside.draft

    def last_batch(self) -> Batch | None:
        inside = self._inside
        if inside is not None:
            return inside.last
        row = self._one(f"{BATCHES} ORDER BY last DESC LIMIT 1")
        return Batch._make(row) if row else None

    def find(self, uids: Sequence[str]) -> dict[str, Row]:
        inside = self._inside
        if inside is None or len(uids) > _FEW:
            return super().find(uids)
        return found_once(inside.found, super().find, uids)

    def rows(
        self,
        after: int = 0,
        to: int | None = None,
        kinds: Sequence[str] = (),
        pool: int | None = None,
        players: Sequence[int] | None = None,
    ) -> Iterator[Row]:
        inside = self._inside
        if inside is not None and pool is None and players is None and to in (None, inside.head.position):
            newest = inside.tail.rows(after, kinds)
            if newest is not None:
                return newest
        return super().rows(after, to, kinds, pool, players)

    def digest_at(self, position: int) -> str:
        return self._heads.get(position) or super().digest_at(position)

    def batches(self, after: int = 0) -> Iterator[Batch]:
        last = None if self._inside is None else self._inside.last
        return super().batches(after) if last is None or last.last != after + 1 else iter([last])

    @abstractmethod
    def write(self, batch: Batch, names: Sequence[Name], rows: Sequence[Cells]) -> None:
        """Writes a batch inside `writing`; if a uid is taken, nothing of it is written."""

    @abstractmethod
    def arrived(self, numbers: Sequence[int]) -> None:
        """Records the names, by number, that were already erased in the log whose export is being loaded."""

    def restore(self, batch: Batch, names: Sequence[Name], rows: Sequence[Row]) -> None:
        self.draft.restore(names)
        self.write(batch, names, rows)
        erased = [name.id for name in names if name.key is None]
        if erased:
            self.arrived(erased)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Opens a transaction that blocks other writers; inside another one, a savepoint."""
        if self._read_only:
            advice = "open it to write, or copy it to a folder you may write to"
            raise LogUnavailable(self._where, "it is read-only", advice)
        outer = self._inside
        with ExitStack() as undone:
            with self._transaction() if outer is None else self._savepoint(outer.part()) as inside:
                undone.callback(self._undone, inside, inside.draft.below)
                try:
                    self._mine.inside = inside
                    yield
                finally:
                    self._mine.inside = outer
            undone.pop_all()  # only after the commit, which may fail too: the disk may be full
        if outer is None:
            self._hold(inside.seen)
            self._tail = inside.tail
            self._book.wrote(inside.draft)
        else:
            outer.take(inside)

    def _undone(self, inside: Inside, count: int) -> None:
        """Drops the names of a transaction that was rolled back; `count` names existed before it."""
        self._book.undone(count, inside.draft.gone)
