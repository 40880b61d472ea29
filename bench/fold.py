"""The fold against the bare loop: lists, histories, seeds, late games, large logs, and runs without numba."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from attrs import evolve

import ratingcore as rc
from bench.bare import bare
from bench.measure import Results, peak_bytes, seconds
from bench.worlds import ColumnLog, log_of, view_of, with_names, world
from ratingcore.columns import View
from ratingcore.columns.games import Ints
from ratingcore.columns.timeline import SeedTable
from ratingcore.engine import Engine
from ratingcore.lists import RatingList, rating_list
from ratingcore.registry import Registry
from ratingcore.replay import fold, stand

_LISTING = (
    "the loop alone takes 0.75 to 1.0, depending on the machine; naming and sorting 10,000 players add a twentieth"
)
_PLACING = "one pass finds each player's next game, another the row on which each side of a game is rated"
_PLAIN = (
    "the curve that equals the compiled one to the bit takes a third more than exp; arrays are copied to lists and back"
)

ELO = Registry.installed().method("elo")


def run(results: Results, games: int) -> None:
    """Print the times of the fold."""
    made = world(games)
    path = log_of(made)
    with rc.open(path) as engine:
        yard, listed, moves = seconds(
            bare(made),
            lambda: _list(engine),
            lambda: engine.core.replay("world", "elo", keep=True),
        )
    results.row(f"warm log of {games:,} games to a list", listed / yard, "x bare", 1.25)
    results.row("  same, against the second goal", listed / yard, "x bare", 1.0, note=_LISTING)
    results.row("  with expected and change of every game kept", moves / yard, "x bare", 1.6)
    _without_numba(results, path, games)
    shutil.rmtree(path.parent)
    _late(results, games // 5)
    _seeds_in_mid_history(results, view_of(ColumnLog(made)))
    _first_seeds(results, view_of(ColumnLog(world(games, players=100_000))))
    _size(results, games)


def _list(engine: Engine) -> RatingList:
    """Makes a list from the first game on, without checkpoints."""
    return rating_list(stand(ELO, engine.core.view("world")), "bench")


def _late(results: Results, games: int) -> None:
    made = world(games)
    paths = log_of(made), log_of(made, late=0.01)
    with rc.open(paths[0]) as punctual, rc.open(paths[1]) as late:
        plain, other = seconds(lambda: _list(punctual), lambda: _list(late))
    results.row(f"1 % of {games:,} games late, against none", other / plain, "x", 1.7)
    for path in paths:
        shutil.rmtree(path.parent)


def _seeded(view: View, player: Ints, played: Ints) -> View:
    order = np.argsort(played, kind="stable")
    rating = np.random.default_rng(4).normal(1500.0, 300.0, len(player))
    nothing = np.zeros(len(player), dtype=np.int32)
    seeds = SeedTable(np.arange(len(player)), played[order], nothing, player[order], {"rating": rating})
    return view.with_timeline(evolve(view.timeline, seeds=seeds))


def _seeds_in_mid_history(results: Results, view: View) -> None:
    rng = np.random.default_rng(3)
    played, everyone = view.timeline.games.played, np.arange(view.n_players)
    when = played[rng.integers(len(played) // 10, len(played), 10_000)]
    scattered = _seeded(view, rng.integers(0, view.n_players, 10_000), when)
    one_day = _seeded(view, everyone, np.full(view.n_players, played[len(played) // 2]))
    plain, seeded, at_once = seconds(lambda: fold(ELO, view), lambda: fold(ELO, scattered), lambda: fold(ELO, one_day))
    results.row("10,000 seeds scattered over the history", seeded / plain, "x a fold", 2.0, note=_PLACING)
    results.row("10,000 seeds on one day in the middle", at_once / plain, "x a fold", 2.0)


def _first_seeds(results: Results, view: View) -> None:
    seeded = _seeded(view, np.arange(view.n_players), view.timeline.players.debut)
    plain, first = seconds(lambda: fold(ELO, view), lambda: fold(ELO, seeded))
    results.row(f"{view.n_players:,} first seeds", first / plain, "x a fold", 2.0)


def _size(results: Results, games: int) -> None:
    """Print the cost per game in a long log against that in a short one, and the memory of a replay."""
    short, long = games // 5, games * 10
    figures = {n: _alone(n) for n in (short, long)}
    costs = {n: seconds_taken / n for n, (seconds_taken, _, _) in figures.items()}
    results.row(f"cost a game, {long:,} games against {short:,}", costs[long] / costs[short], "x", 1.25)
    for which, work in ((1, "a list"), (2, "every change kept")):
        grown = (figures[long][which] - figures[short][which]) / (long - short)
        results.row(f"memory of a replay, {work}, mapped files included", grown, "bytes/game", 100.0)


def _alone(games: int) -> tuple[float, int, int]:
    """Returns CPU seconds of a list, and peak memory after it and after a fold with every change, in a new process."""
    folder = Path(tempfile.mkdtemp(prefix="ratingcore-bench-"))
    view_of(ColumnLog(world(games)), folder)
    code = f"from bench.fold import weigh; weigh({games}, {str(folder)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    shutil.rmtree(folder)
    taken, listed, with_moves = done.stdout.split()
    return float(taken), int(listed), int(with_moves)


def weigh(games: int, folder: str) -> None:
    """Prints the figures; runs in the process that `_alone` starts."""
    log = ColumnLog(world(2))
    log.head = evolve(log.head, position=games)
    view = with_names(view_of(log, Path(folder)))
    taken = seconds(lambda: rating_list(fold(ELO, view), "bench"), repeats=3)[0]
    listed = peak_bytes()
    fold(ELO, view, keep=True)
    print(taken, listed, peak_bytes())


def _without_numba(results: Results, path: Path, games: int) -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import time, ratingcore as rc\n"
        "from ratingcore.lists import rating_list\n"
        "from ratingcore.replay import stand\n"
        "engine = rc.open(sys.argv[1]); engine.core.view('world'); times = []\n"
        "for _ in range(3):\n"
        "    began, elo = time.process_time(), engine.registry.method('elo')\n"
        "    rating_list(stand(elo, engine.core.view('world')), 'bench')\n"
        "    times.append(time.process_time() - began)\n"
        "print(sorted(times)[1])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    speed = games / float(done.stdout) / 1e6
    results.row("without numba", speed, "M games/s", 1.5, at_most=False, note=_PLAIN)
