"""Appends to a log inside a host's transaction, so that the host's rows and the events are committed together."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.pq import PipelineStatus, TransactionStatus

from ratingcore.plugin.stores import BUSY_SECONDS, BadValue, LogUnavailable
from ratingcore_postgres.address import is_name
from ratingcore_postgres.connection import Connection, check_server, each, explained
from ratingcore_postgres.database import Database, Savepoints


class Host(Database):
    """The database of a log over a host's connection, for the duration of the host's open transaction.

    Parameters
    ----------
    db : Connection
    log : str
        Name of the log, which is also the name of its schema.

    Raises
    ------
    LogUnavailable
        If no transaction is open, the open one has failed, or the connection is in pipeline mode.
    BadValue
        If the connection is not psycopg's, or the name is not valid.
    """

    own = False

    def __init__(self, db: Connection, log: str) -> None:
        if not hasattr(db, "pgconn") or isinstance(db, psycopg.AsyncConnection):
            raise BadValue(
                "connection", type(db).__name__, "is not a synchronous connection of psycopg 3 (psycopg.Connection)"
            )
        if not is_name(log):
            raise BadValue("log", log, "is not a valid name of a log: 1 to 63 bytes, not beginning with pg_")
        with explained(f"log {log}"):
            super().__init__(f"log {log} of the database {db.info.dbname}", log, BUSY_SECONDS)
        self._db = db
        self._writing = False
        self._ended = False
        if db.info.transaction_status == TransactionStatus.IDLE and db.autocommit:
            raise LogUnavailable(self.address, "the connection has no open transaction", "begin one first")
        check_server(db, self.address)
        self._number = self._transaction()

    @property
    def held(self) -> bool:
        return self._writing

    def _transaction(self) -> Any:
        if self._db.info.pipeline_status != PipelineStatus.OFF:
            raise LogUnavailable(self.address, "the connection is in pipeline mode", "append after the pipeline")
        with explained(self.address):
            return self._db.execute("SELECT pg_current_xact_id()::text").fetchone()

    def _here(self) -> Connection:
        """Returns the connection, if its transaction has not ended."""
        if self._ended or self._db.info.transaction_status == TransactionStatus.IDLE:
            why = "the transaction in which it was opened has ended"
            raise LogUnavailable(self.address, why, "open it again in each transaction: PostgresLog.within")
        return self._db

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with explained(self.address):
            db = self._here()
            if not self._writing:
                self._check_same()
            yield db

    def _check_same(self) -> None:
        """Refuses any other transaction than the one in which the log was opened."""
        if self._transaction() != self._number:
            self._ended = True
            self._here()

    @contextmanager
    def transaction(self, begin: str, then: str = "", *, lent: bool = False) -> Iterator[tuple[Connection, list[Any]]]:
        if lent:
            raise LogUnavailable(
                self.address, "its transaction belongs to the host", "follow the log over a connection of its own"
            )
        db = self._here()
        self._check_same()
        with explained(self.address), db.transaction():
            self._writing, self._mine.saved = True, Savepoints()
            try:
                yield db, each(db, self.text(then, bare=True)) if then else []
            finally:
                self._writing = False
        if then:
            db.execute("SET LOCAL ratingcore.appending = 'off'")

    def close(self) -> None:
        self._ended = True
