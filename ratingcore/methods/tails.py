"""Functions of the normal curve that are exact in its tails, as scalar kernels: the same bits, compiled or not."""

import numpy as np

from ratingcore.columns.games import Floats
from ratingcore.methods.curves import octave
from ratingcore.methods.kernels import kernel

# e^-x is a product of a power of two and one of 512 steps of an octave, as in `logistic`; both tables fit into the
# first-level cache.
_HALVES: list[float] = [0.5**n for n in range(1076)]
_STEPS_DOWN: list[float] = (1.0 / octave()).tolist()


@kernel
def decay(x: float) -> float:
    """Returns e^-x for x >= 0, with a relative error below 1e-13; beyond 744 it is 0.

    The bits are the same compiled or not, with every instruction set.
    """
    y = x * 738.6598609351493
    if y < 550000.0:
        n = int(y)
        t = y - n
        power = (
            _HALVES[n >> 9 & 2047] * _STEPS_DOWN[n & 511]
        )  # with masks, the compiler knows that no index is negative
        return power * (1.0 + t * (-0.0013538030870021717 + t * (9.163912303618223e-07 + t * -4.132580164801122e-10)))
    return x if x != x else 0.0


@kernel
def mills_excess(x: float) -> float:
    """Returns 1 / mills(x) - x for x >= 8, by a continued fraction, which never subtracts two nearly equal numbers."""
    excess = 0.0
    for n in range(32, 0, -1):
        excess = n / (x + excess)
    return excess


# Mills' ratio M from 0 to 8, in 32 pieces per unit with seven Taylor coefficients each. M' = x M - 1 gives each
# coefficient from the ones before it. The table is built from 8 downwards, the direction in which errors shrink.
def _mills_table() -> list[float]:
    def coefficients(x: float, ratio: float, n: int) -> list[float]:
        terms = [ratio, x * ratio - 1.0]
        while len(terms) < n:
            terms.append((x * terms[-1] + terms[-2]) / len(terms))
        return terms

    x = 8.0 - 1.0 / 64.0
    ratio = 1.0 / (x + mills_excess.plain(x))
    pieces: list[list[float]] = []
    for _ in range(256):
        pieces.append(coefficients(x, ratio, 7))
        ratio = sum(c * (-1.0 / 32.0) ** n for n, c in enumerate(coefficients(x, ratio, 16)))
        x -= 1.0 / 32.0
    return [c for piece in reversed(pieces) for c in piece]


_MILLS: list[float] = _mills_table()


@kernel
def mills(x: float) -> float:
    """Returns the upper tail of the standard normal divided by its density, for x >= 0.

    The relative error is below 1e-14. An unexpected win moves a mean in proportion to 1 / mills(x), which is finite
    even where the chance of the win rounds to 0. The bits are the same compiled or not, with every instruction set.
    """
    if x < 8.0:
        n = int(x * 32.0) & 255
        t = x - (n + 0.5) * 0.03125
        n *= 7
        low = _MILLS[n] + t * (_MILLS[n + 1] + t * (_MILLS[n + 2] + t * _MILLS[n + 3]))
        return low + t * t * t * t * (_MILLS[n + 4] + t * (_MILLS[n + 5] + t * _MILLS[n + 6]))
    return 1.0 / (x + mills_excess(x))


# The distribution function of the standard normal, and its density divided by it, from -8 to 8: a polynomial of degree
# 4 in the distance to the nearest of 513 points. Each is a Taylor polynomial of degree 6, economised: multiples of
# Chebyshev polynomials are subtracted that cancel the two highest powers.
def _near_tables() -> tuple[list[float], list[float]]:
    x = np.arange(-256, 257) / 32.0
    density = [0.3989422804014327 * np.array([decay.plain(half) for half in (0.5 * x * x).tolist()])]
    tail = density[0] * np.array([mills.plain(size) for size in np.abs(x).tolist()])
    share = np.where(x > 0.0, 1.0 - tail, tail)
    pull = [density[0] / share]
    for n in range(6):
        folded = x * pull[n] + sum(pull[k] * pull[n - k] for k in range(n + 1))
        density.append(-(x * density[n] + (density[n - 1] if n else 0.0)) / (n + 1.0))
        pull.append(-(folded + (pull[n - 1] if n else 0.0)) / (n + 1.0))
    return _pieces([share, *(density[n] / (n + 1.0) for n in range(6))]), _pieces(pull)


