"""The time of Whole-History Rating and of TrueSkill through time, for games spread over ten years."""

import numpy as np

from bench.measure import Results, seconds
from bench.worlds import START, ColumnLog, view_of, world
from ratingcore.columns import View
from ratingcore.events import DAY
from ratingcore.registry import Registry
from ratingcore.replay import fold

PLAYERS = 20_000


def run(results: Results, games: int) -> None:
    """Print the times of rating games among 20,000 players."""
    method = Registry.installed().method
    quick, joint, through = (
        method(text) for text in ("whr:w2=30,deviations=own", "whr:w2=30", "trueskill-through-time")
    )
    small, large = _in_ten_years(games // 50), _in_ten_years(games // 5)
    few, known = seconds(lambda: fold(quick, small), lambda: fold(joint, small), repeats=2)
    many, past = seconds(lambda: fold(quick, large), lambda: fold(through, large), repeats=1)
    results.row(f"whr, {games // 50:,} games of {PLAYERS:,} players", few, "s", 0.25)
    results.row("  with joint deviations", known, "s", 2.5)
    results.row(f"  {games // 5:,} games", many, "s", 3.0)
    results.row(f"trueskill-through-time, {games // 5:,} games", past, "s", 15.0)


def _in_ten_years(games: int) -> View:
    """Returns a world's games spread over ten years."""
    log = ColumnLog(world(games, PLAYERS))
    log._games = log._games._replace(played=START + 3653 * DAY // games * np.arange(games))
    return view_of(log)
