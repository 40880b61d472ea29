"""Published lists: which there are, each as it was published, its proof, and what is different now."""

from itertools import islice
from urllib.parse import quote

from ratingcore import Engine, RatingList
from ratingcore.errors import UnknownList
from ratingcore_service.answers.addresses import permalink, pool_of, pool_part
from ratingcore_service.answers.lists import columns_of, rows_of
from ratingcore_service.answers.players import cells
from ratingcore_service.answers.question import head_of
from ratingcore_service.routing import Asked, Reply
from ratingcore_service.wire.answers import Proved, PublishedList, PublishedRows, Restated


def _found(engine: Engine, asked: Asked) -> tuple[str, RatingList, str]:
    """The list that an address names: its name, itself, and the address of its page in the API."""
    pool, name = pool_of(engine, asked), str(asked.path["name"])
    if name[:1] == "~" and name[1:].isascii() and name[1:].isdigit():  # by position, of names with a slash
        there = {one.position: one.name for one in engine.published(pool)}
        if int(name[1:]) not in there:
            raise UnknownList(name, pool, ())
        name = there[int(name[1:])]
    listed = engine.published_list(name, pool)
    return name, listed, f"/api/v1/pools/{pool_part(engine, pool)}/published/{quote(asked.path['name'])}"


def lists(engine: Engine, asked: Asked) -> PublishedRows:
    """The published lists of a pool, the newest first."""
    pool = pool_of(engine, asked)
    rows = cells(engine.published(pool).as_table())
    return PublishedRows(head=str(engine.log.head), pool=pool, rows=rows[::-1])


def published(engine: Engine, asked: Asked) -> PublishedList:
    """A list as it was published."""
    query = asked.query
    name, listed, path = _found(engine, asked)
    one = engine.core.published(name, listed.pool)
    made, end = listed.provenance, query.after + query.top
    following = {"after": end, "top": None if query.top == 100 else query.top}
    return PublishedList(
        head=head_of(listed), pool=listed.pool, method=made.method, permalink=asked.link(path), name=name,
        published=str(engine.published(listed.pool).as_table()["published"][_place(engine, name, listed.pool)]),
        position=one.position, seal=one.seal, through=made.cut, day="" if one.of_no_day else made.clock.day(made.at),
        players=len(listed), columns=columns_of(listed), rows=rows_of(listed, query.after, end), notes=made.lines(),
        next=permalink(asked, path, following) if end < len(listed) else None,
    )  # fmt: skip


def _place(engine: Engine, name: str, pool: str) -> int:
    return [one.name for one in engine.published(pool)].index(name)


def document(engine: Engine, asked: Asked) -> Reply:
    """The document of a published list: everything that is needed to prove it."""
    name, listed, path = _found(engine, asked)
    return Reply(listed.document("json", name), head=head_of(listed), permalink=asked.link(f"{path}/document"))


def proof(engine: Engine, asked: Asked) -> Proved:
    """Whether a published list is what the log gives, check by check."""
    name, listed, _ = _found(engine, asked)
    found = engine.prove(listed.document("json", name))
    rows = list(found)
    return Proved(head=str(engine.log.head), name=name, holds=found.holds, erased=found.erased, checks=rows)


def restated(engine: Engine, asked: Asked) -> Restated:
    """Whose rating on a published list is another one by what is known now, or at another cut."""
    name, listed, _ = _found(engine, asked)
    now = engine.restated(name, listed.pool, asked.query.known_at)
    found = listed.diff(now)
    rows = list(islice(found, asked.query.top))
    return Restated(head=head_of(now), pool=listed.pool, name=name, moved=len(found), same=found.same, rows=rows)
