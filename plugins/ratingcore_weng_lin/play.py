"""Rating results in order of play: any sides, and a formula of their own for two players."""

from math import sqrt

from ratingcore.plugin import Floats, Ints, kernel, logistic
from ratingcore_weng_lin.models import by_pairs, plackett_luce


@kernel
def duel(
    x: float, y: float, v: float, w: float, a: float, b: float, beta2: float, least: float
) -> tuple[float, float, float, float, float]:
    """Two players of ratings x and y, variances v and w and scores a and b.

    Plackett-Luce is Bradley-Terry then, and there are no pairs but one. Returns the chance of the first to be ahead,
    the changes of both ratings, and both deviations afterwards.
    """
    over = 1.0 / sqrt(v + w + 2.0 * beta2)
    p = logistic((x - y) * over)
    s = 0.5
    s += 0.5 if a > b else 0.0
    s -= 0.5 if a < b else 0.0
    pull, shrink = (s - p) * over, p * (1.0 - p) * over * over * over
    left, other = 1.0 - v * shrink * sqrt(v), 1.0 - w * shrink * sqrt(w)
    left = left if left > least else least
    other = other if other > least else least
    return p, v * pull, -w * pull, sqrt(v * left), sqrt(w * other)


@kernel
def play_duels(
    rating: Floats, deviation: Floats, player: Ints, score: Floats, beta2: float, drift: float, least: float,
    ahead: Floats, change: Floats,
) -> int:  # fmt: skip
    """As `play` where two players meet in every result, by all models but Thurstone-Mosteller's."""
    for g in range(len(player) // 2):
        m = 2 * g
        i, j = player[m], player[m + 1]
        v, w = deviation[i], deviation[j]
        if not (v >= 0.0 and w >= 0.0):
            return g
        p, c, d, deviation[i], deviation[j] = duel(
            rating[i], rating[j], v * v + drift, w * w + drift, score[m], score[m + 1], beta2, least
        )
        ahead[m], ahead[m + 1] = p, 1.0 - p
        change[m], change[m + 1] = c, d
        rating[i] += c
        rating[j] += d
    return -1


@kernel
def foresee(
    rating: Floats, deviation: Floats, player: Ints, weight: Floats, result: Ints, side: Ints, score: Floats,
    model: int, beta2: float, drift: float, margin: float, room: Floats, ahead: Floats,
) -> None:  # fmt: skip
    """The share of the other sides that each side of each result is expected to leave behind."""
    for r in range(len(result) - 1):
        low, high = result[r], result[r + 1]
        for s in range(low, high):
            strength, spread = 0.0, 0.0
            for m in range(side[s], side[s + 1]):
                known = deviation[player[m]]
                part = weight[m] if len(weight) > 0 else 1.0
                strength += part * rating[player[m]]
                spread += part * part * (known * known + drift)
            room[6 * s], room[6 * s + 1] = strength, spread
            room[6 * s + 2] = room[6 * s + 3] = room[6 * s + 4] = 0.0
        if model == 0:
            plackett_luce(low, high, score, room, beta2)
        else:
            by_pairs(low, high, score, room, model, beta2, margin)
        for s in range(low, high):
            ahead[s] = room[6 * s + 4]


@kernel
def play(
    rating: Floats, deviation: Floats, player: Ints, weight: Floats, result: Ints, side: Ints, score: Floats,
    model: int, beta2: float, drift: float, margin: float, least: float, room: Floats, ahead: Floats, change: Floats,
) -> int:  # fmt: skip
    """Rates the results in place; returns the index of the first that cannot be rated, or -1.

    `weight` has a row for each member, or none if all took part all the time; `least` is the part of a variance that a
    result leaves at least; `room` is that of the models.
    """
    for r in range(len(result) - 1):
        low, high = result[r], result[r + 1]
        m = side[low]
        two = model < 3 and high - low == 2 and side[high] - m == 2
        if two and (len(weight) == 0 or (weight[m] == 1.0 and weight[m + 1] == 1.0)):
            i, j = player[m], player[m + 1]
            v, w = deviation[i], deviation[j]
            if not (v >= 0.0 and w >= 0.0):
                return r
            v, w = v * v + drift, w * w + drift
            p, c, d, deviation[i], deviation[j] = duel(
                rating[i], rating[j], v, w, score[low], score[low + 1], beta2, least
            )
            ahead[low], ahead[low + 1] = p, 1.0 - p
            change[m], change[m + 1] = c, d
            room[6 * low], room[6 * low + 1], room[6 * high - 6], room[6 * high - 5] = rating[i], v, rating[j], w
            rating[i] += c
            rating[j] += d
            continue
        for s in range(low, high):
            strength, spread = 0.0, 0.0
            for m in range(side[s], side[s + 1]):
                known = deviation[player[m]]
                if not known >= 0.0:
                    return r
                part = weight[m] if len(weight) > 0 else 1.0
                strength += part * rating[player[m]]
                spread += part * part * (known * known + drift)
            room[6 * s], room[6 * s + 1] = strength, spread
            room[6 * s + 2] = room[6 * s + 3] = room[6 * s + 4] = 0.0
        if model == 0:
            plackett_luce(low, high, score, room, beta2)
        else:
            by_pairs(low, high, score, room, model, beta2, margin)
        for s in range(low, high):
            ahead[s] = room[6 * s + 4]
            for m in range(side[s], side[s + 1]):
                i = player[m]
                part = weight[m] if len(weight) > 0 else 1.0
                own = deviation[i] * deviation[i] + drift
                change[m] = moved = part * own * room[6 * s + 2]
                rating[i] += moved
                deviation[i] = sqrt(own * max(1.0 - part * part * own * room[6 * s + 3], least))
    return -1
