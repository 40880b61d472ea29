"""Imports the lines of a file: appends their events batch by batch and reports what became of every row."""

import gc
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Protocol, TypedDict

from ratingcore.errors import Conflict, RowsRefused
from ratingcore.events import Event
from ratingcore.events.stand_ins import is_nameless
from ratingcore.importer.contradictions import Contradiction, Contradictions, Numbered, Unsaid, recorded_of
from ratingcore.importer.local_times import Basis, LocalTimes
from ratingcore.importer.rehearsal import Rehearsal
from ratingcore.importer.remarks import Doubts, voided_rows
from ratingcore.importer.report import ImportReport
from ratingcore.importer.tables import Line, Refused, Unrated
from ratingcore.log import Log, Matching
from ratingcore.log.facts import without_mark
from ratingcore.registry import Registry
from ratingcore.replay.declared import misfits

BATCH = 5_000
"""Rows appended together: an interrupted import loses only the batch it was reading."""


class Options(TypedDict, total=False):
    """Options of an import, as `import_lines` describes them."""

    dry_run: bool
    strict: bool
    amend: bool
    progress: Callable[[int], None]


def _nothing(report: ImportReport) -> Iterable[Event]:
    return ()


def import_lines(
    log: Log,
    path: str | Path,
    lines: Callable[[], Iterable[Line]],
    *,
    dry_run: bool = False,
    strict: bool = False,
    amend: bool = False,
    progress: Callable[[int], None] = lambda read: None,
    source: str = "",
    by: str = "import",
    beside: Callable[[ImportReport], Iterable[Event]] = _nothing,
    columns: Collection[str] | None = None,
    basis: Basis | None = None,
    registry: Registry | None = None,
) -> ImportReport:
    """Append the events of a file's lines to a log.

    Parameters
    ----------
    lines : callable
        Returns the lines of the file from its beginning.
    dry_run : bool
        Report what would happen and write nothing.
    strict : bool
        All rows or none: append one batch, or nothing if a row is refused.
    amend : bool
        Amend what is recorded where rows contradict it; else such rows are refused.
    progress : callable
        Called now and then with the number of rows read.
    source : str
        What the batches say they came from; the name of the file if it is empty.
    by : str
        Who amends.
    beside : callable
        Returns the events that go with the rows read so far, such as facts of players.
    columns : collection of str or None
        Fields that the file has columns for: where it amends, what is recorded of others stays. None for all.
    basis : Basis or None
        What the lines are read by, if they are events with instants already.
    registry : Registry or None
        Methods by which declared pools are checked; None for what is installed.

    Raises
    ------
    RowsRefused
        If `strict` and a row is refused.
    NoOffset
        If a time of day has no offset, and its pool no zone.
    DeclaredMeanwhile
        If a pool was declared anew before its rows were written, and they would be others now; what was appended before
        stays.
    ArchiveError, LogError
    """
    report = ImportReport(Path(path).name, dry_run=dry_run)
    unsaid = Unsaid(columns)
    local = LocalTimes(log, str(path))
    basis = basis or Basis(log, local)
    registry = registry or Registry.installed()
    contradictions = Contradictions(log, report, registry, amend, by, dry_run or strict, unsaid, basis)
    rows = _Rows(log, report, source or report.source, contradictions, basis)
    with uncollected():
        events = fitting(log, registry, events_of(local.read(lines()), report, progress), report)
        if strict:
            rows.take_all(str(path), events, beside)
        else:
            rows.take(events, beside)
    report.refused.sort()
    report.warnings += unsaid.warnings()
    report.head = log.head
    return report


