"""Elo-MMR's sums: the performance of everybody in a contest, and the rating that a history of performances makes."""

from math import sqrt, tanh

from ratingcore.plugin import Floats, Ints, decay, kernel, logistic_even

Q = 1.8137993642342178
"""pi / sqrt(3): what a logistic variable of deviation 1 is scaled by."""
UNSURE = float("nan")
NEAR = 1e-11
"""Step, of the size of a rating, below which a root is found."""


@kernel
def performances(mean: Floats, width: Floats, score: Floats, found: Floats) -> None:
    """The performance of everybody, at which their wins, losses and ties are most likely. `width` is Q / s."""
    n = len(mean)
    low, high = mean[0], mean[0]
    slowest = width[0]
    for j in range(n):
        low, high, slowest = min(low, mean[j]), max(high, mean[j]), min(slowest, width[j])
    for i in range(n):
        told = 0.0
        for j in range(n):
            told += width[j] if score[j] < score[i] else (-width[j] if score[j] > score[i] else 0.0)
        below, above = low - 100.0 / slowest, high + 100.0 / slowest
        p = min(max(mean[i], below), above)
        for _turn in range(200):
            value, slope = told, 0.0
            for j in range(n):
                t = tanh(0.5 * width[j] * (p - mean[j]))
                part = 2.0 * width[j] if score[j] == score[i] else width[j]
                value -= part * t
                slope += part * 0.5 * width[j] * (1.0 - t * t)
            if value > 0.0:
                below = p
            else:
                above = p
            to = p + value / slope if slope > 0.0 else 0.5 * (below + above)
            if not below <= to <= above:
                to = 0.5 * (below + above)
            step = abs(to - p)
            p = to
            if step <= NEAR * (1.0 + abs(p)):
                break
        found[i] = p


@kernel
def pull_together(
    low: int, count: int, centre: float, precise: float, past: Floats, weight: Floats, width: float, start: float
) -> float:
    """The rating that balances a normal factor and `count` past performances from `low` on."""
    below, above = min(centre, start), max(centre, start)
    for k in range(low, low + count):
        below, above = min(below, past[k]), max(above, past[k])
    x = min(max(start, below), above)
    for _turn in range(200):
        value, slope = precise * (x - centre), precise
        for k in range(low, low + count):
            t = tanh(0.5 * width * (x - past[k]))
            value += weight[k] * t
            slope += weight[k] * 0.5 * width * (1.0 - t * t)
        if value > 0.0:
            above = x
        else:
            below = x
        to = x - value / slope
        if not below <= to <= above:
            to = 0.5 * (below + above)
        step = abs(to - x)
        x = to
        if step <= NEAR * (1.0 + abs(x)):
            break
    return x


@kernel
def leads(mean: Floats, variance: Floats, spread: float, room: Floats, ahead: Floats) -> None:
    """Fills in how many of the others each is expected to leave behind; `room` is as long as the field."""
    for i in range(len(mean)):
        own, wide = mean[i], variance[i] + 2.0 * spread
        for j in range(i):  # a loop that does nothing else has several share an instruction
            room[j] = logistic_even(1.8137993642342178 * (own - mean[j]) / sqrt(wide + variance[j]))
        whole = 0.0
        for j in range(i):
            whole += room[j]
            ahead[j] += 1.0 - room[j]
        ahead[i] = whole


