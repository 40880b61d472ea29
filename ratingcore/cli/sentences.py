"""Sentences and phrases: events, corrections, methods, published lists."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

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
from ratingcore.methods.books import THEN, steps_of
from ratingcore.methods.text import of_identity, parameters
from ratingcore.registry import Registry
from ratingcore.spelling import counted

Find = Callable[[str], Event]
"""The event with a uid."""


def sentence(event: Event, find: Find) -> str:
    """A sentence that describes an event.

    Parameters
    ----------
    event : Event
    find : callable
        Gives the event with a uid: what a correction is about.

    Examples
    --------
    >>> game = GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=0.0, uid="g-17")
    >>> sentence(game, {}.get)
    'bo beat ann'
    >>> sentence(ResultVoided(of="g-17", why="not played", by="cy"), {"g-17": game}.get)
    'bo beat ann on 2024-03-02 (g-17) counts as never recorded; why: not played; by: cy'
    """
    text = _SENTENCE[type(event)](event, find)
    notes = ((name, getattr(event, name, "")) for name in ("why", "by"))
    return "; ".join([text, *(f"{name}: {given}" for name, given in notes if given)])


def title(event: Event, find: Find) -> str:
    """A noun phrase for an event, for sentences about its corrections.

    Examples
    --------
    >>> seed = RatingSeeded(pool="rapid", played="2024-01-01", player="ann", values={"rating": 1600.0}, uid="s-1")
    >>> title(seed, {}.get)
    'the seed of ann on 2024-01-01 (s-1)'
    """
    if isinstance(event, GamePlayed):
        return f"{_outcome(event)} on {day(event.played)} ({event.uid})"
    if isinstance(event, SessionPlayed):
        return f"the session of {len(event.sides)} sides on {day(event.played)} ({event.uid})"
    if isinstance(event, RatingSeeded):
        return f"the seed of {event.player} on {day(event.played)} ({event.uid})"
    if isinstance(event, PlayerDescribed):
        return f"the description of {event.player} ({event.uid})"
    if isinstance(event, PlayersMerged):
        return f"the merge of {event.other} into {event.keep} ({event.uid})"
    if isinstance(event, ResultVoided | ResultAmended | MergeUndone):
        noun = "amendment" if isinstance(event, ResultAmended) else event.kind
        return f"the {noun} {event.uid} of {title(find(event.of), find)}"
    return f"{event.kind} {event.uid}"


def _outcome(game: GamePlayed) -> str:
    if game.score == 0.5:
        return f"{game.a} and {game.b} drew"
    if game.score in (0.0, 1.0):
        winner, loser = (game.a, game.b) if game.score else (game.b, game.a)
        return f"{winner} beat {loser}"
    return f"{game.a} took {_spelt(game.score)} of the point from {game.b}"


def _game(game: GamePlayed, find: Find) -> str:
    facts = dict(game.data)
    points = [facts.pop("points_a", None), facts.pop("points_b", None)]
    if game.score == 0.0:
        points.reverse()
    shown = [] if None in points else [f" {_spelt(points[0])}-{_spelt(points[1])}"]
    ground = {"a": game.a, "b": game.b}.get(str(facts.pop("home", "")))
    at_home = [f"{ground} at home"] if ground else []
    return "".join([_outcome(game), *shown, _bracketed([*at_home, *_listed(facts)])])


def _session(session: SessionPlayed, find: Find) -> str:
    seated = ", ".join(f"{' + '.join(side.players)} {_spelt(side.score)}" for side in session.sides)
    return f"{len(session.sides)} sides: {seated}{_bracketed(_listed(session.data))}"


def _seed(seed: RatingSeeded, find: Find) -> str:
    return f"{seed.player} is given {', '.join(_listed(seed.values))}"


def _player(player: PlayerDescribed, find: Find) -> str:
    called = [f"called {player.called}"] if player.called else []
    return f"{player.player} is described: {', '.join([*called, *_listed(player.data)]) or 'nothing'}"


def _amend(amend: ResultAmended, find: Find) -> str:
    changes = dict(amend.changes)
    planted = _listed(dict(changes.pop("values", {})))  # type: ignore[call-overload]  # a mapping, as the event checked
    return f"{title(find(amend.of), find)} now reads {', '.join([*_listed(changes), *planted])}"


def _void(void: ResultVoided, find: Find) -> str:
    event = find(void.of)
    correction = isinstance(event, ResultVoided | ResultAmended | MergeUndone)
    return f"{title(event, find)} {'is taken back' if correction else 'counts as never recorded'}"


_SENTENCE: dict[type[Event], Callable[[Any, Find], str]] = {
    GamePlayed: _game,
    SessionPlayed: _session,
    RatingSeeded: _seed,
    PlayerDescribed: _player,
    ResultVoided: _void,
    ResultAmended: _amend,
    PlayersMerged: lambda event, find: f"every result of {event.other} counts as one of {event.keep}",
    MergeUndone: lambda event, find: f"{title(find(event.of), find)} is taken back",
    PeriodClosed: lambda event, find: f"the period through {day(event.played)} is closed",
    PoolDeclared: lambda event, find: f"the pool takes {event.taken}",
    ListPublished: lambda event, find: f"the list {event.name} is published",
}


def _listed(facts: Mapping[str, object]) -> list[str]:
    return [f"{name} {_value(name, value)}" for name, value in facts.items()]


def _value(name: str, value: Any) -> str:
    if value is None:
        return "(none)"
    if name == "played":
        return iso(value)
    if name == "sides":
        return ", ".join(_side(side) for side in value)
    return _spelt(value)


def _side(side: Side) -> str:
    return f"{' + '.join(side.players)} {_spelt(side.score)}"


def _spelt(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) and value == round(value, 4) else str(value)


def _bracketed(facts: list[str]) -> str:
    return f" ({', '.join(facts)})" if facts else ""


def in_brief(lines: Iterable[str], registry: Registry) -> list[str]:
    """Lines of facts, those of a method with only the parameters that differ from its defaults, as one would type it.

    Examples
    --------
    >>> in_brief(["method elo@1(k=24.0, scale=400.0)", "head 4"], Registry.installed())
    ['method elo:k=24, formula 1', 'head 4']
    """
    return [_in_brief(line, registry) for line in lines]


def _in_brief(line: str, registry: Registry) -> str:
    for word, by in (("method ", "method "), ("begins from pool ", ", by ")):
        if line.startswith(word):
            told, by, identities = line.partition(by)
            return told + by + "; ".join(method_in_brief(one, registry) for one in identities.split("; "))
    return line


def method_in_brief(identity: str, registry: Registry) -> str:
    """A method by its identity, with only the parameters that differ from its defaults, and its formula.

    A rule with a history is named step by step.
    """
    first, later = steps_of(identity)
    if later:
        steps = (f"{method_in_brief(step, registry)} {since}" for step, since in later)
        return THEN.join([method_in_brief(first, registry), *steps])
    try:
        name, formula, given = of_identity(identity)
        usual = parameters(registry.method(name))
    except RatingCoreError:  # it is not installed, or has a parameter that must be given
        return identity
    differ = [f"{key}={text.removesuffix('.0')}" for key, text in given.items() if usual.get(key) != text]
    return f"{':'.join([name, *filter(None, [','.join(differ)])])}, formula {formula}"


def chained(events: int, batches: int) -> str:
    """Numbers of events and of their batches, in words."""
    return f"{counted(events, 'event')} in {counted(batches, 'batch', 'batches')}"


def published_as(published: Published) -> str:
    """Where a published list stands: "as 2024-03 of pool rapid at position 6"."""
    return f"as {published.name} of pool {published.pool} at position {published.position}"
