"""Imports chosen files into a log one by one, and reports on each."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from itertools import islice
from pathlib import PurePath
from typing import Any

from attrs import evolve

from ratingcore.corrections.merge import self_pairings
from ratingcore.corrections.results import pools_in_use
from ratingcore.errors import (
    Absent,
    ArchiveError,
    BadFile,
    BadValue,
    DeclaredMeanwhile,
    NoOffset,
    PluginFails,
    RatingCoreError,
    RowsRefused,
)
from ratingcore.events import DAY, Event, GamePlayed, Instant
from ratingcore.importer.columnar import import_by_columns
from ratingcore.importer.day_notes import DaysInUtc
from ratingcore.importer.descriptions import NewDescriptions
from ratingcore.importer.differences import content_of
from ratingcore.importer.documents import Documents
from ratingcore.importer.doubtful_columns import doubts_of_columns
from ratingcore.importer.doubtful_names import doubtful_newcomers
from ratingcore.importer.event_maker import EventMaker, item_text
from ratingcore.importer.far_days import far_from_pool
from ratingcore.importer.file_choice import Choice, Chosen, origin_of
from ratingcore.importer.item_columns import import_items
from ratingcore.importer.kept_columns import further_fields, maybe_pools
from ratingcore.importer.known_columns import import_into_known
from ratingcore.importer.name_notes import KnownByName
from ratingcore.importer.notes import PoolColumnUnread, PoolSpeltLike, ReadAs
from ratingcore.importer.reader_choice import PlainReader, TableOptions
from ratingcore.importer.recorded_games import KnownRows, batches_from, source_at
from ratingcore.importer.recorded_notes import BetweenOnePerson, LeftOut
from ratingcore.importer.recorded_twice import Repeats, recorded_twice
from ratingcore.importer.reissue import reissue_rows
from ratingcore.importer.remarks import TableRemarks, check_date_format, is_ambiguous
from ratingcore.importer.report import ImportReport
from ratingcore.importer.row_import import Import, backfill_rows, import_rows
from ratingcore.importer.settings import Settings
from ratingcore.importer.tables.results import fields_with_columns, read_sheet, sheet_of_results, unused_columns
from ratingcore.importer.tables.sheets import TableSource
from ratingcore.log import Log
from ratingcore.log.lookup import decoder_of
from ratingcore.log.overlay import TrialLog
from ratingcore.methods.wrapped import failing
from ratingcore.readers import (
    Document,
    Facts,
    Game,
    Made,
    Note,
    Outcome,
    Reason,
    Refused,
    Seed,
    Session,
    TimedOptions,
    Unrated,
)
from ratingcore.readers.items import LEFT_OUT
from ratingcore.readers.sheets import Sheet
from ratingcore.replay.declared import MethodOf
from ratingcore.spelling import spelt_like

_END = object()
_EXAMINED = 100
"""Number of games of a file that are examined for times of day."""


def import_files(
    log: Log, method: MethodOf, choice: Choice, settings: Settings, keep_going: bool = False,
    result_fields: Callable[[], Collection[str]] = tuple,
) -> Iterator[ImportReport]:  # fmt: skip
    """Imports files one by one and yields the report of each.

    Parameters
    ----------
    log : Log
    method : callable
        Returns the method that a text names; a pool declared for a method accepts only what it can read.
    choice : Choice
    settings : Settings
    keep_going : bool
        Whether to go on after a file that cannot be read to its end; if not, such a file ends the import with
        its report if the user named it, and earlier files stay imported.
    result_fields : callable
        Returns names of fields that are read from columns of the same name; called if a column is unused.

    Raises
    ------
    BadValue
        If a setting for one file is given with several.
    """
    tables = [one.options for one in choice.files if isinstance(one.options, TableOptions)]
    known = next((table.fields.known for table in tables if table.fields.known is not None), None)
    if known is not None and settings.reissue is not False:
        raise BadValue("known", known, "applies to the first import into a pool, and cannot be combined with a reissue")
    if known is not None and len(choice.files) > 1:
        raise BadValue("known", known, f"can be used with one file only, and {len(choice.files)} are given")
    if isinstance(settings.reissue, str) and len(choice.files) > 1:
        raise BadValue("reissue", settings.reissue, f"names the source of one file, not of {len(choice.files)}")
    if settings.reissue is True:
        _check_sources(choice.files)
    if settings.dry_run:
        return _dry_run(log, lambda trial: _Files(trial, method, settings, result_fields).run(choice, keep_going))
    return _Files(log, method, settings, result_fields).run(choice, keep_going)


def _check_sources(files: Iterable[Chosen]) -> None:
    """Refuses two tables of one source as new issues: the second would void the results of the first."""
    seen = dict[str, str]()
    for one in files:
        name = one.found.source.name
        other = seen.setdefault(origin_of(one.reader, name), name)
        if other != name and one.reader.unit != "document":
            why = (
                f"is not possible for two files of one name, {other} and {name}: import them one by one, or rename one"
            )
            raise BadValue("reissue", True, why)


def _dry_run(log: Log, run: Callable[[Log], Iterator[ImportReport]]) -> Iterator[ImportReport]:
    """Yields the reports of a dry run, which imports into a private trial of the log and blocks no other writers."""
    trial = log if isinstance(log, TrialLog) and not log.sealed else TrialLog(log)  # a plan keeps its trial, to show it
    for report in run(trial):
        report.head = trial.upon
        yield report


class _Files:
    """Imports files into a log one by one; each is compared with what the earlier ones recorded."""

    def __init__(
        self, log: Log, method: MethodOf, settings: Settings, result_fields: Callable[[], Collection[str]]
    ) -> None:
        self._log, self._method, self._settings, self._result_fields = log, method, settings, result_fields
        self._people = NewDescriptions(log, settings)
        self._documents: dict[str, Documents] = {}
        self._repeats: list[Repeats] = []
        """New games of the last file that are like others."""

    def run(self, choice: Choice, keep_going: bool) -> Iterator[ImportReport]:
        """Yields the reports of the files, first of those that could not be opened."""
        for unreadable in choice.problems:
            yield self._failed(unreadable.name, unreadable.problem)
        with closing(choice):
            files = _oldest_first(choice.files)
            for place, one in enumerate(files):
                report = self._import(one)
                yield report
                if report.failed and one.found.named and not keep_going:
                    for other in files[place + 1 :]:
                        name = other.found.source.name
                        yield self._failed(
                            name,
                            BadFile(name, "an earlier file failed", "keep going to import the others", "keep_going"),
                        )
                    break
        if choice.unknown:
            yield ImportReport("other files", dry_run=self._settings.dry_run, unknown=choice.unknown)

    def _failed(self, name: str, problem: RatingCoreError) -> ImportReport:
        return ImportReport(name, dry_run=self._settings.dry_run, error=problem, head=self._log.head)

    def _import(self, one: Chosen, *, tried: bool = False) -> ImportReport:
        source, settings = one.found.source, self._settings
        pools, used = self._log.book.keys_of("pool"), pools_in_use(self._log)
        only = used[0] if len(used) == 1 else ""
        is_document, table = one.reader.unit == "document", None
        if isinstance(one.options, TableOptions):
            fields = one.options.fields.with_blanks_of(self._log.book.spaced())
            table = evolve(one.options, pool=settings.pool or only, fields=fields, without=settings.without)
            one = evolve(one, options=table)
        self._people.next_file()
        skips = not tried and (settings.skip_known or self._changes_times_of_day(one))
        known = self._known_rows(one) if skips else KnownRows()
        file = Import(
            self._log,
            self._method,
            evolve(settings, amend=settings.amend or isinstance(one.reader, PlainReader)),
            source.name,
            origin_of(one.reader, source.name),
            f"reader {one.reader.name}",
            either_time=not settings.amend and isinstance(one.options, TimedOptions),
            known=known,
        )
        # a stream's local times are read in their pool's zone row by row (`Import.part`), a document's by the maker
        maker = EventMaker(one.reader, one.options, settings, only, file.times if is_document else None, one.names)
        report = file.report
        try:
            if is_document:
                self._take_documents(one, maker, file)
            else:
                self._take_stream(one, table, maker, file)
        except RowsRefused:
            raise
        except (ArchiveError, DeclaredMeanwhile, NoOffset, PluginFails) as problem:
            report = report.broken_off(problem)
            source.close()  # the error names the reader, and the report of a folder may have thousands of them
        for line in source.too_long:
            report.read += 1
            report.refused.append((line, Reason("is longer than 1 MiB"), ""))
        report.refused.sort()
        report.merge_notes()
        report.source = PurePath(source.name).name if one.found.named else source.name
        report.reader, report.encoding = one.reader.name, source.decoded_as
        if source.decoded_as:
            report.notes.append(ReadAs(source.decoded_as))
        if maker.by_name:
            report.notes.append(KnownByName(len(maker.by_name)))
        report.notes += self._people.identities.notes(maker.by_name)
        report.head = self._log.head
        if report.head.position > file.before and report.changes:
            self._note_written(file, report, pools)
        return report

    def _changes_times_of_day(self, one: Chosen) -> bool:
        """True if a table gives times of day where the log has days only, or the reverse."""
        table, settings = one.options, self._settings
        if not isinstance(table, TableOptions) or settings.reissue is not False or table.fields.known is not None:
            return False
        recorded = set[bool]()
        for batch in batches_from(self._log, origin_of(one.reader, one.found.source.name)):
            rows = self._log.rows(batch.first - 1, min(batch.last, batch.first + _EXAMINED), ("game",))
            times = [(row.played or 0) % DAY for row in rows]
            recorded.update([any(times)] if times else [])
        if len(recorded) != 1:
            return len(recorded) > 1
        with suppress(RatingCoreError):  # reported when the file is imported
            sheet = sheet_of_results(one.found.source.reusable(), table.fields)
            sheet = evolve(sheet, once=sheet.once or sheet.typed is not None)  # words of a few rows are enough
            items = read_sheet(sheet, table.pool or None, table.fields)
            games = (item.event for item in items if isinstance(item, Made) and isinstance(item.event, GamePlayed))
            return {any(game.played % DAY for game in islice(games, _EXAMINED))} != recorded
        return False

    def _known_rows(self, one: Chosen) -> KnownRows:
        """Imports a file on trial, and returns the games that would then be in the log a second time."""
        one.found.source.reusable()
        tried = evolve(self._settings, strict=False, dry_run=False, progress=lambda read: None)
        trial = TrialLog(self._log)
        files = _Files(trial, self._method, tried, self._result_fields)
        report = files._import(one, tried=True)
        one.found.source.too_long.clear()
        found = {new: old for some in files._repeats if some.twin != "file" for new, old in some.found.items()}
        known, lines = KnownRows(), _lines(trial, report) if found else {}
        on_line, event_of = Counter(row.line for row in report.rows), decoder_of(trial)
        for row in trial.rows_at(sorted(found)):
            known.contents[content_of(event_of(row))].append(found[row.position])
            if on_line[line := lines.get(row.position, 0)] == 1:
                known.lines[line] = found[row.position]
        return known

    def _note_left_out(self, report: ImportReport, known: Mapping[int, int]) -> None:
        """Counts rows that are known from elsewhere, given by line with the position of the recorded event."""
        report.read += len(known)
        games = len(known) + report.settled.count_of("taken", "known", "corrects")
        note = LeftOut(report.source, len(known), games, source_at(self._log, min(known.values())))
        report.settled.add("left", list(known), reason=Reason.of(note), positions=list(known.values()))
        report.notes.append(evolve(note, lines=tuple(known)))

    def _note_written(self, file: Import, report: ImportReport, pools: Sequence[str]) -> None:
        """Adds notes on the recorded events to a report, and the pools that are not among the earlier ones."""
        report.notes += doubtful_newcomers(self._log, file.before)
        if of_one := sorted(self_pairings(self._log, file.before)):
            report.notes.append(BetweenOnePerson(len(of_one), of_one[0]))
        self._repeats = list(recorded_twice(
            self._log, file.before, report.positions, report.settled.positions,
            of_table=file.remarks is not None, differ=file.remarks is not None and file.remarks.contents.all_differ(),
        ))  # fmt: skip
        report.notes += far_from_pool(self._log, file.before, report.positions)
        lines = _lines(self._log, report) if self._repeats else {}
        report.notes += [one.noted(lines=lines) for one in self._repeats]
        fresh = [pool for pool in self._log.book.keys_of("pool") if pool not in pools]
        report.new_pools = [pool for pool in fresh if self._is_in(pool, report)]
        if self._settings.dry_run:
            report.positions = []
        for pool in report.new_pools:
            if like := _similar_pool(pool, pools):
                report.notes.append(PoolSpeltLike(pool, like))

    def _is_in(self, pool: str, report: ImportReport) -> bool:
        """True if an event of the file belongs to a pool."""
        number = self._log.book.find("pool", pool)
        return any(True for first, last in report.positions for _ in self._log.rows(first - 1, last, (), number))

    def _take_documents(self, one: Chosen, maker: EventMaker, file: Import) -> None:
        documents = self._documents.get(one.reader.name)
        if documents is None:
            documents = self._documents[one.reader.name] = Documents(self._log, one.reader)
        with self._log.writing() if self._settings.strict else nullcontext():
            documents.take(file, _items(one, self._settings.without), maker, self._people)
            file.check_strict()

    def _take_stream(self, one: Chosen, table: TableOptions | None, maker: EventMaker, file: Import) -> None:
        about: list[Facts | Seed] = []
        notes: list[Note] = []
        settings, source, report, by_columns = self._settings, one.found.source, file.report, False

        def other_events(report: ImportReport) -> Iterator[Event]:
            yield from self._people.news(about, maker, report, ())
            about.clear()

        def outcomes_of(items: Iterable[tuple[int, Any]]) -> Iterator[Outcome]:
            return _outcomes(items, maker, about, notes)

        def items() -> Iterator[tuple[int, Any]]:
            return enumerate(_items(one, settings.without, file.known.lines), 1)

        def outcomes() -> Iterator[Outcome]:
            return outcomes_of(items())

        unused: list[str] = []
        if table is not None:
            sheet = sheet_of_results(source.reusable(), table.fields)
            unused = unused_columns(sheet, table.pool or None, table.fields)
            more = ({*unused} & {*self._result_fields()}) - table.fields.fields.keys() if unused else set[str]()
            doubts = [*doubts_of_columns(sheet, table.fields)]
            further, report.kept_columns, notes[:] = further_fields(
                self._log, file.source, table.pool or "", sheet, table.fields, unused, more,
                imported_before=file.imported_before,
            )  # fmt: skip
            taken = further.columns
            unused = [name for name in unused if name not in taken]
            notes += [*maybe_pools(sheet, table.pool, unused), *doubts]
            table = evolve(table, fields=table.fields.merged(further))
            one = evolve(one, options=table)
            if not taken <= {*sheet.columns}:  # further fields within objects
                sheet = sheet_of_results(source.reusable(), table.fields)
            if "pool" in unused and table.fields.one_pool:
                notes.append(PoolColumnUnread(settings.pool or ""))
            file.columns = fields_with_columns(sheet, table.fields)
            file.remarks, file.mirrored = TableRemarks(), bool(table.fields.mirrored)
            by_columns = sheet.typed is not None or not isinstance(source, TableSource)  # else read only once
            by_columns = by_columns and not settings.without and not file.known.lines
        if is_ambiguous(form := one.options.date_format if table is None else table.fields.date or ""):
            source.reusable()
            advice: list[Note] = []
            check_date_format(source.name, form, _outcomes(items(), maker, [], advice), advice)
        if table is not None and table.fields.known is not None:
            backfill_rows(file, outcomes)
        elif settings.reissue is not False:
            reissue_rows(file, outcomes, other_events)
        elif table is None and not settings.strict:
            import_items(file, items(), outcomes_of, maker, other_events)
        elif table is None or not by_columns or not _by_columns(file, sheet, table, unused):
            import_rows(file, outcomes, other_events)
        if file.known.lines:
            self._note_left_out(report, file.known.lines)
        remarks = file.remarks.notes() if file.remarks is not None else []
        report.notes[:0] = [*remarks, *file.times.notes(), *notes]
        in_utc = [note for note in report.notes if isinstance(note, DaysInUtc)]
        if table is not None:
            if in_utc and file.times.has_zone(table.pool):
                report.notes[:] = [note for note in report.notes if note not in in_utc]
            report.unused_columns = unused
            report.understood = file.remarks.first if file.remarks is not None and settings.dry_run else []


def _oldest_first(files: list[Chosen]) -> list[Chosen]:
    """Sorts documents by their date of issue; files without one keep their places."""
    if len(files) < 2:
        return files
    issued = {place: when for place, one in enumerate(files) if (when := _issued(one)) is not None}
    ordered = list(files)
    for place, other in zip(issued, sorted(issued, key=issued.__getitem__), strict=True):
        ordered[place] = files[other]
    return ordered


def _issued(one: Chosen) -> Instant | None:
    """The date of issue of a document, if its file gives one."""
    if one.reader.unit != "document":
        return None
    one.found.source.reusable()
    try:
        first = next((item for item in _items(one) if isinstance(item, Document)), None)
    except RatingCoreError:  # reported when the file is imported
        return None
    return None if first is None else first.issued


def _items(one: Chosen, without: Collection[int] = (), known: Collection[int] = ()) -> Iterator[Any]:
    """Yields the items of a file, those on lines `without` as left out, none on `known`; errors name the reader."""
    guard = failing(f"of the reader {one.reader.name}")
    with guard:
        items = iter(one.reader.read(one.found.source, one.options))
    while True:
        with guard:
            item = next(items, _END)
        if item is _END:
            return
        if (without or known) and isinstance(item, Made | Game | Session | Refused):
            if item.line in known:
                continue
            item = Unrated(item.line, LEFT_OUT) if item.line in without else item
        yield item


def _outcomes(
    items: Iterable[tuple[int, Any]], maker: EventMaker, about: list[Facts | Seed], notes: list[Note]
) -> Iterator[Outcome]:
    """Yields the outcomes of a stream's numbered items; sets aside notes, and facts and seeds of players."""
    for number, item in items:
        if type(item) is Made or isinstance(item, Unrated | Refused):
            yield item
        elif isinstance(item, Game | Session | Event):
            line = number if isinstance(item, Event) else item.line
            try:
                yield Made(line, maker.event(item))
            except NoOffset:  # one note for the whole file
                raise
            except Absent as problem:
                yield Unrated(line, problem.reason)
            except RatingCoreError as error:
                yield Refused(line, Reason.of(error), item_text(item))
        elif isinstance(item, Facts | Seed):
            about.append(item)
        elif isinstance(item, Note):
            notes.append(item)
        else:
            raise PluginFails(f"of the reader {maker.reader}", f"it yields {type(item).__name__}, which is not an item")


