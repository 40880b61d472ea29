"""Gauges, which fix the scale: the balance gives ratio ratings only up to a factor."""

from typing import Literal, Protocol

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import Floats, Ints
from ratingcore.validators import one_of, positive


class Gauge(Protocol):
    """Fixes the factor of the ratings of players who are comparable."""

    def factor(self, ratio: Floats, rows: Ints) -> float:
        """Factor for the ratios of the players in these rows; NaN if nothing fixes it."""


@frozen
class Level:
    """Fixes the mean of all ratings.

    Parameters
    ----------
    kind : {"geomean", "mean"}
        Geometric mean, natural for ratios: log ratings sum to that of the value; or arithmetic mean.
    value : float > 0

    Examples
    --------
    >>> Level("mean", 100.0).factor(np.array([1.0, 3.0]), np.array([0, 1]))
    50.0
    """

    kind: Literal["geomean", "mean"] = field(default="geomean", validator=one_of("geomean", "mean"))
    value: float = field(default=1000.0, validator=positive)

    def factor(self, ratio: Floats, rows: Ints) -> float:
        middle = np.mean(ratio) if self.kind == "mean" else np.exp(np.mean(np.log(ratio)))
        return float(self.value / middle)


@frozen(eq=False)
class Pinned:
    """Keeps the rating of a player given from outside, or the geometric mean of several.

    Parameters
    ----------
    rating : (players,) float64
        Ratings given; NaN for all others.

    Examples
    --------
    >>> Pinned(np.array([np.nan, 600.0])).factor(np.array([1.0, 3.0]), np.array([0, 1]))
    200.0
    """

    rating: Floats

    def factor(self, ratio: Floats, rows: Ints) -> float:
        given = self.rating[rows]
        pinned = ~np.isnan(given)
        if not pinned.any():
            return float("nan")
        if pinned.sum() == 1:  # exact for the one player
            return float(given[pinned][0] / ratio[pinned][0])
        return float(np.exp(np.mean(np.log(given[pinned]) - np.log(ratio[pinned]))))
