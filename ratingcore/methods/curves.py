"""Expected-score curves that methods share: as scalar kernels for loops, as array functions for the rest."""

from math import erfc, sqrt
from typing import Literal

import numpy as np
from attrs import field, frozen

from ratingcore.methods.kernels import kernel
from ratingcore.tables.arrays import Floats

LN10 = 2.302585092994046

# 2^z in 512 steps an octave. The table is made of square roots and products alone, the polynomial
# of additions and products alone: IEEE arithmetic fixes every bit, on any machine, compiled or not.
_STEPS, _OCTAVES = 512, 40


def _octave() -> list[float]:
    roots = [2.0]
    while len(roots) < 10:
        roots.append(sqrt(roots[-1]))
    steps = []
    for step in range(_STEPS):
        power = 1.0
        for bit in range(9):
            if step >> bit & 1:
                power *= roots[9 - bit]
        steps.append(power)
    return steps


_POWERS: list[float] = np.ldexp(np.array(_octave()), np.arange(-_OCTAVES, _OCTAVES + 1)[:, None]).ravel().tolist()


@kernel
def logistic(x: float) -> float:
    """1 / (1 + exp(-x)) with a relative error below 1e-13; beyond |x| = 27.7 it is 0 or 1.

    The same bits compiled and not, with every instruction set.
    """
    y = x * -738.6598609351493 + 20480.0
    if 0.0 < y < 40960.0:
        n = int(y)
        t = y - n
        power = _POWERS[n] * (
            1.0 + t * (0.0013538030870568372 + t * (9.163912433089392e-07 + t * 4.1380678159750586e-10))
        )
        return 1.0 / (1.0 + power)
    if x != x:
        return x
    return 1.0 if x > 0.0 else 0.0


@kernel
def normal(x: float) -> float:
    """Distribution function of the standard normal."""
    return 0.5 * erfc(-0.7071067811865476 * x)


def expit(x: Floats) -> Floats:
    """1 / (1 + exp(-x)) of an array; nothing overflows.

    Examples
    --------
    >>> expit(np.array([-1e9, 0.0, 1e9])).tolist()
    [0.0, 0.5, 1.0]
    """
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1.0 + small)


def ndtr(x: Floats) -> Floats:
    """Distribution function of the standard normal, of an array."""
    from scipy.special import ndtr as distribution  # type: ignore[import-untyped]  # scipy has no types  # a tenth of a second that the logistic curve does not need

    return np.asarray(distribution(x), dtype=np.float64)


# FIDE table 8.1.2: upper ends of the differences for 0.50, 0.51, ..., 0.99; above them 1.00.
_ENDS = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145,
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357,
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
)  # fmt: skip
_TABLE: list[float] = [(50 + sum(end < gap for end in _ENDS)) / 100.0 for gap in range(_ENDS[-1] + 2)]


@kernel
def tabled(gap: float) -> float:
    """FIDE table 8.1.2: expected score at a difference of whole points, rounded half up."""
    if gap != gap:
        return gap
    n = int(min(abs(gap), 736.0) + 0.5)
    return _TABLE[n] if gap >= 0.0 else 1.0 - _TABLE[n]


LOGISTIC, NORMAL, TABLE = 0, 1, 2
_KINDS = {"logistic": LOGISTIC, "normal": NORMAL, "table": TABLE}


@kernel
def curved(kind: int, slope: float, band: float, gap: float) -> float:
    """Expected score on the curve a `Curve` packs, at a gap in rating points."""
    if kind == 0:
        return logistic(slope * gap)
    if kind == 1:
        if band == 0.0:
            return normal(slope * gap)
        return 0.5 * (normal(slope * (gap - band)) + normal(slope * (gap + band)))
    return tabled(gap)


