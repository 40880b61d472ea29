"""Rows of a log: their conversion from and to events, with ids for names, and JSON for fields without a column."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ratingcore.errors import BadCorrection
from ratingcore.events import values
from ratingcore.events.canonical_json import canonical, json_of
from ratingcore.events.kinds import (
    CORRECTIONS,
    AnyEvent,
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
)


class Row(NamedTuple):
    """One event as it is stored and hashed.

    A row holds ids of names in the book of names, which is not hashed, so an erased name changes no digest.
    """

    position: int
    uid: str
    kind: str
    pool: int | None
    played: int | None
    order: int
    a: int | None
    b: int | None
    score: float | None
    ref: int | None
    data: str | None

    @property
    def facts(self) -> dict[str, Any]:
        """The JSON of `data`, parsed anew at each access, so that the caller may change it."""
        return json.loads(self.data) if self.data else {}


Called = list[int] | str
"""A player's visible name in a row: a list with its id, which no free field can be; older rows may have a text."""


Stored = list[int] | values.Fact
"""A player's fact in a row: a list with its id; older rows have the fact itself."""


class Encoder(Protocol):
    """Look-ups of `encode`: ids of names (added if missing), rows by uid, names by id, erased players by label."""

    def pool(self, key: str) -> int: ...
    def player(self, key: str) -> int: ...
    def note(self, text: str) -> int: ...
    def called(self, text: str) -> Called: ...
    def stated(self, field: str, value: values.Fact) -> Stored: ...
    def target(self, uid: str) -> Row: ...
    def key(self, number: int) -> str: ...
    def labelled(self, label: str) -> int | None: ...


class Decoder(Protocol):
    """Look-ups of `decode`: names and facts by id, uids by position; None for an erased fact."""

    def key(self, number: int) -> str: ...
    def fact(self, number: int) -> values.Fact | None: ...
    def uid(self, position: int) -> str: ...


Fields = tuple[int | None, int | None, int, int | None, int | None, float | None, int | None, str | None]
"""pool, played, order, a, b, score, ref, data"""

TARGETS = {
    "void": ("game", "session", "seed", "player", "void", "amend", "unmerge"),
    "amend": ("game", "session", "seed", "player"),
    "unmerge": ("merge",),
}
"""Kinds of event that each kind of correction may refer to."""

AMENDABLE = {
    "game": {"pool", "played", "order", "a", "b", "score"},
    "session": {"pool", "played", "order", "sides"},
    "seed": {"pool", "played", "order", "player", "values"},
    "player": {"pool", "played", "player"},
}


SEATS = frozenset({"a", "b", "sides"})
"""Fields of a result that hold the players and their seats."""


def players_of_row(row: Row) -> list[int]:
    """Returns the ids of the players of a result, a seed or a description."""
    if row.kind == "session":
        return [player for players, _ in row.facts["sides"] for player in players]
    return [player for player in (row.a, row.b) if player is not None]


def players_of_amendment(row: Row) -> set[int]:
    """Returns the ids of the players that an amendment names."""
    changes = row.facts["set"]
    seated = {player for players, _ in changes.get("sides", ()) for player in players}
    return seated | {changes[name] for name in ("a", "b", "player") if name in changes}


def encode(event: Event, ids: Encoder) -> Fields:
    """Returns the fields of the row of an event; `ids` gives the ids of its names.

    Raises
    ------
    UnknownUid, BadCorrection
        If a correction refers to an event that is not in the log, or that it cannot correct.
    """
    return _ENCODE[event.kind](event, ids)


def decode(row: Row, names: Decoder) -> AnyEvent:
    return _DECODE[row.kind](row, names)


def _json(facts: object) -> str | None:
    return canonical(facts) if facts else None


def _game(event: GamePlayed, ids: Encoder) -> Fields:
    data = json_of(event.data) if event.data else None
    return (
        ids.pool(event.pool), event.played, event.order,
        ids.player(event.a), ids.player(event.b), event.score, None, data,
    )  # fmt: skip


def _sides(sides: tuple[Side, ...], player: Callable[[str], int]) -> list[list[object]]:
    return [[[player(name) for name in side.players], side.score] for side in sides]


def _known(ids: Encoder) -> Callable[[str], int]:
    """Returns a function from the name of a correction's player, or the label of an erased name, to the player's id."""
    return lambda name: ids.labelled(name) or ids.player(name)


def _session(event: SessionPlayed, ids: Encoder) -> Fields:
    data = dict(event.data) | {"sides": _sides(event.sides, ids.player)}
    return ids.pool(event.pool), event.played, event.order, None, None, None, None, canonical(data)


