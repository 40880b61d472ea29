"""The loop of a sweep as machine code, without branch or logarithm, so that one instruction serves many settings.

The log loss of a game is `ln(1 + odds) - (1 - score) ln(odds)`. The first part is collected as a product of `1 + odds`,
whose exponent is moved into a sum every few games; the logarithm of the odds is the gap itself. Needs numba.
"""

from itertools import pairwise
from math import log
from typing import Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]  # llvmlite has no types
from numba import types
from numba.extending import intrinsic, overload

from ratingcore.plugin import Floats, Games, Ints, prefetch
from ratingcore_elo.sweep.plain import LIMIT
from ratingcore_elo.sweep.settings import OCTAVE, SweptSettings

LIMIT_SINGLE = 15.0
"""`LIMIT` in single precision, where products of eight odds have to stay finite: 1800 points on a scale of 400."""

_intrinsic: Any = intrinsic  # its types do not fit: the first argument of its functions is passed by numba itself
QUICK = {"contract", "nnan", "ninf", "nsz", "arcp"}
"""Liberties that the compiler may take; never `reassoc`, which would cancel the rounding in `power`."""
_prefetch = prefetch.compiled


# 2^z: the whole number nearest to z goes into the exponent, and a polynomial gives the rest


def _polynomial(degree: int) -> list[float]:
    """Coefficients of 2^f for f from -1/2 to 1/2: the interpolation at the points of Chebyshev."""
    series = np.polynomial.chebyshev.Chebyshev.interpolate(lambda x: 2.0 ** (x / 2.0), degree)
    powers = series.convert(kind=np.polynomial.Polynomial).coef
    return [float(c) * 2.0**n for n, c in enumerate(powers)]


A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10 = _polynomial(10)
B0, B1, B2, B3, B4, B5 = (np.float32(c) for c in _polynomial(5))
ROUNDS, ROUNDS_SINGLE = 6755399441055744.0, np.float32(12582912.0)
"""Adding and then subtracting these rounds a number to the nearest whole one: 3/2 of 2^52, and of 2^23."""


def _as(given: Any, wanted: Any, bits: Any) -> Any:
    """Returns a function that reads the bits of one type as another."""

    @_intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def read(typing: Any, x: Any) -> Any:
        return wanted(given), lambda context, builder, signature, args: builder.bitcast(args[0], bits)

    return read


_bits = _as(types.float64, types.int64, ir.IntType(64))
_number = _as(types.int64, types.float64, ir.DoubleType())
_bits_single = _as(types.float32, types.int32, ir.IntType(32))
_number_single = _as(types.int32, types.float32, ir.FloatType())


