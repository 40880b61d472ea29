"""Weng and Lin's ratings of two players and of four sides, against the bare loop of Elo on as many games."""

import numpy as np

from bench.bare import bare
from bench.measure import Results, seconds
from bench.worlds import ColumnLog, Numbered, World, view_of, world
from ratingcore.columns import FOREVER, View
from ratingcore.columns.games_in_order import GameTable, Spliced
from ratingcore.columns.timeline import Players, SeedTable, SessionTable, Timeline
from ratingcore.events.corrections import Corrections
from ratingcore.registry import Registry
from ratingcore.replay import fold

PLAYERS = 20_000


def run(results: Results, games: int) -> None:
    """Print the times of games, and of sessions of four players."""
    n = games // 5
    made = world(n, PLAYERS)
    view, four = view_of(ColumnLog(made)), _of_four(made)
    pl, bt = (Registry.installed().method(text) for text in ("weng-lin", "weng-lin:model=bt_full"))
    yard, duels, ranked, paired = seconds(
        bare(made, PLAYERS), lambda: fold(pl, view), lambda: fold(pl, four), lambda: fold(bt, four)
    )
    results.row(f"weng-lin, {n:,} games of {PLAYERS:,} players", duels / yard, "x bare", 2.4)
    results.row(f"  {n:,} sessions of four, Plackett-Luce", ranked / yard, "x bare", 12.0)
    results.row("  the same, Bradley-Terry", paired / yard, "x bare", 12.0)


def _of_four(made: World) -> View:
    """Makes sessions of four sides: the players of each game and two more."""
    n, rng = len(made.a), np.random.default_rng(5)
    seats = np.empty((n, 4), dtype=np.int32)
    seats[:, 0], seats[:, 1] = made.a, made.b
    seats[:, 2:] = rng.integers(0, PLAYERS, (n, 2))
    clash = np.ones(n, dtype=np.bool_)
    while (clash := (np.diff(np.sort(seats, axis=1), axis=1) == 0).any(axis=1)).any():
        seats[clash, 2:] = rng.integers(0, PLAYERS, (int(clash.sum()), 2))
    score = rng.permuted(np.tile(np.arange(4.0), (n, 1)), axis=1)
    log = ColumnLog(made)
    games = log.games(1, 0, n)
    sessions = SessionTable(
        games.position, games.played, games.order, np.arange(0, 4 * n + 1, 4), np.arange(4 * n + 1), seats.ravel(),
        score.ravel(),
    )  # fmt: skip
    no_seeds = SeedTable.of((), int)
    players = Players.of(GameTable.of(()), sessions, no_seeds)
    sessions = sessions._replace(player=players.rows(PLAYERS)[sessions.player])
    timeline = Timeline(1, n, "0" * 64, Corrections(), Spliced(), sessions, no_seeds, players)
    return View(log, timeline, "world", FOREVER, Numbered())
