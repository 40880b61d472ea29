"""The outcome models without a closed form: posteriors by 400 Gauss-Legendre nodes."""

from math import exp, log, sqrt

import numpy as np

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.tails import decay
from ratingcore_chess_bayes.drift import drifted

SQUARE, DAVIDSON, RAO_KUPPER = 0, 1, 2
REACH = 14.0
"""Number of standard deviations around the gap within which nodes lie."""


def _gauss_legendre(n: int) -> tuple[Floats, Floats]:
    """Nodes and weights on -1 to 1, by Newton's method on the recurrence of the Legendre polynomials."""
    x = np.cos(np.pi * (np.arange(n) + 0.75) / (n + 0.5))
    for _ in range(5):
        below, at = np.ones(n), x.copy()
        for k in range(2, n + 1):
            below, at = at, ((2 * k - 1) * x * at - (k - 1) * below) / k
        slope = n * (x * at - below) / (x * x - 1.0)
        x = x - at / slope
    return x, 2.0 / ((1.0 - x * x) * slope * slope)


_X, _W = _gauss_legendre(400)
NODE: list[float] = (REACH * _X).tolist()
"""Positions of the nodes, in standard deviations from the gap."""
WEIGHT: list[float] = (REACH * _W).tolist()
NORMAL: list[float] = (REACH * _W * np.exp(-0.5 * (REACH * _X) ** 2) / sqrt(2.0 * np.pi)).tolist()
"""Weight times the density of the standard normal."""


@kernel
def split(model: int, tie: float, u: float) -> tuple[float, float, float]:
    """Chance of win, draw and loss of a side whose gap over the scale, times ln 10, is `u`."""
    if model == 1:
        h = decay(0.5 * abs(u))
        most = 1.0 / (1.0 + h * (tie + h))
        draw = tie * h * most
        least = h * h * most
    else:
        h = decay(abs(u))
        if model == 0:
            most = 1.0 / ((1.0 + h) * (1.0 + h))
            draw = 2.0 * h * most
            least = h * h * most
        else:
            most = 1.0 / (1.0 + tie * h)
            least = h / (h + tie)
            draw = (tie * tie - 1.0) * h * most / (h + tie)
    return (most, draw, least) if u >= 0.0 else (least, draw, most)


@kernel
def logarithm(model: int, tie: float, u: float, won: float) -> float:
    """Logarithm of the chance of an outcome, even if the chance itself is too small for a float64."""
    size = abs(u)
    behind = 0.0 if won == 0.5 or (won > 0.5) == (u >= 0.0) else 1.0
    if model == 1:
        h = decay(0.5 * size)
        other = log(tie) - 0.5 * size if won == 0.5 else -behind * size
        return other - log(1.0 + h * (tie + h))
    h = decay(size)
    if model == 0:
        other = log(2.0) - size if won == 0.5 else -2.0 * behind * size
        return other - 2.0 * log(1.0 + h)
    if won == 0.5:
        return log(tie * tie - 1.0) - size - log(1.0 + tie * h) - log(h + tie)
    return -log(1.0 + tie * h) if behind == 0.0 else -size - log(h + tie)


@kernel
def steepness(model: int, tie: float, u: float, won: float) -> float:
    """Derivative of `logarithm` by `u`."""
    win, draw, loss = split(model, tie, u)
    if won == 0.5 and model == 2:
        return loss - win
    if won != 0.5 and model == 2:
        return won - win if won > 0.5 else loss - 1.0
    return (2.0 if model == 0 else 1.0) * (won - win - 0.5 * draw)


@kernel
def summit(model: int, tie: float, slope: float, gap: float, v: float, won: float) -> float:
    """Gap at which the posterior is highest: the logarithm is concave, so there is one."""
    low = gap - 2.0 * slope * v
    high = gap + 2.0 * slope * v
    for _ in range(60):
        middle = 0.5 * (low + high)
        if slope * steepness(model, tie, slope * middle, won) * v > middle - gap:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@kernel
