"""The editions of a tournament that is held again and again under one name."""

from typing import NamedTuple

import numpy as np

from ratingcore.plugin import DAY, Ints

PAUSE, LONG = 60 * DAY, 366 * DAY
"""Longest pause within an edition, and length above which an edition is split by calendar years."""


class Edition(NamedTuple):
    """One edition of a tournament: the instants of its first and last result, and the number of results."""

    first: int
    last: int
    results: int


def editions(played: Ints) -> list[Edition]:
    """Splits a tournament at pauses of more than `PAUSE`, and parts longer than a year by calendar years.

    Parameters
    ----------
    played : (n,) int64
        Times of its results, in order.

    Examples
    --------
    >>> days = np.array([0, 7, 364, 371, 800, 1000], dtype="M8[D]").astype("M8[us]").astype(np.int64)
    >>> [(one.first // DAY, one.last // DAY, one.results) for one in editions(days)]
    [(0, 7, 2), (364, 371, 2), (800, 800, 1), (1000, 1000, 1)]
    >>> [one.results for one in editions(np.arange(0, 800, 40) * DAY)]
    [10, 9, 1]
    """
    if played[-1] - played[0] <= PAUSE:
        return [Edition(int(played[0]), int(played[-1]), len(played))]
    year = played.astype("M8[us]").astype("M8[Y]").astype(np.int64)
    part = np.concatenate([[0], np.cumsum(np.diff(played) > PAUSE)])
    starts = np.flatnonzero(np.diff(part, prepend=-1))
    ends = np.append(starts[1:], len(played)) - 1
    whole = (played[ends] - played[starts] <= LONG)[part]
    first = np.flatnonzero(np.diff(part, prepend=-1) | (np.diff(year, prepend=year[0]) != 0) & ~whole)
    last = np.append(first[1:], len(played))
    return [
        Edition(int(played[a]), int(played[b - 1]), b - a) for a, b in zip(first.tolist(), last.tolist(), strict=True)
    ]
