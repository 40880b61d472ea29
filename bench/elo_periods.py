"""Elo by monthly periods over twenty years, against the bare loop over the same games."""

import numpy as np

from bench.bare import bare
from bench.measure import Results, seconds
from bench.worlds import START, ColumnLog, view_of, world
from ratingcore.events import DAY
from ratingcore.registry import Registry
from ratingcore.replay import fold

MONTHS = 240
TWENTY_YEARS = MONTHS // 12 * 1461 * DAY // 4


def run(results: Results, games: int) -> None:
    """Print the times of rating 240 months: with one K, and with K by a rule, capped and rounded."""
    made = world(games)
    log = ColumnLog(made)
    log._games = log._games._replace(played=START + TWENTY_YEARS // games * np.arange(games))
    view = view_of(log)
    plain = Registry.installed().method("elo:period=month")
    ruled = Registry.installed().method("elo:k=by-date,curve=table,rule=2014,rounding=true,period=month")
    yard, monthly, federal = seconds(bare(made), lambda: fold(plain, view), lambda: fold(ruled, view))
    results.row(f"elo by {MONTHS} months, {games:,} games", monthly / yard, "x bare", 3.0)
    print(f"  with K by date, the cap, table 8.1.2 and whole points: {federal / yard:.1f} x bare")
