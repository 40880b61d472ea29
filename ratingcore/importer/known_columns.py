"""Recognises by columns those rows of a table with ids that the log has as they are; only the others become events."""

from collections.abc import Iterator, Sequence
from itertools import compress, count, islice, repeat

import numpy as np
from attrs import evolve

from ratingcore.columns.games import Ints
from ratingcore.errors import BadFile
from ratingcore.events import Event, GamePlayed, Row
from ratingcore.gc_pause import uncollected
from ratingcore.importer.columnar import note_games, ways_to_read, with_games
from ratingcore.importer.contradictions import Numbered
from ratingcore.importer.game_columns import ROWS, NotPlain, SomeRows
from ratingcore.importer.remarks import ResultRemarks, TableRemarks
from ratingcore.importer.row_fates import What, column_of
from ratingcore.importer.rows import BATCH, Import, Rows, finished
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.taken_back import TakenBack
from ratingcore.log.abilities import Seals
from ratingcore.log.local_times import RESULTS
from ratingcore.log.lookup import corrections_of
from ratingcore.log.segments import MOST, sealable
from ratingcore.readers.sheets import Sheet

_LEFT = 2 * ROWS
"""Number of rows beyond the known ones up to which they are held in memory."""
_NOTHING = -(2**62)


def import_beside_known(file: Import, sheet: Sheet, fields: FieldMap, pool: str, unused: list[str]) -> bool:
    """Imports a table of games with ids into a pool that has many of them; otherwise nothing is written or noted.

    Making an event of each row only to find that the log has it would cost many times the first import.

    Parameters
    ----------
    file : Import
        Its report and remarks are those of the rows afterwards.
    unused : list of str
        Columns not read for any field of a result.
    """
    if {"uid", "id"}.isdisjoint({*sheet.columns, *fields.fields}):
        return False
    log = file.log
    number = log.book.find("pool", pool) if pool else None
    if number is None or file.settings.strict or log.book.erased or fields.mirrored or "[" in pool:
        return False
    if not any(True for _ in log.rows(0, None, RESULTS, number)) or TakenBack.of(log).voids:
        return False
    for way in ways_to_read(sheet, fields, pool, unused, 4 * MOST):
        attempt = evolve(file, remarks=TableRemarks())
        try:
            with uncollected():
                left = _Known(attempt, pool, number).without(way.parts(attempt))
        except (NotPlain, BadFile):
            continue
        rows = Rows(attempt)
        with uncollected():
            rows.append(_batches(attempt.fitting(iter(left))), lambda report: ())
        report = finished(attempt, rows)
        file.report.add(report)
        file.report.head = report.head
        file.report.notes[:0] = way.notes()
        file.remarks, file.times = attempt.remarks, attempt.times
        return True
    return False


def _batches(numbered: Iterator[tuple[int, Event]]) -> Iterator[Numbered]:
    while batch := list(islice(numbered, BATCH)):
        yield batch


class _Known:
    """Finds the rows of one file that the log has as they are."""

    def __init__(self, file: Import, pool: str, number: int) -> None:
        self._file, self._log, self._pool, self._number = file, file.log, pool, number
        self._void = corrections_of(file.log).void
        self._met = ResultRemarks()
        self._ids: dict[str, int] = {}
        """Numbers of the players met so far."""

    def without(self, parts: Iterator[SomeRows]) -> list[tuple[int, GamePlayed]]:
        """The other rows, each with its line; those that the log has go into the report.

        Raises
        ------
        NotPlain
            Also if the rows have no ids, or most of many rows are new.
        """
        report, left, known = self._file.report, list[tuple[int, GamePlayed]](), 0
        remarks = self._file.remarks
        assert remarks is not None
        for part in with_games(parts, report):
            if part.uids is None:
                raise NotPlain
            ids = self._numbers(part.names)
            a, b = ids[part.a], ids[part.b]
            positions = self._positions(part, a, b)
            there = positions != 0
            known += int(there.sum())
            if len(left) + len(part.lines) - int(there.sum()) > known + _LEFT:
                raise NotPlain
            note_games(part, a, b, self._pool, remarks, self._met)
            self._settle(column_of(part.lines)[there], positions[there])
            if not there.all():
                left += compress(part.games(self._pool), (~there).tolist())
            self._file.settings.progress(report.read)
        report.notes += self._met.notes()
        return left

    def _numbers(self, names: Sequence[str]) -> Ints:
        """Ids of players; a name that the log does not have gets a number of its own, below 0."""
        numbers = np.fromiter(map(self._ids.get, names, repeat(0)), np.int64, len(names))
        if len(unmet := np.flatnonzero(numbers == 0)):
            some = [names[at] for at in unmet.tolist()]
            self._ids |= dict(zip(some, count(-1 - len(self._ids), -1), strict=False))
            self._ids |= self._log.book.known("player", some)
            numbers[unmet] = list(map(self._ids.__getitem__, some))
        return numbers

    def _positions(self, part: SomeRows, a: Ints, b: Ints) -> Ints:
        """Position of the event that the log has of each row, as it is; else 0."""
        positions, sealed = np.zeros(len(part.lines), np.int64), np.zeros(len(part.lines), np.bool_)
        order = np.broadcast_to(np.array(part.order or 0), len(positions))
        column = sealable(part.uids) if isinstance(part.uids, list) else part.uids
        if isinstance(self._log, Seals) and column is not None:
            for places, games, at in self._log.sealed_with(column):
                same = (a[places] == games.a[at]) & (b[places] == games.b[at]) & (part.score[places] == games.score[at])
                same &= (part.played[places] == games.played[at]) & (order[places] == 0) & (games.pool == self._number)
                if part.facts is not None:
                    same &= [not part.facts[place] for place in places]
                positions[places], sealed[places] = np.where(same, games.first + at, 0), True
        if not sealed.all():
            self._find(part, np.flatnonzero(~sealed), a, b, order, positions)
        return positions

    def _find(self, part: SomeRows, some: Ints, a: Ints, b: Ints, order: Ints, positions: Ints) -> None:
        """Writes the positions of those events that the log has as rows; `some` are the places that may have one."""
        uids = part.ids()
        found = self._log.find([uids[place] for place in some.tolist()])
        at = [place for place in some.tolist() if uids[place] in found] if found else []
        if not at:
            return
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

    def _settle(self, lines: Ints, positions: Ints) -> None:
        """Adds known rows to the report, those that somebody took back apart from the others."""
        void = np.isin(positions, np.fromiter(self._void, np.int64, len(self._void)))
        whats: tuple[What, What] = "known", "voided"
        for what, some in zip(whats, (~void, void), strict=True):
            self._file.report.settled.add(what, lines[some], positions=positions[some])
