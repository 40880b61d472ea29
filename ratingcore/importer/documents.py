"""Imports documents: each is one batch, and one that is issued again becomes corrections of what it said before."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from attrs import define, field

from ratingcore.errors import BadValue, HeadMoved, NoOffset, RatingCoreError
from ratingcore.events import Event, GamePlayed, ResultAmended, ResultVoided, Row, SessionPlayed, iso
from ratingcore.events.contradiction import same
from ratingcore.events.kinds import players_of
from ratingcore.events.stand_ins import is_nameless, scope_of
from ratingcore.importer.contradictions import WHY, fields_of
from ratingcore.importer.descriptions import NewDescriptions
from ratingcore.importer.event_maker import EventMaker, text_of
from ratingcore.importer.known import KnownGames
from ratingcore.importer.matches import DOCUMENT, ISSUED, LastIssues, Match, Matches, New, Said, matched
from ratingcore.importer.remarks import Doubts, voided_rows
from ratingcore.importer.report import ImportReport
from ratingcore.importer.settings import FEW, Settings
from ratingcore.log import Log
from ratingcore.log.identity import Identity, Recorded, Uids
from ratingcore.readers import (
    Document,
    Facts,
    Game,
    Item,
    Reader,
    Refused,
    Seed,
    Session,
    Source,
    Unrated,
    Warning,
    Who,
)
from ratingcore.replay.declared import misfits

_TRIES = 5
"""How often a document is looked at anew where others append at the same time."""


@define
class _Issue:
    """What one document says."""

    document: Document
    line: int
    results: list[Game | Session] = field(factory=list)
    about: list[Facts | Seed] = field(factory=list)


class Documents:
    """Imports the documents of one reader into a log.

    Parameters
    ----------
    log : Log
    reader : Reader
    settings : Settings
    last : LastIssues
        What the log has of documents of this reader.
    known : KnownGames
    """

    def __init__(self, log: Log, reader: Reader, settings: Settings, last: LastIssues, known: KnownGames) -> None:
        self._log, self._reader, self._settings, self._last = log, reader, settings, last
        self._by = last.by
        self._known = known

    def take(
        self, source: Source, items: Iterable[Item], maker: EventMaker, people: NewDescriptions, report: ImportReport
    ) -> None:
        """Imports the documents of a source."""
        for issue in self._issues(items, report):
            report.documents += 1
            for _ in range(_TRIES):
                part = ImportReport(source.name, dry_run=report.dry_run)
                try:
                    self._take(issue, source, maker, people, part)
                except HeadMoved:  # somebody appended meanwhile: look again
                    people.forget()
                    continue
                report.add(part)
                break
            else:
                raise HeadMoved(self._log.head.position, self._log.head.position)

    def _issues(self, items: Iterable[Item], report: ImportReport) -> Iterator[_Issue]:
        issue: _Issue | None = None
        for item in items:
            if isinstance(item, Document):
                if issue is not None:
                    yield issue
                issue = _Issue(item, 1)
            elif isinstance(item, Game | Session):
                report.read += 1
                if issue is None:
                    report.refused.append((item.line, "stands before the document it belongs to", ""))
                else:
                    issue.results.append(item)
            elif isinstance(item, Seed | Facts):
                if issue is not None:
                    issue.about.append(item)
            else:
                note(item, report)
        if issue is not None:
            yield issue

    def _take(
        self, issue: _Issue, source: Source, maker: EventMaker, people: NewDescriptions, report: ImportReport
    ) -> None:
        document, head = issue.document, self._log.head
        scope = scope_of(self._reader.name, document.key)
        if maker.local is not None:
            maker.local.forget()  # a pool may have been declared since the last document
        news = self._made(issue, scope, maker, report)
        odd = misfits(self._log, [new.event for new in news], self._settings.registry.method)
        if odd:
            at, (pool, fits, why) = next(iter(odd.items()))
            reason = f"{why} in line {news[at].line}: pool {pool} takes what {fits} can read"
            report.refused += [(new.line, reason, document.event) for new in news]
            return
        said = list(self._last.of(self._rows(document, scope)))
        if not said:
            news = self._without_known(document, news, report)
        found = matched(news, said, DOCUMENT)
        live = sum(1 for one in said if not one.gone and one.now is not None)
        voids = [one for one in found.missing if one.now is not None]
        changes = any(Outcome(self._by, ImportReport(source.name)).of(found, voids))
        if changes and not self._settings.amend and self._stands(document, news, said, report):
            return
        if len(voids) > FEW and len(voids) > self._settings.voids * live:
            why = f"it would void {len(voids)} of {live} results: a truncated file? --voids all"
            report.refused += [(new.line, why, document.event) for new in news] or [(issue.line, why, document.event)]
            report.read += not news
            return
        outcome = Outcome(self._by, report)
        events = list(outcome.of(found, voids))
        if gone := voided_rows(self._log, outcome.voided):
            report.warnings.append(gone)
        report.warnings += _doubts(news)
        told = [*found.fresh, *(match.new for match in found.both)]  # with labels where a name was erased
        among = {name for new in told for name in players_of(new.event)}
        events += people.news(issue.about, maker, report, sorted({new.event.pool for new in news}), among)
        if events and not self._settings.dry_run:
            origin = f"{self._reader.name}:{PurePath(source.name).name}"
            if document.issued is not None:
                origin += f"{ISSUED}{iso(document.issued)}"
            self._log.append(events, source=origin[-300:], expect=head, matching=_Naming(self._log, said))

    def _without_known(self, document: Document, news: list[New], report: ImportReport) -> list[New]:
        """The results of a new document, without those that the log has from another source if the user says so."""
        known = self._known.among([new.event for new in news])
        if known is None:
            return news
        source = known.source.partition(":")[0] or "somewhere else"
        there = f"{document.event}: {len(known.places)} of {len(news)} games are in the log already, from {source}"
        if not self._settings.skip_known:
            report.warnings.append(f"{there}: if it is the same event, void these and say --skip-known")
            return news
        report.warnings.append(f"{there}: left out")
        report.duplicates += len(known.places)
        return [new for place, new in enumerate(news) if place not in set(known.places)]

    def _stands(self, document: Document, news: list[New], said: list[Said], report: ImportReport) -> bool:
        """Whether what was imported last stands, because this version is an earlier one; then says so."""
        last = self._last.issued(said)
        earlier = document.issued is not None and last is not None and document.issued < last
        if not earlier and document.issued is not None and last is not None:
            return False
        wanted = _contents(new.event for new in news)
        versions = (version for version in self._last.versions(said) if len(version) == len(news))
        if any(_contents(version) == wanted for version in versions):
            report.duplicates += len(news)
            report.warnings.append(f"{document.event}: the log has a later issue than this one: --amend to go back")
        elif earlier:
            why = "the log has a later issue: --amend to go back"
            report.refused += [(new.line, why, document.event) for new in news]
        else:
            return False
        return True

    def _rows(self, document: Document, scope: str) -> list[Any]:
        """The rows of the results that earlier issues of a document gave."""
        rows = list(self._log.rows_between(f"{scope}-", f"{scope}."))
        if len(document.key) == 1 and ":" in document.key[0]:
            key = document.key[0]
            rows += self._log.find([key]).values()
            rows += self._log.rows_between(f"{key}:", f"{key};")
        return sorted(row for row in rows if row.kind in ("game", "session"))

    def _made(self, issue: _Issue, scope: str, maker: EventMaker, report: ImportReport) -> list[New]:
        """The events of a document's results; those that cannot be are reported as refused."""
        ambiguous = _ambiguous(issue, maker)
        kinds = self._kinds(issue)
        made = []
        seen: set[str] = set()
        for item in issue.results:
            try:
                event = maker.event(item, scope)
                for name in players_of(event):
                    if name in ambiguous:
                        raise BadValue("players", name, "two players are called so in this document: give ids")
                if not is_nameless(event.uid) and event.uid in seen:
                    raise BadValue("uid", event.uid, "stands twice in the document")
                if kinds.get(event.uid, event.kind) != event.kind:
                    raise BadValue("uid", event.uid, f"is that of a {kinds[event.uid]} in the log")
            except NoOffset:  # one answer for the whole file
                raise
            except RatingCoreError as error:
                report.refused.append((item.line, str(error), text_of(item)))
                continue
            seen.add(event.uid)
            assert isinstance(event, GamePlayed | SessionPlayed)
            made.append(New(item.line, event))
        return made

    def _kinds(self, issue: _Issue) -> dict[str, str]:
        """The kinds of the events that the log has under the public ids of a document."""
        ids = [item.key[0] for item in issue.results if len(item.key) == 1]
        return {uid: row.kind for uid, row in self._log.find(ids).items()}


