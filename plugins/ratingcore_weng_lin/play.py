"""Rating results in order of play: any sides, and a formula of their own for two players."""

from math import sqrt

from ratingcore.plugin import Floats, Ints, disjoint, kernel, logistic_even
from ratingcore_weng_lin.models import by_pairs, plackett_luce


@kernel
def duel(n: int, room: Floats) -> None:
    """So many games of two players side by side: none of whom plays twice, or one game under many settings.

    Plackett-Luce is Bradley-Terry then, and there are no pairs but one. `room` holds columns of 64: the ratings of the
    first and of the second, their variances, and the share of the point that the first takes; afterwards the ratings
    and the deviations, the chance of the first to be ahead, and the changes of both. Behind these 7 are two that stay:
    beta squared and the least part of a variance that is left.
    """
    for k in range(n):
        x, y, v, w, share = room[k], room[64 + k], room[128 + k], room[192 + k], room[256 + k]
        least = room[512 + k]
        over = 1.0 / sqrt(v + w + 2.0 * room[448 + k])
        p = logistic_even((x - y) * over)
        pull, shrink = (share - p) * over, p * (1.0 - p) * over * over * over
        left, other = 1.0 - v * shrink * sqrt(v), 1.0 - w * shrink * sqrt(w)
        left = left if left > least else least
        other = other if other > least else least
        c, d = v * pull, -w * pull
        room[k], room[64 + k] = x + c, y + d
        room[128 + k], room[192 + k] = sqrt(v * left), sqrt(w * other)
        room[256 + k], room[320 + k], room[384 + k] = p, c, d


@kernel
def play_duels(
    rating: Floats, deviation: Floats, a: Ints, b: Ints, score: Floats, beta2: float, drift: float, least: float,
    seen: Ints, room: Floats, ahead: Floats, change: Floats,
) -> int:  # fmt: skip
    """As `play` for games of two players, by all models but Thurstone-Mosteller's; `seen` is that of `disjoint`."""
    for k in range(64):
        room[448 + k], room[512 + k] = beta2, least
    start = 0
    while start < len(a):
        stop = disjoint(a, b, start, seen)
        for k in range(stop - start):
            g = start + k
            i, j = a[g], b[g]
            v, w = deviation[i], deviation[j]
            if not (v >= 0.0 and w >= 0.0):
                return g
            room[k], room[64 + k] = rating[i], rating[j]
            room[128 + k], room[192 + k] = v * v + drift, w * w + drift
            room[256 + k] = place(score[g], 0.5)
        duel(stop - start, room)
        for k in range(stop - start):
            g = start + k
            i, j = a[g], b[g]
            rating[i], rating[j] = room[k], room[64 + k]
            deviation[i], deviation[j] = room[128 + k], room[192 + k]
            ahead[2 * g], ahead[2 * g + 1] = room[256 + k], 1.0 - room[256 + k]
            change[2 * g], change[2 * g + 1] = room[320 + k], room[384 + k]
        start = stop
    return -1


@kernel
def place(own: float, other: float) -> float:
    """The share of the point of who has a score against one who has another: by how much is of no account."""
    share = 0.5
    share += 0.5 if own > other else 0.0
    share -= 0.5 if own < other else 0.0
    return share


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
    model: int, beta2: float, drift: float, margin: float, least: float, one: Floats, room: Floats,
    ahead: Floats, change: Floats,
) -> int:  # fmt: skip
    """Rates the results in place; returns the index of the first that cannot be rated, or -1.

    `weight` has a row for each member, or none if all took part all the time; `least` is the part of a variance that a
    result leaves at least; `one` is the room of a duel, `room` that of the models.
    """
    one[448], one[512] = beta2, least
    for r in range(len(result) - 1):
        low, high = result[r], result[r + 1]
        m = side[low]
        two = model < 3 and high - low == 2 and side[high] - m == 2
        if two and (len(weight) == 0 or (weight[m] == 1.0 and weight[m + 1] == 1.0)):
            i, j = player[m], player[m + 1]
            v, w = deviation[i], deviation[j]
            if not (v >= 0.0 and w >= 0.0):
                return r
            one[0], one[64], one[256] = rating[i], rating[j], place(score[low], score[low + 1])
            one[128], one[192] = v * v + drift, w * w + drift
            room[6 * low], room[6 * low + 1] = one[0], one[128]
            room[6 * low + 6], room[6 * low + 7] = one[64], one[192]
            duel(1, one)
            rating[i], rating[j], deviation[i], deviation[j] = one[0], one[64], one[128], one[192]
            ahead[low], ahead[low + 1] = one[256], 1.0 - one[256]
            change[m], change[m + 1] = one[320], one[384]
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
