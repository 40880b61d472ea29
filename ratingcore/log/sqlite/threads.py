"""Connections of a log in a file: one for writing, which threads use in turn, and one for each reading thread."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any
from weakref import WeakSet

from ratingcore.errors import LogUnavailable, RatingCoreError
from ratingcore.log.sqlite.connection import MEMORY, Connection, OpenFile, explained, sqlite3
from ratingcore.log.turns import Turns

_POLL = 0.0005, 0.003
"""Shortest and longest time in seconds between two attempts to write while another process writes.

SQLite itself waits up to 100 ms, so it would hardly ever hit the gap between two writes of a busy process."""


class ThreadConnection:
    """A connection, opened on demand, and the lock that is held while it works."""

    def __init__(self, connect: Callable[[], Connection], db: Connection | None = None) -> None:
        self._connect = connect
        self.lock = threading.RLock()
        self.db = db
        self.reading = False
        self.file: object = None
        """The state of the file when this connection was last used."""

    def close(self) -> None:
        """Closes the connection; it is opened again on demand."""
        if self.db is not None:
            self.db.close()
            self.db = None

    def opened(self) -> Connection:
        """The connection; call it under the lock."""
        if self.db is None:
            self.db = self._connect()
        return self.db

    def __del__(self) -> None:
        self.close()


class ThreadConnections:
    """The connections of one log: each thread reads with its own, and all threads share one for writing.

    A reading connection is closed when its thread has ended. A process that forks closes all of them first, since
    SQLite would mix up the locks of both processes, and opens them again; the child cannot use them.

    A database in memory has one connection, which threads use in turn: readers wait while another thread writes.
    A fork copies it, as all memory.

    Parameters
    ----------
    path : path
    writer : callable
        Opens a writing connection.
    reader : callable
        Opens a reading connection.
    seconds : float
        Time that a writer waits for others.
    """

    def __init__(
        self, path: Path, writer: Callable[[], Connection], reader: Callable[[], Connection], seconds: float
    ) -> None:
        self._path = path
        self._in_memory = path == MEMORY
        self._reader = reader
        self.seconds = seconds
        self._turns = Turns()
        self._here = threading.local()
        self._process = os.getpid()
        self._closed = False
        self._opening = threading.RLock()
        """Held while a connection is added, and while the process forks."""
        self._readers: WeakSet[ThreadConnection] = WeakSet()
        self._owner: ThreadConnection | None = None
        """The reader of the thread that has the turn to write."""
        self._writer = ThreadConnection(writer)
        self.file: OpenFile | None = None
        self._forking: threading.Lock | None = None
        """While the process forks, the ticket that has the turn, so that writers wait."""
        watch_forks(self)

    # the calling thread

    def _mine(self) -> ThreadConnection:
        """The connection with which this thread reads."""
        if self._process != os.getpid() and not self._in_memory:
            raise LogUnavailable(
                str(self._path), "it was opened by the process that forked this one", "open it in each process"
            )
        if self._closed:
            raise LogUnavailable(str(self._path), "it was closed", "open it again")
        held: ThreadConnection | None = getattr(self._here, "held", None)
        if held is None:
            held = self._here.held = ThreadConnection(self._reader)
            with self._opening:
                self._readers.add(held)
        return held

    @property
    def writing(self) -> bool:
        """True if this thread is in the middle of a transaction that writes."""
        return self._owner is not None and self._owner is self._mine()

    @property
    def in_transaction(self) -> bool:
        """True if this thread is in the middle of a transaction."""
        mine = self._mine()
        return mine.reading or self._owner is mine

    def check_file(self) -> None:
        """Drops the cached pages of this thread if SQLite or another program has written to the file since.

        Raises
        ------
        LogUnavailable
            If the path now has another file, or no file.
        """
        held, state = self._used(), None if self.file is None else self.file.state()
        if held.file != state and held.db is not None and not held.db.in_transaction:
            self.all("PRAGMA shrink_memory")
        held.file = state

    def _used(self) -> ThreadConnection:
        mine = self._mine()
        return self._writer if self._in_memory or self._owner is mine else mine

    @property
    def db(self) -> Connection:
        """The connection of this thread: the writing one while it has the turn."""
        return self._open(self._used())

    def _open(self, held: ThreadConnection) -> Connection:
        db = held.db
        if db is not None:
            return db
        with self._opening, held.lock:
            if self._closed:
                raise LogUnavailable(str(self._path), "it was closed", "open it again")
            return held.opened()

    def all(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """All rows of a statement; nothing stays open, so that readers block nobody."""
        held = self._used()
        with explained(self._path):
            while True:
                self._open(held)  # before taking its lock: closing all connections takes the locks in this order too
                with held.lock:
                    if held.db is not None:  # otherwise the process is forking
                        return held.db.execute(sql, values).fetchall()

    @contextmanager
    def using(self) -> Iterator[Connection]:
        """The connection of this thread, which no other thread can close during the block."""
        held = self._used()
        while True:
            self._open(held)
            with held.lock:
                if held.db is not None:
                    yield held.db
                    return

    def changes(self) -> tuple[Connection, int] | None:
        """The connection with which this thread reads, and its count of changes by others to the file.

        None if that count is meaningless: in memory, and inside a transaction of this thread.
        """
        mine: ThreadConnection | None = getattr(self._here, "held", None)
        if mine is None or mine.db is None:  # closing and forking close it, and then everything is checked
            mine = self._mine()
        if mine.reading or self._owner is mine or self._in_memory:
            return None
        try:
            while True:
                db = mine.db or self._open(mine)
                with mine.lock:
                    if mine.db is db:  # otherwise the process is forking
                        return db, db.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.Error:
            with explained(self._path):
                raise

    def version(self) -> int:
        """The version of the tables of the file, as this thread reads them."""
        held = self._used()
        try:
            while True:
                db = held.db or self._open(held)
                with held.lock:
                    if held.db is db:  # otherwise the process is forking
                        return int(db.execute("PRAGMA user_version").fetchone()[0])
        except sqlite3.Error:
            with explained(self._path):
                raise

    def open_writer(self) -> None:
        """Opens the writing connection."""
        self._open(self._writer)

    # transactions

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A transaction in which this thread reads the same state while others write; joins one that is open."""
        mine = self._mine()
        if mine.reading or self._owner is mine:
            yield
            return
        if self._in_memory:
            with self._writer.lock:
                mine.reading = True
                try:
                    yield
                finally:
                    mine.reading = False
            return
        db: Connection | None = None
        mine.reading = True
        try:
            with self.using() as db:
                _undo(db)
                db.execute("BEGIN")
            yield
        finally:
            mine.reading = False
            if db is not None and mine.db is db:
                _undo(db)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A writing transaction: committed at the end of the block, undone if anything in it fails."""
        until = time.monotonic() + self.seconds
        with self._turn() as db:
            _undo(db)
            self.check_file()
            try:
                self._begin(db, until)
                yield db
                db.execute("COMMIT")
            except BaseException:
                if self._writer.db is db:
                    _undo(db)
                raise

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Part of the writing transaction of this thread, undone separately if anything in it fails."""
        db = self.db
        db.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            if self._writer.db is db and db.in_transaction:
                db.execute("ROLLBACK TO part")
                db.execute("RELEASE part")
            raise
        db.execute("RELEASE part")

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """The writing connection, while the other threads of this process wait.

        For statements such as VACUUM, for which SQLite itself locks the file and waits for other processes.
        """
        with self._turn() as db:
            db.execute(f"PRAGMA busy_timeout = {int(1000 * self.seconds)}")
            try:
                yield db
            finally:
                db.execute("PRAGMA busy_timeout = 0")

    @contextmanager
    def _turn(self) -> Iterator[Connection]:
        """The writing connection, once it is the turn of this thread."""
        mine = self._mine()
        if mine.reading or self._owner is mine:
            raise LogUnavailable(str(self._path), "a transaction of this thread is open", "end that one first")
        ticket = threading.Lock()
        try:
            if not self._turns.take(ticket, self.seconds):
                raise self._late("another thread")
            self._owner = self._mine()  # the log may have been closed meanwhile
            db = self._open(self._writer)
            with self._writer.lock if self._in_memory else nullcontext():
                yield db
        finally:
            if self._owner is mine:
                self._owner = None
            try:
                self._turns.give(ticket)
            finally:  # again, in case an injected exception interrupted the first call
                self._turns.give(ticket)

    def _begin(self, db: Connection, until: float) -> None:
        while True:
            try:
                db.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise
                if time.monotonic() > until:
                    raise self._late("another process") from error
            from random import uniform  # imported here, since few processes meet another one that writes

            time.sleep(uniform(*_POLL))

    def _late(self, who: str) -> LogUnavailable:
        why = f"{who} has been writing for more than {self.seconds:g} s"
        return LogUnavailable(str(self._path), why, "try again when it has finished")

    # ending

    def close(self) -> None:
        """Closes the connections of all threads; waits for a transaction that writes."""
        if self._closed or (self._process != os.getpid() and not self._in_memory):
            return
        waits, ticket = self._owner is None or self._owner is not self._mine(), threading.Lock()
        try:
            if waits:
                self._turns.take(ticket, self.seconds)
            self._closed = True
            self._close_idle(always=True)
        finally:
            self._turns.give(ticket)

    def _close_idle(self, always: bool = False) -> None:
        """Closes every connection that is not in the middle of a transaction, or all of them if `always`."""
        with self._opening:
            for held in (*self._readers, self._writer):
                with held.lock:
                    if held.db is not None and (always or not held.db.in_transaction):
                        held.close()

    def before_fork(self) -> None:
        """Closes the connections once nobody writes, and prevents new ones until the process has forked."""
        if self._closed or (self._process != os.getpid() and not self._in_memory):
            return
        ticket = threading.Lock()
        if not self.writing:
            self._turns.take(ticket, self.seconds)
        self._opening.acquire()
        if not self._in_memory:
            self._close_idle()
        self._forking = ticket

    def after_fork(self, *, child: bool) -> None:
        """Lets the parent continue; in the child, connections in a transaction are never touched again."""
        ticket, self._forking = self._forking, None
        if child and not self._in_memory:
            for held in (*self._readers, self._writer):
                if held.db is not None:
                    _INHERITED.append(held.db)
                    held.db = None
        elif ticket is not None:
            try:
                with suppress(RatingCoreError, sqlite3.Error):  # raised again by the next call that needs the log
                    self._writer.opened()
            finally:
                self._opening.release()
                self._turns.give(ticket)


