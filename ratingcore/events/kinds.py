"""The eleven kinds of event: immutable records of what happened."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal, get_args
from uuid import UUID

from attrs import Attribute, field, frozen
from attrs.validators import optional

from ratingcore.errors import BadValue, PlayedThemselves
from ratingcore.events.times import Instant, instant, iso
from ratingcore.events.values import (
    Facts,
    Key,
    checked_facts,
    name,
    named,
    new_uid,
    number,
    player_key,
    score,
    share,
    whole,
    written,
)
from ratingcore.read_only import ReadOnly

RESULT_FIELDS = frozenset({"pool", "played", "order", "a", "b", "score", "sides", "player", "values"})
"""Fields that an amendment may change, besides the free fields of `data`."""


def _data(given: Facts | None) -> Facts:
    data = checked_facts(given)
    if not RESULT_FIELDS.isdisjoint(data):
        key = min(RESULT_FIELDS.intersection(data))
        raise BadValue("data", key, "repeats a field of the event")
    return data


def _key() -> str:
    return field(converter=name, validator=named)  # type: ignore[no-any-return]  # attrs' field is typed by use


def _named_or_empty(instance: object, attribute: "Attribute[str]", value: object) -> None:
    if value != "":
        named(instance, attribute, value)


def _values(given: Mapping[str, float]) -> Mapping[str, float]:
    if not isinstance(given, Mapping) or not given:
        raise BadValue("values", given, "must map one or more columns to numbers")
    values = {column: number(value, column) for column, value in given.items()}
    return checked_facts(values)  # type: ignore[return-value]  # numbers only, checked above


@frozen(kw_only=True)
class Event:
    """An event of a log. `uid` is unique in the log forever; a program that may retry an append chooses its own."""

    kind: ClassVar[str]
    uid: str = field(factory=new_uid, validator=named)


@frozen(kw_only=True)
class GamePlayed(Event):
    """A game of two players; `score` is the share of the point that `a` took.

    Parameters
    ----------
    pool : str
        Name of the pool: only players of one pool are rated against each other.
    played : str, date, datetime or int microseconds
        Time at which the game was played; a day without a time means its midnight UTC.
    a, b : str, int or UUID
        The two different players. A number or UUID is stored as text.
    score : float in [0, 1]
        1 if `a` won, 0.5 for a draw, 0 if `b` won, or any share of the point.
    order : int
        Order among games of the same time; games of equal order keep the order of the log.
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

    kind: ClassVar[Literal["game"]] = "game"
    pool: str = _key()
    played: Instant = field(converter=instant, repr=iso)
    a: str = field(converter=player_key, validator=named)
    b: str = field(converter=player_key, validator=named)
    score: float = field(converter=score, validator=share)
    order: int = field(default=0, validator=whole)
    data: Facts = field(default=None, converter=_data)

    def __attrs_post_init__(self) -> None:
        if self.a == self.b:
            raise PlayedThemselves(self.a)


def _players(given: "Iterable[Key] | Key") -> tuple[str, ...]:
    if isinstance(given, str | int | UUID):
        given = (given,)
    if not isinstance(given, Iterable):
        raise BadValue("players", given, "must be names")
    return tuple(map(player_key, given))


def _each_named(instance: object, attribute: "Attribute[tuple[str, ...]]", value: tuple[str, ...]) -> None:
    if not value:
        raise BadValue(attribute.name, value, "must be one or more on each side")
    for player in value:
        named(instance, attribute, player)


def _points(given: float) -> float:
    return number(given, "score")


def _sides(given: "Iterable[Side]") -> "tuple[Side, ...]":
    if not isinstance(given, Iterable):
        raise BadValue("sides", given, "must be a list of sides")
    sides = tuple(given)
    for side in sides:
        if not isinstance(side, Side):
            raise BadValue("sides", side, "must hold only values of type Side")
    return sides


@frozen
class Side:
    """One side of a session: its players, and their score in the unit of the session (percent, imps, points)."""

    players: tuple[str, ...] = field(converter=_players, validator=_each_named)
    score: float = field(converter=_points)


@frozen(kw_only=True)
class SessionPlayed(Event):
    """A session of two or more sides of one or more players each: a bridge session, a contest, a team match.

    `data` may hold the `unit` of the scores (percent, imp), `boards`, `event`, `round`, ...

    Examples
    --------
    >>> pairs = [Side(["ann", "bo"], 54.2), Side(["cy", "di"], 45.8)]
    >>> SessionPlayed(pool="club", played="2024-03-02", sides=pairs).sides[0].players
    ('ann', 'bo')
    """

    kind: ClassVar[Literal["session"]] = "session"
    pool: str = _key()
    played: Instant = field(converter=instant, repr=iso)
    sides: tuple[Side, ...] = field(converter=_sides)
    order: int = field(default=0, validator=whole)
    data: Facts = field(default=None, converter=_data)

    def __attrs_post_init__(self) -> None:
        if len(self.sides) < 2:
            raise BadValue("sides", len(self.sides), "of a session must be two or more")
        seen: set[str] = set()
        for side in self.sides:
            for player in side.players:
                if player in seen:
                    raise PlayedThemselves(player)
                seen.add(player)


