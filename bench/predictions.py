"""Predictions against lists with each possible result, and histories with deviations against those without."""

from collections.abc import Callable
from functools import partial
from time import process_time

import numpy as np

import ratingcore as rc
from bench.measure import Results, seconds, wall
from bench.worlds import ColumnLog, log_of, view_of, world
from ratingcore.registry import Registry
from ratingcore.replay import Watch, fold

PAIRS, LISTS = 10_000, 20
"""Number of predicted meetings, and of those among them for which lists are made."""
ASKED = 30
"""Number of questions of each kind after new games."""
LICHESS = "glicko2:preset=lichess"
MONTHLY = "glicko2:period=months(1)"
"""A method whose last period is not over, with thousands of results."""


def after_each(results: Results, count: int) -> None:
    """Print the cost of questions about one player after each new game, as from a chat bot."""
    rng, players = np.random.default_rng(7), max(count // 100, 100)
    pairs = rng.choice(players, (ASKED, 2), replace=True)
    with rc.open(log_of(world(count, players))) as engine:
        at = engine.core.view("world").last_played
        asks: dict[str, Callable[[str, str], object]] = {
            "player": lambda a, b: engine.player("world", a, LICHESS),
            "player in an open month": lambda a, b: engine.player("world", a, MONTHLY),
            "history(last=5)": lambda a, b: engine.history("world", a, LICHESS, last=5),
            "two players": lambda a, b: engine.forecasts("world", LICHESS, between=(a, b)),
        }
        for name, ask in asks.items():
            taken = []
            for one, other in pairs.tolist():
                a, b = f"player {one}", f"player {(one + 1) % players if one == other else other}"
                engine.record(rc.GamePlayed(pool="world", played=at, a=a, b=b, score=1.0))
                begun = process_time()
                ask(a, b)
                taken.append(process_time() - begun)
            results.row(f"{name} after each new game, {count:,} games", 1000 * float(np.median(taken)), "ms CPU", 10.0)


def run(results: Results, games: int) -> None:
    """Print the cost of a prediction against three lists, of questions after new games, and of histories."""
    count = max(games // 50, 10_000)
    players = max(count // 50, 100)
    rng = np.random.default_rng(5)
    one = rng.integers(0, players, PAIRS)
    other = (one + rng.integers(1, players, PAIRS)) % players
    pairs = [(f"player {a}", f"player {b}") for a, b in zip(one.tolist(), other.tolist(), strict=True)]
    with rc.open(log_of(world(count, players))) as engine:
        at = engine.core.view("world").last_played
        engine.rating_list("world", LICHESS)

        def recorded() -> None:
            for a, b in pairs[:LISTS]:
                for score in (1.0, 0.5, 0.0):
                    game = rc.GamePlayed(pool="world", played=at, a=a, b=b, score=score)
                    engine.what_if([game]).rating_list("world", LICHESS)

        slow = wall(recorded, repeats=1) / LISTS
        quick = wall(lambda: engine.predict("world", LICHESS, pairs, newcomers=True), repeats=3) / PAIRS
        results.row(f"a meeting of {PAIRS:,} predicted, against three lists", quick / slow, "x lists", 0.1)
        print(f"  {PAIRS:,} meetings: {quick * PAIRS:.2f} s")
    after_each(results, games // 10)
    count = games // 10
    view, method = view_of(ColumnLog(world(count))), Registry.installed().method(LICHESS)
    watches = (None, Watch(np.array([7])), Watch())
    plain, alone, everybody = seconds(
        *(partial(fold, method, view, keep=True, watch=one) for one in watches), repeats=3
    )
    results.row(f"deviations of one history, {count:,} games", alone / plain, "x without", 3.0)
    results.row(f"deviations of everybody, {count:,} games", everybody / plain, "x without", 25.0)
