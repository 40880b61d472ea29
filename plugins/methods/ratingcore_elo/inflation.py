"""Moves a pool to a constant mean rating: a remedy against inflation and deflation."""

from math import fsum

import numpy as np

from ratingcore.plugin import Floats
from ratingcore.plugin.rules import half_away


def inflation(rating: Floats, mean: float, *, whole: bool) -> Floats:
    """Returns the points, the same for each rated player, that bring their mean to a number.

    Parameters
    ----------
    rating : (players,) float64, rating points
        At the end of a period; NaN for players without a rating, who get nothing.
    mean : float, rating points
        The mean to reach.
    whole : bool
        Whether ratings are whole numbers: the mean is then held to within half a point.

    Examples
    --------
    >>> inflation(np.array([1540.0, 1500.0, np.nan, 1469.0]), 1500.0, whole=False).tolist()
    [-3.0, -3.0, 0.0, -3.0]
    """
    rated = ~np.isnan(rating)
    if not rated.any():
        return np.zeros(len(rating))
    short = np.array([fsum((mean - rating[rated]).tolist()) / int(rated.sum())])  # fsum: any order of rows
    return np.where(rated, half_away(short) if whole else short, 0.0)
