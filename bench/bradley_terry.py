"""The time of Bradley and Terry's model in a large pool, without and with deviations."""

from bench.measure import Results, seconds
from bench.worlds import ColumnLog, view_of, world
from ratingcore.registry import Registry
from ratingcore.replay import fold

PLAYERS = 20_000


def run(results: Results, games: int) -> None:
    """Print the time of rating games among 20,000 players, with and without deviations."""
    n = games // 5
    view, method = view_of(ColumnLog(world(n, PLAYERS))), Registry.installed().method
    alone, whole = (method(f"bradley-terry:parts=yes,deviations={word}") for word in ("no", "yes"))
    ratings, deviations = seconds(lambda: fold(alone, view), lambda: fold(whole, view), repeats=2)
    results.row(f"bradley-terry, {n:,} games of {PLAYERS:,} players, ratings", ratings, "s", 1.5)
    results.row("  with deviations", deviations, "s", 3.0)
