"""A log in a schema of a PostgreSQL database, for any number of processes and threads."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, Self

from ratingcore.plugin.stores import (
    EMPTY,
    UNSEEN,
    Address,
    Head,
    Instant,
    LogUnavailable,
    NewerLog,
    NoSuchLog,
    NotALog,
    StoredNames,
    Tail,
    Turns,
    patience,
    random_salt,
    wall_clock,
)
from ratingcore_postgres.address import Location
from ratingcore_postgres.batches import BEGIN
from ratingcore_postgres.connection import Connection
from ratingcore_postgres.database import Database
from ratingcore_postgres.erasure import Erasing
from ratingcore_postgres.host_transaction import Host
from ratingcore_postgres.names import PostgresNames
from ratingcore_postgres.pool import ConnectionPool
from ratingcore_postgres.rows import RowReader
from ratingcore_postgres.schema import MAKE, MARK, OF_ROWS, SCHEMA
from ratingcore_postgres.segments import SegmentTables
from ratingcore_postgres.soundness import faults
from ratingcore_postgres.subscribers import Following, Waiters
from ratingcore_postgres.tables import PostgresTables


class PostgresLog(RowReader, SegmentTables, Following, Erasing):
    """A log in a schema of a PostgreSQL database; when an append returns, it has reached the server's disk.

    Any number of threads may share one `PostgresLog`; each process opens its own.

    Parameters
    ----------
    address : str
        `postgresql://USER@HOST/DATABASE?log=NAME`; everything but `log` is passed to libpq.
    read_only : bool
        Open without writing.
    clock : callable
        Returns the instant at which a batch is recorded.
    salt : callable
        Returns the salt of a new name, and the key of a new log.
    timeout : float or None, seconds
        Longest time that a writer waits for others, from 0 to a day; 30 seconds if None.

    Raises
    ------
    NotALog, NewerLog, NoSuchLog, LogUnavailable
    BadValue
        If the timeout is out of range.
    """

    path: None = None
    """None: the log is not a file."""

    def __init__(
        self,
        address: str,
        *,
        read_only: bool = False,
        clock: Callable[[], Instant] = wall_clock,
        salt: Callable[[], str] = random_salt,
        timeout: float | None = None,
    ) -> None:
        location = Location(address)
        self.address: Address | None = Address(address, str(location))
        self._begin(ConnectionPool(location, patience(timeout)), read_only, clock, salt)
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    @classmethod
    @contextmanager
    def within(
        cls,
        connection: Any,
        log: str,
        *,
        clock: Callable[[], Instant] = wall_clock,
        salt: Callable[[], str] = random_salt,
    ) -> Iterator[Self]:
        """Opens a log whose events are committed together with the rows of a host's open transaction.

        It is usable in that transaction only. Other appends wait until the host commits, so append as late as possible.

        Parameters
        ----------
        connection : psycopg.Connection
            A connection of psycopg 3; for Django, `connection.connection`.
        log : str
            Name of the log in the database.

        Raises
        ------
        NotALog, NewerLog, NoSuchLog, LogUnavailable
        """
        hosted = cls.__new__(cls)
        hosted.address = None
        hosted._begin(Host(connection, log), False, clock, salt)
        if hosted._found() is None:
            raise NoSuchLog(hosted._database.address)
        try:
            yield hosted
        finally:
            hosted.close()

    @contextmanager
    def hosted(self, connection: Any) -> Iterator[tuple[Self, Head]]:
        """Opens this log inside a host's transaction, like `within`, but reuses the names already read.

        It also yields the head up to which cached data of this log are valid in the transaction.

        Raises
        ------
        LogUnavailable
            If the database of the connection has another log of this name.
        """
        with type(self).within(connection, self._database.log, clock=self.now, salt=self._salt) as hosted:
            if hosted.key != self.key:
                why = "the database of the connection has a different log of this name"
                raise LogUnavailable(self._database.address, why, "open the log in the database of the host")
            hosted._read_only, hosted._below, upon = self._read_only, self._book, self.head
            yield hosted, upon

    def _begin(
        self, database: Database, read_only: bool, clock: Callable[[], Instant], salt: Callable[[], str]
    ) -> None:
        self._database = database
        self._read_only = read_only
        self.now = clock
        self._salt = salt
        self._held, self._heads, self._tail = UNSEEN, dict[int, str](), Tail(EMPTY)
        self._below: StoredNames | None = None
        self._book = PostgresNames(database)
        self._turns = Turns()
        self._waiters = Waiters()
        self._mine = threading.local()
        self._unpacked, self._rows_to = {}, 0

    def _open(self) -> None:
        if self._found() is not None:
            return
        if self._read_only:
            raise NoSuchLog(self._database.address)
        with self._database.transaction(BEGIN), self._database.connection() as db:
            self._database.one("SELECT pg_advisory_xact_lock(1380139079, hashtext(%s))", (self._database.log,))
            if self._found() is None:  # another process may have made it first
                _make(self._database, db, self._salt())

    def _found(self) -> int | None:
        """Returns the version of the log, None if there is none; refuses a schema that is not a log."""
        schema = self._database.one(
            """SELECT obj_description(n.oid, 'pg_namespace'), EXISTS (SELECT FROM pg_class WHERE relnamespace = n.oid)
            FROM pg_namespace n WHERE nspname = %s""",
            (self._database.log,),
        )
        if schema is None or schema == (None, False):  # an administrator may have created an empty schema for the log
            return None
        comment, number = schema[0] or "", (schema[0] or "").removeprefix(MARK)
        if not comment.startswith(MARK) or not number.isdecimal():
            raise NotALog(self._database.address, "a schema of another program")
        if int(number) < 1:
            raise NotALog(self._database.address, f"marked as {comment!r}, which no version writes")
        if int(number) > SCHEMA:
            raise NewerLog(self._database.address, int(number), SCHEMA)
        return int(number)

    def faults(self) -> Iterator[str]:
        """Yields faults of the schema that the chain of digests does not show, a sentence each."""
        return faults(self._database)

    def remarks(self) -> tuple[str, ...]:
        """Returns no remarks, since in PostgreSQL every erasure has an entry."""
        return ()

    @property
    def tables(self) -> PostgresTables:
        """Tables of plugins in the schema of the log."""
        return PostgresTables(self._database, self.writing)

    def backup(self, path: str | Path) -> NoReturn:
        """Always raises `LogUnavailable`, since PostgreSQL has its own tools for backups."""
        log = self._database.log
        raise LogUnavailable(
            self._database.address,
            "backups to a file are for logs in SQLite, and this one is in PostgreSQL",
            f"use pg_dump -n {log}, or an export, which any store can load",
        )

    def close(self) -> None:
        self._database.close()


def _make(database: Database, db: Connection, key: str) -> None:
    if database.one("SELECT FROM pg_namespace WHERE nspname = %s", (database.log,)) is None:
        db.execute(database.text("CREATE SCHEMA {s}", bare=True))
    db.execute(database.text(MAKE, bare=True))
    database.run("INSERT INTO {s}.log VALUES (true, %s, %s, 0, %s, 0, 0, 0)", (key, OF_ROWS, "0" * 64))