def _lines(log: Log, report: ImportReport) -> dict[int, int]:
    """Returns the lines of new results by position; empty if there are more lines than results, or fewer."""
    lines = [row.line for row in report.settled.only("taken")]
    for kinds in (("game", "session", "seed"), ("game", "session")):  # seeds may be beside the rows
        positions = [row.position for first, last in report.positions for row in log.rows(first - 1, last, kinds)]
        if len(positions) == len(lines):
            return dict(zip(positions, lines, strict=True))
    return {}


def _by_columns(file: Import, sheet: Sheet, table: TableOptions, unused: list[str]) -> bool:
    """Imports a table of games by columns, into a new or a known pool; False if it must be read by rows."""
    if sheet.typed is not None and sheet.typed.rows:
        file.settings.expected(sheet.typed.rows)
    ways = import_by_columns, import_into_known
    return any(way(file, sheet, table.fields, table.pool, unused) for way in ways)


def _similar_pool(pool: str, pools: Sequence[str]) -> str:
    """Returns an earlier pool with a similar name and the same digits, which was probably meant; else empty."""
    figures = re.sub(r"\D", "", pool)
    alike = {one.casefold(): one for one in pools if re.sub(r"\D", "", one) == figures}
    near = spelt_like(pool.casefold(), alike, 1, likeness=0.85)
    return alike[near[0]] if near else ""
