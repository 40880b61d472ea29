"""Rates results in order of play: any sides, and games of two players by a formula of their own."""

from math import sqrt

from ratingcore.plugin import Floats, Ints, disjoint, kernel
from ratingcore.plugin.curves import logistic_even
from ratingcore_weng_lin.models import by_pairs, plackett_luce
from ratingcore_weng_lin.rankings import alone, pairs_abreast, plackett_luce_abreast, rise, seat


@kernel
def duel(n: int, room: Floats) -> None:
    """Rates games of two players side by side: games without a common player, or one game under many settings.

    For two players, Plackett-Luce equals Bradley-Terry, and there is only one pair. `room` holds columns of 64. Before,
    these are the ratings of the first and of the second players, their variances, and the first players' share of the
    point. Afterwards, they are ratings, deviations, the first players' chance to be ahead, and the changes of both.
    After these 7 columns come two that stay: beta squared, and the least part of a variance that is left.
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
    """Does the same as `play` for games of two players, except by Thurstone-Mosteller; `seen` is that of `disjoint`."""
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
    """Share of the point of one score against another: 1, 1/2 or 0; margins do not matter."""
    share = 0.5
    share += 0.5 if own > other else 0.0
    share -= 0.5 if own < other else 0.0
    return share


@kernel
def gather(
    low: int, high: int, rating: Floats, deviation: Floats, player: Ints, weight: Floats, side: Ints, drift: float,
    mean: Floats, spread: Floats, room: Floats,
) -> None:  # fmt: skip
    """Fills in strengths and variances of the sides of a result, as the models need them."""
    for s in range(low, high):
        mean[s] = spread[s] = 0.0
        for m in range(side[s], side[s + 1]):
            known = deviation[player[m]]
            part = weight[m] if len(weight) > 0 else 1.0
            mean[s] += part * rating[player[m]]
            spread[s] += part * part * (known * known + drift)
    for k in range(4 * (high - low)):
        room[k] = 0.0


@kernel
def foresee(
    rating: Floats, deviation: Floats, player: Ints, weight: Floats, result: Ints, side: Ints, order: Ints,
    score: Floats, model: int, beta2: float, drift: float, margin: float, mean: Floats, spread: Floats, room: Floats,
    ahead: Floats,
) -> None:  # fmt: skip
    """Fills in the share of the other sides that each side of each result is expected to leave behind."""
    for r in range(len(result) - 1):
        low, high = result[r], result[r + 1]
        gather(low, high, rating, deviation, player, weight, side, drift, mean, spread, room)
        if model == 0:
            plackett_luce(low, high, order, score, mean, spread, room, beta2)
        else:
            by_pairs(low, high, score, mean, spread, room, model, beta2, margin)
        for s in range(low, high):
            ahead[s] = room[4 * (s - low) + 2]


@kernel
def play(
    rating: Floats, deviation: Floats, player: Ints, weight: Floats, result: Ints, side: Ints, order: Ints,
    score: Floats, model: int, beta2: float, drift: float, margin: float, least: float, seen: Ints, one: Floats,
    table: Floats, mean: Floats, spread: Floats, room: Floats, ahead: Floats, change: Floats,
) -> None:  # fmt: skip
    """Rates the results in place.

    `weight` has a row for each member, or none if all took part throughout; `order` comes from `ranks`; `least` is the
    least part of a variance that a result leaves. The scratch space is `seen` for `alone`, `one` for `duel`, `table`
    for rankings side by side, and `room` for the models.
    """
    one[448], one[512] = beta2, least
    r = 0
    while r < len(result) - 1:
        low, high = result[r], result[r + 1]
        stop = alone(r, player, result, side, seen) if model < 2 and len(weight) == 0 else r
        if stop > r:
            size = high - low
            n = seat(size, r, stop, rating, deviation, player, result, side, score, beta2, drift, table, mean, spread)
            if n > 0:
                if model == 1:
                    pairs_abreast(size, n, beta2, table)
                elif size == 4:
                    plackett_luce_abreast(4, n, table)  # the commonest number, for which the compiler makes faster code
                else:
                    plackett_luce_abreast(size, n, table)
                rise(size, r, n, rating, deviation, player, result, side, least, table, ahead, change)
                r += n
                continue
        m = side[low]
        two = model < 3 and high - low == 2 and side[high] - m == 2
        if two and (len(weight) == 0 or (weight[m] == 1.0 and weight[m + 1] == 1.0)):
            i, j = player[m], player[m + 1]
            v, w = deviation[i], deviation[j]
            one[0], one[64], one[256] = rating[i], rating[j], place(score[low], score[low + 1])
            one[128], one[192] = v * v + drift, w * w + drift
            mean[low], spread[low], mean[low + 1], spread[low + 1] = one[0], one[128], one[64], one[192]
            duel(1, one)
            rating[i], rating[j], deviation[i], deviation[j] = one[0], one[64], one[128], one[192]
            ahead[low], ahead[low + 1] = one[256], 1.0 - one[256]
            change[m], change[m + 1] = one[320], one[384]
            r += 1
            continue
        gather(low, high, rating, deviation, player, weight, side, drift, mean, spread, room)
        if model == 0:
            plackett_luce(low, high, order, score, mean, spread, room, beta2)
        else:
            by_pairs(low, high, score, mean, spread, room, model, beta2, margin)
        for s in range(low, high):
            at = 4 * (s - low)
            ahead[s] = room[at + 2]
            for m in range(side[s], side[s + 1]):
                i = player[m]
                part = weight[m] if len(weight) > 0 else 1.0
                own = deviation[i] * deviation[i] + drift
                change[m] = moved = part * own * room[at]
                rating[i] += moved
                deviation[i] = sqrt(own * max(1.0 - part * part * own * room[at + 1], least))
        r += 1
