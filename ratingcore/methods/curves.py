"""Curves of expected scores that methods share: kernels for loops, functions of arrays, and inverse functions."""

from bisect import bisect_left
from math import erfc, exp, inf, sqrt
from typing import Literal

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Floats
from ratingcore.methods.kernels import kernel
from ratingcore.validators import not_negative, one_of, positive

LN10 = 2.302585092994046

# Powers 2^z in 512 steps per octave. The table needs only square roots and products, and the polynomial only sums and
# products, so IEEE arithmetic fixes every bit, on any machine, compiled or not.
_STEPS, _OCTAVES = 512, 40


def octave() -> Floats:
    """Returns the powers of two from 1 to before 2, in 512 steps."""
    roots = [2.0]
    while len(roots) < 10:
        roots.append(sqrt(roots[-1]))
    power, step = np.ones(_STEPS), np.arange(_STEPS)
    for bit in range(9):
        power[step >> bit & 1 == 1] *= roots[9 - bit]
    return power


_POWERS: list[float] = np.ldexp(octave(), np.arange(-_OCTAVES, _OCTAVES + 1)[:, None]).ravel().tolist()


@kernel
def logistic(x: float) -> float:
    """Returns 1 / (1 + exp(-x)) with a relative error below 1e-13; beyond |x| = 27.7 it is 0 or 1.

    The bits are the same compiled or not, with every instruction set.
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
def odds(x: float) -> float:
    """Returns exp(-x), the odds against an event of chance `logistic(x)`; beyond |x| = 27.7 it is 2^40 or 2^-40.

    The bits are the same compiled or not, with every instruction set.
    """
    y = x * -738.6598609351493 + 20480.0
    if 0.0 < y < 40960.0:
        n = int(y)
        t = y - n
        return _POWERS[n] * (
            1.0 + t * (0.0013538030870568372 + t * (9.163912433089392e-07 + t * 4.1380678159750586e-10))
        )
    if x != x:
        return x
    return 9.094947017729282e-13 if x > 0.0 else 1099511627776.0


@kernel
def logistics(x: Floats) -> None:
    """Replaces each x of a column by 1 / (1 + exp(-x)), with a relative error below 1e-14; |x| is at most 41.6.

    It is for loops that can stop to compute a whole column: without a table or a branch, the processor computes several
    numbers per instruction. The bits differ from `logistic`, but are the same compiled or not, with every instruction
    set.
    """
    for k in range(len(x)):
        z = x[k] * -1.4426950408889634
        z = 60.0 if z > 60.0 else z
        z = -60.0 if z < -60.0 else z
        n = (z + 6755399441055744.0) - 6755399441055744.0  # the nearest whole number
        f = z - n
        g = f * f
        h = g * g
        # 2^f, interpolated at the Chebyshev nodes
        power = (
            ((1.0000000000000007 + 0.6931471805599483 * f) + (0.24022650695901254 + 0.055504108664544756 * f) * g)
            + (
                (0.00961812911053657 + 0.0013333558214738293 * f)
                + (0.00015403526882354606 + 1.525266622014565e-05 * f) * g
            )
            * h
            + ((1.3217210256367588e-06 + 1.0206977921453389e-07 * f) + 6.767963482574983e-09 * g) * (h * h)
        )
        # times 2^n, for negative n as 2^(n + 60) / 2^60; NaN cannot be shifted, and is already in the polynomial
        n = n if n == n else 0.0
        above = n >= 0.0
        power *= float(1 << int(n if above else n + 60.0))
        power *= 1.0 if above else 8.673617379884035e-19
        x[k] = 1.0 / (1.0 + power)


@kernel
def logistic_even(x: float) -> float:
    """Returns 1 / (1 + exp(-x)) with a relative error below 5e-14; |x| above 40 counts as 40.

    It has no table and no branch, so in a loop that looks up no rows the processor computes several numbers per
    instruction, as with `logistics`. The bits are the same compiled or not, with every instruction set.
    """
    x = 40.0 if x > 40.0 else x
    x = -40.0 if x < -40.0 else x
    return 1.0 / (1.0 + power_even(-x))


@kernel
def power_even(x: float) -> float:
    """Returns exp(x) for -40 <= x <= 40, with a relative error below 5e-14; without a table or a branch."""
    # the exponential series at a 128th of the argument, squared seven times
    t = x * 0.0078125
    f = t * t
    g = f * f
    low = (1.0 + t) + (0.5 + t * 0.16666666666666666) * f
    high = (0.041666666666666664 + t * 0.008333333333333333) + (0.001388888888888889 + t * 0.0001984126984126984) * f
    last = (2.48015873015873e-05 + t * 2.7557319223985893e-06) + (2.755731922398589e-07 + t * 2.505210838544172e-08) * f
    power = low + (high + (last + 2.08767569878681e-09 * g) * g) * g
    power *= power
    power *= power
    power *= power
    power *= power
    power *= power
    power *= power
    power *= power
    return power


@kernel
def sigmoid(x: float) -> float:
    """Returns 1 / (1 + e^-x); even small values have all digits."""
    if x >= 0.0:
        return 1.0 / (1.0 + exp(-x))
    small = exp(x)
    return small / (1.0 + small)


@kernel
def normal(x: float) -> float:
    """Returns the distribution function of the standard normal."""
    return 0.5 * erfc(-0.7071067811865476 * x)


def expit(x: Floats) -> Floats:
    """Returns 1 / (1 + exp(-x)) for an array, without overflow.

    Examples
    --------
    >>> expit(np.array([-1e9, 0.0, 1e9])).tolist()
    [0.0, 0.5, 1.0]
    """
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1.0 + small)


def ndtr(x: Floats, degrees: float = inf) -> Floats:
    """Returns the distribution function of the standard normal, or of Student's t if `degrees` is finite."""
    from scipy.special import ndtr as distribution  # type: ignore[import-untyped]  # scipy has no types  # a tenth of a second that the logistic curve does not need
    from scipy.special import stdtr

    return np.asarray(distribution(x) if degrees == inf else stdtr(degrees, x), dtype=np.float64)


