"""Imports plain games by columns: rows of a log are written without an event being made of each.

The first rows go the ordinary way and give the log its names of pool and source; all others become rows of the log in
the same transaction. Uids, ids of names, lists and reports are those that the ordinary way gives; a table with a row
that takes a closer look is left to it.
"""

from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.errors import BadFile, DeclaredMeanwhile
from ratingcore.events import PoolDeclared, canonical
from ratingcore.events.values import NO_ID
from ratingcore.importer.game_columns import NotPlain, SomeRows, columns_of, parts_of
from ratingcore.importer.inputs import zone_of
from ratingcore.importer.remarks import SHOWN, TableRemarks
from ratingcore.importer.rows import Import, Rows, imported_before
from ratingcore.importer.tables import FieldMap
from ratingcore.log import SqliteLog
from ratingcore.log.append import UidTaken, UidTwice
from ratingcore.log.chain import Batch, Name, digest_of_texts
from ratingcore.log.identity import Identity, Uids
from ratingcore.log.local_times import RESULTS, began_with_zone
from ratingcore.readers.sheets import Sheet
from ratingcore.replay.declared import declared, odd_results
from ratingcore.uncollected import uncollected

_MOST_LATEST = 1_000_000
"""Games of the latest time whose uids are remembered."""


def import_by_columns(file: Import, sheet: Sheet, fields: FieldMap, pool: str, unused: list[str]) -> bool:
    """Imports a table of plain games in one transaction, if it can be read by columns; if not, nothing is written.

    The pool has no results yet, and the log is one of SQLite without erased names.

    Parameters
    ----------
    file : Import
        Its report and remarks are those of the rows afterwards.
    unused : list of str
        Columns that no field of a result is read from.
    """
    log = file.log
    if sheet.typed is None or not isinstance(log, SqliteLog) or not pool:
        return False
    columns, number = columns_of(sheet, fields, unused), log.id_of("pool", pool)
    if columns is None or log.names_book.erased or imported_before(log, file.report.source):
        return False
    if number is not None and any(True for _ in log.rows(0, None, RESULTS, number)):
        return False
    attempt = evolve(file, remarks=TableRemarks(log))
    try:
        with log.loading(), uncollected():
            _import(attempt, log, sheet, columns, pool)
    except (NotPlain, UidTwice, BadFile, DeclaredMeanwhile):
        return False
    file.report.add(attempt.report)
    file.remarks = attempt.remarks
    return True


def _import(file: Import, log: SqliteLog, sheet: Sheet, columns: dict[str, str], pool: str) -> None:
    assert sheet.typed is not None
    report, before = file.report, log.head.position
    declaration, number = declared(log, pool) or PoolDeclared(pool=pool), log.id_of("pool", pool)
    zone = sheet.zone or zone_of(declaration.zone or None)
    parts = parts_of(sheet, columns, zone, number is not None and bool(began_with_zone(log, number)))
    first = next(parts, None)
    if first is not None:
        if first.uids is not None and log.find(first.uids):
            raise NotPlain
        Rows(file).append_batch(list(first.games(pool)))
        if report.accepted < len(first.played):
            raise NotPlain
        writing = _Writing(file, log, pool, first)
        writing.write_all(parts, anew=sheet.typed.rows >= before)  # as many rows are sorted in the time of adding them
    report.read = report.accepted
    file.settings.progress(report.read)
    if declaration.fits and odd_results(log, pool, file.method(declaration.fits)):
        raise NotPlain
    report.head = log.head


