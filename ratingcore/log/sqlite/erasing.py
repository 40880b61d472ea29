"""The part of a log in a file that erases names: keys and salts go to the last byte, digests stay valid."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ratingcore.errors import ErasureUnfinished, LogUnavailable
from ratingcore.events import Instant, Row, iso
from ratingcore.log.base_log import StoredLog
from ratingcore.log.sqlite.connection import Connection, explained
from ratingcore.log.sqlite.schema import ERASED_VIEW, ERASURE_TABLE
from ratingcore.log.sqlite.threads import ThreadConnections

_MANY = 100
"""Patterns in one question: SQLite bounds how deep an expression may be."""


class Erasing(StoredLog):
    """The part of a log in a file that erases names."""

    _connections: ThreadConnections
    _place: Path
    now: Callable[[], Instant]

    def erase(self, numbers: Sequence[int], by: str = "") -> None:
        """Deletes the keys and salts of ids, inside `writing`; every digest stays valid."""
        at, db = iso(self.now()), self._connections.db
        db.execute("PRAGMA secure_delete = ON")  # SQLite overwrites what is deleted with zeros
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

    def likely(self, patterns: Sequence[str], after: int, to: int | None) -> Iterator[Row]:
        """Rows whose uid or data matches one of the LIKE patterns, in order."""
        columns = ", ".join(f'"{field}"' for field in Row._fields)
        alike: dict[int, Row] = {}
        for start in range(0, len(patterns), _MANY):
            some = patterns[start : start + _MANY]
            tests = " OR ".join(["uid LIKE ? OR data LIKE ?"] * len(some))
            sql = f"SELECT {columns} FROM event WHERE position > ? AND position <= ? AND ({tests})"
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
        """Rewrites the file without what was deleted, and empties the write-ahead log.

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
