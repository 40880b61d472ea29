"""Newton's method on all days of all players: conjugate gradients, with the chain of every player solved exactly.

Days of a player follow each other, so the curvature is a tridiagonal matrix, broken between players, plus the terms of
games between the days of two players. Everything is in natural logarithms of odds. Loops over games run in order of
play: the days they use then lie next to those of the games before.
"""

from math import exp, log, log1p

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.curves import logistic_even, sigmoid

STRETCH = 512
"""Games whose chances are computed side by side: their smallest possible product, 2^-512, is still above 0."""


@kernel(passes=20)
def look(
    r: Floats, a: Ints, b: Ints, score: Floats, link: Floats, first: Floats, gradient: Floats, weight: Floats,
    diagonal: Floats, room: Floats,
) -> float:  # fmt: skip
    """Logarithm of the posterior, its gradient, the curvature of each game and the diagonal.

    `link` is the precision of a day given the next one of the player, 0 for their last; `first` is the number of wins,
    and of losses, of the prior on their first day, else 0; `room` has a place for each game of a stretch.
    """
    whole = 0.0
    for k in range(len(r)):
        gradient[k] = diagonal[k] = 0.0
    for k in range(len(r)):
        if first[k] > 0.0:
            p = sigmoid(r[k])
            whole -= first[k] * (abs(r[k]) + 2.0 * log1p(exp(-abs(r[k]))))
            gradient[k] += first[k] * (1.0 - 2.0 * p)
            diagonal[k] += 2.0 * first[k] * p * (1.0 - p)
        if link[k] > 0.0:
            step = r[k + 1] - r[k]
            whole -= 0.5 * link[k] * step * step
            gradient[k] += link[k] * step
            gradient[k + 1] -= link[k] * step
            diagonal[k] += link[k]
            diagonal[k + 1] += link[k]
    n = len(a)
    for low in range(0, n, STRETCH):
        high = min(low + STRETCH, n)
        for g in range(low, high):
            room[g - low] = r[a[g]] - r[b[g]]
        for g in range(high - low):  # chance of the weaker side: the smaller chance keeps all its digits
            small = logistic_even(-abs(room[g]))
            weight[low + g] = small
        product = 1.0
        for g in range(low, high):
            d, small = room[g - low], weight[g]
            w = small * (1.0 - small)
            product *= 1.0 - small
            if d > 0.0:
                surprise = score[g] - 1.0
                whole += d * surprise
                surprise += small
            else:
                whole += d * score[g]
                surprise = score[g] - small
            i, j = a[g], b[g]
            gradient[i] += surprise
            gradient[j] -= surprise
            weight[g] = w
            diagonal[i] += w
            diagonal[j] += w
        whole += log(product)
    return whole


@kernel(passes=5)
def factored(diagonal: Floats, link: Floats, pivot: Floats, ahead: Floats) -> None:
    """Reciprocals of the pivots of the chains, and what a day carries over to the next."""
    carried = 0.0
    for k in range(len(diagonal)):
        pivot[k] = 1.0 / (diagonal[k] - carried)
        ahead[k] = link[k] * pivot[k]
        carried = link[k] * ahead[k]


@kernel(passes=5)
def along_chains(pivot: Floats, ahead: Floats, right: Floats, out: Floats) -> None:
    """The solution of the chains alone."""
    n = len(right)
    carried = 0.0
    for k in range(n):
        out[k] = right[k] + carried
        carried = ahead[k] * out[k]
    later = 0.0
    for back in range(n):
        k = n - 1 - back
        later = pivot[k] * out[k] + ahead[k] * later
        out[k] = later


@kernel(passes=5)
def own_variances(pivot: Floats, ahead: Floats, variance: Floats) -> None:
    """Diagonal of the inverse of the chains: variances of days with opponents held fixed."""
    n = len(pivot)
    later = 0.0
    for back in range(n):
        k = n - 1 - back
        later = pivot[k] + ahead[k] * ahead[k] * later
        variance[k] = later


@kernel(passes=200)
def solve(
    a: Ints, b: Ints, weight: Floats, diagonal: Floats, link: Floats, pivot: Floats, ahead: Floats, tolerance: float,
    left: Floats, found: Floats, step: Floats, over: Floats, near: Floats,
) -> None:  # fmt: skip
    """Conjugate gradients for `left`, which is overwritten; the other arrays are scratch space."""
    n = len(left)
    along_chains(pivot, ahead, left, near)
    before = 0.0
    for k in range(n):
        found[k] = 0.0
        step[k] = near[k]
        before += left[k] * near[k]
    goal = tolerance * tolerance * before
    for _turn in range(10 * n):
        if not before > goal:
            return
        tied = 0.0
        for k in range(n - 1):
            over[k] = diagonal[k] * step[k] - tied - link[k] * step[k + 1]
            tied = link[k] * step[k]
        over[n - 1] = diagonal[n - 1] * step[n - 1] - tied
        for g in range(len(a)):
            i, j, w = a[g], b[g], weight[g]
            over[i] -= w * step[j]
            over[j] -= w * step[i]
        width = 0.0
        for k in range(n):
            width += step[k] * over[k]
        if not width > 0.0:
            return
        ratio = before / width
        for k in range(n):
            found[k] += ratio * step[k]
            left[k] -= ratio * over[k]
        along_chains(pivot, ahead, left, near)
        now = 0.0
        for k in range(n):
            now += left[k] * near[k]
        again = now / before
        for k in range(n):
            step[k] = near[k] + again * step[k]
        before = now
