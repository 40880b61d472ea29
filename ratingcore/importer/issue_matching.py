"""Matches the results of a document's new issue with those of its last one."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from attrs import evolve, frozen

from ratingcore.events import DAY, Event, GamePlayed, Row, SessionPlayed, Side, moment
from ratingcore.events.kinds import players_of
from ratingcore.events.missing_uids import is_nameless, is_of_named_session
from ratingcore.events.rounds import round_order
from ratingcore.events.values import erased_number
from ratingcore.importer.differences import AnEvent, content_of, is_same
from ratingcore.importer.last_issues import GivenResult
from ratingcore.log.derived_uids import in_scope, is_derived

_RESULTS: Final = (GamePlayed, SessionPlayed)


class NewResult(NamedTuple):
    """A result of the new issue, and the line it begins on."""

    line: int
    event: GamePlayed | SessionPlayed

    def moved(self, scope: str, other: str) -> "NewResult":
        """The result in another scope, that is, in another document."""
        return self._replace(event=evolve(self.event, uid=self.event.uid.replace(scope, other, 1)))


class Match(NamedTuple):
    """A result of the new issue and its match in the last one; `renamed` has the old and the new key of a player."""

    new: NewResult
    last: GivenResult
    renamed: tuple[str, str] | None = None

    def with_event(self, event: GamePlayed | SessionPlayed) -> "Match":
        """The match with another event of the new issue."""
        return self._replace(new=self.new._replace(event=event))


class Matches(NamedTuple):
    """Results in both issues, results only in the new one, and results only in the last one that still count."""

    both: list[Match]
    fresh: list[NewResult]
    missing: list[GivenResult]


@frozen
class MatchingRules:
    """The rules for matching two issues of one document, or of one table.

    Attributes
    ----------
    within : callable
        Returns what identifies a result besides its players: the round in a document, pool and time in a table.
    renames : bool
        Whether a player may have another name now; in a table, another name is another result.
    by_id : bool
        Whether results with different ids of their own are different results.
    """

    within: Callable[[Event], Hashable]
    renames: bool
    by_id: bool


def matched(news: Sequence[NewResult], results: Sequence[GivenResult], issues: "MatchingRules") -> Matches:
    """Matches the results of two issues of one document, or of one table.

    Results are matched by uid if the document gives public ids; then by round and players; then, if a name was erased,
    by round and the other player; last by round and one player, if the other player's old name is not in the new
    issue, the new name is not in the old issue, and there is only one candidate.
    """
    return _Matching(news, results, issues).run()


def round_of(event: Event) -> Hashable:
    """Returns the number of a result's round: from its order, or on a whole day from the name of the round."""
    if not isinstance(event, _RESULTS):
        return 0
    turn = event.data.get("round")
    return (event.order if turn is None or event.played % DAY else round_order(turn)) // 1000


def _day_of(event: Event) -> Hashable:
    """Returns the pool and time of a result of a table."""
    return (event.pool, event.played) if isinstance(event, _RESULTS) else 0


DOCUMENT = MatchingRules(round_of, renames=True, by_id=False)
"""A tournament or session."""
TABLE = MatchingRules(_day_of, renames=False, by_id=True)
"""A table of results."""


def first_day(results: Iterable[NewResult | GivenResult]) -> date:
    """Returns the first day on which a result was played."""
    return moment(min(getattr(one.event, "played", 0) for one in results)).date()


def is_of_day(news: Sequence[NewResult], results: Sequence[GivenResult]) -> bool:
    """True if the results of two documents begin on the same day, or the new one has none."""
    return not news or first_day(news) == first_day(results)


def has_results(news: Sequence[NewResult], results: Sequence[GivenResult]) -> bool:
    """True if two documents share at least four results in five, even on other days, since a day may be corrected.

    Tournaments half a year apart are two: in a small club the same players may well win again.
    """
    apart = abs(first_day(news) - first_day(results)).days
    new, old = (Counter(_outcome(one.event) for one in some) for some in (news, results))
    return apart <= _NEAR and (new & old).total() >= _MOSTLY * min(len(news), len(results))


_MOSTLY, _NEAR = 0.8, 180


def _outcome(event: Event) -> Hashable:
    """Returns the round, the players and their scores."""
    if isinstance(event, GamePlayed):
        return round_of(event), frozenset(((event.a, event.score), (event.b, 1 - event.score)))
    return round_of(event), frozenset((side.players, side.score) for side in getattr(event, "sides", ()))


