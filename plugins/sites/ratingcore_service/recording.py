"""Events as programs send them: their types, and the routes that record them."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from attrs import evolve
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from ratingcore import Engine, Event, Head, Plan, PlayerDescribed, ResultAmended
from ratingcore.errors import BadValue, Conflict, EventError
from ratingcore.plugin.analysis import (
    NearNames,
    check_facts,
    corrections_of,
    decoder_of,
    event_from_json,
    near_newcomers,
    policy_of,
    row_of,
)
from ratingcore.plugin.stores import Row
from ratingcore_service import wire
from ratingcore_service.access import Caller, check_method, check_pools, check_whole_log
from ratingcore_service.log_events import taken_back
from ratingcore_service.problems import BadQuery, Decided, E, NotAllowed, NotJson, placed
from ratingcore_service.routing import Asked, Reply, Route, Scope, decoded
from ratingcore_service.writing import expected, own_uid, unless_recorded

EACH = 0.02
"""Units of the rate limit that an event takes beyond those of its request."""
MANY = 50
"""Number of games and sides from which on events are made in a thread, so that other requests need not wait."""
SIDES = 2_000
"""Largest number of sides of a session: methods that compare all pairs then take a second of CPU."""
SEARCHED = 2_000
"""Largest number of names in a log that are searched for some nearly the same as a new one; it takes 5 us each."""
SEARCHED_EACH = 20
"""The same for each game or side that is sent, so that a stream of single games is recorded at its usual speed."""
LINES = "application/octet-stream"
"""Media type of JSON lines, since generators of clients know no specific one."""
LINE = 1 << 10
"""Largest mean length in bytes of the lines of a body."""
Whole = Annotated[int, Meta(ge=-wire.POSITION, le=wire.POSITION)]
Source = Annotated[str, Meta(max_length=200, description="Source of the events, stored after the name of the token.")]
Amend = Annotated[
    bool,
    Meta(
        description="An event whose uid the log has with other content amends it, so that it reads as sent. It needs a "
        "token that may correct it, and is refused by If-Match only if what it amends has changed since."
    ),
]
Fields = Annotated[
    dict[str, wire.Fact],
    Meta(max_length=wire.MOST_FIELDS, description="Further facts: points_a, home, event, round, ..."),
]


class _Sent(Struct, tag_field="kind", forbid_unknown_fields=True, kw_only=True):
    """An event; without a uid it is given one."""

    pool: wire.Name
    uid: wire.Uid | UnsetType = UNSET


class _Played(_Sent, kw_only=True):
    """An event that was true at a time."""

    played: wire.Played


class Game(_Played, tag="game", kw_only=True):
    """A game of two players; the score is the share of the point that `a` took."""

    a: wire.Name
    b: wire.Name
    score: Annotated[float, Meta(ge=0, le=1)]
    order: Whole = 0
    data: Fields = {}


class SessionSide(Struct, forbid_unknown_fields=True):
    """A side of a session: its players, and their score in the unit of the session."""

    players: Annotated[list[wire.Name], Meta(min_length=1, max_length=1000)]
    score: wire.Points


class Session(_Played, tag="session", kw_only=True):
    """A session of two or more sides."""

    sides: Annotated[list[SessionSide], Meta(min_length=2, max_length=SIDES)]
    order: Whole = 0
    data: Fields = {}


class Seed(_Played, tag="seed", kw_only=True):
    """Ratings of a player from outside the log, by column of the method's state."""

    player: wire.Name
    values: Annotated[dict[str, wire.Points], Meta(min_length=1, max_length=wire.MOST_FIELDS)]
    order: Whole = 0


class Player(_Played, tag="player", kw_only=True):
    """Facts about a player, and the name that people see."""

    player: wire.Name
    data: Fields = {}
    called: Annotated[str, Meta(max_length=200)] = ""


class Period(_Played, tag="period", kw_only=True):
    """A period of a pool was closed."""

    data: Fields = {}


