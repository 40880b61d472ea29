"""The closed form of the Bayesian chess method against the bare loop of Elo over the same games."""

import numpy as np
from attrs import evolve

from bench.bare import bare
from bench.measure import Results, seconds
from bench.worlds import ColumnLog, view_of, world
from ratingcore.registry import Registry
from ratingcore.replay import fold


def run(results: Results, games: int) -> None:
    """Print the times of `chess-bayes:model=band`, with a quarter of the games drawn."""
    made = world(games)
    drawn = np.random.default_rng(5).random(games) < 0.25
    made = made._replace(score=np.where(drawn, 0.5, made.score))
    method, view = Registry.installed().method("chess-bayes"), view_of(ColumnLog(made))
    drifting = evolve(method, drift_var=4.0)  # type: ignore[misc]  # methods are attrs classes
    yard, still, grown = seconds(bare(made), lambda: fold(method, view), lambda: fold(drifting, view))
    results.row(f"chess-bayes:model=band, {games:,} games", still / yard, "x bare", 4.0)
    results.row("  with deviations that grow with time", grown / yard, "x bare", 6.0)
