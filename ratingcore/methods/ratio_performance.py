"""Performance ratings on a ratio scale: twice the rating is twice as many points won for each one lost.

They are kinds of performance beside those in rating points, and make sense for ratings that are strengths, such as
those of `berkin`: never below zero.
"""

from collections.abc import Callable, Mapping
from math import inf, nan
from types import MappingProxyType

import numpy as np

from ratingcore.columns.arrays import Floats
from ratingcore.errors import BadValue
from ratingcore.methods.performance import Performance, refuse


def ratio_performance(opponents: Floats, scores: Floats) -> Performance:
    """Mean rating of the opponents times points won over points lost: the ordinary ratio rating [1]_.

    Parameters
    ----------
    opponents : (n,) float64 >= 0
        Rating of each opponent when the game was played, on a ratio scale.
    scores : (n,) float64 in [0, 1]
        Score of each game; at least one game.

    Returns
    -------
    Performance
        Unbounded where no point was lost, zero where none was won.

    Raises
    ------
    BadValue
        If there is no game, an opponent's rating is below zero, or a score is not from 0 to 1.

    References
    ----------
    .. [1] "The Berkin System", unpublished, chapter 13; see
       `plugins/methods/ratingcore_berkin/README.md`.

    Examples
    --------
    >>> ratio_performance(np.array([1000.0, 1200.0, 1100.0]), np.array([1.0, 0.0, 0.5])).rating
    1100.0
    """
    _refuse(opponents, scores)
    return _ratio(float(np.mean(opponents)) * float(np.sum(scores)), opponents, scores)


def weighted_opposition(opponents: Floats, scores: Floats) -> Performance:
    """Mean rating of the opponents, each weighted by the points won against them (formula 13.1 of [1]_).

    No number where no point was won.

    References
    ----------
    .. [1] "The Berkin System", as in `ratio_performance`.

    Examples
    --------
    >>> round(weighted_opposition(np.array([1000.0, 1200.0, 1100.0]), np.array([1.0, 0.0, 0.5])).rating, 6)
    1033.333333
    """
    _refuse(opponents, scores)
    won = float(np.sum(scores))
    weighted = float(opponents @ scores) / won if won > 0.0 else nan
    return Performance(len(scores), float(np.mean(opponents)), won, weighted, is_ratio=True)


def berkin_performance(opponents: Floats, scores: Floats) -> Performance:
    """The weighted mean of the opposition times points won over points lost (formula 13.2 of [1]_).

    That is the sum of rating times score over the points lost. Unbounded where no point was lost, zero where none was
    won.

    References
    ----------
    .. [1] "The Berkin System", as in `ratio_performance`.

    Examples
    --------
    >>> round(berkin_performance(np.array([1000.0, 1300.0, 1100.0]), np.array([1.0, 0.0, 1.0])).rating, 6)
    2100.0
    """
    _refuse(opponents, scores)
    return _ratio(float(opponents @ scores), opponents, scores)


RATIO_PERFORMANCES: Mapping[str, Callable[[Floats, Floats], Performance]] = MappingProxyType(
    {"ratio": ratio_performance, "weighted_opposition": weighted_opposition, "berkin": berkin_performance}
)
"""Every kind of performance rating on a ratio scale by its name, as a function of opponents and scores."""


def _ratio(worth: float, opponents: Floats, scores: Floats) -> Performance:
    """What the points won are worth over the points lost."""
    lost = float(np.sum(1.0 - scores))
    rating = worth / lost if lost > 0.0 else inf
    return Performance(len(scores), float(np.mean(opponents)), float(np.sum(scores)), rating, is_ratio=True)


def _refuse(opponents: Floats, scores: Floats) -> None:
    refuse(opponents, scores)
    for rating in opponents[opponents < 0.0][:1].tolist():
        raise BadValue("opponents", rating, "must be zero or more on a ratio scale")
