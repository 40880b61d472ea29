"""Rounding and ranking of whole columns."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.arrays import Floats, Ints

_WHOLE = 2.0**52
"""From here on every float is a whole number."""


_LEAST, _MOST = -4, 308
"""Fewest and most decimals of a number with significant digits; below 1e-290 there are fewer, as 1e309 is no float."""

_POWERS = np.array([float(f"1e{places}") for places in range(_LEAST, _MOST + 1)])
"""Powers of ten by decimals, each the nearest float, which `np.power` does not promise."""

_EXACT = 22
"""Largest power of ten that is a float itself: divided by it, a whole number gives the float nearest to its text."""


def rounded(column: Floats, digits: int, significant: int | None = None) -> Floats:
    """The numbers with so many decimals, a half away from zero; smaller ones with more, if they are to be significant.

    A larger number is never rounded below a smaller one.

    Parameters
    ----------
    column : (n,) float64
    digits : int
        Decimals, at least.
    significant : int from 1 to 15, or None
        Digits of each number, counted from its first that is not 0, at least; None asks for decimals alone.

    Examples
    --------
    >>> rounded(np.array([0.5, -1.25, 2.4499]), 1).tolist()
    [0.5, -1.3, 2.4]
    >>> rounded(np.array([1512.34567, 0.0191432087]), 4, significant=6).tolist()
    [1512.3457, 0.0191432]
    """
    if significant is None:
        return _rounded(column, 10.0**digits)
    size = np.abs(column)
    known = np.isfinite(size) & (size > 0.0)
    decade = np.floor(np.log10(np.where(known, size, 1.0))).astype(np.int64)
    places = np.clip(np.where(known, significant - 1 - decade, digits), max(digits, _LEAST), _MOST)
    listed = _rounded(column, _POWERS[places - _LEAST])
    for row in np.flatnonzero(places > _EXACT).tolist():
        listed[row] = float(f"{listed[row]:.{significant}e}")  # the division was by no power of ten, only near one
    return listed


def _rounded(column: Floats, scale: Floats | float) -> Floats:
    size = np.abs(column)
    exact = size < _WHOLE / scale  # what is larger, or no number, has no decimals to lose
    every = bool(exact.all())
    whole = np.round((size if every else np.where(exact, size, 0.0)) * scale, 6)  # 12.4499999999 counts as 12.45
    whole += 0.5
    np.floor(whole, out=whole)
    np.minimum(whole, _WHOLE, out=whole)  # not above the smallest number that is left as it is
    whole /= scale
    np.copysign(whole, column, out=whole)
    return (whole if every else np.where(exact, whole, column)) + 0.0


def foremost(rating: Floats, digits: int, top: int) -> Ints:
    """Rows among which the first so many of a list are, however rounding ties them; all if too few are rated.

    Parameters
    ----------
    rating : (n,) float64
        Before it is rounded; NaN for the unrated.
    digits : int
        Decimals to which it is going to be rounded, at least.
    top : int, from 1 to n

    Examples
    --------
    >>> foremost(np.array([3.0, 9.9, np.nan, 11.0, 8.5]), 0, 2).tolist()
    [1, 3, 4]
    """
    n = len(rating)
    least = np.partition(np.where(np.isnan(rating), -np.inf, rating), n - top)[n - top]
    if least == -np.inf:
        return np.arange(n)
    return np.flatnonzero(rating >= least - 2.0 * 10.0**-digits)  # equal numbers lie at most one last digit apart


def ranked(
    rating: Floats,
    games: Ints,
    names: Callable[[Ints], Sequence[str]],
    ties: str,
    places: Ints | None = None,
) -> tuple[Ints, Ints]:
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
    places : (n,) int or None
        Numbers that sort the rows as their names do: then no name is asked for.

    Examples
    --------
    >>> names = np.array(["bo", "cy", "ann"], dtype=object)
    >>> order, rank = ranked(np.array([1.0, 2.0, 1.0]), np.zeros(3, int), lambda rows: names[rows].tolist(), "shared")
    >>> order.tolist(), rank.tolist()
    ([1, 2, 0], [1, 2, 2])
    """
    key = np.where(np.isnan(rating), np.inf, -rating)
    if ties == "games":
        places = None
    order = np.argsort(key) if places is None else _sorted_by_place(key, places)
    differs = _steps(key[order])
    if places is None and not differs.all():
        tied = np.flatnonzero(~differs | np.append(~differs[1:], False))
        rows = np.sort(order[tied])
        more = -games[rows] if ties == "games" else np.zeros(len(rows), dtype=np.int64)
        by = np.lexsort((more, key[rows]))
        order[tied] = rows[_by_name(by, _steps(key[rows][by]) | _steps(more[by]), names(rows))]
        if ties == "games":
            differs |= _steps(games[order])
    rank: Ints = np.cumsum(differs)
    if ties != "dense":
        rank = (np.flatnonzero(differs) + 1)[rank - 1]
    rank[np.isinf(key[order])] = 0
    return order, rank


def _sorted_by_place(key: Floats, places: Ints) -> Ints:
    """Rows by their keys, equal ones by place."""
    row: Ints = np.full(int(places.max(initial=-1)) + 1, -1)
    row[places] = np.arange(len(places))
    unrated = np.isposinf(key)
    whole = np.rint(np.where(unrated, 0.0, key) * _FINE)
    if len(row) <= _PLACES and np.abs(whole).max(initial=0.0) < _UNRATED and ((whole / _FINE == key) | unrated).all():
        # both in one number, since numbers are sorted much faster than indices of numbers
        both = np.where(unrated, _UNRATED, whole).astype(np.int64) * _PLACES + places
        both.sort()
        order: Ints = row[both % _PLACES]
        return order
    order = row[row >= 0]
    return order[np.argsort(key[order], kind="stable")]


_FINE = 1e4
"""Numbers of four decimals or fewer are whole when they are multiplied by this."""

_PLACES, _UNRATED = 2**24, 2**38
"""More than there are places, and a number behind all keys, which together are no more than an int64 holds."""


def _by_name(order: Ints, begins: NDArray[np.bool_], names: Sequence[str]) -> list[int]:
    """The same order, with those who are equal by name: many short sorts take a fraction of one of everybody."""
    sorted_: list[int] = order.tolist()
    starts = np.append(np.flatnonzero(begins), len(order))
    several = np.flatnonzero(np.diff(starts) > 1)
    for start, stop in zip(starts[several].tolist(), starts[several + 1].tolist(), strict=True):
        sorted_[start:stop] = sorted(sorted_[start:stop], key=names.__getitem__)
    return sorted_


def _steps(column: Floats | Ints) -> NDArray[np.bool_]:
    """Where a sorted column begins and where it differs from the entry before."""
    differs = np.ones(len(column), dtype=np.bool_)
    differs[1:] = column[1:] != column[:-1]
    return differs
