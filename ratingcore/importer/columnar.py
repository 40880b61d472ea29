"""Imports games by columns: writes them as rows of the log, without making an event of each.

The first batch is imported row by row, which adds the names of pool and source to the log. All other games are written
as columns. Uids, ids of names, lists and reports are the same as if all games were imported row by row. (In a strict
import, only the id of the source differs.) A table with a row that needs a closer look is imported row by row. Games of
a large table are sealed in segments if the store has them.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import cast

from attrs import frozen

from ratingcore.errors import BadFile, DeclaredMeanwhile
from ratingcore.events import PoolDeclared
from ratingcore.gc_pause import uncollected
from ratingcore.importer.game_columns import ROWS, NotPlain, SomeRows, first_batch, parts_of_texts, typed_rows
from ratingcore.importer.game_writer import SEALED, Bulk, Writing
from ratingcore.importer.inputs import zone_of
from ratingcore.importer.row_import import Import, Rows
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.results import GameParsers
from ratingcore.importer.tables.sessions import is_of_sessions
from ratingcore.importer.typed_games import parts_of_types
from ratingcore.log.abilities import Seals
from ratingcore.log.append import UidTwice
from ratingcore.log.base_log import BaseLog
from ratingcore.log.local_times import RESULTS, began_with_zone
from ratingcore.readers import Note
from ratingcore.readers.sheets import Sheet, TypedRows
from ratingcore.replay.declared import declared, unreadable_results

COMMITTED = 2**22
"""Number of rows with ids that are committed at a time, so that an import that is killed need not begin anew."""


def import_by_columns(file: Import, sheet: Sheet, fields: FieldMap, pool: str, unused: list[str]) -> bool:
    """Imports a table of games by columns; returns False if it cannot, or only for rows up to line `file.done`.

    The pool must be without results, and the log without erased names.

    Parameters
    ----------
    file : Import
        Gets the report and the remarks: of all rows, or, if False is returned, of the rows up to line `done`.
    unused : list of str
        Columns not read for any field of a result.
    """
    log = file.log
    if not isinstance(file.log, BaseLog) or not pool:
        return False
    number = log.book.find("pool", pool)
    board = None if number is None else declared(log, pool)
    if log.book.erased or file.imported_before or fields.mirrored or "[" in pool or (board is not None and board.of):
        return False
    if number is not None and any(True for _ in log.rows(0, None, RESULTS, number)):
        return False
    rows = ROWS if sheet.typed is None else sheet.typed.rows
    seals = rows >= SEALED and not file.settings.as_rows and isinstance(log, Seals) and log.may_seal()
    for way in ways_to_read(sheet, fields, pool, unused, 2 * SEALED if seals else 0):
        if _imported(file, pool, rows, seals, way.parts):
            file.report.notes[:0] = way.notes()
            return True
        if file.done:
            break
    return False


@frozen
class ColumnImport:
    """A way to read a table by columns.

    Attributes
    ----------
    parts : callable
        Returns the games part by part, for one attempt to import them; raises `NotPlain` if this way does not fit.
    notes : callable
        Returns notes on the rows read so far.
    """

    parts: Callable[[Import], Iterator[SomeRows]]
    notes: Callable[[], Iterable[Note]] = tuple


def ways_to_read(sheet: Sheet, fields: FieldMap, pool: str, unused: list[str], size: int) -> Iterator[ColumnImport]:
    """Ways to read a table of games, the cheapest first; `size` is as for `typed_rows`."""
    of_games = not is_of_sessions(sheet, fields) and "sides" not in {*sheet.columns, *fields.fields}
    parsers = GameParsers.of(sheet, fields, pool) if of_games else None
    plain = parsers is None or not parsers.bound.words()
    if plain and (rows := typed_rows(sheet, fields, unused, size)) is not None:
        yield ColumnImport(partial(_typed, sheet, rows, pool))
    if parsers is not None:
        yield ColumnImport(lambda attempt: parts_of_texts(sheet, parsers, pool, attempt.times), parsers.bound.notes)


def _typed(sheet: Sheet, rows: Iterator[TypedRows | None], pool: str, file: Import) -> Iterator[SomeRows]:
    log, number = file.log, file.log.book.find("pool", pool)
    zone = sheet.zone or zone_of((declared(log, pool) or PoolDeclared(pool=pool)).zone or None)
    return parts_of_types(rows, file.times, zone, number is not None and bool(began_with_zone(log, number)))


def _imported(file: Import, pool: str, rows: int, seals: bool, way: Callable[[Import], Iterator[SomeRows]]) -> bool:
    """Imports a table part by part; returns False if it stopped at rows that must be read in another way."""
    log, attempt = cast(Bulk, file.log), file.attempt()
    parts = _Parts(attempt, log, pool, way(attempt), seals)
    try:
        while not parts.ended:
            with log.loading(), uncollected():
                parts.write(rows)
            file.take(attempt, whole=parts.ended)
    except (NotPlain, UidTwice, BadFile, DeclaredMeanwhile):
        return False
    return True


class _Parts:
    """Writes the parts of a table in transactions, each with about as many rows as all before it."""

    def __init__(self, file: Import, log: "Bulk", pool: str, parts: Iterator[SomeRows], seals: bool) -> None:
        self._file, self._log, self._pool, self._seals = file, log, pool, seals
        self._parts = with_games(parts, file)
        self._writing: Writing | None = None
        self._written, self._end, self._at_once = 0, log.head.position, False
        self.ended = False
        """True if all parts are written."""

    def write(self, rows: int) -> None:
        """Writes parts in one transaction; `rows` is about the number of rows of the whole table.

        Raises
        ------
        NotPlain, UidTwice, BadFile, DeclaredMeanwhile
        """
        file, log, before = self._file, self._log, self._log.head.position
        if self._writing is None:
            self._begin()
        elif before > self._end:
            self._check_others(self._writing, before)
        if self._writing is not None:
            # where most rows are new, they are sorted as soon as they are added
            self._writing.write_all(self._next_parts(), anew=rows - self._written >= before)
            file.report.notes += self._writing.notes() if self.ended else []
        file.settings.progress(file.report.read)
        file.check_strict()
        declaration = declared(log, self._pool)
        fits = "" if declaration is None else declaration.fits
        if fits and unreadable_results(log, self._pool, file.method(fits)):
            raise NotPlain
        file.report.head, self._end = log.head, log.head.position
        file.report.positions = [(before + 1, self._end)] if self._end > before else []

    def _begin(self) -> None:
        """Writes the first batch row by row, which adds the names of pool and source to the log.

        It has the size of a first batch of rows, so that names get the same ids.
        """
        first = first_batch(self._parts)
        if not first:
            self.ended = True
            return
        if any(part.uids is not None and self._log.find(part.ids()) for part in first):
            raise NotPlain
        games = [game for part in first for game in part.games(self._pool)]
        Rows(self._file).append_batch(games)
        if self._file.report.accepted < len(games):
            raise NotPlain
        self._writing = Writing(self._file, self._log, self._pool, self._seals)
        for part in first:
            self._writing.begin(part)
        known = declared(self._log, self._pool)
        self._at_once |= (
            not self._seals
            or any(part.uids is None for part in first)
            or self._file.settings.strict
            or (known is not None and bool(known.fits))
        )

    def _next_parts(self) -> Iterator[SomeRows]:
        """Yields the parts for one transaction; all parts if a second transaction could not be written by columns."""
        most = max(COMMITTED, self._written)
        while self._at_once or most > 0:
            part = next(self._parts, None)
            if part is None:
                self.ended = True
                return
            most -= len(part.lines)
            self._written += len(part.lines)
            yield part

    def _check_others(self, writing: "Writing", head: int) -> None:
        """Raises `NotPlain` if others have recorded an event of the pool meanwhile, or erased a name."""
        number = self._log.book.number("pool", self._pool)
        if self._log.book.erased or any(row.pool == number for row in self._log.rows(self._end, head)):
            raise NotPlain
        writing.knows_all = False


def with_games(parts: Iterable[SomeRows], file: Import) -> Iterator[SomeRows]:
    """Yields the parts that have games; counts all rows, and adds rows that are not games to the report."""
    for part in parts:
        count_rows(part, file)
        if part.lines:
            yield part


def count_rows(part: SomeRows, file: Import) -> None:
    """Counts the rows of a part, and notes those that are not games."""
    file.report.read += len(part.lines)
    for outcome in part.others:
        file.report.note(outcome)
    file.done = max([file.done, *part.lines[-1:], *(outcome.line for outcome in part.others[-1:])])
