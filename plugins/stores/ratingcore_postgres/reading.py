"""Reads a log in PostgreSQL by pages: no transaction stays open, and rows never change once they are committed."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ratingcore.plugin.stores import GENESIS, Batch, Instant, Name, NotALog, Row, UnknownUid, digest_of
from ratingcore_postgres.appending import COLUMNS
from ratingcore_postgres.connecting import Connection
from ratingcore_postgres.database import Database

PAGE = 20_000
"""Rows that are read at a time: positions are committed in order, so pages fit together."""

_BATCH = "SELECT first, last, recorded, source, digest FROM {s}.batch"


class Reading(ABC):
    """The part of a log in PostgreSQL that reads rows and batches."""

    _database: Database

    @abstractmethod
    def _begun(self, begin: str, *, lent: bool = False) -> AbstractContextManager[Connection]:
        """A transaction in which nothing is appended, in a log that goes on from what was seen of it."""

    @property
    def key(self) -> str:
        row = self._database.one("SELECT key FROM {s}.log")
        if row is None:
            raise NotALog(self._database.address, "a log without its key")
        return str(row[0])

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A transaction in which the log reads the same while others append."""
        if self._database.held:
            yield
            return
        with self._begun("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"):
            yield

    def batches(self, after: int = 0) -> Iterator[Batch]:
        while True:
            page = self._database.rows(f"{_BATCH} WHERE last > %s ORDER BY last LIMIT {PAGE}", (after,))
            yield from map(Batch._make, page)
            if len(page) < PAGE:
                return
            after = page[-1][1]

    def rows(
        self, after: int = 0, to: int | None = None, kinds: Sequence[str] = (), pool: int | None = None
    ) -> Iterator[Row]:
        tests: list[str] = ["position > %s"]
        values: list[Any] = []
        if to is not None:
            tests.append("position <= %s")
            values.append(to)
        if kinds:
            tests.append("kind = ANY(%s)")
            values.append(list(kinds))
            if "game" not in kinds:
                tests.append("kind <> 'game'")  # lets the partial index serve
        if pool is not None:
            tests.append("pool = %s")
            values.append(pool)
        return self._pages(" AND ".join(tests), after, values)

    def _pages(self, tests: str, after: int, values: Sequence[Any]) -> Iterator[Row]:
        text = f"SELECT {COLUMNS} FROM {{s}}.event WHERE {tests} ORDER BY position LIMIT {PAGE}"
        while True:
            page = self._database.rows(text, (after, *values))
            yield from map(Row._make, page)
            if len(page) < PAGE:
                return
            after = page[-1][0]

    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]:
        wanted = sorted({int(position) for position in positions})
        for start in range(0, len(wanted), PAGE):
            text = f"SELECT {COLUMNS} FROM {{s}}.event WHERE position = ANY(%s) ORDER BY position"
            yield from map(Row._make, self._database.rows(text, (wanted[start : start + PAGE],)))

    def row_of(self, uid: str) -> Row:
        row = self._database.one(f"SELECT {COLUMNS} FROM {{s}}.event WHERE uid = %s", (uid,))
        if row is None:
            raise UnknownUid(uid)
        return Row._make(row)

    def rows_between(self, first: str, last: str) -> Iterator[Row]:
        """The rows whose uids are not before one text but before another, in order of uid."""
        text = f"SELECT {COLUMNS} FROM {{s}}.event WHERE uid >= %s AND uid < %s ORDER BY uid LIMIT {PAGE}"
        while True:
            page = self._database.rows(text, (first, last))
            yield from map(Row._make, page)
            if len(page) < PAGE:
                return
            first = page[-1][1] + "\x01"  # the least text after a uid

    def uid(self, position: int) -> str:
        return str(self._database.one("SELECT uid FROM {s}.event WHERE position = %s", (position,))[0])

    def uids(self, positions: Sequence[int]) -> list[str]:
        wanted = sorted({int(position) for position in positions})
        uids: dict[int, str] = {}
        for start in range(0, len(wanted), PAGE):
            text = "SELECT position, uid FROM {s}.event WHERE position = ANY(%s)"
            uids.update(self._database.rows(text, (wanted[start : start + PAGE],)))
        return [uids[position] for position in positions]

    def digest_at(self, position: int) -> str:
        row = self._database.one(f"{_BATCH} WHERE last <= %s ORDER BY last DESC LIMIT 1", (position,))
        before = Batch._make(row) if row else Batch(0, 0, 0, None, GENESIS)
        if before.last >= position:
            return before.digest
        row = self._database.one(f"{_BATCH} WHERE last >= %s ORDER BY last LIMIT 1", (position,))
        if row is None:
            return before.digest
        batch = Batch._make(row)
        columns = "id, kind, key, salt, digest, batch"
        names = self._database.rows(f"SELECT {columns} FROM {{s}}.name WHERE batch = %s ORDER BY id", (batch.first,))
        return digest_of(before.digest, batch, list(map(Name._make, names)), list(self.rows(before.last, position)))

    def position_at(self, recorded: Instant) -> int:
        row = self._database.one(
            "SELECT last FROM {s}.batch WHERE recorded <= %s ORDER BY last DESC LIMIT 1", (recorded,)
        )
        return int(row[0]) if row else 0

    def likely(self, patterns: Sequence[str], after: int, to: int | None) -> Iterator[Row]:
        """Rows whose uid or data may be like one of the LIKE patterns, in order."""
        if not patterns:
            return iter(())
        tests, values = "position > %s AND (uid ILIKE ANY(%s) OR data ILIKE ANY(%s))", [list(patterns)] * 2
        if to is not None:
            return self._pages(f"{tests} AND position <= %s", after, [*values, to])
        return self._pages(tests, after, values)
