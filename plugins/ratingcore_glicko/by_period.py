"""Glicko and Glicko-2 by period: the games of a period are rated together, from what was known before it.

Only two loops over games look players up. The others, and those over players, run through memory in order, several rows
an instruction; each has few enough columns for the compiler to see that they do not overlap.
"""

from math import sqrt

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore_glicko.scale import FLATTER


@kernel
def grow(
    deviation: Floats, last: Floats, growth: Floats, scale: float, now: float, fresh: float, most: float,
    variance: Floats, slope: Floats,
) -> int:  # fmt: skip
    """Variances on the logistic scale, grown to the period, and slopes of the curve against players of each.

    `growth` is what a variance gains by a period, `most` the largest; `fresh` periods have passed where `last` is NaN.
    Returns how many of the deviations are none.
    """
    odd = 0
    for k in range(len(deviation)):
        known = scale * deviation[k]
        periods = now - last[k]
        periods = periods if periods > 0.0 else (fresh if periods != periods else 0.0)
        v = known * known + growth[k] * periods
        v = most if v > most else v
        odd += 0 if known >= 0.0 and growth[k] >= 0.0 else 1
        variance[k] = v
        slope[k] = 1.0 / sqrt(1.0 + FLATTER * v)
    return odd


@kernel
def face(
    rating: Floats, variance: Floats, slope: Floats, a: Ints, b: Ints, ahead: Floats, scale: float,
    slope_a: Floats, slope_b: Floats, x_a: Floats, x_b: Floats, x: Floats,
) -> None:  # fmt: skip
    """Of each game, the slopes of the curves of both sides, and the arguments of both and of the forecast."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        gap = scale * (rating[i] - rating[j] + ahead[g])
        slope_a[g] = slope[j]
        slope_b[g] = slope[i]
        x_a[g] = slope[j] * gap
        x_b[g] = slope[i] * -gap
        x[g] = gap / sqrt(1.0 + FLATTER * (variance[i] + variance[j]))


@kernel
def tally(
    a: Ints, b: Ints, score: Floats, bonus: float, slope_a: Floats, slope_b: Floats, share_a: Floats, share_b: Floats,
    precision: Floats, pull: Floats, met: Floats,
) -> None:  # fmt: skip
    """Sums what the games of each player say: how precisely, and whither they pull. Shares become the pull of each."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        s, t, e, f = slope_a[g], slope_b[g], share_a[g], share_b[g]
        precision[i] += s * s * e * (1.0 - e)
        precision[j] += t * t * f * (1.0 - f)
        share_a[g] = c = s * (score[g] + bonus - e)
        share_b[g] = d = t * (1.0 - score[g] + bonus - f)
        pull[i] += c
        pull[j] += d
        met[i] = met[j] = 1.0


@kernel
def shrink(variance: Floats, precision: Floats, most: float) -> None:
    """Variances after the games of a period, in place."""
    for k in range(len(variance)):
        v = variance[k] / (1.0 + variance[k] * precision[k])
        variance[k] = most if v > most else v


@kernel
def spread(variance: Floats, met: Floats, scale: float, least: float, deviation: Floats) -> None:
    """New deviations of those who played, in place."""
    points = 1.0 / scale
    for k in range(len(deviation)):
        known = sqrt(variance[k]) * points
        known = least if known < least else known
        deviation[k] = known if met[k] > 0.0 else deviation[k]


@kernel
def move(variance: Floats, pull: Floats, scale: float, rating: Floats) -> None:
    """New ratings, in place; variances become what a unit of pull moves."""
    points = 1.0 / scale
    for k in range(len(rating)):
        worth = variance[k] * points
        variance[k] = worth
        rating[k] += worth * pull[k]


@kernel
def stamp(met: Floats, now: float, last: Floats) -> None:
    """When those who played last did, in place."""
    for k in range(len(last)):
        last[k] = now if met[k] > 0.0 else last[k]


@kernel
def share(worth: Floats, a: Ints, b: Ints, change_a: Floats, change_b: Floats) -> None:
    """Turns the pull of each game on each side into the points it moved."""
    for g in range(len(a)):
        change_a[g] *= worth[a[g]]
        change_b[g] *= worth[b[g]]
