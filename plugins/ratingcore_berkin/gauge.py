"""Gauges: ratio ratings are known up to a factor, so something has to say what the numbers mean."""

from typing import Literal, Protocol

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import Floats, Ints
from ratingcore.validators import one_of, positive


class Gauge(Protocol):
    """Fixes the factor of the ratings of players who are comparable."""

    def factor(self, ratio: Floats, rows: Ints) -> float:
        """What the ratios of the players in these rows are multiplied by; NaN if nothing says so."""


@frozen
class Level:
    """The mean of all ratings has a value.

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
    """Some players have ratings given from outside; of several, the geometric mean is kept.

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
        known = ~np.isnan(given)
        if not known.any():
            return float("nan")
        if known.sum() == 1:  # exact for the one player
            return float(given[known][0] / ratio[known][0])
        return float(np.exp(np.mean(np.log(given[known]) - np.log(ratio[known]))))
