"""The five models of Weng and Lin: updates of the strength of each side from the ranks of a result.

For each side, omega is the sum of the first derivatives of the log likelihood by its strength. Delta is the sum of the
negative second derivatives, each times gamma, the side's own part of the uncertainty. They are the Omega and the Delta
of the paper, divided by the side's variance.

Sides `low` up to, but not including, `high` have strengths and variances in `mean` and `spread`. `room` holds four
numbers for each of them, in order: omega, delta, the share of the other sides that it is expected to leave behind, and
one for a model to use.
"""

from math import sqrt

import numpy as np

from ratingcore.plugin import Floats, Ints, Sides, kernel
from ratingcore.plugin.curves import logistic, normal
from ratingcore.plugin.tails import decay, drawn, won

LARGE = 64
"""Number of sides from which on the chances of all pairs are computed by arrays."""

PL, BT_FULL, BT_PART, TM_FULL, TM_PART = 0, 1, 2, 3, 4
"""Numbers of the models, for the kernels."""


@kernel
def by_pairs(
    low: int, high: int, score: Floats, mean: Floats, spread: Floats, room: Floats, model: int, beta2: float,
    margin: float,
) -> None:  # fmt: skip
    """Bradley-Terry and Thurstone-Mosteller, with all pairs of sides or with neighbours in the ranking alone."""
    part = model == 2 or model == 4
    others = 1.0 / (high - low - 1)
    for i in range(low, high):
        room[4 * (i - low) + 3] = sqrt(spread[i])
    for i in range(low, high):
        x = 4 * (i - low)
        for q in range(i + 1, high):
            y = 4 * (q - low)
            over = 1.0 / sqrt(spread[i] + spread[q] + 2.0 * beta2)
            t = (mean[i] - mean[q]) * over
            if model < 3:
                p = logistic(t)
                share = 0.5
                share += 0.5 if score[i] > score[q] else 0.0
                share -= 0.5 if score[i] < score[q] else 0.0
                pull, shrink = share - p, p * (1.0 - p)
            else:
                e = margin * over
                p = 0.5 * (normal(t - e) + normal(t + e))
                if score[i] > score[q]:
                    pull, shrink = won(t - e)
                elif score[i] < score[q]:
                    pull, shrink = won(-t - e)
                    pull = -pull
                else:
                    pull, shrink = drawn(abs(t) - e, abs(t) + e)
                    pull = pull if t >= 0.0 else -pull
            room[x + 2] += p * others
            room[y + 2] += (1.0 - p) * others
            weight = over * (neighbours(low, high, i, q, score) if part else 1.0)
            room[x] += weight * pull
            room[y] -= weight * pull
            shrink *= weight * over * over
            room[x + 1] += shrink * room[x + 3]
            room[y + 1] += shrink * room[y + 3]


@kernel
def neighbours(low: int, high: int, i: int, q: int, score: Floats) -> float:
    """Chance that two sides are neighbours in a ranking whose ties are broken by lot."""
    if score[i] == score[q]:
        tied = 0
        for s in range(low, high):
            tied += 1 if score[s] == score[i] else 0
        return 2.0 / tied
    top, bottom = max(score[i], score[q]), min(score[i], score[q])
    above, below = 0, 0
    for s in range(low, high):
        if bottom < score[s] < top:
            return 0.0
        above += 1 if score[s] == top else 0
        below += 1 if score[s] == bottom else 0
    return 1.0 / (above * below) if above * below > 0 else 0.0


