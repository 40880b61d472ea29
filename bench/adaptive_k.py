"""Adaptive K against the bare loop of Elo: a replay of cached columns, without and with the change of every game."""

from bench.bare import bare
from bench.measure import Results, seconds
from bench.worlds import ColumnLog, view_of, world
from ratingcore.registry import Registry
from ratingcore.replay import fold

ADAPTIVE = Registry.installed().method("adaptive-k")


def run(results: Results, games: int) -> None:
    """Print the times of folding adaptive-k."""
    made = world(games)
    view = view_of(ColumnLog(made))
    yard, plain, moves = seconds(bare(made), lambda: fold(ADAPTIVE, view), lambda: fold(ADAPTIVE, view, keep=True))
    results.row(f"adaptive-k, {games:,} games", plain / yard, "x bare", 3.0)
    results.row("  with expected, change and boost of every game kept", moves / yard, "x bare", 6.0)