@frozen(kw_only=True)
class RatingSeeded(Event):
    """A player's ratings from outside the log: `values` by column of the state; other columns keep their values."""

    kind: ClassVar[Literal["seed"]] = "seed"
    pool: str = _key()
    played: Instant = field(converter=instant, repr=iso)
    player: str = field(converter=player_key, validator=named)
    values: Mapping[str, float] = field(converter=_values)
    order: int = field(default=0, validator=whole)


@frozen(kw_only=True)
class PlayerDescribed(Event):
    """Facts about a player that a method may need, such as birth year or title; later facts replace earlier ones.

    `called` is the name shown with the player's key, in every pool; the latest by `played` counts, and an empty one
    changes nothing. The name and each fact are separate entries in the book of names, so an erasure of the player
    removes them from the event. A fact has at most 10,000 characters.

    Examples
    --------
    >>> facts = {"born": 1990, "title": "GM"}
    >>> PlayerDescribed(pool="p", player="fide:1503014", played="2024-03-02", called="Ann Lee", data=facts).called
    'Ann Lee'
    """

    kind: ClassVar[Literal["player"]] = "player"
    pool: str = _key()
    player: str = field(converter=player_key, validator=named)
    played: Instant = field(converter=instant, repr=iso)
    data: Facts = field(default=None, converter=_data)
    called: str = field(default="", converter=name, validator=_named_or_empty)

    def __attrs_post_init__(self) -> None:
        if self.called and "called" in self.data:
            raise BadValue("data", "called", "repeats a field of the event")


@frozen(kw_only=True)
class ResultVoided(Event):
    """A correction after which the event `of` counts as never recorded; a voided void or amendment has no effect."""

    kind: ClassVar[Literal["void"]] = "void"
    of: str = field(validator=named)
    why: str = field(default="", validator=written)
    by: str = field(default="", validator=written)


_READ: Mapping[str, Callable[[Any], object]] = {
    "pool": name, "played": instant, "a": player_key, "b": player_key, "player": player_key,
    "score": score, "sides": _sides, "values": _values,
}  # fmt: skip
"""Functions that read amended fields, before the whole amended result is checked."""


def _changes(given: Mapping[str, object]) -> Mapping[str, object]:
    if not isinstance(given, Mapping) or not given:
        raise BadValue("changes", given, "must map one or more fields to values")
    free = {key: "" if value is None else value for key, value in given.items() if key not in RESULT_FIELDS}
    checked_facts(free)  # type: ignore[arg-type]  # its check includes the types
    return ReadOnly({key: _READ[key](value) if key in _READ else value for key, value in given.items()})


@frozen(kw_only=True)
class ResultAmended(Event):
    """A correction that gives fields of the event `of` the values in `changes`; None removes a field of `data`.

    A later amendment of the same field replaces an earlier one. `changes` names `pool`, `played`, `order`, `a`, `b`,
    `score`, `sides`, `player`, `values`, or any field of the result's `data`.
    """

    kind: ClassVar[Literal["amend"]] = "amend"
    of: str = field(validator=named)
    changes: Mapping[str, object] = field(converter=_changes)
    why: str = field(default="", validator=written)
    by: str = field(default="", validator=written)


@frozen(kw_only=True)
class PlayersMerged(Event):
    """A correction that makes two players one: every result of `other` counts for `keep`, in every pool."""

    kind: ClassVar[Literal["merge"]] = "merge"
    keep: str = field(converter=player_key, validator=named)
    other: str = field(converter=player_key, validator=named)
    why: str = field(default="", validator=written)
    by: str = field(default="", validator=written)

    def __attrs_post_init__(self) -> None:
        if self.keep == self.other:
            raise BadValue("other", self.other, "must be another name than keep")


@frozen(kw_only=True)
class MergeUndone(Event):
    """A correction after which the merge `of` counts as never recorded."""

    kind: ClassVar[Literal["unmerge"]] = "unmerge"
    of: str = field(validator=named)
    why: str = field(default="", validator=written)
    by: str = field(default="", validator=written)


@frozen(kw_only=True)
class PeriodClosed(Event):
    """The end of a rating period of a pool, when its results were complete."""

    kind: ClassVar[Literal["period"]] = "period"
    pool: str = _key()
    played: Instant = field(converter=instant, repr=iso)
    data: Facts = field(default=None, converter=_data)