@kernel
def plackett_luce(
    low: int, high: int, order: Ints, score: Floats, mean: Floats, spread: Floats, room: Floats, beta2: float
) -> None:
    """Plackett-Luce: the winner is drawn from all sides, the next from the others, and so on.

    The work is proportional to the number of sides, except for the shares left behind; `leads` computes these for
    `LARGE` results. `order` has a place for each side and is sorted here, which takes one pass if it is already in
    order.
    """
    low, high = int(np.int64(low)), int(np.int64(high))  # a signed number, since places are counted down to below 0
    c2, top, least = 0.0, mean[low], mean[low]
    for i in range(low, high):
        c2 += spread[i] + beta2
        top = max(top, mean[i])
        least = min(least, mean[i])
    over = 1.0 / sqrt(c2)
    if not (top - least) * over < 600.0:  # the worth of the weak would vanish beside that of the strong
        far_apart(low, high, score, mean, spread, room, over)
        return
    for i in range(low, high):
        room[4 * (i - low) + 3] = decay((top - mean[i]) * over)
        n, s = i, order[i]
        while n > low and score[order[n - 1]] < score[s]:
            order[n] = order[n - 1]
            n -= 1
        order[n] = s
    first, total = high, 0.0
    while first > low:  # from the last place up: worth of all sides that each is drawn from, and number of ties
        stop, first = first, first - 1
        while first > low and score[order[first - 1]] == score[order[stop - 1]]:
            first -= 1
        for n in range(first, stop):
            total += room[4 * (order[n] - low) + 3]
        for n in range(first, stop):
            at = 4 * (order[n] - low)
            room[at], room[at + 1] = over / (stop - first), 1.0 / total
    drawn_from, squares, first = 0.0, 0.0, low
    while first < high:  # from the first place down: the draws that each took part in
        part, stop = room[4 * (order[first] - low) + 1], first + 1
        while stop < high and score[order[stop]] == score[order[first]]:
            stop += 1
        drawn_from, squares = drawn_from + part, squares + part * part
        for n in range(first, stop):
            at = 4 * (order[n] - low)
            worth = room[at + 3]
            room[at] -= over * worth * drawn_from
            room[at + 1] = over * over * worth * (drawn_from - worth * squares)
        first = stop
    others = 1.0 / (high - low - 1)
    for q in range(low, high):
        x = 4 * (q - low)
        room[x + 1] *= sqrt(spread[q]) * over
        for i in range(q + 1, high if high - low < LARGE else 0):
            y = 4 * (i - low)
            p = room[x + 3] / (room[x + 3] + room[y + 3])
            room[x + 2] += p * others
            room[y + 2] += (1.0 - p) * others


@kernel
def far_apart(low: int, high: int, score: Floats, mean: Floats, spread: Floats, room: Floats, over: float) -> None:
    """Plackett-Luce for ratings far apart: the worth of a side is relative to the sides it is compared with."""
    others = 1.0 / (high - low - 1)
    for q in range(low, high):
        top, total, tied = mean[q], 0.0, 0
        for s in range(low, high):
            if score[s] <= score[q]:
                top = max(top, mean[s])
        for s in range(low, high):
            if score[s] <= score[q]:
                total += decay((top - mean[s]) * over)
                tied += 1 if score[s] == score[q] else 0
        for i in range(low, high):
            if score[i] <= score[q]:
                p = decay((top - mean[i]) * over) / total
                room[4 * (i - low)] += over / tied * ((1.0 if i == q else 0.0) - p)
                room[4 * (i - low) + 1] += over * over / tied * p * (1.0 - p)
            if i != q:
                room[4 * (q - low) + 2] += others * logistic((mean[q] - mean[i]) * over)
    for i in range(low, high):
        room[4 * (i - low) + 1] *= sqrt(spread[i]) * over


def ranks(results: Sides) -> Ints:
    """Returns the `order` for `plackett_luce`, in which the sides of `LARGE` results are already sorted by score."""
    order = np.arange(results.n_sides)
    for r in np.flatnonzero(np.diff(results.result) >= LARGE).tolist():
        low, high = results.result[r : r + 2]
        order[low:high] = low + np.argsort(-results.score[low:high], kind="stable")
    return order


def leads(result: Ints, mean: Floats, spread: Floats, beta2: float, ahead: Floats) -> None:
    """Fills in the share of the others that each side of a `LARGE` result leaves behind by Plackett-Luce."""
    for r in np.flatnonzero(np.diff(result) >= LARGE).tolist():
        at = slice(int(result[r]), int(result[r + 1]))
        worth = mean[at] / np.sqrt((spread[at] + beta2).sum())
        for few in np.array_split(np.arange(len(worth)), -(-len(worth) // 256)):
            chance = 1.0 / (1.0 + np.exp(np.minimum(worth - worth[few, None], 700.0)))
            ahead[at.start + few] = (chance.sum(axis=1) - 0.5) / (len(worth) - 1)
