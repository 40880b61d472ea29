"""Erases names from a log: keys and salts go to the last byte of the file, digests stay valid."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from attrs import frozen

from ratingcore.errors import ErasureUnfinished, LogUnavailable
from ratingcore.events import Instant, Row, iso
from ratingcore.events.values import ERASED
from ratingcore.log.connection import Connection, explained
from ratingcore.log.names_upon import NamesUpon
from ratingcore.log.thread_connections import ThreadConnections

TABLE = """CREATE TABLE IF NOT EXISTS erasure (
    name INTEGER PRIMARY KEY, erased TEXT NOT NULL, "by" TEXT NOT NULL, cleared TEXT
)"""
"""Which names were erased, when and by whom; `cleared` once no byte of them is left in the file."""


VIEW = """CREATE VIEW IF NOT EXISTS erased_names AS SELECT name, erased, "by", cleared FROM erasure"""
"""The same for readers; it stays where the table is dropped by hand, and so shows that there was one."""

_MANY = 100
"""Patterns in one question: SQLite bounds how deep an expression may be."""


@frozen
class Erased:
    """Report of an erasure: what it removed, and what it could not remove.

    Parameters
    ----------
    players : tuple of int
        Ids whose names are gone: the player, and records merged with the player.
    notes, sources : int
        Reasons, actors and sources that mentioned the player and were erased as a whole.
    files : int
        Other sources that went because an earlier version wrote the digest of the imported file into them.
    mentions : int
        Events that still mention the player where nothing can be erased: in a uid or a free field.
    positions : tuple of int
        The first of them.
    alike : tuple of str
        Other players whose names contain the erased one; they stay.
    pools : tuple of str
        Pools whose names contain it; they stay.
    guessable : int
        Events of the player with uids that earlier versions made of names: whoever has the file can test guesses.
    rows : int
        Rows of derived tables in the same file that now show `(erased N)`.
    beyond : tuple of str
        Sentences about what keeps the name where no erasure reaches.
    called : int
        Names that people saw beside the key.
    namesakes : tuple of str
        Other players who were called the same, and now are called nothing until they are named again.
    """

    players: tuple[int, ...]
    notes: int = 0
    sources: int = 0
    mentions: int = 0
    positions: tuple[int, ...] = ()
    alike: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()
    rows: int = 0
    guessable: int = 0
    files: int = 0
    beyond: tuple[str, ...] = ()
    called: int = 0
    namesakes: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels shown for the player from now on."""
        return tuple(map(ERASED.format, self.players))

    def left(self) -> list[str]:
        """Sentences about what still mentions the player in this log."""
        lines = []
        if self.mentions:
            first = ", ".join(map(str, self.positions))
            more = ", ..." if self.mentions > len(self.positions) else ""
            events = "1 event speaks" if self.mentions == 1 else f"{self.mentions} events speak"
            at = "position" if self.mentions == 1 else "positions"
            lines.append(f"{events} of the player in a uid or a field, which cannot be erased: {at} {first}{more}")
            lines.append(
                "export --new-uids keeps what a person or a file gave; without it is only a new log, recorded from "
                "files that give other uids and fields"
            )
        if self.guessable:
            uids = "1 uid was" if self.guessable == 1 else f"{self.guessable} uids were"
            lines.append(
                f"{uids} made of the name by an earlier version: whoever has this file can still confirm a guess; "
                f"ratingcore export LOG FILE --new-uids UIDS makes a log without them"
            )
        for what, names in (("players", self.alike), ("pools", self.pools)):
            if names:
                lines.append(f"{what} whose names hold the name, and stay: {', '.join(names)}")
        if self.namesakes:
            lines.append(f"players who were called the same, and have to be named again: {', '.join(self.namesakes)}")
        return [*lines, *self.beyond]

    def __str__(self) -> str:
        done = [f"erased: {', '.join(self.labels)}"]
        shown = (self.called, "shown name")
        for count, what in (shown, (self.notes, "note"), (self.sources, "source"), (self.rows, "row")):
            if count:
                where = " of derived tables" if what == "row" else ""
                done.append(f"with {count} {what if count == 1 else what + 's'}{where}")
        lines = [", ".join(done)]
        if self.files:
            names = "1 name of an imported file" if self.files == 1 else f"{self.files} names of imported files"
            lines.append(
                f"{names} went as well: an earlier version wrote the digest of the file there, which confirms a guess"
            )
        return "\n".join([*lines, *self.left()])


class Erasing(ABC):
    """The part of a log in a file that erases names."""

    _connections: ThreadConnections
    path: Path
    now: Callable[[], Instant]

    @property
    @abstractmethod
    def draft(self) -> NamesUpon:
        """The names as the transaction leaves them."""

    def erase(self, numbers: Sequence[int], by: str = "") -> None:
        """Deletes the keys and salts of ids, inside `writing`; every digest stays valid."""
        at, db = iso(self.now()), self._connections.db
        db.execute("PRAGMA secure_delete = ON")  # SQLite overwrites what is deleted with zeros
        db.execute(TABLE)
        db.execute(VIEW)
        db.executemany("UPDATE name SET key = NULL, salt = NULL WHERE id = ?", [(n,) for n in numbers])
        db.executemany("INSERT OR IGNORE INTO erasure VALUES (?, ?, ?, NULL)", [(n, at, by) for n in numbers])
        self.draft.erase(numbers)

    def arrived(self, numbers: Sequence[int]) -> None:
        """Notes names that were erased already in the log whose export is being loaded."""
        at, db = iso(self.now()), self._connections.db
        db.execute(TABLE)
        db.execute(VIEW)
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
            with explained(self.path), self._connections.alone(waiting=True) as db:
                self._clear(db)
        except LogUnavailable as error:
            raise self._unfinished(error.why) from error

    def _clear(self, db: Connection) -> None:
        db.execute("VACUUM")
        if db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            raise self._unfinished("another process, or a thread of this one, is in the middle of reading it")
        db.execute("UPDATE erasure SET cleared = ? WHERE cleared IS NULL", (iso(self.now()),))

    def _unfinished(self, why: str) -> ErasureUnfinished:
        return ErasureUnfinished(str(self.path), self.uncleared(), why)
