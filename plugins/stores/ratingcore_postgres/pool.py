"""The pool of connections of a log, from which each thread borrows one."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from ratingcore.plugin.stores import LogUnavailable
from ratingcore_postgres.address import Location
from ratingcore_postgres.connection import Connection, connect, each, explained, patience
from ratingcore_postgres.database import Database, Savepoints

MOST = 16
"""Largest number of connections of one log object; further threads wait."""


class ConnectionPool(Database):
    """The database of a log over its own connections, which any number of threads borrow and return.

    A thread keeps its connection during a transaction. A broken connection is discarded together with all idle ones,
    so that the next statement connects again.
    """

    def __init__(self, address: Location, seconds: float) -> None:
        super().__init__(str(address), address.log, seconds)
        self._opens = address
        self._idle: list[Connection] = []
        self._turns = threading.BoundedSemaphore(MOST)
        self._closed = False
        self._process = os.getpid()

    @property
    def held(self) -> bool:
        return self._held is not None

    @property
    def _held(self) -> Connection | None:
        held: Connection | None = getattr(self._mine, "held", None)
        return held

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        held = self._held or getattr(self._mine, "reserved", None)
        if held is not None:
            with explained(self.address):
                yield held
            return
        db = self._take()
        try:
            with explained(self.address):
                yield db
        finally:
            self._give(db)

    def apart(self) -> Connection:
        self._check_usable()
        return connect(self._opens, self.seconds)

    @contextmanager
    def reserved(self) -> Iterator[Connection]:
        with self.connection() as db:
            self._mine.reserved = db
            try:
                yield db
            finally:
                self._mine.reserved = None

    @contextmanager
    def transaction(self, begin: str, then: str = "", *, lent: bool = False) -> Iterator[tuple[Connection, list[Any]]]:
        db = self._take()
        self._mine.held, self._mine.saved = db, Savepoints()
        try:
            with explained(self.address):
                if lent:
                    db.autocommit = False  # psycopg now begins transactions itself, even after the consumer ends one
                # lock_timeout is set again, since a pooler may have switched sessions
                start = f"{'' if lent else 'BEGIN;'} {begin}; SET LOCAL {patience(self.seconds)}; {then}"
                first = each(db, self.text(start, bare=True))
            yield db, first  # errors of the consumer's block pass unchanged
            with explained(self.address):
                if db.execute("COMMIT").statusmessage == "ROLLBACK":  # a statement failed, and its error was swallowed
                    raise psycopg.errors.InFailedSqlTransaction
        finally:
            self._mine.held = None
            if not db.closed and (lent or db.info.transaction_status != TransactionStatus.IDLE):
                with suppress(psycopg.Error):
                    db.rollback()
                    db.autocommit = True
            self._give(db)

    def check_free(self) -> None:
        self._check_usable()
        super().check_free()

    def _check_usable(self) -> None:
        if self._closed:
            raise LogUnavailable(self.address, "it was closed", "open it again")
        if os.getpid() != self._process:
            raise LogUnavailable(
                self.address, "it was opened before this process was forked", "open it again in each process"
            )

    def _take(self) -> Connection:
        self._check_usable()
        if not self._turns.acquire(timeout=self.seconds):
            raise LogUnavailable(self.address, f"all {MOST} connections are in use", "try again, with fewer threads")
        with suppress(IndexError):
            return self._idle.pop()
        try:
            return connect(self._opens, self.seconds)
        except BaseException:
            self._turns.release()
            raise

    def _give(self, db: Connection) -> None:
        if db.closed:  # idle connections to the same server are probably broken too
            self._drop()
        elif db.info.transaction_status != TransactionStatus.IDLE:
            db.close()
        else:
            self._idle.append(db)
        if self._closed:
            self._drop()
        self._turns.release()

    def _drop(self) -> None:
        while self._idle:
            with suppress(IndexError):
                self._idle.pop().close()

    def close(self) -> None:
        self._closed = True
        if os.getpid() == self._process:  # in a fork, the connections belong to the parent
            self._drop()
