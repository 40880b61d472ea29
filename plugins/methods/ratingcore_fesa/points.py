"""The change of a shogi game, and the category that follows from the number of games."""

import numpy as np

from ratingcore.plugin import Floats, Ints
from ratingcore.plugin.curves import LN10, expit

FROM = np.array([720.0, 1040.0, 1280.0, 1560.0, 1920.0, 2240.0])
K = np.array([40.0, 36.0, 32.0, 28.0, 24.0, 20.0, 16.0])
WEAKEST = 400.0
"""Rating that counts for all weaker opponents."""

CATEGORIES = ("unrated", "provisional", "established")


def k_of(rating: Floats) -> Floats:
    """Points for a whole point of surprise, by own rating.

    Examples
    --------
    >>> k_of(np.array([719.9, 720.0, 1650.0, 2240.0])).tolist()
    [40.0, 36.0, 24.0, 16.0]
    """
    return K[np.searchsorted(FROM, rating, "right")]


def share(rating: Floats, opponent: Floats) -> Floats:
    """Expected share of the point."""
    return expit((rating - opponent) * (LN10 / 400.0))


def moved(rating: Floats, opponent: Floats, score: Floats) -> Floats:
    """Change of one side by a game, before it is rounded.

    Examples
    --------
    >>> moved(np.array([1650.0, 700.0]), np.array([1700.0, 1500.0]), np.array([1.0, 1.0])).round(6).tolist()
    [13.715115, 200.0]
    """
    opponent = np.maximum(opponent, WEAKEST)
    k = k_of(rating)
    usual = k * (score - share(rating, opponent))
    return np.where(score == 1.0, np.maximum(usual, k * (opponent - rating) / 160.0), usual)


def category(counted: Floats, won: Floats, lost: Floats) -> Floats:
    """Code of the category: unrated below 9 games or with only wins or only losses, provisional below 18.

    Examples
    --------
    >>> games = np.array([[8.0, 4.0, 4.0], [9.0, 4.0, 5.0], [20.0, 20.0, 0.0], [18.0, 9.0, 9.0]])
    >>> [CATEGORIES[int(code)] for code in category(*games.T)]
    ['unrated', 'provisional', 'unrated', 'established']
    """
    unrated = (counted < 9) | (won == counted) | (lost == counted)
    return np.where(unrated, 0.0, np.where(counted < 18, 1.0, 2.0))


def times(rows: Ints, which: Floats, players: int) -> Floats:
    """Sum of `which` over the games of each player."""
    return np.asarray(np.bincount(rows, which, players), dtype=np.float64)
