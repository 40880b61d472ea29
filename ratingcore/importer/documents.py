"""Imports documents: each becomes one batch, and a new issue of a document becomes corrections of the last one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import PurePath

from attrs import define, evolve, field

from ratingcore.errors import Absent, BadValue, NoOffset, PluginFails, RatingCoreError
from ratingcore.events import Event, GamePlayed, ResultVoided, SessionPlayed, iso
from ratingcore.events.kinds import players_of
from ratingcore.events.missing_uids import is_nameless, scope_of
from ratingcore.events.values import erased_number
from ratingcore.importer.contradictions import WHY
from ratingcore.importer.descriptions import NewDescriptions
from ratingcore.importer.differences import content_of
from ratingcore.importer.event_maker import EventMaker, item_text
from ratingcore.importer.issue_matching import DOCUMENT, NewResult, first_day, has_results, is_of_day, matched
from ratingcore.importer.known_rows import Matching
from ratingcore.importer.last_issues import ISSUED, GivenResult, LastIssues
from ratingcore.importer.reasons import NotOfPool
from ratingcore.importer.recorded_games import source_at
from ratingcore.importer.recorded_notes import LaterIssue, LeftOut
from ratingcore.importer.reissue import ReissueEffect
from ratingcore.importer.remarks import ResultRemarks, voided_rows
from ratingcore.importer.report import ImportReport
from ratingcore.importer.row_import import Import
from ratingcore.log import Log
from ratingcore.readers import (
    DayInDoubt,
    Document,
    Facts,
    Game,
    Item,
    Note,
    Reader,
    Reason,
    Refused,
    Seed,
    Session,
    Unrated,
    Who,
)
from ratingcore.replay.declared import misfits
from ratingcore.safe_text import Filled


@define
class _Issue:
    """One document of a file, with its results and its facts about players."""

    document: Document
    line: int
    results: list[Game | Session] = field(factory=list)
    about: list[Facts | Seed] = field(factory=list)
    doubt: DayInDoubt | None = None
    """The document's first day that can be read as several days."""


