"""The fold against the bare loop: lists, histories, seeds, late games, size, without numba."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
from attrs import evolve

import ratingcore as rc
from bench.bare import bare
from bench.measure import Results, seconds
from bench.worlds import log_of, world
from ratingcore.replay import fold
from ratingcore.tables import View
from ratingcore.tables.timeline import SeedTable, Timeline

LATE_BOUND = 1.7


def run(results: Results, games: int) -> None:
    """Print what the fold takes."""
    made = world(games)
    path = log_of(made)
    with rc.open(path) as engine:
        works = (
            bare(made),
            lambda: engine.rating_list("world", "elo"),
            lambda: engine.replay("world", "elo", keep=True),
        )
        yard, listed, kept = seconds(*works)
        results.row(f"warm log of {games:,} games to a list", listed / yard, "x bare", 1.25)
        results.row("  same, against the second goal", listed / yard, "x bare", 1.0)
        results.row("  with expected and change of every game kept", kept / yard, "x bare", 1.6)
        _seeds_in_mid_history(results, engine)
    late = log_of(made, late=0.01)
    with rc.open(path) as engine, rc.open(late) as delayed:
        plain, other = seconds(
            lambda: engine.rating_list("world", "elo"), lambda: delayed.rating_list("world", "elo")
        )
        results.row("1 % of the games late, against none", other / plain, "x", LATE_BOUND)
    shutil.rmtree(late.parent)
    _without_numba(results, path, games)
    shutil.rmtree(path.parent)
    _first_seeds(results, games)
    _size(results, games)


def _with_seeds(engine: rc.Engine, timeline: Timeline, player: np.ndarray, played: np.ndarray) -> View:  # type: ignore[type-arg]  # ints
    order = np.argsort(played, kind="stable")
    rating = np.random.default_rng(4).normal(1500.0, 300.0, len(player))
    seeds = SeedTable(np.arange(len(player)), played[order], player[order], {"rating": rating})
    return View(engine.log, evolve(timeline, seeds=seeds), "world", 2**62, engine.log.names_book.key)


def _seeds_in_mid_history(results: Results, engine: rc.Engine) -> None:
    view = engine.view("world")
    elo = engine.registry.method("elo")
    rng = np.random.default_rng(3)
    played = view.timeline.games.played
    when = played[rng.integers(len(played) // 10, len(played), 10_000)]
    scattered = _with_seeds(engine, view.timeline, rng.integers(0, view.n_players, 10_000), when)
    one_day = _with_seeds(
        engine, view.timeline, np.arange(view.n_players), np.full(view.n_players, played[len(played) // 2])
    )
    plain, seeded, at_once = seconds(
        lambda: fold(elo, view), lambda: fold(elo, scattered), lambda: fold(elo, one_day)
    )
    results.row("10,000 seeds scattered over the history", seeded / plain, "x a fold", 2.0)
    results.row("10,000 seeds on one day in the middle", at_once / plain, "x a fold", 2.0)


def _first_seeds(results: Results, games: int) -> None:
    path = log_of(world(games, players=100_000))
    with rc.open(path) as engine:
        view = engine.view("world")
        elo = engine.registry.method("elo")
        debut = view.timeline.players.debut
        seeded = _with_seeds(engine, view.timeline, np.arange(view.n_players), debut)
        plain, first = seconds(lambda: fold(elo, view), lambda: fold(elo, seeded))
        results.row(f"{view.n_players:,} first seeds", first / plain, "x a fold", 2.0)
    shutil.rmtree(path.parent)


def _size(results: Results, games: int) -> None:
    """Cost a game of a long log against a short one, and the memory of a replay."""
    small, large = games // 5, games * 10
    paths = log_of(world(small)), log_of(world(large))
    with rc.open(paths[0]) as short, rc.open(paths[1]) as long:
        few, many = seconds(
            lambda: short.rating_list("world", "elo"), lambda: long.rating_list("world", "elo"), repeats=3
        )
    results.row(
        f"cost a game, {large:,} games against {small:,}", (many / large) / (few / small), "x", 1.25
    )
    code = (
        "import resource, ratingcore as rc, sys; e = rc.open(sys.argv[1]); e.rating_list('world', 'elo:k=1');"
        "base = 0; e.replay('world', 'elo', keep=sys.argv[2] == 'keep');"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)"
    )

    def peak(path: Path, keep: str) -> int:
        done = subprocess.run([sys.executable, "-c", code, str(path), keep], capture_output=True, text=True, check=True)
        return int(done.stdout)

    for keep, told in (("list", "a list"), ("keep", "every change kept")):
        grown = peak(paths[1], keep) - peak(paths[0], keep)
        results.row(f"memory of a replay, {told}", grown / (large - small), "bytes/game", 100.0)
    for path in paths:
        shutil.rmtree(path.parent)


def _without_numba(results: Results, path: Path, games: int) -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import time, ratingcore as rc\n"
        "engine = rc.open(sys.argv[1]); engine.view('world'); times = []\n"
        "for _ in range(3):\n"
        "    began = time.process_time(); engine.rating_list('world', 'elo'); times.append(time.process_time() - began)\n"
        "print(sorted(times)[1])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    results.row("without numba", games / float(done.stdout) / 1e6, "M games/s", 1.5, at_most=False)
