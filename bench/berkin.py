"""Berkin's ratio ratings of many players: seconds, balance and memory, for one mixed field and for separate leagues."""

import subprocess
import sys
import time

import numpy as np
from ratingcore_berkin import Berkin
from ratingcore_berkin.field import Field
from ratingcore_berkin.stationary import balance

from bench.measure import Results, peak_bytes
from bench.worlds import World
from ratingcore.plugin import Games, Span, State

RESULTS_A_PLAYER = 50
"""5 million results among 100,000 players."""


def run(results: Results, games: int) -> None:
    """Print time, balance and memory of rating a whole pool."""
    for leagues, bound, what in ((1, 2.0, "well mixed"), (20, 10.0, "20 leagues, 1 % of games between them")):
        taken, closed, memory = _alone(games, leagues)
        results.row(f"berkin, {games:,} results, {what}", taken, "s", bound)
        results.row("  largest |W R - L R| / (L R)", closed * 1e12, "e-12", 1.0)
        results.row("  memory of the process", memory / 1e9, "GB", 1.0)


def leagues_of(games: int, leagues: int, players: int, seed: int = 1) -> World:
    """Draws games inside leagues of rising strength, 1 % of them against a neighbouring league; a fifth is drawn."""
    rng = np.random.default_rng(seed)
    size = players // leagues
    league = np.arange(players) // size
    skill = rng.normal(0.0, 250.0, players) + (600.0 / max(leagues - 1, 1)) * league
    a = rng.integers(0, players, games)
    guest = rng.random(games) < (0.01 if leagues > 1 else 0.0)
    hosted = np.where(guest, np.clip(league[a] + rng.choice([-1, 1], games), 0, leagues - 1), league[a])
    b = hosted * size + rng.integers(0, size, games)
    b = np.where(b == a, hosted * size + (b + 1 - hosted * size) % size, b)
    drawn = rng.random(games) < 0.2
    won = rng.random(games) < 1.0 / (1.0 + 10.0 ** ((skill[b] - skill[a]) / 400.0))
    return World(a.astype(np.int32), b.astype(np.int32), np.where(drawn, 0.5, won.astype(np.float64)))


def _alone(games: int, leagues: int) -> tuple[float, float, int]:
    """Returns CPU seconds, balance and peak memory of a run in its own process."""
    code = f"from bench.berkin import weigh; weigh({games}, {leagues})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    taken, closed, memory = done.stdout.split()
    return float(taken), float(closed), int(memory)


def weigh(games: int, leagues: int) -> None:
    """Prints the figures; runs in the process that `_alone` starts."""
    players = games // RESULTS_A_PLAYER
    made = leagues_of(games, leagues, players)
    order = np.arange(1, games + 1)
    season = Games(made.a, made.b, made.score, order, order, Span(0, games + 1))
    method = Berkin()
    start = State.start(method.columns(), players)
    times = []
    for _ in range(3):
        began = time.process_time()
        solved = method.rate(start, season)
        times.append(time.process_time() - began)
    memory = peak_bytes()
    closed = balance(Field.of_games(season, np.arange(players), players), solved.state["rating"])
    print(sorted(times)[1], closed, memory)
