"""Rows and batches of a log in a database, read page by page."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ratingcore.events import Row
from ratingcore.events.values import is_storable
from ratingcore.log.chain import GENESIS, Batch, Name, digest_of, digest_within
from ratingcore.log.names import NameBook
from ratingcore.log.segments import LEAST

EVENT_COLUMNS = 'position, uid, kind, pool, played, "order", a, b, score, ref, data'
BATCHES = "SELECT first, last, recorded, source, digest FROM batch"
_ROW = partial(tuple.__new__, Row)
"""Makes a `Row` from a result row of a statement, without counting its columns."""
_FIRST, _PAGE = 16, 16_384
"""Numbers of rows in the first page and in the largest one: a reader of one row does not wait for thousands."""


class StoredRows(ABC):
    """The part of a log in a database that reads rows and batches.

    A subclass runs the statements. They are written for SQLite, with `?` for values and table names without a schema.
    Rows are read in pages, each by a statement of its own: rows never change, and positions are committed in order,
    so pages fit together.
    """

    at_once = 500
    """Largest number of values in one statement, below the limit of every version of SQLite."""

    if TYPE_CHECKING:

        @property
        def book(self) -> NameBook: ...

    @abstractmethod
    def _all(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """All rows of a statement."""

    def _one(self, sql: str, values: Sequence[object] = ()) -> Any:
        """The first row of a statement; None without rows."""
        return next(iter(self._all(sql, values)), None)

    def _among(self, values: Sequence[Any]) -> tuple[str, Sequence[Any]]:
        """Returns the SQL after a column's name that tests for one of some values, and the values to bind."""
        return f"IN ({','.join('?' * len(values))})", values

    def _each(self, columns: str, column: str, wanted: Sequence[object]) -> Iterator[Any]:
        """Rows of the events with one of the wanted values in a column."""
        for start in range(0, len(wanted), self.at_once):
            condition, values = self._among(wanted[start : start + self.at_once])
            yield from self._all(f"SELECT {columns} FROM event WHERE {column} {condition}", values)

    def _pages(self, sql: str, values: Sequence[Any], after: int, to: int | None) -> Iterator[Any]:
        """Yields the rows of a statement for a range of positions, in order, page by page.

        The statement takes two positions, the values and a limit; its first column is the position.
        """
        rows = self._all(sql, (after, 2**62 if to is None else to, *values, _FIRST))
        yield from rows
        if len(rows) < _FIRST:
            return
        after, page, stretch = rows[-1][0], _FIRST, _PAGE
        if to is None:
            to = int(self._one("SELECT max(position) FROM event")[0])
        while after < to:
            end, page = min(after + stretch, to), min(8 * page, _PAGE)
            rows = self._all(sql, (after, end, *values, page))
            yield from rows
            # SQLite sorts rows of few kinds by position, so each page covers no more positions than necessary
            full = len(rows) == page
            after, stretch = rows[-1][0] if full else end, _PAGE if full else 8 * stretch

    def find(self, uids: Sequence[str]) -> dict[str, Row]:
        there = filter(is_storable, uids)
        return {row.uid: row for row in map(_ROW, self._each(EVENT_COLUMNS, "uid", list(there)))}

    def batches(self, after: int = 0) -> Iterator[Batch]:
        sql = f"{BATCHES} WHERE last > ? ORDER BY last LIMIT ?"
        page = _FIRST
        while rows := self._all(sql, (after, page)):
            yield from map(Batch._make, rows)
            if len(rows) < page:
                return
            after, page = rows[-1][1], min(8 * page, _PAGE)

    def rows(
        self,
        after: int = 0,
        to: int | None = None,
        kinds: Sequence[str] = (),
        pool: int | None = None,
        players: Sequence[int] | None = None,
    ) -> Iterator[Row]:
        tests: list[str] = ["position > ? AND position <= ?"]
        values: list[Any] = []
        if kinds:
            condition, bound = self._among(list(kinds))
            tests.append(f"kind {condition}")
            values += bound
            if "game" not in kinds:
                tests.append("kind <> 'game'")  # so that the partial index can be used
        if pool is not None:
            tests.append("pool = ?")
            values.append(pool)
        if players is not None:
            condition, bound = self._among(list(players))
            tests.append(f"a {condition}")
            values += bound
        sql = f"SELECT {EVENT_COLUMNS} FROM event WHERE {' AND '.join(tests)} ORDER BY position LIMIT ?"
        return map(_ROW, self._pages(sql, values, after, to))

    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]:
        wanted = sorted({int(position) for position in positions})
        for start in range(0, len(wanted), self.at_once):
            yield from sorted(map(_ROW, self._each(EVENT_COLUMNS, "position", wanted[start : start + self.at_once])))

    def rows_between(self, first: str, last: str) -> Iterator[Row]:
        sql = f"SELECT {EVENT_COLUMNS} FROM event WHERE uid >= ? AND uid < ? ORDER BY uid LIMIT ?"
        page = _FIRST
        while True:
            rows = self._all(sql, (first, last, page))
            yield from map(_ROW, rows)
            if len(rows) < page:
                return
            first, page = f"{rows[-1][1]}\x01", min(8 * page, _PAGE)  # the smallest text after this uid

    def digest_at(self, position: int) -> str:
        row = self._one(f"{BATCHES} WHERE last <= ? ORDER BY last DESC LIMIT 1", (position,))
        before = Batch._make(row) if row else Batch(0, 0, 0, None, GENESIS)
        batch = next(self.batches(position - 1), None) if before.last < position else None
        if batch is None:
            return before.digest
        return self._digest_within(before.digest, batch, position)

    def _digest_within(self, before: str, batch: Batch, position: int) -> str:
        """Digest of the history up to a position within a batch."""
        names = self._named_in(batch)
        if batch.last - batch.first + 1 < LEAST:
            return digest_of(before, batch, names, list(self.rows(batch.first - 1, position)))
        return digest_within(before, batch, names, list(self.rows(batch.first - 1, batch.last)), position)

    def _named_in(self, batch: Batch) -> list[Name]:
        return self.book.names(self.book.count_at(batch.first - 1), self.book.count_at(batch.last))
