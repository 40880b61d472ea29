"""Many settings of Glicko-2 game by game in one pass: the ratings of all of them move side by side in memory."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from math import nan
from typing import NamedTuple

import numpy as np

from ratingcore.plugin import COMPILED, DAY, STRETCH, Floats, Games, Ints, kernel, prefetch, unsigned
from ratingcore.plugin.curves import add_log_losses, close_log_losses, logistic_even
from ratingcore_glicko.by_game import bound, face, settle, weigh
from ratingcore_glicko.scale import Q2
from ratingcore_glicko.volatility import risen, sought, stepped


class Setting(NamedTuple):
    """One setting: first the numbers that all settings of a pass share, then its own numbers."""

    least: float
    most: float
    most_volatile: float
    floor: float
    first_move: float
    tau: float
    days: float
    initial: float
    deviation: float
    volatility: float


SHARED = 5
"""Number of leading fields of a setting that all settings of a pass share."""


@kernel
def grow(
    n: int, one: Floats, restless: Floats, periods: float, rate: Floats, most: float, at: int,
    variance: Floats, own: Floats,
) -> None:  # fmt: skip
    """Fills in a player's variances under `n` settings from `at` on, on the logistic scale, grown by volatilities."""
    for s in range(n):
        known, gain = Q2 * one[s], restless[s] * restless[s]
        v = known * known + gain * (periods * rate[s])
        variance[at + s] = most if v > most else v
        own[at + s] = gain


@kernel
def renew(n: int, own: Floats, variance: Floats, precision: Floats, pull: Floats, stiff: Floats, new: Floats) -> None:
    """`renew` of `volatility` with a `stiff` for each setting; a function shared by both would not be inlined."""
    for k in range(n):
        first, v, p, t = own[k], variance[k], precision[k], pull[k]
        d = stepped(0.0, first, v, p, t, stiff[k])
        step = stepped(d, first * risen(d), v, p, t, stiff[k])
        d += step
        new[k] = first * risen(d) if abs(step) < 1e-6 and abs(d) <= 0.25 else nan


@kernel
def mend(n: int, own: Floats, variance: Floats, precision: Floats, pull: Floats, stiff: Floats, new: Floats) -> None:
    """Solves one by one where two steps did not converge (NaN)."""
    for k in range(n):
        if new[k] != new[k]:
            new[k] = sought(variance[k], own[k], precision[k], pull[k], stiff[k])


@kernel
def put(n: int, at: int, least: float, new: Floats, column: Floats) -> None:
    """Copies the `n` values from `at` on into a column, each raised to `least` if below."""
    for s in range(n):
        column[s] = least if new[at + s] < least else new[at + s]


@kernel
def move(n: int, at: int, floor: float, change: Floats, rating: Floats) -> None:
    """Adds the `n` changes from `at` on to the ratings of one player, each raised to `floor` if below."""
    for s in range(n):
        x = rating[s] + change[at + s]
        rating[s] = floor if x < floor else x


@kernel(passes=STRETCH)
def abreast(
    rating: Floats, deviation: Floats, volatility: Floats, last: Floats, a: Ints, b: Ints, score: Floats, day: Floats,
    ahead: Floats, stiff: Floats, rate: Floats, least: float, most: float, most_volatile: float, floor: float,
    room: Floats, product: Floats, total: Floats,
) -> None:  # fmt: skip
    """Rates games under all settings in place, a column each; adds the log losses of their forecasts to `total`.

    `stiff` has the settings twice, for both players; `rate` is periods a day. `last` is the day of the last game of
    each player, NaN before. `room` holds seven columns of three numbers for each setting.
    """
    n = len(rate)
    gap, variance, own, share, precision, pull, new = room[0], room[1], room[2], room[3], room[4], room[5], room[6]
    for s in range(n):
        product[s] = 1.0
    for g in range(len(a)):
        if COMPILED:
            for table in (rating, deviation, volatility):
                prefetch(table, a, g)
                prefetch(table, b, g)
        i, j = a[g], b[g]
        one, other, now = rating[i], rating[j], day[g]
        of_one = now - last[i] if last[i] < now else 0.0
        of_other = now - last[j] if last[j] < now else 0.0
        last[i] = last[j] = now
        grow(n, deviation[i], volatility[i], of_one, rate, most, 0, variance, own)
        grow(n, deviation[j], volatility[j], of_other, rate, most, n, variance, own)
        extra = ahead[g]
        for s in range(n):
            gap[s] = Q2 * (one[s] - other[s] + extra)
        face(n, variance, gap, pull, share)
        for k in range(3 * n):
            share[k] = logistic_even(share[k])
        for s in range(n):
            gap[s] = score[g]
        weigh(n, 0, gap, share, precision, pull)
        renew(2 * n, own, variance, precision, pull, stiff, new)
        mend(2 * n, own, variance, precision, pull, stiff, new)
        settle(n, variance, precision, pull, least)
        bound(2 * n, most_volatile, new)
        move(n, 0, floor, pull, one)
        move(n, n, floor, pull, other)
        put(n, 0, 0.0, variance, deviation[i])
        put(n, n, 0.0, variance, deviation[j])
        put(n, 0, 0.0, new, volatility[i])
        put(n, n, 0.0, new, volatility[j])
        add_log_losses(n, score[g], 2 * n, share, product, total)
        if g % 16 == 15 or g == len(a) - 1:
            close_log_losses(n, product, total)


def losses(settings: Sequence[Setting], games: Games, given: Floats, cuts: Ints) -> Floats:
    """Sum of the log losses of each setting between each two cuts.

    Parameters
    ----------
    settings : sequence of Setting
        Settings that can share a pass are rated together, up to `STRETCH` at a time.
    given : (players,) float64
        First ratings given from outside; NaN where there is none.
    cuts : (m + 1,) int
        Indices of games, from 0 on, never decreasing.

    Returns
    -------
    (settings, m) float64, nats
    """
    found = np.empty((len(settings), len(cuts) - 1))
    order = sorted(range(len(settings)), key=lambda which: settings[which][:SHARED])
    for _, group in groupby(order, key=lambda which: settings[which][:SHARED]):
        which = list(group)
        for first in range(0, len(which), STRETCH):
            some = which[first : first + STRETCH]
            found[some] = _pass([settings[each] for each in some], games, given, cuts)
    return found


def _pass(settings: Sequence[Setting], games: Games, given: Floats, cuts: Ints) -> Floats:
    """Does the same as `losses`, for settings that share one pass."""
    n, players, shared = len(settings), len(given), settings[0]
    tau, days, initial, start, restless = np.array([setting[SHARED:] for setting in settings]).T.copy()
    rating = np.where(np.isnan(given)[:, None], initial, given[:, None])
    deviation, volatility = np.tile(start, (players, 1)), np.tile(restless, (players, 1))
    last, room, product, total = (
        np.full(players, np.nan),
        np.empty((7, 3 * n)),
        np.empty(n),
        np.zeros((n, len(cuts) - 1)),
    )
    for piece, (low, high) in enumerate(pairwise(cuts.tolist())):
        part, lost = games.part(low, high), np.zeros(n)
        ahead = shared.first_move * part["home"] if shared.first_move else np.zeros(len(part))
        abreast(
            rating, deviation, volatility, last, unsigned(part.a), unsigned(part.b), part.score, part.played / DAY,
            ahead, np.tile(tau**-2.0, 2), 1.0 / days, shared.least, shared.most, shared.most_volatile, shared.floor,
            room, product, lost,
        )  # fmt: skip
        total[:, piece] = lost
    return total