def _seed(event: RatingSeeded, ids: Encoder) -> Fields:
    data = canonical({"values": dict(event.values)})
    return ids.pool(event.pool), event.played, event.order, ids.player(event.player), None, None, None, data


def _player(event: PlayerDescribed, ids: Encoder) -> Fields:
    pool, player = ids.pool(event.pool), ids.player(event.player)
    facts: dict[str, object] = {name: ids.stated(name, value) for name, value in event.data.items()}
    if event.called:
        facts["called"] = ids.called(event.called)
    data = _json(facts)
    return pool, event.played, 0, player, None, None, None, data


def _notes(event: ResultVoided | ResultAmended | PlayersMerged | MergeUndone, ids: Encoder) -> dict[str, object]:
    texts = (("why", event.why), ("by", event.by))
    return {key: ids.note(text) for key, text in texts if text}


def _target(event: ResultVoided | ResultAmended | MergeUndone, ids: Encoder) -> Row:
    row = ids.target(event.of)
    if row.kind not in TARGETS[event.kind]:
        advice = f"use unmerge {event.of}" if row.kind == "merge" else ""
        form = "it is an amendment" if row.kind == "amend" else "it is a {event}"
        raise BadCorrection.of(event.of, event.kind, form, advice, event=row.kind)
    return row


def _void(event: ResultVoided | MergeUndone, ids: Encoder) -> Fields:
    ref = _target(event, ids).position
    return None, None, 0, None, None, None, ref, _json(_notes(event, ids))


def _amend(event: ResultAmended, ids: Encoder) -> Fields:
    row = _target(event, ids)
    allowed = AMENDABLE[row.kind]
    foreign = [key for key in event.changes if key in _TYPED and key not in allowed]
    if foreign:
        raise BadCorrection.of(event.of, "amend", "a {event} has no {name}", event=row.kind, name=foreign[0])
    _check_amended(event, row, ids)
    player = _known(ids)
    written: dict[str, Callable[[Any], object]] = {
        "pool": ids.pool, "a": player, "b": player, "player": player, "values": dict,
        "sides": lambda sides: _sides(sides, player),
    }  # fmt: skip
    if row.kind == "player":
        given = [name for name, value in event.changes.items() if name not in _TYPED and value is not None]
        written |= {name: partial(ids.stated, name) for name in given}
        if "called" in given:
            written["called"] = lambda text: ids.called(values.name(text))
    changes = {key: written[key](value) if key in written else value for key, value in event.changes.items()}
    data = canonical({"set": changes} | _notes(event, ids))
    return None, None, 0, None, None, None, row.position, data


def _check_amended(event: ResultAmended, row: Row, ids: Encoder) -> None:
    """Refuses an amendment that would turn the event, as first recorded, into an impossible one."""
    typed = {key: value for key, value in event.changes.items() if key in _TYPED}
    free = {key: value for key, value in event.changes.items() if key not in _TYPED}
    result: Any = _DECODE[row.kind](row._replace(ref=None), _Keys(ids))
    if row.kind == "player" and "called" in free:
        typed["called"] = free.pop("called") or ""
    if free and row.kind == "seed":
        raise BadCorrection.of(event.of, "amend", "a {event} has no {name}", event="seed", name=next(iter(free)))
    if free:
        typed["data"] = dict(result.data) | free
    evolve(result, **typed)  # the event's validators refuse impossible values


class _Keys:
    """Decoder for rows that can be amended; such rows never refer to another event, so no uid is looked up."""

    def __init__(self, ids: Encoder) -> None:
        self.key = ids.key

    def uid(self, position: int) -> str:
        return str(position)

    def fact(self, number: int) -> values.Fact:
        """Returns a placeholder for any fact, since no check of an amendment depends on it."""
        return ""


_TYPED = frozenset().union(*AMENDABLE.values())


def _merge(event: PlayersMerged, ids: Encoder) -> Fields:
    player = _known(ids)
    return None, None, 0, player(event.keep), player(event.other), None, None, _json(_notes(event, ids))


def _period(event: PeriodClosed, ids: Encoder) -> Fields:
    return ids.pool(event.pool), event.played, 0, None, None, None, None, _json(dict(event.data))


def _list(event: ListPublished, ids: Encoder) -> Fields:
    data = canonical(dict(event.data) | {"name": event.name})
    return ids.pool(event.pool), event.played, 0, None, None, None, None, data


def _pool(event: PoolDeclared, ids: Encoder) -> Fields:
    fields = ("fits", "zone", "policy", "starting", "of", "results")
    data = {name: text for name in fields if (text := getattr(event, name))}
    if event.method is not None:
        data["method"] = event.method
    return ids.pool(event.pool), None, 0, None, None, None, None, _json(data)