def far_moments(model: int, tie: float, slope: float, gap: float, v: float, won: float) -> tuple[float, float]:
    """Mean (less the gap) and variance of the posterior, by logarithms, on nodes around its summit."""
    sd = sqrt(v)
    top = summit(model, tie, slope, gap, v, won)
    height = logarithm(model, tie, slope * top, won) - 0.5 * (top - gap) * (top - gap) / v
    total = first = second = 0.0
    for n in range(400):
        t = top + sd * NODE[n]
        x = (t - gap) / sd
        weight = WEIGHT[n] * exp(logarithm(model, tie, slope * t, won) - 0.5 * x * x - height)
        total += weight
        first += weight * NODE[n]
        second += weight * NODE[n] * NODE[n]
    first /= total
    return top - gap + sd * first, v * (second / total - first * first)


@kernel
def posterior(
    model: int, tie: float, slope: float, gap: float, v: float, won: float
) -> tuple[float, float, float, float]:
    """Chances of a win and of a draw, and the mean (less the gap) and variance of the posterior of the gap."""
    sd = sqrt(v)
    wins = draws = losses = first = second = 0.0
    for n in range(400):
        win, draw, loss = split(model, tie, slope * (gap + sd * NODE[n]))
        wins += NORMAL[n] * win
        draws += NORMAL[n] * draw
        losses += NORMAL[n] * loss
        weight = NORMAL[n] * (win if won > 0.5 else loss if won < 0.5 else draw) * NODE[n]
        first += weight
        second += weight * NODE[n]
    total = wins if won > 0.5 else losses if won < 0.5 else draws
    if slope * sd > 2.0 or total < 1e-250:
        far, variance = far_moments(model, tie, slope, gap, v, won)
        return wins, draws, far, variance
    first /= total
    return wins, draws, sd * first, v * (second / total - first * first)


@kernel
def play(
    rating: Floats, deviation: Floats, last: Floats, a: Ints, b: Ints, score: Floats, day: Floats,
    model: int, tie: float, slope: float, drift_var: float, top: float,
    expected: Floats, draw: Floats, change_a: Floats, change_b: Floats,
) -> int:  # fmt: skip
    """Rates the games; returns the index of the first that cannot be rated, or -1."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        won = score[g]
        p, q = deviation[i], deviation[j]
        if won != 1.0 and won != 0.0 and (won != 0.5 or tie == TIELESS[model]):
            return g
        p2 = drifted(p, last[i], day[g], drift_var, top)
        q2 = drifted(q, last[j], day[g], drift_var, top)
        if drift_var > 0.0:
            last[i] = last[j] = day[g]
        v = p2 + q2
        gap = rating[i] - rating[j]
        if v > 0.0:
            wins, draws, moved, variance = posterior(model, tie, slope, gap, v, won)
            share_a, share_b = p2 / v, q2 / v
            change_a[g], change_b[g] = share_a * moved, -share_b * moved
            deviation[i] = sqrt(p2 - share_a * (p2 - share_a * variance))
            deviation[j] = sqrt(q2 - share_b * (q2 - share_b * variance))
        else:
            wins, draws, _ = split(model, tie, slope * gap)
            change_a[g] = change_b[g] = 0.0
        draw[g], expected[g] = draws, wins + 0.5 * draws
        rating[i] += change_a[g]
        rating[j] += change_b[g]
    return -1


TIELESS: list[float] = [-1.0, 0.0, 1.0]
"""Parameter of each model at which draws are impossible."""


def chances(gap: Floats, variance: Floats, model: int, tie: float, slope: float) -> tuple[Floats, Floats]:
    """Expected share and chance of a draw at each gap of ratings whose variances add up to `variance`."""
    expected, draw = np.empty(len(gap)), np.empty(len(gap))
    fill_chances(gap, variance, model, tie, slope, expected, draw)
    return expected, draw


@kernel
def fill_chances(
    gap: Floats, variance: Floats, model: int, tie: float, slope: float, expected: Floats, draw: Floats
) -> None:
    """Fills in the expected share and the chance of a draw of each game."""
    for g in range(len(gap)):
        sd = sqrt(variance[g])
        wins = draws = 0.0
        for n in range(400):
            win, drawn, _ = split(model, tie, slope * (gap[g] + sd * NODE[n]))
            wins += NORMAL[n] * win
            draws += NORMAL[n] * drawn
        expected[g], draw[g] = wins + 0.5 * draws, draws