class _Writing:
    """Rows on their way into the log, of which it has the first ones; nobody else writes meanwhile."""

    def __init__(self, file: Import, log: SqliteLog, pool: str, first: SomeRows) -> None:
        import pyarrow as pa  # type: ignore[import-untyped]  # no types

        self._file, self._log = file, log
        self._uids = Uids(log.key)
        self._newest = int(first.played.max())
        """Nothing that was written so far was played later."""
        self.late = False
        """Whether events cannot be found by their uids, which are indexed later."""
        draft = log.draft
        self._pool, self._source = draft.getter("pool")(pool), draft.getter("source")(file.source or file.report.source)
        self.knows_all = not any(draft.name(number).kind == "player" for number in range(1, draft.below + 1))
        """Whether the log has no players but those that are known here."""
        self._ids = ManyNames()
        fresh = [name for name in draft.since(draft.below) if name.kind == "player"]
        self._ids.add(pa.array([name.key for name in fresh], pa.string()), np.array([name.id for name in fresh]))
        ids, _ = self._numbered(first.names)
        self._latest = self._recorded_at(self._newest)
        """Uids of the games of that time."""
        draft.let_go()
        assert file.remarks is not None
        self._remarks = file.remarks
        for line, game in islice(first.games(pool), SHOWN):
            self._remarks.show(line, game)
        self._note(first, ids[first.a], ids[first.b])

    def write_all(self, parts: Iterator[SomeRows], anew: bool) -> None:
        """Writes the parts after the first one; `anew` says whether indexes are made again, where that can be done."""
        more = next(parts, None)
        if more is not None and anew and self._goes_on(more):
            with self._log.indexed_last(names=self.knows_all) as self.late:
                while more is not None and self._goes_on(more):
                    self._write(more)
                    more = next(parts, None)
            self.late = False
        while more is not None:
            self._write(more)
            more = next(parts, None)

    def _note(self, part: SomeRows, a: Ints, b: Ints) -> None:
        """Takes note of rows that may be mistakes."""
        self._remarks.add_games(part.first, part.played, part.names.to_pylist(), _contents(part, a, b))
        if part.uids is not None:
            names = [name.casefold() for name in part.names.to_pylist()]
            for uid, one, other in zip(map(str.casefold, part.uids), part.a.tolist(), part.b.tolist(), strict=True):
                if names[one] in uid or names[other] in uid:
                    raise NotPlain

    def _recorded_at(self, played: int) -> set[str]:
        start = self._uids.start(Identity("game", self._pool, played, 0, 0))
        return {row.uid for row in self._log.rows_between(start, start[:-1] + ".")}

    def _goes_on(self, part: SomeRows) -> bool:
        """Whether no uid of a part that is not its own may recur but those of the latest games that are written."""
        in_order = bool(part.played.min() >= self._newest) and len(self._latest) < _MOST_LATEST
        return in_order or part.uids is not None

    def _write(self, part: SomeRows) -> None:
        """Writes one batch.

        Raises
        ------
        UidTwice
            If the log has the uid that a row was given.
        """
        log = self._log
        last = log.last_batch()
        assert last is not None, "the first rows are there"
        first, stop = last.last + 1, last.last + len(part.played)
        log.draft.begin(first)
        ids, names = self._numbered(part.names)
        a, b = ids[part.a], ids[part.b]
        uids = part.uids or self._named(part.played, np.minimum(a, b), np.maximum(a, b))
        recorded = max(log.now(), last.recorded)
        head = (last.digest, first, stop, recorded, self._source, names)
        digest = digest_of_texts(*head, _texts(first, uids, self._pool, part, a, b))
        columns = [uids, *(column.tolist() for column in (part.played, a, b, part.score))]
        try:
            log.write_games(Batch(first, stop, recorded, self._source, digest), names, self._pool, columns)
        except UidTaken:
            raise UidTwice(min(log.find(uids))) from None
        log.draft.let_go()
        self._note(part, a, b)
        self._file.report.accepted += len(part.played)
        self._file.settings.progress(self._file.report.accepted)

    def _numbered(self, names: Any) -> tuple[Ints, list[Name]]:
        """Ids of players, and the names of those who are new."""
        ids, draft = self._ids.find(names), self._log.draft
        unmet = np.flatnonzero(ids == 0)
        keys = names.take(unmet).to_pylist()
        there = {} if self.knows_all or not keys else draft.known("player", keys)
        fresh = draft.add_all("player", [key for key in keys if key not in there] if there else keys)
        known = there | {name.key: name.id for name in fresh if name.key is not None}
        ids[unmet] = [known[key] for key in keys]
        self._ids.add(names.take(unmet), ids[unmet])
        return ids, fresh

    def _named(self, played: Ints, low: Ints, high: Ints) -> list[str]:
        """Uids of games; those of players who met at the same time before are counted on."""
        pool, uids = self._pool, self._uids.of_games(self._pool, played, low, high)
        again = np.flatnonzero(played <= self._newest).tolist()
        there = self._there({uids[at] for at in again})
        if there or len(set(uids)) < len(uids):
            turns = {}
            for at in again:
                if uids[at] in there:
                    one = Identity("game", pool, int(played[at]), int(low[at]), int(high[at]))
                    turns[uids[at]] = next(turn for turn in count(1) if not self._there({self._uids.uid(one, turn)}))
            name = self._uids.naming(turns)
            cells = zip(played.tolist(), low.tolist(), high.tolist(), strict=True)
            uids = [name((0, NO_ID, "game", pool, at, 0, one, other)) for at, one, other in cells]
        newest = int(played.max())
        if newest >= self._newest:
            latest = {uids[at] for at in np.flatnonzero(played == newest).tolist()}
            self._latest = latest | self._latest if newest == self._newest else latest
            self._newest = newest
        return uids

    def _there(self, uids: set[str]) -> set[str]:
        """Those of some uids that are taken; where they are indexed later, ask for games of the latest time only."""
        if self.late:
            return uids & self._latest
        return set(self._log.find(list(uids))) if uids else uids