@frozen(kw_only=True)
class ListPublished(Event):
    """The publication of a rating list under a name; `data` holds its provenance."""

    kind: ClassVar[Literal["list"]] = "list"
    pool: str = _key()
    played: Instant = field(converter=instant, repr=iso)
    name: str = _key()
    data: Facts = field(default=None, converter=_data)

    def __attrs_post_init__(self) -> None:
        if "name" in self.data:
            raise BadValue("data", "name", "repeats a field of the event")


@frozen(kw_only=True)
class PoolDeclared(Event):
    """The declaration of a pool: the results it accepts, its time zone, and the method and policy of its lists.

    The latest declaration of a pool counts. A declaration without a method leaves method and policy unchanged.

    Parameters
    ----------
    pool : str
        Name of the pool, which may be new: a declared pool without results has an empty list.
    fits : str
        Text of the method that must be able to read its results, such as `elo-margin`; empty to accept every result.
    zone : str
        Time zone of its days, such as `Europe/Prague`; empty for UTC.
    method : str or None
        Text of the method of its lists, such as `elo:k=24`; empty for no method from then on; None to leave it
        unchanged.
    policy : str
        Text of the policy of its lists, such as `min_games=5,digits=0`.
    starting : str
        First day whose lists use this method and policy, such as `2025-07-01`; empty for all days.
    of, results : str
        For a board, the pool from which it takes its results, and the conditions on their fields, such as
        `category=coding`; both empty for a pool with its own results.

    Examples
    --------
    >>> PoolDeclared(pool="cup", fits="elo-margin").fits
    'elo-margin'
    >>> PoolDeclared(pool="club", method="elo:k=24", policy="digits=0", starting="2025-07-01").question
    'elo:k=24 with digits=0 from 2025-07-01'
    """

    kind: ClassVar[Literal["pool"]] = "pool"
    pool: str = _key()
    fits: str = field(default="", validator=written)
    zone: str = field(default="", validator=written)
    method: str | None = field(default=None, validator=optional(written))
    policy: str = field(default="", validator=written)
    starting: str = field(default="", validator=written)
    of: str = field(default="", validator=written)
    results: str = field(default="", validator=written)

    def __attrs_post_init__(self) -> None:
        if self.starting and (len(self.starting) != 10 or iso(instant(self.starting)) != self.starting):
            raise BadValue("starting", self.starting, "must be a day such as 2025-07-01")
        if self.of and not self.results:
            why = "are missing: give the condition, such as category=coding, for results that the board takes of pool"
            raise BadValue("results", self.of, why)
        if self.results and not self.of:
            raise BadValue("results", self.results, "need of, the pool from which the board takes them")
        if self.of and (self.fits or self.zone):
            raise BadValue("of", self.of, "gives a board its results and zone: leave out fits and zone")

    @property
    def start(self) -> Instant:
        """First instant at which its method and policy apply, on the clock of the pool."""
        return instant(self.starting) if self.starting else -(1 << 63)

    @property
    def question(self) -> str:
        """Method, policy and first day in words; empty if the declaration does not name a method."""
        if self.method is None:
            return ""
        policy = f" with {self.policy}" if self.policy else ""
        day = f" from {self.starting}" if self.starting else ""
        has_day = bool(day) and self.method.endswith(day)  # the text of a rule with a history may end with this day
        return f"{self.method or 'no method'}{policy}{'' if has_day else day}"

    @property
    def taken(self) -> str:
        """Results that the pool accepts, its zone and its method, in words."""
        takes = f"what {self.fits} can read" if self.fits else "every result"
        takes = f"results of pool {self.of} with {self.results}" if self.of else takes
        zone = f", and its days are those of {self.zone}" if self.zone else ""
        return takes + zone + (f"; its lists are by {self.question}" if self.question else "")


AnyEvent = (
    GamePlayed
    | SessionPlayed
    | RatingSeeded
    | PlayerDescribed
    | ResultVoided
    | ResultAmended
    | PlayersMerged
    | MergeUndone
    | PeriodClosed
    | ListPublished
    | PoolDeclared
)
"""Any event of a log, one of the eleven kinds, so that a type checker knows the fields after `isinstance`."""

CORRECTIONS = ("void", "amend", "merge", "unmerge")
"""Kinds that correct an earlier event."""

KINDS: dict[str, type[AnyEvent]] = {event.kind: event for event in get_args(AnyEvent)}


def players_of(event: Event) -> tuple[str, ...]:
    """Returns the players of a result, a seed or a description; empty for other events."""
    if isinstance(event, GamePlayed):
        return event.a, event.b
    if isinstance(event, SessionPlayed):
        return tuple(name for side in event.sides for name in side.players)
    return (event.player,) if isinstance(event, RatingSeeded | PlayerDescribed) else ()
