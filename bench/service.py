"""The service: the speed of recording by several clients at once, and of streams of new heads."""

import asyncio
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

from attrs import define
from ratingcore_service.access import open_tokens
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings

import ratingcore as rc
from bench.measure import Results
from tests.plugins.ratingcore_postgres.server import running

CLIENTS, STREAMS, HEADS = 8, 200, 20
_SERVE = """
import sys
from pathlib import Path
from ratingcore_service.running import run
limits = dict.fromkeys(("rate", "burst", "cpu_rate", "streams_each"), 1e9)
run((sys.argv[1],), "127.0.0.1", 0, 1, {**limits, "tokens": Path(sys.argv[2])})
"""


@define
class Served:
    """A service in a process of its own.

    Parameters
    ----------
    process : Popen
    port : int
    token : str
        Token of a client that may at least record.
    """

    process: "subprocess.Popen[str]"
    port: int
    token: str

    @property
    def cpu(self) -> float:
        """CPU seconds that the process has used."""
        times = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")

    def record(self, line: http.client.HTTPConnection, name: str) -> dict[str, Any]:
        """Records a game over an open connection."""
        game = {"kind": "game", "pool": "p", "played": "2024-03-01", "a": name, "b": "bo", "score": 1.0}
        line.request(
            "POST", "/api/v1/events", json.dumps({"events": [game]}), {"Authorization": f"Bearer {self.token}"}
        )
        answer = line.getresponse()
        made: dict[str, Any] = json.loads(answer.read())
        assert answer.status == 201, made
        return made

    def line(self) -> http.client.HTTPConnection:
        """Opens a connection to the service."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)


@contextmanager
def served(log: str, folder: Path, scope: Scope = Scope.RECORD) -> Iterator[Served]:
    """Serves a log without rate limits."""
    tokens = folder / "tokens"
    with rc.open(log) as engine:
        token = open_tokens(engine, Settings(tokens=tokens)).add(f"bench {token_hex(4)}", scope)
    command = [sys.executable, "-c", _SERVE, log, str(tokens)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    with process:
        try:
            port = int(process.stdout.readline().strip().rstrip("/").rpartition(":")[2])
            made = Served(process, port, token)
            made.record(made.line(), "first")
            yield made
        finally:
            process.kill()


def run(results: Results, games: int) -> None:
    """Print the speed of recording results, and of sending new heads to streams."""
    count = min(games // 100, 4000)
    with tempfile.TemporaryDirectory(prefix="ratingcore-bench-") as place:
        folder = Path(place)
        alone = _appending(folder / "alone.db", count)
        with served(str(folder / "club.db"), folder) as club:
            together = _recording(club, count)
            results.row(
                f"record, durable, {CLIENTS} clients, x a loop of append", alone / together, "x", 0.6, at_most=False
            )
            plain = _cpu_of_records(club)
            late, taken, stop = asyncio.run(_streams(club, club, plain))
        with running(fsync="on") as server:
            log = server.address("club")
            with served(log, folder) as one, served(log, folder) as other:
                elsewhere, _, _ = asyncio.run(_streams(one, other, 0.0))
    results.row(f"{STREAMS} streams, the last one notified after the answer", 1000 * late, "ms", 40.0)
    results.row("the same, of another process on PostgreSQL", 1000 * elsewhere, "ms", 15.0)
    results.row("CPU for each stream and head", 1e6 * taken, "us", 60.0)
    results.row(f"stop with {STREAMS} streams", stop, "s", 1.0)


def _appending(path: Path, count: int) -> float:
    """Returns the seconds of a loop that appends games one by one."""
    with rc.open(path) as engine:
        events = [
            rc.GamePlayed(pool="p", played="2024-03-01", a=f"player {n}", b="bo", score=1.0) for n in range(count)
        ]
        began = time.perf_counter()
        for event in events:
            engine.log.append([event])
        return time.perf_counter() - began


def _recording(club: Served, count: int) -> float:
    """Returns the seconds in which several clients record `count` games, each waiting for its answers."""

    def send(client: int) -> None:
        line = club.line()
        for n in range(count // CLIENTS):
            club.record(line, f"player {client} {n}")

    threads = [threading.Thread(target=send, args=(client,)) for client in range(CLIENTS)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - began


def _cpu_of_records(club: Served) -> float:
    """Returns the CPU seconds of the service for recording `HEADS` games without streams."""
    line, before = club.line(), club.cpu
    for n in range(HEADS):
        club.record(line, f"alone {n}")
    return club.cpu - before


async def _streams(club: Served, writing: Served, plain: float) -> tuple[float, float, float]:
    """Opens streams of `club` and records games through `writing`, which may be another process on the same log.

    Returns the median seconds from an answer to the last stream's news, the CPU seconds per stream and head, and the
    seconds that the service takes to stop.
    """
    lines = [await asyncio.open_connection("127.0.0.1", club.port) for _ in range(STREAMS)]
    for reader, writer in lines:
        writer.write(b"GET /api/v1/changes HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await reader.readuntil(b"retry: 3000\n")
    late, before, line = [], club.cpu, writing.line()
    for n in range(HEADS):
        told = [asyncio.create_task(_told(reader)) for reader, _ in lines]
        await asyncio.to_thread(writing.record, line, f"live {n}")
        answered = time.perf_counter()
        late.append(max(0.0, max(await asyncio.gather(*told)) - answered))
    taken = max(0.0, club.cpu - before - plain) / (HEADS * STREAMS)
    began = time.perf_counter()
    club.process.terminate()
    await asyncio.gather(*(reader.read() for reader, _ in lines))
    await asyncio.to_thread(club.process.wait)
    stop = time.perf_counter() - began
    for _, writer in lines:
        writer.close()
    return sorted(late)[HEADS // 2], taken, stop


async def _told(reader: asyncio.StreamReader) -> float:
    """Waits for the next head in a stream and returns the time."""
    await reader.readuntil(b"event: head\n")
    return time.perf_counter()