@_intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
def _raised(typing: Any, x: Any, n: Any) -> Any:
    """Returns the bits of a float32, with its exponent raised by the low bits of another."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.add(args[0], builder.shl(args[1], ir.Constant(ir.IntType(32), 23)))

    return types.int32(types.int32, types.int32), code


# Three names to overload: numba attaches compiled functions to Python ones, one for each precision, and calls none
# of them. Bodies would be second copies of the formulas that never run, so they raise an error.


def power(z: Any) -> Any:
    """2^z in the precision of z; relative error 1e-15, or 1e-7."""
    raise NotImplementedError("compiled code only")


def exponent(x: Any) -> Any:
    """The exponent of the largest power of two in a number of 1 or more."""
    raise NotImplementedError("compiled code only")


def fraction(x: Any) -> Any:
    """A number of 1 or more divided by that power: at least 1 and below 2."""
    raise NotImplementedError("compiled code only")


@overload(power, jit_options={"fastmath": QUICK}, strict=False)
def _power(z: Any) -> Any:
    if z == types.float64:

        def double(z):  # type: ignore[no-untyped-def]  # numba infers it
            t = z + ROUNDS
            f = z - (t - ROUNDS)
            g = f * f
            h = g * g
            p = (
                ((A0 + A1 * f) + (A2 + A3 * f) * g)
                + ((A4 + A5 * f) + (A6 + A7 * f) * g) * h
                + ((A8 + A9 * f) + A10 * g) * (h * h)
            )
            return _number(_bits(p) + (_bits(t) << 52))

        return double

    def single(z):  # type: ignore[no-untyped-def]  # numba infers it
        t = z + ROUNDS_SINGLE
        f = z - (t - ROUNDS_SINGLE)
        p = B0 + f * (B1 + f * (B2 + f * (B3 + f * (B4 + f * B5))))
        return _number_single(_raised(_bits_single(p), _bits_single(t)))

    return single


@overload(exponent, jit_options={"fastmath": QUICK}, strict=False)
def _exponent(x: Any) -> Any:
    if x == types.float64:
        return lambda x: (_bits(x) >> 52) - 1023
    return lambda x: (_bits_single(x) >> np.int32(23)) - np.int32(127)


@overload(fraction, jit_options={"fastmath": QUICK}, strict=False)
def _fraction(x: Any) -> Any:
    if x == types.float64:
        return lambda x: _number((_bits(x) & 0xFFFFFFFFFFFFF) | 0x3FF0000000000000)
    return lambda x: _number_single((_bits_single(x) & np.int32(0x7FFFFF)) | np.int32(0x3F800000))


@numba.njit(fastmath=QUICK, error_model="numpy", nogil=True, cache=True)
def _play(a, b, score, ahead, table, k, first_move, one, limit, block, total):  # type: ignore[no-untyped-def]  # numba infers them
    """Rates games, and adds their log losses to `total`, in octaves. `x` is the winner of a game, if there is one."""
    games, settings = a.size, k.size
    product = np.ones_like(k)
    gaps = np.zeros_like(k)
    nothing = one - one
    for start in range(0, games, block):
        stop = min(games, start + block)
        for g in range(start, stop):
            _prefetch(table, a, g)
            _prefetch(table, b, g)
            share = score[g]
            if share == nothing:
                x, y, lead = table[b[g]], table[a[g]], -ahead[g]
            else:
                x, y, lead = table[a[g]], table[b[g]], ahead[g]
            if share == one or share == nothing:  # noqa: SIM109  # numba compiles two comparisons to less
                for s in range(settings):
                    behind = min(max(y[s] - x[s] - lead * first_move[s], -limit), limit)
                    odds = one + power(behind)
                    change = k[s] - k[s] / odds
                    x[s] += change
                    y[s] -= change
                    product[s] *= odds
            else:
                missed = one - share
                for s in range(settings):
                    behind = min(max(y[s] - x[s] - lead * first_move[s], -limit), limit)
                    odds = one + power(behind)
                    change = k[s] * (share - one / odds)
                    x[s] += change
                    y[s] -= change
                    product[s] *= odds
                    gaps[s] += missed * behind
        for s in range(settings):
            total[s] += np.float64(exponent(product[s])) - np.float64(gaps[s])
            product[s] = fraction(product[s])
            gaps[s] = nothing
    for s in range(settings):
        total[s] += np.log2(np.float64(product[s]))


def double(settings: SweptSettings, games: Games, ahead: Floats, given: Floats, cuts: Ints) -> Floats:
    """Runs a pass in double precision, accurate to 1e-12."""
    return _swept(settings, games, ahead, given, cuts, np.float64, LIMIT, 16)


def single(settings: SweptSettings, games: Games, ahead: Floats, given: Floats, cuts: Ints) -> Floats:
    """Runs a pass in single precision, accurate to 1e-6: half the memory, and twice the settings per instruction."""
    return _swept(settings, games, ahead, given, cuts, np.float32, LIMIT_SINGLE, 8)


def _swept(
    settings: SweptSettings, games: Games, ahead: Floats, given: Floats, cuts: Ints, kind: Any, limit: float, block: int
) -> Floats:
    line = 64 // np.dtype(kind).itemsize
    count = len(settings.k)
    whole = np.arange(-(-count // line) * line) % count  # settings for full registers: some occur twice
    settings = SweptSettings(*(column[whole] for column in settings))
    octaves = settings.scale * OCTAVE
    k, first_move = (settings.k / octaves).astype(kind), (settings.first_move / octaves).astype(kind)
    table = settings.started(given, kind)
    totals = np.zeros((len(cuts) - 1, len(whole)))
    score, ahead = games.score.astype(kind), ahead.astype(kind)
    for piece, (start, stop) in enumerate(pairwise(cuts.tolist())):
        some = slice(start, stop)
        _play(
            games.a[some], games.b[some], score[some], ahead[some], table, k, first_move,
            kind(1.0), kind(limit), block, totals[piece],
        )  # fmt: skip
    return totals.T[:count] * log(2.0)
