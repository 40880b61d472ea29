"""The service, reading: cached answers against a bare route, and other answers against the engine alone."""

import asyncio
import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import uvicorn
from ratingcore_service import application
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import ratingcore as rc
from bench.measure import Results, cpu_of
from bench.worlds import START, log_of, world

LIST = "/api/v1/pools/world/list"
TIMES = 2000
PASSES = 5
DAYS = 12
FIRST = datetime.fromtimestamp(START / 1e6, UTC)


def run(results: Results, games: int) -> None:
    """Print the cost of reading, through ASGI alone and through uvicorn."""
    path = str(log_of(world(games)))
    app = application(path, rate=1e9, burst=1e9, cpu_rate=1e9, methods={"world": "elo"})
    loop = asyncio.new_event_loop()

    def ask(called: Any, url: str, **headers: str) -> tuple[int, bytes]:
        return loop.run_until_complete(_asked(called, url, headers))

    def ratio(url: str, turns: bool = False, **headers: str) -> float:
        """Returns the CPU of a cached answer over that of the same bytes from a bare route."""
        bare = _bare(ask(app, url)[1])
        own, other = _cpu(loop, app, url, headers, turns), _cpu(loop, bare, url, {}, turns)
        idle = _cpu(loop, None, url, {}, turns) if turns else 0.0
        return (own - idle) / (other - idle)

    try:
        for url in (LIST, "/world/"):
            ask(app, url)
        tag, page = (app.service.remembered.get(("", url, b"")) for url in (LIST, "/world/"))
        assert tag is not None
        assert page is not None
        known = {"if_none_match": tag.tag.decode()}
        results.row("remembered list, ASGI only", ratio(LIST), "x bare route", 0.6)
        results.row("  304", ratio(LIST, **known), "x bare route", 0.6)
        results.row("remembered page, ASGI only", ratio("/world/"), "x bare route", 0.6)
        results.row("remembered list, each in a turn of its own", ratio(LIST, turns=True), "x bare route", 0.95)
        for name, url, headers, bound in (
            ("remembered list, by uvicorn", LIST, {}, 0.95), ("  304", LIST, known, 0.9),
            ("remembered page, by uvicorn", "/world/", {}, 1.05),
        ):  # fmt: skip
            results.row(name, _by_uvicorn(path, url, headers), "x bare route", bound)
        results.row("  page of a list, packed", len(page.packed[1]) / 1024, "KB", 25.0)
        results.row("list of another day, CPU", _other_days(path, games, app, ask), "x engine", 1.2)
    finally:
        app.service.close()
        loop.close()


def _bare(body: bytes, headers: Mapping[str, str] | None = None) -> Starlette:
    """Returns an application with one route, which always answers `body`."""

    async def answer(request: Request) -> Response:
        return Response(body, headers=headers, media_type="application/json")

    return Starlette(routes=[Route("/{rest:path}", answer)])


def ask_application(app: Any, url: str) -> tuple[int, bytes]:
    """Status and body of an answer, asked without a server."""
    return asyncio.run(_asked(app, url, {}))


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
        gone: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        return await gone  # these clients never disconnect

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)
        parts.append(message.get("body", b""))

    await app(scope, receive, send)
    return status, b"".join(parts)


def _cpu(loop: asyncio.AbstractEventLoop, app: Any, url: str, headers: dict[str, str], turns: bool = False) -> float:
    """Returns the CPU seconds of one request, the least of some passes; each in its own turn of the loop if `turns`."""

    async def many() -> float:
        began = time.process_time()
        for _ in range(TIMES):
            if app is not None:
                await _asked(app, url, headers)
            if turns:
                await asyncio.sleep(0)
        return (time.process_time() - began) / TIMES

    return min(loop.run_until_complete(many()) for _ in range(PASSES))


def serve(path: str, url: str) -> None:
    """Serves a log; or, if `url` is given, only its answer to that URL, with its headers, by a bare route."""
    app: Any = application(path, rate=1e9, burst=1e9, cpu_rate=1e9, methods={"world": "elo"})
    if url:
        asyncio.run(_asked(app, url, {}))
        headers, body = app.service.remembered.get(("", url, b"")).whole
        app = _bare(body, {name.decode(): value.decode() for name, value in headers})
    door = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(door.getsockname()[1], flush=True)
    chosen = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off", timeout_keep_alive=600)
    uvicorn.Server(chosen).run([door])


def _by_uvicorn(path: str, url: str, headers: dict[str, str]) -> float:
    """Returns the CPU of a server with a cached answer over that of one with a bare route."""
    command = [sys.executable, "-c", "import sys; from bench.service_reading import serve; serve(*sys.argv[1:])", path]
    taken: list[list[float]] = [[], []]
    with ExitStack() as ended:
        lines = []
        for place in ("", url):
            server = subprocess.Popen([*command, place], stdout=subprocess.PIPE, text=True)
            ended.callback(server.wait)
            ended.callback(server.kill)
            assert server.stdout is not None
            line = http.client.HTTPConnection("127.0.0.1", int(server.stdout.readline()), timeout=60)
            line.request("GET", url)
            line.getresponse().read()
            lines.append((line, cpu_of(server.pid), {} if place else headers))
        for _ in range(PASSES):
            for place, (line, cpu, given) in enumerate(lines):
                before = cpu()
                for _ in range(2 * TIMES):
                    line.request("GET", url, headers={name.replace("_", "-"): text for name, text in given.items()})
                    line.getresponse().read()
                taken[place].append(cpu() - before)
    own, bare = map(min, taken)
    return own / bare


def _days(games: int) -> Iterator[str]:
    """Yields days on which games of the world were played, each once."""
    for n in range(2 * DAYS):
        minutes = games * (2 * n + 1) // (4 * DAYS)
        yield str((FIRST + timedelta(minutes=minutes)).date())


def _other_days(path: str, games: int, app: Any, ask: Callable[..., tuple[int, bytes]]) -> float:
    """Returns the CPU of lists that are not cached over that of the engine for such lists, alternating."""
    days, asked, made = list(_days(games)), 0.0, 0.0
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
