"""Values of a parameter to try: a range of numbers or a few values, spelt as in the text of a method."""

import re
from collections.abc import Iterable, Mapping, Sequence
from math import floor, isfinite
from typing import Any

import numpy as np
from attrs import field, frozen

from ratingcore.errors import BadGrid

MOST = 100_000
"""Settings that one grid may make."""
_SPELLING = "write LOW:HIGH:STEP, LOW:HIGH or VALUE,VALUE,..."


@frozen
class Range:
    """Numbers from `low` to `high`, both included.

    Parameters
    ----------
    parameter : str
    low, high : float
    step : float > 0 or None
        Between the values of a grid; None leaves every number between the ends.

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
            raise BadGrid(self.parameter, f"has a step that is no positive number: {self.step:g}")
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
        """The lowest and the highest number that is tried."""
        return self.low, self.high if self.step is None else float(self.values[-1])

    @property
    def near(self) -> float:
        """Distance from an end that still counts as the end."""
        return 0.01 * (self.high - self.low) if self.step is None else 1e-9 * (self.high - self.low)

    def at(self, share: float) -> str:
        """The number at a share of the way from low to high, rounded to the grid or to a ten-thousandth of the way."""
        width = self.high - self.low
        if self.step is None:
            return spelt(self.low + round(min(max(share, 0.0), 1.0), 4) * width)
        steps = self._steps
        return spelt(self.low + min(round(share * width / self.step), steps) * self.step)

    def drawn(self, random: np.random.Generator) -> str:
        """A number drawn evenly."""
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
        """Distance from an end that still counts as the end."""
        return 0.0

    def drawn(self, random: np.random.Generator) -> str:
        """One of the values, drawn evenly."""
        return self.values[int(random.integers(len(self.values)))]


Axis = Range | Choices


def axes(grid: Mapping[str, Any]) -> tuple[Axis, ...]:
    """The values to try of each parameter.

    Parameters
    ----------
    grid : mapping of parameter to text or sequence
        `8:64:4` (from 8 to 64 in steps of 4), `8:64` (any number between), `0,20,40`; or the values themselves.

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


def _axis(parameter: str, tried: Any) -> Axis:
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
        raise BadGrid(parameter, f"is no range: {text!r}", _SPELLING)
    return Range(parameter, *numbers)


def _choices(parameter: str, values: Iterable[str]) -> Choices:
    distinct = tuple(dict.fromkeys(values))
    if not distinct or "" in distinct:
        raise BadGrid(parameter, "has an empty value" if distinct else "has no value to try", _SPELLING)
    return Choices(parameter, distinct)


def spelt(value: object) -> str:
    """A value as the text of a method spells it.

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