# FIDE table 8.1.2: the largest difference for each score 0.50, 0.51, ..., 0.99; above the last the score is 1.00.
_ENDS = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145,
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357,
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
)  # fmt: skip
_TABLE: list[float] = [(50 + bisect_left(_ENDS, gap)) / 100.0 for gap in range(_ENDS[-1] + 2)]


@kernel
def tabled(gap: float) -> float:
    """Returns the expected score by FIDE table 8.1.2, at a difference that is first rounded half up to whole points."""
    if gap != gap:
        return gap
    n = int(min(abs(gap), 736.0) + 0.5)
    return _TABLE[n] if gap >= 0.0 else 1.0 - _TABLE[n]


@kernel
def davidson(x: float, nu: float) -> float:
    """Returns Davidson's expected score at `x`; with nu = 0 it is `logistic(x)`. Equals draw with nu / (2 + nu)."""
    h = odds(0.5 * abs(x))
    low = h * (h + 0.5 * nu) / (1.0 + h * (h + nu))
    return 1.0 - low if x >= 0.0 else low


LOGISTIC, NORMAL, TABLE, DAVIDSON = 0, 1, 2, 3
_KINDS = {"logistic": LOGISTIC, "normal": NORMAL, "table": TABLE, "davidson": DAVIDSON}


@kernel
def curved(kind: int, slope: float, band: float, gap: float) -> float:
    """Returns the expected score at a gap in rating points; the other arguments are those of `Curve.packed`."""
    if kind == 0:
        return logistic(slope * gap)
    if kind == 1:
        if band == 0.0:
            return normal(slope * gap)
        return 0.5 * (normal(slope * (gap - band)) + normal(slope * (gap + band)))
    if kind == 3:
        return davidson(slope * gap, band)
    return tabled(gap)


