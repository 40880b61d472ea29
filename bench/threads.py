"""One log shared: by two engines that record in turn, and by threads that record and list with one engine."""

import shutil
import statistics
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count, cycle

import numpy as np

import ratingcore as rc
from bench.measure import Results
from bench.worlds import MINUTE, START, log_of, world
from ratingcore.engine import Engine

THREADS = 8
STEPS = 25
"""Number of results that each thread records; a list follows each."""


def run(results: Results, games: int) -> None:
    """Print the cost of sharing a log between engines, and between threads."""
    _in_turn(results)
    _threads(results)


def _in_turn(results: Results) -> None:
    path = log_of(world(100_000, players=100_000))
    with ExitStack() as stack:
        one, other = (stack.enter_context(rc.open(path)) for _ in range(2))
        numbers, turns = count(), cycle((one, other))
        alone = statistics.median(_timed(lambda: _record(one, next(numbers)), 100))
        in_turn = statistics.median(_timed(lambda: _record(next(turns), next(numbers)), 100))
    results.row("two engines recording in turn, 100,000 players", in_turn / alone, "x one", 3.0)
    shutil.rmtree(path.parent)


def _threads(results: Results) -> None:
    path = log_of(world(20_000))
    with rc.open(path) as engine:
        numbers = count()

        def step() -> None:
            _record(engine, next(numbers))
            assert engine.rating_list("world", "elo").rank[0] == 1

        began = time.perf_counter()
        _timed(step, THREADS * STEPS)
        alone, began = time.perf_counter() - began, time.perf_counter()
        taken: list[float] = []
        threads = [threading.Thread(target=lambda: taken.extend(_timed(step, STEPS))) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        together = time.perf_counter() - began
        assert len(taken) == THREADS * STEPS, "a thread failed"
        assert engine.log.head.position == 20_000 + 2 * THREADS * STEPS, "a result was lost"
    shutil.rmtree(path.parent)
    what = f"{THREADS} threads record and list, 10,000 players"
    results.row(what, alone / together, "x rate of 1", 0.8, at_most=False)
    p99 = float(np.quantile(taken, 0.99)) / statistics.median(taken)
    results.row("  99th percentile of a result and its list", p99, "x median", 20.0)


def _record(engine: Engine, number: int) -> None:
    played = START + MINUTE * (200_000 + number)
    a, b = f"player {number}", f"player {number + 1}"
    engine.record(rc.GamePlayed(pool="world", played=played, a=a, b=b, score=1.0))


def _timed(work: Callable[[], object], times: int) -> list[float]:
    """Returns the wall-clock seconds of each repetition of a piece of work."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return taken
