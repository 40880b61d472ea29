"""Opens the SQLite file of a log, notices when another file replaces it, and explains errors of SQLite."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from ratingcore.errors import BadValue, LogUnavailable, NewerLog, NoSuchLog, NotALog
from ratingcore.log.sqlite.schema import APPLICATION, OF_ROWS, SCHEMA, TABLES, TRIGGERS, VIEWS
from ratingcore.sqlite_library import sqlite3 as sqlite3

Connection = sqlite3.Connection

MEMORY = Path(":memory:")
"""SQLite's name for a database in memory, which ends with its connection."""

BUSY_SECONDS = 30.0
"""Time that a writer waits for another, unless the log is opened with another timeout."""

LONGEST = 86_400.0
"""The longest timeout of a writer, a day."""


def patience(timeout: float | None) -> float:
    """Time that a writer waits, in seconds, half a minute by default; `BadValue` if out of range."""
    seconds = BUSY_SECONDS if timeout is None else timeout
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= LONGEST:
        raise BadValue("timeout", seconds, f"must be a time from 0 to {LONGEST:g} seconds")
    return float(seconds)


_REASONS = (
    ("database is locked", "another process is writing", "try again when it has finished"),
    ("closed database", "it was closed", "open it again"),
    ("readonly", "it is read-only", "copy it to a folder you may write to"),
    ("unable to open", "it cannot be opened", "check that the folder exists and that you may write to it"),
    ("full", "the disk is full", "the log is unchanged; make room and try again"),
    ("disk I/O error", "the disk failed", "check whether the disk is full or disconnected"),
)

_DAMAGED = ("malformed", "no such table", "no such column", "unsupported file format", "decode to UTF-8")


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns errors of SQLite in the block into errors of the log."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        message = str(error)
        if "not a database" in message:
            raise NotALog(str(path), "not a SQLite file") from error
        if any(sign in message for sign in _DAMAGED):
            raise NotALog(str(path), "a damaged SQLite file", NotALog.DAMAGED) from error
        for sign, why, advice in _REASONS:
            if sign in message:
                raise LogUnavailable(str(path), why, advice) from error
        raise
    except UnicodeDecodeError as error:  # a message of SQLite that quotes damaged text
        if not error.object.startswith(b"malformed database schema"):
            raise
        raise NotALog(str(path), "a damaged SQLite file", NotALog.DAMAGED) from error
    except PermissionError as error:
        raise LogUnavailable(str(path), "you may not read its folder", "ask for the right to read it") from error


class Opener:
    """Opens connections to a file, even after the process has changed its working directory.

    Parameters
    ----------
    path : path
    new_key : callable
        Returns the key of a new log.
    read_only : bool
        Open every connection read-only, even the one for writing: SQLite then refuses to write.
    seconds : float
        Time to wait for others.
    """

    def __init__(self, path: Path, new_key: Callable[[], str], read_only: bool, seconds: float) -> None:
        self._path, self._place = path, path if path == MEMORY else path.absolute()
        self._new_key = new_key
        self._read_only = read_only
        self.seconds = seconds
        self.file: OpenFile | None = None

    def writer(self) -> Connection:
        """A connection for writing; the first one makes the log if the file is missing."""
        db = self._reads() if self._read_only else connect(self._path, self._new_key, self.seconds)
        self._path = self._place
        if self.file is not None:
            self.file.reopened()
        return db

    def reader(self) -> Connection:
        """A connection for reading only."""
        return self._reads() if self._read_only else connect_reader(self._place, self.seconds)

    def _reads(self) -> Connection:
        db = connect_read_only(self._path, self.seconds)
        self._path = self._place
        return db


def connect(path: Path, new_key: Callable[[], str], seconds: float = BUSY_SECONDS) -> Connection:
    """Opens a log to read and write; makes it if the file is missing."""
    with explained(path):
        _check_file(path)
        db = _any_thread(path, seconds)
        try:
            made = is_log(db, path)
            _ahead(db, seconds)
            if not made:
                _make(db, path, new_key())
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA cache_size = -65536")  # KiB; uids are spread over their whole index
            db.execute("PRAGMA busy_timeout = 0")  # writers wait before a statement, not within it
        except BaseException:
            db.close()
            raise
    return db


def _check_file(path: Path) -> None:
    """Refuses files that SQLite would wait for, or read without end."""
    if path.is_dir():
        raise NotALog(str(path), "a folder")
    if path.exists() and not path.is_file():
        raise NotALog(str(path), "a pipe or a device")
    if has_foreign_journal(path):
        raise NotALog(
            str(path), f"a backup beside {journal_of(path).name}, which belongs to another file", NotALog.FOREIGN
        )


_ANOTHER = "give the file of a log; to take results from this one, import it"


def journal_of(path: Path) -> Path:
    """Path of SQLite's write-ahead log of a file."""
    return path.with_name(path.name + "-wal")


def has_foreign_journal(path: Path) -> bool:
    """True if the write-ahead log beside a file belongs to an earlier file at that path.

    SQLite would write the pages of that log into this file. A file with a write-ahead log of its own has a mark in its
    header before that log exists; a backup has no mark. A log that was copied as a file has the mark too, so a foreign
    write-ahead log beside such a copy is not recognised.
    """
    before = _state(journal_of(path))
    if not before or not before[2]:
        return False
    with suppress(FileNotFoundError):
        return _header(path)[18:20] == b"\1\1" and _state(journal_of(path))[:2] == before[:2]
    return False


