"""Lists of a pool of a million players, whole and from the top, against the bare loop over the same games."""

import shutil
import statistics
import time

import ratingcore as rc
from bench.bare import bare
from bench.measure import Results, wall
from bench.worlds import MINUTE, START, log_of, world

TOP = 100

_NAMING = "nearly all of a million ratings have equals, so names are read from the file to sort them"


def run(results: Results, games: int) -> None:
    """Print the cost of the first list after opening a log, and of a list after a new game."""
    players = games // 5
    made = world(games, players=players)
    loop, path = bare(made, players), log_of(made)
    loop()

    def first(top: int | None) -> None:
        with rc.open(path) as engine:
            engine.rating_list("world", "elo", top=top)

    first(TOP)  # columns and checkpoints are made
    alone = wall(loop)
    some = f"{games:,} games of {players:,} players"
    results.row(f"open and list, {some}", wall(lambda: first(None), 3) / alone, "x bare", 4.0, note=_NAMING)
    results.row(f"  top {TOP}", wall(lambda: first(TOP)) / alone, "x bare", 1.5)
    with rc.open(path) as engine:
        engine.rating_list("world", "elo", top=TOP)
        taken: list[float] = []
        for number in range(games, games + 5):
            played = START + MINUTE * number
            engine.record(rc.GamePlayed(pool="world", played=played, a="player 1", b="player 2", score=1.0))
            began = time.perf_counter()
            engine.rating_list("world", "elo", top=TOP)
            taken.append(time.perf_counter() - began)
    results.row(f"  top {TOP} after one new game", statistics.median(taken) / alone, "x bare", 0.3)
    shutil.rmtree(path.parent)
