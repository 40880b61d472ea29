"""Import, verification and lists of a log of 100 million games: `python -m bench.hundred_million [--games N]`.

There are a tenth as many players as games, a few of whom play most of them. Every game has an id, unless
`--without-ids` is given. Figures are compared with those of a log of a million games, made in the same run.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]  # no types
from pyarrow import parquet

import ratingcore as rc
from bench.bare import rate_bare
from bench.measure import Results
from bench.worlds import MINUTE, START
from ratingcore.columns.games_in_order import GameTable
from ratingcore.replay import Checkpoints, stand

AT_ONCE = 1_000_000
SMALL = 1_000_000


class Figures(NamedTuple):
    """Measurements of one log.

    Parameters
    ----------
    fold, late : float
        Seconds of a fold, and of a list after a late game.
    memory : float
        Bytes a game.
    first, second : float
        Times of the first list and of one by a second rule, over that of the bare loop.
    load, check, again : float
        CPU seconds of the import, of `verify`, and of a second import of the same file.
    """

    fold: float
    late: float
    memory: float
    first: float
    second: float
    load: float = 0.0
    check: float = 0.0
    again: float = 0.0


def made(folder: Path, games: int, ids: bool) -> Path:
    """Writes games, one a minute; the n-th player takes part with a weight of `n ** -0.8`."""
    random, players, path = np.random.default_rng(1), games // 10, folder / "games.parquet"
    text, activity = pa.string(), np.cumsum(np.arange(1, players + 1) ** -0.8)
    schema = pa.schema({"played": pa.timestamp("us", "UTC"), "a": text, "b": text, "score": pa.float64()})
    schema = schema.insert(0, pa.field("id", text)) if ids else schema
    with parquet.ParquetWriter(path, schema) as file:
        for start in range(0, games, AT_ONCE):
            count = min(AT_ONCE, games - start)
            a, b = (np.searchsorted(activity, random.random(count) * activity[-1]) for _ in range(2))
            b = np.where(a == b, (b + 1) % players, b)
            number = np.arange(start, start + count) * 2_654_435_761 % 2**40  # an odd factor, so all numbers differ
            columns = (
                *((pa.array([f"{one:010x}" for one in number.tolist()]),) if ids else ()),
                pa.array(START + MINUTE * np.arange(start, start + count), pa.timestamp("us", "UTC")),
                pa.array(a).cast(pa.string()), pa.array(b).cast(pa.string()),
                pa.array(random.integers(0, 2, count).astype(np.float64)),
            )  # fmt: skip
            file.write_table(pa.table(columns, schema=schema))
    return path


def measured(games: int, ids: bool) -> Figures:
    """Builds and verifies a log, and measures it in a process of its own."""
    folder = Path(tempfile.mkdtemp(prefix="ratingcore-bench-"))
    try:
        path = made(folder, games, ids)
        with rc.open(folder / "world.db") as engine:
            began = time.process_time()
            engine.import_file(path, "world")
            load = time.process_time() - began
            again = _seconds(lambda: engine.import_file(path, "world")) if ids else 0.0
            path.unlink()
            check = _seconds(engine.verify)
        disk = sum(file.stat().st_size for file in folder.iterdir() if file.is_file())
        rates = f"{games / load:,.0f} a CPU second into the log, {games / check:,.0f} verified"
        print(f"{games:,} games: {rates}, {disk / games:.0f} bytes a game", flush=True)
        with ProcessPoolExecutor(1, get_context("spawn")) as alone:  # a new process, for its memory
            return (
                alone.submit(folded, folder / "world.db", games).result()._replace(load=load, check=check, again=again)
            )
    finally:
        shutil.rmtree(folder)


def folded(path: Path, games: int) -> Figures:
    """Measures lists and folds of a log, then a list after a late game at nine tenths of its time."""
    with rc.open(path) as engine:
        began = time.process_time()
        table = engine.core.view("world").timeline.table  # makes the columns
        first = time.process_time() - began
        plain = _bare_seconds(table.part(0, games, ("a", "b", "score")), games // 10)
        first += _seconds(lambda: engine.rating_list("world", "elo", top=100))
        second = _seconds(lambda: engine.rating_list("world", "elo:k=24", top=100))
    with rc.open(path) as engine:
        method, before = engine.registry.method("elo"), _own_bytes()
        view = engine.core.view("world")
        for _ in range(2):
            began = time.perf_counter()
            stand(method, view, Checkpoints(None, engine.log.digest_at))
            fold = time.perf_counter() - began
        memory = _own_bytes() - before
        engine.rating_list("world", "elo", top=100)
        played = START + MINUTE * (games * 9 // 10)
        engine.record(rc.GamePlayed(pool="world", played=played, a="1", b="2", score=1.0))
        began = time.perf_counter()
        engine.rating_list("world", "elo", top=100)
        late = time.perf_counter() - began
        return Figures(fold, late, memory / games, first / plain, second / plain)


def _bare_seconds(table: GameTable, players: int) -> float:
    """Returns the CPU seconds of the bare loop over games in memory, the best of three."""

    def rate() -> None:
        rate_bare(table.a, table.b, table.score, np.full(players, 1500.0), 20.0)

    return min(_seconds(rate) for _ in range(3))


def _seconds(do: Callable[[], object]) -> float:
    """Returns the CPU seconds of a call."""
    began = time.process_time()
    do()
    return time.process_time() - began


def _own_bytes() -> int:
    """Returns the memory of this process without mapped files, in bytes."""
    status = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in status if line.startswith("RssAnon")).split()[1])


def main() -> int:
    """Print the figures; exit code 1 if a bound was missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.hundred_million", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000_000)
    parser.add_argument("--without-ids", action="store_true")
    given = parser.parse_args()
    games, ids, results = given.games, not given.without_ids, Results()
    small, large = measured(SMALL, ids), measured(games, ids)
    load = (large.load / games) / (small.load / SMALL)
    results.row(f"import of {games:,} games, a game", load, "x 1 M", 1.5)
    if ids:
        results.row("  the same file again", large.again / large.load, "x import", 1.0)
    check = (large.check / games) / (small.check / SMALL)
    results.row(f"verify of {games:,} games, a game", check, "x 1 M", 1.5)
    cost = (large.fold / games) / (small.fold / SMALL)
    results.row(f"fold of {games:,} games, a game", cost, "x 1 M", 1.1)
    results.row("  first list, columns and all", large.first, "x bare loop", 2.5)
    results.row("  list by a second rule", large.second, "x bare loop", 1.5)
    results.row("  memory beyond mapped files", large.memory, "bytes/game", 40)
    results.row("  a list after a late game at 90 %", large.late / large.fold, "x fold", 0.2)
    return 1 if results.missed else 0


if __name__ == "__main__":
    sys.exit(main())
