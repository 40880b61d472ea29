"""Rules for the first rating of a newcomer, from their games against rated players."""

from collections.abc import Callable, Mapping
from math import floor, nan
from types import MappingProxyType

import numpy as np
from attrs import frozen

from ratingcore.columns.arrays import Floats
from ratingcore.methods.gaps import table_gap
from ratingcore.methods.performance import normal_performance

IMAGINARY, CEILING, FLOOR = 1800.0, 2200.0, 1400.0
"""FIDE 2024: rating of the two imaginary opponents, the most a first rating can be, the least that is published."""


@frozen
class Initial:
    """A first rating by FIDE's rules, with what it was made from.

    Parameters
    ----------
    opposition : float, rating points
        Mean rating of the opponents, the imaginary ones included.
    share : float in [0, 1]
        Share of the points, the imaginary draws included.
    gap : float, rating points
        What the share adds to the opposition.
    rating : float, rating points
        Rounded to a whole number.
    """

    opposition: float
    share: float
    gap: float
    rating: float


def _half_up(number: float) -> float:
    return float(floor(round(number, 10) + 0.5))


def fide2024(opponents: Floats, scores: Floats) -> Initial:
    """FIDE since March 2024: two draws with imaginary opponents rated 1800 added, at most 2200 [1]_.

    References
    ----------
    .. [1] FIDE, *Rating Regulations* (handbook B.02), in force from 1 March 2024, 8.2.

    Examples
    --------
    >>> opponents = np.array([1610.0, 1550.0, 1720.0, 1680.0, 1495.0, 1810.0])
    >>> fide2024(opponents, np.array([1.0, 0.5, 0.0, 1.0, 1.0, 0.0]))
    Initial(opposition=1683.125, share=0.5625, gap=43.0, rating=1726.0)
    """
    n = len(scores)
    opposition = (float(np.sum(opponents)) + 2.0 * IMAGINARY) / (n + 2)
    share = (float(np.sum(scores)) + 1.0) / (n + 2)
    gap = float(table_gap(np.array([share]))[0])
    return Initial(opposition, share, gap, min(_half_up(opposition + gap), CEILING))


def fide2014(opponents: Floats, scores: Floats, half_point: float = 20.0) -> Initial:
    """FIDE until 2024: by table 8.1.1 up to half the points, above that a fixed number of points for each half point.

    Parameters
    ----------
    half_point : float, rating points
        20 since July 2014, 12.5 before.

    Examples
    --------
    >>> opponents = np.array([1610.0, 1550.0, 1720.0, 1680.0, 1495.0, 1810.0])
    >>> fide2014(opponents, np.array([1.0, 0.5, 0.0, 1.0, 1.0, 0.0])).rating
    1664.0
    """
    n, made = len(scores), float(np.sum(scores))
    opposition, share = float(np.mean(opponents)), made / n
    above = 2.0 * made - n
    gap = half_point * above if above > 0 else float(table_gap(np.array([share]))[0])
    return Initial(opposition, share, gap, _half_up(opposition + gap))


def _periodic(opponents: Floats, scores: Floats) -> float:
    return max(0.0, normal_performance(opponents, scores).rating)


def _published(opponents: Floats, scores: Floats) -> float:
    rating = fide2024(opponents, scores).rating
    return rating if rating >= FLOOR else nan


RULES: Mapping[str, Callable[[Floats, Floats], float]] = MappingProxyType(
    {
        "periodic": _periodic,
        "fide2024": _published,
        "fide2014": lambda opponents, scores: fide2014(opponents, scores).rating,
    }
)
"""Rating of a newcomer from opponents and scores, by the name of the rule; NaN where it publishes none."""