@frozen
class Curve:
    """Curve that gives the expected score for a rating gap.

    Parameters
    ----------
    kind : {"logistic", "normal", "table", "davidson"}
        Logistic is `1 / (1 + 10^(-D / scale))`. Normal has `scale / sqrt(2)` as standard deviation of the difference
        of two performances (282.84 for 400). Table is FIDE table 8.1.2, which has no scale. Davidson has draws, and is
        the logistic curve for `nu` of 0.
    scale : float > 0, rating points
    band : float >= 0, rating points
        Draw band of the normal curve: two performances that differ by at most this make a draw.
    nu : float >= 0
        Parameter of Davidson's curve: equals draw with chance nu / (2 + nu).

    Examples
    --------
    >>> Curve("normal").share(np.array([350.0])).round(6).tolist()
    [0.892038]
    >>> Curve("table").share(np.array([-100.0, 400.0])).round(2).tolist()
    [0.36, 0.92]
    """

    kind: Literal["logistic", "normal", "table", "davidson"] = field(default="logistic", validator=one_of(*_KINDS))
    scale: float = field(default=400.0, validator=positive)
    band: float = field(default=0.0, validator=not_negative)
    nu: float = field(default=0.0, validator=not_negative)

    @property
    def slope(self) -> float:
        """Factor by which a gap in points is multiplied to give the argument of the curve."""
        return LN10 / self.scale if self.kind in ("logistic", "davidson") else sqrt(2.0) / self.scale

    def packed(self) -> tuple[int, float, float]:
        """Returns kind, slope, and band or nu: the first arguments of the kernel `curved`."""
        return _KINDS[self.kind], self.slope, self.nu if self.kind == "davidson" else self.band

    def share(self, gap: Floats) -> Floats:
        """Returns the expected score at each gap in rating points."""
        if self.kind == "logistic":
            return expit(gap * self.slope)
        if self.kind == "davidson":
            h = np.exp(-0.5 * self.slope * np.abs(gap))
            low = h * (h + 0.5 * self.nu) / (1.0 + h * (h + self.nu))
            return np.where(gap >= 0.0, 1.0 - low, low)
        if self.kind == "normal":
            above, below = ndtr((gap + self.band) * self.slope), ndtr((gap - self.band) * self.slope)
            return 0.5 * (above + below)
        whole = np.where(np.isnan(gap), 0.0, np.floor(np.minimum(np.abs(gap), 736.0) + 0.5)).astype(np.int64)
        higher = np.array(_TABLE)[whole]
        return np.where(np.isnan(gap), gap, np.where(gap >= 0.0, higher, 1.0 - higher))

    def draw(self, gap: Floats) -> Floats:
        """Returns the chance of a draw at each gap: Davidson's, or the share of the normal curve inside the band."""
        if self.kind == "davidson":
            h = np.exp(-0.5 * self.slope * np.abs(gap))
            return np.asarray(self.nu * h / (1.0 + h * (h + self.nu)))
        return ndtr((gap + self.band) * self.slope) - ndtr((gap - self.band) * self.slope)


# FIDE table 8.1.1: differences for the shares 0.50, 0.51, ..., 1.00; shares below a half have the negatives of these.
_GAPS = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
)  # fmt: skip
_GAP_TABLE = np.array([-gap for gap in _GAPS[:0:-1]] + list(_GAPS), dtype=np.float64)


def table_gap(share: Floats) -> Floats:
    """Returns the gap in rating points for each share of the points, by FIDE table 8.1.1.

    Parameters
    ----------
    share : (n,) float64 in [0, 1]
        Share of the points; it is rounded half up to two decimals.

    Returns
    -------
    (n,) float64, rating points
        From -800 to 800: the ends are a convention, since no finite gap follows from a share of 0 or 1.

    Examples
    --------
    >>> table_gap(np.array([0.0, 0.33, 0.5, 0.505, 1.0])).tolist()
    [-800.0, -125.0, 0.0, 7.0, 800.0]
    """
    unknown = np.isnan(share)
    hundredths = np.floor(np.round(np.where(unknown, 0.5, share) * 100.0, 10) + 0.5).astype(np.int64)
    return np.where(unknown, share, _GAP_TABLE[hundredths])


def normal_gap(share: Floats) -> Floats:
    """Returns the inverse of the normal curve: 282.84 times the quantile; infinite for a share of 0 or 1.

    Examples
    --------
    >>> normal_gap(np.array([0.5, 0.75, 1.0])).round(4).tolist()
    [0.0, 190.7745, inf]
    """
    from scipy.special import ndtri  # a tenth of a second that others do not need

    return np.asarray(200.0 * sqrt(2.0) * ndtri(share), dtype=np.float64)


def logistic_gap(share: Floats) -> Floats:
    """Returns the inverse of the logistic curve: 400 times the decimal logarithm of the odds; infinite for 0 or 1.

    Examples
    --------
    >>> logistic_gap(np.array([0.5, 10.0 / 11.0, 0.0])).round(4).tolist()
    [0.0, 400.0, -inf]
    """
    with np.errstate(divide="ignore"):
        return np.asarray(400.0 * (np.log10(share) - np.log10(1.0 - share)), dtype=np.float64)
