"""The service under load: latency, both stores, memory, the start, and a minute of mixed requests."""

import asyncio
import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

from attrs import define
from ratingcore_service import application
from ratingcore_service.access import open_tokens
from ratingcore_service.routing import Scope
from ratingcore_service.running import run as serve_log
from ratingcore_service.running import spare_modules
from ratingcore_service.settings import Settings

import ratingcore as rc
from bench.measure import Results, cpu_of
from bench.service_reading import LIST, ask_application
from bench.service_reading import serve as serve_bare
from bench.worlds import log_of, world
from tests.plugins.ratingcore_postgres.server import running
from tests.service.mixed import mixed

READERS, EACH, WRITES = 50, 20, 10
"""Number of readers, requests a second of each, and records a second of the writer."""
SECONDS, PASSES = 5.0, 3
MINUTE = 60.0
FREE: dict[str, Any] = {"rate": 1e9, "burst": 1e9, "cpu_rate": 1e9}
"""Settings without rate limits."""
_SERVE = "import sys; from bench.service_load import serve; serve(*sys.argv[1:])"


def serve(log: str, tokens: str, bare: str) -> None:
    """Serves a log; or, if `bare` is a URL, only its answer to that URL, by a bare route."""
    if bare:
        serve_bare(log, bare)
    else:
        serve_log((log,), "127.0.0.1", 0, 1, {**FREE, "tokens": Path(tokens), "methods": {"world": "elo"}})


@define
class Process:
    """A service in a process of its own."""

    pid: int
    port: int
    token: str

    @property
    def resident(self) -> float:
        """Anonymous memory of the process, in MiB."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        anonymous = next(line for line in lines if line.startswith("RssAnon"))
        return int(anonymous.split()[1]) / 1024

    def get(self, path: str) -> bytes:
        """Returns the body of an answer."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        line.request("GET", path)
        answer = line.getresponse()
        body = answer.read()
        line.close()
        assert answer.status == 200, (path, body[:300])
        return body


@contextmanager
def process(log: str, folder: Path, bare: str = "") -> Iterator[Process]:
    """Starts a service of a log, or of a bare route."""
    tokens = folder / "tokens"
    with rc.open(log) as engine:
        token = open_tokens(engine, Settings(tokens=tokens)).add(f"bench {token_hex(4)}", Scope.RECORD)
    command = [sys.executable, "-c", _SERVE, log, str(tokens), bare]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert started.stdout is not None
    with started:
        try:
            yield Process(started.pid, int(started.stdout.readline().strip().rstrip("/").rpartition(":")[2]), token)
        finally:
            started.kill()


def run(results: Results, games: int) -> None:
    """Print latency, throughput and memory of a service."""
    with tempfile.TemporaryDirectory(prefix="ratingcore-bench-") as place, running(fsync="on") as server:
        folder = Path(place)
        small = [str(folder / "small.db"), server.address("small")]
        for log in small:
            _filled(log)
        _latency(results, small[0], folder)
        _stores(results, small, folder)
        large = str(log_of(world(min(games, 1_000_000)), folder=folder))
        _memory(results, large, folder)
    _large_player(results)


def run_mixed(results: Results, games: int) -> None:
    """Print the answers to a minute of readers, listeners, writers and an officer, with one worker and with two."""
    with tempfile.TemporaryDirectory(prefix="ratingcore-bench-") as place, running(fsync="on") as server:
        for name, log, workers in (
            ("SQLite, one worker", str(Path(place) / "club.db"), 1),
            ("PostgreSQL, two workers", server.address("club"), 2),
        ):
            folder = Path(place) / str(workers)
            folder.mkdir()
            load = mixed(log, folder, MINUTE, workers)
            print(
                f"{name}: {dict(sorted(load.answers.items()))}, heads told: {sum(load.heads.values())}", *load.wrong[:9]
            )
            results.row(f"mixed load, {name}: neither 2xx, 304 nor 503", len(load.wrong), "answers", 0.0)


def _filled(log: str) -> None:
    with rc.open(log) as engine:
        engine.record(
            *(
                rc.GamePlayed(pool="world", played="2024-03-01", a=f"player {n}", b=f"player {n + 1}", score=1.0)
                for n in range(200)
            )
        )


