"""The cost of checking caches: opening a warm log and making a list, with the checks and without them."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import ratingcore as rc
from bench.measure import Results, seconds
from bench.worlds import log_of, world
from ratingcore.columns import cache
from ratingcore.columns.sealed_file import Mapped
from ratingcore.engine import Engine
from ratingcore.lists import RatingList
from ratingcore.replay.caches import columns_folder


def run(results: Results, games: int) -> None:
    """Print the cost of a list of a warm log, with and without checks, and of publications."""
    print(f"caches: {games:,} games, 10,000 players")
    path = log_of(world(games))
    _open_and_list(path)
    time.sleep(0.2)  # files must reach an age before they are stamped
    _open_and_list(path)
    stamp = columns_folder(path) / "1" / "stamp"

    def unchecked() -> None:
        with mock.patch.object(cache, "check_sound"), mock.patch.object(Mapped, "_check"):
            _open_and_list(path)

    def of_boot() -> None:
        stamp.unlink()
        _open_and_list(path)

    bare, stamped, first = seconds(unchecked, lambda: _open_and_list(path), of_boot, repeats=31)
    results.row("open and list, files stamped, against no checks", stamped / bare, "x", 1.05)
    results.row("the same, first since the machine started", first / bare, "x", 3.0)
    print(f"  {1000 * bare:.0f} ms without checks, {1000 * stamped:.0f} stamped, {1000 * first:.0f} first")
    _publish(results, path)
    shutil.rmtree(path.parent)


def _list(engine: Engine) -> RatingList:
    return engine.rating_list("world", "elo")


def _open_and_list(path: Path) -> None:
    # no checkpoints: a list that starts from its own end would take no time
    with rc.open(path) as engine, mock.patch("ratingcore.replay.checkpoint_store.WORTH", 10**12):
        _list(engine)


def _publish(results: Results, path: Path) -> None:
    with rc.open(path) as engine:
        made = _list(engine)
        first = _seconds(lambda: engine.publish(made, "first"))
        more = [_seconds(lambda n=n: engine.publish(_list(engine), f"list {n}")) for n in range(20)]
        further = sum(more) / len(more)
        results.row("a further list published, against the first", further / first, "x", 0.2)
        print(f"  the first publication of an engine reads the rows: {first:.2f} s; each further one {further:.3f} s")


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
