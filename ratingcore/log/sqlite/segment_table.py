"""The table `segment` of a log in SQLite: reads, finds, checks and writes sealed segments of games."""

import re
import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.errors import UnsoundLog
from ratingcore.events import Row
from ratingcore.events.rows import GameColumns
from ratingcore.log.append import UidTwice
from ratingcore.log.chain import Batch, digest_of, sealed_digest
from ratingcore.log.segments import COLUMNS, LEAST, BadSegment, Segment, hashes, hashes_at, texts_of
from ratingcore.log.sqlite import uid_runs
from ratingcore.log.sqlite.connection import Connection, explained
from ratingcore.log.sqlite.schema import SCHEMA, SEALED, SEGMENT_TABLES
from ratingcore.log.sqlite.threads import ThreadConnections
from ratingcore.log.stored_rows import StoredRows
from ratingcore.log.transaction import Inside

_KEPT = 4
"""Number of segments that stay unpacked, because rows at nearby positions are often read one after another."""
_SLICE = 2**17
"""Number of ids that are compared at once."""
TOGETHER = 2**24
"""Number of ids from which a transaction indexes them before its end, to save memory."""
_PLACE = "SELECT number, first, last, pool, letters FROM segment"
_NO_IDS = tuple(name for name in COLUMNS if name != "uid")
_OTHER_INDEX = "the index of ids in segments does not match the segments"
_NONE = np.empty(0, np.int64)


class Place(NamedTuple):
    """A segment without its games: its number, first and last position, pool, and the characters that its ids have."""

    number: int
    first: int
    last: int
    pool: int
    letters: str


