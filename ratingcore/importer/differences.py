"""Compares two events: finds the fields that an amendment would change, and describes the differences in words."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

import attrs
from attrs import evolve

from ratingcore.errors import Conflict
from ratingcore.events.kinds import Event, GamePlayed, ResultAmended, SessionPlayed, Side
from ratingcore.events.rounds import follows_round
from ratingcore.events.rows import AMENDABLE
from ratingcore.events.times import iso
from ratingcore.events.values import erased_number, exchanged, is_other_side
from ratingcore.log import Log
from ratingcore.log.local_times import localised
from ratingcore.log.lookup import corrections_of, decoder_of

AnEvent = TypeVar("AnEvent", bound=Event)
Game = TypeVar("Game", bound=GamePlayed)

_FIELDS = 4
"""Largest number of differing fields that a text names."""
_LONGEST = 60
"""Largest number of characters of a value that are quoted."""
_CLOSE = 1e-9
"""Scores that differ by less are equal, because 1 minus a score is rounded."""
_PLAYERS = ("a", "b", "player")


def contradiction(recorded: Event, given: Event) -> str:
    """Returns the fields in which a given event differs from the recorded one, each with both values.

    An erased name equals any other; if one is recorded, the text adds which name in the file it may have been.

    Examples
    --------
    >>> from ratingcore.events import GamePlayed
    >>> game = GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
    >>> contradiction(game, attrs.evolve(game, score=0.5, data={"event": "cup"}))
    'score: 1 recorded, 0.5 in the file; event: nothing recorded, cup in the file'
    """
    given, parts = from_its_side(recorded, given), differences(recorded, given)
    shown = [
        f"{name}: {was or 'nothing'} recorded, {now or 'nothing'} in the file" for name, was, now in parts[:_FIELDS]
    ]
    if len(parts) > _FIELDS:
        shown.append(f"and {len(parts) - _FIELDS} more fields")
    erased, strangers = _strangers(_named(recorded), _named(given))
    if erased and strangers:
        shown.append(f"{' and '.join(erased)} in the log may be {' and '.join(strangers)} in the file")
    return "; ".join(shown)


def differences(recorded: Event, given: Event) -> tuple[tuple[str, str, str], ...]:
    """Returns the fields in which a given event differs from the recorded one, each with both values as texts.

    The text of a value is empty if its event lacks the field.
    """
    given = from_its_side(recorded, given)
    before, after = _named(recorded), _named(given)
    erased, strangers = _strangers(before, after)
    if isinstance(recorded, SessionPlayed) and isinstance(given, SessionPlayed):
        # sides that are equal in both are left out
        seats, given_seats = _seats_of(recorded.sides), _seats_of(given.sides)
        before["sides"] = tuple(
            side for side, seat in zip(recorded.sides, seats, strict=True) if seat not in given_seats
        )
        after["sides"] = tuple(side for side, seat in zip(given.sides, given_seats, strict=True) if seat not in seats)
    guessed = dict(zip(strangers, erased, strict=False))
    maybe = {name: guessed.get(value, value) if name in _PLAYERS else value for name, value in after.items()}
    return tuple(
        (name, _shown(name, before.get(name)), _shown(name, after.get(name)))
        for name in before | after
        if before.get(name) != maybe.get(name) and (name != "order" or gives_order(before, after))
    )


def _strangers(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Returns the erased names of a recorded event, and the given event's names that the recorded one lacks."""
    players = [before[name] for name in _PLAYERS if name in before]
    erased = [name for name in players if erased_number(name)]
    return erased, [after[name] for name in _PLAYERS if name in after and after[name] not in players]


def from_its_side(recorded: AnEvent, given: AnEvent) -> AnEvent:
    """Returns a given game as seen from the first side of the recorded one; other events unchanged.

    If only the sides are exchanged and even the score is equal, the game is another result, and stays unchanged.
    """
    if not isinstance(recorded, GamePlayed) or not isinstance(given, GamePlayed):
        return given
    erased = [name for name in (recorded.a, recorded.b) if erased_number(name)]
    other = is_other_side((recorded.a, recorded.b), (given.a, given.b), erased)
    if not other or evolve(recorded, uid=given.uid, a=given.a, b=given.b) == given:
        return given
    turned = from_other_side(given)
    return evolve(turned, score=recorded.score) if abs(turned.score - recorded.score) < _CLOSE else turned


