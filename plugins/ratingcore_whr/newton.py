"""Newton's method on all days of all players: conjugate gradients, with the chain of every player solved exactly.

Days of a player follow each other, so the curvature is a tridiagonal matrix, broken between players, and what games add
between the days of two players. Everything is in natural logarithms of odds.
"""

from math import exp, log1p

from ratingcore.plugin import Floats, Ints, kernel


@kernel
def curve(x: float) -> float:
    """1 / (1 + e^-x) to all digits."""
    if x >= 0.0:
        return 1.0 / (1.0 + exp(-x))
    small = exp(x)
    return small / (1.0 + small)


@kernel(passes=20)
def look(
    r: Floats, a: Ints, b: Ints, score: Floats, link: Floats, first: Floats, gradient: Floats, weight: Floats,
    diagonal: Floats,
) -> float:  # fmt: skip
    """Logarithm of the posterior, its gradient, the curvature of each game and the diagonal.

    `link` is the precision of a day given the next one of the player, 0 for their last; `first` is the number of wins,
    and of losses, of the prior on their first day, else 0.
    """
    whole = 0.0
    for k in range(len(r)):
        gradient[k] = diagonal[k] = 0.0
    for k in range(len(r)):
        if first[k] > 0.0:
            p = curve(r[k])
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
    for g in range(len(a)):
        d = r[a[g]] - r[b[g]]
        p = curve(d)
        whole -= log1p(exp(-abs(d))) + (d * (1.0 - score[g]) if d > 0.0 else -d * score[g])
        gradient[a[g]] += score[g] - p
        gradient[b[g]] -= score[g] - p
        w = p * curve(-d)
        weight[g] = w
        diagonal[a[g]] += w
        diagonal[b[g]] += w
    return whole


@kernel(passes=5)
def factored(diagonal: Floats, link: Floats, pivot: Floats) -> None:
    """Reciprocals of the pivots of the chains."""
    for k in range(len(diagonal)):
        carried = link[k - 1] * link[k - 1] * pivot[k - 1] if k > 0 else 0.0
        pivot[k] = 1.0 / (diagonal[k] - carried)


@kernel(passes=5)
def along_chains(link: Floats, pivot: Floats, right: Floats, out: Floats) -> None:
    """The solution of the chains alone."""
    n = len(right)
    for k in range(n):
        out[k] = right[k] + (link[k - 1] * pivot[k - 1] * out[k - 1] if k > 0 else 0.0)
    for back in range(n):
        k = n - 1 - back
        out[k] = pivot[k] * (out[k] + (link[k] * out[k + 1] if k + 1 < n else 0.0))


@kernel(passes=5)
def own_variances(diagonal: Floats, link: Floats, pivot: Floats, variance: Floats) -> None:
    """Diagonal of the inverse of the chains: variances of days where opponents stand still."""
    n = len(diagonal)
    for back in range(n):
        k = n - 1 - back
        ahead = link[k] * pivot[k]
        variance[k] = pivot[k] + (ahead * ahead * variance[k + 1] if k + 1 < n else 0.0)


@kernel(passes=200)
def solve(
    a: Ints, b: Ints, weight: Floats, diagonal: Floats, link: Floats, pivot: Floats, tolerance: float,
    left: Floats, found: Floats, step: Floats, over: Floats, near: Floats,
) -> None:  # fmt: skip
    """Conjugate gradients for `left`, which is used up; the others are room."""
    n = len(left)
    along_chains(link, pivot, left, near)
    before = 0.0
    for k in range(n):
        found[k] = 0.0
        step[k] = near[k]
        before += left[k] * near[k]
    goal = tolerance * tolerance * before
    for _turn in range(10 * n):
        if not before > goal:
            return
        for k in range(n):
            over[k] = diagonal[k] * step[k]
            if k > 0:
                over[k] -= link[k - 1] * step[k - 1]
            if k + 1 < n:
                over[k] -= link[k] * step[k + 1]
        for g in range(len(a)):
            over[a[g]] -= weight[g] * step[b[g]]
            over[b[g]] -= weight[g] * step[a[g]]
        width = 0.0
        for k in range(n):
            width += step[k] * over[k]
        if not width > 0.0:
            return
        ratio = before / width
        for k in range(n):
            found[k] += ratio * step[k]
            left[k] -= ratio * over[k]
        along_chains(link, pivot, left, near)
        now = 0.0
        for k in range(n):
            now += left[k] * near[k]
        again = now / before
        for k in range(n):
            step[k] = near[k] + again * step[k]
        before = now
