"""Performance ratings: in rating points, by inverted curves, and on a ratio scale."""

from collections.abc import Callable, Mapping
from math import inf, isinf, isnan, nan
from types import MappingProxyType
from typing import Literal

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadValue, Floats
from ratingcore.plugin.curves import Curve, logistic_gap, normal_gap, table_gap

CAP = 800.0
"""Gap of a perfect score if the curve has no number for it: FIDE's convention."""


@frozen
class Performance:
    """A performance rating, with the games it was made from.

    Parameters
    ----------
    games : int
    opposition : float, rating points
        Mean rating of the opponents.
    score : float in [0, games]
        Points made.
    rating : float, rating points or, on a ratio scale, strength
        Plus or minus infinity if every rating expects less, or more, than the score; NaN if undefined.
    is_ratio : bool
        Whether the rating is on a ratio scale, which begins at zero.
    """

    games: int
    opposition: float
    score: float
    rating: float
    is_ratio: bool = False

    @property
    def status(self) -> Literal["ok", "unbounded", "zero", "none"]:
        """Whether there is a number; `zero` for a player without a point on a ratio scale."""
        if isnan(self.rating):
            return "none"
        if isinf(self.rating):
            return "unbounded"
        return "zero" if self.is_ratio and self.score == 0.0 else "ok"


def linear_performance(opponents: Floats, scores: Floats) -> Performance:
    """The algorithm of 400: opposition plus 400 (wins - losses) / games [1]_.

    Parameters
    ----------
    opponents : (n,) float64, rating points
        Rating of each opponent when the game was played.
    scores : (n,) float64 in [0, 1]
        Score of each game; at least one game.

    Returns
    -------
    Performance

    Raises
    ------
    BadValue
        If there is no game, an opponent has no rating, or a score is not from 0 to 1.

    References
    ----------
    .. [1] The usual rule of thumb; a perfect score is worth 400 points, whether against one opponent or many.

    Examples
    --------
    >>> linear_performance(np.array([1850.0, 1620.0, 1190.0]), np.array([0.0, 0.0, 1.0])).rating
    1420.0
    """
    return _averaged(opponents, scores, lambda share: 400.0 * (2.0 * share - 1.0), inf)


def table_performance(opponents: Floats, scores: Floats) -> Performance:
    """Opposition plus the gap of FIDE table 8.1.1; a perfect score is worth 800.

    Examples
    --------
    >>> round(table_performance(np.array([1850.0, 1620.0, 1190.0]), np.array([0.0, 0.0, 1.0])).rating, 4)
    1428.3333
    """
    return _averaged(opponents, scores, table_gap, inf)


def normal_performance(opponents: Floats, scores: Floats, cap: float = CAP) -> Performance:
    """Opposition plus the gap of the normal curve, at most `cap` either way.

    Examples
    --------
    >>> round(normal_performance(np.array([1850.0, 1620.0, 1190.0]), np.array([0.0, 0.0, 1.0])).rating, 6)
    1431.505256
    >>> normal_performance(np.array([1500.0, 1600.0]), np.array([1.0, 1.0]), cap=766.0).rating
    2316.0
    """
    return _averaged(opponents, scores, normal_gap, cap)


def logistic_performance(opponents: Floats, scores: Floats, cap: float = CAP) -> Performance:
    """Opposition plus the gap of the logistic curve, at most `cap` either way.

    Examples
    --------
    >>> round(logistic_performance(np.array([1850.0, 1620.0, 1190.0]), np.array([0.0, 0.0, 1.0])).rating, 6)
    1432.921335
    """
    return _averaged(opponents, scores, logistic_gap, cap)


def true_logistic_performance(opponents: Floats, scores: Floats) -> Performance:
    """Rating whose expected scores against the opponents, on the logistic curve, add up to the score.

    A perfect or a zero score is unbounded: every rating expects less, or more.

    Examples
    --------
    >>> opponents = np.array([1850.0, 1620.0, 1190.0])
    >>> round(true_logistic_performance(opponents, np.array([0.0, 0.0, 1.0])).rating, 6)
    1374.659737
    >>> won = true_logistic_performance(opponents, np.array([1.0, 1.0, 1.0]))
    >>> won.rating, won.status
    (inf, 'unbounded')
    """
    return _true(opponents, scores, Curve("logistic"))