def _pieces(series: list[Floats]) -> list[float]:
    c = [term / 32.0**n for n, term in enumerate(series)]
    economised = [
        c[0] + c[6] / 2048.0,
        c[1] - c[5] * 0.01953125,
        c[2] - c[6] * 0.03515625,
        c[3] + c[5] * 0.3125,
        c[4] + c[6] * 0.375,
    ]
    return np.column_stack(economised).ravel().tolist()


_SHARES, _PULLS = _near_tables()
_WHOLE = 6755399441055744.0
"""1.5 * 2^52: adding and then subtracting it rounds a number to the nearest whole number."""


@kernel
def normal_near(x: float) -> float:
    """Returns the distribution function of the standard normal for -8 < x < 8, with an absolute error below 2e-12.

    It needs no exponential, for loops in which small chances need few digits. The bits are the same compiled or not.
    """
    u = x * 32.0
    nearest = (u + _WHOLE) - _WHOLE
    t = u - nearest
    n = (int(nearest) + 256 & 1023) * 5
    return (_SHARES[n] + t * _SHARES[n + 1]) + t * t * ((_SHARES[n + 2] + t * _SHARES[n + 3]) + t * t * _SHARES[n + 4])


@kernel
def pull_near(x: float) -> float:
    """Returns the density of the standard normal divided by its distribution function, for -8 < x < 8.

    The error is below 2e-12. An outcome of chance Phi(x) pulls a mean in proportion to this number.
    """
    u = x * 32.0
    nearest = (u + _WHOLE) - _WHOLE
    t = u - nearest
    n = (int(nearest) + 256 & 1023) * 5
    return (_PULLS[n] + t * _PULLS[n + 1]) + t * t * ((_PULLS[n + 2] + t * _PULLS[n + 3]) + t * t * _PULLS[n + 4])


ROOT = 0.3989422804014327
"""Density of the standard normal at 0."""


@kernel
def above(x: float) -> float:
    """Returns the chance that a standard normal is above `x`; even small chances have all digits."""
    tail = ROOT * decay(0.5 * x * x) * mills(abs(x))
    return tail if x > 0.0 else 1.0 - tail


@kernel
def won(x: float) -> tuple[float, float]:
    """Returns pull and shrink of a win whose chance was Phi(x), at any `x`, from the winner's side.

    Let the gap between the players be normal with variance `v`, and let `s` be the deviation of the gap between their
    performances. The win moves the mean of the gap by `v / s * pull`, and makes its variance `v - v^2 / s^2 * shrink`.
    """
    if x > -8.0:
        pull = ROOT * decay(0.5 * x * x) / above(-x)
        return pull, pull * (pull + x)
    excess = mills_excess(-x)
    return excess - x, (excess - x) * excess


@kernel
def drawn(x: float, y: float) -> tuple[float, float]:
    """Returns pull and shrink of a draw from the favourite's side: Phi(x) is the chance to win, Phi(y) not to lose."""
    h = 0.5 * (y - x)
    if h < 1e-3 and h * abs(x) < 1e-3:  # the density is almost constant inside the band of draws
        return -0.5 * (x + y) * (1.0 - h * h / 3.0), 1.0 - h * h / 3.0
    if x < 8.0:
        bell_x, bell_y = ROOT * decay(0.5 * x * x), ROOT * decay(0.5 * y * y)
        over = 1.0 / (above(x) - above(y))
        pull = (bell_y - bell_x) * over
        return pull, pull * pull + (y * bell_y - x * bell_x) * over
    near, far, fade = mills(x), mills(y), decay(h * (x + y))
    over = 1.0 / (near - fade * far)
    pull = (1.0 - fade) * over
    excess = over * (near * mills_excess(x) - fade * far * (mills_excess(y) + 2.0 * h))
    return -pull, pull * excess + 2.0 * h * fade * over
