"""Serves subscribers of a log in PostgreSQL: their cursors, transactions lent to them, and waiting for new events."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql

from ratingcore.plugin.stores import EMPTY, CursorMoved, Head, LogUnavailable
from ratingcore_postgres.batches import BEGIN, Appending
from ratingcore_postgres.connection import Connection
from ratingcore_postgres.schema import REFUSED, channel

_ASK = 1.0
"""Seconds after which a waiting reader queries the log, in case a notification was lost."""


class Waiters:
    """The threads that wait for a log to grow; they share one connection, on which one of them listens for all."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._listening = False
        self._newest = EMPTY

    def wait(
        self, after: int, until: float, listen: Callable[[int, float, Callable[[Head], None]], Head | None]
    ) -> Head | None:
        """Returns the head as soon as it is beyond a position; None when the time is up.

        Parameters
        ----------
        after : int
        until : float
            End of the wait, on the clock `time.monotonic`.
        listen : callable
            Called if no other thread is listening: takes the position, the end of the wait, and a function that
            receives each head.
        """
        with self._changed:
            while True:
                if self._newest.position > after:
                    return self._newest
                if not self._listening:
                    break
                left = until - time.monotonic()
                if left <= 0:
                    return None
                self._changed.wait(min(left, _ASK))
            self._listening = True
        try:
            return listen(after, until, self._publish)
        finally:  # another thread listens next, even if this one failed
            with self._changed:
                self._listening = False
                self._changed.notify_all()

    def _publish(self, head: Head) -> None:
        with self._changed:
            if head != self._newest:
                self._newest = head
                self._changed.notify_all()


class _Listener:
    """A connection that listens for appends, with the newest head it has seen.

    Parameters
    ----------
    db : Connection
    """

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._head, self._queried = EMPTY, float("-inf")
        self._notified: int | None = None
        """Position in the notification that came after the head was read; 0 if it had none."""

    def head(self, read: Callable[[int], Head]) -> Head:
        """Returns the newest head; `read` returns a head at a position or beyond."""
        now = time.monotonic()
        if now - self._queried >= _ASK:  # notifications may be lost
            self._notified, self._queried = 0, now
        if self._notified is not None and (self._notified == 0 or self._notified > self._head.position):
            self._head = read(self._notified)
        self._notified = None
        return self._head

    def wait(self, seconds: float) -> None:
        """Waits for a notification."""
        for notified in self._db.notifies(timeout=seconds, stop_after=1):
            position = notified.payload
            self._notified = int(position) if position.isascii() and position.isdigit() else 0


class Following(Appending):
    """Mixin of `PostgresLog` that serves subscribers."""

    _waiters: Waiters

    def cursor(self, subscriber: str) -> int:
        row = self._database.one("SELECT position FROM {s}.cursor WHERE subscriber = %s", (subscriber,))
        return int(row[0]) if row else 0

    @contextmanager
    def lease(self, subscriber: str) -> Iterator[None]:
        """Keeps other followers of the same name waiting during the block, by a lock in a separate transaction."""
        if not self._database.own:  # a host follows in its only transaction
            yield
            return
        with self._database.apart() as db:
            try:
                db.execute("BEGIN")
                db.execute("SELECT pg_advisory_xact_lock(hashtext(%s), hashtext(%s))", (self._database.log, subscriber))
            except psycopg.errors.LockNotAvailable as error:
                why = f"another process or thread already follows it as {subscriber}"
                advice = "stop that one, or follow under another name"
                raise LogUnavailable(self._database.address, why, advice) from error
            yield

    def move_cursor(self, subscriber: str, expected: int, position: int) -> None:
        with self._at(subscriber, expected):
            self._move(subscriber, position)

    def _move(self, subscriber: str, position: int) -> None:
        self._database.run("UPDATE {s}.cursor SET position = %s WHERE subscriber = %s", (position, subscriber))

    @contextmanager
    def _at(self, subscriber: str, expected: int, *, lent: bool = False) -> Iterator[Connection]:
        """Runs a transaction that locks a cursor, after checking that the cursor is at the expected position."""
        address = self._database.address
        if self._read_only:
            raise LogUnavailable(address, "it is read-only", "open it to write")
        self._database.check_free()
        with self._begun(BEGIN, lent=lent) as db:
            self._database.run("INSERT INTO {s}.cursor VALUES (%s, 0) ON CONFLICT DO NOTHING", (subscriber,))
            # changes nothing, but locks the row, and makes the trigger check it again at COMMIT
            (actual,) = self._database.one(
                "UPDATE {s}.cursor SET position = position WHERE subscriber = %s RETURNING position", (subscriber,)
            )
            if actual != expected:
                raise CursorMoved(subscriber, expected, actual)
            yield db

    @contextmanager
    def lending(self, subscriber: str, expected: int, read: Callable[[], int]) -> Iterator[Connection]:
        """Lends a transaction that commits a consumer's own rows together with the move of its cursor.

        Only other followers of the same name have to wait; appends go on.
        """
        with self._at(subscriber, expected, lent=True) as db:
            number = self._number()
            self._database.run("SET LOCAL ratingcore.lending = 'on'")
            try:
                yield db
            except psycopg.Error as error:
                if error.sqlstate != REFUSED:
                    raise
                raise self._not_theirs() from error
            if db.closed or self._number() != number:
                raise self._not_theirs()
            self._database.run("SET LOCAL ratingcore.lending = 'off'")
            self._move(subscriber, read())

    def _number(self) -> object:
        return self._database.one("SELECT pg_current_xact_id()::text")

    def _not_theirs(self) -> LogUnavailable:
        why = "a consumer must not run COMMIT or ROLLBACK in this transaction, or write to tables of the log"
        return LogUnavailable(self._database.address, why, "write rows only: the end of the block commits them")

    def wait(self, after: int, seconds: float) -> Head | None:
        """Returns the head as soon as it is beyond a position; None after `seconds`."""
        until = time.monotonic() + seconds
        if self._listener is None or seconds <= 0:
            head = self.head
            if head.position > after or seconds <= 0:
                return head if head.position > after else None
        if self._database.held or not self._database.own:  # in its transaction, this thread cannot see others' appends
            return self._listen(after, until, lambda head: None)
        return self._waiters.wait(after, until, self._listen)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Context in which this thread waits repeatedly; it keeps one connection, which queues notifications."""
        with self._listened():
            yield

    @property
    def _listener(self) -> "_Listener | None":
        listener: _Listener | None = getattr(self._mine, "listener", None)
        return listener

    @contextmanager
    def _listened(self) -> Iterator["_Listener"]:
        """Yields the listener of this thread: that of an outer block, or a new one."""
        outer = self._listener
        if outer is not None:
            yield outer
            return
        with self._database.reserved() as db:
            if self._database.one("SELECT NOT pg_is_in_recovery()")[0]:  # a standby refuses LISTEN
                db.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel(self._database.log))))
            self._mine.listener = _Listener(db)
            try:
                yield self._mine.listener
            finally:
                self._mine.listener = None
                if not db.closed:
                    db.execute("UNLISTEN *")

    def _listen(self, after: int, until: float, publish: Callable[[Head], None]) -> Head | None:
        with self._listened() as listener:
            while True:
                publish(head := listener.head(self._newest))
                left = until - time.monotonic()
                if head.position > after or left <= 0:
                    return head if head.position > after else None
                listener.wait(min(left, _ASK))

    def _newest(self, position: int) -> Head:
        """Returns a head at a position or beyond; another thread may have read or written one already."""
        held = self._held.head
        return held if self._database.own and held.position >= position > 0 else self.head
