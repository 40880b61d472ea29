"""Imports a table into a pool that has results, reading whole columns: recognises known rows, and seals new ones."""

from collections.abc import Collection, Iterator
from itertools import compress, islice
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.errors import BadFile
from ratingcore.events import Row
from ratingcore.gc_pause import uncollected
from ratingcore.importer.columnar import count_rows, ways_to_read
from ratingcore.importer.contradictions import Numbered
from ratingcore.importer.game_columns import NotPlain, SomeRows
from ratingcore.importer.game_writer import SEALED, Bulk, PlayerIds, Writing, note_games
from ratingcore.importer.recorded_games import has_derived
from ratingcore.importer.remarks import ResultRemarks
from ratingcore.importer.row_import import BATCH, Import, Rows, finished
from ratingcore.importer.row_outcomes import What, column_of
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.taken_back import TakenBack
from ratingcore.log.abilities import Seals, sealed_parts, sealed_with
from ratingcore.log.append import UidTwice
from ratingcore.log.chain import Receipt
from ratingcore.log.derived_uids import Uids
from ratingcore.log.local_times import RESULTS
from ratingcore.log.lookup import corrections_of
from ratingcore.log.segments import MOST, sealable
from ratingcore.readers.sheets import Sheet
from ratingcore.replay.declared import any_declared

_NOTHING = -(2**62)


def import_into_known(file: Import, sheet: Sheet, fields: FieldMap, pool: str, unused: list[str]) -> bool:
    """Imports a table of games into a pool that has results, if it can be read by columns; returns whether it did.

    To make an event of each row, only to find that the log has it already, would take many times as long as the first
    import. So rows that are in the log are recognised by columns, and only new ones are recorded; many new ones are
    sealed. This is fast for a file that has grown, or whose import was interrupted.

    Parameters
    ----------
    file : Import
        Gets the report and the remarks: of all rows, or, if False is returned, of the rows up to line `done`.
    unused : list of str
        Columns that are not read as a field of a result.
    """
    if file.done:
        return False
    log, with_ids = file.log, not {"uid", "id"}.isdisjoint({*sheet.columns, *fields.fields})
    number = log.book.find("pool", pool) if pool else None
    if number is None or file.settings.strict or log.book.erased or fields.mirrored or "[" in pool:
        return False
    if not any(True for _ in log.rows(0, None, RESULTS, number)):
        return False
    back = TakenBack.of(log).voids
    if not with_ids and (back or not sealed_parts(log, number, 0, log.head.position)):
        return False
    for way in ways_to_read(sheet, fields, pool, unused, 4 * MOST):
        attempt = file.attempt()
        rows = Rows(attempt)
        known = _Known(attempt, pool, number, rows, back, has_ids=with_ids)
        try:
            with uncollected():
                rows.append(known.batches(way.parts(attempt)), lambda report: (), known.has_read_all)
        except (NotPlain, BadFile):
            continue
        finished(attempt, rows)
        file.matching, file.unsettled = rows.matching, attempt.unsettled
        file.take(attempt, whole=known.whole)
        file.report.notes[:0] = way.notes() if known.whole else ()
        return known.whole
    return False


