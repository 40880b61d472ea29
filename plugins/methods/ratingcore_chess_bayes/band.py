"""The outcome model with a closed form: performances that differ by less than a band are a draw.

Everything is seen from the favourite's side, which is ahead by `d` points. With `s`, the expected standard deviation of
the difference of two performances, the outcomes are separated by `x = (d - eps) / s` and `y = (d + eps) / s`: the
favourite wins with chance Phi(x) and loses with 1 - Phi(y). After the game the gap has mean `d + v / s * pull` and
variance `v - v^2 / s^2 * shrink`.
"""

from math import sqrt

import numpy as np

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.curves import ndtr
from ratingcore.plugin.tails import above, decay, drawn, normal_near, pull_near, won
from ratingcore_chess_bayes.drift import drifted

ROOT = 0.3989422804014327
"""Density of the standard normal at 0."""


@kernel
def play(
    rating: Floats, deviation: Floats, last: Floats, a: Ints, b: Ints, score: Floats, day: Floats,
    spread: float, eps: float, drift_var: float, top: float,
    expected: Floats, draw: Floats, change_a: Floats, change_b: Floats,
) -> int:  # fmt: skip
    """Rates the games; returns the index of the first that cannot be rated, or -1."""
    for g in range(len(a)):
        i = a[g]
        j = b[g]
        p = deviation[i]
        q = deviation[j]
        gap = rating[i] - rating[j]
        outcome = 2.0 * score[g] - 1.0
        tie = outcome == 0.0
        if not (tie or outcome * outcome == 1.0):
            return g
        if drift_var > 0.0:
            p2 = drifted(p, last[i], day[g], drift_var, top)
            q2 = drifted(q, last[j], day[g], drift_var, top)
            last[i] = last[j] = day[g]
        else:
            p2 = p * p
            q2 = q * q
        s2 = spread + p2 + q2
        per_s2 = 1.0 / s2
        inverse = sqrt(s2) * per_s2  # root and quotient are computed in parallel
        ahead = abs(gap)
        x = (ahead - eps) * inverse
        y = (ahead + eps) * inverse
        line = (outcome * gap - eps) * inverse
        if x > -7.9 and y < 7.9:  # almost always, and fast
            under_x = normal_near(x)
            under_y = normal_near(y)
            if not tie:
                pull = pull_near(line)
                shrink = pull * (pull + line)
            elif under_y - under_x > 0.01:
                bell_x = ROOT * decay(0.5 * x * x)
                bell_y = ROOT * decay(0.5 * y * y)
                over = 1.0 / (under_y - under_x)
                pull = (bell_y - bell_x) * over
                shrink = pull * pull + (y * bell_y - x * bell_x) * over
            elif eps > 0.0:
                pull, shrink = drawn(x, y)
            else:
                return g
        elif gap != gap:  # a side is unrated
            expected[g] = draw[g] = change_a[g] = change_b[g] = rating[i] = rating[j] = gap
            continue
        elif tie and eps == 0.0:
            return g
        else:
            under_x, under_y = above(-x), above(-y)
            pull, shrink = drawn(x, y) if tie else won(line)
        between = under_y - under_x
        draw[g] = between if between > 0.0 else 0.0
        side = 0.5 if gap >= 0.0 else -0.5
        expected[g] = 0.5 + side * (under_x + under_y - 1.0)
        pull *= (2.0 * side if tie else outcome) * inverse
        shrink *= per_s2
        change_a[g] = p2 * pull
        change_b[g] = -q2 * pull
        rating[i] += p2 * pull
        rating[j] -= q2 * pull
        deviation[i] = sqrt(p2 * max(1.0 - p2 * shrink, 0.0))
        deviation[j] = sqrt(q2 * max(1.0 - q2 * shrink, 0.0))
    return -1


def chances(gap: Floats, variance: Floats, spread: float, eps: float) -> tuple[Floats, Floats]:
    """Expected share and chance of a draw at each gap of ratings whose variances add up to `variance`."""
    width = np.sqrt(spread + variance)
    win, loss = ndtr((gap - eps) / width), ndtr((-gap - eps) / width)
    return 0.5 + 0.5 * (win - loss), np.maximum(1.0 - win - loss, 0.0)
