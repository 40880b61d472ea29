"""Rates rankings of a few players side by side, several per instruction; no player is in two of them.

Every side of a ranking has a row of `room` with seven columns of 32 places, one for each ranking: rating; variance;
omega and delta, as in `models`; the share of the other sides that it is expected to leave behind; score; and one for a
model to use. The last row holds numbers that all sides share. The compiler knows that the columns of a row do not
overlap, and checks cheaply that two rows do not.
"""

from math import sqrt

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.curves import logistic_even, power_even

MOST = 8
"""Largest number of sides of a ranking that is rated in this way."""
COLUMNS = 7 * 32
"""Length of a row."""


@kernel
def alone(start: int, player: Ints, result: Ints, side: Ints, seen: Ints) -> int:
    """Returns the first result that cannot be rated side by side with those from `start` on; it may be `start` itself.

    The results before it have the same number of sides, 3 to 8, each a single player, and no player is in two of them.
    `seen` has a place for each player, 0 before the first call.
    """
    size = result[start + 1] - result[start]
    if size < 3 or size > 8:
        return start
    end = min(len(result) - 1, start + 32)
    for r in range(start, end):
        low, high = result[r], result[r + 1]
        if high - low != size or side[high] - side[low] != size:
            return r
        for s in range(low, high):
            if seen[player[side[s]]] > start:
                return r
        for s in range(low, high):
            seen[player[side[s]]] = start + 1
    return end


@kernel
def computed(n: int) -> int:
    """Number of places of a column to compute: above eight, a multiple of eight, to fill whole instructions."""
    return n if n <= 8 else (n + 7) // 8 * 8


@kernel
def seat(
    size: int, start: int, stop: int, rating: Floats, deviation: Floats, player: Ints, result: Ints, side: Ints,
    score: Floats, beta2: float, drift: float, room: Floats, mean: Floats, spread: Floats,
) -> int:  # fmt: skip
    """Writes rankings into `room`, and returns how many.

    It stops before a ranking with an invalid deviation or score, or whose players are far apart.
    """
    shared = room[len(room) - 1]
    for k in range(stop - start):
        low = result[start + k]
        width, top, least = 0.0, rating[player[side[low]]], rating[player[side[low]]]
        for i in range(size):
            j = player[side[low + i]]
            own, x, v = room[i], rating[j], deviation[j] * deviation[j] + drift
            if not deviation[j] >= 0.0 or score[low + i] != score[low + i]:
                return k
            own[k], own[32 + k], own[160 + k] = x, v, score[low + i]
            mean[low + i], spread[low + i] = x, v
            width += v + beta2
            top, least = max(top, x), min(least, x)
        if not (top - least) * (top - least) < 900.0 * width:  # the weak would vanish beside the strong
            return k
        shared[k], shared[32 + k] = width, top
    return stop - start


@kernel
def pairs_abreast(size: int, n: int, beta2: float, room: Floats) -> None:
    """Bradley-Terry with all pairs of sides."""
    n = computed(n)
    others = 1.0 / (size - 1)
    shared = room[len(room) - 1]
    for i in range(size):
        a = room[i]
        for k in range(n):
            a[64 + k] = a[96 + k] = a[128 + k] = 0.0
    for i in range(size):
        a = room[i]
        for q in range(i + 1, size):
            b = room[q]
            for k in range(n):
                over = 1.0 / sqrt(a[32 + k] + b[32 + k] + 2.0 * beta2)
                p = logistic_even((a[k] - b[k]) * over)
                share = 0.5
                share += 0.5 if a[160 + k] > b[160 + k] else 0.0
                share -= 0.5 if a[160 + k] < b[160 + k] else 0.0
                shared[k], shared[32 + k] = p * others, (share - p) * over
                shared[64 + k] = p * (1.0 - p) * (over * over * over)
            for k in range(n):
                a[128 + k] += shared[k]
                a[64 + k] += shared[32 + k]
                a[96 + k] += shared[64 + k]
            for k in range(n):
                b[128 + k] += others - shared[k]
                b[64 + k] -= shared[32 + k]
                b[96 + k] += shared[64 + k]
        for k in range(n):
            a[96 + k] *= sqrt(a[32 + k])


@kernel
def plackett_luce_abreast(size: int, n: int, room: Floats) -> None:
    """Plackett-Luce; the last row holds sums of variances and highest ratings."""
    n = computed(n)
    others = 1.0 / (size - 1)
    shared = room[len(room) - 1]
    for k in range(n):
        shared[k] = 1.0 / sqrt(shared[k])
    for i in range(size):
        a = room[i]
        for k in range(n):
            a[192 + k] = power_even((a[k] - shared[32 + k]) * shared[k])
            a[64 + k] = a[96 + k] = a[128 + k] = 0.0
    for q in range(size):
        b = room[q]
        for k in range(n):
            shared[64 + k] = shared[96 + k] = 0.0
        for i in range(size):
            a = room[i]
            for k in range(n):
                shared[64 + k] += a[192 + k] if a[160 + k] <= b[160 + k] else 0.0
                shared[96 + k] += 1.0 if a[160 + k] == b[160 + k] else 0.0
        for k in range(n):
            part = 1.0 / (shared[64 + k] * shared[96 + k])
            shared[64 + k], shared[96 + k] = shared[96 + k] * part, shared[k] * (shared[64 + k] * part)
            b[64 + k] += shared[96 + k]
        for i in range(size):
            a = room[i]
            for k in range(n):
                p = a[192 + k] * shared[64 + k]
                p = p if a[160 + k] <= b[160 + k] else 0.0
                a[64 + k] -= shared[96 + k] * p
                a[96 + k] += shared[96 + k] * p * (1.0 - p)
        for i in range(q + 1, size):
            a = room[i]
            for k in range(n):
                p = b[192 + k] / (b[192 + k] + a[192 + k])
                b[128 + k] += p * others
                a[128 + k] += (1.0 - p) * others
    for i in range(size):
        a = room[i]
        for k in range(n):
            a[96 + k] *= sqrt(a[32 + k]) * shared[k] * shared[k]


@kernel
def rise(
    size: int, start: int, n: int, rating: Floats, deviation: Floats, player: Ints, result: Ints, side: Ints,
    least: float, room: Floats, ahead: Floats, change: Floats,
) -> None:  # fmt: skip
    """Updates the players of `n` rankings by what a model wrote into `room`."""
    for i in range(size):
        a = room[i]
        for k in range(computed(n)):
            left = 1.0 - a[32 + k] * a[96 + k]
            left = left if left > least else least
            a[64 + k] *= a[32 + k]
            a[k] += a[64 + k]
            a[32 + k] = sqrt(a[32 + k] * left)
    for k in range(n):
        low = result[start + k]
        for i in range(size):
            a, m = room[i], side[low + i]
            j = player[m]
            rating[j], deviation[j], change[m], ahead[low + i] = a[k], a[32 + k], a[64 + k], a[128 + k]
