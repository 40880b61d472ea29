"""Elo-MMR's equations: the performance of each participant, and the rating from a history of performances."""

from math import sqrt

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.curves import logistic_even
from ratingcore.plugin.tails import decay

Q = 1.8137993642342178
"""pi / sqrt(3): one over the scale of a logistic variable with deviation 1."""
NEAR = 1e-13
"""Relative error of a rating at which its search ends: after a step, it is at most the step squared times a width."""


@kernel
def lean(x: float) -> float:
    """tanh(x / 2), with an error below 1e-13."""
    e = decay(abs(x))
    return (1.0 - e) / (1.0 + e) if x >= 0.0 else (e - 1.0) / (1.0 + e)


@kernel
def stepped(p: float, value: float, slope: float, below: float, above: float) -> tuple[float, float, float]:
    """Newton's next step towards the zero of a falling function, and its bracket, halved if the step leaves it.

    `slope` is the negative derivative of the function.
    """
    below, above = (p, above) if value > 0.0 else (below, p)
    to = p + value / slope if slope > 0.0 else below - 1.0
    return to if below <= to <= above else 0.5 * (below + above), below, above


@kernel(passes=1000)
def performances(mean: Floats, width: Floats, score: Floats, found: Floats) -> None:
    """Fills in the rating at which each player's wins, losses and ties are most likely. `width` is Q / deviation."""
    n = len(mean)
    low, high = mean[0], mean[0]
    slowest, fastest = width[0], width[0]
    for j in range(n):
        low, high = min(low, mean[j]), max(high, mean[j])
        slowest, fastest = min(slowest, width[j]), max(fastest, width[j])
    for i in range(n):
        won = 0.0
        for j in range(n):
            won += width[j] if score[j] < score[i] else (-width[j] if score[j] > score[i] else 0.0)
        below, above = low - 100.0 / slowest, high + 100.0 / slowest
        p = min(max(mean[i], below), above)
        for _turn in range(200):
            value, slope = won, 0.0
            for j in range(n):
                t = lean(width[j] * (p - mean[j]))
                part = 2.0 * width[j] if score[j] == score[i] else width[j]
                value -= part * t
                slope += part * 0.5 * width[j] * (1.0 - t * t)
            to, below, above = stepped(p, value, slope, below, above)
            step = abs(to - p)
            p = to
            if fastest * step * step <= NEAR * (1.0 + abs(p)):
                break
        found[i] = p


@kernel(passes=50)
def sample(mean: Floats, width: Floats, points: Floats, value: Floats) -> None:
    """Fills in the pull of the whole field at some ratings."""
    for k in range(len(points)):
        value[k] = 0.0
    for j in range(len(mean)):
        own, per = mean[j], width[j]
        for k in range(len(points)):  # tanh(x / 2), several per instruction
            value[k] += per * (2.0 * logistic_even(per * (points[k] - own)) - 1.0)


@kernel
def sixteen(c: Floats, n: int, u: float) -> float:
    """Evaluates the polynomial of sixteen coefficients from `n` on, in pairs of pairs that are computed in parallel."""
    v = u * u
    w = v * v
    a = (c[n] + c[n + 1] * u) + (c[n + 2] + c[n + 3] * u) * v
    b = (c[n + 4] + c[n + 5] * u) + (c[n + 6] + c[n + 7] * u) * v
    d = (c[n + 8] + c[n + 9] * u) + (c[n + 10] + c[n + 11] * u) * v
    e = (c[n + 12] + c[n + 13] * u) + (c[n + 14] + c[n + 15] * u) * v
    whole: float = (a + b * w) + (d + e * w) * (w * w)
    return whole


@kernel(passes=50)
def read_off(
    mean: Floats, width: Floats, won: Floats, order: Ints, starts: Ints, fastest: float, low: float, half: float,
    powers: Floats, slopes: Floats, found: Floats,
) -> None:  # fmt: skip
    """Does the same as `performances`, with polynomials of sixteen terms for the pull of the field, `2 half` wide each.

    `won` has a number for each distinct score: the widths of all with a lower score less those with a higher one.
    `starts` has the place in `order`, the ranking from the last to the first, where the players of a score begin.
    """
    pieces = len(powers) // 16
    p = mean[order[0]]
    for tie in range(len(won)):
        for at in range(starts[tie], starts[tie + 1]):  # starts at the previous performance, which is nearly as high
            i = order[at]
            below, above = low, low + 2.0 * half * pieces
            for _turn in range(200):
                n = min(max(int((p - low) / (2.0 * half)), 0), pieces - 1)
                u = (p - low - (2 * n + 1) * half) / half
                value, slope = won[tie] - sixteen(powers, 16 * n, u), sixteen(slopes, 16 * n, u)
                for k in range(starts[tie], starts[tie + 1]):
                    j = order[k]
                    t = lean(width[j] * (p - mean[j]))
                    value -= width[j] * t
                    slope += 0.5 * width[j] * width[j] * (1.0 - t * t)
                to, below, above = stepped(p, value, slope, below, above)
                step = abs(to - p)
                p = to
                if fastest * step * step <= NEAR * (1.0 + abs(p)):
                    break
            found[i] = p


