"""Imports the lines of a file: appends their events batch by batch and reports what became of every row."""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Protocol, TypedDict

from ratingcore.archives import Line, Refused, Unrated
from ratingcore.errors import Conflict, ContentChanged, RowsRefused
from ratingcore.events import NO_ID, Event, GamePlayed, RatingSeeded, Row, encode
from ratingcore.events.contradiction import contradiction
from ratingcore.importer.report import ImportReport
from ratingcore.log import Log, Matching
from ratingcore.log.identity import Recorded
from ratingcore.log.mentions import Mentions, digests_file
from ratingcore.log.same_content import differs

BATCH = 5_000
"""Rows appended together: an interrupted import loses only the batch it was reading."""


class Options(TypedDict, total=False):
    """Options of an import, as `import_lines` describes them."""

    dry_run: bool
    strict: bool
    progress: Callable[[int], None]


def import_lines(
    log: Log,
    path: str | Path,
    lines: Callable[[], Iterable[Line]],
    *,
    dry_run: bool = False,
    strict: bool = False,
    progress: Callable[[int], None] = lambda read: None,
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
    progress : callable
        Called now and then with the number of rows read.

    Raises
    ------
    RowsRefused
        If `strict` and a row is refused.
    ArchiveError, LogError
    """
    with _uncollected():
        return _import(log, path, lines, dry_run, strict, progress)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Switches off garbage collection: events and rows form no cycles, and the search is a tenth of an import."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _import(
    log: Log,
    path: str | Path,
    lines: Callable[[], Iterable[Line]],
    dry_run: bool,
    strict: bool,
    progress: Callable[[int], None],
) -> ImportReport:
    report = ImportReport(Path(path).name, dry_run=dry_run)
    known = _imported_before(log, report.source)
    sorted_out = _events(lines(), report, progress)
    before, rehearsal = log.head.position, _Rehearsal(log)
    taking: _Taking = rehearsal if dry_run or strict else _Appending(log, report.source)
    if strict:
        numbered = list(sorted_out)
        _refuse(log, rehearsal.take(numbered, report), report)  # reports conflicts with their lines; writes nothing
        if report.refused and not dry_run:
            line, reason, _ = min(report.refused)
            raise RowsRefused(str(path), len(report.refused), f"line {line}: {reason}")
        if not dry_run:
            log.append((event for _, event in numbered), source=report.source, matching=Matching(log))
    else:
        # a row that contradicts what is recorded may be a further event if a later row agrees with that: so ask again
        contradicting: list[Contradiction] = []
        while batch := list(islice(sorted_out, BATCH)):
            contradicting += taking.take(batch, report)
        _refuse(log, taking.take([(line, event) for line, event, _ in contradicting], report), report)
    if known and report.accepted:
        _warn_of_resubmission(report)
    _warn_of_names(log, report, rehearsal, taking.matching.returning, before)
    report.refused.sort()
    report.head = log.head
    return report


def _events(
    lines: Iterable[Line], report: ImportReport, progress: Callable[[int], None]
) -> Iterator[tuple[int, Event]]:
    """Yields line numbers and events; the other rows go into the report."""
    speaking: list[str] = []
    for number, outcome in lines:
        report.read += 1
        if report.read % BATCH == 0:
            progress(report.read)
        if isinstance(outcome, Refused):
            report.refused.append((number, outcome.reason, outcome.text))
        elif isinstance(outcome, Unrated):
            report.unrated.setdefault(outcome.reason, []).append(number)
        else:
            if outcome.uid != NO_ID and _speaks(outcome):
                speaking.append(outcome.uid)
            yield number, outcome
    progress(report.read)
    if speaking:
        ids = (
            f"the id {speaking[0]} holds" if len(speaking) == 1 else f"{len(speaking)} ids, such as {speaking[0]}, hold"
        )
        report.warnings.append(f"{ids} the name of a player of the row, and an id can never be erased")


def _speaks(event: Event) -> bool:
    """Whether the id of an event mentions one of its players."""
    uid = event.uid.casefold()
    return any(name.casefold() in uid and Mentions([name]).within(event.uid) for name in _players(event))


Numbered = Sequence[tuple[int, Event]]
"""Events with the lines they come from."""

Contradiction = tuple[int, Event, ContentChanged]
"""An event without an id that says something else than the recorded one, with its line."""


class _Taking(Protocol):
    """Takes events into the log, or only says what would become of them."""

    matching: Matching

    def take(self, numbered: Numbered, report: ImportReport) -> list[Contradiction]:
        """Adds to the report what became of events; returns those that contradict what is recorded."""


class _Appending:
    """Appends the events of one file."""

    def __init__(self, log: Log, source: str) -> None:
        self.matching = Matching(log)
        self._log, self._source = log, source

    def take(self, numbered: Numbered, report: ImportReport) -> list[Contradiction]:
        conflicts: list[Conflict] = []
        events = (event for _, event in numbered)
        receipt = self._log.append(events, source=self._source, conflicts=conflicts, matching=self.matching)
        report.accepted += receipt.accepted
        report.duplicates += receipt.duplicates
        return _sorted_out(numbered, conflicts, report, _recorded(self._log, conflicts))


def _recorded(log: Log, conflicts: Sequence[Conflict]) -> dict[str, Event]:
    """The recorded events of conflicts, by uid."""
    decoded = log.decoder()
    return {uid: decoded(row) for uid, row in log.find([conflict.uid for conflict in conflicts]).items()}


def _sorted_out(
    numbered: Numbered, conflicts: Iterable[Conflict], report: ImportReport, recorded: Mapping[str, Event]
) -> list[Contradiction]:
    """Returns contradictions; other conflicts are refused at once."""
    contradicting = []
    for conflict in conflicts:
        line, event = numbered[conflict.given]
        if isinstance(conflict, ContentChanged):
            contradicting.append((line, event, conflict))
        else:
            differing = contradiction(recorded[conflict.uid], event)
            reason = f"uid {conflict.uid} is already at position {conflict.position}, {differing}"
            report.refused.append((line, reason if differing else str(conflict), conflict.uid))
    return contradicting


def _refuse(log: Log, contradicting: Sequence[Contradiction], report: ImportReport) -> None:
    """Reports the rows that contradict what is recorded, each with both values, and warns of them."""
    recorded = _recorded(log, [conflict for _, _, conflict in contradicting])
    for line, event, conflict in contradicting:
        differing = contradiction(recorded[conflict.uid], event)
        said = f"position {conflict.position}, {differing}" if differing else str(conflict)
        report.refused.append((line, f"changed: {said}", conflict.uid))
    report.changed += len(contradicting)
    if contradicting:
        rows = "1 row is" if report.changed == 1 else f"{report.changed} rows are"
        another = "game" if contradicting[0][1].kind == "game" else "rating"
        report.warnings.append(
            f"{rows} recorded with other content, which stands: amend or void what is recorded if the file is right; "
            f"if the row is another {another}, give it an id in a column uid"
        )


class _Contents:
    """Encodes events as the log would, giving names it does not have negative ids instead of adding them."""

    def __init__(self, log: Log) -> None:
        self._log, self.book = log, log.names_book
        self._strangers: dict[tuple[str, str], int] = {}

    def of(self, event: Event) -> Row:
        """Returns the row of an event, without a position."""
        return Row._make((0, event.uid, event.kind, *encode(event, self)))

    def _id(self, kind: str, key: str) -> int:
        stranger = self._strangers.get((kind, key))
        number = self.book.find(kind, key) if stranger is None else stranger
        return self._strangers.setdefault((kind, key), -1 - len(self._strangers)) if number is None else number

    def pool(self, key: str) -> int:
        return self._id("pool", key)

    def player(self, key: str) -> int:
        return self._id("player", key)

    def note(self, text: str) -> int:
        return self._id("note", text)

    def called(self, text: str) -> list[int]:
        return [self._id("called", text)]

    def labelled(self, label: str) -> int | None:
        return self.book.labelled("player", label)

    def target(self, uid: str) -> Row:
        return self._log.row_of(uid)

    def key(self, number: int) -> str:
        return self.book.key(number)


class _Rehearsal:
    """Predicts what appending would do, without writing."""

    def __init__(self, log: Log) -> None:
        self.matching = Matching(log)
        self.named: set[str] = set()
        """Names in events that would be accepted, if the log has erased names."""
        self._log = log
        self._head = log.head.position
        self._contents = _Contents(log)
        self._new: dict[str, Row] = {}
        """By uid, the rows of events that are not in the log, at the positions they would get."""
        self._events: dict[str, Event] = {}
        """By uid, the same events."""

    def take(self, numbered: Numbered, report: ImportReport) -> list[Contradiction]:
        self._contents.book.expect("player", (name for _, event in numbered for name in _players(event)))
        rows = [(event, self._contents.of(event)) for _, event in numbered]
        nameless = [(event, row) for event, row in rows if event.uid == NO_ID]
        sorted_out = iter(self.matching.sort(nameless, {}, self._contents.book.count))
        there = self._log.find([event.uid for event, _ in rows])
        conflicts: list[Conflict] = []
        for number, (event, row) in enumerate(rows):
            position = self._head + report.accepted + 1
            if event.uid == NO_ID:
                found = next(sorted_out)
            else:
                recorded = there.get(event.uid) or self._new.get(event.uid)
                found = recorded and Recorded(recorded, differs(recorded, row, self._contents.book))
                self._new.setdefault(event.uid, row._replace(position=position))
                self._events.setdefault(event.uid, event)
            if found is None:
                report.accepted += 1
                self._note_names(event)
            elif not found.differs:
                report.duplicates += 1
                if event.uid != NO_ID:
                    self.matching.recognised(event, row, found.row)
            else:
                kind = ContentChanged if event.uid == NO_ID else Conflict
                conflicts.append(kind(found.row.uid, found.row.position, found.differs, number))
        return _sorted_out(numbered, conflicts, report, self._events | _recorded(self._log, conflicts))

    def _note_names(self, event: Event) -> None:
        if self._contents.book.erased:
            self.named.update(_players(event))


def _players(event: Event) -> tuple[str, ...]:
    """The players in an event of a table."""
    if isinstance(event, GamePlayed):
        return event.a, event.b
    return (event.player,) if isinstance(event, RatingSeeded) else ()


def _warn_of_names(log: Log, report: ImportReport, rehearsal: _Rehearsal, returning: set[str], before: int) -> None:
    """Warn of names that stand where a name was erased, and that this import records because they stand elsewhere too.

    A name that the log had before, at the position `before`, did not come back now.
    """
    book, again = log.names_book, []
    for name in sorted(returning):
        number = book.find("player", name)
        if (number is None and name in rehearsal.named) or (number is not None and book.name(number).batch > before):
            again.append(name)
    if again:
        first = ", ".join(again[:5]) + (", ..." if len(again) > 5 else "")
        report.warnings.append(
            f"names of erased players may have come back with rows that are new: {first}; erase them again if so"
        )


def _imported_before(log: Log, source: str) -> bool:
    """Whether a file of this name was imported before; earlier versions wrote its digest behind the name."""
    return any(
        key == source or (digests_file(key) and key.rpartition(" #")[0] == source) for key in log.keys_of("source")
    )


def _warn_of_resubmission(report: ImportReport) -> None:
    """Warn that a file of this name is known, and has rows that are not: an import adds results and corrects none."""
    rows = "1 row of it is" if report.accepted == 1 else f"{report.accepted} rows of it are"
    report.warnings.append(
        f"{report.source} was imported before, and {rows} new: one with another day or other players than "
        f"before is another result, and the old one still counts; void or amend that one"
    )