@frozen
class Curve:
    """A curve from rating gap to expected score.

    Parameters
    ----------
    kind : {"logistic", "normal", "table"}
        Logistic `1 / (1 + 10^(-D / scale))`; normal with `scale / sqrt(2)` as standard deviation of
        the difference of two performances (282.84 for 400); FIDE table 8.1.2, which has no scale.
    scale : float > 0, rating points
    band : float >= 0, rating points
        Draw band of the normal curve: performances that differ by no more make a draw.

    Examples
    --------
    >>> Curve("normal").share(np.array([350.0])).round(6).tolist()
    [0.892038]
    >>> Curve("table").share(np.array([-100.0, 400.0])).round(2).tolist()
    [0.36, 0.92]
    """

    kind: Literal["logistic", "normal", "table"] = "logistic"
    scale: float = field(default=400.0)
    band: float = field(default=0.0)

    @property
    def slope(self) -> float:
        """Factor from points to the argument of the curve."""
        return LN10 / self.scale if self.kind == "logistic" else sqrt(2.0) / self.scale

    def packed(self) -> tuple[int, float, float]:
        """The leading arguments of the kernel `curved`."""
        return _KINDS[self.kind], self.slope, self.band

    def share(self, gap: Floats) -> Floats:
        """Expected score at each gap in rating points."""
        if self.kind == "logistic":
            return expit(gap * self.slope)
        if self.kind == "normal":
            above, below = ndtr((gap + self.band) * self.slope), ndtr((gap - self.band) * self.slope)
            return 0.5 * (above + below)
        whole = np.where(np.isnan(gap), 0.0, np.floor(np.minimum(np.abs(gap), 736.0) + 0.5)).astype(np.int64)
        higher = np.array(_TABLE)[whole]
        return np.where(np.isnan(gap), gap, np.where(gap >= 0.0, higher, 1.0 - higher))

    def draw(self, gap: Floats) -> Floats:
        """Chance of a draw at each gap: what falls into the band of the normal curve."""
        return ndtr((gap + self.band) * self.slope) - ndtr((gap - self.band) * self.slope)


# FIDE table 8.1.1: differences for the shares 0.50, 0.51, ..., 1.00; below a half the same, negative.
_GAPS = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
)  # fmt: skip
_GAP_TABLE = np.array([-gap for gap in _GAPS[:0:-1]] + list(_GAPS), dtype=np.float64)


def table_gap(share: Floats) -> Floats:
    """FIDE table 8.1.1: gap in rating points for each share of the points.

    Parameters
    ----------
    share : (n,) float64 in [0, 1]
        Rounded to two decimals, half up.

    Returns
    -------
    (n,) float64, rating points
        At most 800 either way: that is a convention, a share of 0 or 1 says no number.

    Examples
    --------
    >>> table_gap(np.array([0.0, 0.33, 0.5, 0.505, 1.0])).tolist()
    [-800.0, -125.0, 0.0, 7.0, 800.0]
    """
    unknown = np.isnan(share)
    hundredths = np.floor(np.round(np.where(unknown, 0.5, share) * 100.0, 10) + 0.5).astype(np.int64)
    return np.where(unknown, share, _GAP_TABLE[hundredths])


def normal_gap(share: Floats) -> Floats:
    """The normal curve read backwards: 282.84 times the quantile; infinite for a share of 0 or 1.

    Examples
    --------
    >>> normal_gap(np.array([0.5, 0.75, 1.0])).round(4).tolist()
    [0.0, 190.7745, inf]
    """
    from scipy.special import ndtri  # as in ndtr

    return np.asarray(200.0 * sqrt(2.0) * ndtri(share), dtype=np.float64)


def logistic_gap(share: Floats) -> Floats:
    """The logistic curve read backwards: 400 times the decimal logarithm of the odds; infinite for 0 or 1.

    Examples
    --------
    >>> logistic_gap(np.array([0.5, 10.0 / 11.0, 0.0])).round(4).tolist()
    [0.0, 400.0, -inf]
    """
    with np.errstate(divide="ignore"):
        return np.asarray(400.0 * (np.log10(share) - np.log10(1.0 - share)), dtype=np.float64)


