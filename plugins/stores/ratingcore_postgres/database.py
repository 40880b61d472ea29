"""What a log asks of its database, over connections of its own or the one connection of a host."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import Any

from ratingcore.plugin.stores import LogUnavailable
from ratingcore_postgres.connecting import Connection, reading_cursor
from ratingcore_postgres.schema import quoted

_TABLE = re.compile(r"\b(FROM|INTO|UPDATE)\s+(?=\w)")


class Database(ABC):
    """Base of what a log asks: a pool of connections of its own, or the one connection of a host.

    Parameters
    ----------
    address : str
        The log, as errors name it.
    log : str
        Name of the log: its schema.
    seconds : float
        How long a writer waits for another, and a thread for a connection.
    """

    own: bool = True
    """Whether nobody else uses the connections, so that what was read in a transaction is so."""

    def __init__(self, address: str, log: str, seconds: float) -> None:
        self.address = address
        self.log = log
        self.seconds = seconds

    def text(self, statement: str, *, bare: bool = False) -> bytes:
        """A statement with the schema written out; `bare` for one that is sent without values."""
        schema = quoted(self.log) if bare else quoted(self.log).replace("%", "%%")
        return statement.replace("{s}", schema).encode()

    @property
    @abstractmethod
    def held(self) -> bool:
        """Whether this thread is in a transaction."""

    def check_free(self) -> None:
        """Refuses what begins a transaction where this thread is in one."""
        if self.held:
            raise LogUnavailable(self.address, "a transaction of this thread is open", "end that one first")

    @abstractmethod
    def connection(self) -> AbstractContextManager[Connection]:
        """A connection for this thread: that of its transaction, or one that nobody uses now."""

    def apart(self) -> AbstractContextManager[Connection]:
        """A connection that no thread uses for anything else; it is closed at the end."""
        return self.connection()

    def kept(self) -> AbstractContextManager[Connection]:
        """A connection that this thread keeps for a while: all that it asks meanwhile goes over it."""
        return self.connection()

    @abstractmethod
    def transaction(
        self, begin: str, then: str = "", *, lent: bool = False
    ) -> AbstractContextManager[tuple[Connection, list[Any]]]:
        """One transaction of this thread: its connection, and the last row of each statement at its beginning.

        Parameters
        ----------
        begin : str
            How it is begun, unless a host has begun it: the characteristics, and settings.
        then : str
            Statements, without values, that are sent with it.
        lent : bool
            It is for somebody else, who may end it by mistake: what comes after that is not committed by itself.
        """

    @abstractmethod
    def close(self) -> None:
        """Give back what is held."""

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows that a statement gives."""
        with self.connection() as db, reading_cursor(db) as cursor:
            return cursor.execute(self.text(statement), values).fetchall()

    def one(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """The first row that a statement gives; None if it gives none."""
        with self.connection() as db, reading_cursor(db) as cursor:
            return cursor.execute(self.text(statement), values).fetchone()

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """How many rows a statement changed."""
        with self.connection() as db, reading_cursor(db) as cursor:
            return cursor.execute(self.text(statement), values).rowcount

    def spelt(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows that a statement gives that is spelt as for SQLite, with the names of tables alone."""
        return self.rows(in_schema(statement), values)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Part of the transaction of this thread that is undone alone if anything in it fails."""
        with self.connection() as db, db.transaction():
            yield


@lru_cache(maxsize=256)
def in_schema(statement: str) -> str:
    """A statement for SQLite as psycopg takes it, its tables in the schema of the log."""
    return _TABLE.sub(r"\1 {s}.", statement.replace("?", "%s"))
