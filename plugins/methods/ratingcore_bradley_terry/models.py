"""What a row of results says: slope and curvature of its log-likelihood by the gap and by the draw parameter.

The gap `d` and the draw parameter `x` are in natural logarithms: `x` is ln nu of Davidson, ln theta of Rao and Kupper.
"""

from math import exp, log, log1p

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.curves import sigmoid

HALF, DAVIDSON, RAO_KUPPER = 0, 1, 2


@kernel
def log_sigmoid(x: float) -> float:
    """ln of `sigmoid`."""
    return -log1p(exp(-x)) if x >= 0.0 else x - log1p(exp(x))


@kernel
def chances(model: int, d: float, x: float) -> tuple[float, float]:
    """Chances of a win and of a loss at a gap."""
    if model == 0:
        win = sigmoid(d)
        return win, 1.0 - win
    if model == 1:
        half = exp(-0.5 * abs(d))
        tie = exp(x) * half
        whole = 1.0 + half * half + tie
        return (1.0 / whole, half * half / whole) if d >= 0.0 else (half * half / whole, 1.0 / whole)
    return sigmoid(d - x), sigmoid(-d - x)


@kernel
def likelihood(model: int, d: float, x: float, won: float, drawn: float, lost: float) -> float:
    """Log-likelihood of a row."""
    if model == 0:
        return won * log_sigmoid(d) + lost * log_sigmoid(-d)
    if model == 1:
        size = abs(d)
        whole = 0.5 * size + log(1.0 + exp(-size) + exp(x - 0.5 * size))
        return 0.5 * d * (won - lost) + x * drawn - (won + drawn + lost) * whole
    both = (won + drawn) * log_sigmoid(d - x) + (lost + drawn) * log_sigmoid(-d - x)
    return both + (drawn * (2.0 * x + log1p(-exp(-2.0 * x))) if drawn > 0.0 else 0.0)


@kernel
def slopes(
    model: int, d: float, x: float, won: float, drawn: float, lost: float
) -> tuple[float, float, float, float, float]:
    """Slopes by gap and draw parameter; negative second derivatives by gap, by both, by draw parameter."""
    win, loss = chances(model, d, x)
    games = won + drawn + lost
    if model == 0:
        return won - games * win, 0.0, games * win * loss, 0.0, 0.0
    if model == 1:
        tie = 1.0 - win - loss
        lead = win - loss
        return (
            0.5 * (won - lost) - 0.5 * games * lead,
            drawn - games * tie,
            0.25 * games * (win + loss - lead * lead),
            -0.5 * games * lead * tie,
            games * tie * (1.0 - tie),
        )
    ups, downs = won + drawn, lost + drawn
    steep, deep = ups * win * (1.0 - win), downs * loss * (1.0 - loss)
    slope, bend = -ups * (1.0 - win) - downs * (1.0 - loss), steep + deep
    if drawn > 0.0:
        less = exp(-2.0 * x)
        slope += 2.0 * drawn / (1.0 - less)
        bend += 4.0 * drawn * less / ((1.0 - less) * (1.0 - less))
    return ups * (1.0 - win) - downs * (1.0 - loss), slope, steep + deep, deep - steep, bend


