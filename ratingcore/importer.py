"""Imports the lines of a file: appends their events batch by batch and reports what became of every row."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TypedDict

from attrs import define, field

from ratingcore.archives import Line, Refused, Unrated, fingerprint
from ratingcore.errors import Conflict, RowsRefused
from ratingcore.events import Event, Row, encode
from ratingcore.log import Head, Log

BATCH = 5_000
"""Rows appended together: an interrupted import loses only the batch it was reading."""


class Options(TypedDict, total=False):
    """Options of an import, as `import_lines` describes them."""

    dry_run: bool
    strict: bool
    progress: Callable[[int], None]


@define
class ImportReport:
    """Report of an import: what became of the rows of a file.

    Attributes
    ----------
    source : str
        Name of the file.
    read : int
        Rows of data in the file.
    accepted : int
        New events in the log (in a dry run: that would be new).
    corrected : int
        Events amended because the file was issued again with other values (in a dry run: would be).
    duplicates : int
        Rows whose events are already in the log.
    unrated : dict of reason to list of int
        Lines of valid rows without a result: forfeits, byes, games not played yet.
    refused : list of (line, reason, text)
        Rows that cannot be events.
    warnings : list of str
    dry_run : bool
        Whether nothing was written.
    head : Head or None
        Head of the log afterwards.
    """

    source: str
    read: int = 0
    accepted: int = 0
    corrected: int = 0
    duplicates: int = 0
    unrated: dict[str, list[int]] = field(factory=dict)
    refused: list[tuple[int, str, str]] = field(factory=list)
    warnings: list[str] = field(factory=list)
    dry_run: bool = False
    head: Head | None = None

    def lines(self, most: int = 20) -> list[str]:
        """Returns the report as lines of text, with at most `most` of the refused rows."""
        unrated = sum(map(len, self.unrated.values()))
        verb = "would be accepted" if self.dry_run else "accepted"
        text = [
            f"{self.source}: {self.read} rows read, {self.accepted} {verb}, {unrated} unrated, "
            f"{len(self.refused)} refused, {self.duplicates} duplicates"
            f"{f', {self.corrected} corrected' if self.corrected else ''}"
        ]
        for reason, where in sorted(self.unrated.items()):
            text.append(f"  unrated, {reason}: {_places(where)}")
        text += [f"  refused, line {line}: {reason} ({text})" for line, reason, text in self.refused[:most]]
        if len(self.refused) > most:
            text.append(f"  ... and {len(self.refused) - most} more refused rows")
        return [*text, *(f"warning: {warning}" for warning in self.warnings)]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def _places(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines[:5]))
    rows, word = ("1 row", "line") if len(lines) == 1 else (f"{len(lines)} rows", "lines")
    return f"{rows} ({word} {shown}{', ...' if len(lines) > 5 else ''})"


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
    mark = f"{report.source} #{fingerprint(path)[:16]}"
    _warn_of_resubmission(log, report, mark)
    sorted_out = _events(lines(), report, progress)
    rehearsal = _Rehearsal(log)
    if strict:
        numbered = list(sorted_out)
        rehearsal.append(numbered, report)  # reports conflicts with their lines; writes nothing
        report.refused.sort()
        if report.refused and not dry_run:
            line, reason, _ = report.refused[0]
            raise RowsRefused(str(path), len(report.refused), f"line {line}: {reason}")
        if not dry_run:
            log.append((event for _, event in numbered), source=mark)
    else:
        while batch := list(islice(sorted_out, BATCH)):
            if dry_run:
                rehearsal.append(batch, report)
            else:
                _append(log, batch, mark, report)
    report.refused.sort()
    report.head = log.head
    return report


def _events(
    lines: Iterable[Line], report: ImportReport, progress: Callable[[int], None]
) -> Iterator[tuple[int, Event]]:
    """Yields line numbers and events; the other rows go into the report."""
    for number, outcome in lines:
        report.read += 1
        if report.read % BATCH == 0:
            progress(report.read)
        if isinstance(outcome, Refused):
            report.refused.append((number, outcome.reason, outcome.text))
        elif isinstance(outcome, Unrated):
            report.unrated.setdefault(outcome.reason, []).append(number)
        else:
            yield number, outcome
    progress(report.read)


def _append(log: Log, numbered: list[tuple[int, Event]], mark: str, report: ImportReport) -> None:
    conflicts: list[Conflict] = []
    receipt = log.append((event for _, event in numbered), source=mark, conflicts=conflicts)
    report.accepted += receipt.accepted
    report.duplicates += receipt.duplicates
    if conflicts:
        # a conflict names its event but not its line, and a uid may stand on several: compare the content again
        there, content = log.find([conflict.uid for conflict in conflicts]), _Contents(log)
        lines = [n for n, event in numbered if event.uid in there and content.of(event) != there[event.uid][2:]]
        pairs = zip(lines, conflicts, strict=True)
        report.refused += [(number, str(conflict), conflict.uid) for number, conflict in pairs]


class _Contents:
    """Encodes events as the log would, giving names it does not have negative ids instead of adding them."""

    def __init__(self, log: Log) -> None:
        self._log, self._book = log, log.names_book
        self._strangers: dict[tuple[str, str], int] = {}

    def of(self, event: Event) -> tuple[Any, ...]:
        """Returns the fields of the event's row after its uid."""
        return (event.kind, *encode(event, self))

    def _id(self, kind: str, key: str) -> int:
        number = self._book.find(kind, key)
        return self._strangers.setdefault((kind, key), -1 - len(self._strangers)) if number is None else number

    def pool(self, key: str) -> int:
        return self._id("pool", key)

    def player(self, key: str) -> int:
        return self._id("player", key)

    def note(self, text: str) -> int:
        return self._id("note", text)

    def target(self, uid: str) -> Row:
        return self._log.row_of(uid)

    def key(self, number: int) -> str:
        return self._book.key(number)


class _Rehearsal:
    """Predicts what appending would do, without writing."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._head = log.head.position
        self._content = _Contents(log)
        self._new: dict[str, tuple[int, int]] = {}
        """By uid, the position that an event not in the log would get, and the hash of its content."""

    def append(self, numbered: list[tuple[int, Event]], report: ImportReport) -> None:
        """Add to the report what would become of these events."""
        there = self._log.find([event.uid for _, event in numbered])
        for number, event in numbered:
            content = hash(self._content.of(event))
            row = there.get(event.uid)
            fresh = self._head + report.accepted + 1, content
            position, first = (row.position, hash(row[2:])) if row else self._new.setdefault(event.uid, fresh)
            if position == fresh[0]:
                report.accepted += 1
            elif first == content:
                report.duplicates += 1
            else:
                report.refused.append((number, str(Conflict(event.uid, position, "content")), event.uid))


def _warn_of_resubmission(log: Log, report: ImportReport, mark: str) -> None:
    """Warn if a file of this name was imported with other content: an import adds results and corrects none."""
    sources = {name.key for name in log.names() if name.kind == "source" and name.key}
    before = {source for source in sources if source.rpartition(" #")[0] == report.source}
    if before and mark not in before:
        report.warnings.append(
            f"{report.source} was imported before with other content: rows that changed are new results now, "
            f"and the old ones still count; void or amend them"
        )
