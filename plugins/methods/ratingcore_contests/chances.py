"""Expected number of players behind each member of a field, summed by pairs or from a series in two variables.

A comment *vectorised* marks a loop that does nothing else, so that the compiler can run it on vectors.
"""

from math import sqrt

from ratingcore.plugin import Floats, kernel
from ratingcore.plugin.curves import logistic_even


@kernel(passes=100)
def leads(mean: Floats, variance: Floats, spread: float, room: Floats, ahead: Floats) -> None:
    """Fills in how many of the others each member is expected to leave behind; `room` is as long as the field."""
    for i in range(len(mean)):
        own, wide = mean[i], variance[i] + 2.0 * spread
        for j in range(i):  # vectorised
            room[j] = logistic_even(1.8137993642342178 * (own - mean[j]) / sqrt(wide + variance[j]))
        for j in range(i):
            ahead[j] += 1.0 - room[j]
        a, b, c, d = 0.0, 0.0, 0.0, 0.0  # four independent sums, computed in parallel
        for j in range(0, i - 3, 4):
            a, b, c, d = a + room[j], b + room[j + 1], c + room[j + 2], d + room[j + 3]
        for j in range(i // 4 * 4, i):
            a += room[j]
        ahead[i] = (a + b) + (c + d)


@kernel(passes=50)
def sample_plane(mean: Floats, variance: Floats, places: Floats, wide: Floats, value: Floats) -> None:
    """Fills in how many of the field are expected behind a player, for every pair of a rating and a variance.

    A member of the field counts as half a player behind themselves. `places` holds the ratings; `wide` holds the
    variances of the gap without the part of the opponent's rating. `value` has a row, as long as `places`, for each
    number in `wide`.
    """
    terms = len(places)
    for k in range(len(value)):
        value[k] = 0.0
    for j in range(len(mean)):
        own = mean[j]
        for d in range(len(wide)):
            per, at = 1.8137993642342178 / sqrt(wide[d] + variance[j]), d * terms
            for k in range(terms):  # vectorised
                value[at + k] += logistic_even(per * (places[k] - own))


@kernel(passes=50)
def read_plane(u: Floats, v: Floats, series: Floats, layers: int, room: Floats, ahead: Floats) -> None:
    """Evaluates a series in two variables from -1 to 1, less the half that each member counts for themselves.

    The coefficients of the series in `u` are series in `v`; `room` is as long as the series in `u`.
    """
    terms = len(room)
    for i in range(len(u)):
        for k in range(terms):
            room[k] = series[k]
        now, last = v[i], 1.0
        for d in range(1, layers):
            at = d * terms
            for k in range(terms):  # vectorised
                room[k] += now * series[at + k]
            now, last = 2.0 * v[i] * now - last, now
        whole, now, last = room[0] - 0.5, u[i], 1.0
        for k in range(1, terms):
            whole += room[k] * now
            now, last = 2.0 * u[i] * now - last, now
        ahead[i] = whole