@contextmanager
def uncollected() -> Iterator[None]:
    """Switches off garbage collection: events and rows form no cycles, and the search is a tenth of an import."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def events_of(
    lines: Iterable[Line], report: ImportReport, progress: Callable[[int], None]
) -> Iterator[tuple[int, Event]]:
    """Yields line numbers and events; the other rows go into the report."""
    doubts = Doubts()
    for number, outcome in lines:
        report.read += 1
        if report.read % BATCH == 0:
            progress(report.read)
        if isinstance(outcome, Refused):
            report.refused.append((number, outcome.reason, outcome.text))
        elif isinstance(outcome, Unrated):
            report.unrated.setdefault(outcome.reason, []).append(number)
        else:
            doubts.see(number, outcome)
            yield number, outcome
    progress(report.read)
    report.warnings += doubts.warnings()


def fitting(
    log: Log, registry: Registry, numbered: Iterator[tuple[int, Event]], report: ImportReport
) -> Iterator[tuple[int, Event]]:
    """Yields the events that their pools take; the others go into the report, with the reason."""
    if not any(True for _ in log.rows(0, None, ("pool",))):
        yield from numbered
        return
    while batch := list(islice(numbered, BATCH)):
        odd = misfits(log, [event for _, event in batch], registry.method)
        for number, (line, event) in enumerate(batch):
            if number in odd:
                pool, fits, why = odd[number]
                report.refused.append((line, f"{why}: pool {pool} takes what {fits} can read", ""))
            else:
                yield line, event


class _Taking(Protocol):
    """Takes events into the log, or only says what would become of them."""

    matching: Matching

    def take(self, numbered: Numbered, report: ImportReport) -> list[Contradiction]:
        """Adds to the report what became of events; returns those that may still be explained by later rows."""


class _Appending:
    """Appends the events of one file."""

    def __init__(self, log: Log, source: str, contradictions: Contradictions, matching: Matching, basis: Basis) -> None:
        self.matching = matching
        self._log, self._source, self._contradictions, self._basis = log, source, contradictions, basis

    def take(self, numbered: Numbered, report: ImportReport) -> list[Contradiction]:
        conflicts: list[Conflict] = []
        events = [event for _, event in numbered]
        receipt = self._log.append(
            events, source=self._source, expect=self._basis.holds(events), conflicts=conflicts, matching=self.matching
        )
        self._basis.wrote(receipt)
        report.accepted += receipt.accepted
        report.duplicates += receipt.duplicates
        return self._contradictions.sort(numbered, conflicts, recorded_of(self._log, conflicts))


class _Rows:
    """The rows of one file on their way into the log."""

    def __init__(
        self, log: Log, report: ImportReport, source: str, contradictions: Contradictions, basis: Basis
    ) -> None:
        self._log, self._report, self._source, self._contradictions = log, report, source, contradictions
        self._basis = basis
        self._known = _imported_before(log, report.source)
        self._nameless = False
        """Whether a row has no id of its own."""
        self._before = log.head.position
        self._rehearsal = Rehearsal(log, contradictions, self._matching())

    def _matching(self) -> Matching:
        return Matching(self._log, again=self._known)

    def _appending(self) -> _Appending:
        return _Appending(self._log, self._source, self._contradictions, self._matching(), self._basis)

    def take(self, events: Iterator[tuple[int, Event]], beside: Callable[[ImportReport], Iterable[Event]]) -> None:
        """Appends events batch by batch; in a dry run, says what would become of them."""
        dry_run = self._report.dry_run
        taking: _Taking = self._rehearsal if dry_run else self._appending()
        # a row that contradicts what is recorded may be a further event if a later row agrees with that: so ask again
        contradicting: list[Contradiction] = []
        while batch := list(islice(events, BATCH)):
            self._see_ids(batch)
            contradicting += taking.take(batch, self._report)
            self._append_beside(beside)
        self._append_beside(beside)
        again = [(line, event) for line, event, _ in contradicting]
        self._contradictions.settle(taking.take(again, self._report) if again else [])
        self._warn(taking.matching)

    def take_all(
        self, path: str, events: Iterator[tuple[int, Event]], beside: Callable[[ImportReport], Iterable[Event]]
    ) -> None:
        """Appends all events as one batch, or none.

        Raises
        ------
        RowsRefused
        """
        numbered = list(events)
        self._see_ids(numbered)
        self._contradictions.settle(self._rehearsal.take(numbered, self._report))
        if not self._report.dry_run:
            if self._report.refused:
                line, reason, _ = min(self._report.refused)
                raise RowsRefused(path, len(self._report.refused), f"line {line}: {reason}")
            given = [event for _, event in numbered]
            expect = self._basis.holds(given)
            self._log.append(given, source=self._source, expect=expect, matching=self._matching())
            self._append_beside(beside)
        self._warn(self._rehearsal.matching)

    def _see_ids(self, numbered: Numbered) -> None:
        self._nameless = self._nameless or any(is_nameless(event.uid) for _, event in numbered)

    def _append_beside(self, beside: Callable[[ImportReport], Iterable[Event]]) -> None:
        events = list(beside(self._report))
        if events and not self._report.dry_run:
            receipt = self._log.append(events, source=self._source, conflicts=[], matching=Matching(self._log))
            self._basis.wrote(receipt)

    def _warn(self, matching: Matching) -> None:
        if self._known and self._report.accepted and (self._nameless or matching.had_no_ids):
            _warn_of_resubmission(self._report)
        _warn_of_names(self._log, self._report, self._rehearsal, matching.returning, self._before)
        if gone := voided_rows(self._log, matching.voided):
            self._report.warnings.append(gone)


def _warn_of_names(log: Log, report: ImportReport, rehearsal: Rehearsal, returning: set[str], before: int) -> None:
    """Warn of names that stand where a name was erased, and that this import records because they stand elsewhere too.

    A name that the log had before, at the position `before`, did not come back now.
    """
    book, again = log.names_book, []
    known = book.known("player", returning)
    for name in sorted(returning):
        number = known.get(name) or book.labelled("player", name)
        if (number is None and name in rehearsal.named) or (number is not None and book.name(number).batch > before):
            again.append(name)
    if again:
        first = ", ".join(again[:5]) + (", ..." if len(again) > 5 else "")
        report.warnings.append(
            f"names of erased players may have come back with rows that are new: {first}; erase them again if so"
        )


def _imported_before(log: Log, source: str) -> bool:
    """Whether a file of this name was imported before."""
    return any(without_mark(key) == source for key in log.keys_of("source"))


def _warn_of_resubmission(report: ImportReport) -> None:
    """Warn that a file of this name is known, and has rows that are not: without ids, changed ones are among them."""
    rows = "1 row of it is" if report.accepted == 1 else f"{report.accepted} rows of it are"
    report.warnings.append(
        f"{report.source} was imported before, and {rows} new: right if it has grown or its import was interrupted; "
        "but a row that had no id and has another day or other players now is another result, and the old one still "
        "counts; void or amend that one, or, if the file is whole, import it with --reissue"
    )
