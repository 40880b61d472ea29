"""Ranges of parameters to try, and the search for the best setting in them: grid, random, optimise."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import floor, isfinite, isnan, prod
from typing import Literal

import numpy as np
from attrs import field, frozen

from ratingcore.columns import Floats
from ratingcore.compare.sweep import better
from ratingcore.errors import BadGrid

MOST = 100_000
"""Largest number of settings in a grid."""
_SPELLING = "write LOW:HIGH:STEP, LOW:HIGH or VALUE,VALUE,..."


@frozen
class Range:
    """Numbers from `low` to `high`, both included.

    Parameters
    ----------
    parameter : str
    low, high : float
    step : float > 0 or None
        Step between the values of a grid; None allows every number between the ends.

    Examples
    --------
    >>> Range("k", 8.0, 20.0, 4.0).values
    ('8', '12', '16', '20')
    """

    parameter: str
    low: float
    high: float
    step: float | None = None

    def __attrs_post_init__(self) -> None:
        if not (isfinite(self.low) and isfinite(self.high)) or self.low >= self.high:
            raise BadGrid(self.parameter, f"goes from {self.low:g} to {self.high:g}", "the lower end comes first")
        if self.step is not None and (not isfinite(self.step) or self.step <= 0):
            raise BadGrid(self.parameter, f"has a step that is not a positive number: {self.step:g}")
        if self.step is not None and self._steps >= MOST:
            raise BadGrid(self.parameter, f"has more than {MOST:,} values: {self}", "take larger steps")

    def __str__(self) -> str:
        ends = f"{spelt(self.low)}:{spelt(self.high)}"
        return ends if self.step is None else f"{ends}:{spelt(self.step)}"

    @property
    def _steps(self) -> int:
        assert self.step is not None
        return floor((self.high - self.low) / self.step + 1e-9)

    @property
    def values(self) -> tuple[str, ...]:
        """The values of a grid."""
        if self.step is None:
            raise BadGrid(
                self.parameter, f"has no step: {self}", f"write {self.parameter}={self}:STEP, or try how=optimise"
            )
        return tuple(spelt(self.low + n * self.step) for n in range(self._steps + 1))

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest number that are tried."""
        return self.low, self.high if self.step is None else float(self.values[-1])

    @property
    def near(self) -> float:
        """Distance at which a value still counts as at an end."""
        return 0.01 * (self.high - self.low) if self.step is None else 1e-9 * (self.high - self.low)

    def at(self, share: float) -> str:
        """Returns the number at a share of the way from low to high, rounded to the grid or to 1/10,000 of the way."""
        width = self.high - self.low
        if self.step is None:
            return spelt(self.low + round(min(max(share, 0.0), 1.0), 4) * width)
        steps = self._steps
        return spelt(self.low + min(round(share * width / self.step), steps) * self.step)

    def drawn(self, random: np.random.Generator) -> str:
        """Draws a number uniformly."""
        if self.step is None:
            return self.at(random.random())
        return self.values[int(random.integers(self._steps + 1))]


@frozen
class Choices:
    """A few values, tried as they are.

    Examples
    --------
    >>> Choices("curve", ("logistic", "normal")).ends is None, Choices("home", ("0", "40", "20")).ends
    (True, (0.0, 40.0))
    """

    parameter: str
    values: tuple[str, ...] = field()

    def __str__(self) -> str:
        return ",".join(self.values)

    @property
    def ends(self) -> tuple[float, float] | None:
        """The lowest and the highest value; None unless there are several and all are numbers."""
        try:
            numbers = [float(value) for value in self.values]
        except ValueError:
            return None
        return (min(numbers), max(numbers)) if len(numbers) > 1 else None

    @property
    def near(self) -> float:
        """Distance at which a value still counts as at an end."""
        return 0.0

    def drawn(self, random: np.random.Generator) -> str:
        """Draws one of the values uniformly."""
        return self.values[int(random.integers(len(self.values)))]


Axis = Range | Choices


def axes(grid: Mapping[str, object]) -> tuple[Axis, ...]:
    """Reads the values to try for each parameter.

    Parameters
    ----------
    grid : mapping of parameter to text or sequence
        `8:64:4` (from 8 to 64 in steps of 4), `8:64` (any number between), `0,20,40` (these values); or a sequence of
        values.

    Raises
    ------
    BadGrid

    Examples
    --------
    >>> [str(axis) for axis in axes({"k": "8:64:4", "home": (0, 20, 40)})]
    ['8:64:4', '0,20,40']
    """
    if not grid:
        raise BadGrid("", "names no parameter", "as in k=8:64:4")
    return tuple(_axis(parameter.strip(), tried) for parameter, tried in grid.items())