def _contents(part: SomeRows, a: Ints, b: Ints) -> Ints:
    """A number for each row, which rows of equal content share."""
    made = np.zeros(len(a), np.uint64)
    for column in (part.played, a, b, np.ascontiguousarray(part.score)):
        made = (made ^ column.view(np.uint64)) * _FACTOR
        made ^= made >> _SHIFT
    return made.view(np.int64)


def _texts(first: int, uids: list[str], pool: int, part: SomeRows, a: Ints, b: Ints) -> bytes:
    """The rows in canonical JSON, parted by commas."""
    import pyarrow as pa
    from pyarrow import compute

    def text(column: Ints) -> Any:
        return compute.cast(pa.array(column), pa.string())

    together = "".join(uids)
    if '"' in together or "\\" in together:
        uids = [canonical(uid)[1:-1] for uid in uids]
    scores, which = np.unique(part.score, return_inverse=True)
    spelt = pa.array([canonical(score) for score in scores.tolist()])
    rows = compute.binary_join_element_wise(
        "[", text(np.arange(first, first + len(uids))), ',"', pa.array(uids), f'","game",{pool},', text(part.played),
        ",0,", text(a), ",", text(b), ",", spelt.take(pa.array(which)), ",null,null],", "",
    )  # fmt: skip
    end = int(np.frombuffer(rows.buffers()[1], dtype=np.int32)[len(rows)])
    return memoryview(rows.buffers()[2])[: end - 1].tobytes()  # the last comma is one too many


Words = NDArray[np.uint64]

_WORD = 8
"""Bytes that are hashed and compared at once."""
_KEPT = np.array([(1 << 8 * kept) - 1 for kept in range(_WORD + 1)], np.uint64)
"""What is kept of a word of which so many bytes belong to a text."""
_FACTOR, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
"""Multiplied by the golden ratio of 64 bits, neighbours come far apart [1]_; the shift lets high bits move low ones.

.. [1] Knuth, *The Art of Computer Programming* 3, section 6.4.
"""


