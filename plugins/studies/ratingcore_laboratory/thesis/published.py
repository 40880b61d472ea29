"""Published numbers of the three worlds: results of an independent program, with the spread of its single runs.

`README.md` beside this file describes the independent program.
"""

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

ROUNDS = (1, 5, 10, 20, 30, 50)
"""Rounds for which the independent program has mean deviations."""

K = "40"
"""K of all players in its runs. The source study does not print its own K; with this one most of its claims hold."""


class Printed(NamedTuple):
    """A mean over many seeds, and the standard deviation of one run, in rating points."""

    mean: float
    spread: float

    def allowed(self, seeds: int) -> float:
        """The largest difference at which a mean over this many seeds still agrees: four standard errors.

        Examples
        --------
        >>> Printed(232.5, 7.0).allowed(4)
        14.0
        """
        return 4.0 * self.spread / sqrt(seeds)


def _curve(means: tuple[float, ...], spreads: tuple[float, ...]) -> Mapping[int, Printed]:
    return {round_: Printed(*cell) for round_, *cell in zip(ROUNDS, means, spreads, strict=True)}


DEVIATION: Mapping[str, Mapping[str, Mapping[int, Printed]]] = {
    "thesis-1": {
        "A": _curve((232.5, 156.2, 125.6, 103.0, 95.5, 92.4), (7, 7, 6, 6, 5, 9)),
        "B": _curve((232.5, 136.1, 93.9, 65.4, 59.4, 57.9), (7, 7, 5, 4, 4, 4)),
        "C": _curve((227.2, 108.5, 65.3, 56.2, 56.3, 57.6), (8, 6, 3, 2, 2, 3)),
    },
    "thesis-2": {
        "A": _curve((239.2, 213.4, 137.4, 107.4, 94.0, 85.3), (5, 6, 5, 5, 7, 5)),
        "B": _curve((239.2, 212.4, 124.7, 97.1, 94.3, 98.1), (5, 7, 6, 8, 8, 8)),
        "C": _curve((234.2, 199.2, 93.6, 77.1, 79.7, 86.1), (5, 6, 7, 4, 3, 3)),
    },
    "thesis-3": {
        "A": _curve((239.9, 212.7, 123.7, 86.7, 74.6, 75.3), (3, 3, 2, 3, 2, 2)),
        "B": _curve((239.9, 211.6, 113.5, 77.4, 70.3, 78.3), (3, 4, 2, 2, 2, 2)),
        "C": _curve((234.8, 196.9, 73.9, 74.6, 86.9, 105.7), (3, 4, 2, 1, 2, 2)),
    },
}
"""Mean deviation by world, contender and round, over 40 seeds of `thesis-1` and `thesis-2` and 20 of `thesis-3`."""

THRESHOLDS: Mapping[float, Mapping[int, float]] = {
    0.55: {5: 106.0, 10: 61.0, 20: 67.0, 30: 70.0, 50: 68.0},
    0.60: {5: 109.0, 10: 65.0, 20: 55.0, 30: 56.0, 50: 57.0},
    0.65: {5: 116.0, 10: 76.0, 20: 58.0, 30: 55.0, 50: 55.0},
}
"""Mean deviation of C in `thesis-1` by threshold (the least rate of success for a boost) and round; spread unknown."""

SCREEN: Mapping[str, Mapping[str, float]] = {
    "mean": {"A": 104.0, "B": 90.0, "C": 80.0},
    "kendall": {"A": 0.832, "B": 0.847, "C": 0.851},
    "cosine": {"A": 0.9932, "B": 0.9950, "C": 0.9962},
}
"""Measures on a screenshot of the source study's program (its figure A.2), taken after about five rounds."""