def true_normal_performance(opponents: Floats, scores: Floats) -> Performance:
    """Rating whose expected scores on the normal curve add up to the score; as `true_logistic_performance`.

    Examples
    --------
    >>> round(true_normal_performance(np.array([1850.0, 1620.0, 1190.0]), np.array([0.0, 0.0, 1.0])).rating, 6)
    1381.829633
    """
    return _true(opponents, scores, Curve("normal"))


PERFORMANCES: Mapping[str, Callable[[Floats, Floats, float], Performance]] = MappingProxyType(
    {
        "linear": lambda opponents, scores, cap: linear_performance(opponents, scores),
        "table": lambda opponents, scores, cap: table_performance(opponents, scores),
        "normal": normal_performance,
        "logistic": logistic_performance,
        "true_logistic": lambda opponents, scores, cap: true_logistic_performance(opponents, scores),
        "true_normal": lambda opponents, scores, cap: true_normal_performance(opponents, scores),
    }
)
"""Every kind of performance rating by its name, as a function of opponents, scores and the cap."""


def _averaged(opponents: Floats, scores: Floats, gap: Callable[[Floats], Floats], cap: float) -> Performance:
    """Opposition plus the gap for the share of the points."""
    _check_games(opponents, scores)
    if isnan(cap) or cap < 0.0:
        raise BadValue("cap", cap, "must be zero or more")
    games, opposition, score = len(scores), float(np.mean(opponents)), float(np.sum(scores))
    apart = float(np.clip(gap(np.array([score / games])), -cap, cap)[0])
    return Performance(games, opposition, score, opposition + apart)


def _true(opponents: Floats, scores: Floats, curve: Curve) -> Performance:
    """The root of expected score less score; expected scores rise with the rating, so there is exactly one."""
    _check_games(opponents, scores)
    games, opposition, score = len(scores), float(np.mean(opponents)), float(np.sum(scores))
    if score <= 0.0 or score >= games:
        return Performance(games, opposition, score, -inf if score <= 0.0 else inf)
    from scipy.optimize import brentq  # type: ignore[import-untyped]  # no types; heavy, and only for the root

    def surplus(rating: float) -> float:
        return float(np.sum(curve.share(rating - opponents))) - score

    low, high = float(np.min(opponents)) - 6000.0, float(np.max(opponents)) + 6000.0
    while surplus(low) > 0.0:  # close to no points, or to all of them: the root is further out
        low -= high - low
    while surplus(high) < 0.0:
        high += high - low
    return Performance(games, opposition, score, float(brentq(surplus, low, high, xtol=1e-10)))


def _check_games(opponents: Floats, scores: Floats) -> None:
    """Raises `BadValue` for games from which no performance rating can be made."""
    if len(opponents) != len(scores):
        raise BadValue("scores", len(scores), f"must be as many as the opponents, {len(opponents)}")
    if not len(opponents):
        raise BadValue("opponents", [], "must be one or more for a performance rating")
    for rating in opponents[~np.isfinite(opponents)][:1].tolist():
        raise BadValue("opponents", rating, "must each have a finite rating")
    for score in scores[~((scores >= 0.0) & (scores <= 1.0))][:1].tolist():
        raise BadValue("scores", score, "must be from 0 to 1")


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
    _check_ratio_games(opponents, scores)
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
    _check_ratio_games(opponents, scores)
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
    _check_ratio_games(opponents, scores)
    return _ratio(float(opponents @ scores), opponents, scores)


RATIO_PERFORMANCES: Mapping[str, Callable[[Floats, Floats], Performance]] = MappingProxyType(
    {"ratio": ratio_performance, "weighted_opposition": weighted_opposition, "berkin": berkin_performance}
)
"""Every kind of performance rating on a ratio scale by its name, as a function of opponents and scores."""


def _ratio(worth: float, opponents: Floats, scores: Floats) -> Performance:
    """The worth of the points won divided by the points lost."""
    lost = float(np.sum(1.0 - scores))
    rating = worth / lost if lost > 0.0 else inf
    return Performance(len(scores), float(np.mean(opponents)), float(np.sum(scores)), rating, is_ratio=True)


def _check_ratio_games(opponents: Floats, scores: Floats) -> None:
    _check_games(opponents, scores)
    for rating in opponents[opponents < 0.0][:1].tolist():
        raise BadValue("opponents", rating, "must be zero or more on a ratio scale")
