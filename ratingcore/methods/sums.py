"""Sums over the games of a period, added in the order of the log so that any order of play gives the same bits."""

import numpy as np

from ratingcore.columns.arrays import Floats
from ratingcore.columns.games import Games


def summed(games: Games, change_a: Floats, change_b: Floats, players: int) -> Floats:
    """Total change of each player, added in the order of the log.

    Parameters
    ----------
    games : Games
    change_a, change_b : (n,) float64
        Change of each side by each game.
    players : int
        Rows of the state.

    Returns
    -------
    (players,) float64
    """
    a, b = games.a, games.b
    if (np.diff(games.position) < 0).any():  # games that the log learnt late
        order = np.argsort(games.position, kind="stable")
        a, b, change_a, change_b = a[order], b[order], change_a[order], change_b[order]
    return np.asarray(np.bincount(a, change_a, players) + np.bincount(b, change_b, players), dtype=np.float64)
