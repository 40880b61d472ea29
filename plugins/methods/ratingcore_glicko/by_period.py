"""Glicko and Glicko-2 by period: the games of a period are rated together, from the state before it.

Only `face`, `tally` and `divide` look up the players of games. All other loops run through memory in order, several
rows per instruction; each has few enough columns for the compiler to see that they do not overlap.
"""

from math import sqrt

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.curves import logistics
from ratingcore_glicko.scale import FLATTER, aged, flattened
from ratingcore_glicko.volatility import mend, renew


@kernel
def ordered(position: Ints) -> bool:
    """Whether the positions never decrease."""
    back = 0
    for g in range(len(position) - 1):
        back += 1 if position[g + 1] < position[g] else 0
    return back == 0


@kernel
def fill(number: float, column: Floats) -> None:
    """Puts a number into each row of a column."""
    for k in range(len(column)):
        column[k] = number


@kernel
def grow(
    deviation: Floats, last: Floats, scale: float, gain: float, now: float, fresh: float, most: float, variance: Floats
) -> None:
    """Fills in variances on the logistic scale, grown to the period.

    `gain` is the growth of a variance per period, `most` the largest variance; `fresh` periods have passed where `last`
    is NaN.
    """
    for k in range(len(deviation)):
        known = scale * deviation[k]
        variance[k] = aged(known * known, last[k], now, gain, fresh, most)


@kernel
def grow_each(
    deviation: Floats, volatility: Floats, last: Floats, scale: float, now: float, fresh: float, most: float,
    growth: Floats, variance: Floats,
) -> None:  # fmt: skip
    """Does the same as `grow`, with a squared volatility as growth per period; fills in these squares too."""
    for k in range(len(deviation)):
        known, gain = scale * deviation[k], volatility[k] * volatility[k]
        variance[k] = aged(known * known, last[k], now, gain, fresh, most)
        growth[k] = gain


@kernel
def flatten(variance: Floats, slope: Floats) -> None:
    """Fills in the slopes of the curve against players of these variances."""
    for k in range(len(variance)):
        slope[k] = flattened(variance[k])


@kernel
def face(
    rating: Floats, variance: Floats, slope: Floats, a: Ints, b: Ints, ahead: Floats, scale: float,
    slope_a: Floats, slope_b: Floats, x_a: Floats, x_b: Floats, x: Floats,
) -> None:  # fmt: skip
    """Fills in, for each game, the slopes of both sides' curves, and the arguments of both curves and the forecast."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        gap = scale * (rating[i] - rating[j] + ahead[g])
        slope_a[g] = slope[j]
        slope_b[g] = slope[i]
        x_a[g] = slope[j] * gap
        x_b[g] = slope[i] * -gap
        x[g] = gap / sqrt(1.0 + FLATTER * (variance[i] + variance[j]))


@kernel
def tally(
    a: Ints, b: Ints, score: Floats, bonus: float, slope_a: Floats, slope_b: Floats, share_a: Floats, share_b: Floats,
    precision: Floats, pull: Floats, met: Ints,
) -> None:  # fmt: skip
    """Adds up precision and pull of each player's games; the expected shares of games are replaced by their pulls."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        s, t, e, f = slope_a[g], slope_b[g], share_a[g], share_b[g]
        precision[i] += s * s * e * (1.0 - e)
        precision[j] += t * t * f * (1.0 - f)
        share_a[g] = c = s * (score[g] + bonus - e)
        share_b[g] = d = t * (1.0 - score[g] + bonus - f)
        pull[i] += c
        pull[j] += d
        met[i] = met[j] = 1


