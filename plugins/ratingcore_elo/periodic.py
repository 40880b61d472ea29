"""Elo period by period: all games use the ratings at the start, and are applied together at the end."""

import numpy as np

from ratingcore.plugin import Floats, Games


def summed(games: Games, change: Floats, players: int) -> Floats:
    """What the games moved each player, added in the order of the log.

    Parameters
    ----------
    games : Games
    change : (n,) float64, rating points
        What each game moved side a; side b moved the other way.
    players : int
        Rows of the state.

    Returns
    -------
    (players,) float64, rating points
    """
    a, b = games.a, games.b
    if (np.diff(games.position) < 0).any():  # games that the log learnt late
        order = np.argsort(games.position, kind="stable")
        a, b, change = a[order], b[order], change[order]
    won, lost = np.bincount(a, change, players), np.bincount(b, change, players)
    return np.asarray(won - lost, dtype=np.float64)


def lifted(games: Games, rating: Floats, floor: float) -> Floats:
    """What lifts each player of the period who would end it below the floor back to the floor."""
    below = np.zeros(len(rating), dtype=np.bool_)
    below[games.a] = below[games.b] = True
    below &= rating < floor
    return np.where(below, floor - rating, 0.0)
