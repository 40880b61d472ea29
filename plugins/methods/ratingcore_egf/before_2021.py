"""The EGF's rules before 2021 (GoR): the weight of a game and the width of the curve, both by rating."""

import numpy as np

from ratingcore.plugin import Floats
from ratingcore.plugin.curves import expit

CON = (
    116, 110, 105, 100, 95, 90, 85, 80, 75, 70, 65, 60, 55, 51, 47, 43, 39, 35, 31, 27, 24, 21, 18, 15, 13, 11, 10,
)  # fmt: skip
"""Points for a whole point of surprise at ratings of 100, 200, ..., 2700."""


def con(rating: Floats) -> Floats:
    """Points for a whole point of surprise: the table, with straight lines between its numbers.

    Examples
    --------
    >>> con(np.array([50.0, 1650.0, 3000.0])).tolist()
    [116.0, 41.0, 10.0]
    """
    return np.interp(rating, np.arange(100.0, 2701.0, 100.0), CON)


def width(rating: Floats) -> Floats:
    """Width of the curve at the rating of the lower side: 200 at 100, 70 at 2700.

    Examples
    --------
    >>> width(np.array([-900.0, 1950.0, 2700.0])).tolist()
    [200.0, 107.5, 70.0]
    """
    return np.clip(205.0 - rating / 20.0, 70.0, 200.0)


def share(rating: Floats, opponent: Floats) -> Floats:
    """Expected share of the point, before half of epsilon is subtracted for either side.

    Examples
    --------
    >>> (share(np.array([2000.0]), np.array([2100.0])) - 0.008).round(6).tolist()
    [0.270406]
    """
    low = expit(-np.abs(rating - opponent) / width(np.minimum(rating, opponent)))
    return np.where(rating <= opponent, low, 1.0 - low)
