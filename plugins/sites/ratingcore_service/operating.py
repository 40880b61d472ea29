"""Addresses for those who keep a service running: whether it lives, whether it is ready, and what it measures."""

from starlette.responses import Response

from ratingcore_service.problems import NotWarm, TokenNeeded
from ratingcore_service.remembered import safe
from ratingcore_service.routing import Asked, Reply, Route, Scope

TEXT = "text/plain; charset=utf-8"
MEASURES = "text/plain; version=0.0.4; charset=utf-8"
"""As Prometheus reads them."""
LIVE = Response("alive\n", media_type=TEXT)
LIVE.raw_headers = safe(LIVE.raw_headers)
"""The answer to `/live`, which needs neither the log nor a token."""


async def ready(asked: Asked) -> Reply:
    """Whether the log can be read, and where that is asked for, the lists of all pools are made."""
    service = asked.service
    head = await service.desk.ask(lambda engine: engine.log.head)
    if service.settings.warm and not service.warm():
        raise NotWarm()
    return Reply("ready\n", media=TEXT, head=str(head))


async def measures(asked: Asked) -> Reply:
    """What the service measures of itself; to this machine, and to whoever has a token."""
    own = asked.peer in ("127.0.0.1", "::1") and "x-forwarded-for" not in asked.headers
    if not own and asked.caller.scope < Scope.READ:
        raise TokenNeeded()
    return Reply(asked.service.measures.text(), media=MEASURES)


ROUTES = (
    Route("GET", "/ready", ready, TEXT, scope=Scope.NONE, units=0.01),
    Route("GET", "/metrics", measures, MEASURES, scope=Scope.NONE, units=0.01),
)