@kernel
def pull_together(count: int, centre: float, precise: float, width: float, start: float, room: Floats) -> float:
    """Returns the rating that balances a normal factor and some past performances.

    `room` has four rows, padded to a multiple of eight: performances, their weights, and two for sums. Halley's steps
    cost little more than Newton's, and a third fewer are needed.
    """
    past, weight, lean_of, stiff = room[0], room[1], room[2], room[3]
    below, above = min(centre, start), max(centre, start)
    padded = (count + 7) // 8 * 8
    for k in range(count):
        below, above = min(below, past[k]), max(above, past[k])
    for k in range(count, padded):
        past[k] = weight[k] = 0.0
    x = start
    for _turn in range(200):
        for k in range(padded):  # several per instruction
            lean_of[k] = 2.0 * logistic_even(width * (x - past[k])) - 1.0
        for k in range(padded):
            stiff[k] = weight[k] - weight[k] * lean_of[k] * lean_of[k]
        a, b, c, d, e, f = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0  # each sum in two halves, computed in parallel
        for k in range(0, padded, 2):
            a, b = a + weight[k] * lean_of[k], b + weight[k + 1] * lean_of[k + 1]
            c, d = c + stiff[k], d + stiff[k + 1]
            e, f = e + stiff[k] * lean_of[k], f + stiff[k + 1] * lean_of[k + 1]
        value, slope = precise * (centre - x) - (a + b), precise + 0.5 * width * (c + d)
        bend = 0.5 * width * width * (e + f)
        to, below, above = stepped(x, value, slope - 0.5 * value * bend / slope, below, above)
        step = abs(to - x)
        x = to
        if width * width * step * step * step <= NEAR * (1.0 + abs(x)):
            break
    return x


@kernel(passes=50)
def remember(
    who: Ints, rating: Floats, deviation: Floats, centre: Floats, precise: Floats, count: Floats, past: Floats,
    weight: Floats, played: Floats, drift: float, spread: float, room: Floats,
) -> None:  # fmt: skip
    """Adds a performance to the history of each participant, and computes new ratings and deviations.

    `past` and `weight` have a row per player. If a row is full, its oldest performance goes into the normal factor.
    """
    width = 1.8137993642342178 / sqrt(spread)
    unit = width / (1.8137993642342178 * 1.8137993642342178)  # precision that a performance adds per unit of weight
    for k in range(len(who)):
        i = who[k]
        then, load = past[i], weight[i]
        n = int(count[i]) if 0.0 <= count[i] <= len(then) else 0  # a seed may give any number
        if centre[i] != centre[i] or not precise[i] > 0.0:
            centre[i], precise[i] = rating[i], 1.0 / (deviation[i] * deviation[i])
        variance = deviation[i] * deviation[i] + drift
        faded = deviation[i] * deviation[i] / variance
        whole, other = 0.0, 0.0
        for h in range(0, n - 1, 2):
            whole, other = whole + load[h], other + load[h + 1]
        whole = precise[i] + unit * (whole + other + (load[n - 1] if n % 2 == 1 else 0.0))
        own, other = faded * precise[i], (1.0 - faded) * whole
        centre[i] = (own * centre[i] + other * rating[i]) / (own + other)
        precise[i] = faded * (own + other)
        for h in range(n):
            load[h] *= faded * faded
        if n == len(then):
            more = load[0] * unit
            centre[i] = (precise[i] * centre[i] + more * then[0]) / (precise[i] + more)
            precise[i] += more
            for h in range(n - 1):
                then[h], load[h] = then[h + 1], load[h + 1]
            n -= 1
        then[n], load[n] = played[k], width
        count[i] = n + 1.0
        for h in range(n + 1):
            room[0][h], room[1][h] = then[h], load[h]
        rating[i] = pull_together(n + 1, centre[i], precise[i], width, rating[i], room)
        deviation[i] = 1.0 / sqrt(1.0 / variance + 1.0 / spread)
