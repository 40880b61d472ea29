"""Routes of the API that record results, corrections and published lists."""

from collections.abc import Sequence
from typing import Any

from ratingcore import Engine, Event, RatingList, Side
from ratingcore.errors import BadValue
from ratingcore_service.access import check_pools, check_whole_log
from ratingcore_service.answers.addresses import pool_of, pool_part
from ratingcore_service.answers.impacts import moved
from ratingcore_service.routing import COSTLY, PAGE, Asked, Reply, Route, Scope
from ratingcore_service.wire.answers import Moved
from ratingcore_service.wire.corrections import (
    Amend,
    Corrected,
    Correction,
    Corrections,
    ListPublished,
    Merge,
    PreviewQuery,
    Publication,
    Rename,
    Revive,
    Split,
    Unmerge,
    Void,
)
from ratingcore_service.wire.events import Events, Recorded, SessionSide, event_of
from ratingcore_service.wire.queries import NoQuery
from ratingcore_service.writing import expected, own_uid, unless_recorded


async def record(asked: Asked) -> Reply:
    """Records events, all or none; sent again under the same Idempotency-Key they are recorded once."""
    sent: Events = asked.body
    if len(sent.events) > asked.service.settings.events:
        raise BadValue("events", len(sent.events), f"are more than {asked.service.settings.events}")
    check_pools(asked.caller, [one.pool for one in sent.events])
    head, name = expected(asked), asked.caller.name
    engine = asked.service.desk.engine  # open, since the token was looked up
    events = [event_of(one, own_uid(engine, asked, place)) for place, one in enumerate(sent.events)]

    def append(engine: Engine) -> Recorded:
        expect = unless_recorded(engine, events, head)
        receipt = engine.record(*events, source=f"{name}: {sent.source}" if sent.source else name, expect=expect)
        uids = [event.uid for event in events]
        rows = engine.log.find(uids)
        return Recorded(
            head=str(receipt.head), accepted=receipt.accepted, duplicates=receipt.duplicates, uids=uids,
            positions=[rows[uid].position for uid in uids],
        )  # fmt: skip

    made = await asked.service.writer.record(append)
    return Reply(made, 201 if made.accepted else 200)


async def correct(asked: Asked) -> Reply:
    """Records corrections, all or none, as they were decided on the head of If-Match."""
    head = expected(asked)
    events = await asked.service.desk.ask(lambda engine: proposed(engine, asked))

    def append(engine: Engine) -> Corrected:
        expect = unless_recorded(engine, events, head)
        receipt = engine.record(*events, source=asked.caller.name, expect=expect)
        return Corrected(head=str(receipt.head), accepted=receipt.accepted, uids=[event.uid for event in events])

    made = await asked.service.writer.record(append)
    return Reply(made, 201 if made.accepted else 200)


def preview(engine: Engine, asked: Asked) -> Moved:
    """Who would move if corrections were recorded; nothing is."""
    query: PreviewQuery = asked.query
    method = asked.service.settings.method(query.pool or "", query.method)
    return moved(engine, proposed(engine, asked), query.pool, method)


async def publish(asked: Asked) -> Reply:
    """Publishes the list that was seen at the head of If-Match."""
    sent: Publication = asked.body
    head = expected(asked)

    def listed(engine: Engine) -> tuple[str, RatingList]:
        pool = pool_of(engine, asked)
        method = asked.service.settings.method(pool, sent.method)
        made = engine.rating_list(pool, method, sent.through, sent.known_at or head, policy=sent.policy)
        return pool_part(engine, pool), made

    part, seen = await asked.service.desk.ask(listed)

    def append(engine: Engine) -> ListPublished:
        made = engine.publish(seen, sent.name, expect=head)
        address = asked.link(f"/api/v1/pools/{part}/published/{made.name}")
        return ListPublished(
            head=str(engine.log.head), name=made.name, seal=made.seal, players=made.players, address=address
        )

    made = await asked.service.writer.alone(append)
    return Reply(made, 201, headers={"Location": made.address})


def proposed(engine: Engine, asked: Asked) -> list[Event]:
    """The corrections of a request as events, each upon those before it."""
    sent: Correction | list[Correction] = asked.body
    events: list[Event] = []
    for place, one in enumerate(sent if isinstance(sent, list) else [sent]):
        check_correction(engine, asked, one)
        uid = one.own_uid or own_uid(engine, asked, place)
        upon = engine.what_if(events) if events else engine
        events += _proposed(upon, one, asked.caller.name, uid)
    return events


def check_correction(engine: Engine, asked: Asked, one: Correction) -> None:
    """Refuses a correction outside the pools of a token; one that concerns players concerns them in every pool.

    Raises
    ------
    NotAllowed
    """
    if not asked.caller.pools:
        return
    if not isinstance(one, Void | Revive | Amend):
        check_whole_log(asked.caller)
        return
    row = engine.log.row_of(one.uid)
    while row.pool is None and row.ref is not None:
        (row,) = engine.log.rows_at([row.ref])
    if row.pool is None:
        check_whole_log(asked.caller)
        return
    moved_to = one.changes.get("pool") if isinstance(one, Amend) else None
    check_pools(asked.caller, [engine.log.names_book.key(row.pool), *([str(moved_to)] if moved_to else [])])


def _proposed(engine: Engine, one: Correction, by: str, uid: str | None) -> Sequence[Event]:
    propose = engine.propose
    match one:
        case Void():
            return propose.void(one.uid, why=one.why, by=by, own_uid=uid)
        case Revive():
            return propose.revive(one.uid, why=one.why, by=by, own_uid=uid)
        case Amend():
            return propose.amend(one.uid, _changes(one), why=one.why, by=by, own_uid=uid)
        case Merge():
            return propose.merge(one.keep, one.other, why=one.why, by=by, own_uid=uid)
        case Unmerge():
            return propose.unmerge(one.uid, why=one.why, by=by, own_uid=uid)
        case Rename():
            return propose.rename(one.player, one.called, pool=one.pool, at=one.at, own_uid=uid)
        case Split():
            return propose.split(
                one.player, one.into, one.since, games=one.games, why=one.why, by=by, pools=one.pools, own_uid=uid
            )


def _changes(one: Amend) -> dict[str, Any]:
    """What an amendment changes, as the engine takes it."""
    return {
        name: tuple(Side(side.players, side.score) for side in value if isinstance(side, SessionSide))
        if isinstance(value, list)
        else value
        for name, value in one.changes.items()
    }


ROUTES = (
    Route("POST", "/api/v1/events", record, Recorded, NoQuery, Events, Scope.RECORD, 1.0, (400, 409, 412, 413, 422),
          201, (200,), may_match=True, key=True, own_pools=True),
    Route("POST", "/api/v1/corrections", correct, Corrected, NoQuery, Corrections, Scope.OFFICER, PAGE,
          (400, 404, 409, 412, 413, 422, 428), 201, (200,), head=True, key=True, own_pools=True),
    Route("POST", "/api/v1/corrections/preview", preview, Moved, PreviewQuery, Corrections, Scope.OFFICER, COSTLY,
          (400, 404, 409, 413, 422), own_pools=True),
    Route("POST", "/api/v1/pools/{pool}/published", publish, ListPublished, NoQuery, Publication, Scope.OFFICER,
          COSTLY, (400, 404, 409, 412, 413, 422, 428), 201, head=True),
)  # fmt: skip
