"""Glicko and Glicko-2 game by game: a game is a period of its two players, and deviations grow by parts of one."""

from math import sqrt

from ratingcore.plugin import Floats, Ints, kernel, logistic
from ratingcore_glicko.scale import FLATTER, POINT2, Q2, Q, aged, flattened
from ratingcore_glicko.volatility import renewed


@kernel
def play(
    rating: Floats, deviation: Floats, last: Floats, a: Ints, b: Ints, score: Floats, time: Floats, ahead: Floats,
    growth: float, least: float, most: float, each: float, bonus: float, near: float,
    expected: Floats, change_a: Floats, change_b: Floats,
) -> bool:  # fmt: skip
    """Rates the games in place, up to the first that cannot be rated; returns whether there is one.

    `growth` and `each` are what a variance gains by a period and by a game, on the logistic scale like `most`; `near`
    is the part of a gap that is lost.
    """
    for g in range(len(a)):
        i, j = a[g], b[g]
        gap = rating[i] - rating[j]
        if not (deviation[i] >= 0.0 and deviation[j] >= 0.0):
            return True
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
    return False


@kernel
def play_volatile(
    rating: Floats, deviation: Floats, volatility: Floats, last: Floats, a: Ints, b: Ints, score: Floats, time: Floats,
    ahead: Floats, stiff: float, least: float, most: float, most_volatile: float, floor: float,
    expected: Floats, change_a: Floats, change_b: Floats,
) -> bool:  # fmt: skip
    """Rates the games in place by Glicko-2, up to the first that cannot be rated; returns whether there is one."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        x, y = rating[i], rating[j]
        gap = x - y
        s, t = volatility[i], volatility[j]
        if not (deviation[i] >= 0.0 and deviation[j] >= 0.0 and s >= 0.0 and t >= 0.0):
            return True
        if gap != gap:  # a side is unrated
            expected[g] = gap
            change_a[g] = change_b[g] = 0.0
            continue
        s *= s
        t *= t
        v, w = Q2 * deviation[i], Q2 * deviation[j]
        v = aged(v * v, last[i], time[g], s, 0.0, most)
        w = aged(w * w, last[j], time[g], t, 0.0, most)
        last[i] = last[j] = time[g]
        gap = Q2 * (gap + ahead[g])
        steep_a, steep_b = sqrt(1.0 + FLATTER * w), sqrt(1.0 + FLATTER * v)
        steep = sqrt(1.0 + FLATTER * (v + w))
        over = 1.0 / (steep_a * steep_b * steep)  # one division for three slopes
        of_a, of_b = steep_b * steep * over, steep_a * steep * over
        e, f = logistic(of_a * gap), logistic(of_b * -gap)
        expected[g] = logistic(steep_a * steep_b * over * gap)
        known_a, known_b = of_a * of_a * e * (1.0 - e), of_b * of_b * f * (1.0 - f)
        pull_a, pull_b = of_a * (score[g] - e), of_b * (1.0 - score[g] - f)
        s = renewed(v, s, known_a, pull_a, stiff)
        t = renewed(w, t, known_b, pull_b, stiff)
        known_a, known_b = 1.0 + v * known_a, 1.0 + w * known_b
        over = 1.0 / (known_a * known_b)
        v *= known_b * over
        w *= known_a * over
        rating[i] = max(x + POINT2 * v * pull_a, floor)
        rating[j] = max(y + POINT2 * w * pull_b, floor)
        change_a[g], change_b[g] = rating[i] - x, rating[j] - y
        deviation[i] = max(sqrt(v) * POINT2, least)
        deviation[j] = max(sqrt(w) * POINT2, least)
        volatility[i] = min(sqrt(s), most_volatile)
        volatility[j] = min(sqrt(t), most_volatile)
    return False