class _Known:
    """Finds the rows of one file that the log has already; `whole` is True once all rows have been read."""

    def __init__(
        self, file: Import, pool: str, number: int, rows: Rows, back: Collection[int], *, has_ids: bool
    ) -> None:
        self._file, self._log, self._pool, self._number, self._rows = file, file.log, pool, number, rows
        self._void = corrections_of(file.log).void
        self._back = np.fromiter(back, np.int64, len(back))
        """Positions of the events that were taken back with their source: their rows are imported one by one."""
        self._met = ResultRemarks()
        self._players = PlayerIds()
        self._source_known = False
        self._seals = (
            isinstance(self._log, Seals)
            and self._log.may_seal()
            and not (file.settings.as_rows or back or any_declared(self._log) or has_derived(self._log))
        )
        """Whether rows with an id that is not in the log are certainly new, so that they may be sealed."""
        self.whole = False
        self._uids, self._derived = Uids(self._log.key), not has_ids
        self._seen = np.zeros(0 if has_ids else file.before + 1, np.bool_)
        """Mask of the positions of events that were recognised by a row without an id."""
        self._others = set[int]()
        """Positions of events with the time and players of a row without an id, but with other content."""

    def batches(self, parts: Iterator[SomeRows]) -> Iterator[Numbered]:
        """Yields the rows that are neither known nor sealed, each with its line; adds the others to the report.

        Raises
        ------
        NotPlain, BadFile
            If the first part cannot be read by columns.
        """
        while True:
            try:
                part = next(parts, None)
                if part is None:
                    break
                if not part.lines:
                    count_rows(part, self._file)
                    continue
                ids = self._numbers(part)
                a, b = ids[part.a], ids[part.b]
                self._note(part, a, b)
            except (NotPlain, BadFile):
                if self._file.done:
                    self._rows.matching.reserve(np.flatnonzero(self._seen).tolist())
                    return
                raise
            count_rows(part, self._file)
            positions, met = self._of_pairs(part, a, b) if self._derived else self._positions(part, a, b)
            there = (positions != 0) & (positions <= self._file.before) & ~np.isin(positions, self._back)
            self._settle(column_of(part.lines)[there], positions[there])
            fresh = ~met
            if not self._seals or self._derived or fresh.sum() < SEALED + BATCH:
                yield from self._events(part, ~there)
            else:
                yield from self._events(part, met & ~there)
                yield from self._sealed(part, fresh)
            self._file.settings.progress(self._file.report.read)
        self._reserve()
        self._file.report.notes += self._met.notes()
        self.whole = True

    def has_read_all(self) -> bool:
        """True if no rows are left to be imported one by one."""
        return self.whole

    def _note(self, part: SomeRows, a: Ints, b: Ints) -> None:
        if (part.uids is None) is not self._derived:
            raise NotPlain
        assert self._file.remarks is not None
        note_games(part, a, b, self._pool, self._file.remarks, self._met)

    def _events(self, part: SomeRows, some: NDArray[np.bool_]) -> Iterator[Numbered]:
        if some.any():
            numbered = self._file.fitting(compress(part.games(self._pool), some.tolist()))
            while batch := list(islice(numbered, BATCH)):
                yield batch

    def _sealed(self, part: SomeRows, some: NDArray[np.bool_]) -> Iterator[Numbered]:
        """Seals rows with new ids, then yields an empty batch; yields rows that cannot be sealed."""
        if not self._source_known:  # the first rows become ordinary events, which add the name of the source to the log
            first = some & (np.cumsum(some) <= BATCH)
            yield from self._events(part, first)
            self._source_known, some = True, some & ~first
        log, part = cast(Bulk, self._log), part.only(some)
        try:
            with log.loading():
                if log.book.erased or any_declared(log):
                    raise NotPlain
                Writing(self._file, log, self._pool, seals=True).write(part)
                receipt = Receipt(log.head, len(part.lines), 0)
        except (NotPlain, UidTwice):  # others have recorded something meanwhile
            yield from self._events(part, np.ones(len(part.lines), np.bool_))
            return
        self._rows.took(part.lines, receipt, nameless=False)
        yield []

    def _numbers(self, part: SomeRows) -> Ints:
        """Returns the ids of players by their places; each name that is not in the log gets a negative number."""
        places, ids = self._players.unmet(part), self._players.ids
        unmet = {part.names[at]: -1 - at for at in places.tolist()}
        ids[places] = [*(unmet | self._log.book.known("player", unmet)).values()]
        return ids

    def _positions(self, part: SomeRows, a: Ints, b: Ints) -> tuple[Ints, NDArray[np.bool_]]:
        """Returns the position of each row's event, 0 unless it has the same content, and a mask of the rows found."""
        column = sealable(part.uids) if isinstance(part.uids, list) else part.uids
        order = np.broadcast_to(np.array(part.order or 0), len(part.lines))
        at, same = self._sealed_at(part, slice(None), column, a, b)
        positions, sealed = np.where(same, at, 0), at != 0
        if not sealed.all():
            sealed[self._find(part, np.flatnonzero(~sealed), a, b, order, positions)] = True
        return positions, sealed

    def _of_pairs(self, part: SomeRows, a: Ints, b: Ints) -> tuple[Ints, NDArray[np.bool_]]:
        """Like `_positions`, for rows without ids: only the first event of a time and pair is found, and only once."""
        some = np.flatnonzero((a > 0) & (b > 0))
        low, high = np.minimum(a, b)[some], np.maximum(a, b)[some]
        column = self._uids.of_games(self._number, part.played[some], low, high) if len(some) else None
        at, same = self._sealed_at(part, some, column, a, b)
        at[at > self._file.before] = 0
        rows = np.flatnonzero(same & ~self._seen[at] & (at != 0))
        rows = rows[~np.isin(at[rows], self._rows.matching.matched(at[rows].tolist()))]
        rows = rows[np.unique(at[rows], return_index=True)[1]]
        positions = np.zeros(len(at), np.int64)
        positions[rows] = at[rows]
        self._seen[at[rows]] = True
        self._others.update(at[(at != 0) & (positions == 0)].tolist())
        self._reserve()
        return positions, at != 0

    def _reserve(self) -> None:
        """Prevents further rows of the same time and pair from being matched with events that are recognised."""
        self._rows.matching.reserve(position for position in self._others if self._seen[position])

    def _sealed_at(
        self, part: SomeRows, some: Ints | slice, uids: NDArray[np.bytes_] | None, a: Ints, b: Ints
    ) -> tuple[Ints, NDArray[np.bool_]]:
        """Returns the position of the sealed game with each row's id, or 0, and whether its content is the same.

        `some` are the indexes of the rows to which `uids` belong.
        """
        at, same = np.zeros(len(part.lines), np.int64), np.zeros(len(part.lines), np.bool_)
        if uids is None:
            return at, same
        order, rows = np.broadcast_to(np.array(part.order or 0), len(at)), np.arange(len(at))[some]
        for places, games, there in sealed_with(self._log, uids):
            row = rows[places]
            alike = (a[row] == games.a[there]) & (b[row] == games.b[there]) & (part.score[row] == games.score[there])
            alike &= (part.played[row] == games.played[there]) & (order[row] == 0) & (games.pool == self._number)
            if part.facts is not None:
                alike &= [not part.facts[one] for one in row]
            at[row], same[row] = games.first + there, alike
        return at, same

    def _find(self, part: SomeRows, some: Ints, a: Ints, b: Ints, order: Ints, positions: Ints) -> list[int]:
        """Looks up the ids of some rows in the table of events, and fills in `positions` where the content is the same.

        Returns the indexes of the rows whose id was found.
        """
        uids = part.ids()
        found = self._log.find([uids[place] for place in some.tolist()])
        at = [place for place in some.tolist() if uids[place] in found] if found else []
        if not at:
            return at
        columns = zip(*(found[uids[place]] for place in at), strict=True)
        recorded = dict(zip(Row._fields, columns, strict=True))
        given = {"played": part.played, "a": a, "b": b, "score": part.score, "order": order}
        same = np.ones(len(at), np.bool_)
        for name, column in given.items():
            same &= np.array([_NOTHING if cell is None else cell for cell in recorded[name]]) == column[at]
        texts, pool = part.texts(), self._number
        same &= [
            kind == "game" and of == pool and data == texts[place]
            for kind, of, data, place in zip(recorded["kind"], recorded["pool"], recorded["data"], at, strict=True)
        ]
        positions[at] = np.where(same, np.array(recorded["position"], np.int64), 0)
        return at

    def _settle(self, lines: Ints, positions: Ints) -> None:
        """Adds known rows to the report; those that were taken back are counted separately."""
        void = np.isin(positions, np.fromiter(self._void, np.int64, len(self._void)))
        whats: tuple[What, What] = "known", "voided"
        for what, some in zip(whats, (~void, void), strict=True):
            self._file.report.settled.add(what, lines[some], positions=positions[some])