class ManyNames:
    """Names, each of which has a number above 0; whole texts are compared, so that equal hashes confuse nobody.

    Examples
    --------
    >>> import pyarrow as pa
    >>> names = ManyNames()
    >>> names.add(pa.array(["ann", "bo"]), np.array([7, 8]))
    >>> names.find(pa.array(["bo", "cy", "ann"])).tolist()
    [8, 0, 7]
    """

    def __init__(self) -> None:
        self._count = 0
        self._hashes: Words = np.zeros(1, np.uint64)
        self._numbers: Ints = np.zeros(1, np.int64)
        self._ends: Ints = np.zeros(1, np.int64)
        """Where the text of each name ends in the bytes; the next one begins there. Places count from 1."""
        self._bytes: NDArray[np.uint8] = np.zeros(_WORD, np.uint8)
        self._table: NDArray[np.int32] = np.zeros(1024, np.int32)
        """By hash, the place of a name, or 0; one that finds another there stands in the next that is free."""

    def find(self, texts: Any) -> Ints:
        """Numbers of names, 0 for one that is not there.

        Parameters
        ----------
        texts : Arrow array of strings
        """
        asked = _Texts.of(texts)
        hashes, found = asked.hashes(), np.zeros(len(texts), np.int64)
        slot, left = self._slots(hashes), np.arange(len(texts))
        while len(left):
            place = self._table[slot[left]]
            left, place = left[place > 0], place[place > 0]
            alike = np.flatnonzero(self._hashes[place] == hashes[left])
            held = _Texts(self._bytes, self._ends[place[alike] - 1], self._ends[place[alike]])
            alike = alike[held.same_as(asked.at(left[alike]))]
            found[left[alike]] = self._numbers[place[alike]]
            left = np.delete(left, alike)
            slot[left] = slot[left] + 1 & len(self._table) - 1
        return found

    def add(self, texts: Any, numbers: Ints) -> None:
        """Adds names that are not there, none of them twice.

        Parameters
        ----------
        texts : Arrow array of strings
        numbers : (n,) int
        """
        added = _Texts.of(texts)
        first, self._count = self._count + 1, self._count + len(texts)
        ends, size = int(self._ends[first - 1]), added.size()
        self._bytes = _longer(self._bytes, ends + int(size.sum()) + _WORD)
        self._bytes[ends : ends + int(size.sum())] = added.joined()
        self._hashes, self._numbers, self._ends = (
            _longer(one, self._count + 1) for one in (self._hashes, self._numbers, self._ends)
        )
        rows = slice(first, self._count + 1)
        self._hashes[rows], self._numbers[rows], self._ends[rows] = added.hashes(), numbers, ends + np.cumsum(size)
        if 2 * self._count > len(self._table):
            self._table = np.zeros(4 * len(self._table) << (self._count // len(self._table)).bit_length(), np.int32)
            first = 1
        self._enter(np.arange(first, self._count + 1))

    def _slots(self, hashes: Words) -> Ints:
        slots: Ints = (hashes >> np.uint64(64 - len(self._table).bit_length() + 1)).astype(np.int64)
        return slots

    def _enter(self, places: Ints) -> None:
        """Enters names into the table; of several at one slot one stays, and the others go on."""
        slot = self._slots(self._hashes[places])
        while len(places):
            free = self._table[slot] == 0
            self._table[slot[free]] = places[free]
            left = self._table[slot] != places
            places, slot = places[left], slot[left] + 1 & len(self._table) - 1


class _Texts:
    """Texts as stretches of bytes, behind which there is at least one more word."""

    def __init__(self, content: NDArray[np.uint8], start: Ints, end: Ints) -> None:
        self._content, self._start, self._end = content, start, end
        words = max(len(content) - _WORD + 1, 0)
        self._words: Words = np.ndarray((words,), "<u8", content.data, strides=(1,))

    @classmethod
    def of(cls, texts: Any) -> "_Texts":
        """The texts of an Arrow array."""
        _, offsets, content = texts.buffers()
        ends = np.frombuffer(offsets, np.int32, len(texts) + 1, 4 * texts.offset).astype(np.int64)
        end, blank = int(ends[-1]), np.zeros(_WORD, np.uint8)
        seen = blank[:0] if content is None else np.frombuffer(content, np.uint8)[ends[0] : end]
        return cls(np.concatenate([seen, blank]), ends[:-1] - ends[0], ends[1:] - ends[0])

    def at(self, rows: Ints) -> "_Texts":
        """Some of the texts."""
        return _Texts(self._content, self._start[rows], self._end[rows])

    def size(self) -> Ints:
        """How many bytes each has."""
        return self._end - self._start

    def joined(self) -> NDArray[np.uint8]:
        """The bytes of all, where they follow each other."""
        return self._content[:-_WORD]

    def _word(self, number: int, rows: Ints | slice) -> Words:
        start = self._start[rows] + _WORD * number
        word: Words = self._words[start] & _KEPT[np.minimum(self._end[rows] - start, _WORD)]
        return word

    def hashes(self) -> Words:
        """A number for each text, which equal texts share."""
        size = self.size()
        made: Words = size.astype(np.uint64) * _FACTOR
        for number in range(-(-int(size.max(initial=0)) // _WORD)):
            rows: Ints | slice = slice(None) if number == 0 else np.flatnonzero(size > _WORD * number)
            mixed = (made[rows] ^ self._word(number, rows)) * _FACTOR
            made[rows] = mixed ^ mixed >> _SHIFT
        made *= _FACTOR
        return made

    def same_as(self, others: "_Texts") -> NDArray[np.bool_]:
        """Whether each text is the other one of its row."""
        size = self.size()
        same: NDArray[np.bool_] = size == others.size()
        for number in range(-(-int(size.max(initial=0)) // _WORD)):
            rows = np.flatnonzero(same & (size > _WORD * number))
            same[rows] = self._word(number, rows) == others._word(number, rows)
        return same


def _longer(held: NDArray[Any], least: int) -> NDArray[Any]:
    """An array of at least this length that begins as another; a quarter longer, so that it is copied seldom."""
    if least <= len(held):
        return held
    longer = np.zeros(least + least // 4, held.dtype)
    longer[: len(held)] = held
    return longer
