"""Splits games and sessions into cohorts by gap, strength, experience, year or field, to see where a method errs."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import Self

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns import Floats, Ints, View
from ratingcore.compare.forecasts import Forecasts
from ratingcore.compare.played import Played, PlayedSessions
from ratingcore.errors import BadValue
from ratingcore.methods.contract import Bools
from ratingcore.methods.periods import Period

NEWCOMER = 10
"""Players with fewer results are newcomers."""
EXPERIENCE = (0, NEWCOMER, 30, 100, 300)
CHANCES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Edges for cohorts by the chance that the strongest side of a session finishes ahead of the weakest."""
PARTS = 5
"""Number of equally large cohorts, by strength or by a field of numbers."""
FEW = 12
"""A field with more different numbers than this is split into parts; otherwise each value is a cohort."""
YEARS = 24
"""Largest number of years that are cohorts; with more, decades are cohorts."""
Value = str | int | float
KINDS = ("gap", "strength", "experience", "year", "event")


@frozen(eq=False)
class Cohorts:
    """Cohorts of results, which are games or sessions; a result can be in several or in no cohort.

    Parameters
    ----------
    by : str
        What the results are split by.
    names : tuple of str
    code : (n,) int
        Cohort of each result, or of each entry of `result`; -1 for none.
    result : (n,) int or None
        Index of the result of each code, in order of play; None if every result has exactly one code.
    """

    by: str
    names: tuple[str, ...]
    code: Ints
    result: Ints | None = None

    def some(self, which: Bools | None) -> Self:
        """Returns the cohorts of the results in `which`, with results renumbered; of all results for None."""
        if which is None:
            return self
        if self.result is None:
            return evolve(self, code=self.code[which])
        inside = which[self.result]
        return evolve(self, code=self.code[inside], result=(np.cumsum(which) - 1)[self.result[inside]])

    def of(self, cohort: int) -> Ints:
        """Returns the indices of the results of a cohort, in order of play."""
        mine = np.flatnonzero(self.code == cohort)
        return mine if self.result is None else self.result[mine]


def cohorts(by: str, played: Played | PlayedSessions, forecasts: Forecasts | None = None) -> Cohorts:
    """Splits games or sessions into cohorts.

    Parameters
    ----------
    by : str
        `gap` (in games the difference of the ratings before, in sessions the chance that the strongest side finishes
        ahead of the weakest), `strength` (mean rating of all players), `experience` (earlier results of the least
        experienced player), `year` (decades if there are many), `event`, or any field of results or players. By a field
        of players, a result is in the cohorts of all its players.
    played : Played or PlayedSessions
    forecasts : Forecasts or None
        Forecasts of the method whose ratings define gap and strength.

    Raises
    ------
    BadValue
        If no result and no player of the pool has such a field.
    """
    if by in ("gap", "strength"):
        if forecasts is None:
            raise BadValue("cohort field", by, "needs the ratings of a method, but no method is given")
        if isinstance(played, Played):
            return (by_gap if by == "gap" else by_strength)(forecasts.rating_a, forecasts.rating_b)
        return _by_chance(played, forecasts) if by == "gap" else _by_mean(_mean_rating(played, forecasts))
    if by == "experience":
        return by_experience(played)
    if by == "year":
        return by_year(played)
    return by_field(by, played)


def by_gap(rating_a: Floats, rating_b: Floats, edges: Sequence[float] | None = None) -> Cohorts:
    """Splits games by the difference of the two ratings, into about eight equal round steps and one open-ended step.

    Examples
    --------
    >>> parts = by_gap(np.array([1500.0, 1500.0, 1900.0]), np.array([1540.0, 1450.0, 1500.0]))
    >>> [parts.names[code] for code in parts.code]
    ['0-50', '50-100', '400+']
    """
    gap = np.abs(rating_a - rating_b)
    if edges is None:
        rated = gap[~np.isnan(gap)]
        reach = float(np.quantile(rated, 0.95)) if len(rated) else 0.0
        step = _round_step(reach / 8) if reach > 0 else 1.0
        edges = [step * number for number in range(ceil(round(reach / step, 9)) + 1)]
    return parted("gap", gap, edges)


def by_strength(rating_a: Floats, rating_b: Floats, edges: Sequence[float] | None = None) -> Cohorts:
    """Splits games by the mean of both ratings, into equally large parts or between given edges."""
    strength = (rating_a + rating_b) / 2
    return _by_mean(strength) if edges is None else parted("strength", strength, edges)


def _by_mean(strength: Floats) -> Cohorts:
    return parted("strength", strength, quantiles(strength, PARTS), closed=True)


def _by_chance(played: PlayedSessions, forecasts: Forecasts) -> Cohorts:
    """Splits sessions by the chance that the strongest side finishes ahead of the weakest."""
    strengths, start = forecasts.strengths, played.result
    assert strengths is not None, "only methods that forecast sessions are asked"
    if not len(played):
        return Cohorts("gap", (), np.empty(0, dtype=np.int64))
    order = np.lexsort((strengths.mean, np.repeat(np.arange(len(played)), np.diff(start))))
    chance = strengths.ahead(order[start[1:] - 1], order[start[:-1]])
    unrated = np.logical_or.reduceat(np.isnan(strengths.mean), start[:-1])
    chance = np.where(unrated, np.nan, np.clip(chance, CHANCES[0], CHANCES[-1]))
    return parted("gap", chance, CHANCES, closed=True)


