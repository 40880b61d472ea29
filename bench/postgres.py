"""A log in PostgreSQL against a log in a file: appends, and reading columns for the first time."""

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ratingcore_postgres.log import PostgresLog

import ratingcore as rc
from bench.measure import Results, wall
from bench.worlds import MINUTE, START, log_of, world
from ratingcore.log import SqliteLog, export_lines, load_lines
from tests.plugins.ratingcore_postgres.server import running

_DISK = "commits cost almost nothing on this disk, so the three round trips of an append to the server show"


def run(results: Results, games: int) -> None:
    """Print the speeds of a log in PostgreSQL, as ratios to those of a log in SQLite."""
    folder = Path(tempfile.mkdtemp(prefix="ratingcore-bench-"))
    with running(fsync="on", full_page_writes="on", shared_buffers="128MB", autovacuum="on") as server:
        _appends(results, folder, server.address)
        _reads(results, folder, server.address, min(games, 1_000_000))
    shutil.rmtree(folder)


def _events(count: int, label: str) -> list[rc.GamePlayed]:
    made = world(count)
    cells = zip(made.a.tolist(), made.b.tolist(), made.score.tolist(), strict=True)
    return [
        rc.GamePlayed(pool="p", played=START + MINUTE * g, a=f"player {a}", b=f"player {b}", score=s, uid=f"{label}{g}")
        for g, (a, b, s) in enumerate(cells)
    ]


def _appends(results: Results, folder: Path, address: Callable[[str], str]) -> None:
    single, many = _events(500, "one"), _events(50_000, "many")
    ratios: dict[str, list[float]] = {"one": [], "many": []}
    for turn in range(5):
        rates = {}
        for log in (SqliteLog(folder / f"{turn}.db"), PostgresLog(address(f"turn_{turn}"))):
            with log:
                log.append(_events(2_000, "first"))
                began = time.perf_counter()
                for event in single:
                    log.append([event])
                between = time.perf_counter()
                for start in range(0, len(many), 1000):
                    log.append(many[start : start + 1000])
                rates[type(log)] = between - began, time.perf_counter() - between
        for at, name in enumerate(ratios):
            ratios[name].append(rates[SqliteLog][at] / rates[PostgresLog][at])
    for name, bound, appended in (("one", 0.35, "single events"), ("many", 0.5, "batches of 1000")):
        value = sorted(ratios[name])[2]
        results.row(f"PostgreSQL: append in {appended}", value, "x SQLite", bound, at_most=False, note=_DISK)


def _reads(results: Results, folder: Path, address: Callable[[str], str], games: int) -> None:
    with SqliteLog(log_of(world(games), folder=folder)) as file, PostgresLog(address("world")) as log:
        load_lines(log, export_lines(file))
        pools = [(store, store.book.number("pool", "world")) for store in (file, log)]
        cold = [wall(lambda store=store, pool=pool: store.games(pool, 0, games), 5) for store, pool in pools]  # type: ignore[misc]  # defaults bind
        results.row("PostgreSQL: columns, cold", cold[0] / cold[1], "x SQLite", 1.2, at_most=False)
