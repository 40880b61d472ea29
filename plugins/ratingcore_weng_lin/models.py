"""The five models of Weng and Lin: what the ranks of a result say of the strength of each side.

Of side i, omega is the sum of the first derivatives of the logarithm of the likelihood by its strength, and delta that
of the negative second ones, each weighed by gamma, the part of the uncertainty that is its own: the Omega and the Delta
of the paper over the side's variance.
"""

from math import sqrt

from ratingcore.plugin import Floats, decay, drawn, kernel, logistic, normal, won

PL, BT_FULL, BT_PART, TM_FULL, TM_PART = 0, 1, 2, 3, 4
"""Numbers of the models, for the kernels."""


@kernel
def by_pairs(
    low: int, high: int, score: Floats, strength: Floats, spread: Floats, model: int, beta2: float, margin: float,
    omega: Floats, delta: Floats, ahead: Floats,
) -> None:  # fmt: skip
    """Bradley-Terry and Thurstone-Mosteller, with all pairs of sides or with neighbours in the ranking alone.

    `ahead` is the share of the other sides that each is expected to leave behind.
    """
    part = model == 2 or model == 4
    others = 1.0 / (high - low - 1)
    for i in range(low, high):
        for q in range(i + 1, high):
            c2 = spread[i] + spread[q] + 2.0 * beta2
            c = sqrt(c2)
            over = 1.0 / c
            t = (strength[i] - strength[q]) * over
            if model < 3:
                p = logistic(t)
                share = 1.0 if score[i] > score[q] else (0.0 if score[i] < score[q] else 0.5)
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
            ahead[i] += p * others
            ahead[q] += (1.0 - p) * others
            weight = neighbours(low, high, i, q, score) if part else 1.0
            omega[i] += weight * pull * over
            omega[q] -= weight * pull * over
            shrink *= weight * over * over * over
            delta[i] += shrink * sqrt(spread[i])
            delta[q] += shrink * sqrt(spread[q])


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
def plackett_luce(
    low: int, high: int, score: Floats, strength: Floats, spread: Floats, beta2: float,
    omega: Floats, delta: Floats, ahead: Floats, worth: Floats,
) -> None:  # fmt: skip
    """Plackett-Luce: the winner is drawn from all sides, the next from the others, and so on. `worth` is room."""
    c2, top, least = 0.0, strength[low], strength[low]
    for i in range(low, high):
        c2 += spread[i] + beta2
        top = max(top, strength[i])
        least = min(least, strength[i])
    over = 1.0 / sqrt(c2)
    near = (top - least) * over < 600.0  # else the worth of the weak would vanish beside that of the strong
    if near:
        for i in range(low, high):
            worth[i] = decay((top - strength[i]) * over)
    others = 1.0 / (high - low - 1)
    for i in range(low, high):
        for q in range(i + 1, high):
            p = worth[i] / (worth[i] + worth[q]) if near else logistic((strength[i] - strength[q]) * over)
            ahead[i] += p * others
            ahead[q] += (1.0 - p) * others
    for q in range(low, high):
        total, tied = 0.0, 0
        if not near:
            top = strength[q]
            for s in range(low, high):
                if score[s] <= score[q]:
                    top = max(top, strength[s])
        for s in range(low, high):
            if score[s] <= score[q]:
                total += worth[s] if near else decay((top - strength[s]) * over)
                tied += 1 if score[s] == score[q] else 0
        part = 1.0 / total if tied > 0 else 0.0
        each = over / tied if tied > 0 else 0.0
        for i in range(low, high):
            if score[i] <= score[q]:
                p = (worth[i] if near else decay((top - strength[i]) * over)) * part
                omega[i] += each * ((1.0 if i == q else 0.0) - p)
                delta[i] += each * over * p * (1.0 - p)
    for i in range(low, high):
        delta[i] *= sqrt(spread[i]) * over
