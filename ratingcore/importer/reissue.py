"""Imports a new issue of a table or tournament: amends what differs, voids what is missing, adds what is new."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import field, frozen

from ratingcore.errors import BadFile
from ratingcore.events import Event, GamePlayed, ResultVoided, Row, SessionPlayed, iso
from ratingcore.events.kinds import players_of
from ratingcore.events.values import erased_number
from ratingcore.gc_pause import uncollected
from ratingcore.importer.contradictions import WHY
from ratingcore.importer.differences import (
    content_of,
    differing_fields,
    fields_of,
    is_same,
    seated,
)
from ratingcore.importer.issue_matching import TABLE, Match, Matches, NewResult, matched
from ratingcore.importer.last_issues import GivenResult, LastIssues
from ratingcore.importer.reasons import InOtherPool, TooMuchMissing
from ratingcore.importer.recorded_games import batches_from
from ratingcore.importer.recorded_notes import CorrectedByHand, CorrectionsKept, MissingStay, Renamed, SourceUnknown
from ratingcore.importer.remarks import voided_rows
from ratingcore.importer.report import ImportReport
from ratingcore.importer.row_import import FurtherEvents, Import, Rows
from ratingcore.importer.settings import FEW
from ratingcore.log.lookup import decoder_of
from ratingcore.readers import Outcome as RowOutcome
from ratingcore.readers import Reason

LISTED = 20
"""Largest number of changed, of missing and of new results that a dry run lists."""


@frozen
class ReissueEffect:
    """The effect of a new issue on the results of the last one.

    Attributes
    ----------
    events : list of Event
        The corrections after which the log agrees with the new issue.
    report : ImportReport
        Outcomes of the rows, to be added to the report of the file.
    """

    events: list[Event] = field(factory=list)
    report: ImportReport = field(factory=lambda: ImportReport(""))

    @classmethod
    def of(cls, found: Matches, by: str) -> "ReissueEffect":
        """Returns the effect on earlier results; the caller handles new ones."""
        outcome = cls()
        known = [match for match in found.both if not outcome._add(match, by)]
        lines, positions = [match.new.line for match in known], [match.last.row.position for match in known]
        outcome.report.settled.add("known", lines, positions=positions)
        outcome.report.voided = len(found.missing)
        outcome.events.extend(ResultVoided(of=one.row.uid, why=WHY, by=by) for one in found.missing)
        return outcome

    def accepted_by(
        self, file: Import, news: Sequence[NewResult], last: Sequence[GivenResult], event: str = "", line: int = 1
    ) -> bool:
        """Adds the outcomes to the file's report and returns True, unless the new issue must be refused.

        It is refused if it would void too many results, or if it is a document that shares no player with the last.

        Parameters
        ----------
        news : sequence of NewResult
            All results of the new issue.
        last : sequence of GivenResult
            All results of the last issue.
        event : str
            Name of the document, as text of the refusal in the report; empty for a table.
        line : int
            Line of the refusal if the new issue is empty.
        """
        report, missing = file.report, self.report.voided
        live = sum(1 for one in last if not one.gone and one.now is not None)
        if not news and report.refused:  # the rows say why, and none of them means that a result is gone
            return False
        few = missing <= FEW and news and (not event or _share_players(news, last))
        if missing > file.settings.voids * live and not few:
            why = Reason.of(TooMuchMissing(missing, live))
            report.refused += [(new.line, why, event) for new in news] or [(line, why, event)]
            report.read += not news
            return False
        report.add(self.report)
        return True

    def _add(self, match: Match, by: str) -> bool:
        """Adds the outcome of a matched row; returns False, adding nothing, if the row is merely known."""
        new, last, report = match.new, match.last, self.report
        if last.now is last.event and not last.gone and is_same(new.event, last.event):
            return False
        at = [last.row.position]
        if last.now is None:
            report.settled.add("voided", [new.line], reason="voided in the log", positions=at)
            return True
        before, wanted = fields_of(last.event), fields_of(new.event)
        if before["pool"] != wanted["pool"]:
            why = Reason.of(InOtherPool(last.row.uid, before["pool"], wanted["pool"]))
            report.refused.append((new.line, why, _result(new.event)))
            return True
        revision = last.revised(new.event, WHY, by)
        changes = revision.changes
        report.notes += [CorrectedByHand(new.line, name, at) for name, at in revision.replaced.items()]
        if last.gone and revision.upheld:
            report.notes.append(CorrectionsKept.of((new.line, at) for at in revision.upheld.values()))
        report.revived += last.gone
        self.events.extend(revision.events)
        if last.gone:
            report.settled.add("taken", [new.line], positions=at)
        elif changes:
            report.settled.add("corrects", [new.line], fields=changes, positions=at)
        if match.renamed is not None:
            report.renamed += 1
            report.notes.append(Renamed(new.line, *match.renamed))
        return last.gone or bool(changes)


def _share_players(news: Sequence[NewResult], last: Sequence[GivenResult]) -> bool:
    """True if a player has a result in both issues; a player whose name was erased may be anybody."""
    players, before = ({name for one in some for name in players_of(one.event)} for some in (news, last))
    return not players.isdisjoint(before) or any(map(erased_number, before))


def reissue_rows(file: Import, outcomes: Callable[[], Iterable[RowOutcome]], further: FurtherEvents) -> ImportReport:
    """Imports a table that replaces everything from its source, by corrections.

    Parameters
    ----------
    file : Import
        Its setting `reissue` names the source; True means the source of the file.
    outcomes : callable
        Returns the outcomes of the rows of the file, from its beginning.
    further : callable
        Returns the events that go with the rows, such as facts of players.

    Raises
    ------
    BadFile
        If nothing was imported from the given source.
    RowsRefused
        If the import is strict and a row is refused.
    DeclaredMeanwhile
        If a pool was declared anew while the file was read, and its rows would now differ.
    """
    log, report, settings = file.log, file.report, file.settings
    with uncollected():
        numbered = list(file.events(outcomes()))
    others = list(further(report))
    source = settings.reissue if isinstance(settings.reissue, str) else file.source
    with log.writing():
        file.times.check_unchanged([event for _, event in numbered], log.head)
        news = [NewResult(line, event) for line, event in numbered if isinstance(event, GamePlayed | SessionPlayed)]
        seeds = [(line, event) for line, event in numbered if not isinstance(event, GamePlayed | SessionPlayed)]
        recorded = _recorded(file, source, news)
        issues = LastIssues(log, file.by)
        last = list(issues.of(issues.taken_back.without_earlier(recorded or ())))
        rows, found = Rows(file), matched(news, last, TABLE)
        both = [
            match.with_event(rows.missing.completed(match.new.event, match.last.event, match.last.now))
            for match in found.both
        ]
        found = found._replace(both=both)
        if found.missing and report.refused:
            report.notes.append(MissingStay(len(found.missing)))
            found = found._replace(missing=[])
        outcome, before, added = ReissueEffect.of(found, file.by), log.head.position, list[Event]()
        if outcome.accepted_by(file, news, last):
            rows.matching.reserve(one.row.position for one in last)
            fresh = [*((new.line, new.event) for new in found.fresh), *seeds]
            rows.append_batch(fresh, [*outcome.events, *others], source)
            file.check_strict()
            if settings.dry_run:
                added += map(decoder_of(log), log.rows(before, None, ("game", "session")))
            if recorded is None:
                sources = tuple(name for name in log.book.keys_of("source")[-3:] if name != source)
                known = report.duplicates + report.amended + report.changed
                report.notes.append(SourceUnknown(source, known, report.accepted, sources))
            report.notes += rows.missing.notes() + voided_rows(log, report)
        if settings.dry_run:
            report.listed = _listed(found, added)
    return report


def _recorded(file: Import, source: str, news: Sequence[NewResult]) -> list[Row] | None:
    """Returns the results of the source; if the user gave a pool, only those in the pools of the file.

    None if no batch came from the source.
    """
    log, settings = file.log, file.settings
    batches = list(batches_from(log, source))
    if not batches:
        if settings.reissue is not True:
            why = f"nothing was imported from {source} before"
            known = ", ".join(log.book.keys_of("source")[-3:])
            raise BadFile(file.name, why, f"name one of the sources of the log: {known}" if known else "leave out NAME")
        return None
    rows = [row for batch in batches for row in log.rows(batch.first - 1, batch.last, ("game", "session"))]
    if settings.pool is None:
        return rows
    numbers = {log.book.find("pool", pool) for pool in {new.event.pool for new in news} or {settings.pool}}
    return [row for row in rows if row.pool in numbers]


def _listed(found: Matches, added: Sequence[Event]) -> dict[str, list[str]]:
    """Returns the first amended, voided and added results, for the report of a dry run."""
    contents = Counter(content_of(event) for event in added)
    new = []
    for one in found.fresh:
        content = content_of(one.event)
        if contents[content]:  # the log may have it from another source
            contents[content] -= 1
            new.append(f"line {one.line}: {_result(one.event)}")
    changed = [
        f"line {match.new.line}: {_result(match.new.event)}: {differing}"
        for match in found.both
        if not match.last.gone and (differing := _differing(match.last.event, match.new.event))
    ]
    missing = [f"{one.row.uid}: {_result(one.event)}" for one in found.missing]
    return {"changed": _first(changed), "missing": _first(missing), "new": _first(new)}


def _first(texts: list[str]) -> list[str]:
    rest = len(texts) - LISTED
    return texts if rest <= 0 else [*texts[:LISTED], f"... and {rest} more"]


def _result(event: Event) -> str:
    fields = fields_of(event)
    sides = (
        f"{fields['a']} - {fields['b']} {fields['score']:g}"
        if isinstance(event, GamePlayed)
        else f"session of {len(fields['sides'])} sides"
    )
    return f"{fields['pool']}, {iso(fields['played'])}, {sides}"


def _differing(last: Event, new: Event) -> str:
    before = fields_of(last)
    return ", ".join(f"{name} was {_was(name, before.get(name))}" for name in differing_fields(before, fields_of(new)))


def _was(name: str, value: Any) -> str:
    return seated(value) if name == "sides" else repr(value)
