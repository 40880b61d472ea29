"""bridge-bayes with four players a result, against the bare loop of Elo on the first players of the same results."""

import numpy as np
from numpy.typing import NDArray

from bench.bare import bare
from bench.measure import Results, seconds
from bench.worlds import ColumnLog, Numbered, World, world
from ratingcore.columns import FOREVER, View
from ratingcore.columns.games_in_order import GameTable, Spliced
from ratingcore.columns.timeline import Players, SeedTable, SessionTable, Timeline
from ratingcore.events.corrections import Corrections
from ratingcore.registry import Registry
from ratingcore.replay import fold

PLAYERS = 10_000


def run(results: Results, games: int) -> None:
    """Print the times of rating pairs, from the columns of a pool to the final state."""
    made = world(games, PLAYERS)
    view = _in_pairs(made)
    texts = ("bridge-bayes:sigma1=10", "bridge-bayes:sigma1=10,drift_var=1")
    plain, drifting = (Registry.installed().method(text) for text in texts)
    yard, listed, moves, drifted = seconds(
        bare(made, PLAYERS),
        lambda: fold(plain, view),
        lambda: fold(plain, view, keep=True),
        lambda: fold(drifting, view),
    )
    results.row(f"bridge-bayes, {games:,} results of four players", listed / yard, "x bare", 3.0)
    results.row("  with expected and change of every result kept", moves / yard, "x bare", 6.0)
    results.row("  with drift", drifted / yard, "x bare", 4.5)


def _in_pairs(made: World) -> View:
    """Makes a session of two pairs of every game: each player gets a partner, and scores are percentages."""
    n, rng = len(made.a), np.random.default_rng(5)
    seats = np.empty((n, 4), dtype=np.int32)
    seats[:, 0], seats[:, 2] = made.a, made.b
    seats[:, 1], seats[:, 3] = made.b, made.a
    while (clash := _sits_twice(seats)).any():
        seats[clash, 1::2] = rng.integers(0, PLAYERS, (int(clash.sum()), 2))
    score = np.empty((n, 2))
    score[:, 0] = 45.0 + 10.0 * made.score + rng.normal(0.0, 5.0, n)
    score[:, 1] = 100.0 - score[:, 0]
    log = ColumnLog(made)
    games = log.games(1, 0, n)
    sessions = SessionTable(
        games.position, games.played, games.order, np.arange(0, 2 * n + 1, 2), np.arange(0, 4 * n + 1, 2),
        seats.ravel(), score.ravel(),
    )  # fmt: skip
    no_seeds = SeedTable.of((), int)
    players = Players.of(GameTable.of(()), sessions, no_seeds)
    row = players.rows(PLAYERS)
    sessions = sessions._replace(player=row[sessions.player])
    timeline = Timeline(1, n, "0" * 64, Corrections(), Spliced(), sessions, no_seeds, players)
    return View(log, timeline, "world", FOREVER, Numbered())


def _sits_twice(seats: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Marks the results in which one player has two seats."""
    a, with_a, b, with_b = seats.T
    return np.asarray((with_a == a) | (with_a == b) | (with_a == with_b) | (with_b == a) | (with_b == b))
