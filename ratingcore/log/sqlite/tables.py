"""Tables that plugins keep in a SQLite file: that of the log, or one beside it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from ratingcore.errors import LogUnavailable
from ratingcore.log.sqlite.connection import BUSY_SECONDS, Connection, explained, sqlite3
from ratingcore.log.sqlite.schema import APPLICATION
from ratingcore.log.tables import Tables

_TYPES = {str: "TEXT", int: "INTEGER", float: "REAL"}


class SqliteTables(Tables):
    """The tables of one SQLite file.

    Parameters
    ----------
    connection : callable
        Returns the connection of the thread that asks.
    path : path
    writing : callable
        Returns a context in which all is written or nothing.
    alone : callable
        Returns a context with the connection that writes, in which nobody else of this process does.
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

    def all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with explained(self.path):
            return self._db.execute(sql, values).fetchall()

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        return self._db.execute(sql, values).rowcount

    def add(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        marks = ", ".join("?" * len(self.columns(table)))
        self._db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def clear(self) -> None:
        """Rewrites the file, so that free pages hold nothing of what was relabelled."""
        with explained(self.path), self._alone(waiting=True) as db:
            db.execute("VACUUM")

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
    """Opens the tables in a file beside the log; the file is made if it is missing."""
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
        yield SqliteTables(lambda: db, path, writing, lambda *, waiting: nullcontext(db))
    finally:
        db.close()
