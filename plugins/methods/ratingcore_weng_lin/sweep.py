"""Many settings of two players in one pass: the ratings of all of them move game by game, side by side in memory."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ratingcore.plugin import STRETCH, Floats, Games, Ints, kernel
from ratingcore.plugin.curves import add_log_losses, close_log_losses
from ratingcore_weng_lin.play import duel, place


@kernel(passes=STRETCH)
def abreast(
    rating: Floats, deviation: Floats, drift: Floats, a: Ints, b: Ints, score: Floats, room: Floats, product: Floats,
    total: Floats,
) -> None:  # fmt: skip
    """Rates games under all settings in place, a column each; adds the log losses of their forecasts to `total`."""
    settings = len(drift)
    for s in range(settings):
        product[s] = 1.0
    for g in range(len(a)):
        one, other, known, also = rating[a[g]], rating[b[g]], deviation[a[g]], deviation[b[g]]
        took = score[g]
        share = place(took, 0.5)
        for s in range(settings):
            room[s] = one[s]
            room[64 + s] = other[s]
            room[128 + s] = known[s] * known[s] + drift[s]
            room[192 + s] = also[s] * also[s] + drift[s]
            room[256 + s] = share
        duel(settings, room)
        for s in range(settings):
            one[s] = room[s]
            other[s] = room[64 + s]
            known[s] = room[128 + s]
            also[s] = room[192 + s]
        add_log_losses(settings, took, 256, room, product, total)
        if g % 16 == 15 or g == len(a) - 1:
            close_log_losses(settings, product, total)


def losses(
    settings: Sequence[tuple[float, float, float, float, float]], games: Games, given: Floats, cuts: Ints
) -> Floats:
    """Sum of the log losses of each setting between each two cuts.

    Parameters
    ----------
    settings : sequence of (initial, deviation, beta, kappa, drift)
    given : (players,) float64
        First ratings given from outside; NaN where there is none.
    cuts : (m + 1,) int
        Indices of games, from 0 on, never decreasing.

    Returns
    -------
    (settings, m) float64, nats
    """
    found = np.zeros((len(settings), len(cuts) - 1))
    for first in range(0, len(settings), STRETCH):
        initial, start, beta, kappa, drift = np.array(settings[first : first + STRETCH], dtype=np.float64).T.copy()
        rating = np.where(np.isnan(given)[:, None], initial, given[:, None])
        deviation = np.tile(start, (len(given), 1))
        room = np.zeros(9 * STRETCH)
        room[7 * STRETCH : 7 * STRETCH + len(beta)] = beta**2
        room[8 * STRETCH : 8 * STRETCH + len(beta)] = kappa
        for piece, (low, high) in enumerate(pairwise(cuts.tolist())):
            total = np.zeros(len(beta))
            part = games.part(low, high)
            abreast(rating, deviation, drift**2, part.a, part.b, part.score, room, np.empty(len(beta)), total)
            found[first : first + len(beta), piece] = total
    return found