@kernel
def weigh(
    rating: Floats, deviation: Floats, volatility: Floats, last: Floats, a: Ints, b: Ints, score: Floats,
    ahead: Floats, bonus: float, scale: float, gain: float, now: float, fresh: float, most: float, steep: Floats,
    met: Ints, growth: Floats, variance: Floats, slope: Floats, precision: Floats, pull: Floats, of_games: Floats,
) -> None:  # fmt: skip
    """Computes all that new volatilities depend on: the sums of each player, and the part of each game in them.

    Without volatilities, `volatility` and `growth` are empty, and `gain` is the growth of a variance per period.
    `steep` is scratch space for two numbers per game. The arrays from `met` on are filled in; `met` must be 0 before.
    They have a number per player, except `of_games`: it has the part of each game in the pull of both sides, and its
    forecast.
    """
    if len(volatility) > 0:
        grow_each(deviation, volatility, last, scale, now, fresh, most, growth, variance)
    else:
        grow(deviation, last, scale, gain, now, fresh, most, variance)
    flatten(variance, slope)
    pull_a, pull_b, expected = of_games[0], of_games[1], of_games[2]
    face(rating, variance, slope, a, b, ahead, scale, steep[0], steep[1], pull_a, pull_b, expected)
    logistics(pull_a)
    logistics(pull_b)
    logistics(expected)
    fill(0.0, precision)
    fill(0.0, pull)
    tally(a, b, score, bonus, steep[0], steep[1], pull_a, pull_b, precision, pull, met)


@kernel
def choose(met: Ints, old: Floats, column: Floats) -> None:
    """Restores the old value in a column for players without a game."""
    for k in range(len(column)):
        before, after = old[k], column[k]  # looked up first, since a branch here would be mispredicted
        column[k] = after if met[k] > 0 else before


@kernel
def spread(variance: Floats, points: float, least: float) -> None:
    """Replaces variances by their roots times `points`, or by `least` if that is larger."""
    for k in range(len(variance)):
        root = sqrt(variance[k]) * points
        variance[k] = least if root < least else root


@kernel
def restrain(most: float, squared: Floats) -> None:
    """Replaces squares of volatilities by `most` if that is smaller."""
    for k in range(len(squared)):
        squared[k] = most if squared[k] > most else squared[k]


@kernel
def add(more: Floats, column: Floats) -> None:
    """Adds a column to another, in place."""
    for k in range(len(column)):
        column[k] += more[k]


@kernel(passes=2)
def relearn(
    growth: Floats, variance: Floats, precision: Floats, pull: Floats, met: Ints, stiff: float, most: float,
    late: bool, volatility: Floats, new: Floats,
) -> None:  # fmt: skip
    """Fills in new volatilities; if growth is `late`, their squares are added to the variances."""
    renew(len(new), growth, variance, precision, pull, stiff, new)
    mend(len(new), growth, variance, precision, pull, stiff, new)
    restrain(most, new)
    if late:
        add(new, variance)
    spread(new, 1.0, 0.0)
    choose(met, volatility, new)


@kernel
def shrink(variance: Floats, precision: Floats, points: float, least: float, most: float, worth: Floats) -> None:
    """Turns variances before the games into deviations after them; fills in the rating change per unit of pull."""
    for k in range(len(variance)):
        v = variance[k] / (1.0 + variance[k] * precision[k])
        v = most if v > most else v
        worth[k] = v * points
        root = sqrt(v) * points
        variance[k] = least if root < least else root


@kernel
def move(worth: Floats, rating: Floats, pull: Floats) -> None:
    """Turns the pull on each player into their new rating."""
    for k in range(len(rating)):
        pull[k] = rating[k] + worth[k] * pull[k]


@kernel
def stamp(met: Ints, now: float, last: Floats, new: Floats) -> None:
    """Fills in when each player last played."""
    for k in range(len(last)):
        before = last[k]
        new[k] = now if met[k] > 0 else before


@kernel
def divide(worth: Floats, a: Ints, b: Ints, change_a: Floats, change_b: Floats) -> None:
    """Turns the pull of each game on each side into rating points."""
    for g in range(len(a)):
        change_a[g] *= worth[a[g]]
        change_b[g] *= worth[b[g]]


@kernel
def settle(
    rating: Floats, deviation: Floats, last: Floats, a: Ints, b: Ints, met: Ints, points: float, least: float,
    most: float, now: float, variance: Floats, precision: Floats, pull: Floats, worth: Floats, of_games: Floats,
) -> None:  # fmt: skip
    """Turns `pull` into new ratings, `variance` into new deviations, `precision` into when each player last played.

    The pull of each game on its sides becomes the rating change that it causes; `worth` is scratch space.
    """
    shrink(variance, precision, points, least, most, worth)
    choose(met, deviation, variance)
    move(worth, rating, pull)
    stamp(met, now, last, precision)
    divide(worth, a, b, of_games[0], of_games[1])