class PoolSent(_Sent, tag="pool", kw_only=True):
    """A declaration of a pool: the results it accepts, its zone, and the method and policy of its lists."""

    fits: Annotated[str, Meta(max_length=2000)] = ""
    zone: Annotated[str, Meta(max_length=100)] = ""
    method: Annotated[str, Meta(max_length=2000, description="Empty for a pool that has none.")] | None = None
    policy: Annotated[str, Meta(max_length=400)] = ""
    starting: Annotated[str, Meta(pattern=wire.DAY)] = ""
    of: Annotated[str, Meta(max_length=400, description="The pool from which a board takes its results.")] = ""
    results: Annotated[str, Meta(max_length=2000, description="Which: category=coding & language!=en")] = ""


SentEvent = Game | Session | Seed | Player | Period | PoolSent


class EventsSent(Struct, forbid_unknown_fields=True, kw_only=True):
    """Events to record together, all or none."""

    events: Annotated[list[SentEvent], Meta(min_length=1)]
    source: Source = ""
    amend: Amend = False


class LinesQuery(wire.Query, kw_only=True):
    """Query of a body of JSON lines: settings of all its events."""

    source: Source = ""
    amend: Amend = False


class Recorded(wire.Headed, kw_only=True):
    """The outcome of recording: numbers of new events and of those that the log had already, and their positions."""

    accepted: int
    duplicates: int
    uids: list[str]
    positions: list[int]
    notes: list[str]
    """On events that stay as somebody else corrected them, new names similar to others, results that may be mistakes,
    and results that the method of the pool leaves out of its lists."""


def event_of(sent: SentEvent, uid: str | None) -> Event:
    """Returns an event for the log; one sent without a uid gets this one.

    Raises
    ------
    EventError
    """
    given: dict[str, Any] = msgspec.to_builtins(sent)
    check_fields("data", given.get("data", {}))
    return event_from_json(({} if uid is None else {"uid": uid}) | given)


def check_fields(what: str, fields: Mapping[str, object]) -> None:
    """Refuses fields of an event that are too long together, and numbers that a file could not have either.

    Raises
    ------
    BadValue
    """
    check_facts(fields)
    size = sum(len(name) + (len(value) if isinstance(value, str) else 0) for name, value in fields.items())
    if size > wire.MOST_CHARACTERS:
        raise BadValue(what, size, f"has more than {wire.MOST_CHARACTERS:,} characters")


async def record(asked: Asked) -> Reply:
    """Records events, all or none; a repetition with the same Idempotency-Key records nothing twice."""
    sent: EventsSent = asked.body
    return await _recorded(asked, sent.events, sent, asked.service.settings.events)


async def record_lines(asked: Asked) -> Reply:
    """Records events in lines of JSON, one per line, all or none, like events in one body."""
    most = asked.service.settings.lines
    text = b"".join([part async for part in asked.parts(most * LINE)])

    def read(engine: Engine) -> dict[int, SentEvent]:
        made = dict[int, SentEvent]()
        for number, line in enumerate(text.splitlines(), 1):
            try:
                made |= {number: decoded(line, SentEvent)} if line.strip() else {}
            except (BadQuery, NotJson) as error:
                raise placed(error, f"line {number}", line=number) from None
        return made

    lines = await asked.service.desk.ask(read)
    return await _recorded(asked, [*lines.values()], asked.query, most, [*lines])