@kernel
def remember(
    who: Ints, rating: Floats, deviation: Floats, centre: Floats, precise: Floats, count: Floats, past: Floats,
    weight: Floats, room: int, played: Floats, drift: float, spread: float,
) -> None:  # fmt: skip
    """Adds a performance to the history of everybody in a contest, and makes ratings and deviations of it.

    `past` and `weight` have `room` places a player. What no longer finds one goes into the normal factor.
    """
    width = 1.8137993642342178 / sqrt(spread)
    unit = width * width / (1.8137993642342178 * 1.8137993642342178)  # precision that a performance of weight 1 adds
    for k in range(len(who)):
        i = who[k]
        low, n = i * room, int(count[i])
        if precise[i] != precise[i]:
            centre[i], precise[i] = rating[i], 1.0 / (deviation[i] * deviation[i])
        variance = deviation[i] * deviation[i] + drift
        faded = deviation[i] * deviation[i] / variance
        whole = precise[i]
        for h in range(low, low + n):
            whole += weight[h] / width * unit
        own, other = faded * precise[i], (1.0 - faded) * whole
        centre[i] = (own * centre[i] + other * rating[i]) / (own + other)
        precise[i] = faded * (own + other)
        for h in range(low, low + n):
            weight[h] *= faded * faded
        if n == room:
            more = weight[low] / width * unit
            centre[i] = (precise[i] * centre[i] + more * past[low]) / (precise[i] + more)
            precise[i] += more
            for h in range(low, low + n - 1):
                past[h], weight[h] = past[h + 1], weight[h + 1]
            n -= 1
        past[low + n], weight[low + n] = played[k], width
        count[i] = n + 1.0
        rating[i] = pull_together(low, n + 1, centre[i], precise[i], past, weight, width, rating[i])
        deviation[i] = 1.0 / sqrt(1.0 / variance + 1.0 / spread)


@kernel
def lean(x: float) -> float:
    """tanh(x / 2), with a relative error below 1e-13 of 1."""
    e = decay(abs(x))
    return (1.0 - e) / (1.0 + e) if x >= 0.0 else (e - 1.0) / (1.0 + e)


@kernel
def sample(mean: Floats, width: Floats, points: Floats, room: Floats, value: Floats) -> None:
    """The sum of everybody's pull at some ratings; `room` is as long as the field."""
    for k in range(len(points)):
        at = points[k]
        for j in range(len(mean)):  # tanh(x / 2), several to an instruction
            room[j] = width[j] * (2.0 * logistic_even(width[j] * (at - mean[j])) - 1.0)
        whole = 0.0
        for j in range(len(mean)):
            whole += room[j]
        value[k] = whole


@kernel
def read_off(
    mean: Floats, width: Floats, told: Floats, order: Ints, first: Ints, last: Ints, low: float, half: float,
    terms: int, series: Floats, slopes: Floats, found: Floats,
) -> int:  # fmt: skip
    """As `performances`, with the pull of the field from series in pieces of `2 half`; returns how many are unsure."""
    unsure = 0
    pieces = len(series) // terms
    for i in range(len(mean)):
        p = mean[i]
        sure = False
        below, above = low, low + 2.0 * half * pieces
        for _turn in range(60):
            n = min(max(int((p - low) / (2.0 * half)), 0), pieces - 1)
            u = (p - low - (2 * n + 1) * half) / half
            b, c, d, e = 0.0, 0.0, 0.0, 0.0
            for back in range(terms - 1):
                k = n * terms + terms - 1 - back
                b, c = series[k] + 2.0 * u * b - c, b
                d, e = slopes[k] + 2.0 * u * d - e, d
            value = told[i] - (series[n * terms] + u * b - c)
            slope = slopes[n * terms] + u * d - e
            for k in range(first[i], last[i]):
                j = order[k]
                t = lean(width[j] * (p - mean[j]))
                value -= width[j] * t
                slope += 0.5 * width[j] * width[j] * (1.0 - t * t)
            if value > 0.0:
                below = p
            else:
                above = p
            to = p + value / slope if slope > 0.0 else 0.5 * (below + above)
            if not below <= to <= above:
                to = 0.5 * (below + above)
            step = abs(to - p)
            p = to
            if step <= 1e-11 * (1.0 + abs(p)):
                sure = low < p < low + 2.0 * half * pieces
                break
        found[i] = p if sure else UNSURE
        unsure += 0 if sure else 1
    return unsure
