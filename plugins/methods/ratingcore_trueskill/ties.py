"""What a ranking says of its sides if some are tied, whatever the order in which they are named.

A chain gives two neighbours to the tied sides in its middle and one to those at its ends, so it rates equals by where
they are. Here one of the tied stands for all of them: it is linked with each of the others, with those who are tied
ahead, and with those behind. Each of them does so in turn, and what that says of a side on the average counts.
Messages are those of a chain; `left` and `right` are what is said of a side that stands for its group, from ahead and
from behind.
"""

from math import sqrt

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore_trueskill.ranking_chain import SWEEPS, chained, link

REST = 1e-9
"""Change of the messages, as in a chain, below which they are at rest: sums of many are not exact to much less."""


@kernel
def groups(low: int, high: int, score: Floats, order: Ints, bound: Ints, base: Ints) -> int:
    """Sorts the sides of a result into `order` and returns in how many groups they are tied.

    From `low` on, `bound` has where each group begins in the order, and `base` where among the messages; behind the
    last one follow the ends of both.
    """
    chained(low, high, score, score, score, order)
    g = low
    bound[g], base[g] = low, 0
    for k in range(low + 1, high + 1):
        if k == high or score[order[k]] != score[order[k - 1]]:
            g += 1
            bound[g], base[g] = k, base[g - 1] + 2 * (k - bound[g - 1]) * (k - bound[g - 1] + 1)
    return g - low


@kernel
def room(result: Ints, score: Floats, order: Ints, bound: Ints, base: Ints) -> int:
    """The most room that messages take in results of more than two sides some of which are tied."""
    most = 0
    for r in range(len(result) - 1):
        low, high = result[r], result[r + 1]
        if high - low > 2:
            count = groups(low, high, score, order, bound, base)
            most = max(most, base[low + count] if count < high - low else 0)
    return most


@kernel
def width(i: int, j: int, margin: Floats) -> float:
    """The draw margin of two sides."""
    return sqrt(margin[i] * margin[i] + margin[j] * margin[j])


@kernel
def shift(precise: float, weight: float, mean: float, spread: float) -> float:
    """By how much a message has moved, in units of the performance that it is about."""
    return max(abs(precise) * spread, abs(weight - precise * mean) * sqrt(spread))


@kernel
def tie(
    first: int, stop: int, base: int, order: Ints, mean: Floats, spread: Floats, margin: Floats, message: Floats,
    left: Floats, left_weight: Floats, right: Floats, right_weight: Floats,
) -> float:  # fmt: skip
    """Renews the messages inside a group; returns by how much they moved.

    A side has a row of messages about itself if it stands for all: one from each of the others, in its own column the
    sum of these, and at the end the sum of those about it if others stand for all.
    """
    n, moved = stop - first, 0.0
    for x in range(n):
        m = base + 2 * (n + 1) * x + 2 * n
        message[m] = message[m + 1] = 0.0
    for x in range(n):
        i, row = order[first + x], base + 2 * (n + 1) * x
        own = row + 2 * x
        for y in range(n):
            if x != y:
                j, m, other = order[first + y], row + 2 * y, base + 2 * (n + 1) * y + 2 * n
                precise = left[i] + right[i] + (message[own] - message[m])
                weight = left_weight[i] + right_weight[i] + (message[own + 1] - message[m + 1])
                a, b, c, d = link(i, j, True, width(i, j, margin), mean, spread, precise, weight, 0.0, 0.0)
                da, db = a - message[m], b - message[m + 1]
                moved = max(moved, shift(da, db, mean[i], spread[i]))
                message[m], message[m + 1] = a, b
                message[own] += da
                message[own + 1] += db
                message[other] += c
                message[other + 1] += d
    return moved


@kernel
def rank(
    g: int, bound: Ints, base: Ints, order: Ints, mean: Floats, spread: Floats, margin: Floats, message: Floats,
    left: Floats, left_weight: Floats, right: Floats, right_weight: Floats,
) -> float:  # fmt: skip
    """Renews the messages between a group and the next; returns by how much those to the first moved."""
    n, behind, moved = bound[g + 1] - bound[g], bound[g + 2] - bound[g + 1], 0.0
    for y in range(behind):
        j = order[bound[g + 1] + y]
        left[j] = left_weight[j] = 0.0
    for x in range(n):
        i, own = order[bound[g] + x], base[g] + 2 * (n + 2) * x
        precise = weight = 0.0
        for y in range(behind):
            j, other = order[bound[g + 1] + y], base[g + 1] + 2 * (behind + 2) * y
            a, b, c, d = link(
                i, j, False, width(i, j, margin), mean, spread, message[own] + left[i],
                message[own + 1] + left_weight[i], message[other] + right[j], message[other + 1] + right_weight[j],
            )  # fmt: skip
            precise += a / behind
            weight += b / behind
            left[j] += c / n
            left_weight[j] += d / n
        moved = max(moved, shift(precise - right[i], weight - right_weight[i], mean[i], spread[i]))
        right[i], right_weight[i] = precise, weight
    return moved


@kernel
def settle_ties(
    low: int, high: int, score: Floats, mean: Floats, spread: Floats, margin: Floats, order: Ints, bound: Ints,
    base: Ints, message: Floats, left: Floats, left_weight: Floats, right: Floats, right_weight: Floats,
) -> bool:  # fmt: skip
    """As `settle`, of a result with tied sides; returns False, and settles nothing, if none are tied."""
    count = groups(low, high, score, order, bound, base)
    if count == high - low:
        return False
    for s in range(low, high):
        left[s] = left_weight[s] = right[s] = right_weight[s] = 0.0
    for m in range(base[low + count]):
        message[m] = 0.0
    for _sweep in range(SWEEPS):
        moved = 0.0
        for step in range(2 * count):
            g = low + (step if step < count else 2 * count - 1 - step)
            still = tie(
                bound[g], bound[g + 1], base[g], order, mean, spread, margin, message,
                left, left_weight, right, right_weight,
            )  # fmt: skip
            moved, g = max(moved, still), g if step < count else g - 1
            if low <= g < low + count - 1:
                still = rank(
                    g, bound, base, order, mean, spread, margin, message, left, left_weight, right, right_weight
                )  # fmt: skip
                moved = max(moved, still)
        if not moved > REST:
            break
    for g in range(low, low + count):
        n = bound[g + 1] - bound[g]
        for x in range(n):
            s, own, last = order[bound[g] + x], base[g] + 2 * (n + 2) * x, base[g] + 2 * (n + 1) * x + 2 * n
            left[s] = (left[s] + right[s] + message[own] + message[last]) / n
            left_weight[s] = (left_weight[s] + right_weight[s] + message[own + 1] + message[last + 1]) / n
            right[s] = right_weight[s] = 0.0
    return True
