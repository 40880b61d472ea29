"""Imports a table that is issued again: it stands for all that came from its source, and corrects that."""

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import PurePath
from typing import Any

from ratingcore.errors import BadFile, Conflict, HeadMoved, RowsRefused
from ratingcore.events import Event, GamePlayed, Row, SessionPlayed, iso
from ratingcore.events.contradiction import same, seated
from ratingcore.importer.contradictions import Contradictions, Numbered, Unsaid, fields_of, recorded_of
from ratingcore.importer.documents import Outcome
from ratingcore.importer.local_times import Basis
from ratingcore.importer.matches import TABLE, LastIssues, Match, Matches, New, Said, matched
from ratingcore.importer.rehearsal import SHOWN, Rehearsal
from ratingcore.importer.remarks import voided_rows
from ratingcore.importer.report import ImportReport
from ratingcore.importer.rows import events_of, fitting, uncollected
from ratingcore.importer.settings import FEW, Settings
from ratingcore.importer.tables import Line
from ratingcore.log import Head, Log, Matching
from ratingcore.log.facts import without_mark

_TRIES = 5
"""How often the log is looked at anew where others append at the same time."""
LISTED = SHOWN
"""Rows that a dry run lists, of the changed, the missing and the new ones each."""


class Reissue:
    """Imports a file as the new issue of all that came from one source.

    Parameters
    ----------
    log : Log
    settings : Settings
        `reissue` is the source; if it is True, the name of the file is.
    by : str
        Who corrects, such as `reader csv`.
    origin : str
        What the batches of the file would say they came from.
    columns : collection of str or None
        Fields that the file has columns for: what is recorded of others stays. None for all.
    """

    def __init__(
        self, log: Log, settings: Settings, by: str, origin: str, columns: Collection[str] | None = None
    ) -> None:
        self._columns = columns
        self._log, self._settings, self._by = log, settings, by
        self._named = isinstance(settings.reissue, str)
        self._source = settings.reissue if isinstance(settings.reissue, str) else origin

    def take(
        self,
        name: str,
        lines: Callable[[], Iterable[Line]],
        beside: Callable[[ImportReport], Iterable[Event]],
        basis: Basis,
    ) -> ImportReport:
        """Imports the lines of a file.

        Parameters
        ----------
        name : str
            Name of the file.
        lines : callable
            Returns the lines of the file from its beginning.
        beside : callable
            Returns the events that go with the rows, such as facts of players.
        basis : Basis
            What the lines are read by.

        Raises
        ------
        BadFile
            If nothing came from the source that was named.
        RowsRefused
            If `strict` and a row is refused.
        DeclaredMeanwhile
            If a pool was declared anew while the file was read, and its rows would be others now.
        """
        settings = self._settings
        read = ImportReport(PurePath(name).name or name, dry_run=settings.dry_run)
        with uncollected():
            numbered = list(fitting(self._log, settings.registry, events_of(lines(), read, settings.progress), read))
        about = list(beside(read))
        for _ in range(_TRIES):
            report = ImportReport(read.source, dry_run=settings.dry_run)
            report.add(read)
            try:
                self._take(name, numbered, about, report, basis)
            except HeadMoved:  # somebody appended meanwhile: look again
                continue
            return report
        raise HeadMoved(self._log.head.position, self._log.head.position)

    def _take(
        self, name: str, numbered: list[tuple[int, Event]], about: list[Event], report: ImportReport, basis: Basis
    ) -> None:
        head = self._log.head
        basis.see([event for _, event in numbered], head)
        news = [New(line, event) for line, event in numbered if isinstance(event, GamePlayed | SessionPlayed)]
        others = [(line, event) for line, event in numbered if not isinstance(event, GamePlayed | SessionPlayed)]
        rows = self._rows(name, news)
        said = list(LastIssues(self._log, self._by).of(rows or ()))
        found, unsaid = matched(news, said, TABLE), Unsaid(self._columns)
        found = found._replace(both=[_completed(match, unsaid) for match in found.both])
        missing = [one for one in found.missing if one.now is not None]
        live = sum(1 for one in said if not one.gone and one.now is not None)
        if missing and report.refused:
            results = "1 result that is" if len(missing) == 1 else f"{len(missing)} results that are"
            report.warnings.append(f"{results} missing from the file stay, since rows of it are refused")
            missing = []
        if len(missing) > FEW and len(missing) > self._settings.voids * live:
            why = f"it would void {len(missing)} of {live} results: a truncated file? --voids all"
            report.refused += [(new.line, why, "") for new in news] or [(1, why, "")]
            report.read += not news
            if report.dry_run:
                _list(report, found, missing, [])
            return
        outcome = Outcome(self._by, report)
        events = list(outcome.of(Matches(found.both, [], []), missing))
        fresh = [*((new.line, new.event) for new in found.fresh), *others]
        matching = Matching(self._log)
        matching.reserve(one.row.position for one in said)
        contradictions = Contradictions(
            self._log, report, self._settings.registry, self._settings.amend, self._by, self._rehearsed, unsaid
        )
        if self._rehearsed:
            trial, revived = Rehearsal(self._log, contradictions, matching), report.accepted
            contradictions.settle(trial.take(fresh, report))
            if report.dry_run:
                _list(report, found, missing, trial.accepted, report.accepted - revived)
        if self._settings.strict and report.refused and not report.dry_run:
            line, reason, _ = min(report.refused)
            raise RowsRefused(name, len(report.refused), f"line {line}: {reason}")
        if not report.dry_run and (events or fresh or about):
            self._append(fresh, [*events, *about], head, matching, contradictions, report)
        if rows is None:
            report.warnings.append(_never_imported(self._source, report))
        report.warnings += unsaid.warnings()
        if gone := voided_rows(self._log, [*outcome.voided, *matching.voided]):
            report.warnings.append(gone)

    def _append(
        self,
        fresh: Numbered,
        events: Sequence[Event],
        head: Head,
        matching: Matching,
        contradictions: Contradictions,
        report: ImportReport,
    ) -> None:
        conflicts: list[Conflict] = []
        given = [*(event for _, event in fresh), *events]
        receipt = self._log.append(given, source=self._source, expect=head, conflicts=conflicts, matching=matching)
        if not self._rehearsed:
            report.duplicates += receipt.duplicates
            report.accepted += len(fresh) - receipt.duplicates - len(conflicts)
            open_ = contradictions.sort(fresh, conflicts, recorded_of(self._log, conflicts))
            contradictions.settle(open_)

    @property
    def _rehearsed(self) -> bool:
        """Whether what would become of rows is asked before anything is written."""
        return self._settings.dry_run or self._settings.strict

    def _rows(self, name: str, news: Sequence[New]) -> list[Row] | None:
        """The results that came from the source; where a pool is given, those of the pools of the file.

        None if no batch came from there.
        """
        book = self._log.names_book
        spans = [
            (batch.first, batch.last)
            for batch in self._log.batches()
            if batch.source is not None and _is(book.key(batch.source), self._source)
        ]
        if not spans:
            if self._named:
                why, known = (
                    f"nothing was imported from {self._source} before",
                    ", ".join(self._log.keys_of("source")[-3:]),
                )
                raise BadFile(name, why, f"name one of the sources of the log: {known}" if known else "leave out NAME")
            return None
        rows = [row for first, last in spans for row in self._log.rows(first - 1, last, ("game", "session"))]
        if self._settings.pool is None:
            return rows
        pools = {new.event.pool for new in news} or {self._settings.pool}
        numbers = {self._log.id_of("pool", pool) for pool in pools}
        return [row for row in rows if row.pool in numbers]


