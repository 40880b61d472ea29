"""Sums over the results of a period, at the ratings before it."""

from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Games, Ints


class PeriodSums(NamedTuple):
    """Sums over the results of each player in a period.

    Attributes
    ----------
    worth : (players,) float64
        Sum of opponent's rating times score.
    given : (players,) float64, points
        Points lost.
    games : (players,) int
    """

    worth: Floats
    given: Floats
    games: Ints


def tally(rating: Floats, games: Games) -> PeriodSums:
    """Adds up the results of a period, in the order of the log."""
    order = np.argsort(games.position, kind="stable")
    a, b, won = games.a[order], games.b[order], games.score[order]
    lost, n = 1.0 - won, len(rating)
    worth = np.bincount(a, rating[b] * won, n) + np.bincount(b, rating[a] * lost, n)
    given = np.bincount(a, lost, n) + np.bincount(b, won, n)
    played = np.bincount(a, minlength=n) + np.bincount(b, minlength=n)
    return PeriodSums(
        worth.astype(np.float64), given.astype(np.float64), played
    )  # without games bincount counts in ints
