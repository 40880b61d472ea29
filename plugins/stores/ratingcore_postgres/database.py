"""The database of a log, over connections of its own or the one connection of a host."""

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
    """Base of the database of a log: a pool of connections of its own, or the one connection of a host.

    Parameters
    ----------
    address : str
        The log, as errors name it.
    log : str
        Name of the log: its schema.
    seconds : float
        Time that a writer waits for another, and a thread for a connection.
    """

    own: bool = True
    """True if nobody else uses the connections, so that state read in a transaction is final."""

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
        """True if this thread is in a transaction."""

    def check_free(self) -> None:
        """Refuses to begin a transaction in a thread that is in one."""
        if self.held:
            raise LogUnavailable(self.address, "a transaction of this thread is open", "end that one first")

    @abstractmethod
    def connection(self) -> AbstractContextManager[Connection]:
        """A connection for this thread: that of its transaction, or a free one."""

    def apart(self) -> AbstractContextManager[Connection]:
        """A connection that no thread uses for anything else; it is closed at the end."""
        return self.connection()

    def kept(self) -> AbstractContextManager[Connection]:
        """A connection that this thread keeps for a while, for all of its statements."""
        return self.connection()

    @abstractmethod
    def transaction(
        self, begin: str, then: str = "", *, lent: bool = False
    ) -> AbstractContextManager[tuple[Connection, list[Any]]]:
        """One transaction of this thread: its connection, and the last row of each statement at its beginning.

        Parameters
        ----------
        begin : str
            Characteristics and settings of the transaction, unless a host has begun it.
        then : str
            Statements, without values, that are sent with it.
        lent : bool
            Whether it is lent to a consumer, who may end it by mistake: later statements must not commit alone.
        """

    @abstractmethod
    def close(self) -> None:
        """Releases all connections."""

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of a statement."""
        with self.connection() as db, reading_cursor(db) as cursor:
            return cursor.execute(self.text(statement), values).fetchall()

    def one(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """The first row of a statement; None without rows."""
        with self.connection() as db, reading_cursor(db) as cursor:
            return cursor.execute(self.text(statement), values).fetchone()

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Runs a statement; returns the number of rows changed."""
        with self.connection() as db, reading_cursor(db) as cursor:
            return cursor.execute(self.text(statement), values).rowcount

    def spelt(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of a statement in the spelling of SQLite, with bare names of tables."""
        return self.rows(in_schema(statement), values)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Part of the transaction of this thread, undone separately if anything in it fails."""
        with self.connection() as db, db.transaction():
            yield


@lru_cache(maxsize=256)
def in_schema(statement: str) -> str:
    """A statement for SQLite in the form of psycopg, with its tables in the schema of the log."""
    return _TABLE.sub(r"\1 {s}.", statement.replace("?", "%s"))
