"""Builds sessions from plain lists, for examples and made-up data without a log."""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from ratingcore.plugin import DAY, Sides, Span

Played = tuple[Sequence[Sequence[int]], Sequence[float]]
"""Sides as rows of players, and the score of each."""


def sessions(
    played: Sequence[Played],
    days: Sequence[float] | None = None,
    boards: Sequence[float] | None = None,
    first_line: Sequence[int] | None = None,
    weights: Sequence[float] | None = None,
) -> Sides:
    """Sessions in order of play, at positions from 1.

    Parameters
    ----------
    played : sequence of (sides, scores)
    days : sequence of float, days since 1970, or None
        When each was played; all on one day if None.
    boards : sequence of float or None
        Boards of each; 1 if None.
    first_line : sequence of int or None
        How many sides of each sit in the first line; 0 if None.
    weights : sequence of float or None
        Part of the boards that each member of each result played; 1 if None.

    Examples
    --------
    >>> two = sessions([([[0, 1], [2, 3]], [60.0, 40.0]), ([[0, 2], [1, 3], [4, 5]], [55.0, 50.0, 45.0])])
    >>> two.result.tolist(), two.side.tolist()
    ([0, 2, 5], [0, 2, 4, 6, 8, 10])
    """
    n = len(played)
    at = np.array([round(day * DAY) for day in days or [0.0] * n], dtype=np.int64)
    sides = [side for seated, _ in played for side in seated]
    facts = {"boards": boards or [1.0] * n, "first_line": first_line or [0] * n, "unit": [0.0] * n}
    end = int(at.max(initial=0)) + 1
    seats = sum(map(len, sides))
    return Sides(
        np.array([0, *accumulate(len(seated) for seated, _ in played)], dtype=np.int64),
        np.array([0, *accumulate(map(len, sides))], dtype=np.int64),
        np.array([player for side in sides for player in side], dtype=np.int32),
        np.array([score for _, scores in played for score in scores], dtype=np.float64),
        at, np.arange(1, n + 1), Span(0, end),
        {name: np.array(values, dtype=np.float64) for name, values in facts.items()},
        members={"weights": np.array(weights or [1.0] * seats, dtype=np.float64)},
    ).frozen()  # fmt: skip
