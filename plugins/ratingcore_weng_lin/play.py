"""Rating results in order of play: any sides, and a formula of their own for two players."""

from math import sqrt

from ratingcore.plugin import Floats, Ints, kernel, logistic
from ratingcore_weng_lin.models import by_pairs, plackett_luce


@kernel
def meet(
    rating: Floats, deviation: Floats, player: Ints, weight: Floats, side: Ints, score: Floats, low: int, high: int,
    model: int, beta2: float, drift: float, margin: float, strength: Floats, spread: Floats, omega: Floats,
    delta: Floats, worth: Floats, ahead: Floats,
) -> bool:  # fmt: skip
    """What the ranks of a result say of its sides, those from `low` to before `high`; false if a deviation is none."""
    for s in range(low, high):
        strength[s] = spread[s] = omega[s] = delta[s] = ahead[s] = 0.0
        for m in range(side[s], side[s + 1]):
            known = deviation[player[m]]
            if not known >= 0.0:
                return False
            part = weight[m] if len(weight) > 0 else 1.0
            strength[s] += part * rating[player[m]]
            spread[s] += part * part * (known * known + drift)
    if model == 0:
        plackett_luce(low, high, score, strength, spread, beta2, omega, delta, ahead, worth)
    else:
        by_pairs(low, high, score, strength, spread, model, beta2, margin, omega, delta, ahead)
    return True


@kernel
def foresee(
    rating: Floats, deviation: Floats, player: Ints, weight: Floats, result: Ints, side: Ints, score: Floats,
    model: int, beta2: float, drift: float, margin: float, strength: Floats, spread: Floats, omega: Floats,
    delta: Floats, worth: Floats, ahead: Floats,
) -> None:  # fmt: skip
    """The share of the other sides that each side of each result is expected to leave behind."""
    for r in range(len(result) - 1):
        meet(
            rating, deviation, player, weight, side, score, result[r], result[r + 1], model, beta2, drift, margin,
            strength, spread, omega, delta, worth, ahead,
        )  # fmt: skip


@kernel
def duel(
    rating: Floats, deviation: Floats, player: Ints, m: int, score: Floats, low: int, beta2: float, drift: float,
    least: float, ahead: Floats, change: Floats,
) -> bool:  # fmt: skip
    """Rates two players, members `m` and the next, whose sides are `low` and the next; false if a deviation is none.

    Plackett-Luce is Bradley-Terry then, and there are no pairs but one.
    """
    i, j = player[m], player[m + 1]
    known, other = deviation[i], deviation[j]
    if not (known >= 0.0 and other >= 0.0):
        return False
    v, w = known * known + drift, other * other + drift
    over = 1.0 / sqrt(v + w + 2.0 * beta2)
    p = logistic((rating[i] - rating[j]) * over)
    ahead[low], ahead[low + 1] = p, 1.0 - p
    a, b = score[low], score[low + 1]
    pull = ((1.0 if a > b else (0.0 if a < b else 0.5)) - p) * over
    shrink = p * (1.0 - p) * over * over * over
    change[m] = c = v * pull
    change[m + 1] = d = -w * pull
    rating[i] += c
    rating[j] += d
    deviation[i] = sqrt(v * max(1.0 - v * shrink * sqrt(v), least))
    deviation[j] = sqrt(w * max(1.0 - w * shrink * sqrt(w), least))
    return True


@kernel
def play_duels(
    rating: Floats, deviation: Floats, player: Ints, score: Floats, beta2: float, drift: float, least: float,
    ahead: Floats, change: Floats,
) -> int:  # fmt: skip
    """As `play` where two players meet in every result, by all models but Thurstone-Mosteller's."""
    for g in range(len(player) // 2):
        if not duel(rating, deviation, player, 2 * g, score, 2 * g, beta2, drift, least, ahead, change):
            return g
    return -1


@kernel
def play(
    rating: Floats, deviation: Floats, player: Ints, weight: Floats, result: Ints, side: Ints, score: Floats,
    model: int, beta2: float, drift: float, margin: float, least: float, strength: Floats, spread: Floats,
    omega: Floats, delta: Floats, worth: Floats, ahead: Floats, change: Floats,
) -> int:  # fmt: skip
    """Rates the results in place; returns the index of the first that cannot be rated, or -1.

    `weight` has a row for each member, or none if all took part all the time; `least` is the part of a variance that a
    result leaves at least.
    """
    for r in range(len(result) - 1):
        low, high = result[r], result[r + 1]
        m = side[low]
        two = model < 3 and high - low == 2 and side[high] - m == 2
        if two and (len(weight) == 0 or (weight[m] == 1.0 and weight[m + 1] == 1.0)):
            if not duel(rating, deviation, player, m, score, low, beta2, drift, least, ahead, change):
                return r
            continue
        if not meet(
            rating, deviation, player, weight, side, score, low, high, model, beta2, drift, margin,
            strength, spread, omega, delta, worth, ahead,
        ):  # fmt: skip
            return r
        for s in range(low, high):
            for m in range(side[s], side[s + 1]):
                i = player[m]
                part = weight[m] if len(weight) > 0 else 1.0
                own = deviation[i] * deviation[i] + drift
                change[m] = moved = part * own * omega[s]
                rating[i] += moved
                deviation[i] = sqrt(own * max(1.0 - part * part * own * delta[s], least))
    return -1
