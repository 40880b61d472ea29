"""The speed of building the columns of a log, and of opening them again."""

import shutil

import ratingcore as rc
from bench.measure import Results, seconds, wall
from bench.worlds import log_of, world
from ratingcore.columns import TimelineCache


def run(results: Results, games: int) -> None:
    """Print the times of building and opening columns."""
    path = log_of(world(games))
    folder = path.with_name("columns")
    with rc.open(path) as engine:
        log = engine.log
        pool = log.book.find("pool", "world")
        assert pool is not None

        def cold() -> None:
            shutil.rmtree(folder, ignore_errors=True)
            TimelineCache(folder, pool).at_head(log)

        (taken,) = seconds(cold, repeats=3)
        results.row(f"cold columns of {games:,} games", games / taken / 1e6, "M games/s", 0.8, at_most=False)
        opened = wall(lambda: TimelineCache(folder, pool).at_head(log))
        results.row("warm columns, opened and every index checked", opened * 1e3, "ms", 20.0)
    shutil.rmtree(path.parent)
