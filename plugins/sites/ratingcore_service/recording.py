"""Results as programs send them: the kinds of events, and the address that records them."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from ratingcore import (
    Engine,
    Event,
    GamePlayed,
    PeriodClosed,
    PlayerDescribed,
    PoolDeclared,
    RatingSeeded,
    SessionPlayed,
    Side,
)
from ratingcore.errors import BadValue
from ratingcore_service.access import check_pools
from ratingcore_service.problems import NotAllowed
from ratingcore_service.routing import Asked, Reply, Route, Scope
from ratingcore_service.wire import POSITION, Fact, Headed, Name, Played, Points, Query, Uid
from ratingcore_service.writing import expected, own_uid, unless_recorded

EACH = 0.02
"""Units of the rate limit that an event takes beyond those of its request."""
MANY = 50
"""Events from which on they are made in a thread: more would hold up everybody."""
Whole = Annotated[int, Meta(ge=-POSITION, le=POSITION)]
Fields = Annotated[dict[str, Fact], Meta(description="Further facts: points_a, home, event, round, ...")]


class _Sent(Struct, tag_field="kind", forbid_unknown_fields=True, kw_only=True):
    """An event; without a uid it is given one."""

    pool: Name
    uid: Uid | UnsetType = UNSET


class _Played(_Sent, kw_only=True):
    """An event that was true at a time."""

    played: Played


class Game(_Played, tag="game", kw_only=True):
    """A game of two players; the score is the share of the point that `a` took."""

    a: Name
    b: Name
    score: Annotated[float, Meta(ge=0, le=1)]
    order: Whole = 0
    data: Fields = {}


class SessionSide(Struct, forbid_unknown_fields=True):
    """A side of a session: its players, and their score in the unit of the session."""

    players: Annotated[list[Name], Meta(min_length=1, max_length=1000)]
    score: Points


class Session(_Played, tag="session", kw_only=True):
    """A session of two or more sides."""

    sides: Annotated[list[SessionSide], Meta(min_length=2, max_length=10_000)]
    order: Whole = 0
    data: Fields = {}


class Seed(_Played, tag="seed", kw_only=True):
    """Values of a player that are set from outside, by column of the method's state."""

    player: Name
    values: Annotated[dict[str, Points], Meta(min_length=1)]
    order: Whole = 0


class Player(_Played, tag="player", kw_only=True):
    """Facts about a player, and the name that people see."""

    player: Name
    data: Fields = {}
    called: Annotated[str, Meta(max_length=200)] = ""


class Period(_Played, tag="period", kw_only=True):
    """A period of a pool was closed."""

    data: Fields = {}


class PoolSent(_Sent, tag="pool", kw_only=True):
    """What a pool takes, in which zone its days begin, and the question that its lists answer."""

    fits: Annotated[str, Meta(max_length=2000)] = ""
    zone: Annotated[str, Meta(max_length=100)] = ""
    method: Annotated[str, Meta(max_length=2000, description="Empty for a pool that has none.")] | None = None
    policy: Annotated[str, Meta(max_length=400)] = ""
    starting: Annotated[str, Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?\Z")] = ""
    of: Annotated[str, Meta(max_length=400, description="The pool from which a board takes its results.")] = ""
    results: Annotated[str, Meta(max_length=2000, description="Which: category=coding & language!=en")] = ""


SentEvent = Game | Session | Seed | Player | Period | PoolSent

_KINDS: dict[type[_Sent], type[Event]] = {
    Game: GamePlayed, Session: SessionPlayed, Seed: RatingSeeded, Player: PlayerDescribed, Period: PeriodClosed,
    PoolSent: PoolDeclared,
}  # fmt: skip


class EventsSent(Struct, forbid_unknown_fields=True, kw_only=True):
    """Events that are recorded together, all or none."""

    events: Annotated[list[SentEvent], Meta(min_length=1)]
    source: Annotated[str, Meta(max_length=200, description="Said after the name of the token.")] = ""


class Recorded(Headed, kw_only=True):
    """What was recorded: new events, those that the log had already, and where each of them is."""

    accepted: int
    duplicates: int
    uids: list[str]
    positions: list[int]
    notes: list[str]
    """What the method that is declared for the pool leaves out of its lists, and why."""


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


async def record(asked: Asked) -> Reply:
    """Records events, all or none; sent again under the same Idempotency-Key they are recorded once."""
    sent: EventsSent = asked.body
    if len(sent.events) > asked.service.settings.events:
        raise BadValue("events", len(sent.events), f"are more than {asked.service.settings.events}")
    asked.service.rates.take(asked.caller.pays, EACH * len(sent.events))
    check_pools(asked.caller, [one.pool for one in sent.events])
    if asked.caller.scope < Scope.OFFICER and not all(isinstance(one, Game | Session | Player) for one in sent.events):
        raise NotAllowed("officer", asked.caller.scope.name.lower())
    head, name = expected(asked), asked.caller.name

    def made_of(engine: Engine) -> list[Event]:
        return [event_of(one, own_uid(engine, asked, place)) for place, one in enumerate(sent.events)]

    desk = asked.service.desk  # its log is open, since the token was looked up
    events = made_of(desk.engine) if len(sent.events) < MANY else await desk.ask(made_of)

    def append(engine: Engine) -> Recorded:
        if asked.caller.scope < Scope.OFFICER:
            _check_new(engine, events)
        expect = unless_recorded(engine, events, head)
        receipt = engine.record(*events, source=f"{name}: {sent.source}" if sent.source else name, expect=expect)
        uids = [event.uid for event in events]
        rows = engine.log.find(uids) if receipt.duplicates else {}
        return Recorded(
            head=str(receipt.head), accepted=receipt.accepted, duplicates=receipt.duplicates, uids=uids,
            positions=[rows[uid].position for uid in uids] if rows else list(receipt.positions),
            notes=list(map(str, engine.core.unlisted(events))),
        )  # fmt: skip

    made = await asked.service.writer.record(append)
    return Reply(made, 201 if made.accepted else 200)


def _check_new(engine: Engine, events: Sequence[Event]) -> None:
    """Refuses to describe players whom the log knows; what is sent again changes nothing, and may be."""
    described = [event for event in events if isinstance(event, PlayerDescribed)]
    known = engine.log.find([event.uid for event in described]) if described else {}
    for event in described:
        if event.uid not in known and engine.log.book.find("player", event.player) is not None:
            raise NotAllowed("officer, since the log knows the player", "results and new players")


ROUTES = (
    Route("POST", "/api/v1/events", record, Recorded, Query, EventsSent, Scope.RECORD, 1.0, (400, 409, 412, 413, 422),
          201, (200,), may_match=True, key=True, own_pools=True),
)  # fmt: skip
