"""The loop of elo-margin over games: season carry-over, expected share, multiplier, change."""

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.curves import logistic

NONE = float("nan")
"""The multiplier of a game that is left out."""


@kernel
def carry_over(rating: float, season: float, label: float, pull: float, to: float) -> float:
    """Points towards `to` before the first game of a season other than the last one seen, else 0.

    The season of a newcomer, or of a game without one, is NaN: then nothing is carried over.
    """
    if season != label and season == season and label == label:
        return pull * (to - rating)
    return 0.0


@kernel
def play(
    rating: Floats, season: Floats, a: Ints, b: Ints, score: Floats, label: Floats, ahead: Floats, k: Floats,
    numerator: Floats, slope: float, base: float, tilt: float, pull: float, to: float,
    carried_a: Floats, carried_b: Floats, expected: Floats, multiplier: Floats, change: Floats,
) -> int:  # fmt: skip
    """Rates the games; returns how many are left out because their multiplier is undefined."""
    poles = 0
    for g in range(len(a)):
        i, j = a[g], b[g]
        carried_a[g] = carry_over(rating[i], season[i], label[g], pull, to)
        carried_b[g] = carry_over(rating[j], season[j], label[g], pull, to)
        x = rating[i] + carried_a[g]
        y = rating[j] + carried_b[g]
        d = x - y + ahead[g]
        below = 1.0
        if score[g] > 0.5:
            below = base + tilt * d
        elif score[g] < 0.5:
            below = base - tilt * d
        expected[g] = logistic(slope * d)
        if not below > 0.0:
            poles += 1
            carried_a[g] = carried_b[g] = change[g] = 0.0
            multiplier[g] = NONE
            continue
        if label[g] == label[g]:
            season[i] = season[j] = label[g]
        multiplier[g] = numerator[g] / below
        change[g] = k[g] * multiplier[g] * (score[g] - expected[g])
        rating[i] = x + change[g]
        rating[j] = y - change[g]
    return poles
