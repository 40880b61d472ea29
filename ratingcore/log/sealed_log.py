"""Base class of logs in a database that keep large imports as sealed segments: writes them, and checks their ids."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ratingcore.events import Row
from ratingcore.log import uid_runs
from ratingcore.log.append import UidTaken, UidTwice
from ratingcore.log.base_log import StoredLog
from ratingcore.log.chain import Batch, Name, segment_of
from ratingcore.log.sealed_rows import PLACES, Place, SealedRows
from ratingcore.log.segments import Segment, hashes, repeated, texts, texts_of
from ratingcore.log.stored_rows import StoredRows
from ratingcore.log.transaction import Inside

_SLICE = 2**17
"""Number of ids that are compared at once."""
TOGETHER = 2**24
"""Number of ids from which a transaction indexes them before its end, to save memory."""

_OTHER_INDEX = "the index of ids in segments does not match the segments"
_NONE = np.empty(0, np.int64)


class SealedLog(StoredLog, SealedRows):
    """Base class of logs in a database whose games are rows or in segments; ids are unique over both.

    A subclass makes the tables and writes to them. At the end of a transaction, it calls `_index_sealed`; before it
    writes rows, `_check_taken`.
    """

    @abstractmethod
    def _make_segments(self) -> None:
        """Makes the tables of segments, and raises the version of the log, so that older programs refuse it."""

    @abstractmethod
    def _write_sealed(self, batch: Batch, names: Sequence[Name], cells: Sequence[object]) -> None:
        """Writes a batch with a row of `segment` and names, or nothing; `BatchRefused` if the database refuses it."""

    @abstractmethod
    def _run(self, sql: str, values: Sequence[object] = ()) -> object:
        """Runs a statement that writes."""

    @abstractmethod
    def _insert(self, table: str, rows: Iterable[Sequence[object]]) -> object:
        """Inserts rows into a table of segments."""

    # writing

    def may_seal(self) -> bool:
        """True if segments may be written; otherwise games are kept as rows."""
        return True

    def write_segment(self, batch: Batch, names: Sequence[Name], segment: Segment) -> None:
        """Writes a batch of games as a sealed segment, inside `writing`.

        Raises
        ------
        UidTwice
            If an id occurs twice in the segment. If the log already has one, this is raised at the end of the
            transaction, since ids are indexed there, or here if very many ids are waiting.
        """
        inside, hashed = self._appending, hashes(segment.uid, self.key)
        if again := repeated(segment.uid, hashed):
            raise UidTwice(again)
        if not self._sealed():
            self._make_segments()
            inside.seals = True
        number = self._one("SELECT coalesce(max(number), 0) + 1 FROM segment")[0]
        place = Place(number, segment.first, segment.last, segment.pool, segment.letters)
        self._write_sealed(batch, names, (*place, *segment.packed().values()))
        inside.sealed.append(uid_runs.keys_of(hashed, number))
        if sum(map(len, inside.sealed)) >= TOGETHER:
            self._index_sealed(inside)
        self.draft.let_go()

    def restore(self, batch: Batch, names: Sequence[Name], rows: Sequence[Row]) -> None:
        """Writes a batch as exported; as a sealed segment if it was one and may be one."""
        segment = segment_of(self._appending.head.digest, batch, names, rows)
        if segment is None or not self.may_seal():
            super().restore(batch, names, rows)
            return
        self.draft.restore(names)
        self.write_segment(batch, names, segment)
        if erased := [name.id for name in names if name.key is None]:
            self.arrived(erased)

    def _check_taken(self, uids: Sequence[str]) -> None:
        """Raises `UidTaken` if a game in a segment has one of these ids."""
        if self._find_sealed(uids):
            raise UidTaken

    # ids

    def _index_sealed(self, inside: Inside) -> None:
        """Indexes the ids of segments written in a transaction: at its end, or earlier if there are very many.

        Raises
        ------
        UidTwice
            If one of the ids occurs a second time.
        """
        if not inside.sealed:
            return
        keys, suspects = np.concatenate(inside.sealed), list[NDArray[np.int64]]()
        inside.sealed = []
        keys.sort(kind="stable")  # merges sorted parts
        for some in uid_runs.slices(keys, _SLICE):
            earlier = np.sort(uid_runs.found(self._all, uid_runs.hashes_of(some)))
            again = uid_runs.with_hash(some, uid_runs.hashes_of(earlier))
            suspects += [uid_runs.shared(np.sort(np.concatenate((earlier, again)))), uid_runs.shared(some)]
        self._check_unique(np.concatenate(suspects))
        uid_runs.add(self._all, self._run, self._insert, keys)
        self._check_rows(keys)

    def _check_unique(self, suspects: NDArray[np.int64]) -> None:
        """Raises `UidTwice` if an id is in two segments; `suspects` are the keys of hashes that occur in several."""
        numbers, met = suspects & (1 << uid_runs.NUMBER_BITS) - 1, set[str]()
        for number in np.unique(numbers).tolist():
            place = Place._make(self._one(f"{PLACES} WHERE number = ?", (number,)))
            ids, doubtful = self._read(place, ("uid",)).uid, suspects[numbers == number] >> uid_runs.NUMBER_BITS
            here = {*texts(ids[np.isin(hashes(ids, self.key), doubtful)])}
            if again := met & here:
                raise UidTwice(min(again))
            met |= here

    def _check_rows(self, keys: NDArray[np.int64]) -> None:
        """Raises `UidTwice` if an id is both in a row and in a segment; `keys` are sorted keys of segments."""
        for uids, mine in self._of_rows() if len(keys) else ():
            at = np.minimum(np.searchsorted(keys, mine << uid_runs.NUMBER_BITS), len(keys) - 1)
            suspects = [uids[place] for place in np.flatnonzero(keys[at] >> uid_runs.NUMBER_BITS == mine).tolist()]
            if suspects and (there := self._find_sealed(suspects)):
                raise UidTwice(min(there))

    def _of_rows(self) -> Iterator[tuple[list[str], NDArray[np.int64]]]:
        """Yields the uids of rows that a segment could hold, with their hashes."""
        sql, last = "SELECT position, uid FROM event WHERE position > ? ORDER BY position LIMIT ?", -(2**62)
        while rows := self._all(sql, (last, _SLICE)):
            last, texts = rows[-1][0], [uid for _, uid in rows if type(uid) is str]
            uids = [uid for uid in texts if uid.isascii() and "\n" not in uid and "\0" not in uid]
            if uids:
                yield uids, hashes(texts_of(uids), self.key)

    # checking

    def segment_faults(self, hashed: dict[int, NDArray[np.int64]]) -> Iterator[str]:
        """Yields faults of the positions of segments and the index of ids, and ids that occur twice in the log.

        The segments of batches must be undamaged.

        Parameters
        ----------
        hashed : dict of int to (n,) int64
            Hashes of ids that the caller has computed and compared already, by the first position of the segment;
            emptied to save memory.
        """
        if not self._sealed():
            return
        parts, sql = [], f"{PLACES} WHERE number > ? ORDER BY number LIMIT 1"
        number = -(2**62)
        while row := self._one(sql, (number,)):
            place = Place._make(row)
            number, which = place.number, f"the segment of positions {place.first} to {place.last}"
            if self._one("SELECT 1 FROM batch WHERE first = ? AND last = ?", place[1:3]) is None:
                yield f"{which} belongs to no batch"
            if stray := next(StoredRows.rows(self, place.first - 1, place.last), None):
                yield f"position {stray.position} is a row, and in {which}"
            if not 0 < number < 1 << uid_runs.NUMBER_BITS:
                yield f"the number of a segment is out of range: {number}"
                return
            ids = hashed.pop(place.first, None)
            ids = hashes(self._read(place, ("uid",)).uid, self.key) if ids is None else ids
            parts.append(uid_runs.keys_of(ids, number))
        if not uid_runs.are_in_order(self._all):
            yield _OTHER_INDEX
            return
        in_rows = np.unique(np.concatenate([_NONE, *(made for _, made in self._of_rows())]))
        suspects, shared = [_NONE], [_NONE]
        try:
            for first, stop, keys in uid_runs.ranges(parts):
                if not np.array_equal(np.sort(uid_runs.between(self._all, first, stop)), keys):
                    yield _OTHER_INDEX
                    return
                shared.append(uid_runs.shared(keys))
                some = in_rows[np.searchsorted(in_rows, first) : np.searchsorted(in_rows, stop)]
                suspects.append(uid_runs.with_hash(keys, some))
            self._check_unique(np.concatenate(shared))
            self._check_rows(np.concatenate(suspects))
        except UidTwice as twice:
            yield f"the uid {twice.uid} occurs twice"