class _Matching:
    def __init__(self, news: Sequence[NewResult], results: Sequence[GivenResult], issues: MatchingRules) -> None:
        self._issues, self._within = issues, issues.within
        self._in_file, self._news = news, dict(enumerate(news))
        self._given = dict(enumerate(results))
        self._met = tuple(
            [(self._within(event), _pair(event)) for event in events]
            for events in ([new.event for new in news], [given.event for given in results])
        )
        """For the results of each issue, their round or day and their players."""
        self._several: set[Hashable] = set()
        """Those that several results of one issue share."""
        self._by_id = issues.by_id and any(not is_nameless(new.event.uid) for new in news)
        self._both: list[Match] = []
        self._new_keys = {key for new in news for key in players_of(new.event)}
        self._old_keys = {key for given in results if not given.gone for key in players_of(given.event)}

    def run(self) -> Matches:
        self._by(lambda event, _: in_scope(event.uid) or event.uid)
        for gone in (False, True):
            self._equal(gone)
            self._by(lambda event, met: (met, _content(event)), gone)
            self._by(lambda event, met: (met, _table(event)), gone)
            self._by(lambda _, met: met, gone)
        self._erased()
        if self._issues.renames:
            self._renamed()
        if self._several and self._issues is TABLE:
            self._by_place()
        missing = [given for given in self._given.values() if not given.gone and given.now is not None]
        both = sorted(self._both, key=lambda match: match.new.line)
        return Matches(both, list(self._news.values()), missing)

    def _equal(self, gone: bool) -> None:
        """Matches equal results of players who met several times, first those at the same place among the meetings."""
        given = {number: one.event for number, one in self._given.items() if one.gone == gone}
        if not given or not self._news:
            return
        news: dict[int, Event] = {number: new.event for number, new in self._news.items()}
        several: set[Hashable] = set()
        for events, met in zip((news, given), self._met, strict=True):
            meetings = [met[number] for number in events]
            if len(set(meetings)) < len(meetings):
                several.update(meeting for meeting, count in Counter(meetings).items() if count > 1)
        whole: dict[int, Hashable] = {}
        placed: dict[int, Hashable] = {}
        for events, met in zip((news, given), self._met, strict=True) if several else ():
            seen: Counter[Hashable] = Counter()
            for number, event in events.items():
                if (meeting := met[number]) in several:
                    whole[id(event)] = key = meeting, content_of(event)
                    placed[id(event)] = *key, seen[meeting]
                    seen[meeting] += 1
        self._several |= several
        for keys in (placed, whole) if several else ():
            self._by(lambda event, _, keys=keys: keys.get(id(event)), gone)  # type: ignore[misc]

    def _by_place(self) -> None:
        """Matches all meetings of the same players in order if one was corrected, because their order counts."""
        open_ = {met for number in self._given if (met := self._met[1][number]) in self._several}
        matches: dict[Hashable, list[Match]] = defaultdict(list)
        for match in self._both:
            met = self._issues.within(match.new.event), _pair(match.new.event)
            if met in self._several and met not in open_:
                matches[met].append(match)
        both: dict[int, Match] = {}
        places = {id(new.event): place for place, new in enumerate(self._in_file)}
        for some in matches.values():
            same = all(is_same(match.new.event, match.last.event) for match in some)
            if same or any(match.last.gone or self._is_named(match) for match in some):
                continue
            some.sort(key=lambda match: (match.new.line, places.get(id(match.new.event), 0)))  # lines may be shared
            last = sorted((match.last for match in some), key=lambda given: given.row.position)
            both |= {id(match): match._replace(last=given) for match, given in zip(some, last, strict=True)}
        self._both = [both.get(id(match), match) for match in self._both]

    def _is_named(self, match: Match) -> bool:
        return not is_nameless(match.new.event.uid) or _has_own_id(match.last.row)

    def _by(self, key: Callable[[Event, Hashable], Hashable], gone: bool | None = None) -> None:
        """Matches remaining results by a key of the event and its meeting, one to one in the order of the document.

        Results whose key is None stay unmatched.
        """
        waiting: dict[Hashable, list[int]] = defaultdict(list)
        with_ids: dict[Hashable, list[int]] = defaultdict(list)
        (met, met_before), by_id = self._met, self._by_id and gone is not None
        for number in reversed(self._given) if self._news else ():
            given = self._given[number]
            if gone is None or given.gone == gone:
                some = with_ids if by_id and _has_own_id(given.row) else waiting
                some[key(given.event, met_before[number])].append(number)
        for number, new in list(self._news.items()) if waiting or with_ids else ():
            if (of_new := key(new.event, met[number])) is None:
                continue
            there = waiting.get(of_new)
            if with_ids and is_nameless(new.event.uid):
                there = min(there, with_ids.get(of_new), key=lambda some: some[-1] if some else len(met_before))
            if there:
                self._take(number, there.pop())

    def _may_be(self, new: NewResult, given: GivenResult) -> bool:
        """True if the ids of two results allow them to be the same."""
        return not self._by_id or is_nameless(new.event.uid) or not _has_own_id(given.row)

    def _take(self, new: int, given: int, renamed: tuple[str, str] | None = None) -> None:
        one, before = self._news.pop(new), self._given.pop(given)
        self._both.append(Match(one._replace(event=labelled(one.event, before.event)), before, renamed))

    def _erased(self) -> None:
        """Matches results with an erased name, which may be any name of the new issue."""
        there: dict[Hashable, list[int]] = defaultdict(list)
        for number, new in self._news.items():
            there[self._within(new.event)].append(number)
        for at, given in list(self._given.items()):
            names = players_of(given.event)
            known = {name for name in names if not erased_number(name)}
            if given.gone or len(known) == len(names):
                continue
            fits = [
                number
                for number in there[self._within(given.event)]
                if number in self._news and self._may_be_erased(self._news[number], given, known)
            ]
            best = [
                number for number in fits if _score_of(self._news[number].event, known) == _score_of(given.event, known)
            ]
            if fits:
                self._take((best or fits)[0], at)

    def _may_be_erased(self, new: NewResult, given: GivenResult, known: set[str]) -> bool:
        players = players_of(new.event)
        return (
            self._may_be(new, given)
            and len(players) == len(players_of(given.event))
            and known <= set(players)
            and not (set(players) - known) & self._old_keys
        )

    def _renamed(self) -> None:
        """Matches games in which one player has another name now, if the match is unique."""
        pairs = [
            (number, at, old, other)
            for at, given in self._given.items()
            for number, new in self._news.items()
            if not given.gone and (change := self._change(new.event, given.event)) is not None
            for old, other in (change,)
        ]
        for alike in (False, True):
            open_pairs = [
                pair
                for pair in pairs
                if pair[0] in self._news
                and pair[1] in self._given
                and (not alike or _table(self._news[pair[0]].event) == _table(self._given[pair[1]].event))
            ]
            of_new, of_old = Counter(pair[0] for pair in open_pairs), Counter(pair[1] for pair in open_pairs)
            for number, at, old, other in open_pairs:
                if of_new[number] == of_old[at] == 1:
                    self._take(number, at, (old, other))

    def _change(self, new: Event, last: Event) -> tuple[str, str] | None:
        """Returns the old and the new name if exactly one player differs between two results of a round."""
        if self._within(new) != self._within(last):
            return None
        before, now = set(players_of(last)), set(players_of(new))
        old, other = before - now, now - before
        if len(old) != 1 or len(other) != 1 or not before & now:
            return None
        (was,), (became,) = old, other
        return None if was in self._new_keys or became in self._old_keys else (was, became)


