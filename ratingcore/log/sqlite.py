"""The log as one SQLite file."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ratingcore.errors import LogUnavailable, NotALog, UnknownUid
from ratingcore.events import Instant, Row, canonical
from ratingcore.log.append import UidTaken
from ratingcore.log.chain import digest_of
from ratingcore.log.connection import connect, connect_read_only, explained, is_log, sqlite3
from ratingcore.log.cursors import Cursors, free
from ratingcore.log.derived import DerivedTables
from ratingcore.log.erasure import Erasing
from ratingcore.log.facts import EMPTY, GENESIS, Batch, GameColumns, Head, Name
from ratingcore.log.memory import random_salt, wall_clock
from ratingcore.log.names import Names
from ratingcore.log.open_file import OpenFile
from ratingcore.log.soundness import faults, remarks
from ratingcore.log.store import BaseLog

_GAME = np.dtype([("position", "<i8"), ("played", "<i8"), ("order", "<i4"), ("pair", "<i8"), ("score", "<f8")])
_COLUMNS = 'position, uid, kind, pool, played, "order", a, b, score, ref, data'
_MANY = 500
"""Values in one IN list: below the limit of every SQLite."""


class SqliteLog(BaseLog, Cursors, Erasing):
    """A log in a SQLite file, fully durable: an append that returned has reached the disk.

    Parameters
    ----------
    path : path
        The file; created if it is missing, unless `read_only`.
    read_only : bool
        Open without writing; works where file and folder are not writable.
    clock : callable
        Returns the instant at which a batch is recorded.
    salt : callable
        Returns the salt of a new name, and the key of a new log.

    Raises
    ------
    NotALog, NewerLog, NoSuchLog, LogUnavailable
    """

    def __init__(
        self,
        path: str | Path,
        *,
        read_only: bool = False,
        clock: Callable[[], Instant] = wall_clock,
        salt: Callable[[], str] = random_salt,
    ) -> None:
        self.path = Path(path)
        self.now = clock
        self._salt = salt
        self._db = connect_read_only(self.path) if read_only else connect(self.path, salt)
        self._file = OpenFile(self.path)
        self._book = Names((), salt)
        self._book_version = -1

    @property
    def key(self) -> str:
        row = self._one("SELECT key FROM log")
        if row is None:
            raise NotALog(str(self.path), "a log without its key")
        return str(row[0])

    def _one(self, sql: str, values: Sequence[Any] = ()) -> Any:
        with explained(self.path):
            return self._db.execute(sql, values).fetchone()

    def _all(self, sql: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        with explained(self.path):
            for row in self._db.execute(sql, values):  # noqa: UP028  # `yield from` would close a cursor of a closed log
                yield row

    @property
    def names_book(self) -> Names:
        """The book of names as the file has it now."""
        version = self._one("PRAGMA data_version")[0]
        if version != self._book_version:  # another connection has written
            rows = self._all("SELECT id, kind, key, salt, digest, batch FROM name ORDER BY id")
            self._book = Names(map(Name._make, rows), self._salt)
            self._book_version = version
        return self._book

    # what appending needs

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction that other writers wait for; undone if anything in it fails."""
        free(self._db, self.path)
        self.last_batch()  # outside of the transaction, where pages of a file that was overwritten can be dropped
        with explained(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                held = self.head
                self._db.execute("COMMIT")
                self._file.held = held
            except BaseException:
                self._book_version = -1  # it may hold names that the file does not
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A transaction in which the log reads the same while others append."""
        with explained(self.path):
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("ROLLBACK")

    def last_batch(self) -> Batch | None:
        if self._file.rewritten() and not self._db.in_transaction:
            self._one("PRAGMA shrink_memory")  # pages of what was there before are read again
            self._book_version = -1
        row = self._one("SELECT first, last, recorded, source, digest FROM batch ORDER BY last DESC LIMIT 1")
        last = Batch._make(row) if row else None
        head = Head(last.last, last.digest) if last else EMPTY
        self._file.continues(head, self._digest_of_batch, settled=not self._db.in_transaction)
        return last

    def _digest_of_batch(self, last: int) -> str:
        row = self._one("SELECT digest FROM batch WHERE last = ?", (last,))
        return str(row[0]) if row else ""

    def find(self, uids: Sequence[str]) -> dict[str, Row]:
        by_uid: dict[str, Row] = {}
        for start in range(0, len(uids), _MANY):
            some = uids[start : start + _MANY]
            marks = ",".join("?" * len(some))
            rows = map(Row._make, self._all(f"SELECT {_COLUMNS} FROM event WHERE uid IN ({marks})", some))
            by_uid |= {row.uid: row for row in rows}
        return by_uid

    def write(self, batch: Batch, names: Sequence[Name], rows: Sequence[tuple[Any, ...]]) -> None:
        # `append` tries again in the same transaction if a uid is taken, so only this batch may be rolled back
        self._db.execute("SAVEPOINT batch")
        try:
            self._db.executemany("INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?,?,?)", rows)
        except sqlite3.IntegrityError as error:
            if "event.uid" not in str(error):
                raise
            self._db.execute("ROLLBACK TO batch")
            raise UidTaken from None
        self._db.executemany("INSERT INTO name VALUES (?,?,?,?,?,?)", names)
        self._db.execute("INSERT INTO batch VALUES (?,?,?,?,?)", batch)
        self._db.execute("RELEASE batch")

    # what loading an export needs

    def adopt(self, key: str) -> None:
        """Take the key of the log that is being loaded."""
        self._db.execute("UPDATE log SET key = ?", (key,))

    def restore(self, batch: Batch, names: Sequence[Name], rows: Sequence[Row]) -> None:
        super().restore(batch, names, rows)
        erased = [name.id for name in names if name.key is None]
        if erased:
            self.arrived(erased)

    def faults(self) -> Iterator[str]:
        with explained(self.path):
            yield from faults(self._db)

    def remarks(self) -> Iterator[str]:
        with explained(self.path):
            yield from remarks(self._db)

    @property
    def derived(self) -> DerivedTables:
        """Derived tables in the file of the log."""
        return DerivedTables(self._db, self.path, self.writing)

    # the protocol

    def batches(self, after: int = 0) -> Iterator[Batch]:
        sql = "SELECT first, last, recorded, source, digest FROM batch WHERE last > ? ORDER BY last"
        return map(Batch._make, self._all(sql, (after,)))

    def rows(
        self, after: int = 0, to: int | None = None, kinds: Sequence[str] = (), pool: int | None = None
    ) -> Iterator[Row]:
        tests, values = ["position > ?"], [after]
        if to is not None:
            tests.append("position <= ?")
            values.append(to)
        if kinds:
            tests.append(f"kind IN ({','.join(map(repr, kinds))})")
            if "game" not in kinds:
                tests.append("kind <> 'game'")  # lets the partial index serve
        if pool is not None:
            tests.append("pool = ?")
            values.append(pool)
        sql = f"SELECT {_COLUMNS} FROM event WHERE {' AND '.join(tests)} ORDER BY position"
        return map(Row._make, self._all(sql, values))

    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]:
        wanted = sorted({int(position) for position in positions})
        for start in range(0, len(wanted), _MANY):
            some = wanted[start : start + _MANY]
            marks = ",".join("?" * len(some))
            sql = f"SELECT {_COLUMNS} FROM event WHERE position IN ({marks}) ORDER BY position"
            yield from map(Row._make, self._all(sql, some))

    def row_of(self, uid: str) -> Row:
        row = self._one(f"SELECT {_COLUMNS} FROM event WHERE uid = ?", (uid,))
        if row is None:
            raise UnknownUid(uid)
        return Row._make(row)

    def rows_between(self, first: str, last: str) -> Iterator[Row]:
        sql = f"SELECT {_COLUMNS} FROM event WHERE uid >= ? AND uid < ? ORDER BY uid"
        return map(Row._make, self._all(sql, (first, last)))

    def games(self, pool: int, after: int, to: int) -> GameColumns:
        # both players in one number: a column less for Python to touch is an eighth of the time
        sql = """SELECT position, played, "order", a << 32 | b, score FROM event
            WHERE position > ? AND position <= ? AND kind = 'game' AND pool = ? ORDER BY position"""
        with explained(self.path):
            table = np.fromiter(self._db.execute(sql, (after, to, pool)), dtype=_GAME)
        a, b = (table["pair"] >> 32).astype(np.int32), table["pair"].astype(np.int32)
        position, played, order, score = (
            np.ascontiguousarray(table[name]) for name in ("position", "played", "order", "score")
        )
        return GameColumns(position, played, order, a, b, score)

    def fields(self, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]:
        sql = """SELECT position, json_extract(data, ?) AS value FROM event
            WHERE position > ? AND position <= ? AND kind IN ('game', 'session') AND pool = ?
            AND value IS NOT NULL ORDER BY position"""
        if canonical(field) == f'"{field}"':
            return self._all(sql, (f'$."{field}"', after, to, pool))
        # no JSON path of SQLite can spell this name
        rows = self.rows(after, to, ("game", "session"), pool)
        return ((row.position, row.facts[field]) for row in rows if field in row.facts)

    def uid(self, position: int) -> str:
        return str(self._one("SELECT uid FROM event WHERE position = ?", (position,))[0])

    def uids(self, positions: Sequence[int]) -> list[str]:
        wanted = sorted(set(positions))
        if wanted and wanted[-1] - wanted[0] < 4 * len(wanted):  # dense: a range scan is faster than look-ups
            sql = "SELECT position, uid FROM event WHERE position BETWEEN ? AND ?"
            uids = dict(self._all(sql, (wanted[0], wanted[-1])))
            return [uids[position] for position in positions]
        uids = {}
        for start in range(0, len(wanted), _MANY):
            some = wanted[start : start + _MANY]
            sql = f"SELECT position, uid FROM event WHERE position IN ({','.join('?' * len(some))})"
            uids.update(self._all(sql, some))
        return [uids[position] for position in positions]

    def digest_at(self, position: int) -> str:
        row = self._one("SELECT last, digest FROM batch WHERE last <= ? ORDER BY last DESC LIMIT 1", (position,))
        last, before = row or (0, GENESIS)
        if last >= position:
            return str(before)
        batch = next(self.batches(position - 1), None)
        if batch is None:
            return str(before)
        names = [name for name in self.names() if name.batch == batch.first]
        return digest_of(before, batch, names, list(self.rows(last, position)))

    def position_at(self, recorded: Instant) -> int:
        row = self._one("SELECT last FROM batch WHERE recorded <= ? ORDER BY last DESC LIMIT 1", (recorded,))
        return int(row[0]) if row else 0

    def backup(self, path: str | Path) -> None:
        """Copies the log consistently, even while others write."""
        copy = Path(path)
        with explained(copy):
            if copy.is_dir():
                raise LogUnavailable(str(copy), "it is a folder", "name a file")
            if copy.exists() and copy.samefile(self.path):
                raise LogUnavailable(str(copy), "it is the log itself", "name another file")
            target = sqlite3.connect(copy)
            try:
                is_log(target, copy)  # an older backup may be replaced, anything else not
                self._db.backup(target)
                target.execute("PRAGMA journal_mode = WAL")
            finally:
                target.close()

    def close(self) -> None:
        self._db.close()
