"""The formulas of one player: against fixed opponents, and from one result to the next."""

from math import nan
from typing import Literal

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadParameter, Floats

FLOOR = 1e-9
"""Lowest rating after a change, as a fraction of the anchor, for formulas that could go below zero."""

Variant = Literal["13.10", "13.11", "13.12", "13.13"]
VARIANTS: tuple[Variant, ...] = ("13.10", "13.11", "13.12", "13.13")


@frozen
class Performance:
    """A rating against fixed opponents, or the reason why there is none.

    Parameters
    ----------
    rating : float >= 0
        NaN if it is unbounded.
    status : {"ok", "unbounded", "zero"}
    """

    rating: float
    status: Literal["ok", "unbounded", "zero"]


def performance(opponents: Floats, scores: Floats) -> Performance:
    """Rating at which the points won and lost against fixed opponents balance [1]_.

    Parameters
    ----------
    opponents : (n,) float64 >= 0
        Ratings of the opponents on the ratio scale.
    scores : (n,) float64 in [0, 1]

    Returns
    -------
    Performance
        `unbounded` where no point was lost, `zero` where none was won.

    References
    ----------
    .. [1] "The Berkin System", unpublished, formula 13.2; written out in the README here.

    Examples
    --------
    >>> performance(np.array([1000.0, 1200.0, 1100.0]), np.array([1.0, 0.0, 0.5]))
    Performance(rating=1033.3333333333333, status='ok')
    >>> performance(np.array([1000.0]), np.array([1.0]))
    Performance(rating=nan, status='unbounded')
    """
    faced, share = np.asarray(opponents, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    if faced.shape != share.shape or faced.ndim != 1:
        raise BadParameter("berkin", "scores", f"must be one for each opponent: {share.shape} for {faced.shape}")
    for rating in faced[~(np.isfinite(faced) & (faced >= 0.0))][:1].tolist():
        raise BadParameter("berkin", "opponents", f"must be zero or more: {rating!r}")
    for score in share[~((share >= 0.0) & (share <= 1.0))][:1].tolist():
        raise BadParameter("berkin", "scores", f"must be from 0 to 1: {score!r}")
    lost = float(np.sum(1.0 - share))
    if lost == 0.0:
        return Performance(nan, "unbounded")
    return Performance(float(faced @ share) / lost, "ok" if share.any() else "zero")


def change(
    variant: Variant,
    rating: float,
    worth: float,
    given: float,
    *,
    lost: float = 0.0,
    n0: float = 20.0,
) -> float:
    """Change of a rating by results: `(worth - rating * given) / D` [1]_.

    Parameters
    ----------
    variant : {"13.10", "13.11", "13.12", "13.13"}
        The formula: D is `lost + given`, `n0 + given`, `n0`, `n0`. The first three are for one result.
    rating : float >= 0
        Before the results.
    worth : float >= 0
        Opponent's rating times score, summed over the results.
    given : float >= 0, points
        Points lost: 1 minus the score, summed over the results.
    lost : float >= 0, points
        Points lost before: only 13.10 reads it.
    n0 : float > 0, games
        Constant in place of the points lost.

    Returns
    -------
    float
        NaN if 13.10 is undefined because no point was ever lost.

    References
    ----------
    .. [1] "The Berkin System", unpublished, formulas 13.10 to 13.13; written out in the README here.

    Examples
    --------
    >>> [change(v, 1000.0, 1200.0 * 0.5, 0.5, lost=10.0) for v in ("13.10", "13.12")]
    [9.523809523809524, 5.0]
    """
    if variant not in VARIANTS:
        raise BadParameter("berkin-change", "variant", f"must be one of {', '.join(VARIANTS)}: {variant!r}")
    over = {"13.10": lost + given, "13.11": n0 + given}.get(variant, n0)
    return (worth - rating * given) / over if over > 0.0 else nan


def points(rating: Floats, around: float = 0.0) -> Floats:
    """Ratio ratings as rating points on Elo's logistic scale of 400.

    Parameters
    ----------
    rating : (n,) float64 >= 0
    around : float, rating points
        Points of the geometric mean of the positive ratings.

    Returns
    -------
    (n,) float64, rating points
        NaN for ratings of zero, and for players without a rating.

    Examples
    --------
    >>> points(np.array([1687.27626, 684.030916, 866.439161])).round(6).tolist()
    [90.874478, -65.969708, -24.904771]
    """
    value = np.asarray(rating, dtype=np.float64)
    logs = np.log10(np.where(value > 0.0, value, np.nan))
    return around + 400.0 * (logs - np.nanmean(logs)) if (value > 0.0).any() else logs
