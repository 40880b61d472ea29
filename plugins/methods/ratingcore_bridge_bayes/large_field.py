"""Posterior after a session of many sides in closed form: the same as row by row, in time linear in the sides."""

from math import log, pi
from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Ints

LARGE = 100
"""Number of sides above which the closed form is used: row by row, time grows with the cube of their number."""


class Learnt(NamedTuple):
    """Posterior after a session: strengths and variances of its members, and the scores expected before it."""

    mean: Floats
    variance: Floats
    gap: Floats
    before: float
    likelihood: float


def opposed(strength: Floats, line: int) -> Floats:
    """Strength of each side less the mean strength of the sides it met.

    Parameters
    ----------
    strength : (n,) float64
    line : int
        Number of sides in the first line, which comes first; each met all sides of the other line. 0 if each side met
        every other one.

    Examples
    --------
    >>> opposed(np.array([4.0, 1.0, 1.0]), 0).tolist(), opposed(np.array([4.0, 1.0, 2.0]), 1).tolist()
    ([3.0, -1.5, -1.5], [2.5, -3.0, -2.0])
    """
    n = len(strength)
    if not line:
        return np.asarray((n * strength - strength.sum()) / (n - 1))
    return np.asarray(strength - np.repeat([strength[line:].mean(), strength[:line].mean()], [line, n - line]))


def learn_field(
    mean: Floats, variance: Floats, seat: Floats, start: Ints, line: int, lead: Floats, k: float, noise: float
) -> Learnt:
    """Computes the posterior after a session of many sides whose members' strengths are independent beforehand.

    The result is that of `condition` with one row per side, with weight k for the side and -k for the mean of the sides
    it met. The session adds the precision `k^2/noise O'O` to the sums of its sides. `O'O` is the identity except for
    one dimension per line, so the posterior is diagonal except for as many dimensions, and no matrix is larger than two
    by two. Differences that would nearly cancel are rewritten as sums of positive terms.

    Parameters
    ----------
    mean, variance : (m,) float64, rating points and their squares
        Prior means and variances of the members, side after side.
    seat : (m,) float64
        Share of the boards that each member played.
    start : (n + 1,) int
        First member of each side.
    line : int
        As for `opposed`.
    lead : (n,) float64, units of the score
        Scores less what equal sides expect.
    k : float > 0, units of the score a rating point
    noise : float > 0, units of the score squared

    Examples
    --------
    >>> from ratingcore_bridge_bayes.conditioning import condition
    >>> mean, square, lead = np.array([1500.0, 1600.0, 1450.0]), np.diag(np.full(3, 4e4)), np.array([6.0, -4.0, -2.0])
    >>> learnt = learn_field(mean, np.diag(square), np.ones(3), np.arange(4), 0, lead, 0.01, 36.0)
    >>> weights = 0.01 * (1.5 * np.eye(3) - 0.5)
    >>> seen = condition(mean, square, np.arange(3), weights, lead, 36.0)
    >>> bool(np.allclose(learnt.mean, mean)), bool(np.allclose(learnt.variance, np.diag(square)))
    (True, True)
    """
    n, own = len(lead), np.add.reduceat(variance * seat**2, start[:-1])
    gap = k * opposed(np.add.reduceat(mean * seat, start[:-1]), line)
    surprise, e = lead - gap, k * k / noise
    first = np.arange(n) < line
    if line:
        other, both = n - line, np.array([line, n - line])
        left = 1.0 / (1.0 + e * own)
        u, v = float(left[first].mean()), float(left[~first].mean())
        p, q, ratio = 1.0 - u, 1.0 - v, other / line
        small = u + v * p + p * ratio * v + q * u / ratio
        cross = 1.0 / line + 1.0 / other
        inner = np.array([[ratio / line * v - q * cross, -cross], [-cross, u / ratio / other - p * cross]]) * e / small
        back = surprise - np.repeat([surprise[~first].sum(), surprise[first].sum()] / both, both)
        met = np.repeat([own[~first].sum(), own[first].sum()] / both[::-1] ** 2, both)
    else:
        e *= (n / (n - 1)) ** 2
        left = 1.0 / (1.0 + e * own)
        small = float(left.mean())
        inner = np.array([[0.0, 0.0], [0.0, -e / (n * small)]])
        back = opposed(surprise, 0)
        met = (own.sum() - own) / (n - 1) ** 2
    pulled = k / noise * back
    known = own * left * pulled
    group = (~first).astype(np.int64)
    shared = inner @ [known[first].sum(), known[~first].sum()]
    step = left * (pulled - shared[group])
    curb = e * left + inner[group, group] * left**2
    sizes = np.diff(start)
    weight = variance * seat
    quadratic = (float(surprise @ surprise) - noise * float(pulled @ (own * step))) / noise
    logarithm = n * log(2.0 * pi * noise) - float(np.log(left).sum()) + log(small)
    return Learnt(
        mean + weight * np.repeat(step, sizes),
        variance - weight**2 * np.repeat(curb, sizes),
        gap,
        noise + k * k * float((own + met).mean()),
        -0.5 * (logarithm + quadratic),
    )
