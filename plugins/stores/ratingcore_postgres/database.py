"""The database of a log, over connections of its own or the one connection of a host."""

import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache
from typing import Any

import psycopg

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
        self._mine = threading.local()

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

    def connection(self) -> AbstractContextManager[Connection]:
        """A connection for this thread: that of its transaction, or a free one."""
        self._saved.written = True
        return self._reading()

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """The same, for statements that write nothing."""

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
        """All rows of a statement that reads."""
        with self._reading() as db, reading_cursor(db) as cursor:
            return cursor.execute(self.text(statement), values).fetchall()

    def one(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """The first row of a statement that reads; None without rows."""
        with self._reading() as db, reading_cursor(db) as cursor:
            return cursor.execute(self.text(statement), values).fetchone()

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Runs a statement; returns the number of rows changed."""
        with self.connection() as db, reading_cursor(db) as cursor:
            return cursor.execute(self.text(statement), values).rowcount

    def spelt(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of a statement that reads, in the spelling of SQLite, with bare names of tables."""
        return self.rows(in_schema(statement), values)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Part of the transaction of this thread, undone separately if anything in it fails.

        The savepoint around it serves it too, as long as nothing was written since that one.
        """
        saved = self._saved
        own = saved.written
        if own:
            with self._reading() as db:
                db.execute(saved.next(), prepare=False)  # two statements cannot be
        try:
            yield
        except BaseException:
            with (
                suppress(psycopg.Error, LogUnavailable),
                self._reading() as db,
            ):  # of a lost connection nothing stays anyway
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
    """The savepoints of an appending transaction, of which the first is made at its beginning.

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
        """True if something was written since the newest one."""

    def next(self) -> bytes:
        """The statement that makes a further one, and gives up the one that ended before."""
        ended, self._ended, self.written = self._ended, False, False
        self._depth += 1
        return b"%sSAVEPOINT batch_%d" % (b"RELEASE SAVEPOINT batch_%d; " % self._depth if ended else b"", self._depth)

    def undo(self) -> bytes:
        """The statement that undoes everything since the newest one."""
        self._ended = self.written = False
        return b"ROLLBACK TO SAVEPOINT batch_%d" % self._depth

    def end(self) -> None:
        """Ends the newest one, which stays until the next one is made."""
        self._depth -= 1
        self._ended = self.written = True


@lru_cache(maxsize=256)
def in_schema(statement: str) -> str:
    """A statement for SQLite in the form of psycopg, with its tables in the schema of the log."""
    return _TABLE.sub(r"\1 {s}.", statement.replace("?", "%s"))
