"""The service, reading: what is remembered beside a bare route, and what HTTP adds to the engine's answer."""

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any

from ratingcore_service import application
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import ratingcore as rc
from bench.measure import Results
from bench.worlds import log_of, world

LIST = "/api/v1/pools/world/list"
TIMES = 2000
PASSES = 5
DAYS = 12


def run(results: Results, games: int) -> None:
    """Print what reading over HTTP costs, without a server."""
    path = str(log_of(world(games)))
    app = application(path, rate=1e9, burst=1e9, methods={"world": "elo"})
    loop = asyncio.new_event_loop()

    def ask(called: Any, url: str, **headers: str) -> tuple[int, bytes]:
        return loop.run_until_complete(_asked(called, url, headers))

    def ratio(url: str, **headers: str) -> float:
        """CPU of an answer that is remembered, x that of the same bytes from a bare route."""
        bare = _bare(ask(app, url)[1])
        return _cpu(loop, app, url, headers) / _cpu(loop, bare, url, {})

    try:
        for url in (LIST, "/world/"):
            ask(app, url)
        tag, page = (app.service.remembered.get(("", url, b"")) for url in (LIST, "/world/"))
        assert tag is not None
        assert page is not None
        results.row("remembered list, ASGI only", ratio(LIST), "x bare route", 0.6)
        results.row("  304", ratio(LIST, if_none_match=tag.tag.decode()), "x bare route", 0.6)
        results.row("remembered page, ASGI only", ratio("/world/"), "x bare route", 0.6)
        results.row("  page of a list, packed", len(page.packed[1]) / 1024, "KB", 25.0)
        results.row("list of another day, CPU", _other_days(path, app, ask), "x engine", 1.2)
    finally:
        app.service.close()
        loop.close()


def _bare(body: bytes) -> Starlette:
    """An application with one route, which answers some bytes."""

    async def answer(request: Request) -> Response:
        return Response(body, media_type="application/json")

    return Starlette(routes=[Route("/{rest:path}", answer)])


async def _asked(app: Any, url: str, headers: dict[str, str]) -> tuple[int, bytes]:
    """Status and body of an answer, asked without a server."""
    path, _, query = url.partition("?")
    given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "headers": [(b"host", b"club"), *given], "client": ("127.0.0.1", 1), "server": ("club", 80), "scheme": "http",
        "http_version": "1.1", "root_path": "",
    }  # fmt: skip
    status, parts = 0, []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)
        parts.append(message.get("body", b""))

    await app(scope, receive, send)
    return status, b"".join(parts)


def _cpu(loop: asyncio.AbstractEventLoop, app: Any, url: str, headers: dict[str, str]) -> float:
    """Seconds of CPU of one request, the least of some passes."""

    async def many() -> float:
        began = time.process_time()
        for _ in range(TIMES):
            await _asked(app, url, headers)
        return (time.process_time() - began) / TIMES

    return min(loop.run_until_complete(many()) for _ in range(PASSES))


def _days() -> Iterator[str]:
    """Days of the world, each asked for once."""
    for n in range(2 * DAYS):
        yield f"20{10 + n // 12:02d}-{1 + n % 12:02d}-15"


def _other_days(path: str, app: Any, ask: Callable[..., tuple[int, bytes]]) -> float:
    """CPU of lists that were never asked for, beside that of the engine and the rows of its list; by turns."""
    days, asked, made = list(_days()), 0.0, 0.0
    with rc.open(path) as engine:
        engine.rating_list("world", "elo", top=100)
        for one, other in zip(days[::2], days[1::2], strict=True):
            began = time.process_time()
            list(engine.rating_list("world", "elo", one, top=100))
            made += time.process_time() - began
            began = time.process_time()
            status, _ = ask(app, f"{LIST}?through={other}")
            assert status == 200
            asked += time.process_time() - began
    return asked / made
