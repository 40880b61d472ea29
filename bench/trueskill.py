"""TrueSkill of two players against the bare loop of Elo over the same games."""

from bench.bare import bare
from bench.measure import Results, seconds
from bench.worlds import ColumnLog, view_of, world
from ratingcore.registry import Registry
from ratingcore.replay import fold

PLAYERS = 20_000


def run(results: Results, games: int) -> None:
    """Print the time of rating games among 20,000 players."""
    n = games // 5
    made = world(n, PLAYERS)
    view, method = view_of(ColumnLog(made)), Registry.installed().method("trueskill")
    yard, taken = seconds(bare(made, PLAYERS), lambda: fold(method, view))
    results.row(f"trueskill, {n:,} games of {PLAYERS:,} players", taken / yard, "x bare", 3.8)
