"""Solvers for the volatility of Glicko-2: Newton's method near the root of its equation, else the paper's procedure.

With x = ln(sigma^2) + d, v = 1 / precision and delta = pull / precision the paper's f becomes, without quotients that
overflow where the precision is all but 0,

    f(d) = (A - B) / 2 - d / tau^2,   A = E pull^2 / D^2,   B = E precision / D,
    E = sigma^2 e^d,   D = 1 + precision (phi^2 + E)

and its slope is (A (1 - 2 B) - B (1 - B)) / 2 - 1 / tau^2. Newton is trusted for |d| <= 1/4; each step squares the
error, so that after one below 1e-6 no digit changes.
"""

from math import exp, log, nan

from ratingcore.plugin import Floats, kernel


@kernel
def risen(d: float) -> float:
    """e^d for |d| <= 1/4 in full precision, by sums and products that run in parallel, because loops wait for it."""
    f = d * d
    g = f * f
    low = (1.0 + d) + (0.5 + d * 0.16666666666666666) * f
    high = (0.041666666666666664 + d * 0.008333333333333333) + (0.001388888888888889 + d * 0.0001984126984126984) * f
    return low + (high + (2.48015873015873e-05 + d * 2.7557319223985893e-06) * g) * g


@kernel
def surplus(d: float, variance: float, own: float, precision: float, pull: float, stiff: float) -> float:
    """The paper's f at ln(own) + d, where `own` is the old volatility squared; `stiff` is 1 / tau^2."""
    e = own * exp(d)
    whole = 1.0 + precision * (variance + e)
    return 0.5 * e * ((pull / whole) * (pull / whole) - precision / whole) - d * stiff


@kernel
def bracketed(variance: float, own: float, precision: float, pull: float, stiff: float) -> float:
    """New volatility squared by the paper's procedure: the Illinois variant of regula falsi, to 1e-12."""
    low, high = 0.0, 0.0
    tau = stiff**-0.5
    ahead = (pull / precision) * (pull / precision) - variance - 1.0 / precision
    if ahead > 0.0:
        high = log(ahead / own)
    else:
        high = -tau
        while surplus(high, variance, own, precision, pull, stiff) < 0.0:
            high -= tau
    at_low = surplus(low, variance, own, precision, pull, stiff)
    at_high = surplus(high, variance, own, precision, pull, stiff)
    for _ in range(1000):
        if abs(high - low) <= 1e-12 or at_high == at_low:
            break
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = surplus(middle, variance, own, precision, pull, stiff)
        if at_middle * at_high <= 0.0:
            low, at_low = high, at_high
        else:
            at_low *= 0.5
        high, at_high = middle, at_middle
    return own * exp(low)


@kernel
def stepped(d: float, e: float, variance: float, precision: float, pull: float, stiff: float) -> float:
    """Newton's step at d, where the volatility squared is `e`; NaN where the curve does not fall.

    Numerator and slope are multiplied by D^3, so that only one division is left.
    """
    whole = 1.0 + precision * (variance + e)
    known, gone = precision * e, pull * pull
    fall = stiff * whole * whole * whole - 0.5 * e * (
        gone * (whole - known - known) - precision * whole * (whole - known)
    )
    return whole * (0.5 * e * (gone - precision * whole) - d * stiff * whole * whole) / (fall if fall > 0.0 else nan)


@kernel
def sought(variance: float, own: float, precision: float, pull: float, stiff: float) -> float:
    """New volatility squared where two steps of Newton are not enough: by more steps, else within a bracket."""
    d, e = 0.0, own
    for _ in range(5):
        step = stepped(d, e, variance, precision, pull, stiff)
        d += step
        if not abs(d) <= 0.25:
            break
        e = own * risen(d)
        if abs(step) < 1e-6:
            return e
    return bracketed(variance, own, max(precision, 1e-13), pull, stiff)


@kernel
def renew(n: int, own: Floats, variance: Floats, precision: Floats, pull: Floats, stiff: float, new: Floats) -> None:
    """New volatilities squared of the first `n` players, from the old ones, `own`, and the sums of their games.

    Two steps of Newton without a branch, several players per instruction; NaN where they are not enough.
    """
    for k in range(n):
        first, v, p, s = own[k], variance[k], precision[k], pull[k]
        d = stepped(0.0, first, v, p, s, stiff)
        step = stepped(d, first * risen(d), v, p, s, stiff)
        d += step
        new[k] = first * risen(d) if abs(step) < 1e-6 and abs(d) <= 0.25 else nan


@kernel
def mend(n: int, own: Floats, variance: Floats, precision: Floats, pull: Floats, stiff: float, new: Floats) -> None:
    """Solves one by one for the players where two steps were not enough."""
    for k in range(n):
        if new[k] != new[k]:
            new[k] = sought(variance[k], own[k], precision[k], pull[k], stiff)
