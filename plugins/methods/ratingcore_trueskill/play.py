"""Rates results in order of play: results of any sides, and games of two players by a shorter way."""

from math import sqrt
from typing import Any

import numpy as np

from ratingcore.plugin import Floats, Ints, disjoint, kernel
from ratingcore_trueskill.ranking_chain import chances, moments, settle
from ratingcore_trueskill.ties import settle_ties

UNKNOWN = float("nan")
"""Chance of a draw if more than two sides meet."""


def steps(*given: Any) -> int:
    """Returns about how many steps a side takes, since every pair is compared, and long chains are swept more often."""
    sides = np.diff(given[4])
    return max(1, int(sides @ sides) // max(1, int(sides.sum())))


@kernel
def gather(
    rating: Floats, deviation: Floats, player: Ints, weight: Floats, side: Ints, s: int, drift: float, beta2: float,
    mean: Floats, spread: Floats, margin: Floats, width: float, whole: float,
) -> None:  # fmt: skip
    """Fills in mean, variance and draw margin of the performance of side `s`; `whole` comes from `longest`."""
    mean[s] = spread[s] = 0.0
    parts = 0.0
    for m in range(side[s], side[s + 1]):
        known = deviation[player[m]]
        part = weight[m] if len(weight) > 0 else 1.0
        mean[s] += part * rating[player[m]]
        spread[s] += part * part * (known * known + drift + beta2)
        parts += part * part / (whole * whole)
    margin[s] = width * sqrt(parts * beta2)


@kernel
def longest(weight: Floats, start: int, stop: int, relative: float) -> float:
    """Longest share of the time that a member of a result played; 1 if all played throughout or `relative` is 0."""
    most = 0.0
    for m in range(start, stop):
        if len(weight) > 0 and weight[m] > most:
            most = weight[m]
    return most if most > 0.0 and relative > 0.0 else 1.0


@kernel(passes=steps)
def foresee(
    rating: Floats, deviation: Floats, player: Ints, weight: Floats, result: Ints, side: Ints, drift: float,
    beta2: float, width: float, relative: float, mean: Floats, spread: Floats, margin: Floats, ahead: Floats,
    tie: Floats,
) -> None:  # fmt: skip
    """Fills in the expected share of other sides left behind by each side; of two sides, the chance of a draw."""
    for r in range(len(result) - 1):
        low, high = result[r], result[r + 1]
        whole = longest(weight, side[low], side[high], relative)
        for s in range(low, high):
            gather(rating, deviation, player, weight, side, s, drift, beta2, mean, spread, margin, width, whole)
        tie[r] = expect(low, high, mean, spread, margin, ahead)


@kernel
def expect(low: int, high: int, mean: Floats, spread: Floats, margin: Floats, ahead: Floats) -> float:
    """Fills in these shares for the sides of one result; returns the chance of a draw of two sides, else NaN."""
    tie = 0.0
    others = 1.0 / (high - low - 1)
    for i in range(low, high):
        ahead[i] = 0.0
    for i in range(low, high):
        for q in range(i + 1, high):
            s = sqrt(spread[i] + spread[q])
            e = sqrt(margin[i] * margin[i] + margin[q] * margin[q]) / s
            win, unlost = chances((mean[i] - mean[q]) / s, e)
            p = 0.5 * (win + unlost)
            ahead[i] += p * others
            ahead[q] += (1.0 - p) * others
            tie = max(unlost - win, 0.0)
    return tie if high - low == 2 else UNKNOWN


@kernel
def duel(gap: float, v: float, w: float, beta2: float, eps: float, outcome: float) -> tuple[float, float, float, float]:
    """Returns expected share, chance of a draw, pull and shrink per unit of variance for two players."""
    width = v + w + 2.0 * beta2
    per = 1.0 / width
    over = sqrt(width) * per
    t, e = gap * over, eps * over
    win, unlost = chances(t, e)
    pull, shrink = moments(t, e, outcome)
    return 0.5 * (win + unlost), max(unlost - win, 0.0), pull * over, shrink * per


@kernel
def ranked(own: float, other: float) -> float:
    """1 if a score is above the other, -1 if it is below, 0 if they are equal."""
    outcome = 0.0
    outcome += 1.0 if own > other else 0.0
    outcome -= 1.0 if own < other else 0.0
    return outcome


@kernel
def lay_out(n: int, beta2: float, eps: float, room: Floats) -> None:
    """Fills in gaps and draw margins, in deviations of the gap of two performances, for games side by side.

    `room` holds columns of 64: gaps and the variances of both players; then margins, and the factors by which pull and
    shrink are multiplied. Gaps are replaced by gaps in deviations.
    """
    for k in range(n):
        width = room[64 + k] + room[128 + k] + 2.0 * beta2
        per = 1.0 / width
        over = sqrt(width) * per
        room[k], room[192 + k], room[256 + k], room[320 + k] = room[k] * over, eps * over, over, per


@kernel
def move(n: int, room: Floats) -> None:
    """Computes changes and new deviations of both players; pull and shrink have replaced gaps and margins in `room`."""
    for k in range(n):
        v, w, pull, shrink = room[64 + k], room[128 + k], room[k], room[192 + k]
        left, other = 1.0 - v * shrink, 1.0 - w * shrink
        left, other = left if left > 0.0 else 0.0, other if other > 0.0 else 0.0
        room[64 + k], room[128 + k] = v * pull, w * pull
        room[256 + k], room[320 + k] = sqrt(v * left), sqrt(w * other)


@kernel(passes=2)
def play_duels(
    rating: Floats, deviation: Floats, a: Ints, b: Ints, score: Floats, drift: float, beta2: float, eps: float,
    seen: Ints, room: Floats, ahead: Floats, tie: Floats, change: Floats,
) -> None:  # fmt: skip
    """Does the same as `play` for games of two players, to the last bit; `seen` is that of `disjoint`."""
    start = 0
    while start < len(a):
        stop = disjoint(a, b, start, seen)
        for k in range(stop - start):
            i, j = a[start + k], b[start + k]
            known, other = deviation[i], deviation[j]
            room[k], room[64 + k], room[128 + k] = rating[i] - rating[j], known * known + drift, other * other + drift
        lay_out(stop - start, beta2, eps, room)
        for k in range(stop - start):
            g = start + k
            win, unlost = chances(room[k], room[192 + k])
            pull, shrink = moments(room[k], room[192 + k], ranked(score[g], 0.5))
            p = 0.5 * (win + unlost)
            ahead[2 * g], ahead[2 * g + 1], tie[g] = p, 1.0 - p, max(unlost - win, 0.0)
            room[k], room[192 + k] = pull * room[256 + k], shrink * room[320 + k]
        move(stop - start, room)
        for k in range(stop - start):
            g = start + k
            i, j = a[g], b[g]
            change[2 * g], change[2 * g + 1] = room[64 + k], -room[128 + k]
            rating[i] += room[64 + k]
            rating[j] -= room[128 + k]
            deviation[i], deviation[j] = room[256 + k], room[320 + k]
        start = stop


@kernel(passes=steps)
def play(
    rating: Floats, deviation: Floats, player: Ints, weight: Floats, result: Ints, side: Ints, score: Floats,
    drift: float, beta2: float, width: float, relative: float, mean: Floats, spread: Floats, margin: Floats,
    order: Ints, bound: Ints, levels: Floats, left: Floats, left_weight: Floats, right: Floats, right_weight: Floats,
    ahead: Floats, tie: Floats, change: Floats,
) -> None:  # fmt: skip
    """Rates the results in place.

    `weight` has a row for each member, or none if all took part throughout. `width` is the draw margin of one
    performance, in its deviations. If `relative` is 1, the margin depends on the time that members took part relative
    to the longest one; if 0, on that time alone. `levels` is scratch space for ties; if it is empty, tied sides are
    chained.
    """
    eps = width * sqrt(2.0 * beta2)
    for r in range(len(result) - 1):
        low, high = result[r], result[r + 1]
        m = side[low]
        if high - low == 2 and side[high] - m == 2 and len(weight) == 0:
            i, j = player[m], player[m + 1]
            known, other = deviation[i], deviation[j]
            v, w = known * known + drift, other * other + drift
            outcome = ranked(score[low], score[low + 1])
            p, draw, pull, shrink = duel(rating[i] - rating[j], v, w, beta2, eps, outcome)
            ahead[low], ahead[low + 1], tie[r] = p, 1.0 - p, draw
            mean[low], mean[low + 1], spread[low], spread[low + 1] = rating[i], rating[j], v + beta2, w + beta2
            margin[low] = margin[low + 1] = width * sqrt(beta2)
            change[m], change[m + 1] = v * pull, -w * pull
            rating[i] += v * pull
            rating[j] -= w * pull
            deviation[i] = sqrt(v * max(1.0 - v * shrink, 0.0))
            deviation[j] = sqrt(w * max(1.0 - w * shrink, 0.0))
            continue
        whole = longest(weight, m, side[high], relative)
        for s in range(low, high):
            gather(rating, deviation, player, weight, side, s, drift, beta2, mean, spread, margin, width, whole)
        tie[r] = expect(low, high, mean, spread, margin, ahead)
        if high - low == 2:
            two(low, score, mean, spread, margin, left, right)
        else:
            if len(levels) == 0 or not settle_ties(
                low, high, score, mean, spread, margin, order, bound, levels, left, left_weight, right, right_weight
            ):
                settle(low, high, score, mean, spread, margin, order, left, left_weight, right, right_weight)
            for s in range(low, high):
                precise = left[s] + right[s]
                part = 1.0 / (1.0 + precise * spread[s])
                left[s] = (left_weight[s] + right_weight[s] - precise * mean[s]) * part  # pull per unit of variance
                right[s] = precise * part  # shrink per unit of variance
        for s in range(low, high):
            for m in range(side[s], side[s + 1]):
                i = player[m]
                part = weight[m] if len(weight) > 0 else 1.0
                own = deviation[i] * deviation[i] + drift
                change[m] = moved = part * own * left[s]
                rating[i] += moved
                deviation[i] = sqrt(own * max(1.0 - part * part * own * right[s], 0.0))


@kernel
def two(low: int, score: Floats, mean: Floats, spread: Floats, margin: Floats, pull: Floats, shrink: Floats) -> None:
    """Pull and shrink of two sides, per unit of variance, in closed form."""
    s2 = spread[low] + spread[low + 1]
    s = sqrt(s2)
    e = sqrt(margin[low] * margin[low] + margin[low + 1] * margin[low + 1]) / s
    moved, less = moments((mean[low] - mean[low + 1]) / s, e, ranked(score[low], score[low + 1]))
    pull[low], pull[low + 1] = moved / s, -moved / s
    shrink[low] = shrink[low + 1] = less / s2