class SealedRows(StoredRows):
    """The base class of a log in SQLite that reads games both from rows of `event` and from segments."""

    _connections: ThreadConnections
    _place: Path
    _mine: threading.local
    _unpacked: dict[int, Segment]
    """The segments read last, by number; they never change."""

    if TYPE_CHECKING:

        @property
        def key(self) -> str: ...
        @property
        def _inside(self) -> Inside | None: ...

    # segments

    def _sealed(self) -> bool:
        """True if the log has segments."""
        if getattr(self._mine, "sealed", False):
            return True
        inside = self._inside
        if inside is not None and inside.seals is not None:
            return inside.seals
        sealed = self._connections.version() >= SEALED
        if inside is not None:  # remembered for this transaction only, since it may be undone
            inside.seals = sealed
        elif not self._connections.writing:
            self._mine.sealed = sealed  # remembered for this thread only: another one may read an earlier state
        return sealed

    def _places(self, after: int, to: int) -> list[Place]:
        """The segments that have games at positions from `after + 1` to `to`, in order."""
        if not self._sealed():
            return []
        rows = self._all(f"{_PLACE} WHERE last > ? AND first <= ? ORDER BY first", (after, to))
        return list(map(Place._make, rows))

    def _at(self, position: int) -> Place | None:
        """The segment with the game at a position."""
        row = self._one(f"{_PLACE} WHERE first <= ? ORDER BY first DESC LIMIT 1", (position,))
        return Place._make(row) if row and row[2] >= position else None

    def _unpack(self, place: Place, columns: Sequence[str] = tuple(COLUMNS)) -> Segment:
        """Reads a segment, or some columns of it; `BadSegment` if it is damaged."""
        bodies = self._one(f"SELECT {', '.join(columns)} FROM segment WHERE number = ?", (place.number,))
        return Segment.unpacked(place.first, place.last, place.pool, dict(zip(columns, bodies, strict=True)))

    def _read(self, place: Place, columns: Sequence[str] = tuple(COLUMNS)) -> Segment:
        """Like `_unpack`, but raises `UnsoundLog` if the segment is damaged, for callers that expect no damage."""
        try:
            return self._unpack(place, columns)
        except BadSegment as error:
            where = f"the segment of positions {place.first} to {place.last} is damaged"
            raise UnsoundLog((f"{where}: {error}",)) from error

    def _segment(self, place: Place) -> Segment:
        """Reads a segment, or returns it if it is among the last ones read."""
        inside = self._inside  # a transaction may be undone, so it has a cache of its own
        kept = self._unpacked if inside is None else inside.unpacked
        held = kept.get(place.number)
        if held is None:
            held = self._read(place)
            if inside is not None or not self._connections.writing:
                if len(kept) >= _KEPT:
                    kept.clear()
                kept[place.number] = held
        return held

    # reading

    def rows(
        self,
        after: int = 0,
        to: int | None = None,
        kinds: Sequence[str] = (),
        pool: int | None = None,
        players: Sequence[int] | None = None,
    ) -> Iterator[Row]:
        if kinds and "game" not in kinds:
            return super().rows(after, to, kinds, pool, players)
        if to is None and self._sealed():
            to = int(self._one("SELECT coalesce(max(last), 0) FROM batch")[0])
        places = self._places(after, 2**62 if to is None else to)
        if not places:
            return super().rows(after, to, kinds, pool, players)
        return self._from_both(after, to, places, kinds, pool, players)

    def _from_both(
        self,
        after: int,
        to: int | None,
        places: Sequence[Place],
        kinds: Sequence[str],
        pool: int | None,
        players: Sequence[int] | None,
    ) -> Iterator[Row]:
        end = 2**62 if to is None else to
        for place in places:
            if after < place.first - 1:
                yield from super().rows(after, place.first - 1, kinds, pool, players)
            if pool in (None, place.pool):
                segment = self._segment(place).part(after, end)
                some = slice(None) if players is None else np.flatnonzero(np.isin(segment.a, list(players)))
                yield from segment.rows(some)
            after = place.last
        if after < end:
            yield from super().rows(after, to, kinds, pool, players)

    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]:
        wanted = sorted({int(position) for position in positions})
        places = self._places(wanted[0] - 1, wanted[-1]) if wanted else []
        if not places:
            return super().rows_at(wanted)
        parts, loose, start = list[tuple[Place, list[int]]](), list[int](), 0
        for place in places:
            at, stop = bisect_left(wanted, place.first), bisect_left(wanted, place.last + 1)
            loose += wanted[start:at]
            parts += [(place, wanted[at:stop])] if at < stop else []
            start = stop
        loose += wanted[start:]
        sealed = (row for place, some in parts for row in self._segment(place).rows(np.array(some) - place.first))
        return merge(super().rows_at(loose), sealed)

    def find(self, uids: Sequence[str]) -> dict[str, Row]:
        return super().find(uids) | self._find_sealed(uids)

    def rows_between(self, first: str, last: str) -> Iterator[Row]:
        there = super().rows_between(first, last)
        sealed = [row for part, some in self._sealed_between(first, last) for row in part.rows(some)]
        return merge(there, sorted(sealed, key=attrgetter("uid")), key=attrgetter("uid")) if sealed else there

    def any_between(self, first: str, last: str) -> bool:
        """True if the log has a row with `first <= uid < last`."""
        rows = any(True for _ in super().rows_between(first, last))
        return rows or any(len(some) for _, some in self._sealed_between(first, last))

    def _sealed_between(self, first: str, last: str) -> Iterator[tuple[Segment, NDArray[np.intp]]]:
        """Yields segments that may have uids with `first <= uid < last`, and the indexes of these uids in each."""
        # if `last` is `first` with its last letter raised by one, all texts in the range begin with `first`
        begin = first if first and last == first[:-1] + chr(ord(first[-1]) + 1) else ""
        places, span = self._places(0, 2**62), hashes_at(begin, self.key)
        numbers = self._numbers(*span) if places and span else None
        low, high = (np.array(text.encode("utf-8", "surrogatepass")) for text in (first, last))
        for place in places:
            if set(begin) <= set(place.letters) and (numbers is None or place.number in numbers):
                segment = self._segment(place)
                yield segment, np.flatnonzero((segment.uid >= low) & (segment.uid < high))

    def _numbers(self, first: int, stop: int) -> set[int]:
        """The numbers of segments that have hashes with `first <= hash < stop`."""
        inside = self._inside
        fresh = [] if inside is None else inside.sealed
        low, end = first << uid_runs.NUMBER_BITS, stop << uid_runs.NUMBER_BITS
        some = [keys[np.searchsorted(keys, low) : np.searchsorted(keys, end)] for keys in fresh]
        with explained(self._place), self._connections.using() as db:
            keys = np.concatenate([*some, uid_runs.between(db, first, stop)])
        return {*(keys & (1 << uid_runs.NUMBER_BITS) - 1).tolist()}

    def sealed_parts(self, pool: int, after: int, to: int) -> list[tuple[int, int]]:
        """First and last positions of the sealed games of a pool, segment by segment, in order."""
        places = (place for place in self._places(after, to) if place.pool == pool)
        return [(max(place.first, after + 1), min(place.last, to)) for place in places]

    def sealed_columns(self, pool: int, first: int, last: int, names: Sequence[str]) -> list[NDArray[Any]]:
        """Columns of the sealed games of a pool at positions from `first` to `last`, which are in one segment.

        Raises
        ------
        UnsoundLog
            If the log no longer has such a segment, or if it is damaged.
        """
        place = self._at(first) if self._sealed() else None
        if place is None or place.pool != pool or place.last < last:
            raise UnsoundLog((f"the sealed games at positions {first} to {last} are missing",))
        part = self._read(place, names).part(first - 1, last)
        return [getattr(part, name) for name in names]

    def _sealed_games(self, pool: int, after: int, to: int) -> list[GameColumns]:
        """Returns the games of a pool that are in segments, as columns; raises `UnsoundLog` if a segment is missing."""
        parts = []
        for place in self._places(after, to):
            if place.pool == pool:
                part = self._read(place, _NO_IDS).part(after, to)
                positions = np.arange(part.first, part.first + len(part))
                order = np.zeros(len(part), np.int32)
                parts.append(GameColumns(positions, part.played, order, part.a, part.b, part.score))
        if self._sealed() and (hole := self._one(_HOLE, (after, to, LEAST))) is not None:
            raise UnsoundLog(("positions {} to {} are missing: neither rows nor a segment".format(*hole),))
        return parts

    def _likely_sealed(self, patterns: Sequence[str], after: int, to: int) -> Iterator[Row]:
        """Games in segments whose ids match one of the LIKE patterns."""
        places = self._places(after, to)
        wanted = re.compile("|".join(map(_expression, patterns)), re.IGNORECASE) if places and patterns else None
        for place in places if wanted else ():
            segment = self._segment(place).part(after, to)
            lines = b"\n".join(segment.uid.tolist()).decode()
            if wanted is not None and wanted.search(lines):
                some = [at for at, uid in enumerate(lines.split("\n")) if wanted.fullmatch(uid)]
                yield from segment.rows(np.array(some, np.intp))

    def _digest_within(self, before: str, batch: Batch, position: int) -> str:
        place = self._at(position) if self._sealed() else None
        names = self._named_in(batch)
        if place is None:
            return digest_of(before, batch, names, list(self.rows(batch.first - 1, position)))
        return sealed_digest(before, batch, names, self._segment(place).part(0, position))

    def sealed(self, batch: Batch) -> Segment | None:
        """Returns the segment with the games of a batch, read from the file again; None for a batch of rows.

        Raises
        ------
        BadSegment
            If the segment is damaged.
        """
        place = self._at(batch.first) if self._sealed() else None
        if place is None:
            return None
        segment = self._unpack(place)
        if not segment.has_letters(place.letters):
            raise BadSegment(f"its ids do not have the letters of its index: {place.letters!r}")
        return segment

    def index_faults(self, hashed: dict[int, NDArray[np.int64]]) -> Iterator[str]:
        """Yields faults of the index of ids in segments, and ids that occur twice; the segments must be undamaged.

        Parameters
        ----------
        hashed : dict of int to (n,) int64
            Hashes of ids that the caller has computed already, by the first position of the segment; emptied to save
            memory.
        """
        if not self._sealed():
            return
        parts, sql = [], f"{_PLACE} WHERE number > ? ORDER BY number LIMIT 1"
        number = -(2**62)
        while row := self._one(sql, (number,)):
            place = Place._make(row)
            number = place.number
            if not 0 < number < 1 << uid_runs.NUMBER_BITS:
                yield f"the number of a segment is out of range: {number}"
                return
            ids = hashed.pop(place.first, None)
            ids = hashes(self._read(place, ("uid",)).uid, self.key) if ids is None else ids
            parts.append(uid_runs.keys_of(ids, number))
        with explained(self._place), self._connections.using() as db:
            if not uid_runs.are_in_order(db):
                yield _OTHER_INDEX
                return
            in_rows, suspects = np.unique(np.concatenate([_NONE, *(made for _, made in self._of_rows(db))])), [_NONE]
            try:
                for first, stop, keys in uid_runs.ranges(parts):
                    if not np.array_equal(np.sort(uid_runs.between(db, first, stop)), keys):
                        yield _OTHER_INDEX
                        return
                    self._check_unique(uid_runs.shared(keys))
                    some = in_rows[np.searchsorted(in_rows, first) : np.searchsorted(in_rows, stop)]
                    suspects.append(uid_runs.with_hash(keys, some))
                self._check_rows(db, np.concatenate(suspects))
            except UidTwice as twice:
                yield f"the uid {twice.uid} occurs twice"

    # ids

    def _find_sealed(self, uids: Sequence[str]) -> dict[str, Row]:
        """Returns the games in segments that have one of these ids, by id."""
        if not uids or not self._sealed():
            return {}
        ascii_only = [uid for uid in uids if uid.isascii() and uid and "\n" not in uid and "\0" not in uid]
        found = self.sealed_with(texts_of(ascii_only)) if ascii_only else ()
        return {row.uid: row for _, segment, at in found for row in segment.rows(at)}

    def sealed_with(self, uids: NDArray[np.bytes_]) -> Iterator[tuple[NDArray[np.intp], Segment, NDArray[np.intp]]]:
        """Yields each segment that has some of these ids, with their indexes in `uids` and in the segment."""
        if not self._sealed():
            return
        hashed = hashes(uids, self.key)
        order = np.argsort(hashed)
        hashed = hashed[order]
        start = np.flatnonzero(np.diff(hashed, prepend=-1))
        different, count = hashed[start], np.diff(start, append=len(order))
        numbers = np.zeros(1 << uid_runs.NUMBER_BITS, np.bool_)
        numbers[self._keys(different) & (1 << uid_runs.NUMBER_BITS) - 1] = True
        for number in np.flatnonzero(numbers).tolist():
            row = self._one(f"{_PLACE} WHERE number = ?", (number,))
            if row is None:  # `verify` reports it
                continue
            segment = self._segment(Place._make(row))
            there = hashes(segment.uid, self.key)
            which = np.minimum(np.searchsorted(different, there), len(different) - 1)
            at = np.flatnonzero(different[which] == there)
            which = which[at]
            several = np.repeat(start[which] + count[which] - np.cumsum(count[which]), count[which])
            places, at = order[several + np.arange(len(several))], np.repeat(at, count[which])
            same = uids[places] == segment.uid[at]  # two ids may have one hash
            if same.any():
                yield places[same], segment, at[same]

    def _keys(self, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the keys whose hash is among `wanted`, which is sorted and distinct, from file and transaction."""
        inside: Inside | None = self._inside
        fresh = [] if inside is None else [uid_runs.with_hash(keys, wanted) for keys in inside.sealed]
        with explained(self._place), self._connections.using() as db:
            return np.concatenate([*fresh, uid_runs.found(db, wanted)])

    # writing

    def _insert_segment(self, db: Connection, segment: Segment) -> NDArray[np.int64]:
        """Writes a segment; returns the keys of its ids."""
        if not self._sealed():
            for statement in (*SEGMENT_TABLES, "DROP INDEX IF EXISTS name_batch"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {SCHEMA}")
            if self._inside is not None:
                self._inside.seals = True
        (number,) = db.execute("SELECT coalesce(max(number), 0) + 1 FROM segment").fetchone()
        place = Place(number, segment.first, segment.last, segment.pool, segment.letters)
        marks = ", ".join("?" * (len(place) + len(COLUMNS)))
        db.execute(f"INSERT INTO segment VALUES ({marks})", (*place, *segment.packed().values()))
        return uid_runs.keys_of(hashes(segment.uid, self.key), number)

    def _index_sealed(self, db: Connection, inside: Inside) -> None:
        """Indexes the ids of segments written in a transaction: at its end, or earlier if there are very many.

        Raises
        ------
        UidTwice
            If one of the ids occurs a second time.
        """
        keys = np.concatenate(inside.sealed)
        inside.sealed = []
        keys.sort(kind="stable")  # merges sorted parts
        for some in uid_runs.slices(keys, _SLICE):
            earlier = np.sort(uid_runs.found(db, uid_runs.hashes_of(some)))
            again = uid_runs.with_hash(some, uid_runs.hashes_of(earlier))
            self._check_unique(np.sort(np.concatenate((earlier, again))))
            self._check_unique(uid_runs.shared(some))
        uid_runs.add(db, keys)
        self._check_rows(db, keys)

    def _check_unique(self, suspects: NDArray[np.int64]) -> None:
        """Raises `UidTwice` if an id occurs twice; `suspects` are the sorted keys of ids whose hash is not unique."""
        last, met = -1, set[str]()
        for key in suspects[np.diff(suspects, prepend=-1) > 0]:
            hashed, number = int(key) >> uid_runs.NUMBER_BITS, int(key) & (1 << uid_runs.NUMBER_BITS) - 1
            last, met = hashed, met if hashed == last else set()
            for uid in self._with_hash(number, hashed):
                if uid in met:
                    raise UidTwice(uid)
                met.add(uid)

    def _with_hash(self, number: int, hashed: int) -> list[str]:
        """The ids in a segment that have this hash."""
        segment = self._segment(Place._make(self._one(f"{_PLACE} WHERE number = ?", (number,))))
        alike = segment.uid[hashes(segment.uid, self.key) == hashed]
        return [uid.decode() for uid in alike.tolist()]

    def _check_rows(self, db: Connection, keys: NDArray[np.int64]) -> None:
        """Raises `UidTwice` if an id is both in a row and in a segment; `keys` are sorted keys of segments."""
        for uids, mine in self._of_rows(db) if len(keys) else ():
            at = np.minimum(np.searchsorted(keys, mine << uid_runs.NUMBER_BITS), len(keys) - 1)
            suspects = [uids[place] for place in np.flatnonzero(keys[at] >> uid_runs.NUMBER_BITS == mine).tolist()]
            if suspects and (there := self._find_sealed(suspects)):
                raise UidTwice(min(there))

    def _of_rows(self, db: Connection) -> Iterator[tuple[list[str], NDArray[np.int64]]]:
        """Yields the uids of rows that a segment could hold, with their hashes."""
        sql, last = "SELECT position, uid FROM event WHERE position > ? ORDER BY position LIMIT ?", -(2**62)
        while rows := db.execute(sql, (last, _SLICE)).fetchall():
            last, texts = rows[-1][0], [uid for _, uid in rows if type(uid) is str]
            uids = [uid for uid in texts if uid.isascii() and "\n" not in uid and "\0" not in uid]
            if uids:
                yield uids, hashes(texts_of(uids), self.key)


def _expression(pattern: str) -> str:
    """Returns the regular expression for a LIKE pattern within a line; only ASCII letters match in either case."""
    return "".join({"%": ".*", "_": "."}.get(letter, re.escape(letter)) for letter in pattern)


_HOLE = """SELECT first, last FROM batch b WHERE last > ? AND first <= ? AND last - first + 1 >= ?
    AND NOT EXISTS (SELECT 1 FROM segment s WHERE s.first = b.first AND s.last = b.last)
    AND NOT EXISTS (SELECT 1 FROM event e WHERE e.position = b.first) LIMIT 1"""
"""Selects a batch that is large enough for a segment, but has neither a segment nor rows."""