def _has_own_id(row: Row) -> bool:
    """True if the id of a result was given with it, not derived."""
    return not (is_derived(row) or is_of_named_session(row.uid))


def _pair(event: Event) -> Hashable:
    return frozenset(players_of(event))


def _content(event: Event) -> Hashable:
    return (event.a, event.score, _table(event)) if isinstance(event, GamePlayed) else None


def _table(event: Event) -> Hashable:
    data = event.data if isinstance(event, _RESULTS) else {}
    return data.get("board", data.get("table"))


def _score_of(event: Event, known: Iterable[str]) -> Hashable:
    """Returns the score of the known player's side, or of the first side if neither player is known."""
    if not isinstance(event, GamePlayed):
        return None
    return 1 - event.score if event.b in set(known) else event.score


def labelled(new: AnEvent, last: Event) -> AnEvent:
    """Returns the new result with labels in place of erased names, so that the names do not come back."""
    if not any(erased_number(name) for name in players_of(last)):
        return new
    if isinstance(new, GamePlayed) and isinstance(last, GamePlayed):
        a, b = (name if erased_number(name) else "" for name in (last.a, last.b))
        known = {last.a, last.b} - {a, b}
        if known & {new.a, new.b}:
            return evolve(new, a=a or b) if new.b in known else evolve(new, b=a or b)
        return evolve(new, a=a or new.a, b=b or new.b)
    if isinstance(new, SessionPlayed) and isinstance(last, SessionPlayed):
        return evolve(new, sides=_labelled_sides(new, last))
    return new


def _labelled_sides(new: SessionPlayed, last: SessionPlayed) -> list[Side]:
    """Returns the sides of a session, with labels in place of erased names.

    A side is identified by its other players; if several sides fit, the one at the same place is preferred.
    """
    named = {name for side in last.sides for name in side.players if not erased_number(name)}
    sides = list(new.sides)
    free = set(range(len(sides)))
    for place, side in enumerate(last.sides):
        labels = [name for name in side.players if erased_number(name)]
        if not labels:
            continue
        rest = set(side.players) - set(labels)
        for other in sorted(free, key=lambda at: (at != place, at)):
            players = sides[other].players
            strangers = [name for name in players if name not in named]
            if set(players) - set(strangers) == rest and len(strangers) == len(labels):
                known = dict(zip(strangers, labels, strict=True))
                sides[other] = evolve(sides[other], players=[known.get(name, name) for name in players])
                free.discard(other)
                break
    return list(sides)
