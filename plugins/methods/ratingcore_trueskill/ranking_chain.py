"""Performances of the sides of a ranking, given the ranking: a closed form for two, expectation propagation for more.

The sides of a result are chained in the order of the ranking. Each link is the fact that one performance was more than
`eps` above the next, or within `eps` of it. It sends a message to each of its two sides: a precision, and a precision
times a mean.
"""

from math import sqrt

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.tails import above, drawn, normal_near, pull_near, won

SWEEPS = 500
"""Largest number of passes over a chain; a ranking of a hundred sides takes about thirty."""
STILL = 1e-11
"""Change of the messages, in units of the performance they are about, below which a chain is at rest."""


@kernel
def moments(t: float, e: float, outcome: float) -> tuple[float, float]:
    """Pull and shrink of a gap expected to be `t` deviations wide, after a win, a draw or a loss."""
    if outcome != 0.0:
        x = outcome * t - e
        if -7.9 < x < 7.9:
            pull = pull_near(x)
            shrink = pull * (pull + x)
        else:
            pull, shrink = won(x)
        return outcome * pull, shrink
    pull, shrink = drawn(abs(t) - e, abs(t) + e)
    return (pull if t >= 0.0 else -pull), shrink


@kernel
def chances(t: float, e: float) -> tuple[float, float]:
    """Chances of a win and of no loss."""
    x, y = t - e, t + e
    if x > -7.9 and y < 7.9:
        return normal_near(x), normal_near(y)
    return above(-x), above(-y)


@kernel
def before(score: Floats, mean: Floats, spread: Floats, s: int, q: int) -> bool:
    """Whether side `s` is chained before side `q`: by score, and tied sides by their ratings.

    Sides that are tied and otherwise equal keep the order in which they are named; `ties` does not depend on it.
    """
    if score[s] != score[q]:
        return bool(score[s] > score[q])
    if mean[s] != mean[q]:
        return bool(mean[s] > mean[q])
    return bool(spread[s] > spread[q])


@kernel
def chained(low: int, high: int, score: Floats, mean: Floats, spread: Floats, order: Ints) -> None:
    """Fills `order` from `low` on with the sides of a result in the order of the ranking."""
    for s in range(low, high):
        at = s
        while at > low and before(score, mean, spread, s, order[at - 1]):
            order[at] = order[at - 1]
            at -= 1
        order[at] = s


@kernel
def bond(
    precise: float, weight: float, other_precise: float, other_weight: float, eps: float, tied: bool
) -> tuple[float, float, float, float]:  # fmt: skip
    """Messages of a link to both of its ends, each given the other messages to that end."""
    own, other = 1.0 / precise, 1.0 / other_precise
    at, there = own * weight, other * other_weight
    width = own + other
    s = sqrt(width)
    pull, shrink = moments((at - there) / s, eps / s, 0.0 if tied else 1.0)
    rest = width * (1.0 - shrink)
    up, down = 1.0 / (shrink * other + rest), 1.0 / (shrink * own + rest)
    return shrink * up, (shrink * at + s * pull) * up, shrink * down, (shrink * there - s * pull) * down


@kernel
def link(
    i: int, j: int, tied: bool, eps: float, mean: Floats, spread: Floats,
    precise_i: float, weight_i: float, precise_j: float, weight_j: float,
) -> tuple[float, float, float, float]:  # fmt: skip
    """Messages of the link of side `i` to `i`, and to the next side `j`, given the other messages to both."""
    return bond(
        1.0 / spread[i] + precise_i, mean[i] / spread[i] + weight_i,
        1.0 / spread[j] + precise_j, mean[j] / spread[j] + weight_j, eps, tied,
    )  # fmt: skip


@kernel
def shift(precise: float, weight: float, mean: float, spread: float) -> float:
    """How far a message has moved, in units of the performance."""
    return max(abs(precise) * spread, abs(weight - precise * mean) * sqrt(spread))


@kernel
def settle(
    low: int, high: int, score: Floats, mean: Floats, spread: Floats, margin: Floats, order: Ints,
    left: Floats, left_weight: Floats, right: Floats, right_weight: Floats,
) -> None:  # fmt: skip
    """Expectation propagation: `left` and `right` are the messages to each side from the links before and after it."""
    chained(low, high, score, mean, spread, order)
    for s in range(low, high):
        left[s] = left_weight[s] = right[s] = right_weight[s] = 0.0
    for _sweep in range(SWEEPS):
        moved = 0.0
        for step in range(2 * (high - low - 1)):
            k = low + step if step < high - low - 1 else high - 2 - (step - (high - low - 1))
            i, j = order[k], order[k + 1]
            a, b, c, d = link(
                i, j, score[i] == score[j], sqrt(margin[i] * margin[i] + margin[j] * margin[j]), mean, spread,
                left[i], left_weight[i], right[j], right_weight[j],
            )  # fmt: skip
            moved = max(moved, shift(a - right[i], b - right_weight[i], mean[i], spread[i]))
            moved = max(moved, shift(c - left[j], d - left_weight[j], mean[j], spread[j]))
            right[i], right_weight[i], left[j], left_weight[j] = a, b, c, d
        if not moved > STILL:
            return
