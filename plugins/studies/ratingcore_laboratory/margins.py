"""Margins of simulated games: by how many points a side wins, drawn from its chance to win."""

from collections.abc import Sequence

import numpy as np

from ratingcore.plugin import Floats, Ints, Need

POINTS = ("points_a", "points_b")
"""Fields of results that a margin fills: the winner has the margin, the loser nothing."""

SURE = 1e-9
"""Least probability that is told from none, so that every margin is finite."""


def wanted(needs: Sequence[Need]) -> bool:
    """Whether a method with these needs reads points."""
    return any(need.of == "result" and need.name in POINTS for need in needs)


def margins(percent: Floats, drawn: Ints, finer: Floats, score: Floats, sd: float) -> Floats:
    """Points by which `a` wins, below zero where `b` wins; a draw is 0 and a win a whole point at least [1]_.

    A margin is normal with a standard deviation of `sd`. Its mean `sd * z`, with z the normal quantile of the expected
    score, is nearly proportional to the gap of the strengths: at 13.86, the spread of American football [1]_, about one
    point for 20 rating points. The number that drew the result places the margin in this distribution, so that it never
    contradicts the result, and results are those of a world without margins.

    Parameters
    ----------
    percent : (n,) float64
        Expected score of `a`.
    drawn : (n,) whole numbers from 1 to 100
        Numbers that drew the results.
    finer : (n,) float64 in [0, 1)
        Place within each of these hundredths.
    score : (n,) float64
        Score of `a`.
    sd : float > 0, points

    References
    ----------
    .. [1] H. Stern, "On the Probability of Winning a Football Game", *The American Statistician* 45(3), 1991, 179-183:
       the margin less the point spread is about normal with a standard deviation of 13.86.

    Examples
    --------
    >>> even, score = np.full(3, 50.0), np.array([1.0, 0.5, 0.0])
    >>> margins(even, np.array([1, 50, 80]), np.full(3, 0.5), score, 10.0).tolist()
    [26.0, 0.0, -8.0]
    """
    from scipy.special import ndtri  # type: ignore[import-untyped]  # scipy has no types

    chance, place = (np.clip(share, SURE, 1.0 - SURE) for share in (percent / 100.0, (drawn - finer) / 100.0))
    whole = np.rint(sd * (ndtri(chance) - ndtri(place)))
    return np.where(score > 0.5, np.maximum(whole, 1.0), np.where(score < 0.5, np.minimum(whole, -1.0), 0.0))
