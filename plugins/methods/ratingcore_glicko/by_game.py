"""Glicko and Glicko-2 game by game: each game is a period of its two players; deviations grow by fractions of one."""

from math import sqrt

from ratingcore.plugin import Floats, Ints, disjoint, kernel
from ratingcore.plugin.curves import logistic
from ratingcore_glicko.scale import FLATTER, POINT2, Q2, Q, aged, flattened
from ratingcore_glicko.volatility import mend, renew


@kernel
def play(
    rating: Floats, deviation: Floats, last: Floats, a: Ints, b: Ints, score: Floats, time: Floats, ahead: Floats,
    growth: float, least: float, most: float, each: float, bonus: float, near: float,
    expected: Floats, change_a: Floats, change_b: Floats,
) -> None:  # fmt: skip
    """Rates the games in place.

    `growth` and `each` are the growth of a variance per period and per game, on the logistic scale like `most`; `near`
    is the part of a gap by which each player is drawn to the other.
    """
    for g in range(len(a)):
        i, j = a[g], b[g]
        gap = rating[i] - rating[j]
        if gap != gap:  # a side is unrated
            expected[g] = gap
            change_a[g] = change_b[g] = 0.0
            continue
        v, w = Q * deviation[i], Q * deviation[j]
        v = aged(v * v, last[i], time[g], growth, 0.0, most)
        w = aged(w * w, last[j], time[g], growth, 0.0, most)
        last[i] = last[j] = time[g]
        x = Q * (gap + ahead[g])
        of_a, of_b = flattened(w), flattened(v)
        e, f = logistic(of_a * x), logistic(of_b * -x)
        expected[g] = logistic(flattened(v + w) * x)
        v += each
        w += each
        v /= 1.0 + v * (of_a * of_a * e * (1.0 - e))
        w /= 1.0 + w * (of_b * of_b * f * (1.0 - f))
        change_a[g] = c = v / Q * of_a * (score[g] + bonus - e) - near * gap
        change_b[g] = d = w / Q * of_b * (1.0 - score[g] + bonus - f) + near * gap
        rating[i] += c
        rating[j] += d
        deviation[i] = max(sqrt(v) / Q, least)
        deviation[j] = max(sqrt(w) / Q, least)


@kernel
def face(n: int, variance: Floats, gap: Floats, slope: Floats, x: Floats) -> None:
    """Fills in, for `n` games, the slopes of both sides' curves, and the arguments of both curves and the forecast.

    The first `n` rows are for the first players, the next `n` for the second players, the last `n` for forecasts.
    """
    for k in range(n):
        v, w = variance[k], variance[n + k]
        steep_a, steep_b = sqrt(1.0 + FLATTER * w), sqrt(1.0 + FLATTER * v)
        steep = sqrt(1.0 + FLATTER * (v + w))
        over = 1.0 / (steep_a * steep_b * steep)  # one division for three slopes
        of_a, of_b = steep_b * steep * over, steep_a * steep * over
        slope[k], slope[n + k] = of_a, of_b
        x[k], x[n + k], x[2 * n + k] = of_a * gap[k], of_b * -gap[k], steep_a * steep_b * over * gap[k]


@kernel
def weigh(n: int, start: int, score: Floats, share: Floats, precision: Floats, pull: Floats) -> None:
    """Fills in the precision that games from `start` on add to both sides; slopes in `pull` become pulls."""
    for k in range(n):
        s, t, e, f = pull[k], pull[n + k], share[k], share[n + k]
        precision[k], precision[n + k] = s * s * e * (1.0 - e), t * t * f * (1.0 - f)
        pull[k], pull[n + k] = s * (score[start + k] - e), t * (1.0 - score[start + k] - f)


@kernel
def settle(n: int, variance: Floats, precision: Floats, pull: Floats, least: float) -> None:
    """Turns variances into the deviations after the games, and pulls into rating points."""
    for k in range(n):
        v, w = variance[k], variance[n + k]
        known_a, known_b = 1.0 + v * precision[k], 1.0 + w * precision[n + k]
        over = 1.0 / (known_a * known_b)
        v *= known_b * over
        w *= known_a * over
        pull[k], pull[n + k] = POINT2 * v * pull[k], POINT2 * w * pull[n + k]
        v, w = sqrt(v) * POINT2, sqrt(w) * POINT2
        variance[k], variance[n + k] = least if v < least else v, least if w < least else w


@kernel
def bound(n: int, most: float, squared: Floats) -> None:
    """Replaces numbers by their square roots, or by `most` if that is smaller."""
    for k in range(n):
        root = sqrt(squared[k])
        squared[k] = most if root > most else root


@kernel(passes=4)
def play_volatile(
    rating: Floats, deviation: Floats, volatility: Floats, last: Floats, a: Ints, b: Ints, score: Floats, time: Floats,
    ahead: Floats, stiff: float, least: float, most: float, most_volatile: float, floor: float,
    seen: Ints, gap: Floats, variance: Floats, own: Floats, share: Floats, precision: Floats, pull: Floats, new: Floats,
    expected: Floats, change_a: Floats, change_b: Floats,
) -> None:  # fmt: skip
    """Rates the games in place by Glicko-2.

    Consecutive games without a common player are rated side by side, with the same result to the last bit. `seen` is
    that of `disjoint`; the seven arrays after it are scratch space with three numbers for each game of a stretch.
    """
    start = 0
    while start < len(a):
        n = disjoint(a, b, start, seen) - start
        for k in range(n):
            g = start + k
            i, j = a[g], b[g]
            s, t = volatility[i], volatility[j]
            s *= s
            t *= t
            v, w = Q2 * deviation[i], Q2 * deviation[j]
            variance[k] = aged(v * v, last[i], time[g], s, 0.0, most)
            variance[n + k] = aged(w * w, last[j], time[g], t, 0.0, most)
            own[k], own[n + k] = s, t
            gap[k] = rating[i] - rating[j]
            if gap[k] != gap[k]:  # a side is unrated: the outcome is not used
                gap[k] = 0.0
            else:
                last[i] = last[j] = time[g]
            gap[k] = Q2 * (gap[k] + ahead[g])
        face(n, variance, gap, pull, share)
        for k in range(3 * n):
            share[k] = logistic(share[k])
        weigh(n, start, score, share, precision, pull)
        renew(2 * n, own, variance, precision, pull, stiff, new)
        mend(2 * n, own, variance, precision, pull, stiff, new)
        settle(n, variance, precision, pull, least)
        bound(2 * n, most_volatile, new)
        for k in range(n):
            g = start + k
            i, j = a[g], b[g]
            x, y = rating[i], rating[j]
            if x - y != x - y:
                expected[g] = x - y
                change_a[g] = change_b[g] = 0.0
                continue
            expected[g] = share[2 * n + k]
            rating[i], rating[j] = max(x + pull[k], floor), max(y + pull[n + k], floor)
            change_a[g], change_b[g] = rating[i] - x, rating[j] - y
            deviation[i], deviation[j] = variance[k], variance[n + k]
            volatility[i], volatility[j] = new[k], new[n + k]
        start += n
