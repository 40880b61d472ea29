"""Log-likelihood of rows of results, with first and second derivatives with respect to the gap and the draw parameter.

The gap `d` and the draw parameter `x` are in natural logarithms: `x` is ln nu of Davidson, ln theta of Rao and Kupper.
"""

from math import exp
from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.curves import expit

HALF, DAVIDSON, RAO_KUPPER = 0, 1, 2


class Rows(NamedTuple):
    """Log-likelihood of rows of results, its slopes, and its negative second derivatives, (m,) float64 each."""

    likelihood: Floats
    slope: Floats
    draw_slope: Floats
    by_gap: Floats
    by_both: Floats
    by_draw: Floats


def rows_at(model: int, d: Floats, x: float, won: Floats, drawn: Floats, lost: Floats) -> Rows:
    """Log-likelihood and derivatives of rows at the gaps `d` and the draw parameter `x`."""
    games, still = won + drawn + lost, np.zeros(len(d))
    if model == HALF:
        small = np.exp(-np.abs(d))
        win = np.where(d >= 0.0, 1.0, small) / (1.0 + small)
        likelihood = -games * np.log1p(small) - np.where(d > 0.0, lost, -won) * d
        return Rows(likelihood, won - games * win, still, games * win * (1.0 - win), still, still)
    if model == DAVIDSON:
        half = np.exp(-0.5 * np.abs(d))
        whole = 1.0 + half * half + exp(x) * half
        tie, lead = exp(x) * half / whole, np.sign(d) * (1.0 - half * half) / whole
        log_whole = 0.5 * np.abs(d) + np.log(whole)
        return Rows(
            0.5 * d * (won - lost) + x * drawn - games * log_whole,
            0.5 * (won - lost) - 0.5 * games * lead,
            drawn - games * tie,
            0.25 * games * (1.0 - tie - lead * lead),
            -0.5 * games * lead * tie,
            games * tie * (1.0 - tie),
        )
    win, loss = expit(d - x), expit(-d - x)
    ups, downs = won + drawn, lost + drawn
    steep, deep = ups * win * (1.0 - win), downs * loss * (1.0 - loss)
    less = exp(-2.0 * max(x, 1e-9))  # without draws x may be 0
    return Rows(
        ups * _log_expit(d - x) + downs * _log_expit(-d - x) + drawn * (2.0 * x + np.log1p(-less)),
        ups * (1.0 - win) - downs * (1.0 - loss),
        2.0 * drawn / (1.0 - less) - ups * (1.0 - win) - downs * (1.0 - loss),
        steep + deep,
        deep - steep,
        steep + deep + 4.0 * drawn * less / ((1.0 - less) * (1.0 - less)),
    )


def _log_expit(x: Floats) -> Floats:
    return np.asarray(np.minimum(x, 0.0) - np.log1p(np.exp(-np.abs(x))), dtype=np.float64)


@kernel
def multiply(
    i: Ints, j: Ints, terms: Floats, by_gap: Floats, by_both: Floats, by_draw: Floats, free: Floats, v: Floats,
    out: Floats,
) -> None:  # fmt: skip
    """Multiplies the curvature by a vector, without the fixed parameters, which have a 0 in `free`."""
    last = len(v) - 1
    n = last - (len(terms[0]) if len(i) else 0)
    draw, at_draw = free[last] * v[last], 0.0
    for k in range(last + 1):
        out[k] = 0.0
    for r in range(len(i)):
        a, b = i[r], j[r]
        d = free[a] * v[a] - free[b] * v[b]
        for t in range(n, last):
            d += free[t] * v[t] * terms[r][t - n]
        pull = by_gap[r] * d + by_both[r] * draw
        out[a] += pull
        out[b] -= pull
        for t in range(n, last):
            out[t] += pull * terms[r][t - n]
        at_draw += by_both[r] * d + by_draw[r] * draw
    out[last] = at_draw
    for k in range(last + 1):
        out[k] *= free[k]


@kernel(passes=50)
def conjugate(
    i: Ints, j: Ints, terms: Floats, by_gap: Floats, by_both: Floats, by_draw: Floats, free: Floats, scale: Floats,
    tolerance: float, left: Floats, found: Floats, step: Floats, over: Floats,
) -> None:  # fmt: skip
    """Solves for `found` by conjugate gradients, preconditioned by `scale`; `left` is the right side, overwritten."""
    size = len(left)
    before = 0.0
    for k in range(size):
        found[k] = 0.0
        step[k] = scale[k] * left[k]
        before += left[k] * step[k]
    goal = tolerance * tolerance * before
    for _turn in range(10 * size):
        if not before > goal:
            return
        multiply(i, j, terms, by_gap, by_both, by_draw, free, step, over)
        width = 0.0
        for k in range(size):
            width += step[k] * over[k]
        if not width > 0.0:
            return
        along = before / width
        now = 0.0
        for k in range(size):
            found[k] += along * step[k]
            left[k] -= along * over[k]
            now += scale[k] * left[k] * left[k]
        again = now / before
        for k in range(size):
            step[k] = scale[k] * left[k] + again * step[k]
        before = now