@kernel
def bend(
    model: int, theta: Floats, x: float, shift: Floats, i: Ints, j: Ints, won: Floats, drawn: Floats, lost: Floats,
    gradient: Floats, diagonal: Floats, steep: Floats, by_gap: Floats, by_both: Floats, by_draw: Floats,
) -> float:  # fmt: skip
    """Fills gradient and diagonal of the curvature of players and, at their ends, of draws; returns the likelihood.

    `shift` is what a row adds to its gap. `steep` is the slope of each row by the gap; `by_gap`, `by_both` and
    `by_draw` are its curvatures, which the products with a vector need.
    """
    last = len(gradient) - 1
    whole = 0.0
    for k in range(last + 1):
        gradient[k] = diagonal[k] = 0.0
    for r in range(len(i)):
        a, b = i[r], j[r]
        d = theta[a] - theta[b] + shift[r]
        if model == 0:  # the same with one exponential, where nearly all the time goes
            small, games = exp(-abs(d)), won[r] + drawn[r] + lost[r]
            win = (1.0 if d >= 0.0 else small) / (1.0 + small)
            slope, curve = won[r] - games * win, games * win * (1.0 - win)
            whole -= (won[r] + lost[r]) * log1p(small) + (lost[r] * d if d > 0.0 else -won[r] * d)
            draw_slope = both = draw_curve = 0.0
        else:
            slope, draw_slope, curve, both, draw_curve = slopes(model, d, x, won[r], drawn[r], lost[r])
            whole += likelihood(model, d, x, won[r], drawn[r], lost[r])
        steep[r], by_gap[r], by_both[r], by_draw[r] = slope, curve, both, draw_curve
        gradient[a] += slope
        gradient[b] -= slope
        gradient[last] += draw_slope
        diagonal[a] += curve
        diagonal[b] += curve
        diagonal[last] += draw_curve
    return whole


@kernel
def slopes_of_rows(
    model: int, theta: Floats, x: float, shift: Floats, i: Ints, j: Ints, won: Floats, drawn: Floats, lost: Floats,
    by_gap: Floats, by_draw: Floats,
) -> None:  # fmt: skip
    """Fills the slopes of each row by the gap and by the draw parameter."""
    for r in range(len(i)):
        d = theta[i[r]] - theta[j[r]] + shift[r]
        by_gap[r], by_draw[r], _, _, _ = slopes(model, d, x, won[r], drawn[r], lost[r])


@kernel
def multiply(
    i: Ints, j: Ints, terms: Floats, by_gap: Floats, by_both: Floats, by_draw: Floats, free: Floats, v: Floats,
    out: Floats,
) -> None:  # fmt: skip
    """The curvature times a vector; what is not free, with a 0 in `free`, is left out of both."""
    last = len(v) - 1
    n = last - (len(terms[0]) if len(i) else 0)
    draw, at_draw = free[last] * v[last], 0.0
    for k in range(last + 1):
        out[k] = 0.0
    for r in range(len(i)):
        a, b = i[r], j[r]
        d = free[a] * v[a] - free[b] * v[b]
        for t in range(n, last):
            d += free[t] * v[t] * terms[r][t - n]
        pull = by_gap[r] * d + by_both[r] * draw
        out[a] += pull
        out[b] -= pull
        for t in range(n, last):
            out[t] += pull * terms[r][t - n]
        at_draw += by_both[r] * d + by_draw[r] * draw
    out[last] = at_draw
    for k in range(last + 1):
        out[k] *= free[k]


@kernel(passes=50)
def conjugate(
    i: Ints, j: Ints, terms: Floats, by_gap: Floats, by_both: Floats, by_draw: Floats, free: Floats, scale: Floats,
    tolerance: float, left: Floats, found: Floats, step: Floats, over: Floats,
) -> None:  # fmt: skip
    """Conjugate gradients, each number scaled by its own curvature; `left` is what is to be solved, and used up."""
    size = len(left)
    before = 0.0
    for k in range(size):
        found[k] = 0.0
        step[k] = scale[k] * left[k]
        before += left[k] * step[k]
    goal = tolerance * tolerance * before
    for _turn in range(10 * size):
        if not before > goal:
            return
        multiply(i, j, terms, by_gap, by_both, by_draw, free, step, over)
        width = 0.0
        for k in range(size):
            width += step[k] * over[k]
        if not width > 0.0:
            return
        along = before / width
        now = 0.0
        for k in range(size):
            found[k] += along * step[k]
            left[k] -= along * over[k]
            now += scale[k] * left[k] * left[k]
        again = now / before
        for k in range(size):
            step[k] = scale[k] * left[k] + again * step[k]
        before = now
