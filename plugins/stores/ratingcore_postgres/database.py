"""The database of a log: the base of `Pool`, with its own connections, and `Host`, with a host's connection."""

import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache
from typing import Any

import psycopg

from ratingcore.plugin.stores import LogUnavailable
from ratingcore_postgres.connection import Connection, reading_cursor
from ratingcore_postgres.schema import quoted

_TABLE = re.compile(r"\b(FROM|INTO|UPDATE)\s+(?=\w)")


class Database(ABC):
    """Base of the database of a log, accessed through a pool of connections or a host's single connection.

    Parameters
    ----------
    address : str
        How errors name the log.
    log : str
        Name of the log, which is also the name of its schema.
    seconds : float
        Longest time that a writer waits for another, or a thread for a connection.
    """

    own: bool = True
    """True if no host uses the connections, so that nobody rolls back what a transaction has read."""

    def __init__(self, address: str, log: str, seconds: float) -> None:
        self.address = address
        self.log = log
        self.seconds = seconds
        self._mine = threading.local()

    def text(self, statement: str, *, bare: bool = False) -> bytes:
        """Returns a statement with the name of the schema filled in; set `bare` for one sent without values."""
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

    def connection(self) -> AbstractContextManager[Connection]:
        """Returns a connection for this thread: that of its transaction, or a free one."""
        self._saved.written = True
        return self._reading()

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """Returns a connection for statements that only read."""

    def apart(self) -> AbstractContextManager[Connection]:
        """Returns a separate connection, which is closed at the end of the block."""
        return self.connection()

    def reserved(self) -> AbstractContextManager[Connection]:
        """Returns a connection that this thread uses for all its statements in the block."""
        return self.connection()

    @abstractmethod
    def transaction(
        self, begin: str, then: str = "", *, lent: bool = False
    ) -> AbstractContextManager[tuple[Connection, list[Any]]]:
        """Runs a transaction of this thread; yields its connection, and the last row of each opening statement.

        Parameters
        ----------
        begin : str
            Statements that set up the transaction; ignored for a host, which has already begun it.
        then : str
            Further statements without values, sent together with `begin`.
        lent : bool
            Whether a consumer's code runs in it. That code may end it by mistake, and later statements must then not
            commit on their own.
        """

    @abstractmethod
    def close(self) -> None:
        """Releases all connections."""

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Returns all rows of a reading statement."""
        with self._reading() as db, reading_cursor(db) as cursor:
            return cursor.execute(self.text(statement), values).fetchall()

    def one(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """Returns the first row of a reading statement; None without rows."""
        with self._reading() as db, reading_cursor(db) as cursor:
            return cursor.execute(self.text(statement), values).fetchone()

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Runs a statement; returns the number of rows changed."""
        with self.connection() as db, reading_cursor(db) as cursor:
            return cursor.execute(self.text(statement), values).rowcount

    def spelt(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Returns all rows of a reading statement in SQLite's dialect, with bare names of tables."""
        return self.rows(in_schema(statement), values)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Runs a block of this thread's transaction that is rolled back alone if it fails.

        It shares the surrounding savepoint if nothing was written since that one began.
        """
        saved = self._saved
        own = saved.written
        if own:
            with self._reading() as db:
                db.execute(saved.next(), prepare=False)  # two statements cannot be prepared
        try:
            yield
        except BaseException:
            with (
                suppress(psycopg.Error, LogUnavailable),  # a lost connection undoes everything anyway
                self._reading() as db,
            ):
                db.execute(saved.undo())
            raise
        finally:
            if own:
                saved.end()

    @property
    def _saved(self) -> "Savepoints":
        saved: Savepoints = self._mine.__dict__.setdefault("saved", Savepoints())
        return saved


class Savepoints:
    """The savepoints of an appending transaction; the first is made at its beginning.

    Examples
    --------
    >>> saved = Savepoints()
    >>> saved.next(), saved.end(), saved.next()
    (b'SAVEPOINT batch_1', None, b'RELEASE SAVEPOINT batch_1; SAVEPOINT batch_1')
    >>> saved.undo()
    b'ROLLBACK TO SAVEPOINT batch_1'
    """

    FIRST = "SAVEPOINT batch_0"

    def __init__(self) -> None:
        self._depth, self._ended = 0, False
        self.written = False
        """True if something was written since the newest savepoint."""

    def next(self) -> bytes:
        """Returns the statement that makes a new savepoint, and releases the one that ended before."""
        ended, self._ended, self.written = self._ended, False, False
        self._depth += 1
        return b"%sSAVEPOINT batch_%d" % (b"RELEASE SAVEPOINT batch_%d; " % self._depth if ended else b"", self._depth)

    def undo(self) -> bytes:
        """Returns the statement that undoes everything since the newest savepoint."""
        self._ended = self.written = False
        return b"ROLLBACK TO SAVEPOINT batch_%d" % self._depth

    def end(self) -> None:
        """Ends the newest savepoint, which is released when the next one is made."""
        self._depth -= 1
        self._ended = self.written = True


@lru_cache(maxsize=256)
def in_schema(statement: str) -> str:
    """Converts a statement for SQLite to psycopg's form, with its tables in the schema of the log."""
    return _TABLE.sub(r"\1 {s}.", statement.replace("?", "%s"))
