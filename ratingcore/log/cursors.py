"""Cursors: how far each subscriber has read; one moves only from where its reader left it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ratingcore.errors import CursorMoved, LogUnavailable
from ratingcore.log.connection import Connection, explained, sqlite3
from ratingcore.log.thread_connections import ThreadConnections

OWN = frozenset({"batch", "event", "name", "cursor", "log", "erasure"})
"""Tables that only the log writes to."""

_WRITES = frozenset(
    {
        sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE,
        sqlite3.SQLITE_DROP_TABLE, sqlite3.SQLITE_ALTER_TABLE,
    }
)  # fmt: skip


class Cursors:
    """The part of a log in a file that serves subscribers."""

    _connections: ThreadConnections
    path: Path

    def cursor(self, subscriber: str) -> int:
        rows = self._connections.all("SELECT position FROM cursor WHERE subscriber = ?", (subscriber,))
        return int(rows[0][0]) if rows else 0

    def move_cursor(self, subscriber: str, expected: int, position: int) -> None:
        with explained(self.path), self._connections.transaction() as db:
            self._move(db, subscriber, expected, position)

    def _move(self, db: Connection, subscriber: str, expected: int, position: int) -> None:
        self._check(subscriber, expected)
        db.execute("REPLACE INTO cursor VALUES (?, ?)", (subscriber, position))

    def _check(self, subscriber: str, expected: int) -> None:
        """Refuse to go on from a cursor that is not where its reader left it."""
        position = self.cursor(subscriber)
        if position != expected:
            raise CursorMoved(subscriber, expected, position)

    @contextmanager
    def lending(self, subscriber: str, expected: int, read: Callable[[], int]) -> Iterator[Connection]:
        """One transaction in which a consumer writes its own tables and its cursor moves: both or neither.

        Parameters
        ----------
        subscriber : str
        expected : int
            Where the cursor must be when the transaction begins.
        read : callable
            Returns the position the consumer has read to; called at the end.
        """
        try:
            with self._connections.transaction() as db:
                self._check(subscriber, expected)
                with _lent(db):
                    yield db
                with explained(self.path):
                    self._move(db, subscriber, expected, read())
        except sqlite3.DatabaseError as error:
            if "not authorized" not in str(error):
                raise
            why = "inside this transaction COMMIT, ROLLBACK and the tables of the log are not the consumer's"
            raise LogUnavailable(str(self.path), why, "write rows only: the end of the block commits them") from error


@contextmanager
def _lent(db: Connection) -> Iterator[None]:
    """Refuses statements that would commit rows without the cursor, or write to the tables of the log."""

    def judge(action: int, one: str | None, *_: str | None) -> int:
        taken = action == sqlite3.SQLITE_TRANSACTION or (action in _WRITES and (one or "").lower() in OWN)
        return int(sqlite3.SQLITE_DENY if taken else sqlite3.SQLITE_OK)

    db.set_authorizer(judge)
    try:
        yield
    finally:
        db.set_authorizer(None)