class Documents:
    """Imports the documents of one reader into a log.

    Parameters
    ----------
    log : Log
    reader : Reader
    """

    def __init__(self, log: Log, reader: Reader) -> None:
        self._log, self._reader = log, reader
        self._last = LastIssues(log, f"reader {reader.name}")

    def take(self, file: Import, items: Iterable[Item], maker: EventMaker, people: NewDescriptions) -> None:
        """Imports the documents of a file."""
        for issue in self._issues(items, file.report):
            file.report.documents += 1
            with self._log.writing():  # the log's version of a document must not change until its batch is written
                self._take(issue, file, maker, people)
        file.report.notes += voided_rows(self._log, file.report)

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
                    report.refused.append((item.line, Reason("is before the document it belongs to"), ""))
                else:
                    issue.results.append(item)
            elif isinstance(item, Seed | Facts):
                if issue is not None:
                    issue.about.append(item)
            elif isinstance(item, Unrated | Refused | Note):
                report.note(item)
                if isinstance(item, DayInDoubt) and issue is not None:
                    issue.doubt = issue.doubt or item
            else:
                what = f"it yields {type(item).__name__}, which is not an item of a document"
                raise PluginFails(f"of the reader {self._reader.name}", what)
        if issue is not None:
            yield issue

    def _take(self, issue: _Issue, file: Import, maker: EventMaker, people: NewDescriptions) -> None:
        document, report, settings = issue.document, file.report, file.settings
        scope = scope_of(self._reader.name, document.key)
        maker.doubt = issue.doubt
        if maker.local is not None:
            maker.local.forget()  # a pool may have been declared since the last document
        news = self._made(issue, scope, maker, report)
        refused = misfits(self._log, [new.event for new in news], file.method)
        if refused:
            at, (pool, fits, why) = next(iter(refused.items()))
            reason = Reason.of(NotOfPool(f"{why} in line {news[at].line}", pool, fits))
            report.refused += [(new.line, reason, document.event) for new in news]
            return
        scope_of_tournament, last = self._recorded(document, scope, news)
        news = [new.moved(scope, scope_of_tournament) for new in news] if scope_of_tournament != scope else news
        news = self._without_known(document, news, file)
        found = matched(news, last, DOCUMENT)
        outcome = ReissueEffect.of(found, file.by)
        events = outcome.events + [new.event for new in found.fresh]
        if events and not settings.amend and self._is_earlier(document, news, last, report):
            return
        if not outcome.accepted_by(file, news, last, document.event, issue.line):
            return
        report.settled.add("taken", [new.line for new in found.fresh])
        report.notes += _remarks(news)
        named = [*found.fresh, *(match.new for match in found.both)]  # with labels of erased names
        among = {name for new in named for name in players_of(new.event)}
        events += people.news(issue.about, maker, report, sorted({new.event.pool for new in news}), among)
        events += self._changed_seeds(last, among | _keys(issue, maker), file)
        if events:
            origin = f"{self._reader.name}:{PurePath(file.name).name}"
            if document.issued is not None:
                origin += f"{ISSUED}{iso(document.issued)}"
            matching = Matching(self._log, sure=True)
            matching.reserve(one.row.position for one in last)
            _, receipt = matching.append(events, source=origin[-300:])
            report.wrote(receipt)

    def _changed_seeds(self, last: list[GivenResult], there: set[str], file: Import) -> Iterator[Event]:
        """Voids the seeds of players who are missing from the document, and restores those of players who are back."""
        batches = self._last.batches(last)
        rows = [row for batch in batches for row in self._log.rows(batch.first - 1, batch.last, ("seed",))]
        for seed in self._last.of(rows):
            (player,) = players_of(seed.event)
            if seed.gone and player in there and file.settings.seeds != "none":
                file.report.seeds += 1
                yield from (ResultVoided(of=void, why=WHY, by=file.by) for void in seed.voids)
            elif not seed.gone and seed.now is not None and player not in there and not erased_number(player):
                file.report.voided += 1
                yield ResultVoided(of=seed.row.uid, why=WHY, by=file.by)

    def _without_known(self, document: Document, news: list[NewResult], file: Import) -> list[NewResult]:
        """Returns the results of a document without those that are to be left out, since the log has them."""
        report, left = file.report, dict[int, int]()
        for place, new in enumerate(news) if file.known.contents else ():
            positions = file.known.contents[content_of(new.event)]
            if positions:
                left[place] = positions.pop(0)
        if left:
            lines = [news[place].line for place in left]
            source = source_at(self._log, min(left.values())).partition(":")[0]
            note = LeftOut(document.event, len(left), len(news), source)
            report.notes.append(evolve(note, lines=tuple(sorted(lines))))
            report.settled.add("left", lines, reason=Reason.of(note), positions=[*left.values()])
        return [new for place, new in enumerate(news) if place not in left]

    def _is_earlier(
        self, document: Document, news: list[NewResult], last: list[GivenResult], report: ImportReport
    ) -> bool:
        """True if this issue is older than the last imported one; the report then leaves out or refuses its rows.

        A document that was taken back as a whole has no last issue; the last issue may have been taken back alone.
        """
        if last and all({*one.voids} & self._last.taken_back.uids for one in last):
            return False
        issued = self._last.issued(last)
        earlier = document.issued is not None and issued is not None and document.issued < issued
        if not earlier and document.issued is not None and issued is not None:
            return False
        wanted = Counter(content_of(new.event) for new in news)
        versions = islice(self._last.versions(last), 1, None)
        if any(Counter(map(content_of, version)) == wanted for version in versions if len(version) == len(news)):
            later = LaterIssue(document.event)
            report.settled.add("left", [new.line for new in news], reason=Reason.of(later))
            report.notes.append(later)
        elif earlier:
            why = Reason.of(LaterIssue(document.event))
            report.refused += [(new.line, why, document.event) for new in news]
        else:
            return False
        return True

    def _recorded(self, document: Document, scope: str, news: Sequence[NewResult]) -> tuple[str, list[GivenResult]]:
        """Returns the scope of a document's results, and the results that its earlier issues gave.

        A key without a day may be that of several tournaments, such as one a year: the second one has a scope of its
        own. A tournament has the same results whether its title or the user gave its day.
        """
        reader, (name, *more) = self._reader.name, document.key
        if _is_public(document.key):
            return scope, self._given(scope, document.key)
        start = "" if document.start is None else document.start.isoformat()
        dated = start in more
        if dated:
            if last := self._given(scope):
                return scope, last
            more.remove(start)
        elif news and (last := self._given(with_day := scope_of(reader, (name, first_day(news).isoformat(), *more)))):
            return with_day, last
        undated, number = scope_of(reader, (name, *more)), 1
        recorded = list[tuple[str, list[GivenResult]]]()
        while last := self._given(undated):
            recorded.append((undated, last))
            number += 1
            undated = scope_of(reader, (name, *more, f"tournament {number}"))
        for is_same in (is_of_day, has_results):
            if found := next((one for one in recorded if is_same(news, one[1])), None):
                return found
        return scope if dated else undated, []

    def _given(self, scope: str, key: tuple[str, ...] = ()) -> list[GivenResult]:
        """Returns the results within a scope, or with a public key, as a document last gave them."""
        rows = list(self._log.rows_between(f"{scope}-", f"{scope}."))
        for public in key:
            rows += self._log.find([public]).values()
            rows += self._log.rows_between(f"{public}:", f"{public};")
        return list(self._last.of(sorted(row for row in rows if row.kind in ("game", "session"))))

    def _made(self, issue: _Issue, scope: str, maker: EventMaker, report: ImportReport) -> list[NewResult]:
        """The events of a document's results; impossible ones are reported as refused."""
        ambiguous = _ambiguous(issue, maker)
        kinds = self._kinds(issue)
        made = []
        seen: set[str] = set()
        for item in issue.results:
            try:
                event = maker.event(item, scope)
                for name in players_of(event):
                    if name in ambiguous:
                        raise BadValue("players", name, "is the name of two players in this document: give ids")
                if not is_nameless(event.uid) and event.uid in seen:
                    raise BadValue("uid", event.uid, "occurs twice in the document")
                if kinds.get(event.uid, event.kind) != event.kind:
                    raise BadValue("uid", event.uid, Filled("belongs to a {kind} in the log", kind=kinds[event.uid]))
            except NoOffset:  # one note for the whole file
                raise
            except Absent as problem:
                report.settled.add("unrated", [item.line], reason=problem.reason)
                continue
            except RatingCoreError as error:
                report.refused.append((item.line, Reason.of(error), item_text(item)))
                continue
            seen.add(event.uid)
            assert isinstance(event, GamePlayed | SessionPlayed)
            made.append(NewResult(item.line, event))
        return made

    def _kinds(self, issue: _Issue) -> dict[str, str]:
        """Returns the kinds of the events that the log has under a document's public ids."""
        ids = [item.key[0] for item in issue.results if len(item.key) == 1]
        return {uid: row.kind for uid, row in self._log.find(ids).items()}