# e^-x as one of 512 steps of an octave and an octave: as for `logistic`, in tables that a first-level cache holds.
_HALVES: list[float] = [0.5**n for n in range(1076)]
_STEPS_DOWN: list[float] = (1.0 / np.array(_octave())).tolist()


@kernel
def decay(x: float) -> float:
    """e^-x for x >= 0, with a relative error below 1e-13; beyond 744 it is 0.

    The same bits compiled and not, with every instruction set.
    """
    y = x * 738.6598609351493
    if y < 550000.0:
        n = int(y)
        t = y - n
        power = _HALVES[n >> 9 & 2047] * _STEPS_DOWN[n & 511]  # masks tell the compiler that no index is negative
        return power * (1.0 + t * (-0.0013538030870021717 + t * (9.163912303618223e-07 + t * -4.132580164801122e-10)))
    return x if x != x else 0.0


@kernel
def mills_excess(x: float) -> float:
    """1 / mills(x) - x for x >= 8, by its continued fraction: it is never the difference of two like numbers."""
    excess = 0.0
    for n in range(32, 0, -1):
        excess = n / (x + excess)
    return excess


# Mills' ratio in 32 pieces a unit up to 8, seven Taylor coefficients each: M' = x M - 1 gives them one from the
# other, and M itself from above, where the errors of a step die away.
def _mills_table() -> list[float]:
    def coefficients(x: float, ratio: float, n: int) -> list[float]:
        found = [ratio, x * ratio - 1.0]
        while len(found) < n:
            found.append((x * found[-1] + found[-2]) / len(found))
        return found

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
    """Upper tail of the standard normal over its density, for x >= 0, with a relative error below 1e-14.

    With it no upset is too great: 1 / mills(x) is what an unexpected win moves, where the chance of the win itself
    has long become 0. The same bits compiled and not, with every instruction set.
    """
    if x < 8.0:
        n = int(x * 32.0) & 255
        t = x - (n + 0.5) * 0.03125
        n *= 7
        low = _MILLS[n] + t * (_MILLS[n + 1] + t * (_MILLS[n + 2] + t * _MILLS[n + 3]))
        return low + t * t * t * t * (_MILLS[n + 4] + t * (_MILLS[n + 5] + t * _MILLS[n + 6]))
    return 1.0 / (x + mills_excess(x))


# The distribution of the standard normal, and its density over it, in 32 pieces a unit from -8 to 8: polynomials of
# degree 4 in the distance to the nearest of 513 points, in pieces. Taylor's to degree 6, less the multiples of
# Chebyshev's polynomials that take the two highest powers away.
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
"""1.5 * 2^52: what is added to it loses its decimals."""


@kernel
def normal_near(x: float) -> float:
    """Distribution function of the standard normal for -8 < x < 8, with an error below 2e-12.

    Without an exponential, for loops that need no small chance to many digits. The same bits compiled and not.
    """
    u = x * 32.0
    nearest = (u + _WHOLE) - _WHOLE
    t = u - nearest
    n = (int(nearest) + 256 & 1023) * 5
    return (_SHARES[n] + t * _SHARES[n + 1]) + t * t * ((_SHARES[n + 2] + t * _SHARES[n + 3]) + t * t * _SHARES[n + 4])


@kernel
def pull_near(x: float) -> float:
    """Density of the standard normal over its distribution function for -8 < x < 8, with an error below 2e-12.

    How far an outcome that was `x` standard deviations on the right side of the line pulls the mean.
    """
    u = x * 32.0
    nearest = (u + _WHOLE) - _WHOLE
    t = u - nearest
    n = (int(nearest) + 256 & 1023) * 5
    return (_PULLS[n] + t * _PULLS[n + 1]) + t * t * ((_PULLS[n + 2] + t * _PULLS[n + 3]) + t * t * _PULLS[n + 4])
