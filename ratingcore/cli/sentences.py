"""Puts events, corrections, methods and published lists into words."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from attrs import frozen

from ratingcore.errors import RatingCoreError
from ratingcore.events import (
    Event,
    GamePlayed,
    ListPublished,
    MergeUndone,
    PeriodClosed,
    PlayerDescribed,
    PlayersMerged,
    PoolDeclared,
    RatingSeeded,
    ResultAmended,
    ResultVoided,
    SessionPlayed,
    Side,
    day,
    iso,
)
from ratingcore.lists import Published
from ratingcore.methods.rule_histories import THEN, steps_of
from ratingcore.methods.text import of_identity, parameters
from ratingcore.registry import Registry
from ratingcore.safe_text import counted

Find = Callable[[str], Event]
"""Function that returns the event with a uid."""
Text = Callable[[str], str]


@frozen
class Wording:
    """Settings for putting events into words: the language, and how names and values are written.

    Parameters
    ----------
    word : callable
        Translates one of `SENTENCES`, before its placeholders are filled.
    uid : callable
        Returns the text for the uid of an event.
    field : callable
        Returns the text for the name of a field or of a fact.
    value : callable
        Returns the text for a day, given in ISO 8601, or for a number, given with a decimal point.
    policy : callable
        Returns the text for a policy of lists.
    method : callable
        Returns the text for a method without a history.
    name : callable
        Returns the text for the name of a player, of a list, or of anything else in `data`.
    """

    word: Text = str
    uid: Text = str
    field: Text = str
    value: Text = str
    policy: Text = str
    method: Text = str
    name: Text = str

    def note(self, text: str) -> str:
        """Returns the reason or the actor of a correction, in the language if an import recorded it."""
        if text.startswith(begins := BY_READER % {"name": ""}):
            return self.word(BY_READER) % {"name": text.removeprefix(begins)}
        return self.word(text) if text in REASONS else text


ENGLISH = Wording()
BEAT, DREW = "%(a)s beat %(b)s", "%(a)s and %(b)s drew"
TOOK = "%(a)s took %(score)s of the point from %(b)s"
AT_HOME, SIDES = "%(player)s at home", "%(n)s sides: %(sides)s"
OF_EVENT = "on a day of the tournament"
SEED, DESCRIBED, CALLED = "%(player)s is given %(facts)s", "%(player)s is described: %(facts)s", "called %(name)s"
READS, NEVER, BACK = "%(what)s now reads %(facts)s", "%(what)s counts as never recorded", "%(what)s is taken back"
JOINED = "every result of %(other)s counts as one of %(keep)s"
CLOSED, PUBLISHED = "the period through %(day)s is closed", "the list %(name)s is published"
ON, WITH_UID = "%(what)s on %(day)s", "%(what)s (%(uid)s)"
SESSION_OF, SEED_OF, DESCRIPTION_OF, MERGE_OF = (
    "the session of %(n)s sides", "the seed of %(player)s", "the description of %(player)s",
    "the merge of %(other)s into %(keep)s",
)  # fmt: skip
OF = {
    "void": "the void %(uid)s of %(what)s", "amend": "the amendment %(uid)s of %(what)s",
    "unmerge": "the unmerge %(uid)s of %(what)s",
}  # fmt: skip
TAKES, TAKES_ALL, TAKES_PART = (
    "the pool takes what %(fits)s can read", "the pool takes every result",
    "the pool takes results of pool %(of)s with %(results)s",
)  # fmt: skip
ITS_ZONE, ITS_LISTS = "%(what)s, and its days are those of %(zone)s", "%(what)s; its lists are by %(method)s"
NO_METHOD, WITH, FROM = "no method", "%(what)s with %(policy)s", "%(what)s from %(day)s"
STEP, RESTATED = " then %(method)s from %(day)s", "%(what)s from %(day)s, also for earlier results"
WHY, BY, NOTHING, NONE = "why: %(text)s", "by: %(text)s", "nothing", "(none)"
BY_READER, REASONS = "reader %(name)s", ("issued again", "brought again")
"""The actor of corrections by an import, and their reasons, which are recorded in English."""
SENTENCES = (
    BEAT, DREW, TOOK, AT_HOME, SIDES, OF_EVENT, SEED, DESCRIBED, CALLED, READS, NEVER, BACK, JOINED, CLOSED, PUBLISHED,
    ON, WITH_UID, SESSION_OF, SEED_OF, DESCRIPTION_OF, MERGE_OF, *OF.values(), TAKES, TAKES_ALL, TAKES_PART, ITS_ZONE,
    ITS_LISTS, NO_METHOD, WITH, FROM, STEP, RESTATED, WHY, BY, NOTHING, NONE,
    BY_READER, *REASONS,
)  # fmt: skip
"""Every sentence about events, for translators."""
_NAMED = {"a", "b", "player", "other", "keep", "name"}
"""Facts of sentences that are names."""
_STEP = re.compile(r" then (.*?) from ([0-9]{4}-[0-9]{2}-[0-9]{2})")


def sentence(event: Event, find: Find, wording: Wording = ENGLISH) -> str:
    """Returns a sentence that describes an event.

    Parameters
    ----------
    event : Event
    find : callable
        Returns the event with a uid, which a correction is about.
    wording : Wording
        The language and the spelling.

    Examples
    --------
    >>> game = GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=0.0, uid="g-17")
    >>> sentence(game, {}.get)
    'bo beat ann'
    >>> sentence(ResultVoided(of="g-17", why="not played", by="cy"), {"g-17": game}.get)
    'bo beat ann on 2024-03-02 (g-17) counts as never recorded; why: not played; by: cy'
    >>> german = Wording({BEAT: "%(a)s schlug %(b)s"}.get)
    >>> sentence(game, {}.get, german)
    'bo schlug ann'
    """
    return _Sentences(find, wording).sentence(event)


@frozen
class _Sentences:
    """Makes the sentences for events in one language."""

    find: Find
    wording: Wording

    def sentence(self, event: Event) -> str:
        notes = ((form, getattr(event, name, "")) for name, form in (("why", WHY), ("by", BY)))
        said = (self._put(form, text=self.wording.note(given)) for form, given in notes if given)
        return "; ".join([self._what(event), *said])

    def _put(self, form: str, **facts: object) -> str:
        named = {key: self.wording.name(str(facts[key])) for key in _NAMED & facts.keys()}
        return self.wording.word(form) % {**facts, **named}

    def _what(self, event: Event) -> str:
        match event:
            case GamePlayed():
                return self._game(event)
            case SessionPlayed():
                text = self._put(SIDES, n=len(event.sides), sides=self._sides(event.sides))
                return text + _bracketed(self._listed(event.data))
            case RatingSeeded():
                return self._put(SEED, player=event.player, facts=", ".join(self._listed(event.values)))
            case PlayerDescribed():
                called = [self._put(CALLED, name=event.called)] if event.called else []
                facts = ", ".join([*called, *self._listed(event.data)]) or self._put(NOTHING)
                return self._put(DESCRIBED, player=event.player, facts=facts)
            case ResultAmended():
                changes: dict[str, Any] = dict(event.changes)
                planted = self._listed(dict(changes.pop("values", {})))
                facts = ", ".join([*self._listed(changes), *planted])
                return self._put(READS, what=self._title(self.find(event.of)), facts=facts)
            case ResultVoided() | MergeUndone():
                of = self.find(event.of)
                correction = isinstance(event, MergeUndone) or isinstance(
                    of, ResultVoided | ResultAmended | MergeUndone
                )
                return self._put(BACK if correction else NEVER, what=self._title(of))
            case PlayersMerged():
                return self._put(JOINED, other=event.other, keep=event.keep)
            case PeriodClosed():
                return self._put(CLOSED, day=self._day(event.played))
            case ListPublished():
                return self._put(PUBLISHED, name=event.name)
            case PoolDeclared():
                return self._pool(event)
        raise AssertionError(f"there is no sentence for events of kind {event.kind}")

    def _title(self, event: Event) -> str:
        """Returns a noun phrase for an event, for sentences about its corrections."""
        uid = self.wording.uid(event.uid)
        match event:
            case GamePlayed():
                what = self._put(ON, what=self._outcome(event), day=self._day(event.played))
            case SessionPlayed():
                what = self._put(ON, what=self._put(SESSION_OF, n=len(event.sides)), day=self._day(event.played))
            case RatingSeeded():
                what = self._put(ON, what=self._put(SEED_OF, player=event.player), day=self._day(event.played))
            case PlayerDescribed():
                what = self._put(DESCRIPTION_OF, player=event.player)
            case PlayersMerged():
                what = self._put(MERGE_OF, other=event.other, keep=event.keep)
            case ResultVoided() | ResultAmended() | MergeUndone():
                return self._put(OF[event.kind], uid=uid, what=self._title(self.find(event.of)))
            case _:
                return f"{event.kind} {uid}"
        return self._put(WITH_UID, what=what, uid=uid)

    def _outcome(self, game: GamePlayed) -> str:
        if game.score == 0.5:
            return self._put(DREW, a=game.a, b=game.b)
        if game.score == 0.0:
            return self._put(BEAT, a=game.b, b=game.a)
        return self._put(BEAT if game.score == 1.0 else TOOK, a=game.a, b=game.b, score=self._spelt(game.score))

    def _game(self, game: GamePlayed) -> str:
        facts = dict(game.data)
        points = [facts.pop("points_a", None), facts.pop("points_b", None)]
        if game.score == 0.0:
            points.reverse()
        shown = [] if None in points else [f" {self._spelt(points[0])}-{self._spelt(points[1])}"]
        ground = {"a": game.a, "b": game.b}.get(str(facts.pop("home", "")))
        at_home = [self._put(AT_HOME, player=ground)] if ground else []
        return "".join([self._outcome(game), *shown, _bracketed([*at_home, *self._listed(facts)])])

    def _pool(self, pool: PoolDeclared) -> str:
        text = self._put(TAKES, fits=pool.fits) if pool.fits else self._put(TAKES_ALL)
        text = self._put(TAKES_PART, of=pool.of, results=pool.results) if pool.of else text
        text = self._put(ITS_ZONE, what=text, zone=pool.zone) if pool.zone else text
        if pool.method is None:
            return text
        first, *later = _STEP.split(pool.method)
        method = self.wording.method(first) if first else self._put(NO_METHOD)
        for step, since, by in zip(later[::3], later[1::3], later[2::3], strict=True):
            method += self._put(STEP, method=self.wording.method(step), day=self.wording.value(since)) + by
        text = self._put(ITS_LISTS, what=text, method=method)
        text = self._put(WITH, what=text, policy=self.wording.policy(pool.policy)) if pool.policy else text
        by_its_last_step = f" from {pool.starting}"  # the rule has a history
        has_its_day = not pool.starting or pool.method.endswith(by_its_last_step)
        if has_its_day:
            return text
        return self._put(RESTATED if first and not later else FROM, what=text, day=self.wording.value(pool.starting))

    def _listed(self, facts: Mapping[str, object]) -> list[str]:
        return [
            self._put(OF_EVENT) if (name, value) == ("dated", "event")
            else f"{self.wording.field(name)} {self._value(name, value)}" for name, value in facts.items()
        ]  # fmt: skip

    def _value(self, name: str, value: Any) -> str:
        if value is None:
            return self._put(NONE)
        if name == "played":
            return self.wording.value(iso(value))
        return self._sides(value) if name == "sides" else self._spelt(value)

    def _sides(self, sides: Iterable[Side]) -> str:
        name = self.wording.name
        return ", ".join(f"{' + '.join(map(name, side.players))} {self._spelt(side.score)}" for side in sides)

    def _day(self, at: Any) -> str:
        return self.wording.value(day(at))

    def _spelt(self, value: Any) -> str:
        if not isinstance(value, float):
            return self.wording.name(value) if isinstance(value, str) else str(value)
        return self.wording.value(f"{value:g}" if value == round(value, 4) else str(value))


def _bracketed(facts: list[str]) -> str:
    return f" ({', '.join(facts)})" if facts else ""


def in_brief(registry: Registry) -> Text:
    """Returns the function that shortens the identity of a method, for the lines of facts about an answer.

    Examples
    --------
    >>> in_brief(Registry.installed())("elo@1(k=24.0, scale=400.0)")
    'elo:k=24, formula 1'
    """
    return partial(method_in_brief, registry=registry)


def method_in_brief(identity: str, registry: Registry) -> str:
    """Returns a method as one would type it, without parameters at their defaults, and with its formula.

    Each step of a rule with a history is given in this way.
    """
    first, later = steps_of(identity)
    if later:
        steps = (f"{method_in_brief(step, registry)} {since}" for step, since in later)
        return THEN.join([method_in_brief(first, registry), *steps])
    try:
        name, formula, given = of_identity(identity)
        usual = parameters(registry.method(name))
    except RatingCoreError:  # not installed, or with a parameter that must be given
        return identity
    differ = [f"{key}={text.removesuffix('.0')}" for key, text in given.items() if usual.get(key) != text]
    return f"{':'.join([name, *filter(None, [','.join(differ)])])}, formula {formula}"


def chained(events: int, batches: int) -> str:
    """Returns the numbers of events and batches in words."""
    return f"{counted(events, 'event')} in {counted(batches, 'batch', 'batches')}"


def published_as(published: Published) -> str:
    """Returns the name, pool and position of a published list: "as 2024-03 of pool rapid at position 6"."""
    return f"as {published.name} of pool {published.pool} at position {published.position}"
