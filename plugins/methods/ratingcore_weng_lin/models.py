"""The five models of Weng and Lin: what the ranks of a result say of the strength of each side.

Of side i, omega is the sum of the first derivatives of the logarithm of the likelihood by its strength, and delta that
of the negative second ones, each weighed by gamma, the part of the uncertainty that is its own: the Omega and the Delta
of the paper over the side's variance.

Sides `low` to before `high` have strengths and variances in `mean` and `spread`. Of the first of them four numbers
stand at the beginning of `room`, and so on: omega, delta, the share of the other sides that it is expected to leave
behind, and one for a model to use.
"""

from math import sqrt

from ratingcore.plugin import Floats, kernel
from ratingcore.plugin.curves import decay, drawn, logistic, normal, won

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
    """How often two sides are neighbours in a ranking whose ties are broken by lot."""
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
def plackett_luce(low: int, high: int, score: Floats, mean: Floats, spread: Floats, room: Floats, beta2: float) -> None:
    """Plackett-Luce: the winner is drawn from all sides, the next from the others, and so on.

    Ranks are told by numbers that are 1 or 0 and not by branches, which nobody can foresee in a ranking.
    """
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
    others = 1.0 / (high - low - 1)
    for q in range(low, high):
        own, total, tied = room[4 * (q - low) + 3], 0.0, 0.0
        for s in range(low, high):
            total += room[4 * (s - low) + 3] if score[s] <= score[q] else 0.0
            tied += 1.0 if score[s] == score[q] else 0.0
        part = 1.0 / total if total > 0.0 else 0.0  # scores that are withheld are equal to none
        each = over / tied if tied > 0.0 else 0.0
        room[4 * (q - low)] += each
        for i in range(low, high):
            x = 4 * (i - low)
            p = room[x + 3] * part
            p = p if score[i] <= score[q] else 0.0
            room[x] -= each * p
            room[x + 1] += each * over * p * (1.0 - p)
        for i in range(q + 1, high):
            p = own / (own + room[4 * (i - low) + 3])
            room[4 * (q - low) + 2] += p * others
            room[4 * (i - low) + 2] += (1.0 - p) * others
    for i in range(low, high):
        room[4 * (i - low) + 1] *= sqrt(spread[i]) * over


@kernel
def far_apart(low: int, high: int, score: Floats, mean: Floats, spread: Floats, room: Floats, over: float) -> None:
    """Plackett-Luce where the worth of each side is told beside those it is compared with alone."""
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
