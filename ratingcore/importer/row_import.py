"""Imports the rows of a file: their events are appended batch by batch, and a report counts every row."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, groupby, islice
from operator import itemgetter
from pathlib import PurePath
from typing import cast

import numpy as np
from attrs import define, evolve, field

from ratingcore.errors import RowsRefused
from ratingcore.events import Event, GamePlayed, Instant, iso
from ratingcore.events.missing_uids import is_nameless
from ratingcore.events.times import DAY
from ratingcore.gc_pause import uncollected
from ratingcore.importer.contradictions import Contradictions, MissingColumns, Numbered
from ratingcore.importer.known_rows import Matching
from ratingcore.importer.local_times import LocalTimes
from ratingcore.importer.mirrored import taken_once, twice_in_log
from ratingcore.importer.notes import IdsRepeated, first_lines
from ratingcore.importer.reasons import NotOfPool
from ratingcore.importer.recorded_games import KnownRows, batches_from
from ratingcore.importer.recorded_notes import (
    CorrectedByHand,
    CorrectionsKept,
    CorrectionsLost,
    ImportedBefore,
    MostlyKnown,
    Retimed,
    RowsGone,
)
from ratingcore.importer.remarks import ResultRemarks, TableRemarks, voided_rows
from ratingcore.importer.report import ImportReport
from ratingcore.importer.settings import Settings
from ratingcore.log import Log
from ratingcore.log.append import Store, backfill, check_backfill
from ratingcore.log.chain import Receipt, backfilled, without_mark
from ratingcore.log.lookup import corrections_of
from ratingcore.log.overlay import TrialLog
from ratingcore.readers import Made, Note, Outcome, Reason, Refused
from ratingcore.replay.declared import MethodOf, any_declared, misfits
from ratingcore.safe_text import Filled

BATCH = 5_000
"""Number of rows appended together: an interrupted import loses only the batch it was reading."""

FurtherEvents = Callable[[ImportReport], Iterable[Event]]
"""Function that returns further events for the rows read so far, such as facts of players."""


@define(eq=False)
class Import:
    """One file that is being imported into a log.

    Parameters
    ----------
    log : Log
    method : callable
        Returns the method that a text names; a pool declared for a method accepts only what it can read.
    settings : Settings
    name : str
        Name of the file.
    source : str
        Source of the batches; the name of the file without its folder if empty.
    by : str
        Actor of amendments.
    columns : collection of str or None
        Fields with a column in the file: an amendment leaves the others unchanged. None for all.
    remarks : TableRemarks or None
        Remarks on the rows of a table.
    either_time : bool
        Whether the log may have the start of a game and the file its end, or the reverse.
    mirrored : bool
        Whether both sides report their games: a game on two rows is then taken once.
    known : KnownRows
        Games to be left out because the log has them from elsewhere.

    Attributes
    ----------
    before : int
        Position of the log before the file.
    times : LocalTimes
    report : ImportReport
    done : int
        Last line of the rows that were recorded by columns; those after it are left to be recorded row by row.
    matching : Matching or None
        Matching of those rows, which goes on with the rows left.
    unsettled : list of (int, Event)
        Rows among them that wait until all rows are read, with their lines.
    twins : list of (int, GamePlayed)
        Games that the other side reported on an earlier row of a mirrored file, with their lines.
    met : ResultRemarks
        Remarks on its results, which are added to the report when all results are read.
    """

    log: Log
    method: MethodOf
    settings: Settings
    name: str
    source: str = ""
    by: str = "import"
    columns: Collection[str] | None = None
    remarks: TableRemarks | None = None
    either_time: bool = False
    mirrored: bool = False
    known: KnownRows = field(factory=KnownRows)
    before: int = field(init=False)
    times: LocalTimes = field(init=False)
    report: ImportReport = field(init=False)
    done: int = field(default=0, init=False)
    matching: Matching | None = field(default=None, init=False)
    unsettled: Numbered = field(factory=list, init=False)
    twins: list[tuple[int, GamePlayed]] = field(factory=list, init=False)
    met: ResultRemarks = field(factory=ResultRemarks, init=False)

    def __attrs_post_init__(self) -> None:
        self.before = self.log.head.position
        self.times = LocalTimes(self.log, self.name, self.before)
        self.report = ImportReport(PurePath(self.name).name or self.name, dry_run=self.settings.dry_run)

    @cached_property
    def imported_before(self) -> bool:
        """True if a file of this name was imported before."""
        return any(without_mark(key) == self.report.source for key in self.log.book.keys_of("source"))

    def check_strict(self) -> None:
        """Refuses a file with refused rows if the import is strict: all rows or none.

        Raises
        ------
        RowsRefused
        """
        refused = self.report.refused
        if self.settings.strict and refused and not self.settings.dry_run:
            line, reason, _ = min(refused)
            raise RowsRefused(self.name, len(refused), f"line {line}: {reason}")

    def attempt(self) -> "Import":
        """The same file, to be imported in another way; see `take`."""
        settings, report, progress = self.settings, self.report, self.settings.progress
        of_all = evolve(settings, progress=lambda read: progress(report.read + read))
        return evolve(self, settings=of_all, remarks=TableRemarks())

    def take(self, attempt: "Import", *, whole: bool) -> None:
        """Adds what an attempt has recorded to this import, and empties its report; `whole` if it has read all rows."""
        positions = self.report.positions
        if positions and attempt.report.positions[:1] and positions[-1][1] + 1 == attempt.report.positions[0][0]:
            attempt.report.positions[0] = positions.pop()[0], attempt.report.positions[0][1]
        self.report.add(attempt.report)
        self.report.head, self.done = attempt.report.head, attempt.done
        attempt.report = ImportReport(self.report.source, dry_run=self.settings.dry_run)
        if whole:
            self.remarks, self.times = attempt.remarks, attempt.times

    def events(self, outcomes: Iterable[Outcome], batches: bool = False) -> Iterator[tuple[int, Event]]:
        """Yields line numbers and events of valid rows; the others go into the report.

        Parameters
        ----------
        batches : bool
            Whether rows are recorded while others are still to be read.
        """
        yield from self.part(outcomes, BATCH if batches else None)
        self.settings.progress(self.report.read)
        self.report.notes += self.met.notes()

    def part(self, outcomes: Iterable[Outcome], sure: int | None) -> Iterator[tuple[int, Event]]:
        """Like `events`, for a part of the rows; `sure` is as for `LocalTimes.read`."""
        return self.fitting(self._events(self.times.read(outcomes, sure)))

    def _events(self, outcomes: Iterable[Outcome]) -> Iterator[tuple[int, Event]]:
        report, remarks, progress = self.report, self.met, self.settings.progress
        outcomes = taken_once(outcomes, report, self.twins) if self.mirrored else outcomes
        for outcome in outcomes if self.remarks is None else map(self.remarks.add, outcomes):
            if isinstance(outcome, Made):
                remarks.add(outcome.line, outcome.event)
            if self.done and not isinstance(outcome, Note) and outcome.line <= self.done:
                continue
            if not isinstance(outcome, Made):
                report.note(outcome)
                continue
            report.read += 1
            if report.read % BATCH == 0:
                progress(report.read)
            yield outcome.line, outcome.event

    def fitting(self, numbered: Iterator[tuple[int, Event]]) -> Iterator[tuple[int, Event]]:
        """Yields the events that their pools accept; the others go into the report, with the reason."""
        if not any_declared(self.log):
            yield from numbered
            return
        while batch := list(islice(numbered, BATCH)):
            odd = misfits(self.log, [event for _, event in batch], self.method)
            for number, (line, event) in enumerate(batch):
                if number in odd:
                    pool, fits, why = odd[number]
                    self.report.refused.append((line, Reason.of(NotOfPool(why, pool, fits)), ""))
                else:
                    yield line, event


def import_rows(
    file: Import, outcomes: Callable[[], Iterable[Outcome]], further: FurtherEvents = lambda report: ()
) -> ImportReport:
    """Appends the events of the rows of a file to a log.

    Parameters
    ----------
    outcomes : callable
        Returns the outcomes of the rows of the file, from its beginning.
    further : callable
        Returns the events that go with the rows read so far.

    Raises
    ------
    RowsRefused
        If the import is strict and a row is refused.
    NoOffset
        If a time of day has no offset, and its pool no zone.
    DeclaredMeanwhile
        If a pool was declared anew before its rows were written, and they would now differ; events appended before
        that stay.
    ArchiveError, LogError
    """
    rows = Rows(file)
    with uncollected():
        events = file.events(outcomes(), batches=not file.settings.strict)
        size = None if file.settings.strict else BATCH
        first = list(islice(events, size))
        if size is None or (len(first) < size and not file.unsettled):
            rows.append_all(first, further)
        else:
            rows.append(chain([first], iter(lambda: list(islice(events, BATCH)), [])), further)
    return finished(file, rows)


def finished(file: Import, rows: "Rows") -> ImportReport:
    """Completes and returns the report of a file, all of whose rows have an outcome."""
    report = file.report
    report.refused.sort()
    report.notes += rows.missing.notes()
    report.head = file.log.head
    return report


class Rows:
    """Appends the events of one file, except those that the log has.

    Parameters
    ----------
    file : Import
    """

    def __init__(self, file: Import) -> None:
        self._file, self._log, self._report = file, file.log, file.report
        self._nameless = False
        """True if a row has no id of its own."""
        self._new_lines: tuple[int, ...] = ()
        """The first lines with new events, one more than a note names."""
        self._same_ids = list[int]()
        """Lines that repeat the id and the content of an earlier line."""
        self._upheld = list[tuple[int, int]]()
        """Lines of a file that was taken back, each with the position of a correction by hand that holds for it."""
        self.new = list[int]()
        """The lines with new events of the last batch."""
        self.matching = file.matching or Matching(
            self._log, imported_before=file.imported_before, either_time=file.either_time, by=file.by,
            amend=file.settings.amend,
        )  # fmt: skip
        self.missing = MissingColumns(file.columns)
        self._contradictions = Contradictions(
            self._log, self._report, file.settings.amend, file.by, self.missing, file.times, file.method
        )

    def append(
        self, batches: Iterable[Numbered], further: FurtherEvents, whole: Callable[[], bool] = lambda: True
    ) -> None:
        """Appends events batch by batch; an empty batch stands for rows appended by other means, see `took`.

        Rows that wait stay unsettled if `whole` returns False afterwards: rows of the file are left.
        """
        waiting = [*self._file.unsettled]
        for batch in batches:
            waiting += self.take(batch, last=False) if batch else []
            self._append_further(further)
        self._append_further(further)
        self._file.unsettled = [] if whole() else waiting
        if waiting and whole():
            self.take(self._all_alike(waiting))
        self._note()

    def _all_alike(self, waiting: Numbered) -> Numbered:
        """Returns waiting rows and known rows of the same times and players, in the order of the file."""
        again = self.matching.reopened([event for _, event in waiting])
        known = [(line, again[position]) for line, position in self._report.settled.take_out(again)]
        return sorted([*known, *waiting], key=itemgetter(0))

    def append_all(self, numbered: Numbered, further: FurtherEvents) -> None:
        """Appends all events as one batch, or none.

        Raises
        ------
        RowsRefused
        """
        with self._log.writing():
            self.take(numbered)
            self._append_further(further)
            self._file.check_strict()
        self._note()

    def append_batch(self, numbered: Numbered, others: Sequence[Event] = (), source: str = "") -> None:
        """Appends events, and `others` that are known to be new, as one batch of a source."""
        if numbered or others:
            self.take(numbered, others, source)

    def take(
        self, numbered: Numbered, others: Sequence[Event] = (), source: str = "", *, last: bool = True
    ) -> Numbered:
        """Appends events as one batch; returns those that wait until all rows are read, unless these are the last."""
        given = [event for _, event in numbered]
        self._nameless = self._nameless or any(is_nameless(event.uid) for event in given)
        found, receipt = self.matching.append(
            given, others, source=source or self._file.source or self._report.source,
            expect=self._file.times.unchanged_for(given), last=last,
        )  # fmt: skip
        lines = [line for line, _ in numbered]
        self.new = [lines[place] for place in found.new]
        self._took(self.new, receipt)
        settled = self._report.settled
        settled.add("taken", [lines[place] for place in found.restored])
        settled.add("known", [lines[place] for place in found.known], positions=[*found.known.values()])
        self._same_ids += [lines[place] for place in found.repeated]
        settled.add("voided", [lines[place] for place in found.voided], positions=[*found.voided.values()])
        self._report.revived += len(found.restored)
        self._upheld += [(lines[place], at) for place, at in found.kept]
        self._report.notes += [CorrectedByHand(lines[place], name, at) for place, name, at in found.replaced]
        self._contradictions.settle([(*numbered[conflict.given], conflict) for conflict in found.conflicts])
        return [numbered[place] for place in found.waiting]

    def took(self, lines: Sequence[int], receipt: Receipt, *, nameless: bool) -> None:
        """Notes lines whose results were appended by other means; `nameless` if any had no id."""
        self._nameless = self._nameless or nameless
        self.matching.appended(receipt)
        self._took(lines, receipt)

    def _took(self, lines: Sequence[int], receipt: Receipt) -> None:
        self._new_lines = first_lines([*self._new_lines, *lines])
        self._file.times.wrote(receipt)
        self._report.wrote(receipt)
        self._report.settled.add("taken", lines)

    def _append_further(self, further: FurtherEvents) -> None:
        events = list(further(self._report))
        if events:
            source = self._file.source or self._report.source
            _, receipt = Matching(self._log).append(events, source=source)
            self._file.times.wrote(receipt)
            self._report.wrote(receipt)

    def _note(self) -> None:
        report, matching = self._report, self.matching
        if report.accepted and (self._nameless or matching.had_no_ids):
            known = report.duplicates - len(self._file.twins) + report.changed + report.amended
            if self._file.imported_before and _still_counts(self._log, report, self._file.before):
                report.notes.append(ImportedBefore(report.source, report.accepted, self._new_lines))
            elif known > max(1, report.accepted):
                report.notes.append(MostlyKnown(report.source, known, report.accepted, self._new_lines))
        elif not (report.accepted or self._file.mirrored) and self._file.imported_before:
            gone = _gone(self._log, report, self._file.before)
            report.notes += [RowsGone(report.source, gone)] if gone else []
        if report.duplicates > len(self._file.twins) > 0:  # otherwise nothing of the file was in the log
            report.notes += twice_in_log(self._file.twins, matching)
        if self._same_ids:
            report.notes.append(IdsRepeated(len(self._same_ids), first_lines(sorted(self._same_ids))))
        if matching.retimed:
            report.notes.append(Retimed(matching.retimed))
        if matching.returning:
            report.note_returned(_returned(self._log, matching.returning, self._file.before))
        source, before = self._file.source or report.source, self._file.before
        if report.accepted and (lost := matching.restorable.lost(source, before)):
            report.notes.append(CorrectionsLost(tuple(lost)))
        if self._upheld:
            report.notes.append(CorrectionsKept.of(self._upheld))
        report.notes += voided_rows(self._log, report)


def _returned(log: Log, names: set[str], before: int) -> list[str]:
    """Returns those of the names in place of erased ones that the log got after a position."""
    book = log.book
    known = book.known("player", names)
    numbers = {name: known.get(name) or book.labelled("player", name) for name in sorted(names)}
    return [name for name, number in numbers.items() if number is not None and book.name(number).batch > before]


def _still_counts(log: Log, report: ImportReport, before: int) -> bool:
    """True if an event of the file from before a position still counts in a pool of its new rows."""
    void, pools = corrections_of(log).void, set[int | None]()
    for first, last in report.positions:
        pools |= {row.pool for row in log.rows(first - 1, last, ("game", "session"))}
    return any(
        row.pool in pools and row.position not in void
        for batch in batches_from(log, report.source)
        if batch.last <= before
        for row in log.rows(batch.first - 1, batch.last, ("game", "session"))
    )


_SEARCHED = 10_000
"""Largest number of events that are read to count results of which a file has no row any more."""


def _gone(log: Log, report: ImportReport, before: int) -> int:
    """Returns the number of results that earlier imports of a file gave to the pools of its rows, now without a row."""
    spans = [(one.first, one.last) for one in batches_from(log, report.source) if one.last <= before]
    if sum(last - first + 1 for first, last in spans) <= report.duplicates:
        return 0
    changed = [int(str(at)) for _, reason, _ in report.refused if (at := reason.facts.get("position"))]
    there = np.unique(np.array([*report.settled.positions, *changed], np.int64))
    own, void = np.concatenate([np.arange(first, last + 1) for first, last in spans]), corrections_of(log).void
    gone = own[~np.isin(own, np.concatenate((there, np.fromiter(void, np.int64))))][:_SEARCHED].tolist()
    pools = {row.pool for row in log.rows_at(there[there > 0][:_SEARCHED].tolist())} if gone else set()
    return sum(row.kind in ("game", "session") and row.pool in pools for row in log.rows_at(gone))


def backfill_rows(file: Import, outcomes: Callable[[], Iterable[Outcome]]) -> ImportReport:
    """Appends the rows of a file in batches by the day on which they became known, all or none.

    A batch is recorded at the last moment of its day, today's at the present moment. The source shows that the
    batches were filed later.

    Raises
    ------
    NotBackfilled
        If a row is new and the log has one of the pools, or a batch that was recorded later than the first day.
    RowsRefused
        If the import is strict and a row is refused.
    """
    log, report, now = file.log, file.report, file.log.now()
    source = backfilled(file.source or report.source, iso(now - now % DAY))
    days: dict[int, Instant] = {}
    with uncollected(), log.writing():  # another process may file the same
        numbered = file.events(_with_days(outcomes(), days, now))
        rows = sorted(((days[line], line, event) for line, event in numbered), key=lambda row: row[0])
        tried = evolve(file, log=TrialLog(log))
        tried.report = report
        rows_of_trial = Rows(tried)
        rows_of_trial.append_batch([(line, event) for _, line, event in rows])
        report.positions.clear()
        report.refused.sort()
        file.check_strict()
        if report.accepted:
            check_backfill(log, rows[0][0], {getattr(event, "pool", "") for _, _, event in rows})
            new = set(rows_of_trial.new)
            fresh = (row for row in rows if row[1] in new)
            parts = ((at, [event for _, _, event in batch]) for at, batch in groupby(fresh, key=lambda row: row[0]))
            report.wrote(backfill(cast(Store, log), parts, source=source))
    report.head = log.head
    return report


def _with_days(outcomes: Iterable[Outcome], days: dict[int, Instant], now: Instant) -> Iterator[Outcome]:
    """Yields the outcomes; notes the recorded time of each event, and refuses days in the future."""
    for outcome in outcomes:
        if isinstance(outcome, Made) and outcome.known is not None:
            day = outcome.known - outcome.known % DAY
            if day > now:
                yield Refused(outcome.line, Filled("known on {known}, which is still to come", known=iso(day)))
                continue
            days[outcome.line] = min(day + DAY - 1, now)
        yield outcome
