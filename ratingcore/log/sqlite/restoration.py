"""Restores a log from a backup, and keeps the replaced log under another name."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from ratingcore.errors import LogUnavailable, RatingCoreError
from ratingcore.events import Instant
from ratingcore.log.chain import Verified
from ratingcore.log.sqlite.connection import explained, has_foreign_journal, journal_of
from ratingcore.log.sqlite.log import SqliteLog
from ratingcore.log.verify import verify

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]  # Windows

_PENDING, _LOCKED = 0x40000000, 512
"""Start and number of the bytes that SQLite locks in a database file; an open connection holds some of these locks."""


def restore(backup: str | Path, place: str | Path) -> tuple[Verified, Path | None]:
    """Replaces the log at a place by the one in a backup.

    The backup is copied beside the log, and the copy is verified before anything is changed. The old log is
    kept under another name, with its write-ahead log. After a crash at any moment, the place has one of the two logs
    whole, or a log that cannot be opened until the restore is repeated.

    Parameters
    ----------
    backup : path
        A log that nobody writes to, as made by `SqliteLog.backup`. It stays unchanged.
    place : path
        Path of the log, new or existing. This process must not have it open.

    Returns
    -------
    verified : Verified
        Result of the verification of the copy.
    replaced : Path or None
        Path under which the old log is kept; None if there was none.

    Raises
    ------
    NoSuchLog, NotALog, NewerLog
        If the backup is not a log.
    BrokenChain, UnsoundLog
        If the backup does not verify. Nothing was changed.
    LogUnavailable
        If another process has the log open, or either file cannot be read or written; also if the log is an earlier
        state of the backup, as when the two arguments are swapped.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with SqliteLog(folder / "club.db") as log:
    ...     log.backup(folder / "backup.db")
    >>> verified, replaced = restore(folder / "backup.db", folder / "club.db")
    >>> verified.head.position, replaced.name
    (0, 'club.db.replaced')
    """
    source, path = Path(backup).absolute(), Path(place).absolute()
    if path.is_dir():
        raise LogUnavailable(str(path), "it is a folder", "name a file")
    if path.exists() and source.exists() and path.samefile(source):
        raise LogUnavailable(str(source), "it is the log itself", "name another file")
    copy = path.with_name(f"{path.name}.restored")
    with explained(path):
        try:
            copy.unlink(missing_ok=True)  # left by a restore that was killed
            with SqliteLog(source, read_only=True) as log:
                log.backup(copy)
            with SqliteLog(copy, read_only=True) as log:
                verified = verify(log)
                _check_order(log, source, path)
            with _alone(path):
                replaced = _keep(path)
                os.replace(copy, path)
                _part(path, replaced)
        finally:
            copy.unlink(missing_ok=True)
    return verified, replaced if replaced.exists() else None


def _check_order(backup: SqliteLog, source: Path, path: Path) -> None:
    """Refuses to replace a log that is an earlier state of the backup: then the two arguments may be swapped."""
    try:
        with SqliteLog(path, read_only=True) as log:
            head, same = log.head, log.key == backup.key
    except (RatingCoreError, sqlite3.Error):  # there is no log, or one that cannot be opened
        return
    if same and 0 < head.position < backup.head.position and backup.digest_at(head.position) == head.digest:
        way = "to go back, give the backup first, then the log"
        advice = f"to go on to {source.name}, move {path.name} away first; {way}"
        why = f"it is an earlier state of {source.name}, so this is no way back"
        raise LogUnavailable(str(path), why, advice)


def given_up(backup: str | Path, place: str | Path) -> tuple[int, Instant | None]:
    """Returns the number of events that a log has beyond a backup of it, and when the first of them was recorded."""
    try:
        with SqliteLog(Path(backup), read_only=True) as kept, SqliteLog(Path(place), read_only=True) as log:
            head = kept.head
            batch = next(log.batches(head.position), None)
            if log.key != kept.key or batch is None or log.digest_at(head.position) != head.digest:
                return 0, None
            return log.head.position - head.position, batch.recorded
    except (RatingCoreError, sqlite3.Error):  # there is no log, or one that cannot be opened
        return 0, None


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Holds SQLite's locks on a file that may not be a database; `LogUnavailable` if another process holds one."""
    if fcntl is None or not path.exists():  # Windows cannot replace open files
        yield
        return
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCKED, _PENDING)
        except OSError as error:
            raise LogUnavailable(str(path), "another process has it open", "stop that process first") from error
        yield


def _keep(path: Path) -> Path:
    """Gives the file at a path a second name, so that it is kept; returns this name, even if there is no file."""
    for number in count(1):
        second = path.with_name(f"{path.name}.replaced" + ("" if number == 1 else f"-{number}"))
        if not second.exists():
            break
        killed = has_foreign_journal(path) and not journal_of(second).exists()
        if killed or (path.exists() and second.samefile(path)):  # a restore was killed after this step
            return second
    if path.exists():
        try:
            os.link(path, second)
        except OSError:  # a file system without links
            shutil.copy2(path, second)
    return second


def _part(path: Path, replaced: Path) -> None:
    """Moves the write-ahead log of the replaced log beside it, and removes its shared memory file."""
    with suppress(FileNotFoundError):
        os.replace(journal_of(path), journal_of(replaced))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