def _undo(db: Connection) -> None:
    """Undoes an open transaction on a connection that nobody uses now.

    An exception that another thread injects, as task queues do for their time limits, may interrupt the lines that end
    a transaction; then the next caller ends it.
    """
    if db.in_transaction:
        db.execute("ROLLBACK")


_INHERITED: list[Connection] = []
"""Connections of a parent process; a child keeps them here so that garbage collection does not close them."""


# A fork concerns the whole process, and Python cannot unregister fork hooks, so all connections share the same hooks.
_ALL: WeakSet[ThreadConnections] = WeakSet()
_held_back: list[ThreadConnections] = []
_lock = threading.RLock()
"""Held while the process forks: two threads may fork at once, and others may open logs."""


def watch_forks(connections: ThreadConnections) -> None:
    """Registers connections, by weak reference, for calls before and after every fork."""
    with _lock:
        _ALL.add(connections)


def _before() -> None:
    _lock.acquire()
    for connections in list(_ALL):
        connections.before_fork()
        _held_back.append(connections)


def _after(child: bool) -> None:
    with ExitStack() as all_of_them:  # an error of one does not stop the others
        all_of_them.callback(_lock.release)
        while _held_back:
            all_of_them.callback(_held_back.pop().after_fork, child=child)


if hasattr(os, "register_at_fork"):  # Windows does not fork
    os.register_at_fork(
        before=_before, after_in_parent=lambda: _after(child=False), after_in_child=lambda: _after(child=True)
    )
