"""Events as programs send them, and what is answered when they are recorded."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from ratingcore import (
    Event,
    GamePlayed,
    PeriodClosed,
    PlayerDescribed,
    PoolDeclared,
    RatingSeeded,
    SessionPlayed,
    Side,
)
from ratingcore_service.wire.answers import Cell, Headed
from ratingcore_service.wire.queries import Name

Moment = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]{1,15}(Z|[+-][0-9]{2}:?[0-9]{2})?)?$",
        description="A day, or a time; without an offset on the pool's clock.",
        examples=["2024-03-31", "2024-03-31T18:30"],
    ),
]
Uid = Annotated[str, Meta(min_length=1, max_length=200, description="Given once in a log, for ever.")]
Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Fields = Annotated[dict[str, Cell], Meta(description="Further facts: points_a, home, event, round, ...")]


class _Sent(Struct, tag_field="kind", forbid_unknown_fields=True, kw_only=True):
    """An event; without a uid it is given one."""

    pool: Name
    uid: Uid | UnsetType = UNSET


class Game(_Sent, tag="game", forbid_unknown_fields=True, kw_only=True):
    """A game of two players; the score is the share of the point that `a` took."""

    played: Moment
    a: Name
    b: Name
    score: Annotated[float, Meta(ge=0, le=1)]
    order: Whole = 0
    data: Fields = {}


class SessionSide(Struct, forbid_unknown_fields=True):
    """A side of a session: its players, and their score in the unit of the session."""

    players: Annotated[list[Name], Meta(min_length=1, max_length=1000)]
    score: float


class Session(_Sent, tag="session", forbid_unknown_fields=True, kw_only=True):
    """A session of two or more sides."""

    played: Moment
    sides: Annotated[list[SessionSide], Meta(min_length=2, max_length=10_000)]
    order: Whole = 0
    data: Fields = {}


class Seed(_Sent, tag="seed", forbid_unknown_fields=True, kw_only=True):
    """Values of a player that are set from outside, by column of the method's state."""

    played: Moment
    player: Name
    values: Annotated[dict[str, float], Meta(min_length=1)]
    order: Whole = 0


class Player(_Sent, tag="player", forbid_unknown_fields=True, kw_only=True):
    """Facts about a player, and the name that people see."""

    played: Moment
    player: Name
    data: Fields = {}
    called: Annotated[str, Meta(max_length=200)] = ""


class Period(_Sent, tag="period", forbid_unknown_fields=True, kw_only=True):
    """A period of a pool was closed."""

    played: Moment
    data: Fields = {}


class Pool(_Sent, tag="pool", forbid_unknown_fields=True, kw_only=True):
    """What a pool takes, in which zone its days begin, and the question that its lists answer."""

    fits: Annotated[str, Meta(max_length=2000)] = ""
    zone: Annotated[str, Meta(max_length=100)] = ""
    method: Annotated[str, Meta(max_length=2000, description="Empty for a pool that has none.")] | None = None
    policy: Annotated[str, Meta(max_length=400)] = ""
    starting: Annotated[str, Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")] = ""


SentEvent = Game | Session | Seed | Player | Period | Pool

_KINDS: dict[type[_Sent], type[Event]] = {
    Game: GamePlayed, Session: SessionPlayed, Seed: RatingSeeded, Player: PlayerDescribed, Period: PeriodClosed,
    Pool: PoolDeclared,
}  # fmt: skip


class Events(Struct, forbid_unknown_fields=True, kw_only=True):
    """Events that are recorded together, all or none."""

    events: Annotated[list[SentEvent], Meta(min_length=1)]
    source: Annotated[str, Meta(max_length=200, description="Said after the name of the token.")] = ""


class Recorded(Headed, kw_only=True):
    """What was recorded: new events, those that the log had already, and where each of them is."""

    accepted: int
    duplicates: int
    uids: list[str]
    positions: list[int]


def event_of(sent: SentEvent, uid: str | None) -> Event:
    """An event as the log takes it; one that was sent without a uid has this one.

    Raises
    ------
    EventError
    """
    given: dict[str, Any] = asdict(sent)
    if given["uid"] is UNSET:
        del given["uid"]
        given |= {} if uid is None else {"uid": uid}
    if isinstance(sent, Session):
        given["sides"] = tuple(Side(side.players, side.score) for side in sent.sides)
    return _KINDS[type(sent)](**given)
