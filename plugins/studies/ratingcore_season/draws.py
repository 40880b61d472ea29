"""Chances of draws for methods that do not forecast them: as frequent as in the results of the pool [1]_.

References
----------
.. [1] R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties", JASA 65, 1970.
"""

from math import exp, log

import numpy as np

from ratingcore.plugin import Floats, Forecast, Games, Sides
from ratingcore.plugin.analysis import Stage, failing, readable_view

LEAST, MOST = log(1e-6), log(1e6)
"""Bounds of the search, in the logarithm of nu."""
STEPS = 60
"""Steps of the search; each makes the interval 0.618 times as long."""


def chance_of_draw(expected: Floats, nu: float) -> Floats:
    """Davidson's chance of a draw for an expected share of the point; for equals it is nu / (2 + nu).

    Parameters
    ----------
    expected : (...) float64 in [0, 1]
    nu : float >= 0

    Examples
    --------
    >>> chance_of_draw(np.array([0.5, 0.8, 1.0]), 2.0).round(4).tolist()
    [0.5, 0.32, 0.0]
    """
    gap = np.abs(2.0 * expected - 1.0)
    rest = 1.0 - gap
    # the ratio g of strengths has (g - 1/g) / (g + 1/g + nu) = gap: this is 1/g, which has no pole
    weaker = 2.0 * rest / (gap * nu + np.sqrt((gap * nu) ** 2 + 4.0 * rest * (1.0 + gap)))
    return np.asarray(nu * weaker / (1.0 + nu * weaker + weaker**2), dtype=np.float64)


def fitted_nu(expected: Floats, score: Floats) -> float:
    """The nu under which won, drawn and lost games are likeliest; 0 without draws.

    Parameters
    ----------
    expected : (n,) float64
        Share of the point of the first side; games without a number do not count.
    score : (n,) float64
        Other scores than 0, 1/2 and 1 do not count.

    Examples
    --------
    >>> round(fitted_nu(np.full(10, 0.5), np.array([0.5] * 3 + [1.0] * 4 + [0.0] * 3)), 6)  # 0.3 = nu / (2 + nu)
    0.857143
    """
    counts = np.isfinite(expected) & np.isin(score, (0.0, 0.5, 1.0))
    expected, score = expected[counts], score[counts]
    if not (score == 0.5).any():
        return 0.0

    def unlikely(place: float) -> float:
        draw = chance_of_draw(expected, exp(place))
        chance = np.where(score == 1.0, expected - 0.5 * draw, 1.0 - expected - 0.5 * draw)
        return -float(np.log(np.maximum(np.where(score == 0.5, draw, chance), 1e-300)).sum())

    low, high, golden = LEAST, MOST, 0.5 * (5.0**0.5 - 1.0)
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = unlikely(left), unlikely(right)
    for _ in range(STEPS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = unlikely(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = unlikely(right)
    return exp(0.5 * (low + high))


def shares_of(forecast: Forecast, n: int, *, sides: bool) -> tuple[Floats, Floats | None]:
    """Share of the point of the first side, and the chance of a draw; None if it is not forecast."""
    if not sides:
        return forecast.expected, forecast.draw
    strengths, first = forecast.strengths, np.arange(0, 2 * n, 2)
    if strengths is None:
        return forecast.expected[first], None
    return strengths.ahead(first, first + 1), None if strengths.margin is None else strengths.tie(first, first + 1)


def pool_nu(stage: Stage) -> float:
    """The nu of a pool: how often equals draw, from its results and the ratings to which they have led."""
    method = stage.method
    view = readable_view(method, stage.base.cut(stage.moment.cut))
    results = (view.sides if method.reads is Sides else view.games)(method.needs, method.name)
    if not len(results):
        return 0.0
    played = results if isinstance(results, Games) else results.duels
    assert played is not None, "a pool without sessions has games alone"
    if not (played.score == 0.5).any():
        return 0.0
    withheld = results.replaced(span=stage.meetings.results.span).withheld()
    with failing(method):
        share, _ = shares_of(method.expected(stage.state, withheld), len(played), sides=isinstance(results, Sides))
    return fitted_nu(share, played.score)
