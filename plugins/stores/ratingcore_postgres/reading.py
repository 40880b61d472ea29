"""Reads a log in PostgreSQL by pages: no transaction stays open, and rows never change once they are committed."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ratingcore.plugin.stores import EVENT_COLUMNS, NotALog, Row, StoredLog
from ratingcore_postgres.connecting import Connection
from ratingcore_postgres.database import Database


class Reading(StoredLog):
    """The part of a log in PostgreSQL that reads rows and batches."""

    _database: Database
    at_once = 20_000

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._database.spelt(sql, values)

    def _among(self, values: Sequence[Any]) -> tuple[str, Sequence[Any]]:
        return "= ANY(?)", (list(values),)

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

    def likely(self, patterns: Sequence[str], after: int, to: int | None) -> Iterator[Row]:
        """Rows whose uid or data may be like one of the LIKE patterns, in order."""
        if not patterns:
            return iter(())
        sql = f"""SELECT {EVENT_COLUMNS} FROM event WHERE position > ? AND position <= ?
            AND (uid ILIKE ANY(?) OR data ILIKE ANY(?)) ORDER BY position LIMIT ?"""
        return map(Row._make, self._pages(sql, [list(patterns)] * 2, after, to))