async def _recorded(
    asked: Asked, sent: Sequence[SentEvent], request: EventsSent | LinesQuery, most: int, lines: Sequence[int] = ()
) -> Reply:
    caller = asked.caller
    if not 0 < len(sent) <= most:
        raise BadValue("events", len(sent), f"must be from 1 to {most} in number")
    asked.service.rates.take(asked.pays, EACH * len(sent))
    check_pools(caller, [one.pool for one in sent])
    if caller.scope < Scope.OFFICER and not all(isinstance(one, Game | Session | Player) for one in sent):
        raise NotAllowed("officer", caller.scope.name.lower())
    head, source = expected(asked), f"{caller.name}: {request.source}" if request.source else caller.name

    def made_of(engine: Engine) -> list[Event]:
        made = list[Event]()
        for place, one in enumerate(sent):
            try:
                made.append(event_of(one, own_uid(engine, asked, place)))
            except EventError as error:
                raise _of_event(error, sent, place, lines) from None
        return made

    desk = asked.service.desk  # the log is open already, for the look-up of the token
    for one in sent:
        if isinstance(one, PoolSent):
            check_pools(caller, [one.of] if one.of else [])
            check_method(desk.engine, caller, one.method)
            policy_of(one.policy)
    size = sum(len(one.sides) if isinstance(one, Session) else 1 for one in sent)
    events = made_of(desk.engine) if size < MANY else await desk.ask(made_of)

    def append(engine: Engine) -> Recorded:
        if caller.scope < Scope.OFFICER:
            _check_new(engine, events)
        fresh, kept = _amending(engine, caller, events, head) if request.amend else (events, {})
        expect = None if request.amend else unless_recorded(engine, events, head)
        names = engine.log.book.count
        try:
            receipt = engine.record(*fresh, source=source, expect=expect)
        except BadValue as error:  # about a name, which the log itself checks
            text = msgspec.json.encode(str(error.value))
            place = next((place for place, one in enumerate(sent) if text in msgspec.json.encode(one)), None)
            raise error if place is None else _of_event(error, sent, place, lines) from None
        except Conflict as error:
            last = max(place for place, event in enumerate(events) if event.uid == error.uid)
            raise _placed(error, last, lines) from None
        new = names < engine.log.book.count <= min(SEARCHED, SEARCHED_EACH * size) and not caller.pools
        near = _near(engine, receipt.head.position - receipt.accepted) if new else []
        uids, counted = [event.uid for event in events], [event for event in events if event.uid not in kept]
        rows = engine.log.find(uids) if receipt.accepted < len(events) or request.amend else {}
        return Recorded(
            head=str(receipt.head), accepted=receipt.accepted, duplicates=len(events) - receipt.accepted, uids=uids,
            positions=[rows[uid].position for uid in uids] if rows else list(receipt.positions),
            notes=[*kept.values(), *map(str, [*near, *engine.core.doubts(counted), *engine.core.unlisted(counted)])],
        )  # fmt: skip

    made = await asked.service.writer.record(append)
    return Reply(made, 201 if made.accepted else 200)


def _near(engine: Engine, before: int) -> list[NearNames]:
    """Returns a note on players who are new after a position and whose names are nearly those of others."""
    found = near_newcomers(engine.log, before)
    return [NearNames(tuple(found))] if found else []


def _of_event(error: EventError, sent: Sequence[SentEvent], place: int, lines: Sequence[int]) -> EventError:
    """Returns an error about one of the events that were sent, with its place and with the field that is wrong."""
    given, field = asdict(sent[place]), ""
    if isinstance(error, BadValue):
        fields = given | {f"data/{name}": value for name, value in given.get("data", {}).items()}
        field = next((f"/{name}" for name, value in fields.items() if value == error.value and value is not True), "")
        if error.what == "time":
            error = BadValue("played", error.value, "is not a day or a time of the calendar")
    return _placed(error, place, lines, field)


def _placed(error: E, place: int, lines: Sequence[int], field: str = "") -> E:
    """Returns an error with the place of an event in the body, or with its line."""
    if lines:
        return placed(error, f"line {lines[place]}", line=lines[place], pointer=f"#{field}")
    return placed(error, f"events/{place}", pointer=f"#/events/{place}{field}")