def _remarks(news: Iterable[NewResult]) -> list[Note]:
    remarks = ResultRemarks()
    for new in news:
        remarks.add(new.line, new.event)
    return remarks.notes()


def _is_public(key: tuple[str, ...]) -> bool:
    """True if the key of a document is an id of its own, such as `usebio:2074:3228`."""
    return len(key) == 1 and ":" in key[0]


def _keys(issue: _Issue, maker: EventMaker) -> set[str]:
    """The keys of all players in a document."""
    keys = set()
    for who in _players(issue):
        with suppress(RatingCoreError):
            keys.add(maker.key(who))
    return keys


def _ambiguous(issue: _Issue, maker: EventMaker) -> set[str]:
    """Returns the player keys that belong to several player numbers of the document."""
    numbers: dict[str, set[str]] = defaultdict(set)
    for who in _players(issue):
        if who.number:
            try:
                numbers[maker.key(who)].add(who.number)
            except RatingCoreError:
                continue
    return {key for key, several in numbers.items() if len(several) > 1}


def _players(issue: _Issue) -> Iterator[Who]:
    for item in issue.results:
        if isinstance(item, Game):
            yield from (item.a, item.b)
        else:
            yield from (who for players, _ in item.sides for who in players)
    yield from (item.who for item in issue.about)
