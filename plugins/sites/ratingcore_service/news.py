"""Routes of the API that say when something new comes."""

from typing import Annotated

from msgspec import Meta

from ratingcore_service.access import check_pools, check_whole_log
from ratingcore_service.bell import Stream
from ratingcore_service.routing import EVENTS, Asked, Route
from ratingcore_service.wire import POSITION, Name, Query


class ChangesQuery(Query, kw_only=True):
    """From where on, and of which pool; a reader who comes back says it by `Last-Event-ID`."""

    after: Annotated[int, Meta(ge=0, le=POSITION)] | None = None
    pool: Name | None = None


async def changes(asked: Asked) -> Stream:
    """Every new head of the log as it comes, as a stream of server-sent events."""
    query, service = asked.query, asked.service
    if service.settings.private and asked.caller.pools:
        check_whole_log(asked.caller) if query.pool is None else check_pools(asked.caller, [query.pool])
    given = asked.headers.get("last-event-id", "")
    last = int(given) if given.isascii() and given.isdigit() and len(given) < 17 else query.after
    if query.pool is not None:
        await service.desk.ask(lambda engine: engine.log.number_of("pool", query.pool))
    await service.desk.ask(service.bell.listen, "listen")
    now = await service.desk.stamp()
    return Stream(service.bell, now.position if last is None else last, query.pool)


ROUTES = (Route("GET", "/api/v1/changes", changes, EVENTS, ChangesQuery, units=0.1, errors=(404, 422), own_pools=True),)