def _latency(results: Results, log: str, folder: Path) -> None:
    """Measures the 99th percentile of answers while somebody writes, against that of a bare route."""
    ratios = []
    with process(log, folder) as club, process(log, folder, LIST) as bare:
        club.get(LIST)
        for _ in range(PASSES):
            other = asyncio.run(_read(bare, None, EACH))
            own = asyncio.run(_read(club, club, EACH))
            ratios.append(_slow(own) / _slow(other))
    results.row(f"{READERS} readers and a writer, p99", statistics.median(ratios), "x bare route", 3.0)


def _stores(results: Results, logs: list[str], folder: Path) -> None:
    """Measures answers a second to readers without pauses, PostgreSQL against SQLite."""
    with process(logs[0], folder) as sqlite, process(logs[1], folder) as postgres:
        ratios = []
        for _ in range(PASSES):
            counts = [len(asyncio.run(_read(one, one, 0))) for one in (sqlite, postgres)]
            ratios.append(counts[1] / counts[0])
    results.row("answers a second, PostgreSQL", statistics.median(ratios), "x SQLite", 0.9, at_most=False)


async def _read(club: Process, writing: Process | None, often: float) -> list[float]:
    """Returns the seconds from each due time to its answer; readers ask `often` times a second, without pauses if 0."""
    taken: list[float] = []
    end = time.perf_counter() + SECONDS

    async def reader(number: int) -> None:
        due = time.perf_counter() + number / READERS / (often or 1)
        reading, line = await asyncio.open_connection("127.0.0.1", club.port)
        while (now := time.perf_counter()) < end:
            if often and due > now:
                await asyncio.sleep(due - now)
            began = due if often else now
            line.write(f"GET {LIST} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            head = await reading.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            length = next(text for text in head.lower().split(b"\r\n") if text.startswith(b"content-length"))
            await reading.readexactly(int(length.partition(b":")[2]))
            taken.append(time.perf_counter() - began)
            due += 1 / often if often else 0.0
        line.close()

    async def writer() -> None:
        while writing is not None and time.perf_counter() < end:
            await asyncio.to_thread(_record, writing)
            await asyncio.sleep(1 / WRITES)

    await asyncio.gather(writer(), *map(reader, range(READERS)))
    return taken


def _record(club: Process) -> None:
    game = {"kind": "game", "pool": "world", "played": "2024-03-01", "a": "player 1", "b": "player 2", "score": 1.0}
    line = http.client.HTTPConnection("127.0.0.1", club.port, timeout=60)
    key = {"Authorization": f"Bearer {club.token}"}
    line.request("POST", "/api/v1/events", json.dumps({"events": [game]}), key)
    answer = line.getresponse()
    answer.read()
    line.close()
    assert answer.status == 201, answer.status


def _slow(taken: list[float]) -> float:
    return sorted(taken)[len(taken) * 99 // 100]


def _memory(results: Results, log: str, folder: Path) -> None:
    """Measures the CPU to the first list, and the memory after lists and after pages of players."""
    with process(log, folder) as first:
        first.get(LIST)  # makes the columns beside the log
    with process(log, folder) as club:
        club.get(LIST)
        results.row("start to the first list, CPU", cpu_of(club.pid)(), "s", 1.2)
        for day in range(1, 28):
            club.get(f"{LIST}?through=2000-06-{day:02d}")
        results.row("memory of a worker, lists only", club.resident, "MiB", 100.0)
        for number in range(2, 22):
            club.get(f"/world/players/{number}")
        results.row("  after pages of players", club.resident, "MiB", 200.0)


def _large_player(results: Results) -> None:
    """Measures the CPU of the page of a player with 9,500 results, against that of `engine.history`."""
    with ExitStack() as closing:
        path = str(log_of(world(47_500, players=10)))
        here = {"offered": "any", "short_events": 1_000_000, "short_seconds": 1e9}  # always in this process
        app: Any = application(path, **FREE, **here, methods={"world": "elo"})
        closing.callback(app.service.close)
        taken: list[list[float]] = [[], []]
        for k in range(10, 10 + PASSES):  # compiles the kernels
            ask_application(app, f"/world/players/2?method=elo:k={k}")
        spare_modules()
        for n in range(PASSES):
            with rc.open(path) as engine:
                engine.rating_list("world", "elo")
                began = time.process_time()
                list(engine.history("world", f"player {n}", "elo"))
                taken[0].append(time.process_time() - began)
            ask_application(app, "/world/")
            began = time.process_time()
            status, _ = ask_application(app, f"/world/players/{n + 2}?method=elo:k={20 + n}")
            taken[1].append(time.process_time() - began)
            assert status == 200
    results.row("page of a player of 9,500 results, CPU", min(taken[1]) / min(taken[0]), "x engine.history", 1.3)