def _completed(match: Match, unsaid: Unsaid) -> Match:
    return match._replace(new=match.new._replace(event=unsaid.completed(match.new.event, match.said.last)))


def _never_imported(source: str, report: ImportReport) -> str:
    """What it means that no batch came from the source of a table that is issued again."""
    if report.duplicates + report.amended + report.changed:
        there = "its rows that are in the log came from elsewhere, and nothing that is missing is voided"
    elif report.accepted:
        there = "all of it is new"
    else:
        there = "nothing that is missing is voided"
    return f"nothing was imported from {source} before: {there}; --reissue NAME says from which source"


def _is(source: str, wanted: str) -> bool:
    """Whether a batch came from a source, filed later or not."""
    return without_mark(source) == wanted


def _list(
    report: ImportReport, found: Matches, missing: Sequence[Said], accepted: Sequence[int], count: int = 0
) -> None:
    """Takes into the report which results would be amended, voided and added; the first of each.

    `accepted` are the lines of the first of `count` rows that would be added.
    """
    fresh = {new.line: new for new in found.fresh}
    added = [f"line {line}: {_told(fresh[line].event)}" for line in accepted if line in fresh]
    more = count - len(accepted)
    changed = [
        f"line {match.new.line}: {_told(match.new.event)}: {differing}"
        for match in found.both
        if match.said.now is not None and (differing := _differing(match.said.last, match.new.event))
    ]
    report.listed = {
        "changed": _first(changed),
        "missing": _first([f"{one.row.uid}: {_told(one.last)}" for one in missing]),
        "new": [*added, f"... and {more} more"] if more > 0 else added,
    }


def _first(texts: list[str]) -> list[str]:
    rest = len(texts) - LISTED
    return texts if rest <= 0 else [*texts[:LISTED], f"... and {rest} more"]


def _told(event: Event) -> str:
    """A result in one line."""
    fields = fields_of(event)
    sides = (
        f"{fields['a']} - {fields['b']} {fields['score']:g}"
        if isinstance(event, GamePlayed)
        else f"session of {len(fields['sides'])} sides"
    )
    return f"{fields['pool']}, {iso(fields['played'])}, {sides}"


def _differing(last: Event, new: Event) -> str:
    before, wanted = fields_of(last), fields_of(new)
    names = [name for name in {**before, **wanted} if not same(name, before.get(name), wanted.get(name))]
    return ", ".join(f"{name} was {_was(name, before.get(name))}" for name in names)


def _was(name: str, value: Any) -> str:
    return seated(value) if name == "sides" else repr(value)