_ENCODE: dict[str, Callable[[Any, Encoder], Fields]] = {
    "game": _game,
    "session": _session,
    "seed": _seed,
    "player": _player,
    "void": _void,
    "amend": _amend,
    "merge": _merge,
    "unmerge": _void,
    "period": _period,
    "list": _list,
    "pool": _pool,
}


def _base(row: Row, names: Decoder) -> dict[str, Any]:
    fields: dict[str, Any] = {"uid": row.uid}
    if row.pool is not None:
        fields |= {"pool": names.key(row.pool), "played": row.played}
    if row.kind in CORRECTIONS:
        facts = row.facts
        fields |= {key: names.key(facts[key]) for key in ("why", "by") if key in facts}
    if row.ref is not None:
        fields["of"] = names.uid(row.ref)
    return fields


def _read_sides(sides: list[Any], names: Decoder) -> tuple[Side, ...]:
    return tuple(Side([names.key(player) for player in players], score) for players, score in sides)


def _read_game(row: Row, names: Decoder) -> GamePlayed:
    assert row.a is not None, row
    assert row.b is not None, row
    assert row.score is not None, row
    players = {"a": names.key(row.a), "b": names.key(row.b)}
    return GamePlayed(**_base(row, names), **players, score=row.score, order=row.order, data=row.facts)


def _read_session(row: Row, names: Decoder) -> SessionPlayed:
    facts = row.facts
    sides = _read_sides(facts.pop("sides"), names)
    return SessionPlayed(**_base(row, names), sides=sides, order=row.order, data=facts)


def _read_seed(row: Row, names: Decoder) -> RatingSeeded:
    assert row.a is not None, row
    values = row.facts["values"]
    return RatingSeeded(**_base(row, names), player=names.key(row.a), values=values, order=row.order)


def _read_player(row: Row, names: Decoder) -> PlayerDescribed:
    assert row.a is not None, row
    facts = row.facts
    called = _read_called(facts, names)
    read = {name: names.fact(value[0]) if isinstance(value, list) else value for name, value in facts.items()}
    facts = {name: value for name, value in read.items() if value is not None}
    return PlayerDescribed(**_base(row, names), player=names.key(row.a), data=facts, called=called)


def _read_called(facts: dict[str, Any], names: Decoder) -> str:
    """Removes a player's visible name from the facts of a row, and returns it, or an empty text without one."""
    if not isinstance(facts.get("called"), list):
        return ""
    (number,) = facts.pop("called")
    return names.key(number)


def _read_amend(row: Row, names: Decoder) -> ResultAmended:
    changes = row.facts["set"]
    for key in {"pool", "a", "b", "player"} & changes.keys():
        changes[key] = names.key(changes[key])
    if "sides" in changes:
        changes["sides"] = _read_sides(changes["sides"], names)
    if called := _read_called(changes, names):
        changes["called"] = called
    for name in changes.keys() - _TYPED:
        if isinstance(changes[name], list):  # a fact of a player: an erased one becomes None, like a removed one
            changes[name] = names.fact(changes[name][0])
    return ResultAmended(**_base(row, names), changes=changes)


def _read_merge(row: Row, names: Decoder) -> PlayersMerged:
    assert row.a is not None, row
    assert row.b is not None, row
    return PlayersMerged(**_base(row, names), keep=names.key(row.a), other=names.key(row.b))


def _read_list(row: Row, names: Decoder) -> ListPublished:
    facts = row.facts
    return ListPublished(**_base(row, names), name=facts.pop("name"), data=facts)


def _read_pool(row: Row, names: Decoder) -> PoolDeclared:
    assert row.pool is not None, row
    return PoolDeclared(uid=row.uid, pool=names.key(row.pool), **row.facts)


_DECODE: dict[str, Callable[[Row, Decoder], AnyEvent]] = {
    "game": _read_game,
    "session": _read_session,
    "seed": _read_seed,
    "player": _read_player,
    "void": lambda row, names: ResultVoided(**_base(row, names)),
    "amend": _read_amend,
    "merge": _read_merge,
    "unmerge": lambda row, names: MergeUndone(**_base(row, names)),
    "period": lambda row, names: PeriodClosed(**_base(row, names), data=row.facts),
    "list": _read_list,
    "pool": _read_pool,
}


class GameColumns(NamedTuple):
    """Games of a pool as first recorded, in order of position; players are ids of names."""

    position: NDArray[np.int64]
    played: NDArray[np.int64]
    order: NDArray[np.int32]
    a: NDArray[np.int32]
    b: NDArray[np.int32]
    score: NDArray[np.float64]

    def take(self, which: Any) -> "GameColumns":
        """Returns the games that an index array, a mask or a slice selects."""
        return GameColumns(*(column[which] for column in self))
