"""Comparisons with other rating programs on the same games: their time over ours, and differences of ratings."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from bench import peer_programs as programs
from bench.measure import Results, seconds
from bench.peer_programs import Work
from bench.worlds import START, ColumnLog, view_of, world
from ratingcore.events import DAY
from ratingcore.plugin import Floats
from ratingcore.registry import Registry
from ratingcore.replay import fold

YEAR = 365
BRADLEY_TERRY = "bradley-terry:deviations=no"


class Peer(NamedTuple):
    """A program to compare with ours.

    Parameters
    ----------
    package : str
    program : callable
        Rates everything and returns the rating of every player.
    method : str
        The text of our method.
    games, players : int
        Size of the work, spread over a year: as much as the program does in a few seconds.
    near : float
        Largest difference of two ratings that is accepted.
    level : bool
        Whether both programs fix the same mean rating; if not, means are subtracted first.
    """

    package: str
    program: Callable[[Work], Floats]
    method: str
    games: int
    players: int
    near: float
    level: bool = True


PEERS = (
    Peer("evalica", programs.evalica_elo, "elo:k=20", 500_000, 5000, 1e-6),
    Peer("penaltyblog", programs.penaltyblog_elo, "elo:k=20", 200_000, 5000, 1e-6),
    Peer("elote", programs.elote_elo, "elo:k=20", 20_000, 1000, 1e-6),
    Peer("skelo", programs.skelo_elo, "elo:k=20", 20_000, 1000, 1e-6),
    Peer("glicko2", programs.glicko2_by_month, "glicko2", 20_000, 1000, 1e-3),
    Peer("openskill", programs.openskill_games, "weng-lin:preset=openskill", 20_000, 1000, 1e-6),
    Peer("trueskill", programs.trueskill_games, "trueskill", 5000, 500, 1e-4),
    Peer("whr", programs.whr_games, "whr:w2=30,deviations=own", 20_000, 2000, 1e-2),
    Peer("trueskillthroughtime", programs.through_time_games, "trueskill-through-time", 1000, 100, 1e-3),
    Peer("choix", programs.choix_bradley_terry, BRADLEY_TERRY, 50_000, 500, 1e-3, level=False),
    Peer("evalica", programs.evalica_bradley_terry, BRADLEY_TERRY, 50_000, 500, 1e-3, level=False),
)


def run(results: Results, games: int) -> None:
    """Print how many times as long each program takes, and the largest difference of two ratings."""
    for peer in PEERS:
        if find_spec(peer.package) is None:
            print(f"{peer.package}, {peer.method}: not installed, not measured (pip install -r bench/peers.txt)")
            continue
        _beside(results, peer, 10 if games < 5_000_000 else 1)


def _beside(results: Results, peer: Peer, part: int) -> None:
    """Times both programs on the same games, a tenth of them in a quick run, after our kernels are compiled."""
    n = peer.games // part
    log, made = ColumnLog(world(n, peer.players)), world(n, peer.players)
    played = START + YEAR * DAY // n * np.arange(n)
    log._games = log._games._replace(played=played)
    view, method = view_of(log), Registry.installed().method(peer.method)
    work = Work(made, (played - START) // DAY + 1, peer.players)
    for _ in range(60_000 // n + 1):
        fold(method, view)
    ours, theirs = seconds(lambda: fold(method, view), lambda: peer.program(work), repeats=1)
    what = f"{peer.method}, {n:,} games: {peer.package}"
    results.row(what, theirs / ours, "x ours", 1.0, at_most=False)
    found, rating = peer.program(work), np.full(peer.players, np.nan)
    player = view.timeline.players.id[: view.n_players] - 2
    rating[player] = fold(method, view).state["rating"]
    both = ~(np.isnan(found) | np.isnan(rating))
    found, rating = found[both], rating[both]
    if not peer.level:
        found, rating = found - found.mean(), rating - rating.mean()
    results.row("  largest difference of two ratings", float(np.abs(found - rating).max()), "points", peer.near)