def _axis(parameter: str, tried: object) -> Axis:
    if isinstance(tried, Range | Choices):
        return tried
    if isinstance(tried, str):
        return _of_text(parameter, tried.strip())
    values = tried if isinstance(tried, Sequence | np.ndarray) else [tried]
    return _choices(parameter, [spelt(value) for value in values])


def _of_text(parameter: str, text: str) -> Axis:
    words = re.split(r"[,](?![^(]*\))", text)
    if len(words) > 1 or ":" not in text or "(" in text:
        return _choices(parameter, [word.strip() for word in words])
    try:
        numbers = [float(part) for part in text.split(":")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3):
        raise BadGrid(parameter, f"is not a range: {text!r}", _SPELLING)
    return Range(parameter, *numbers)


def _choices(parameter: str, values: Iterable[str]) -> Choices:
    distinct = tuple(dict.fromkeys(values))
    if not distinct or "" in distinct:
        raise BadGrid(parameter, "has an empty value" if distinct else "has no value to try", _SPELLING)
    return Choices(parameter, distinct)


def spelt(value: object) -> str:
    """Formats a value as in the text of a method.

    Examples
    --------
    >>> spelt(0.1 + 0.2), spelt(8), spelt(True), spelt(None)
    ('0.3', '8', 'true', 'none')
    """
    if value is None:
        return "none"
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, int | float | np.number):
        return f"{float(value) + 0.0:.12g}"
    return str(value)


Setting = tuple[str, ...]
"""A value of each parameter, in the order of the grid."""
How = Literal["grid", "random", "optimise"]
WAYS: tuple[How, ...] = ("grid", "random", "optimise")
EVALUATIONS = 60
"""Default number of settings tried at random or by the optimiser."""


@frozen
class Trial:
    """One setting with its scores."""

    setting: Setting
    method: str
    train: float
    test: float
    train_games: int
    test_games: int


Evaluate = Callable[[Sequence[Setting]], list[Trial]]


def search(evaluate: Evaluate, tried: tuple[Axis, ...], how: How, objective: str, n: int, seed: int) -> list[Trial]:
    """Tries settings, each once, in an order that is fixed by the seed.

    Parameters
    ----------
    evaluate : callable
        Returns the trials of settings.
    n : int
        Largest number of settings to try, at random or by the optimiser.
    """
    return {"grid": _grid, "random": _random, "optimise": _optimise}[how](evaluate, tried, objective, n, seed)


def _grid(evaluate: Evaluate, tried: tuple[Axis, ...], objective: str, n: int, seed: int) -> list[Trial]:
    size = prod(len(axis.values) for axis in tried)
    if size > MOST:
        raise BadGrid(
            "", f"it makes {size:,} settings; at most {MOST:,} can be tried", "take larger steps, or how=random"
        )
    return evaluate(list(product(*(axis.values for axis in tried))))


def _random(evaluate: Evaluate, tried: tuple[Axis, ...], objective: str, n: int, seed: int) -> list[Trial]:
    return evaluate(_drawn(tried, n, np.random.default_rng(seed)))


def _drawn(tried: tuple[Axis, ...], n: int, random: np.random.Generator) -> list[Setting]:
    """Draws up to `n` different settings; fewer if many draws find no more."""
    drawn: dict[Setting, None] = {}
    for _ in range(20 * n):
        if len(drawn) == n:
            break
        drawn[tuple(axis.drawn(random) for axis in tried)] = None
    return list(drawn)


def _optimise(evaluate: Evaluate, tried: tuple[Axis, ...], objective: str, n: int, seed: int) -> list[Trial]:
    """Tries a few evenly spread settings, then goes downhill from the best one by the Nelder-Mead simplex."""
    from scipy.optimize import minimize  # type: ignore[import-untyped]  # scipy has no types  # slow to import

    ranges = [axis for axis in tried if isinstance(axis, Range)]
    for axis in tried:
        if isinstance(axis, Choices):
            raise BadGrid(axis.parameter, f"is a list of values, but optimise needs a range: {axis}", "write LOW:HIGH")
    sign, trials = better(objective), dict[Setting, Trial]()

    def scored(points: Iterable[Floats]) -> list[float]:
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


def _steps(ranges: list[Range]) -> Floats:
    """Returns the first steps of the simplex, one along each parameter."""
    return np.eye(len(ranges)) * 0.15


def _spread(n: int, dimensions: int, seed: int) -> Floats:
    """Returns points that fill the unit cube evenly, by steps of powers of a golden ratio from a random point."""
    golden = 2.0
    for _ in range(50):  # the root of x^(d + 1) = x + 1
        golden = (1.0 + golden) ** (1.0 / (dimensions + 1))
    steps = golden ** -np.arange(1.0, dimensions + 1.0)
    return (np.random.default_rng(seed).random(dimensions) + np.outer(np.arange(n), steps)) % 1.0