def _doubts(news: Iterable[New]) -> list[str]:
    doubts = Doubts()
    for new in news:
        doubts.see(new.line, new.event)
    return doubts.warnings()


class Outcome:
    """What becomes of the results of a new issue: events, and lines of the report."""

    def __init__(self, by: str, report: ImportReport) -> None:
        self._by, self._report = by, report
        self.voided: list[int] = []
        """Positions of results that the new issue gives, and that were voided in the log by others."""

    def of(self, found: Matches, voids: list[Said]) -> Iterator[Event]:
        """The events by which the log says what the new issue says."""
        for match in found.both:
            yield from self._again(match)
        for said in voids:
            self._report.voided += 1
            yield ResultVoided(of=said.row.uid, why=WHY, by=self._by)
        for new in found.fresh:
            self._report.accepted += 1
            yield new.event

    def _again(self, match: Match) -> Iterator[Event]:
        new, said = match.new, match.said
        if said.now is None and not said.gone:
            self._report.unrated.setdefault("voided in the log", []).append(new.line)
            self.voided.append(said.row.position)
            return
        before, wanted = fields_of(said.last), fields_of(new.event)
        if before["pool"] != wanted["pool"]:
            why = f"uid {said.row.uid} is in pool {before['pool']}, not {wanted['pool']}"
            self._report.refused.append((new.line, why, said.row.uid))
            return
        changes = self._changes(match, before, wanted)
        if said.gone:
            self._report.revived += 1
            yield ResultVoided(of=said.void, why=WHY, by=self._by)
        if changes:
            yield ResultAmended(of=said.row.uid, changes=changes, why=WHY, by=self._by)
        if changes and not said.gone:
            self._report.amended += 1
        elif not said.gone:
            self._report.duplicates += 1
        else:
            self._report.accepted += 1
        if match.renamed is not None:
            old, name = match.renamed
            self._report.renamed += 1
            self._report.warnings.append(
                f"line {new.line}: {old} is called {name} now; if {old} has other results: merge --keep {name} {old}"
            )

    def _changes(self, match: Match, before: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that the log must read otherwise: those that the document says otherwise than last time."""
        now = before if match.said.now is None else fields_of(match.said.now)
        differing = [name for name in {**before, **wanted} if not same(name, wanted.get(name), before.get(name))]
        changes = {name: wanted.get(name) for name in differing if not same(name, wanted.get(name), now.get(name))}
        for name in changes:
            if not same(name, now.get(name), before.get(name)):
                self._report.warnings.append(
                    f"line {match.new.line}: {name} was corrected in the log, what the file says now stands"
                )
        if {"a", "b"} & changes.keys():  # an append looks at both seats as they were first recorded
            changes = {"a": now["a"], "b": now["b"]} | changes
        return changes


class _Naming:
    """Gives the new results of a document their uids; which of them are new is known already."""

    careful = doubtful = False

    def __init__(self, log: Log, said: Iterable[Said]) -> None:
        self.uids = Uids(log.key)
        self._taken = {one.row.uid for one in said}

    def sort(self, rows: Sequence[tuple[Event, Row]], turns: dict[str, int], known: int) -> list[Recorded | None]:
        for _, row in rows:
            identity = Identity.of(row)
            turn = 0
            while self.uids.uid(identity, turn) in self._taken:
                turn += 1
            turns[self.uids.uid(identity, 0)] = turn
        return [None] * len(rows)

    def sort_named(self, rows: Sequence[tuple[Event, Row]], known: int) -> list[Recorded | None]:
        return [None] * len(rows)

    def recognised(self, event: Event, row: Row, recorded: Row) -> None:
        """Nothing is looked for."""

    def reads_as(self, recorded: Row, row: Row) -> bool:
        return False

    def wrote(self, first: int, last: int) -> None:
        """Nothing is looked for later."""


def note(item: Unrated | Refused | Warning, report: ImportReport) -> None:
    """Takes what a reader says about a row that is no result into the report."""
    if isinstance(item, Unrated):
        report.read += item.count
        report.unrated.setdefault(item.reason, []).extend([item.line] * item.count)
    elif isinstance(item, Refused):
        report.read += 1
        report.refused.append((item.line, item.reason, item.text[:200]))
    else:
        report.warnings.append(f"line {item.line}: {item.text}" if item.line else item.text)


def _contents(events: Iterable[Event]) -> Counter[str]:
    """What results say, whatever their uids."""
    return Counter(repr(sorted(fields_of(event).items())) for event in events)


def _ambiguous(issue: _Issue, maker: EventMaker) -> set[str]:
    """Keys that two numbers of one document have."""
    numbers: dict[str, set[str]] = defaultdict(set)
    for who in _people(issue):
        if who.number:
            try:
                numbers[maker.key(who)].add(who.number)
            except RatingCoreError:
                continue
    return {key for key, several in numbers.items() if len(several) > 1}


def _people(issue: _Issue) -> Iterator[Who]:
    for item in issue.results:
        if isinstance(item, Game):
            yield from (item.a, item.b)
        else:
            yield from (who for players, _ in item.sides for who in players)
    yield from (item.who for item in issue.about)
