"""What can happen: ten kinds of immutable fact, named in the past tense."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar

from attrs import Attribute, field, frozen

from ratingcore.errors import BadValue, PlayedThemselves
from ratingcore.events.times import Instant, instant, iso
from ratingcore.events.values import Facts, facts, name, named, new_uid, number, score, share, whole, written

RESULT_FIELDS = frozenset({"pool", "played", "order", "a", "b", "score", "sides", "player", "values"})
"""What an amendment may change besides the free fields of `data`."""


def _data(given: Facts | None) -> Facts:
    kept = facts(given)
    if not RESULT_FIELDS.isdisjoint(kept):
        key = min(RESULT_FIELDS.intersection(kept))
        raise BadValue("data", key, "holds a name that the event has a field for")
    return kept


def _key() -> str:
    return field(converter=name, validator=named)  # type: ignore[no-any-return]  # attrs' field is typed by use


def _values(given: Mapping[str, float]) -> Mapping[str, float]:
    if not isinstance(given, Mapping) or not given:
        raise BadValue("values", given, "names no column")
    kept = {column: number(value, column) for column, value in given.items()}
    return facts(kept)  # type: ignore[return-value]  # numbers only, checked above


@frozen(kw_only=True)
class Event:
    """One fact. `uid` is unique for ever; a producer that may retry gives its own."""

    kind: ClassVar[str]
    uid: str = field(factory=new_uid, validator=named)


@frozen(kw_only=True)
class GamePlayed(Event):
    """Two players met; `score` is the share of the point that `a` took.

    Parameters
    ----------
    pool : str
        Who is comparable: only players of one pool are rated against each other.
    played : str, date, datetime or int microseconds
        When it was true in the world; a day without a time is its midnight UTC.
    a, b : str
        The players; never the same.
    score : float in [0, 1]
        1 if `a` won, 0.5 for a draw, 0 if `b` won, or a share between.
    order : int
        Order among games played at one time; ties keep the order of the log.
    data : mapping
        Further facts: `points_a`, `points_b`, `home` (a or b), `event`, `round`, `season`, ...

    Raises
    ------
    BadValue, PlayedThemselves

    Examples
    --------
    >>> GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0, uid="g-1").score
    1.0
    """

    kind = "game"
    pool: str = _key()
    played: Instant = field(converter=instant, repr=iso)
    a: str = _key()
    b: str = _key()
    score: float = field(converter=score, validator=share)
    order: int = field(default=0, validator=whole)
    data: Facts = field(default=None, converter=_data)

    def __attrs_post_init__(self) -> None:
        if self.a == self.b:
            raise PlayedThemselves(self.a)


def _players(given: Iterable[str]) -> tuple[str, ...]:
    if not isinstance(given, Iterable):
        raise BadValue("players", given, "are no names")
    return tuple(map(name, (given,) if isinstance(given, str) else given))


def _each_named(instance: object, attribute: "Attribute[tuple[str, ...]]", value: tuple[str, ...]) -> None:
    if not value:
        raise BadValue(attribute.name, value, "are missing from a side")
    for player in value:
        named(instance, attribute, player)


def _points(given: float) -> float:
    return number(given, "score")


def _sides(given: "Iterable[Side]") -> "tuple[Side, ...]":
    if not isinstance(given, Iterable):
        raise BadValue("sides", given, "are no sides")
    sides = tuple(given)
    for side in sides:
        if not isinstance(side, Side):
            raise BadValue("sides", side, "holds what is no Side")
    return sides


@frozen
class Side:
    """Who sat together, and their score in the unit of the session (percent, imps, points)."""

    players: tuple[str, ...] = field(converter=_players, validator=_each_named)
    score: float = field(converter=_points)


@frozen(kw_only=True)
class SessionPlayed(Event):
    """Many sides of one or more players met: a bridge session, a contest, a team match.

    `data` may say the `unit` of the scores (percent, imp), `boards`, `event`, `round`, ...

    Examples
    --------
    >>> pairs = [Side(["ann", "bo"], 54.2), Side(["cy", "di"], 45.8)]
    >>> SessionPlayed(pool="club", played="2024-03-02", sides=pairs).sides[0].players
    ('ann', 'bo')
    """

    kind = "session"
    pool: str = _key()
    played: Instant = field(converter=instant, repr=iso)
    sides: tuple[Side, ...] = field(converter=_sides)
    order: int = field(default=0, validator=whole)
    data: Facts = field(default=None, converter=_data)

    def __attrs_post_init__(self) -> None:
        if len(self.sides) < 2:
            raise BadValue("sides", len(self.sides), "of a session are at least two, not")
        seen: set[str] = set()
        for side in self.sides:
            for player in side.players:
                if player in seen:
                    raise PlayedThemselves(player)
                seen.add(player)


@frozen(kw_only=True)
class RatingSeeded(Event):
    """Values were given from outside, by column name; columns it does not name stay as they are."""

    kind = "seed"
    pool: str = _key()
    played: Instant = field(converter=instant, repr=iso)
    player: str = _key()
    values: Mapping[str, float] = field(converter=_values)
    order: int = field(default=0, validator=whole)


@frozen(kw_only=True)
class PlayerDescribed(Event):
    """Facts about a player that a method may need: birth year, title, federation; later ones stand."""

    kind = "player"
    pool: str = _key()
    player: str = _key()
    played: Instant = field(converter=instant, repr=iso)
    data: Facts = field(converter=_data)


@frozen(kw_only=True)
class ResultVoided(Event):
    """The event `of` shall count as never recorded; voiding a void or an amendment takes it back."""

    kind = "void"
    of: str = field(validator=named)
    why: str = field(default="", validator=written)
    by: str = field(default="", validator=written)


def _changes(given: Mapping[str, object]) -> Mapping[str, object]:
    if not isinstance(given, Mapping) or not given:
        raise BadValue("changes", given, "name no field")
    kept: dict[str, object] = {}
    for key, value in given.items():
        if key == "played":
            kept[key] = instant(value)  # type: ignore[arg-type]  # instant checks what it is given
        elif key in {"pool", "a", "b", "player"}:
            kept[key] = name(value)  # type: ignore[arg-type]  # checked when the result is built again
        elif key == "sides":
            kept[key] = _sides(value)  # type: ignore[arg-type]  # checked there
        elif key == "values":
            kept[key] = _values(value)  # type: ignore[arg-type]  # checked there
        elif key == "score":
            kept[key] = score(value)  # type: ignore[arg-type]  # checked when the result is built again
        elif key in RESULT_FIELDS:
            kept[key] = value  # checked when the result is built again
        else:
            facts({key: "" if value is None else value})  # type: ignore[dict-item]  # facts checks what it is given
            kept[key] = value
    return MappingProxyType(kept)


@frozen(kw_only=True)
class ResultAmended(Event):
    """Fields of the event `of` shall read as `changes` says; None takes a field of `data` away.

    Later amendments of the same field stand. `changes` names `pool`, `played`, `order`, `a`, `b`,
    `score`, `sides`, `player`, `values`, or any field of the result's `data`.
    """

    kind = "amend"
    of: str = field(validator=named)
    changes: Mapping[str, object] = field(converter=_changes)
    why: str = field(default="", validator=written)
    by: str = field(default="", validator=written)


@frozen(kw_only=True)
class PlayersMerged(Event):
    """Two records are one person: every result of `other` counts as one of `keep`, in every pool."""

    kind = "merge"
    keep: str = _key()
    other: str = _key()
    why: str = field(default="", validator=written)
    by: str = field(default="", validator=written)

    def __attrs_post_init__(self) -> None:
        if self.keep == self.other:
            raise BadValue("other", self.other, "is the record that is kept")


@frozen(kw_only=True)
class MergeUndone(Event):
    """The merge `of` shall count as never recorded."""

    kind = "unmerge"
    of: str = field(validator=named)
    why: str = field(default="", validator=written)
    by: str = field(default="", validator=written)


@frozen(kw_only=True)
class PeriodClosed(Event):
    """A period of a pool was closed: its results were complete by then."""

    kind = "period"
    pool: str = _key()
    played: Instant = field(converter=instant, repr=iso)
    data: Facts = field(default=None, converter=_data)


@frozen(kw_only=True)
class ListPublished(Event):
    """A rating list was published under a name; `data` holds what proves it."""

    kind = "list"
    pool: str = _key()
    played: Instant = field(converter=instant, repr=iso)
    name: str = _key()
    data: Facts = field(default=None, converter=_data)

    def __attrs_post_init__(self) -> None:
        if "name" in self.data:
            raise BadValue("data", "name", "holds a name that the event has a field for")


CORRECTIONS = ("void", "amend", "merge", "unmerge")
"""Kinds that speak about an earlier event."""

KINDS: dict[str, type[Event]] = {
    event.kind: event
    for event in (
        GamePlayed,
        SessionPlayed,
        RatingSeeded,
        PlayerDescribed,
        ResultVoided,
        ResultAmended,
        PlayersMerged,
        MergeUndone,
        PeriodClosed,
        ListPublished,
    )
}
