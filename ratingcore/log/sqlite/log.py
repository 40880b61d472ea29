"""The log as one SQLite file, or in memory."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np

from ratingcore.errors import ErasureUnfinished, LogUnavailable, NotALog
from ratingcore.events import Instant, Row, canonical, iso
from ratingcore.events.rows import GameColumns
from ratingcore.log.address import Address, file_address, file_path
from ratingcore.log.append import BatchRefused, UidTaken
from ratingcore.log.base_log import wall_clock
from ratingcore.log.chain import EMPTY, Batch, Cells, Name, head_after
from ratingcore.log.contract import UNSEEN, Look, Seen
from ratingcore.log.names import random_salt
from ratingcore.log.sealed_log import SealedLog
from ratingcore.log.sqlite.connection import (
    MEMORY,
    Connection,
    Opener,
    OpenFile,
    explained,
    is_log,
    patience,
    sqlite3,
)
from ratingcore.log.sqlite.many_rows import (
    forget_schema,
    insert_rows,
    insert_sharing,
    names_indexed_after,
    uids_indexed_after,
)
from ratingcore.log.sqlite.schema import ERASED_VIEW, ERASURE_TABLE, SCHEMA, SEALED, SEGMENT_TABLES, faults, remarks
from ratingcore.log.sqlite.tables import Cursors, SqliteTables
from ratingcore.log.sqlite.threads import ThreadConnections
from ratingcore.log.stored_names import StoredNames, packed
from ratingcore.log.stored_rows import EVENT_COLUMNS
from ratingcore.log.transaction import Inside, Tail

_GAME = np.dtype([("position", "<i8"), ("played", "<i8"), ("order", "<i4"), ("pair", "<i8"), ("score", "<f8")])


_LOOK = """SELECT (SELECT coalesce(max(id), 0) FROM name), {}, (SELECT digest FROM batch WHERE last = ?), newest.*
    FROM (SELECT 1) LEFT JOIN (
        SELECT first, last, recorded, source, digest FROM batch ORDER BY last DESC LIMIT 1
    ) AS newest ON true"""
_ERASURES = "(SELECT count(*) FROM erasure)", "(SELECT -count(*) FROM sqlite_master WHERE name = 'erasure')"
"""SQL for the number of erased names; for a log that had no table of erasures yet, -1 if it has one now, else 0."""

_SORTING = 16 * 1024
"""Kibibytes of page cache while no index is kept: rows are consecutive, so a small cache is enough."""

_MANY = 100
"""Number of patterns in one query, since SQLite limits the depth of an expression."""


class SqliteLog(SealedLog, Cursors):
    """A log in a SQLite file, or in memory at `:memory:`; an append to a file is on the disk when it returns.

    Any thread may use it at any time. Each thread reads with a connection of its own; appends queue in the order in
    which they came. Rows are read in pages, each by a statement of its own, so an unfinished iteration over rows
    blocks nobody, and may be handed from thread to thread.

    Parameters
    ----------
    path : path
        The file; created if it is missing, unless `read_only`.
    read_only : bool
        Open without writing; works if file and folder are not writable.
    clock : callable
        Returns the instant at which a batch is recorded.
    salt : callable
        Returns the salt of a new name, and the key of a new log.
    timeout : float or None, seconds
        Time that a writer waits for others, from 0 to a day; half a minute if None.

    Raises
    ------
    NotALog, NewerLog, NoSuchLog, LogUnavailable
    BadValue
        If the timeout is out of range.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        read_only: bool = False,
        clock: Callable[[], Instant] = wall_clock,
        salt: Callable[[], str] = random_salt,
        timeout: float | None = None,
    ) -> None:
        self._in_memory = str(path) == str(MEMORY)
        self._place = MEMORY if self._in_memory else file_path(path)
        self.now = clock
        self._salt = salt
        self._read_only = read_only
        opener = Opener(self._place, salt, read_only, patience(timeout))
        self._connections = ThreadConnections(self._place, opener.writer, opener.reader, opener.seconds)
        self._connections.open_writer()
        if not self._in_memory:
            opener.file = self._connections.file = OpenFile(self._place)
        self._held, self._heads, self._tail = UNSEEN, dict[int, str](), Tail(EMPTY)
        self._book = StoredNames(self._connections.all)
        self._mine = threading.local()
        self._unpacked = {}
        self._has_erased = False
        self._key: str | None = None

    @property
    def path(self) -> Path | None:
        """The file of the log; None in memory."""
        return None if self._in_memory else self._place

    @property
    def address(self) -> Address | None:
        """Address that opens the file again, from any working directory; None in memory."""
        return None if self._in_memory else file_address(self._place)

    @property
    def key(self) -> str:
        if self._key is not None and not self._connections.in_transaction:  # `verify` needs the one in the file
            return self._key
        row = self._one("SELECT key, (SELECT max(last) FROM batch) FROM log")
        if row is None:
            raise NotALog(str(self._place), "a log without its key")
        key, last = row
        if last is not None and self._inside is None:  # only a log without events takes another key
            self._key = str(key)
        return str(key)

    @property
    def _where(self) -> str:
        return str(self._place)

    @property
    def _in_transaction(self) -> bool:
        return self._connections.writing

    @property
    def _at_a_moment(self) -> bool:
        return self._connections.in_transaction

    def _check_place(self) -> None:
        self._connections.check_file()

    def look(self) -> Look:
        """Takes a snapshot of the head and the names; while nobody writes, only SQLite's own count of changes is read.

        That count is per connection, so each thread keeps its last snapshot.
        """
        if self._inside is not None:
            return super().look()
        self._check_place()
        changes = self._connections.changes()
        seen: tuple[tuple[Connection, int] | None, Look] | None = getattr(self._mine, "look", None)
        if changes is not None and seen is not None and seen[0] == changes:
            return seen[1]
        look = super().look()  # a write after the count was read changes the next count
        self._mine.look = changes, look
        return look

    def _looked(self, at: int) -> tuple[Seen, str | None, Batch | None]:
        has_erased = self._has_erased
        try:
            names, erasures, there, *newest = self._one(_LOOK.format(_ERASURES[not has_erased]), (at,))
        except NotALog:
            if not has_erased:
                raise
            # a first erasure was undone, or this transaction began before it
            self._has_erased = False
            return self._looked(at)
        if erasures < 0:
            self._has_erased = True
            return self._looked(at)
        last = None if newest[0] is None else Batch._make(newest)
        return Seen(head_after(last), names, erasures), there, last

    # reading

    def _all(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        return self._connections.all(sql, values)

    def _row_games(self, pool: int, after: int, to: int) -> GameColumns:
        # both players as one number: with one column less in Python, this takes an eighth less time
        sql = """SELECT position, played, "order", a << 32 | b, score FROM event
            WHERE position > ? AND position <= ? AND kind = 'game' AND pool = ? ORDER BY position"""
        with explained(self._place), self._connections.using() as db:
            table = np.fromiter(db.execute(sql, (after, to, pool)), dtype=_GAME)
        a, b = (table["pair"] >> 32).astype(np.int32), table["pair"].astype(np.int32)
        position, played, order, score = (
            np.ascontiguousarray(table[name]) for name in ("position", "played", "order", "score")
        )
        return GameColumns(position, played, order, a, b, score)

    def fields(self, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]:
        sql = """SELECT position, json_extract(data, ?3) AS value FROM event
            WHERE position > ?1 AND position <= ?2 AND kind IN ('game', 'session') AND pool = ?4
            AND value IS NOT NULL ORDER BY position LIMIT ?5"""
        if canonical(field) == f'"{field}"':
            return self._pages(sql, (f'$."{field}"', pool), after, to)
        # no JSON path of SQLite can spell this name
        rows = self.rows(after, to, ("game", "session"), pool)
        return ((row.position, row.facts[field]) for row in rows if field in row.facts)

    # transactions and writing

    @contextmanager
    def _transaction(self) -> Iterator[Inside]:
        with explained(self._place), self._connections.transaction():
            held = self._held
            seen, there, last = self._looked(held.head.position)
            inside = self._entered(held, there, seen, last)
            yield inside
            self._index_sealed(inside)

    @contextmanager
    def _savepoint(self, part: Inside) -> Iterator[Inside]:
        with explained(self._place), self._connections.savepoint():
            yield part

    @contextmanager
    def loading(self, *, uids_last: bool = False) -> Iterator[bool]:
        """Like `writing`, for a great many rows, whose uids are indexed at the end if requested.

        Yields whether uids are postponed; then no event can be found by its uid in the block.
        """
        with ExitStack() as undone, self.writing():
            undone.callback(forget_schema, self._connections.db)
            if not uids_last:
                yield False
                return
            with self.indexed_last() as late:
                yield late

    @contextmanager
    def _caching(self, most: int) -> Iterator[None]:
        """Keeps at most `most` kibibytes of pages in memory during the block."""
        before, db = self._one("PRAGMA cache_size")[0], self._connections.db
        db.execute(f"PRAGMA cache_size = -{most}")
        try:
            yield
        finally:
            db.execute(f"PRAGMA cache_size = {before}")

    @contextmanager
    def indexed_last(self, *, names: bool = False) -> Iterator[bool]:
        """Within `loading`, a block at the end of which uids are indexed, and names too if requested.

        Yields whether uids are postponed. Until then no event can be found by its uid, and no name by its key.
        """
        with ExitStack() as indexed:
            indexed.enter_context(self._caching(_SORTING))
            if names:
                indexed.enter_context(names_indexed_after(self._connections.db))
            yield indexed.enter_context(uids_indexed_after(self._connections.db))

    @contextmanager
    def reading(self) -> Iterator[None]:
        with explained(self._place), self._connections.reading():
            yield

    def write(self, batch: Batch, names: Sequence[Name], rows: Sequence[Cells]) -> None:
        self._check_taken([row[1] for row in rows])
        self._write(batch, names, partial(insert_rows, self._connections.db, "event", rows), rows)

    def write_games(self, batch: Batch, names: Sequence[Name], pool: int, columns: Sequence[Sequence[object]]) -> None:
        self._check_taken(cast("Sequence[str]", columns[0]))
        width, alike = len(Row._fields), {2: "game", 3: pool, 9: None}
        varying = dict(zip((1, 4, 5, 6, 7, 8, 10), columns, strict=True))
        for place, value in ((5, 0), (10, None)):
            if varying[place].count(value) == len(varying[place]):
                alike[place] = value
                del varying[place]
        cells = [range(batch.first, batch.last + 1), *varying.values()]
        self._write(batch, names, partial(insert_sharing, self._connections.db, "event", width, alike, cells))
        self.draft.let_go()

    def _has_segments(self) -> bool:
        return self._connections.version() >= SEALED

    def _make_segments(self) -> None:
        for statement in (*SEGMENT_TABLES, "DROP INDEX IF EXISTS name_batch", f"PRAGMA user_version = {SCHEMA}"):
            self._run(statement)

    def _write_sealed(self, batch: Batch, names: Sequence[Name], cells: Sequence[object]) -> None:
        self._write(batch, names, partial(self._insert, "segment", [cells]))

    def _run(self, sql: str, values: Sequence[object] = ()) -> object:
        return self._connections.db.execute(sql, values)

    def _insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        for row in rows:
            self._run(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)

    def _cells(self, names: Sequence[Name]) -> Sequence[Sequence[object]]:
        """Names as they are stored; in a log with segments, which older versions cannot read in any case, packed."""
        if not names or not self._sealed():
            return names
        if self._connections.version() < SCHEMA:
            self._connections.db.execute(f"PRAGMA user_version = {SCHEMA}")
        return list(map(packed, names))

    def _write(
        self, batch: Batch, names: Sequence[Name], insert_events: Callable[[], None], rows: Sequence[Cells] = ()
    ) -> None:
        db, several = self._connections.db, batch.first < batch.last
        # `append` tries again in the same transaction if a uid is taken, so only this batch may be rolled back
        if several:
            db.execute("SAVEPOINT batch")
        try:
            insert_events()
            insert_rows(db, "name", self._cells(names))
            db.execute("INSERT INTO batch VALUES (?,?,?,?,?)", batch)
        except sqlite3.IntegrityError as error:
            if several:
                db.execute("ROLLBACK TO batch")
            if "event.uid" in str(error):
                raise UidTaken from None
            raise BatchRefused(str(error)) from error
        if several:
            db.execute("RELEASE batch")
        self._appending.wrote(batch, len(names), rows)

    # erasing names: every byte of keys and salts is removed, digests stay valid

    def erase(self, numbers: Sequence[int], by: str = "") -> None:
        """Deletes the keys and salts of ids, inside `writing`; every digest stays valid."""
        at, db = iso(self.now()), self._connections.db
        db.execute("PRAGMA secure_delete = ON")  # SQLite overwrites deleted content with zeros
        db.execute(ERASURE_TABLE)
        db.execute(ERASED_VIEW)
        db.executemany("UPDATE name SET key = NULL, salt = NULL WHERE id = ?", [(n,) for n in numbers])
        rows = [(number, at, by) for number in numbers]
        count = db.executemany("INSERT OR IGNORE INTO erasure VALUES (?, ?, ?, NULL)", rows).rowcount
        self._appending.erased(numbers, count)

    def arrived(self, numbers: Sequence[int]) -> None:
        """Notes names that were erased already in the log whose export is being loaded."""
        at, db = iso(self.now()), self._connections.db
        db.execute(ERASURE_TABLE)
        db.execute(ERASED_VIEW)
        db.executemany("INSERT OR IGNORE INTO erasure VALUES (?, ?, '', ?)", [(n, at, at) for n in numbers])

    def _likely_rows(self, patterns: Sequence[str], after: int, to: int | None) -> Iterator[Row]:
        alike = dict[int, Row]()
        for start in range(0, len(patterns), _MANY):
            some = patterns[start : start + _MANY]
            tests = " OR ".join(["uid LIKE ? OR data LIKE ?"] * len(some))
            sql = f"SELECT {EVENT_COLUMNS} FROM event WHERE position > ? AND position <= ? AND ({tests})"
            values = (after, 2**62 if to is None else to, *(pattern for pattern in some for _ in range(2)))
            alike |= {row[0]: Row._make(row) for row in self._connections.all(sql, values)}
        return iter([alike[position] for position in sorted(alike)])

    def uncleared(self) -> tuple[int, ...]:
        """Ids of erased names whose bytes may still be in the file."""
        if not self._connections.all("SELECT 1 FROM sqlite_master WHERE name = 'erasure'"):
            return ()
        found = self._connections.all("SELECT name FROM erasure WHERE cleared IS NULL ORDER BY name")
        return tuple(number for (number,) in found)

    def clear(self) -> None:
        """Rewrites the file without deleted content, and empties the write-ahead log.

        Raises
        ------
        ErasureUnfinished
            If another process, or this one, is in the middle of reading or writing.
        """
        try:
            with explained(self._place), self._connections.alone() as db:
                self._clear(db)
        except LogUnavailable as error:
            raise self._unfinished(error.why) from error

    def _clear(self, db: Connection) -> None:
        db.execute("VACUUM")
        if db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            raise self._unfinished("another process, or a thread of this one, is in the middle of reading it")
        db.execute("UPDATE erasure SET cleared = ? WHERE cleared IS NULL", (iso(self.now()),))

    def _unfinished(self, why: str) -> ErasureUnfinished:
        return ErasureUnfinished(str(self._place), self.uncleared(), why)

    # loading an export

    def adopt(self, key: str) -> None:
        self._connections.db.execute("UPDATE log SET key = ?", (key,))

    def faults(self) -> Iterator[str]:
        with explained(self._place):
            yield from faults(self._connections.db)

    def remarks(self) -> Iterator[str]:
        with explained(self._place):
            yield from remarks(self._connections.db)

    @property
    def tables(self) -> SqliteTables | None:
        """Tables of plugins in the file of the log; None in memory."""
        if self._in_memory:
            return None
        return SqliteTables(lambda: self._connections.db, self._place, self.writing, self._connections.alone)

    # copying and closing

    def backup(self, path: str | Path) -> None:
        """Copies the log consistently, even while others write.

        The copy has no write-ahead log, so a write-ahead log found beside it later must belong to another file.
        """
        copy = file_path(path)
        with explained(copy):
            if copy.is_dir():
                raise LogUnavailable(str(copy), "it is a folder", "name a file")
            if copy.exists() and self.path is not None and copy.samefile(self.path):
                raise LogUnavailable(str(copy), "it is the log itself", "name another file")
            new = not copy.exists()
            target = sqlite3.connect(copy)
            try:
                is_log(target, copy)  # an older backup may be replaced, but nothing else
                with self._connections.using() as db:
                    db.backup(target)
                target.execute("PRAGMA journal_mode = DELETE")
                new = False
            finally:
                target.close()
                if new:  # the next attempt would find a partial copy in its way
                    copy.unlink(missing_ok=True)

    def close(self) -> None:
        self._connections.close()
