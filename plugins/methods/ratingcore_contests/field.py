"""Effect of a field on each of its members: smooth functions of a rating, approximated by Chebyshev series."""

from functools import lru_cache
from math import acosh, asinh, ceil, log, pi

import numpy as np
from numpy.polynomial import chebyshev

from ratingcore.plugin import Floats
from ratingcore_contests.chances import leads, read_plane, sample_plane
from ratingcore_contests.performances import Q, performances, read_off, sample

TERMS = 16
"""Terms of a series; with pieces of 0.6 of the distance to the nearest singularity, its error is below 1e-12."""
ERROR = 24.0
"""Minus the logarithm of the error of the chances in a field: 4e-11."""


def performed(mean: Floats, width: Floats, score: Floats, found: Floats) -> None:
    """Fills in the performance of each member; `width` is Q over the deviation of a performance as others see it."""
    n, slow, fast = len(mean), float(width.min()), float(width.max())
    half = 0.3 * pi / fast
    margin = log(2.0 * n * fast / slow) / slow  # nobody performs further than that from the field
    low, high = float(mean.min()) - margin, float(mean.max()) + margin
    if (high - low) / (2.0 * half) * TERMS > 2.0 * n:  # too few, or too far apart, for series to save time
        performances(mean, width, score, found)
        return
    pieces = ceil((high - low) / (2.0 * half)) + 1
    places = low + half * (2.0 * np.arange(pieces)[:, None] + 1.0 + _nodes(TERMS))
    value = np.empty(pieces * TERMS)
    sample(mean, width, places.ravel(), value)
    powers = value.reshape(pieces, TERMS) @ _to_series(TERMS) @ _TO_POWERS
    slopes = np.zeros_like(powers)
    slopes[:, :-1] = powers[:, 1:] * (np.arange(1.0, TERMS) / half)
    order = np.argsort(score, kind="stable")
    ranked = score[order]
    starts = np.append(np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1])), n)
    sums = np.append(0.0, np.cumsum(width[order]))
    pull = sums[starts[:-1]] - (sums[-1] - sums[starts[1:]])
    read_off(mean, width, pull, order, starts, fast, low, half, powers.ravel(), slopes.ravel(), found)


def expected_leads(mean: Floats, variance: Floats, spread: float, ahead: Floats) -> None:
    """Fills in how many of the others each member is expected to leave behind, with chances logistic in the gap.

    `variance` is that of each rating, `spread` that of a performance. The sum over the field is a smooth function of a
    rating and a variance, so its values at a few nodes of both determine it for all members.
    """
    n, middle, half = len(mean), *_span(mean)
    centre, reach = _span(variance)
    least = 2.0 * (float(variance.min()) + spread)
    far = 0.9 * (least + reach) / reach  # relative distance to the point where the variance of a gap would be 0
    if far > 1.0:
        terms = (9 + ceil(ERROR / asinh(0.9 * pi / Q * least**0.5 / half))) // 8 * 8  # whole vectors
        layers = 2 + ceil(ERROR / acosh(far))
        if terms * layers < 0.7 * n:
            deep = centre + reach * _nodes(layers)
            value = np.empty(terms * layers)
            sample_plane(mean, variance, middle + half * _nodes(terms), deep + 2.0 * spread, value)
            series = (_to_series(layers).T @ value.reshape(layers, terms) @ _to_series(terms)).ravel()
            read_plane((mean - middle) / half, (variance - centre) / reach, series, layers, np.empty(terms), ahead)
            return
    leads(mean, variance, spread, np.empty(n), ahead)


def _span(column: Floats) -> tuple[float, float]:
    """Middle and half length of the range of some numbers; if all are equal, a small length instead of 0."""
    low, high = float(column.min()), float(column.max())
    return 0.5 * (low + high), max(0.5 * (high - low), 1e-6 * (1.0 + abs(low)))


@lru_cache(maxsize=64)
def _nodes(terms: int) -> Floats:
    """The nodes of Chebyshev between -1 and 1."""
    return np.asarray(np.cos(pi * (np.arange(terms) + 0.5) / terms), dtype=np.float64)


@lru_cache(maxsize=64)
def _to_series(terms: int) -> Floats:
    """Matrix that turns values at the nodes of Chebyshev into the coefficients of the series."""
    angle = pi * (np.arange(terms) + 0.5) / terms
    matrix = 2.0 / terms * np.cos(np.outer(angle, np.arange(terms)))
    matrix[:, 0] *= 0.5
    return np.asarray(matrix, dtype=np.float64)


_TO_POWERS: Floats = np.array([np.pad(chebyshev.cheb2poly(unit), (0, TERMS))[:TERMS] for unit in np.eye(TERMS)])
"""Matrix that turns coefficients of a series into those of a polynomial; with so few terms they stay small."""
