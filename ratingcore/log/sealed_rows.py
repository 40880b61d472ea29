"""Sealed segments of a log in a database: reads and finds their games, beside those in rows."""

import re
import threading
from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.errors import UnsoundLog
from ratingcore.events import Row
from ratingcore.events.rows import GameColumns
from ratingcore.log import uid_runs
from ratingcore.log.chain import Batch, digest_of, sealed_digest
from ratingcore.log.segments import COLUMNS, LEAST, BadSegment, Segment, hashes, hashes_at, texts_of
from ratingcore.log.stored_rows import StoredRows
from ratingcore.log.transaction import Inside

_KEPT = 4
"""Number of segments that stay unpacked, because rows at nearby positions are often read one after another."""
PLACES = "SELECT number, first, last, pool, letters FROM segment"
_NO_IDS = tuple(name for name in COLUMNS if name != "uid")


class Place(NamedTuple):
    """A segment without its games: its number, first and last position, pool, and the characters that its ids have."""

    number: int
    first: int
    last: int
    pool: int
    letters: str


class SealedRows(StoredRows):
    """The base class of a log in a database that reads games both from rows of `event` and from segments.

    The first segment makes the tables `segment` and `uid_run`, which have the same columns in every database.
    """

    _mine: threading.local
    _unpacked: dict[int, Segment]
    """The segments read last, by number; they never change."""

    if TYPE_CHECKING:

        @property
        def key(self) -> str: ...
        @property
        def _inside(self) -> Inside | None: ...
        @property
        def _in_transaction(self) -> bool: ...

    @abstractmethod
    def _has_segments(self) -> bool:
        """Reads from the database whether there are tables of segments."""

    @abstractmethod
    def _row_games(self, pool: int, after: int, to: int) -> GameColumns:
        """The games of a pool in rows, like `games`."""

    @abstractmethod
    def _likely_rows(self, patterns: Sequence[str], after: int, to: int | None) -> Iterator[Row]:
        """Rows outside segments whose uid or data matches one of the LIKE patterns, in order."""

    @property
    def _may_be_undone(self) -> bool:
        """True if this thread may read what is undone later."""
        return self._in_transaction

    # segments

    def _sealed(self) -> bool:
        """True if the log has segments."""
        if getattr(self._mine, "sealed", False):
            return True
        inside = self._inside
        if inside is not None and inside.seals is not None:
            return inside.seals
        sealed = self._has_segments()
        if inside is not None:  # remembered for this transaction only, since it may be undone
            inside.seals = sealed
        elif not self._may_be_undone:
            self._mine.sealed = sealed  # remembered for this thread only: another one may read an earlier state
        return sealed

    def _places(self, after: int, to: int) -> list[Place]:
        """The segments that have games at positions from `after + 1` to `to`, in order."""
        if not self._sealed():
            return []
        rows = self._all(f"{PLACES} WHERE last > ? AND first <= ? ORDER BY first", (after, to))
        return list(map(Place._make, rows))

    def _place_of(self, position: int) -> Place | None:
        """The segment with the game at a position."""
        row = self._one(f"{PLACES} WHERE first <= ? ORDER BY first DESC LIMIT 1", (position,))
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
            if inside is not None or not self._may_be_undone:
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
        fresh = [] if inside is None else [uid_runs.within(keys, first, stop) for keys in inside.sealed]
        keys = np.concatenate([*fresh, uid_runs.between(self._all, first, stop)])
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
        place = self._place_of(first) if self._sealed() else None
        if place is None or place.pool != pool or place.last < last:
            raise UnsoundLog((f"the sealed games at positions {first} to {last} are missing",))
        part = self._read(place, names).part(first - 1, last)
        return [getattr(part, name) for name in names]

    def games(self, pool: int, after: int, to: int) -> GameColumns:
        sealed = self._sealed_games(pool, after, to)
        if len(sealed) == 1 and len(sealed[0].played) == to - after:
            return sealed[0]
        rows = self._row_games(pool, after, to)
        if not sealed:
            return rows
        columns: list[Any] = list(map(np.concatenate, zip(rows, *sealed, strict=True)))
        sort = np.argsort(columns[0], kind="stable")
        return GameColumns(*(column[sort] for column in columns))

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

    def likely(self, patterns: Sequence[str], after: int, to: int | None) -> Iterator[Row]:
        """Rows whose uid or data matches one of the LIKE patterns, in order."""
        end = 2**62 if to is None else to
        return merge(self._likely_rows(patterns, after, to), self._likely_sealed(patterns, after, end))

    def _likely_sealed(self, patterns: Sequence[str], after: int, to: int) -> Iterator[Row]:
        """Games in segments whose ids match one of the LIKE patterns."""
        places = self._places(after, to)
        any_of, flags = "|".join(map(_expression, patterns)), re.IGNORECASE | re.MULTILINE
        wanted = re.compile(any_of, flags) if places and patterns else None
        for place in places if wanted else ():
            segment = self._segment(place).part(after, to)
            lines = b"\n".join(segment.uid.tolist()).decode()
            if wanted is not None and wanted.search(lines):
                some = [at for at, uid in enumerate(lines.split("\n")) if wanted.fullmatch(uid)]
                yield from segment.rows(np.array(some, np.intp))

    def _digest_within(self, before: str, batch: Batch, position: int) -> str:
        place = self._place_of(position) if self._sealed() else None
        names = self._named_in(batch)
        if place is None:
            return digest_of(before, batch, names, list(self.rows(batch.first - 1, position)))
        return sealed_digest(before, batch, names, self._segment(place).part(0, position))

    def sealed(self, batch: Batch) -> Segment | None:
        """Returns the segment with the games of a batch, read from the database again; None for a batch of rows.

        Raises
        ------
        BadSegment
            If the segment is damaged.
        """
        place = self._place_of(batch.first) if self._sealed() else None
        if place is None:
            return None
        segment = self._unpack(place)
        if not segment.has_letters(place.letters):
            raise BadSegment(f"the characters in its ids are not those that the index records, {place.letters!r}")
        return segment

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
        start = 0
        for segment, at, count in self._in_order(uids) if len(uids) >= LEAST else ():
            yield np.arange(start, start + count), segment, np.arange(at, at + count)
            start += count
        for places, segment, found in self._anywhere(uids[start:]) if start < len(uids) else ():
            yield places + start, segment, found

    def _in_order(self, uids: NDArray[np.bytes_]) -> Iterator[tuple[Segment, int, int]]:
        """Yields the segments that have the first of these ids, as far as the log has them in the same order.

        A file that comes again is in order: then hashing, sorting and looking up its ids would take most of the time.
        Each segment comes with the index of the first of the ids, and their number.
        """
        for _, segment, (at,) in self._anywhere(uids[:1]):
            while len(uids):
                there = segment.uid[at : at + len(uids)]
                same = there == uids[: len(there)]
                count = len(there) if same.all() else int(same.argmin())
                if count:
                    yield segment, at, count
                place = self._place_of(segment.last + 1)
                if count < len(there) or place is None:
                    return
                uids, segment, at = uids[count:], self._segment(place), 0

    def _anywhere(self, uids: NDArray[np.bytes_]) -> Iterator[tuple[NDArray[np.intp], Segment, NDArray[np.intp]]]:
        """Yields the segments that have some of these ids, as `sealed_with` does, by the hashes of the ids."""
        key = self.key
        hashed = hashes(uids, key)
        order = np.argsort(hashed)
        hashed = hashed[order]
        start = np.flatnonzero(np.diff(hashed, prepend=-1))
        different, count = hashed[start], np.diff(start, append=len(order))
        numbers = np.zeros(1 << uid_runs.NUMBER_BITS, np.bool_)
        numbers[self._keys(different) & (1 << uid_runs.NUMBER_BITS) - 1] = True
        for number in np.flatnonzero(numbers).tolist():
            row = self._one(f"{PLACES} WHERE number = ?", (number,))
            if row is None:  # `verify` reports it
                continue
            segment = self._segment(Place._make(row))
            there = hashes(segment.uid, key)
            which = np.minimum(np.searchsorted(different, there), len(different) - 1)
            at = np.flatnonzero(different[which] == there)
            which = which[at]
            several = np.repeat(start[which] + count[which] - np.cumsum(count[which]), count[which])
            places, at = order[several + np.arange(len(several))], np.repeat(at, count[which])
            same = uids[places] == segment.uid[at]  # two ids may have one hash
            if same.any():
                yield places[same], segment, at[same]

    def _keys(self, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the keys whose hash is among `wanted`, which is sorted and distinct, from index and transaction."""
        inside: Inside | None = self._inside
        fresh = [] if inside is None else [uid_runs.with_hash(keys, wanted) for keys in inside.sealed]
        return np.concatenate([*fresh, uid_runs.found(self._all, wanted)])


def _expression(pattern: str) -> str:
    """Returns the regular expression for lines that match a LIKE pattern; only ASCII letters match in either case.

    The texts between two wildcards are found at their first place and never elsewhere: with every place tried, a
    pattern of ten wildcards took minutes.
    """
    parts = ["".join("." if letter == "_" else re.escape(letter) for letter in part) for part in pattern.split("%")]
    first, *rest = parts
    if not rest:
        return f"^{first}$"
    between = "".join(f"(?>.*?{part})" for part in rest[:-1] if part)
    return f"^{first}{between}.*{rest[-1]}$"


_HOLE = """SELECT first, last FROM batch b WHERE last > ? AND first <= ? AND last - first + 1 >= ?
    AND NOT EXISTS (SELECT 1 FROM segment s WHERE s.first = b.first AND s.last = b.last)
    AND NOT EXISTS (SELECT 1 FROM event e WHERE e.position = b.first) LIMIT 1"""
"""Selects a batch that is large enough for a segment, but has neither a segment nor rows."""
