"""Corrections over HTTP while others record: how many pass, and the CPU seconds of each."""

import http.client
import json
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ratingcore_service.routing import Scope

import ratingcore as rc
from bench.measure import Results
from bench.service import Served, served
from tests.plugins.ratingcore_postgres.server import running

CORRECTED, OFTEN, ALONE = 40, 5, 4.0
"""Number of corrections, results per second recorded by others, and seconds for measuring the latter alone."""


def run(results: Results, games: int) -> None:
    """Print how many corrections pass, and the CPU of the server for each, on both stores."""
    with tempfile.TemporaryDirectory(prefix="ratingcore-bench-") as place, running(fsync="on") as server:
        for store, log in (("SQLite", str(Path(place) / "club.db")), ("PostgreSQL", server.address("club"))):
            _filled(log, min(games, 100_000))
            folder = Path(place) / store
            folder.mkdir()
            with served(log, folder, Scope.OFFICER) as club:
                passed, taken = _corrections(club)
            results.row(
                f"corrections beside {OFTEN} results a second, {store}", passed, "pass", CORRECTED, at_most=False
            )
            results.row("  CPU of the server, each", 1000 * taken, "ms", 3.0)


def _filled(log: str, count: int) -> None:
    """Records `count` games, each with an id."""
    with rc.open(log) as engine:
        for first in range(0, count, 5_000):
            engine.record(
                *(
                    rc.GamePlayed(uid=f"g-{n}", pool="p", played=f"2024-{1 + n % 12:02}-{1 + n % 28:02}",
                                  a=f"player {n % 997}", b=f"other {n % 991}", score=(n % 3) / 2)
                    for n in range(first, min(first + 5_000, count))
                )
            )  # fmt: skip


def _corrections(club: Served) -> tuple[int, float]:
    """Sends corrections that name an older head; returns how many pass, and the server's CPU seconds for each.

    The CPU that the server uses without corrections, for the results of others, is measured first and subtracted.
    """
    line = club.line()
    head = _head(line)
    for n in range(4):  # fills the caches of the log
        _correct(club, line, head, 7 * n)
    with _beside(club):
        before, began = _cpu(club), time.monotonic()
        time.sleep(ALONE)
        each_second = (_cpu(club) - before) / (time.monotonic() - began)
        before, began, passed = _cpu(club), time.monotonic(), 0
        for n in range(CORRECTED):
            passed += _correct(club, line, head, 1000 + 7 * n)
            time.sleep(0.05)
        taken = _cpu(club) - before - each_second * (time.monotonic() - began)
    return passed, taken / CORRECTED


@contextmanager
def _beside(club: Served) -> Iterator[None]:
    """Records results from another thread during the block."""
    stop = threading.Event()

    def record() -> None:
        line, count = club.line(), 0
        while not stop.wait(1 / OFTEN):
            club.record(line, f"beside {count}")
            count += 1

    other = threading.Thread(target=record)
    other.start()
    try:
        yield
    finally:
        stop.set()
        other.join()


def _correct(club: Served, line: http.client.HTTPConnection, head: str, number: int) -> bool:
    """Amends the score or a player of a result, or voids it; returns whether that passed."""
    uid = f"g-{number}"
    of = [
        {"what": "void"},
        {"what": "amend", "changes": {"score": 0.25}},
        {"what": "amend", "changes": {"b": "other 1"}},
    ]
    sent = json.dumps({"uid": uid, "why": "a test", **of[number % 3]})
    key = {"Authorization": f"Bearer {club.token}", "If-Match": f'"{head}"', "Content-Type": "application/json"}
    line.request("POST", "/api/v1/corrections", sent, key)
    answer = line.getresponse()
    answer.read()
    return answer.status == 201


def _head(line: http.client.HTTPConnection) -> str:
    line.request("GET", "/api/v1/events?top=1")
    head: str = json.loads(line.getresponse().read())["head"]
    return head


def _cpu(club: Served) -> float:
    """Returns the CPU seconds that the server has used, to the microsecond."""
    tasks = Path(f"/proc/{club.process.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9