def _amending(
    engine: Engine, caller: Caller, events: Sequence[Event], head: Head | None
) -> tuple[list[Event], dict[str, str]]:
    """Plans amendments so that all events read as sent, apart from those that somebody else has decided about.

    Returns
    -------
    fresh : list of Event
        The events to append.
    kept : dict of str to str
        By uid, a note on each event that stays as it is.

    Raises
    ------
    NotAllowed
    PlanOutdated
        If something that an amendment depends on has changed since the head.
    """
    rows = engine.log.find([event.uid for event in events])
    void = taken_back(engine, (row.position for row in rows.values()))
    kept = {
        uid: f"{uid} was taken back at position {void[row.position]}, and stays so"
        for uid, row in rows.items()
        if row.position in void
    }
    plan = _plan_without(engine, events, kept)
    for uid in _amended(plan) if caller.scope < Scope.OFFICER else ():
        try:
            check_own(engine, caller, uid)
        except Decided as decided:
            kept[uid] = str(decided)
    plan = _plan_without(engine, events, kept) if kept.keys() & {*_amended(plan)} else plan
    amended = _amended(plan)
    if amended and caller.scope < Scope.CORRECT:
        raise NotAllowed("correct", caller.scope.name.lower())
    check_rows(engine, caller, [row_of(engine.log, uid) for uid in amended])
    check_readings(engine, caller, plan)
    if head is not None:
        plan.decided_at(head).check(engine.log)
    return [evolve(event, by=caller.name) if isinstance(event, ResultAmended) else event for event in plan], kept


def _plan_without(engine: Engine, events: Sequence[Event], kept: Container[str]) -> Plan:
    return engine.plan.record(*(event for event in events if event.uid not in kept), amend=True)


def _amended(plan: Iterable[Event]) -> list[str]:
    return [event.of for event in plan if isinstance(event, ResultAmended)]


def check_own(engine: Engine, caller: Caller, uid: str, own_uid: str | None = None) -> None:
    """Refuses to correct anything but a result that the same token recorded, and that nobody else has corrected since.

    A correction with the uid `own_uid` that the log has already may be sent again.

    Raises
    ------
    NotAllowed, Decided
    """
    row = row_of(engine.log, uid)
    source = next(iter(engine.log.batches(row.position - 1))).source
    own = source is not None and f"{engine.log.book.key(source)}: ".startswith(f"{caller.name}: ")
    if row.kind not in ("game", "session") or not own:
        raise NotAllowed("officer", "results that it recorded itself")
    of, decode = {row.position}, decoder_of(engine.log)
    for later in engine.log.rows(row.position, None, ("void", "amend")):
        if later.ref in of:
            if later.uid == own_uid:
                return
            if getattr(decode(later), "by", None) != caller.name:
                raise Decided(uid, later.position)
            of.add(later.position)


def check_rows(engine: Engine, caller: Caller, rows: Iterable[Row]) -> None:
    """Refuses to correct events of pools outside the caller's token, or events without a pool.

    Raises
    ------
    NotAllowed
    """
    for row in rows if caller.pools else ():
        while row.pool is None and row.ref is not None:
            (row,) = engine.log.rows_at([row.ref])
        check_whole_log(caller) if row.pool is None else check_pools(caller, [engine.log.book.key(row.pool)])


def check_readings(engine: Engine, caller: Caller, events: Iterable[Event]) -> None:
    """Refuses events that change how a result reads if its pool, before or after, is outside the caller's token.

    Its pool may not be the one in which it was recorded, since an amendment can move it.

    Raises
    ------
    NotAllowed
    """
    if not caller.pools:
        return
    trial = engine.what_if(events).log
    before, after = corrections_of(engine.log), corrections_of(trial)
    for row in trial.rows_at(sorted(before.touched(after))):
        read = [one.pool for one in (before.read(row), after.read(row)) if one is not None]
        check_pools(caller, [trial.book.key(pool) for pool in read if pool is not None])


def _check_new(engine: Engine, events: Sequence[Event]) -> None:
    """Refuses to describe players whom the log knows; a description that is sent again is allowed."""
    described = [event for event in events if isinstance(event, PlayerDescribed)]
    known = engine.log.find([event.uid for event in described]) if described else {}
    for event in described:
        if event.uid not in known and engine.log.book.find("player", event.player) is not None:
            raise NotAllowed("officer (the log knows the player)", "results and new players")


ROUTES = (
    Route("POST", "/api/v1/events", record, Recorded, wire.Query, EventsSent, Scope.RECORD, 1.0, (404, 409), 201,
          (200,), may_match=True, key=True, own_pools=True),
    Route("POST", "/api/v1/events/lines", record_lines, Recorded, LinesQuery, LINES, Scope.RECORD, 1.0,
          (400, 404, 409), 201, (200,), may_match=True, key=True, own_pools=True),
)  # fmt: skip
