"""Chances to be ahead in a field: one by one, or from a few places of rating and variance."""

from math import sqrt

from ratingcore.plugin import Floats, kernel
from ratingcore.plugin.curves import logistic_even


@kernel(passes=100)
def leads(mean: Floats, variance: Floats, spread: float, room: Floats, ahead: Floats) -> None:
    """Fills in how many of the others each is expected to leave behind; `room` is as long as the field."""
    for i in range(len(mean)):
        own, wide = mean[i], variance[i] + 2.0 * spread
        for j in range(i):  # a loop that does nothing else has several share an instruction
            room[j] = logistic_even(1.8137993642342178 * (own - mean[j]) / sqrt(wide + variance[j]))
        for j in range(i):
            ahead[j] += 1.0 - room[j]
        a, b, c, d = 0.0, 0.0, 0.0, 0.0  # four sums, which need not wait for each other
        for j in range(0, i - 3, 4):
            a, b, c, d = a + room[j], b + room[j + 1], c + room[j + 2], d + room[j + 3]
        for j in range(i // 4 * 4, i):
            a += room[j]
        ahead[i] = (a + b) + (c + d)


@kernel(passes=50)
def sample_plane(mean: Floats, variance: Floats, places: Floats, wide: Floats, value: Floats) -> None:
    """How many of the field are expected to be behind somebody, themselves too, for some ratings and variances.

    `wide` holds variances of the gap without the variance of the other; `value` is as long as both together.
    """
    terms = len(places)
    for k in range(len(value)):
        value[k] = 0.0
    for j in range(len(mean)):
        own = mean[j]
        for d in range(len(wide)):
            per, at = 1.8137993642342178 / sqrt(wide[d] + variance[j]), d * terms
            for k in range(terms):  # several share an instruction
                value[at + k] += logistic_even(per * (places[k] - own))


@kernel(passes=50)
def read_plane(u: Floats, v: Floats, series: Floats, layers: int, room: Floats, ahead: Floats) -> None:
    """Fills in a series in two variables from -1 to 1, less the half that everybody has against themselves.

    `room` is as long as one of the layers, which are series in `u`; their coefficients are series in `v`.
    """
    terms = len(room)
    for i in range(len(u)):
        for k in range(terms):
            room[k] = series[k]
        now, last = v[i], 1.0
        for d in range(1, layers):
            at = d * terms
            for k in range(terms):  # several share an instruction
                room[k] += now * series[at + k]
            now, last = 2.0 * v[i] * now - last, now
        whole, now, last = room[0] - 0.5, u[i], 1.0
        for k in range(1, terms):
            whole += room[k] * now
            now, last = 2.0 * u[i] * now - last, now
        ahead[i] = whole
