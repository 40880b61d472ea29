"""Finds which result of a document's new issue is which of its last one."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from attrs import evolve, frozen

from ratingcore.events import Event, GamePlayed, Row, SessionPlayed
from ratingcore.events.kinds import players_of
from ratingcore.events.stand_ins import is_nameless, is_of_named_session
from ratingcore.events.values import erased_number
from ratingcore.importer.labels import labelled_sides
from ratingcore.importer.last_issue import Said
from ratingcore.log.identity import in_scope, is_derived, is_older


class New(NamedTuple):
    """A result of the new issue, and the line it begins on."""

    line: int
    event: GamePlayed | SessionPlayed


class Match(NamedTuple):
    """A result of the new issue that the last one gave; `renamed` tells the old and the new key of a player."""

    new: New
    said: Said
    renamed: tuple[str, str] | None = None


class Matches(NamedTuple):
    """What is in both issues, in the new one only, and in the last one only."""

    both: list[Match]
    fresh: list[New]
    missing: list[Said]


@frozen
class Issues:
    """What two issues of one thing have in common.

    Attributes
    ----------
    within : callable
        What identifies a result besides its players: the round, or the day of a table.
    renames : bool
        Whether a player may have another name now; in a table, another name is another result.
    by_id : bool
        Whether results with different ids of their own are different results.
    """

    within: Callable[[Event], Hashable]
    renames: bool
    by_id: bool


def matched(news: Sequence[New], saids: Sequence[Said], issues: "Issues") -> Matches:
    """Matches the results of two issues of one document, or of one table.

    By uid, where the document gives public ids; then by round and players; then, where a name was erased, by the
    round and the other player; then by the round and one player, if the other one's old name is nowhere in the new
    issue, the new one nowhere in the old, and only one result comes into question.
    """
    return _Matching(news, saids, issues).run()


def round_of(event: Event) -> Hashable:
    """The round of a result, by its order."""
    return event.order // 1000 if isinstance(event, GamePlayed | SessionPlayed) else 0


def day_of(event: Event) -> Hashable:
    """Pool and time of a result of a table."""
    return (event.pool, event.played) if isinstance(event, GamePlayed | SessionPlayed) else 0


DOCUMENT = Issues(round_of, renames=True, by_id=False)
"""A tournament or session."""
TABLE = Issues(day_of, renames=False, by_id=True)
"""A table of results."""


class _Matching:
    def __init__(self, news: Sequence[New], saids: Sequence[Said], issues: Issues) -> None:
        self._issues, self._within = issues, issues.within
        self._news = dict(enumerate(news))
        self._saids = dict(enumerate(saids))
        self._both: list[Match] = []
        self._new_keys = {key for new in news for key in players_of(new.event)}
        self._old_keys = {key for said in saids if not said.gone for key in players_of(said.last)}

    def run(self) -> Matches:
        self._by(lambda event: in_scope(event.uid) or event.uid)
        for gone in (False, True):
            self._by(lambda event: (self._within(event), _pair(event), _content(event)), gone)
            self._by(lambda event: (self._within(event), _pair(event), _table(event)), gone)
            self._by(lambda event: (self._within(event), _pair(event)), gone)
        self._erased()
        if self._issues.renames:
            self._renamed()
        missing = [said for said in self._saids.values() if not said.gone]
        both = sorted(self._both, key=lambda match: match.new.line)
        return Matches(both, list(self._news.values()), missing)

    def _by(self, key: Callable[[Event], Hashable], gone: bool | None = None) -> None:
        """Matches what is left by a key, one for one in the order of the document."""
        waiting: dict[Hashable, list[int]] = defaultdict(list)
        for number in sorted(self._saids, reverse=True):
            if gone is None or self._saids[number].gone == gone:
                waiting[key(self._saids[number].last)].append(number)
        for number, new in list(self._news.items()):
            candidates = waiting.get(key(new.event), [])
            at = next((at for at in reversed(candidates) if gone is None or self._may_be(new, self._saids[at])), None)
            if at is not None:
                candidates.remove(at)
                self._take(number, at)

    def _may_be(self, new: New, said: Said) -> bool:
        """Whether a result may be one that was given before, as far as their ids tell."""
        return not self._issues.by_id or is_nameless(new.event.uid) or not _has_own_id(said.row)

    def _take(self, new: int, said: int, renamed: tuple[str, str] | None = None) -> None:
        one, before = self._news.pop(new), self._saids.pop(said)
        if any(erased_number(name) for name in players_of(before.last)):
            one = one._replace(event=_labelled(one.event, before.last))
        self._both.append(Match(one, before, renamed))

    def _erased(self) -> None:
        """Matches results with a side whose name was erased: it equals whatever the document says."""
        there: dict[Hashable, list[int]] = defaultdict(list)
        for number, new in self._news.items():
            there[self._within(new.event)].append(number)
        for at, said in list(self._saids.items()):
            names = players_of(said.last)
            known = {name for name in names if not erased_number(name)}
            if said.gone or len(known) == len(names):
                continue
            fits = [
                number
                for number in there[self._within(said.last)]
                if number in self._news and self._may_be_erased(self._news[number], said, known)
            ]
            best = [
                number for number in fits if _score_of(self._news[number].event, known) == _score_of(said.last, known)
            ]
            if fits:
                self._take((best or fits)[0], at)

    def _may_be_erased(self, new: New, said: Said, known: set[str]) -> bool:
        players = players_of(new.event)
        return (
            self._may_be(new, said)
            and len(players) == len(players_of(said.last))
            and known <= set(players)
            and not (set(players) - known) & self._old_keys
        )

    def _renamed(self) -> None:
        """Matches games in which one player has another name now, where nothing else can be meant."""
        pairs = [
            (number, at, old, other)
            for at, said in self._saids.items()
            for number, new in self._news.items()
            if not said.gone and (change := self._change(new.event, said.last)) is not None
            for old, other in (change,)
        ]
        for alike in (False, True):
            open_pairs = [
                pair
                for pair in pairs
                if pair[0] in self._news
                and pair[1] in self._saids
                and (not alike or _table(self._news[pair[0]].event) == _table(self._saids[pair[1]].last))
            ]
            of_new, of_said = Counter(pair[0] for pair in open_pairs), Counter(pair[1] for pair in open_pairs)
            for number, at, old, other in open_pairs:
                if of_new[number] == of_said[at] == 1:
                    self._take(number, at, (old, other))

    def _change(self, new: Event, last: Event) -> tuple[str, str] | None:
        """The old and the new name of the one player who differs between two results of a round."""
        if self._within(new) != self._within(last):
            return None
        before, now = set(players_of(last)), set(players_of(new))
        old, other = before - now, now - before
        if len(old) != 1 or len(other) != 1 or not before & now:
            return None
        (was,), (became,) = old, other
        return None if was in self._new_keys or became in self._old_keys else (was, became)


def _has_own_id(row: Row) -> bool:
    """Whether the id of a result was given with it, not derived."""
    return not (is_older(row.uid) or is_derived(row) or is_of_named_session(row.uid))


def _pair(event: Event) -> Hashable:
    return frozenset(players_of(event))


def _content(event: Event) -> Hashable:
    return (event.a, event.score, _table(event)) if isinstance(event, GamePlayed) else None


def _table(event: Event) -> Hashable:
    data = event.data if isinstance(event, GamePlayed | SessionPlayed) else {}
    return data.get("board", data.get("table"))


def _score_of(event: Event, known: Iterable[str]) -> Hashable:
    """The score of the players who are known, or of the first side where nobody is."""
    if not isinstance(event, GamePlayed):
        return None
    return 1 - event.score if event.b in set(known) else event.score


def _labelled(new: Event, last: Event) -> GamePlayed | SessionPlayed:
    """The new result with the labels of erased names where it still has the names: they must not come back."""
    if isinstance(new, GamePlayed) and isinstance(last, GamePlayed):
        known = {name for name in (last.a, last.b) if not erased_number(name)}
        if new.a in known or new.b in known:
            label = last.a if erased_number(last.a) else last.b
            return evolve(new, a=label) if new.b in known else evolve(new, b=label)
        return evolve(new, a=last.a, b=last.b)
    assert isinstance(new, SessionPlayed)
    assert isinstance(last, SessionPlayed)
    return evolve(new, sides=labelled_sides(new, last))
