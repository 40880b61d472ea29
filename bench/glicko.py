"""Glicko and Glicko-2 by period and game by game, against the bare loop of Elo over the same games."""

import numpy as np

from bench.bare import bare
from bench.measure import Results, seconds
from bench.worlds import START, ColumnLog, view_of, world
from ratingcore.columns import View
from ratingcore.events import DAY
from ratingcore.registry import Registry
from ratingcore.replay import fold

PLAYERS = 20_000
TEN_YEARS = 3653 * DAY


def run(results: Results, games: int) -> None:
    """Print the times of ten years of games among 20,000 players."""
    n = games // 5
    made = world(n, PLAYERS)
    view, method = _in_ten_years(ColumnLog(made), n), Registry.installed().method
    texts = ("glicko", "glicko2:period=none", "glicko2", "glicko2:period=months(10)", "glicko2:preset=lichess")
    methods = [method(text) for text in texts]
    yard, *taken = seconds(bare(made, PLAYERS), *((lambda one=one: fold(one, view)) for one in methods))  # type: ignore[misc]  # a default binds it
    one, by_game, monthly, twelve, lichess = (each / yard for each in taken)
    results.row(f"glicko by 120 months, {n:,} games of {PLAYERS:,} players", one, "x bare", 4.0)
    results.row("glicko2 game by game", by_game, "x bare", 15.0)
    results.row("  by 120 months", monthly, "x bare", 6.0)
    results.row("  by 12 periods", twelve, "x bare", 3.5)
    results.row("  with the settings of Lichess", lichess, "x bare", 15.0)


def _in_ten_years(log: ColumnLog, games: int) -> View:
    """Spreads the games of a log over ten years."""
    log._games = log._games._replace(played=START + TEN_YEARS // games * np.arange(games))
    return view_of(log)
