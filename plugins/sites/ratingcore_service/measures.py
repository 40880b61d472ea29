"""Metrics of a service, its JSON log line per request, and the routes for operators: `/ready` and `/metrics`."""

import json
import logging
import time
from collections.abc import Callable
from random import getrandbits
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.responses import Response

from ratingcore import Head
from ratingcore_service.problems import NotWarm, TokenNeeded
from ratingcore_service.remembered import safe
from ratingcore_service.routing import Asked, Reply, Route, Scope

log = logging.getLogger("ratingcore.requests")
"""Logger of these lines, at the level INFO: to stderr under `ratingcore serve`."""


class Turn:
    """A request in progress, for log lines and metrics; holds no names, and no values of its query."""

    __slots__ = ("began", "head", "route", "token")

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.route: Route | None = None
        self.head = self.token = ""


class Measures:
    """The Prometheus metrics of one application."""

    def __init__(self) -> None:
        own = self._registry = CollectorRegistry()
        requests = "Requests that were not remembered"
        self._requests = Counter("ratingcore_requests", requests, ("route", "status"), registry=own)
        self._seconds = Histogram("ratingcore_seconds", "Seconds of answers that were not remembered", registry=own)
        self.hits = Counter("ratingcore_remembered", "Answers that were remembered", registry=own)
        self.append_seconds = Histogram(
            "ratingcore_append_seconds", "Seconds of transactions that append", registry=own
        )

    def watch(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        """Adds a metric whose value is read on demand."""
        Gauge(f"ratingcore_{name}", meaning, registry=self._registry).set_function(read)

    def answered(self, turn: Turn, method: str, status: int) -> None:
        """Counts an answer, and writes its log line."""
        seconds, route = time.perf_counter() - turn.began, "" if turn.route is None else turn.route.path
        self._requests.labels(route, status).inc()
        self._seconds.observe(seconds)
        if log.isEnabledFor(logging.INFO):
            line = {"id": f"{getrandbits(32):08x}", "method": method, "route": route, "status": status}
            _write(line | {"ms": round(1000 * seconds, 1), "head": turn.head, "token": turn.token})

    def note(self, what: str, token: str) -> None:
        """Writes a log line about a token: a sign-in with it, or its use after it was revoked."""
        _write({"what": what, "token": token})

    def text(self) -> bytes:
        """Returns all metrics in the text format of Prometheus."""
        return generate_latest(self._registry)


def _write(line: dict[str, Any]) -> None:
    log.info("%s", json.dumps({"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **line}))


TEXT = "text/plain; charset=utf-8"
MEASURES = "text/plain; version=0.0.4; charset=utf-8"
"""Media type of the metrics, in the text format of Prometheus."""
LIVE = Response("alive\n", media_type=TEXT)
LIVE.raw_headers = safe(LIVE.raw_headers)
"""The answer to `/live`, which needs neither the log nor a token."""


async def ready(asked: Asked) -> Reply:
    """Checks whether the log can be read and, with `warm`, whether the lists of all pools are made."""
    service = asked.service
    stamp = await service.desk.stamp()
    head = Head(stamp.position, stamp.digest)
    if service.settings.warm and not service.warm():
        raise NotWarm()
    return Reply("ready\n", media=TEXT, head=str(head))


async def measures(asked: Asked) -> Reply:
    """Returns the metrics of the service, to this machine and to callers with a token."""
    own = asked.peer in ("127.0.0.1", "::1") and "x-forwarded-for" not in asked.headers
    if not own and asked.caller.scope < Scope.READ:
        raise TokenNeeded()
    return Reply(asked.service.measures.text(), media=MEASURES)


ROUTES = (
    Route("GET", "/ready", ready, TEXT, scope=Scope.NONE, units=0.0),
    Route("GET", "/metrics", measures, MEASURES, scope=Scope.NONE, units=0.01),
)
