"""The loops of adaptive-k over games, in which each side has its own K."""

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.curves import logistic
from ratingcore.plugin.rules import k_of


@kernel
def play(
    rating: Floats, a: Ints, b: Ints, score: Floats, boost_a: Floats, boost_b: Floats,
    k: float, slope: float, floor: float,
    k_a: Floats, k_b: Floats, expected: Floats, change_a: Floats, change_b: Floats,
) -> None:  # fmt: skip
    """Rates games by Elo, with K raised by the boost of each side, and a floor under the ratings."""
    for g in range(len(a)):
        i, j = a[g] & 0x7FFFFFFF, b[g] & 0x7FFFFFFF  # as in boosts
        x, y = rating[i], rating[j]
        expected[g] = e = logistic(slope * (x - y))
        k_a[g] = c = k * (1.0 + boost_a[g])
        k_b[g] = d = k * (1.0 + boost_b[g])
        u = max(x + c * (score[g] - e), floor)
        v = max(y - d * (score[g] - e), floor)
        change_a[g], rating[i] = u - x, u
        change_b[g], rating[j] = v - y, v


@kernel
def play_ruled(
    rating: Floats, counted: Floats, reached: Floats, a: Ints, b: Ints, score: Floats, boost_a: Floats, boost_b: Floats,
    born: Floats, year: Ints, regime: Ints, rules: Floats, slope: float, floor: float,
    k_a: Floats, k_b: Floats, expected: Floats, change_a: Floats, change_b: Floats,
) -> None:  # fmt: skip
    """Rates games like `play`, with K by a rule on games counted, the top reached, and age; boosts raise this K."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        x, y = rating[i], rating[j]
        expected[g] = e = logistic(slope * (x - y))
        top = rules[regime[g]][5]
        k_a[g] = c = k_of(rules, regime[g], x, counted[i], reached[i], year[g] - born[i]) * (1.0 + boost_a[g])
        k_b[g] = d = k_of(rules, regime[g], y, counted[j], reached[j], year[g] - born[j]) * (1.0 + boost_b[g])
        u = max(x + c * (score[g] - e), floor)
        v = max(y - d * (score[g] - e), floor)
        change_a[g], rating[i] = u - x, u
        change_b[g], rating[j] = v - y, v
        counted[i] += 1.0
        counted[j] += 1.0
        if x >= top or u >= top:
            reached[i] = 1.0
        if y >= top or v >= top:
            reached[j] = 1.0