def from_other_side(game: Game) -> Game:
    """Returns a game as reported by its other side."""
    return evolve(game, a=game.b, b=game.a, score=1.0 - game.score, data=exchanged(game.data))


def gives_order(was: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """True if the order on the day of either result is more than what follows from its round."""
    return not all(follows_round(one.get("order") or 0, one.get("round")) for one in (was, now))


def _named(event: Event) -> dict[str, Any]:
    """Returns the fields of an event by their names in files."""
    named = fields_of(event)
    values = named.pop("values", {})
    return {"kind": event.kind} | named | dict(values)


def _seats_of(sides: tuple[Side, ...]) -> dict[tuple[tuple[str, ...], float], None]:
    """The sides of a session, with players sorted by name, so that the order of listing does not matter."""
    return dict.fromkeys((tuple(sorted(side.players)), side.score) for side in sides)


def same_field(name: str, one: Any, other: Any) -> bool:
    """True if two values of a field are equal; sides may be in any order."""
    if name == "sides" and one and other:
        return _seats_of(one).keys() == _seats_of(other).keys()
    return bool(one == other)


def seated(sides: tuple[Side, ...]) -> str:
    """The sides of a session in words, shortened if there are many."""
    text = " / ".join(f"{' + '.join(side.players)} {side.score:g}" for side in sides)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _shown(name: str, value: Any) -> str:
    if value is None or value == "":
        return ""
    if name == "sides":
        return seated(value)
    text = iso(value) if name == "played" else str(value)
    text = text.removesuffix(".0") if isinstance(value, float) else text
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 20]}...{text[-10:]}"


def differing_fields(was: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Returns the fields in which two results differ."""
    if was == wanted:  # the usual case in a later issue
        return []
    return [
        name
        for name in {**was, **wanted}
        if not same_field(name, wanted.get(name), was.get(name))
        and (name != "order" or gives_order(was, wanted) or was.get("round") != wanted.get("round"))
    ]


def changes_of(now: Mapping[str, Any], wanted: Mapping[str, Any], kept: Collection[str] = ()) -> dict[str, Any]:
    """Returns the changes that give a result the wanted values, except in the fields to be kept."""
    changes = {name: wanted.get(name) for name in differing_fields(now, wanted) if name not in kept}
    if {"a", "b"} & changes.keys():  # an append checks both seats as first recorded
        changes = {"a": now["a"], "b": now["b"]} | changes
    return changes


def fields_of(event: Event) -> dict[str, Any]:
    """The fields that an amendment could change, by name."""
    names, values = _fields_of(type(event))  # type: ignore[arg-type]  # a class is hashable
    named = dict(zip(names, values(event), strict=True))
    data = named.pop("data", {})
    return named | dict(data)


def is_same(one: Event, other: Event) -> bool:
    """True if two events are equal apart from their uids."""
    if type(one) is not type(other):
        return False
    _, values = _fields_of(type(one))  # type: ignore[arg-type]  # a class is hashable
    return bool(values(one) == values(other))


@cache
def _fields_of(kind: type[Event]) -> tuple[tuple[str, ...], Callable[[Event], tuple[Any, ...]]]:
    """Returns the names of all fields except the uid (at least two), and a function that returns their values."""
    names = tuple(one.name for one in attrs.fields(kind) if one.name != "uid")
    return names, attrgetter(*names)


def content_of(event: Event) -> str:
    """The content of a result, without its uid."""
    return repr(sorted(fields_of(event).items()))


def amending(log: Log, events: Sequence[Event]) -> list[Event]:
    """Returns the events to append so that all read as given: new events, and amendments of recorded ones.

    Raises
    ------
    Conflict
        If a recorded event is given twice with different content.
    """
    events = localised(log, list(events))
    rows, now, decoded = log.find([event.uid for event in events]), corrections_of(log), decoder_of(log)
    fresh, first = list[Event](), dict[str, Event]()
    for place, event in enumerate(events):
        row = rows.get(event.uid)
        read = None if row is None or row.kind not in AMENDABLE else now.read(row)
        if read is None or read.kind != event.kind:
            fresh.append(event)
            continue
        other = first.setdefault(event.uid, event)
        if other is not event and (differing := differing_fields(fields_of(other), fields_of(event))):
            raise Conflict(event.uid, 0, differing[0], place)
        if changes := changes_of(fields_of(decoded(read)), fields_of(event)):
            fresh.append(ResultAmended(of=event.uid, changes=changes))
    return fresh
