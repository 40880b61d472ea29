"""API routes of events: the sentence and fields of each, its corrections, and the players whose ratings it changed."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Annotated, Any, NotRequired, TypedDict

import msgspec
from msgspec import Meta, Struct

from ratingcore import AnyEvent, Engine, Event
from ratingcore.errors import BadCut
from ratingcore.plugin.analysis import as_read, called_by_key, corrections_of, decoder_of, event_as_json, iso, row_of
from ratingcore.plugin.commands import ENGLISH, EventFilter, Wording, event_rows
from ratingcore.plugin.stores import Row
from ratingcore_service.problems import NotFound, NotThisLog
from ratingcore_service.question import permalink, player_number
from ratingcore_service.routing import COSTLY, Asked, Route
from ratingcore_service.wire import KINDS, Headed, Method, Name, Number, Query, Seen, Top, Who, answer

CORRECTIONS = ("void", "amend", "unmerge")
"""Kinds of events that correct another one."""
MOST, POOLS = 1000, 20
"""Largest number of players in an answer, and of pools that a plan concerns."""
STRETCH = 1000
"""Number of events that a search backwards reads first; each further step reads twice as many."""
Kinds = Annotated[str, Meta(pattern=KINDS, description="Kinds, separated by commas.", examples=["void,amend"])]


class EventsQuery(Query, kw_only=True):
    """Query for events of the log: those after a point, those before a position, or the last ones."""

    after: Seen | None = None
    before: Number | None = None
    uid: Name | None = None
    kinds: Kinds | None = None
    pool: Name | None = None
    player: Who | None = None
    top: Top = 100


class ImpactQuery(Query, kw_only=True):
    """Query for the players whose ratings an event changed."""

    pool: Name | None = None
    method: Method | None = None
    top: Top = 100


class EventAnswer(Struct, kw_only=True):
    """An event as it was recorded: a sentence, and its fields."""

    position: int
    uid: str
    kind: str
    what: str
    pool: str | None
    played: str | None
    recorded: str
    source: str | None
    fields: dict[str, Any]


class Events(Headed, kw_only=True):
    """Events in the order of the log."""

    events: list[EventAnswer]
    permalink: str
    next: str | None = None


class OneEvent(Headed, kw_only=True):
    """An event, its corrections, and its fields now; `reads` is null if it is void."""

    event: EventAnswer
    corrections: list[EventAnswer]
    void: bool
    reads: dict[str, Any] | None


class MovedRow(TypedDict):
    """A player whose rating an event changes: rank and rating without it and with it; null without a rating."""

    player: str
    called: NotRequired[str]
    rank_without: int | None
    rank_with: int | None
    rating_without: float | None
    rating_with: float | None
    change: float | None


class Moved(Headed, kw_only=True):
    """Players whose ratings an event changes, the largest change first; `why` is the reason if it can change none."""

    what: str
    pool: str
    method: str
    moved: int
    same: int
    why: str
    rows: list[MovedRow]


def events(engine: Engine, asked: Asked) -> Events:
    """Returns events in the order of the log: those after a position, those before one, or the last ones."""
    query: EventsQuery = asked.query
    head = engine.log.head
    found = chosen_events(engine, query, head.position)
    fields = {
        "uid": query.uid, "kinds": query.kinds, "pool": query.pool,
        "player": None if query.player is None else player_number(engine, query.player),
        "top": None if query.top == 100 else query.top,
    }  # fmt: skip
    last = found[-1][0].position if found else head.position
    more = query.uid is None and last < head.position and (query.after is not None or query.before is not None)
    here = {**fields, "after": found[0][0].position - 1 if found else query.after}
    return Events(
        head=str(head), events=event_answers(engine, found), permalink=permalink(asked, "/api/v1/events", here),
        next=permalink(asked, "/api/v1/events", {**fields, "after": last}) if more else None,
    )  # fmt: skip


def chosen_events(
    engine: Engine, query: EventsQuery, end: int, day: str = "", source: str = ""
) -> list[tuple[Row, AnyEvent]]:
    """Returns the requested events, in order, optionally of a day or a source only.

    Raises
    ------
    NotThisLog
        If the log does not have the point after which they are requested.
    """
    if query.uid is not None:
        row = row_of(engine.log, query.uid)
        return [(row, decoder_of(engine.log)(row))]
    kinds = tuple(query.kinds.split(",")) if query.kinds else ()
    pool = None if query.pool is None else engine.log.book.number("pool", query.pool)
    player = None if query.player is None else player_number(engine, query.player)
    filtered, decode = EventFilter(engine.log, player, pool), decoder_of(engine.log)
    last = end if query.before is None else min(end, query.before - 1)

    def taken(after: int, to: int) -> Iterator[Row]:
        """The requested rows of a stretch of the log; they are decoded later, which takes longer than reading them."""
        for row in engine.log.rows(after, to, kinds):
            of_day = not day or (row.played is not None and iso(row.played)[:10] == day)
            if of_day and filtered.takes(row):
                yield row

    if query.after is not None:
        try:
            after = engine.core.position(query.after)
        except BadCut:
            raise NotThisLog(query.after, engine.log.head.position) from None
        return [(row, decode(row)) for row in islice(taken(after, last), query.top)]
    found, stretch = list[Row](), STRETCH
    for first, to in reversed(_spans_of(engine, source) if source else [(1, last)]):
        to = min(to, last)
        while to >= first and len(found) < query.top:  # backwards, since the log is read forwards only
            after = max(first - 1, to - stretch)
            found = [*taken(after, to), *found]
            to, stretch = after, 2 * stretch
    return [(row, decode(row)) for row in found[-query.top :]]


def _spans_of(engine: Engine, source: str) -> list[tuple[int, int]]:
    """Returns the first and last positions of the batches whose source has a text in its name, in any case."""
    named = [(one, engine.log.book.key(one.source)) for one in engine.log.batches(0) if one.source is not None]
    return [(one.first, one.last) for one, name in named if source.casefold() in name.casefold()]


def event_answers(
    engine: Engine, found: Iterable[tuple[Row, AnyEvent]], wording: Wording = ENGLISH
) -> list[EventAnswer]:
    """Returns the answers about events, in order, with sentences in the language of `wording`."""
    pairs = list(found)
    return [
        msgspec.convert({**row, "what": row["text"], "fields": fields_of(event)}, EventAnswer)
        for row, (_, event) in zip(event_rows(engine, pairs, wording), pairs, strict=True)
    ]


def fields_of(event: Event) -> dict[str, Any]:
    """Returns the fields of an event for JSON, with times in ISO 8601."""

    fields = event_as_json(event)
    del fields["kind"]
    for some in (fields, fields.get("changes", {})):
        if isinstance(some.get("played"), int):
            some["played"] = iso(some["played"])
    return fields


def taken_back(engine: Engine, positions: Iterable[int]) -> dict[int, int]:
    """Returns the voided events among some positions, each with the position of the correction that voided it."""
    void = corrections_of(engine.log).void
    gone = void.intersection(positions)
    if not gone:
        return {}
    against = engine.log.rows(min(gone), None, ("void", "unmerge"))
    return {row.ref: row.position for row in against if row.ref in gone and row.position not in void}


def one_event(engine: Engine, asked: Asked) -> OneEvent:
    """Returns an event as it was recorded, its corrections, and its fields now."""
    row, event = event_at(engine, asked)
    corrections = [
        (later, correction)
        for later, correction in engine.events(row.position, CORRECTIONS)
        if getattr(correction, "of", None) == row.uid
    ]
    now = as_read(engine.log, row.uid)
    return OneEvent(
        head=str(engine.log.head), event=event_answers(engine, [(row, event)])[0],
        corrections=event_answers(engine, corrections),
        void=now is None, reads=None if now is None else fields_of(decoder_of(engine.log)(now)),
    )  # fmt: skip


def impact(engine: Engine, asked: Asked) -> Moved:
    """Returns the players whose ratings an event changed, and by how much."""
    row, _ = event_at(engine, asked)
    query = asked.query
    return moved(engine, row.uid, query.pool, asked.method(query.pool or ""), query.top)


def event_at(engine: Engine, asked: Asked) -> tuple[Row, AnyEvent]:
    """Returns the event at the position of the address."""
    position = int(asked.path["position"])
    if not 1 <= position <= engine.log.head.position:
        raise NotFound(f"event {position}: the log ends at {engine.log.head.position}")
    return next(iter(engine.events(position - 1, to=position)))


def moves(
    engine: Engine, plan: Iterable[Event], methods: Mapping[str, str] = MappingProxyType({}), top: int = MOST
) -> list[Moved]:
    """Returns whose ratings a plan would change, pool by pool; by the method in `methods`, else the pool's own."""
    there = engine.what_if(plan)
    return [_answered(engine, there, impact, top) for impact in islice(engine.moves(plan, methods), POOLS)]


def moved(engine: Engine, of: str | Iterable[Event], pool: str | None, method: str | None, top: int = MOST) -> Moved:
    """Returns the players whose ratings an event changed, or a plan would change, with both ratings as listed."""
    there = engine if isinstance(of, str) else engine.what_if(of)
    return _answered(engine, there, engine.impact(of, pool, method), top)


def _answered(engine: Engine, there: Engine, impact: Any, top: int) -> Moved:
    """Returns the answer about an impact, with the visible names of players."""
    called = called_by_key(there.core.view(impact.pool)) if len(impact) else {}
    rows = [
        {**row, **({"called": called[row["player"]]} if row["player"] in called else {})}
        for row in islice(impact, top)
    ]  # fmt: skip
    return answer(Moved, impact, head=str(engine.log.head), moved=len(impact), rows=rows)


EVENT = "/api/v1/events/{position:int}"
ROUTES = (
    Route("GET", "/api/v1/events", events, Events, EventsQuery, errors=(404, 409)),
    Route("GET", EVENT, one_event, OneEvent),
    Route("GET", f"{EVENT}/impact", impact, Moved, ImpactQuery, units=COSTLY),
)