_READ: dict[tuple[int, ...], int] = {}
"""Descriptors of files that were read without SQLite, by device and inode.

They stay open: closing one would drop every lock that this process has on the file, and the next process that ends
would remove the write-ahead log, as if no other process used it.
"""


def _header(path: Path) -> bytes:
    """The first bytes of a file that SQLite may have open in this process."""
    if not hasattr(os, "pread"):  # Windows locks by handle
        with path.open("rb") as file:
            return file.read(20)
    which = _state(path)[:2]
    if which not in _READ:
        _READ[which] = os.open(path, os.O_RDONLY)
    return os.pread(_READ[which], 20, 0)


def connect_reader(path: Path, seconds: float = BUSY_SECONDS) -> Connection:
    """Opens an existing log that was checked before, only to read."""
    with explained(path):
        db = _any_thread(f"file:{quote(str(path.absolute()))}?mode=rw", seconds, uri=True)
        db.execute("PRAGMA query_only = ON")
    return db


def _any_thread(address: str | Path, seconds: float, *, uri: bool = False) -> Connection:
    """A connection that any thread may use, one at a time."""
    return sqlite3.connect(address, timeout=seconds, isolation_level=None, check_same_thread=False, uri=uri)


def connect_read_only(path: Path, seconds: float = BUSY_SECONDS) -> Connection:
    """Opens a log to read; works in a folder without the right to write."""
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    with explained(path):
        if not path.exists():
            raise NoSuchLog(str(path))
        _check_file(path)
        try:
            return _opened(address, path, seconds)
        except sqlite3.OperationalError as error:
            ahead = journal_of(path)
            if "locked" in str(error) or (ahead.exists() and ahead.stat().st_size):
                raise
            # no write-ahead log, and none can be made: nobody writes, and nobody can, so the file may be read directly
            return _opened(address + "&immutable=1", path, seconds)


def _opened(address: str, path: Path, seconds: float) -> Connection:
    db = _any_thread(address, seconds, uri=True)
    try:
        if not is_log(db, path):
            raise NotALog(str(path), "an empty file")
    except BaseException:
        db.close()
        raise
    return db


def is_log(db: Connection, path: Path) -> bool:
    """True if a file holds a log; an error if it holds something else, or a log of a newer version."""
    if not db.in_transaction:
        db.execute("BEGIN")  # one snapshot for all questions: another process may be making the log right now
        try:
            return is_log(db, path)
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if application == 0 and version == 0 and db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        return False
    if application != APPLICATION:
        raise NotALog(str(path), "a SQLite file of another program", _ANOTHER)
    if version > SCHEMA:
        raise NewerLog(str(path), version, SCHEMA)
    return True


def _ahead(db: Connection, seconds: float) -> None:
    """Switches to write-ahead logging; SQLite ignores the busy timeout here, so this function waits itself."""
    end = time.monotonic() + seconds
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
        time.sleep(0.01)


def _make(db: Connection, path: Path, key: str) -> None:
    db.execute("BEGIN IMMEDIATE")
    try:
        if not is_log(db, path):  # another process may have been first
            for statement in TABLES + TRIGGERS:
                db.execute(statement)
            for name, sql in VIEWS.items():
                db.execute(f"CREATE VIEW {name} AS {sql}")
            db.execute("INSERT INTO log VALUES (?)", (key,))
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {OF_ROWS}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def remove_unused(path: Path) -> None:
    """Removes the file of a log without any events, unless somebody else has it open."""
    db = _any_thread(path, 0.0)
    try:
        if db.execute("PRAGMA journal_mode = DELETE").fetchone()[0] != "delete":  # others have it open
            return
        db.execute("BEGIN EXCLUSIVE")  # a process that opens the file now waits, and finds it gone
        if not is_log(db, path) or db.execute("SELECT 1 FROM batch LIMIT 1").fetchone():
            return
        with suppress(PermissionError):  # Windows cannot remove open files
            path.unlink()
            return
    except sqlite3.OperationalError:
        return
    finally:
        db.close()
    with suppress(OSError):
        path.unlink()


class OpenFile:
    """The file that was at the path of a log when the log was opened.

    A process that has a file open can still read and write it after it was moved, deleted or replaced, but everything
    it then writes is lost. SQLite does not check for this, so this class does.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()  # the process may change its folder
        self._ahead = journal_of(self._path)
        self._which = _state(self._path)[:2]
        self._which_ahead = _state(self._ahead)[:2]

    def reopened(self) -> None:
        """Notes that the file was closed and reopened: SQLite then makes another write-ahead log."""
        self._which_ahead = _state(self._ahead)[:2]

    def state(self) -> tuple[int, ...]:
        """Returns a signature of the file that changes with every write, by SQLite or by another program.

        Raises
        ------
        LogUnavailable
            If the path now has another file, or no file.
        """
        state = _state(self._path)
        if (
            not state
            or state[:2] != self._which
            or (self._which_ahead and _state(self._ahead)[:2] != self._which_ahead)
        ):
            raise LogUnavailable(
                str(self._path),
                "its file was replaced or removed while it was open",
                "open it again; it may have another history now",
            )
        return state


def _state(path: Path) -> tuple[int, ...]:
    """Returns device and inode of a file, and the values that change when it is written; empty for a missing file."""
    try:
        stat = os.stat(path)
    except OSError:
        return ()
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
