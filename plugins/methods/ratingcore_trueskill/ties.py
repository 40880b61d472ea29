"""Performances of the sides of a ranking with ties, independent of the order in which they are named.

In a chain, tied sides have two neighbours in the middle but one at the ends, so equals would get different ratings.
Here each tied side performs within its own margin of a shared level, about which nothing else is known. Levels are
chained with each other, and with the performances of sides that are not tied.
"""

from math import sqrt

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore_trueskill.ranking_chain import SWEEPS, bond, chained, shift

REST = 1e-9
"""Change of messages below which they count as settled; a sum of many messages to a level is not more exact."""
ROOM = 6
"""Numbers per place: precision and weight of the level itself, of the message from ahead and of that from behind."""


@kernel
def places(low: int, high: int, score: Floats, order: Ints, bound: Ints) -> int:
    """Sorts the sides of a result into `order`, and fills in where each place begins; returns the number of places."""
    chained(low, high, score, score, score, order)
    g = low
    bound[g] = low
    for k in range(low + 1, high + 1):
        if k == high or score[order[k]] != score[order[k - 1]]:
            g += 1
            bound[g] = k
    return g - low


@kernel
def settle_ties(
    low: int, high: int, score: Floats, mean: Floats, spread: Floats, margin: Floats, order: Ints, bound: Ints,
    levels: Floats, left: Floats, left_weight: Floats, right: Floats, right_weight: Floats,
) -> bool:  # fmt: skip
    """Like `settle`, for a result with tied sides; returns False, and sends no messages, if no sides are tied.

    Until it ends, `left` is the message from a level to a side, and `right` the one from the side to the level.
    """
    count = places(low, high, score, order, bound)
    if count == high - low:
        return False
    for g in range(low, low + count):
        alone = bound[g + 1] - bound[g] == 1
        for k in range(ROOM):
            levels[ROOM * g + k] = 0.0
        for k in range(bound[g], bound[g + 1]):
            s = order[k]
            right[s] = 1.0 / (spread[s] if alone else spread[s] + margin[s] * margin[s] / 3.0)
            right_weight[s] = mean[s] * right[s]
            levels[ROOM * g] += right[s]
            levels[ROOM * g + 1] += right_weight[s]
    for _sweep in range(SWEEPS):
        moved = 0.0
        for step in range(2 * count):
            g = low + (step if step < count else 2 * count - 1 - step)
            m = ROOM * g
            for k in range(bound[g], bound[g + 1] if bound[g + 1] - bound[g] > 1 else bound[g]):
                s = order[k]
                left[s], left_weight[s], a, b = bond(
                    1.0 / spread[s], mean[s] / spread[s], levels[m] - right[s] + levels[m + 2] + levels[m + 4],
                    levels[m + 1] - right_weight[s] + levels[m + 3] + levels[m + 5], margin[s], True,
                )  # fmt: skip
                moved = max(moved, shift(a - right[s], b - right_weight[s], mean[s], spread[s]))
                levels[m] += a - right[s]
                levels[m + 1] += b - right_weight[s]
                right[s], right_weight[s] = a, b
            g -= 0 if step < count else 1
            if low <= g < low + count - 1:
                s, m, n, eps = order[bound[g]], ROOM * g, ROOM * (g + 1), 0.0
                for k in range(bound[g], bound[g + 2]):
                    at = g if k < bound[g + 1] else g + 1
                    eps += margin[order[k]] * margin[order[k]] / (bound[at + 1] - bound[at])
                a, b, c, d = bond(
                    levels[m] + levels[m + 2], levels[m + 1] + levels[m + 3], levels[n] + levels[n + 4],
                    levels[n + 1] + levels[n + 5], sqrt(eps), False,
                )  # fmt: skip
                moved = max(moved, shift(a - levels[m + 4], b - levels[m + 5], mean[s], spread[s]))
                levels[m + 4], levels[m + 5], levels[n + 2], levels[n + 3] = a, b, c, d
        if not moved > REST:
            break
    for g in range(low, low + count):
        for k in range(bound[g], bound[g + 1]):
            s, m = order[k], ROOM * g
            if bound[g + 1] - bound[g] == 1:
                left[s], left_weight[s] = levels[m + 2] + levels[m + 4], levels[m + 3] + levels[m + 5]
            right[s] = right_weight[s] = 0.0
    return True
