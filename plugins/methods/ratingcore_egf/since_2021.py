"""The EGF's rules since 2021: one curve for all ratings, and a bonus in every game against deflation."""

import numpy as np

from ratingcore.plugin import Floats
from ratingcore.plugin.curves import expit

TOP = 3300.0
"""Ratings must be below it, where the curve ends."""
LEAST = -1e9
"""Ratings must be above it: further down the change of a game overflows."""


def share(rating: Floats, opponent: Floats) -> Floats:
    """Expected share of the point between ratings below 3300; NaN where one of them is not.

    Examples
    --------
    >>> share(np.array([2000.0]), np.array([2100.0])).round(6).tolist()
    [0.363478]
    """
    below = [np.where(side < TOP, TOP - side, np.nan) for side in (opponent, rating)]
    return expit(7.0 * (np.log(below[0]) - np.log(below[1])))


def con(rating: Floats) -> Floats:
    """Points for a whole point of surprise.

    Examples
    --------
    >>> con(np.array([2000.0, 2100.0])).round(6).tolist()
    [19.983031, 17.580936]
    """
    return np.asarray(((TOP - rating) / 200.0) ** 1.6, dtype=np.float64)


def bonus(rating: Floats) -> Floats:
    """Points for having played a game, won or lost.

    Examples
    --------
    >>> bonus(np.array([2000.0, 2100.0])).round(6).tolist()
    [0.754649, 0.515778]
    """
    below = (2300.0 - rating) / 80.0
    return np.asarray((np.maximum(below, 0.0) + np.log1p(np.exp(-np.abs(below)))) / 5.0, dtype=np.float64)
