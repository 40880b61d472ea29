"""API routes of published lists: all lists, one as published, its proof, its differences now, and publishing."""

from itertools import islice
from typing import Any

from msgspec import Struct
from ratingcore_pages import list_named

from ratingcore import Engine, RatingList
from ratingcore.errors import BadCut, HeadMoved
from ratingcore.plugin.analysis import iso
from ratingcore_service import wire
from ratingcore_service.lists import RowsOfList, rows_answer
from ratingcore_service.question import cells, head_of, part_of, permalink, pool_of, pool_part
from ratingcore_service.routing import COSTLY, JSON, POOL, Asked, Reply, Route, Scope
from ratingcore_service.writing import expected


class RowsQuery(wire.Query, kw_only=True):
    """Query for a part of the rows of a published list."""

    after: wire.After = 0
    top: wire.Top = 100


class RestatedQuery(wire.Query, kw_only=True):
    """Query for the differences from a published list now, or at another cut of the log."""

    known_at: wire.KnownAt | None = None
    top: wire.Top = 100


class Publication(Struct, forbid_unknown_fields=True, kw_only=True):
    """A list to publish, at the head in `If-Match` unless another cut in the log is given."""

    name: wire.Name
    method: wire.Method | None = None
    through: wire.Through | None = None
    known_at: wire.KnownAt | None = None
    policy: wire.Policy | None = None


class PublishedRows(wire.Headed, kw_only=True):
    """Published lists of a pool, the newest first."""

    pool: str
    rows: list[wire.Row]


class PublishedList(RowsOfList, kw_only=True):
    """A list as it was published, with the time of publication."""

    name: str
    published: str
    position: int
    seal: str


class Restated(wire.Headed, kw_only=True):
    """The players whose ratings differ now from those on a published list."""

    pool: str
    name: str
    moved: int
    same: int
    rows: list[wire.ChangedRow]


class Proved(wire.Headed, kw_only=True):
    """The result of each check of a published list against the log."""

    name: str
    holds: bool
    erased: int
    checks: list[wire.Row]


class ListPublished(wire.Headed, kw_only=True):
    """A list that was published."""

    name: str
    seal: str
    players: int
    address: str


def _found(engine: Engine, asked: Asked) -> tuple[Any, RatingList, str]:
    """Finds the list that an address names, by name or as `~POSITION`: its publication, its rows and its address."""
    pool = pool_of(engine, asked)
    one = list_named(engine.published(pool)[::-1], str(asked.path["name"]), pool)
    return one, engine.published_list(one), _address(engine, one)


def _address(engine: Engine, one: Any) -> str:
    """Returns the address of a published list."""
    return f"/api/v1/pools/{pool_part(engine, one.pool)}/published/{part_of(one.name, one.position)}"


def lists(engine: Engine, asked: Asked) -> PublishedRows:
    """Returns the published lists of a pool, the newest first."""
    pool = pool_of(engine, asked)
    rows = cells(engine.published(pool).as_table())
    return PublishedRows(head=str(engine.log.head), pool=pool, rows=rows[::-1])


def published(engine: Engine, asked: Asked) -> PublishedList:
    """Returns a list as it was published."""
    query = asked.query
    one, listed, path = _found(engine, asked)
    end = query.after + query.top
    following = {"after": end, "top": None if query.top == 100 else query.top}
    return rows_answer(
        PublishedList, listed, query.after, query.top, name=one.name, published=iso(one.recorded), seal=one.seal,
        position=one.position, permalink=asked.link(path), **({"day": ""} if one.of_no_day else {}),
        next=permalink(asked, path, following) if end < len(listed) else None,
    )  # fmt: skip


def document(engine: Engine, asked: Asked) -> Reply:
    """Returns the document of a published list, which has all that is needed to prove it."""
    one, listed, path = _found(engine, asked)
    return Reply(listed.document("json", one.name), head=head_of(listed), permalink=asked.link(f"{path}/document"))


def proof(engine: Engine, asked: Asked) -> Proved:
    """Checks a published list against the log."""
    one, listed, _ = _found(engine, asked)
    found = engine.prove(listed.document("json", one.name))
    return wire.answer(Proved, found, head=str(engine.log.head), name=one.name, checks=list(found))


def restated(engine: Engine, asked: Asked) -> Restated:
    """Compares a published list with the ratings as known now, or at another cut."""
    one, listed, _ = _found(engine, asked)
    now = engine.restated(one, known_at=asked.query.known_at)
    found = listed.diff(now)
    rows: Any = list(islice(found, asked.query.top))
    return Restated(head=head_of(now), pool=one.pool, name=one.name, moved=len(found), same=found.same, rows=rows)


async def publish(asked: Asked) -> Reply:
    """Publishes a list as it was at the head in If-Match."""
    sent: Publication = asked.body
    head = expected(asked)

    assert head is not None, "the route needs one"

    def listed(engine: Engine) -> RatingList:
        try:
            engine.core.position(head)
        except BadCut:  # of another log, or from before a backup was restored
            raise HeadMoved(head.position, min(head.position, engine.log.head.position)) from None
        pool = pool_of(engine, asked)
        method = asked.service.settings.method(pool, sent.method)
        return engine.rating_list(pool, method, sent.through, sent.known_at or head, policy=sent.policy)

    seen = await asked.service.desk.ask(listed)

    def append(engine: Engine) -> ListPublished:
        made = engine.publish(seen, sent.name)
        address = asked.link(_address(engine, made))
        return wire.answer(ListPublished, made, head=str(engine.log.head), address=address)

    made = await asked.service.writer.alone(append)
    return Reply(made, 201, headers={"Location": made.address})


LIST = f"{POOL}/published/{{name}}"
ROUTES = (
    Route("GET", f"{POOL}/published", lists, PublishedRows),
    Route("GET", LIST, published, PublishedList, RowsQuery, cut=True),
    Route("GET", f"{LIST}/document", document, JSON, cut=True),
    Route("GET", f"{LIST}/proof", proof, Proved, units=COSTLY),
    Route("GET", f"{LIST}/restated", restated, Restated, RestatedQuery, units=COSTLY),
    Route("POST", f"{POOL}/published", publish, ListPublished, wire.Query, Publication, Scope.OFFICER, COSTLY,
          (409,), 201, head=True),
)  # fmt: skip
