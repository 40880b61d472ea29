"""Rounding and ranking of whole columns."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ratingcore.tables.arrays import Floats, Ints

_WHOLE = 2.0**52
"""From here on every float is a whole number."""


def rounded(column: Floats, digits: int) -> Floats:
    """The numbers with so many decimals, a half away from zero.

    Examples
    --------
    >>> rounded(np.array([0.5, -1.25, 2.4499]), 1).tolist()
    [0.5, -1.3, 2.4]
    """
    scale = 10.0**digits
    exact = np.abs(column) < _WHOLE / scale  # what is larger, or no number, has no decimals to lose
    size = np.abs(np.where(exact, column, 0.0)) * scale
    whole = np.round(size, 6)  # 12.4499999999 that stands for 12.45 counts as 12.45
    return np.where(exact, np.copysign(np.floor(whole + 0.5) / scale, column), column) + 0.0


def ranked(rating: Floats, games: Ints, names: Callable[[Ints], Sequence[str]], ties: str) -> tuple[Ints, Ints]:
    """Order of the rows from the top, and the rank of each in that order; the unrated come last with rank 0.

    Parameters
    ----------
    rating : (n,) float64
        As listed; NaN for the unrated.
    games : (n,) int
    names : callable
        Names of the players in rows; asked for equal ratings only.
    ties : {"shared", "dense", "games"}
        How equal ratings are ranked, as `ListPolicy` says.

    Examples
    --------
    >>> names = np.array(["bo", "cy", "ann"], dtype=object)
    >>> order, rank = ranked(np.array([1.0, 2.0, 1.0]), np.zeros(3, int), lambda rows: names[rows].tolist(), "shared")
    >>> order.tolist(), rank.tolist()
    ([1, 2, 0], [1, 2, 2])
    """
    key = np.where(np.isnan(rating), np.inf, -rating)
    order: Ints = np.argsort(key)
    differs = _steps(key[order])
    if not differs.all():
        tied = np.flatnonzero(~differs | ~np.append(differs[1:], True))
        rows = np.sort(order[tied])
        called = names(rows)
        place = np.empty(len(rows), dtype=np.int64)
        place[sorted(range(len(rows)), key=called.__getitem__)] = np.arange(len(rows))
        more = -games[rows] if ties == "games" else np.zeros(len(rows), dtype=np.int64)
        order[tied] = rows[np.lexsort((place, more, key[rows]))]
        if ties == "games":
            differs |= _steps(games[order])
    rank: Ints = np.cumsum(differs)
    if ties != "dense":
        rank = (np.flatnonzero(differs) + 1)[rank - 1]
    rank[np.isinf(key[order])] = 0
    return order, rank


def _steps(column: Floats | Ints) -> NDArray[np.bool_]:
    """Where a sorted column begins and where it differs from the entry before."""
    differs = np.ones(len(column), dtype=np.bool_)
    differs[1:] = column[1:] != column[:-1]
    return differs