def _mean_rating(played: PlayedSessions, forecasts: Forecasts) -> Floats:
    if forecasts.seated is None or not len(played):
        return np.full(len(played), np.nan)
    return np.asarray(np.add.reduceat(forecasts.seated(), played.members[:-1]) / np.diff(played.members))


def by_experience(played: Played | PlayedSessions, edges: Sequence[int] = EXPERIENCE) -> Cohorts:
    """Splits results by the number of earlier results of the least experienced player; newcomers are marked."""
    parts = parted("experience", played.experience.astype(np.float64), edges)
    names = [f"{low}-{high - 1}" for low, high in pairwise(edges)] + [f"{edges[-1]}+"]
    names = [f"newcomers ({n})" if edge < NEWCOMER else n for edge, n in zip(edges, names, strict=True)]
    return Cohorts("experience", tuple(names), parts.code)


def by_year(played: Played | PlayedSessions) -> Cohorts:
    """Splits results by calendar year (UTC), or by decade if there are more than `YEARS` years."""
    if not len(played):
        return Cohorts("year", (), np.empty(0, dtype=np.int64))
    first = int(played.played[0])
    edges = Period("months", 12).edges(first, int(played.played[-1]))
    sizes = np.diff(np.searchsorted(played.played, edges))
    year = edges[:-1].astype("M8[us]").astype("M8[Y]").astype(np.int64) + 1970
    if len(year) <= YEARS:
        return Cohorts("year", tuple(map(str, year.tolist())), np.repeat(np.arange(len(sizes)), sizes))
    decade = year // 10
    names = tuple(f"{number}0s" for number in range(int(decade[0]), int(decade[-1]) + 1))
    return Cohorts("year", names, np.repeat(decade - decade[0], sizes))


def by_field(name: str, played: Played | PlayedSessions) -> Cohorts:
    """Splits results by a field of results or players; with the latter, a result is in the cohorts of all players."""
    view = played.view
    codes, values = result_field(name, played.position, view)
    if len(values):
        return by_value(name, codes - 1, values)
    of_player, values = view.player_labels(name)
    if not len(values):
        why = f"must be one of {', '.join(KINDS)}, or a field of a result or a player of pool {view.pool}"
        raise BadValue("cohort field", name, why)
    players = by_value(name, of_player, values)
    result, player = played.seats
    code = players.code[player]
    pairs = np.unique((result * len(players.names) + code)[code >= 0])
    result, code = np.divmod(pairs, len(players.names))
    return Cohorts(name, players.names, code, result)


def by_value(name: str, codes: Ints, values: Sequence[Value]) -> Cohorts:
    """Splits results by the values of a field: many numbers into equally large parts, anything else value by value."""
    numbers = _numbers(values)
    if numbers is not None and len(values) > FEW:
        column = np.append(numbers, np.nan)[codes]
        return parted(name, column, quantiles(column, PARTS), closed=True)
    order = (
        np.argsort(numbers, kind="stable")
        if numbers is not None
        else sorted(range(len(values)), key=lambda i: str(values[i]))
    )
    place = np.append(np.argsort(order), -1)
    return Cohorts(name, tuple(str(values[number]) for number in order), place[codes])


def result_field(name: str, position: Ints, view: View) -> tuple[Ints, tuple[Value, ...]]:
    """Returns the code of the field for the result at each position (0 if absent), and the values in use."""
    codes, values = view.labels(name, position)
    used, number = np.unique(codes, return_inverse=True)
    absent = len(used) > 0 and used[0] == 0
    return number + (not absent), tuple(values[code - 1] for code in used[used > 0].tolist())


def _numbers(values: Sequence[Value]) -> Floats | None:
    """Returns the values as numbers; None unless all of them are finite numbers."""
    try:
        numbers = np.array([float(value) for value in values])
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _round_step(least: float) -> float:
    """Returns the smallest of ..., 0.5, 1, 2, 5, 10, 20, 50, ... that is at least `least`."""
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= least * (1 - 1e-9))


def quantiles(column: Floats, parts: int) -> list[float]:
    rated = column[~np.isnan(column)]
    return np.unique(np.quantile(rated, np.arange(parts + 1) / parts)).tolist() if len(rated) else []


def parted(by: str, column: Floats, edges: Sequence[float], closed: bool = False) -> Cohorts:
    """Makes half-open cohorts between edges, and unless `closed` a further one from the last edge on."""
    if not len(edges):
        return Cohorts(by, (), np.full(len(column), -1))
    edges = list(edges)
    if any(high <= low for low, high in pairwise(edges)):
        raise BadValue("edges", tuple(edges), "must rise, such as 1400, 1600, 1800")
    code = np.searchsorted(np.array(edges), column, "right") - 1
    digits = 0 if max(map(abs, edges)) >= 100 else max(0, 2 - floor(log10(max(edges[-1] - edges[0], 1e-9))))
    spelt = [_spelt(edge, digits) for edge in edges]
    if closed and len(edges) > 1:
        code = np.minimum(code, len(edges) - 2)
        names = [f"{low}-{high}" for low, high in pairwise(spelt)]
    else:
        names = [f"{low}-{high}" for low, high in pairwise(spelt)] + [f"{spelt[-1]}+"]
    return Cohorts(by, tuple(names), np.where(np.isnan(column), -1, code))


def _spelt(edge: float, digits: int) -> str:
    return f"{edge:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{edge:.0f}"
