"""The service's own database file of tokens, sessions and webhooks; losing it loses no results."""

import hashlib
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ratingcore import Engine
from ratingcore.plugin.analysis import file_of
from ratingcore.plugin.readers import sqlite3

SCHEMA = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS token (
    id TEXT PRIMARY KEY, digest TEXT NOT NULL, name TEXT NOT NULL, scope INTEGER NOT NULL, pools TEXT NOT NULL,
    until REAL
);
CREATE TABLE IF NOT EXISTS session (digest TEXT PRIMARY KEY, token TEXT NOT NULL, until REAL NOT NULL);
CREATE TABLE IF NOT EXISTS departure (
    digest TEXT PRIMARY KEY, state TEXT NOT NULL, nonce TEXT NOT NULL, verifier TEXT NOT NULL, onward TEXT NOT NULL,
    until REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS webhook (
    id TEXT PRIMARY KEY, url TEXT NOT NULL, secret TEXT NOT NULL, begin INTEGER NOT NULL, private INTEGER NOT NULL,
    moved INTEGER NOT NULL, tries INTEGER NOT NULL, retry REAL NOT NULL, error TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS dead_letter (
    webhook TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, at REAL NOT NULL, error TEXT NOT NULL,
    PRIMARY KEY (webhook, first)
);
COMMIT;
"""
"""Makes all tables in one transaction, so that no other process sees only some of them."""

MOST = 1000
"""Largest number of queries whose rows are kept in memory."""
SETTLED = 2.0
"""Seconds after which a change of a file has another time than the one before, on any file system."""


class ServiceStore:
    """A small database beside a log; its file is created with the first row.

    Threads and processes share it and see each other's writes at once. If the file is deleted, it is created again.

    Parameters
    ----------
    path : path or None
        None keeps the rows in memory.

    Examples
    --------
    >>> store = ServiceStore(None)
    >>> store.run("INSERT INTO session VALUES ('2c26', '5f3a09c1', 0.0)")
    1
    >>> store.rows("SELECT token FROM session")
    [('5f3a09c1',)]
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._opened: object = None
        """The process and the file of the connection."""
        self._state: object = None
        """The file, its size and the time of its last change, when it was last used."""
        self._settled = False
        """Whether that change was so long ago that the next one will have another time."""
        self._rows: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        """Rows by query and values, read since that change."""

    @classmethod
    def of(cls, engine: Engine, path: Path | None = None) -> "ServiceStore":
        """Returns the database of a log: at a path, else next to the log's file, else in the user's state folder."""
        log = engine.log
        file = file_of(log)
        if path is None and file is not None:
            path = file.with_name(f"{file.name}.service")
        if path is None and log.address is not None:
            path = _state_path(log.key)
        return cls(path)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Returns the rows of a query; empty while there is no file."""
        with self._lock:
            db, key = self._connection(), (sql, *values)
            rows = self._rows.get(key)
            if rows is None:
                rows = [] if db is None else db.execute(sql, values).fetchall()
                if self._settled:
                    if len(self._rows) >= MOST:
                        self._rows.clear()
                    self._rows[key] = rows
            return rows

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Runs and commits a statement; returns the number of rows changed."""
        if self.path is not None and not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(0o600)  # never readable by others
        with self._lock:
            db = self._connection()
            if db is None:
                raise FileNotFoundError(self.path)
            with db:
                return int(db.execute(sql, values).rowcount)

    def close(self) -> None:
        """Closes the file; it is opened again on demand."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def __del__(self) -> None:
        self.close()

    def _connection(self) -> "sqlite3.Connection | None":
        """Returns the connection to the current file; None without a file."""
        try:
            file = None if self.path is None else self.path.stat()
        except FileNotFoundError:
            self._rows.clear()
            self._settled = False
            return None
        state = file and (file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns)
        if state != self._state:
            self._state = state
            self._rows.clear()
        self._settled = file is not None and time.time() - file.st_mtime > SETTLED
        opened = os.getpid(), file and (file.st_dev, file.st_ino)
        if self._db is None or opened != self._opened:
            self.close()
            where = ":memory:" if self.path is None else str(self.path)
            self._db, self._opened = sqlite3.connect(where, timeout=10.0, check_same_thread=False), opened
            tables = self._db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()[0]
            if tables < SCHEMA.count("CREATE TABLE"):
                self._db.executescript(SCHEMA)
        return self._db


def digest(text: str) -> str:
    """Returns the digest under which a secret is kept."""
    return hashlib.sha256(text.encode()).hexdigest()


def _state_path(key: str) -> Path:
    """Returns the path for a log that is not in a file, by the key of the log."""
    from platformdirs import user_state_path  # not needed for logs in files

    return user_state_path("ratingcore") / "service" / digest(key)[:32]
