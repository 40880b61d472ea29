"""The Kalman measurement update: what one result teaches about jointly normal strengths."""

from math import log, pi
from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Ints
from ratingcore_bridge_bayes.large_field import LARGE

_LN_2PI = log(2.0 * pi)


class Surprise(NamedTuple):
    """Distance of a result from its expectation, and predictive variance, per row of weights."""

    amount: Floats
    variance: Floats

    @property
    def likelihood(self) -> float:
        """Logarithm of the density of the result before it was known."""
        return float(-0.5 * np.sum(_LN_2PI + np.log(self.variance) + self.amount**2 / self.variance))


def condition(mean: Floats, covariance: Floats, member: Ints, weights: Floats, lead: Floats, noise: float) -> Surprise:
    """Learns from a result in place, by the Kalman measurement update, row by row [1]_.

    In each row, `lead` is the weighted sum of the members' strengths plus normal noise. The covariance is updated in
    Joseph's form, multiplied out, so that rounding leaves it symmetric and positive.

    Parameters
    ----------
    mean : (n,) float64, rating points
        Strengths before; afterwards, the posterior means.
    covariance : (n, n) float64, rating points squared
        Covariances before and after; other players move as far as they are correlated with members.
    member : (m,) int
        Rows of the players of the result.
    weights : (r, m) float64, units of the result a point
        `h` of the members in each of the rows.
    lead : (r,) float64, units of the result
        Score less what equal sides expect.
    noise : float > 0, units of the result squared
        Variance of a result when all strengths are known.

    Returns
    -------
    Surprise
        Surprise of each row, given the rows above it.

    References
    ----------
    .. [1] M. Ioffe, formulas (11) and (12), in the closed form that the README of this plugin derives.

    Examples
    --------
    Two pairs, S = 60: the changes are +-11.249780, and the variances 39887.502197.

    >>> mean, covariance = np.array([1500.0, 1400.0, 1600.0, 1550.0]), np.diag(np.full(4, 200.0**2))
    >>> h = 4.0 / 1500.0 * np.array([[1.0, 1.0, -1.0, -1.0]])
    >>> seen = condition(mean, covariance, np.arange(4), h, np.array([60.0 - 50.0]), 10.0**2)
    >>> mean.round(6).tolist()
    [1511.24978, 1411.24978, 1588.75022, 1538.75022]
    >>> covariance[0].round(6).tolist()
    [39887.502197, -112.497803, 112.497803, 112.497803]
    >>> round(seen.likelihood, 6)
    -3.789669
    """
    if len(lead) > LARGE:
        return _at_once(mean, covariance, member, weights, lead, noise)
    amount, variance = np.empty(len(lead)), np.empty(len(lead))
    for row, h in enumerate(weights):
        shared = (np.ascontiguousarray(covariance[:, member]) * h).sum(axis=1)
        variance[row] = v = noise + float((shared[member] * h).sum())
        amount[row] = y = lead[row] - float((mean[member] * h).sum())
        gain = shared / v
        mean += gain * y
        crossed = gain[:, None] * shared
        covariance += v * (gain[:, None] * gain) - (crossed + crossed.T)
    return Surprise(amount, variance)


def _at_once(mean: Floats, covariance: Floats, member: Ints, weights: Floats, lead: Floats, noise: float) -> Surprise:
    """Learns all rows in one step: a Cholesky factor gives the surprise of each row, given those above it."""
    shared = covariance[:, member] @ weights.T
    factor = np.linalg.cholesky(weights @ shared[member] + noise * np.eye(len(lead)))
    root = np.linalg.solve(factor, shared.T)
    white = np.linalg.solve(factor, lead - weights @ mean[member])
    mean += white @ root
    less = root.T @ root
    covariance -= 0.5 * (less + less.T)
    own = np.diag(factor)
    return Surprise(own * white, own**2)
