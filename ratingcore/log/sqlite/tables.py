"""Tables of plugins in a SQLite file, and the cursors of subscribers, which are committed together with them."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from ratingcore.errors import CursorMoved, LogUnavailable
from ratingcore.log.contract import Tables
from ratingcore.log.sqlite.connection import BUSY_SECONDS, MEMORY, Connection, explained, sqlite3
from ratingcore.log.sqlite.schema import APPLICATION
from ratingcore.log.sqlite.threads import ThreadConnections

_TYPES = {str: "TEXT", int: "INTEGER", float: "REAL"}


class SqliteTables(Tables):
    """The tables of one SQLite file.

    Parameters
    ----------
    connection : callable
        Returns the connection of the calling thread.
    path : path
    writing : callable
        Returns a context that writes everything or nothing.
    alone : callable
        Returns a context with the writing connection, in which no other thread of this process reads or writes.
    """

    def __init__(
        self,
        connection: Callable[[], Connection],
        path: Path,
        writing: Callable[[], AbstractContextManager[None]],
        alone: Callable[..., AbstractContextManager[Connection]],
    ) -> None:
        super().__init__(str(path), writing)
        self._connection = connection
        self.path = path
        self._alone = alone

    @property
    def _db(self) -> Connection:
        return self._connection()

    def all(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        with explained(self.path):
            return self._db.execute(sql, values).fetchall()

    def run(self, sql: str, values: Sequence[object] = ()) -> int:
        return self._db.execute(sql, values).rowcount

    def add(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        marks = ", ".join("?" * len(self.columns(table)))
        self._db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def clear(self) -> None:
        """Rewrites the file and empties its write-ahead log, so that neither holds old labels.

        Raises
        ------
        LogUnavailable
            If others are in the middle of reading the old content.
        """
        with explained(self.path), self._alone() as db:
            db.execute("VACUUM")
            if db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                why = "an erased name is still in its write-ahead log, because others are reading the old content"
                raise LogUnavailable(str(self.path), why, "it disappears when the last of them closes the file")

    def columns(self, table: str) -> list[str]:
        return [row[1] for row in self.all(f"PRAGMA table_info({table})")]

    def create(
        self, table: str, columns: Mapping[str, type], key: Sequence[str], indexes: Iterable[Sequence[str]] = ()
    ) -> None:
        lines = [f'"{name}" {_TYPES[kind]}{" NOT NULL" if name in key else ""}' for name, kind in columns.items()]
        self.run(f'CREATE TABLE "{table}" ({", ".join([*lines, f"PRIMARY KEY ({_quoted(key)})"])})')
        for index in indexes:
            self.run(f'CREATE INDEX "idx_{table}_{"_".join(index)}" ON "{table}" ({_quoted(index)})')


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


@contextmanager
def tables_in(path: Path) -> Iterator[Tables]:
    """Opens the tables in a file next to the log; makes the file if it is missing."""
    with explained(path):
        if path.is_dir():
            raise LogUnavailable(str(path), "it is a folder", "name a file")
        db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)

    @contextmanager
    def writing() -> Iterator[None]:
        with explained(path):
            db.execute("BEGIN IMMEDIATE")
            try:
                yield
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    try:
        with explained(path):
            db.execute("PRAGMA secure_delete = ON")
            if db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION:
                raise LogUnavailable(str(path), "it is another log", "name another file")
        yield SqliteTables(lambda: db, path, writing, lambda: nullcontext(db))
    finally:
        db.close()


OWN = frozenset({"batch", "event", "name", "cursor", "log", "erasure", "segment", "uid_run"})
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
    _place: Path

    def cursor(self, subscriber: str) -> int:
        rows = self._connections.all("SELECT position FROM cursor WHERE subscriber = ?", (subscriber,))
        return int(rows[0][0]) if rows else 0

    def move_cursor(self, subscriber: str, expected: int, position: int) -> None:
        with explained(self._place), self._connections.transaction() as db:
            self._move(db, subscriber, expected, position)

    def _move(self, db: Connection, subscriber: str, expected: int, position: int) -> None:
        self._check(subscriber, expected)
        db.execute("REPLACE INTO cursor VALUES (?, ?)", (subscriber, position))

    def _check(self, subscriber: str, expected: int) -> None:
        """Refuses to continue from a cursor that is not where its reader left it."""
        position = self.cursor(subscriber)
        if position != expected:
            raise CursorMoved(subscriber, expected, position)

    @contextmanager
    def lease(self, subscriber: str) -> Iterator[None]:
        """A block that only one follower of a name can be in; it locks an empty file beside the log."""
        if self._place == MEMORY:
            yield
            return
        which = hashlib.sha256(subscriber.encode()).hexdigest()[:8]
        place = self._place.absolute().with_name(f"{self._place.name}.follower-{which}")
        with explained(place):
            db = sqlite3.connect(
                place, timeout=self._connections.seconds, isolation_level=None, check_same_thread=False
            )
        with closing(db):
            try:
                with explained(place):
                    db.execute("BEGIN EXCLUSIVE")
            except LogUnavailable as error:
                if "writing" not in error.why:
                    raise
                why = f"another process or thread already follows it as {subscriber}"
                raise LogUnavailable(str(self._place), why, "stop that one, or follow under another name") from error
            yield

    @contextmanager
    def lending(self, subscriber: str, expected: int, read: Callable[[], int]) -> Iterator[Connection]:
        """One transaction in which a consumer writes its own tables and its cursor moves: both or neither.

        Parameters
        ----------
        subscriber : str
        expected : int
            Required position of the cursor at the start of the transaction.
        read : callable
            Returns the position the consumer has read to; called at the end.
        """
        try:
            with self._connections.transaction() as db:
                self._check(subscriber, expected)
                with _lent(db):
                    yield db
                with explained(self._place):
                    self._move(db, subscriber, expected, read())
        except sqlite3.DatabaseError as error:
            if "not authorized" not in str(error):
                raise
            why = "a consumer must not run COMMIT or ROLLBACK in this transaction, or write to tables of the log"
            advice = "only write rows to your own tables: the end of the block commits them"
            raise LogUnavailable(str(self._place), why, advice) from error


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
