"""Imports files, folders and archives: chooses the reader of each file, and reports on each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import tzinfo
from pathlib import PurePath
from typing import Any

from attrs import evolve, field, frozen

from ratingcore.corrections.guards import warning
from ratingcore.errors import (
    ArchiveError,
    BadFile,
    BadMapping,
    BadValue,
    DeclaredMeanwhile,
    NoOffset,
    PluginFails,
    RatingCoreError,
    RowsRefused,
)
from ratingcore.events import Event, Instant
from ratingcore.importer.backfill import Backfill
from ratingcore.importer.choice import PlainReader, chosen
from ratingcore.importer.descriptions import NewDescriptions
from ratingcore.importer.documents import Documents
from ratingcore.importer.event_maker import EventMaker, text_of
from ratingcore.importer.inputs import Found, Input, Opening, Unreadable
from ratingcore.importer.known import KnownGames
from ratingcore.importer.local_times import Basis, LocalTimes
from ratingcore.importer.matches import LastIssues
from ratingcore.importer.reissue import Reissue
from ratingcore.importer.remarks import Days, Notes
from ratingcore.importer.report import ImportReport
from ratingcore.importer.rows import BATCH, import_lines
from ratingcore.importer.settings import Settings
from ratingcore.importer.tables import FieldMap, Line
from ratingcore.importer.tables import Refused as RefusedRow
from ratingcore.importer.tables import Unrated as UnratedRow
from ratingcore.importer.tables.frames import source_of
from ratingcore.importer.tables.results import fields_said, unused_columns
from ratingcore.importer.tables.table_readers import FRAME, TABLES, TableOptions, TableReader
from ratingcore.log import Log
from ratingcore.methods.failing import failing
from ratingcore.readers import (
    Document,
    Facts,
    Game,
    Options,
    Reader,
    Refused,
    Sample,
    Seed,
    Session,
    Unrated,
    Warning,
)

_END = object()


@frozen
class Chosen:
    """A file, its reader and the options of that."""

    found: Found
    reader: Reader
    options: Options
    issued: Instant | None = None


@frozen
class Choice:
    """The files that are to be imported, those that cannot be, and those that no reader takes."""

    files: list[Chosen]
    problems: list[Unreadable]
    unknown: list[str]


def choose(
    inputs: Sequence[Input],
    readers: Mapping[str, Reader],
    *,
    opening: Opening | None = None,
    reader: str | None = None,
    options: Mapping[str, str] | None = None,
    fields: FieldMap | None = None,
    keep_going: bool = False,
) -> Choice:
    """Opens files and chooses the reader of each; nothing is written, and no log is needed.

    Parameters
    ----------
    inputs : sequence of path, "-" or binary file
        Files, folders, archives, standard input.
    readers : mapping of str to Reader
    opening : Opening or None
        How files are opened.
    reader : str or None
        Name of the reader of all files; None to choose one for each by its content.
    options : mapping of str to str or None
        Options of the reader.
    fields : FieldMap or None
        Which columns of tables hold what; then all files are tables.
    keep_going : bool
        Put what cannot be read aside; else it raises.

    Raises
    ------
    BadFile
        If a file cannot be opened, or no reader takes it.
    BadParameter
        If an option is none of its reader's.
    """
    if fields is not None and fields != FieldMap() and reader is not None and reader not in TABLES:
        raise BadMapping(fields.where, f"the reader {reader} knows its format: a mapping is for tables")
    if fields is not None and fields != FieldMap():
        readers = {name: one for name, one in readers.items() if isinstance(one, TableReader)}
    if reader is not None and reader not in readers:
        raise BadFile(str(inputs[0]), f"no reader is named {reader}: installed are {', '.join(readers) or 'none'}")
    choice = Choice([], [], [])
    for found in (opening or Opening()).found(inputs):
        try:
            if isinstance(found, Unreadable):
                raise found.problem
            one = chosen(readers, found) if reader is None else readers[reader]
            if one is None:
                choice.unknown.append(found.source.name)
                continue
            configured = one.configured(options or {})
            if fields is not None and isinstance(configured, TableOptions):
                configured = evolve(configured, fields=fields)
            choice.files.append(Chosen(found, one, configured))
        except BadFile as problem:
            if not keep_going:
                raise
            choice.problems.append(Unreadable(problem.path, problem))
    return choice


@frozen
class Files:
    """Imports files into a log.

    Parameters
    ----------
    log : Log
    settings : Settings
    keep_going : bool
        Whether the other files are imported when one turns out to be unreadable; else nothing after it is.
    """

    log: Log
    settings: Settings = field(factory=Settings)
    keep_going: bool = False
    _known: KnownGames = field(init=False)
    _people: NewDescriptions = field(init=False)
    _last: dict[str, LastIssues] = field(init=False, factory=dict)

    @_known.default
    def _of_log(self) -> KnownGames:
        return KnownGames(self.log)

    @_people.default
    def _nobody_yet(self) -> NewDescriptions:
        return NewDescriptions(self.log, self.settings)

    def run(self, choice: Choice) -> Iterator[ImportReport]:
        """Imports files one by one and yields the report of each.

        A file that cannot be read to its end ends the import with its report, unless `keep_going`; what was imported
        before it stays.
        """
        for unreadable in choice.problems:
            yield self._failed(unreadable.name, unreadable.problem)
        self._see_known(choice)
        if isinstance(self.settings.reissue, str) and len(choice.files) > 1:
            raise BadValue(
                "reissue", self.settings.reissue, f"names the source of one file, not of {len(choice.files)}"
            )
        files = self._oldest_first(choice.files)
        for place, one in enumerate(files):
            report = self._import(one)
            yield report
            if report.failed and not self.keep_going:
                for other in files[place + 1 :]:
                    name = other.found.source.name
                    yield self._failed(name, BadFile(name, "an earlier file failed", "--keep-going"))
                break
        if choice.unknown:
            yield ImportReport("other files", dry_run=self.settings.dry_run, unknown=choice.unknown)

    def _see_known(self, choice: Choice) -> None:
        """Refuses what cannot be said together with a column of days on which results became known."""
        tables = [one.options for one in choice.files if isinstance(one.options, TableOptions)]
        known = next((table.fields.known for table in tables if table.fields.known is not None), None)
        if known is not None and self.settings.reissue is not False:
            raise BadValue("known", known, "is for a pool that begins, --reissue for one that is there")
        if known is not None and len(choice.files) > 1:
            raise BadValue("known", known, f"is for one file, not for {len(choice.files)}: put their rows into one")

    def _failed(self, name: str, problem: RatingCoreError) -> ImportReport:
        return ImportReport(name, dry_run=self.settings.dry_run, error=problem, head=self.log.head)

    def _oldest_first(self, files: list[Chosen]) -> list[Chosen]:
        """Puts the documents that say when they were issued into that order; the others keep their places."""
        if len(files) < 2:
            return files
        dated = [self._dated(one) for one in files]
        places = [place for place, one in enumerate(dated) if one.issued is not None]
        for place, one in zip(places, sorted((dated[place] for place in places), key=_issued), strict=True):
            files[place] = one
        return files

    def _dated(self, one: Chosen) -> Chosen:
        """A document with the time at which it was issued."""
        if one.reader.unit != "document":
            return one
        one.found.source.kept()
        try:
            first = next((item for item in self._items(one) if isinstance(item, Document)), None)
        except RatingCoreError:  # it is reported when its turn comes
            return one
        return one if first is None else evolve(one, issued=first.issued)

    def _items(self, one: Chosen) -> Iterator[Any]:
        """What the reader says about a file; a reader that fails is named."""
        plugin = f"of the reader {one.reader.name}"
        source = one.found.source
        with failing(plugin):
            items = iter(one.reader.read(source, one.options))
        while True:
            with failing(plugin):
                item = next(items, _END)
            if item is _END:
                return
            yield item

    def _import(self, one: Chosen) -> ImportReport:
        source = one.found.source
        pools, before = self.log.keys_of("pool"), self.log.head.position
        only = pools[0] if len(pools) == 1 else ""
        if isinstance(one.options, TableOptions):
            one = evolve(one, options=evolve(one.options, pool=self.settings.pool or only))
        local = LocalTimes(self.log, source.name)
        maker, basis = EventMaker(one.reader, one.options, self.settings, only, local), Basis(self.log, local)
        people = self._people
        people.next_file()
        report = ImportReport(source.name, dry_run=self.settings.dry_run, reader=one.reader.name)
        try:
            if one.reader.unit == "document":
                self._see_strict(one, maker)
                self._documents(one.reader, self.settings).take(source, self._items(one), maker, people, report)
            else:
                report = self._stream(one, maker, people, local, basis)
        except RowsRefused:
            raise
        except (ArchiveError, DeclaredMeanwhile, NoOffset, PluginFails) as problem:
            report.error = problem
        for line in source.too_long:
            report.read += 1
            report.refused.append((line, "is longer than 1 MiB", ""))
        report.refused.sort()
        report.source = PurePath(source.name).name if one.found.named else source.name
        report.reader, report.encoding = one.reader.name, source.decoded_as
        if source.decoded_as:
            report.warnings.append(
                f"its text was read as {source.decoded_as}, since it is not UTF-8: else say --encoding"
            )
        if maker.by_name:
            report.warnings.append(_known_by_name(len(maker.by_name)))
        if of_one := warning(self.log, before):
            report.warnings.append(of_one)
        report.head = self.log.head
        return report

    def _documents(self, reader: Reader, settings: Settings) -> Documents:
        last = self._last.setdefault(reader.name, LastIssues(self.log, f"reader {reader.name}"))
        return Documents(self.log, reader, settings, last, self._known)

    def _see_strict(self, one: Chosen, maker: EventMaker) -> None:
        """Refuses a strict import of documents some rows of which are refused."""
        if not self.settings.strict or self.settings.dry_run:
            return
        one.found.source.kept()
        trial, settings = ImportReport(one.found.source.name, dry_run=True), evolve(self.settings, dry_run=True)
        people = NewDescriptions(self.log, settings)
        self._documents(one.reader, settings).take(one.found.source, self._items(one), maker, people, trial)
        if trial.refused:
            line, reason, _ = min(trial.refused)
            raise RowsRefused(one.found.source.name, len(trial.refused), f"line {line}: {reason}")

    def _stream(
        self, one: Chosen, maker: EventMaker, people: NewDescriptions, local: LocalTimes, basis: Basis
    ) -> ImportReport:
        about: list[Facts | Seed] = []
        warnings: list[str] = []

        def beside(report: ImportReport) -> Iterator[Event]:
            yield from people.news(about, maker, report, ())
            about.clear()

        settings, name = self.settings, one.found.source.name
        by, origin = f"reader {one.reader.name}", origin_of(one.reader, name)
        table = one.options if isinstance(one.options, TableOptions) else None
        columns = None  # those that a file has are asked for where it corrects what is recorded
        if table is not None and (settings.amend or settings.reissue is not False):
            columns = fields_said(one.found.source.kept(), table.fields)
        notes = Notes(self.log)
        filed = table is not None and table.fields.known is not None
        sure = None if settings.strict or settings.reissue is not False or filed else BATCH

        def lines() -> Iterator[Line]:
            read = local.read(self._lines(one, maker, about, warnings), sure)
            return read if table is None else map(notes.see, read)

        if table is not None:
            self._see_days(one, maker, table)
        if filed:
            report = Backfill(self.log, settings, origin).take(name, lines)
        elif settings.reissue is not False:
            report = Reissue(self.log, settings, by, origin, columns).take(name, lines, beside, basis)
        else:
            report = self._appended(one, lines, beside, by, origin, columns, basis)
        report.warnings[:0] = [*warnings, *(notes.warnings() if table is not None else ())]
        if table is not None:
            report.unused_columns = unused_columns(one.found.source.kept(), table.pool or None, table.fields)
            report.understood = notes.first if settings.dry_run else []
        return report

    def _see_days(self, one: Chosen, maker: EventMaker, table: TableOptions) -> None:
        """Refuses a table the days of which its date format reads in part only."""
        days = Days(one.found.source.name, table.fields)
        if days.in_question:
            for line in self._lines(one, maker, [], []):
                days.see(line)
            days.check()

    def _appended(
        self,
        one: Chosen,
        lines: Callable[[], Iterator[Line]],
        beside: Callable[[ImportReport], Iterator[Event]],
        by: str,
        origin: str,
        columns: frozenset[str] | None,
        basis: Basis,
    ) -> ImportReport:
        settings, name = self.settings, one.found.source.name
        amend = settings.amend or isinstance(one.reader, PlainReader)
        return import_lines(
            self.log, name, lines, dry_run=settings.dry_run,
            strict=settings.strict, amend=amend, progress=settings.progress,
            source=origin, by=by, beside=beside, columns=columns, basis=basis, registry=settings.registry,
        )  # fmt: skip

    def _lines(self, one: Chosen, maker: EventMaker, about: list[Facts | Seed], warnings: list[str]) -> Iterator[Line]:
        """The rows of a stream; facts and seeds of players are put aside."""
        for number, item in enumerate(self._items(one), 1):
            if type(item) is Game or isinstance(item, Session | Event):
                line = number if isinstance(item, Event) else item.line
                try:
                    yield Line(line, maker.event(item))
                except NoOffset:  # one answer for the whole file
                    raise
                except RatingCoreError as error:
                    yield Line(line, RefusedRow(str(error), text_of(item)))
            elif isinstance(item, Unrated):
                yield from [Line(item.line, UnratedRow(item.reason))] * item.count
            elif isinstance(item, Refused):
                yield Line(item.line, RefusedRow(item.reason, item.text[:200]))
            elif isinstance(item, Facts | Seed):
                about.append(item)
            elif isinstance(item, Warning):
                warnings.append(f"line {item.line}: {item.text}" if item.line else item.text)
            elif isinstance(item, Line):
                yield item
            else:
                raise PluginFails(f"of the reader {one.reader.name}", f"it yields {type(item).__name__}, no item")


def origin_of(reader: Reader, name: str) -> str:
    """What the batches of a file say they came from: the name of a table, of another file with its reader."""
    base = PurePath(name).name or name
    return base if isinstance(reader, TableReader) else f"{reader.name}:{base}"[-300:]


def _issued(one: Chosen) -> Instant:
    return one.issued or 0


def _known_by_name(count: int) -> str:
    return "1 player is known by name only" if count == 1 else f"{count} players are known by name only"


def import_frame(
    log: Log, settings: Settings, table: object, fields: FieldMap, name: str, zone: tzinfo | None
) -> ImportReport:
    """Imports a table; a failure in the middle of it is raised, and what was imported before it stays."""
    source = source_of(table, name, zone, again=Days(name, fields).in_question)
    chosen = Chosen(Found(source, Sample(name, b""), named=True), FRAME, TableOptions(fields=fields))
    (report,) = Files(log, settings).run(Choice([chosen], [], []))
    if report.error is not None:
        raise report.error
    return report
