"""Ways to search a grid of settings: all of them, at random, or downhill."""

from collections.abc import Callable, Sequence
from itertools import product
from math import isnan, prod
from typing import Any, Literal

import numpy as np
from attrs import frozen

from ratingcore.compare.ranges import MOST, Axis, Choices, Range
from ratingcore.compare.sweep import better
from ratingcore.errors import BadGrid

Setting = tuple[str, ...]
"""A value of each parameter, in the order of the grid."""
How = Literal["grid", "random", "optimise"]
WAYS: tuple[How, ...] = ("grid", "random", "optimise")
EVALUATIONS = 60
"""Settings tried at random or by an optimiser, by default."""


@frozen
class Trial:
    """One setting, with its scores."""

    setting: Setting
    method: str
    train: float
    test: float
    train_games: int
    test_games: int


Evaluate = Callable[[Sequence[Setting]], list[Trial]]


def search(evaluate: Evaluate, tried: tuple[Axis, ...], how: How, objective: str, n: int, seed: int) -> list[Trial]:
    """Tries settings, each once, in an order that depends on the seed alone.

    Parameters
    ----------
    evaluate : callable
        Returns the trials of settings.
    n : int
        Most settings to try, at random or by an optimiser.
    """
    return {"grid": _grid, "random": _random, "optimise": _optimise}[how](evaluate, tried, objective, n, seed)


def _grid(evaluate: Evaluate, tried: tuple[Axis, ...], objective: str, n: int, seed: int) -> list[Trial]:
    size = prod(len(axis.values) for axis in tried)
    if size > MOST:
        raise BadGrid("", f"it makes {size:,} settings, {MOST:,} are the most", "take larger steps, or how=random")
    return evaluate(list(product(*(axis.values for axis in tried))))


def _random(evaluate: Evaluate, tried: tuple[Axis, ...], objective: str, n: int, seed: int) -> list[Trial]:
    return evaluate(_drawn(tried, n, np.random.default_rng(seed)))


def _drawn(tried: tuple[Axis, ...], n: int, random: np.random.Generator) -> list[Setting]:
    """Up to `n` different settings at random; fewer if chance finds no more."""
    drawn: dict[Setting, None] = {}
    for _ in range(20 * n):
        if len(drawn) == n:
            break
        drawn[tuple(axis.drawn(random) for axis in tried)] = None
    return list(drawn)


def _optimise(evaluate: Evaluate, tried: tuple[Axis, ...], objective: str, n: int, seed: int) -> list[Trial]:
    """A few settings spread evenly, then downhill from the best of them by the simplex of Nelder and Mead."""
    from scipy.optimize import minimize  # type: ignore[import-untyped]  # scipy has no types  # slow to import

    ranges = [axis for axis in tried if isinstance(axis, Range)]
    for axis in tried:
        if isinstance(axis, Choices):
            raise BadGrid(axis.parameter, f"is a choice, an optimiser wants a range: {axis}", "write LOW:HIGH")
    sign, trials = better(objective), dict[Setting, Trial]()

    def scored(points: Any) -> list[float]:
        settings = [tuple(axis.at(float(x)) for axis, x in zip(ranges, point, strict=True)) for point in points]
        fresh = [setting for setting in dict.fromkeys(settings) if setting not in trials]
        trials.update(zip(fresh, evaluate(fresh) if fresh else (), strict=True))
        return [np.inf if isnan(trials[one].train) else -sign * trials[one].train for one in settings]

    first = max(len(ranges) + 1, n // 3)
    spread = _spread(first, len(ranges), seed)
    start = spread[int(np.argmin(scored(spread)))]
    corners = np.vstack(
        [start, *(np.where(start + step <= 1.0, start + step, start - step) for step in _steps(ranges))]
    )
    minimize(
        lambda point: scored([point])[0], start, method="Nelder-Mead", bounds=[(0.0, 1.0)] * len(ranges),
        options={"initial_simplex": corners, "maxfev": max(n - first, 1), "xatol": 1e-4, "fatol": 1e-9},
    )  # fmt: skip
    return list(trials.values())


def _steps(ranges: list[Range]) -> Any:
    """The first steps of the simplex, one along each parameter."""
    return np.eye(len(ranges)) * 0.15


def _spread(n: int, dimensions: int, seed: int) -> Any:
    """Points that fill the unit cube evenly, by steps of powers of a golden ratio from a random point."""
    golden = 2.0
    for _ in range(50):  # the root of x^(d + 1) = x + 1
        golden = (1.0 + golden) ** (1.0 / (dimensions + 1))
    steps = golden ** -np.arange(1.0, dimensions + 1.0)
    return (np.random.default_rng(seed).random(dimensions) + np.outer(np.arange(n), steps)) % 1.0
