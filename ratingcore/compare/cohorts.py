"""Cohorts: games and sessions split by gap, strength, experience, year or any field, to see where a method errs."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import Any, Self

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns import Floats, Ints, View
from ratingcore.compare.forecasts import Forecasts
from ratingcore.compare.played import Bools, Played, PlayedSessions
from ratingcore.errors import BadValue
from ratingcore.methods.periods import Period

NEWCOMER = 10
"""Players with fewer games are newcomers."""
EXPERIENCE = (0, NEWCOMER, 30, 100, 300)
FEW = 12
"""A field with more numbers than this is split into fifths, else by value."""
KINDS = ("gap", "strength", "experience", "year", "event")


@frozen(eq=False)
class Cohorts:
    """A cohort for every game, or two where the players of a game are in different ones.

    Parameters
    ----------
    by : str
        What the games are split by.
    names : tuple of str
    code : (n,) int
        Cohort of each game; -1 for none.
    other : (n,) int or None
        A second cohort of each game; -1 for none. Cohorts then overlap.
    """

    by: str
    names: tuple[str, ...]
    code: Ints
    other: Ints | None = None

    def some(self, which: Bools | None) -> Self:
        """The cohorts of the games in `which`, of all for None."""
        if which is None:
            return self
        return evolve(self, code=self.code[which], other=None if self.other is None else self.other[which])

    def games(self, cohort: int) -> Ints:
        """Indices of the games of a cohort, in order of play."""
        mine = self.code == cohort
        return np.flatnonzero(mine if self.other is None else mine | (self.other == cohort))


def cohorts(by: str, played: Played, forecasts: Forecasts | None = None) -> Cohorts:
    """Splits games into cohorts.

    Parameters
    ----------
    by : str
        `gap`, `strength` (of the ratings before the game), `experience` (games before, of the less experienced),
        `year`, `event`, or any field of results or players.
    forecasts : Forecasts or None
        Forecasts of the method whose ratings define gap and strength.

    Raises
    ------
    BadValue
        If no result and no player of the pool has such a field.
    """
    if by in ("gap", "strength"):
        if forecasts is None:
            raise BadValue("cohort field", by, "is not defined without the ratings of a method")
        return (by_gap if by == "gap" else by_strength)(forecasts.rating_a, forecasts.rating_b)
    if by == "experience":
        return by_experience(played)
    if by == "year":
        return by_year(played)
    return by_field(by, played)


def by_gap(rating_a: Floats, rating_b: Floats, edges: Sequence[float] | None = None) -> Cohorts:
    """By the difference of the two ratings, in about eight steps of one round number and a last open one.

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


def by_strength(rating_a: Floats, rating_b: Floats, parts: int = 5, edges: Sequence[float] | None = None) -> Cohorts:
    """By the mean of both ratings, in parts of equally many games or between given edges."""
    strength = (rating_a + rating_b) / 2
    return parted("strength", strength, quantiles(strength, parts) if edges is None else edges, closed=edges is None)


def by_experience(played: Played | PlayedSessions, edges: Sequence[int] = EXPERIENCE) -> Cohorts:
    """By the number of results the least experienced of those who met had played before; newcomers are marked."""
    before = np.minimum(*played.experience) if isinstance(played, Played) else played.experience
    parts = parted("experience", before.astype(np.float64), edges)
    names = [f"{low}-{high - 1}" for low, high in pairwise(edges)] + [f"{edges[-1]}+"]
    names = [f"newcomers ({n})" if edge < NEWCOMER else n for edge, n in zip(edges, names, strict=True)]
    return Cohorts("experience", tuple(names), parts.code)


def by_year(played: Played | PlayedSessions) -> Cohorts:
    """By the calendar year (UTC)."""
    if not len(played):
        return Cohorts("year", (), np.empty(0, dtype=np.int64))
    first = int(played.played[0])
    edges = Period("months", 12).edges(first, int(played.played[-1]))
    sizes = np.diff(np.searchsorted(played.played, edges))
    year = edges[:-1].astype("M8[us]").astype("M8[Y]").astype(np.int64) + 1970
    return Cohorts("year", tuple(map(str, year.tolist())), np.repeat(np.arange(len(sizes)), sizes))


def by_field(name: str, played: Played) -> Cohorts:
    """By a field of results, or of players; by a field of players a game is in the cohorts of both."""
    codes, values = result_field(name, played.position, played.view)
    if len(values):
        return by_value(name, codes - 1, values)
    of_player, values = played.view.player_labels(name)
    if len(values):
        return _by_players(name, of_player, values, played)
    raise no_field(name, played.view)


def no_field(name: str, view: View) -> BadValue:
    """The error about a field that no result and no player of a pool has."""
    why = f"is none of {', '.join(KINDS)}, and no field of a result or a player of pool {view.pool}"
    return BadValue("cohort field", name, why)


def by_value(name: str, codes: Ints, values: Sequence[Any]) -> Cohorts:
    numbers = _numbers(values)
    if numbers is not None and len(values) > FEW:
        column = np.append(numbers, np.nan)[codes]
        return parted(name, column, quantiles(column, 5), closed=True)
    order = (
        np.argsort(numbers, kind="stable")
        if numbers is not None
        else sorted(range(len(values)), key=lambda i: str(values[i]))
    )
    place = np.append(np.argsort(order), -1)
    return Cohorts(name, tuple(str(values[number]) for number in order), place[codes])


def _by_players(name: str, of_player: Ints, values: Sequence[Any], played: Played) -> Cohorts:
    players = by_value(name, of_player, values)
    a, b = players.code[played.a], players.code[played.b]
    return Cohorts(name, players.names, np.where(a < 0, b, a), np.where((a < 0) | (a == b), -1, b))


def result_field(name: str, position: Ints, view: View) -> tuple[Ints, tuple[Any, ...]]:
    """Code of the field for the result at each position, 0 if it is absent, and the values in use."""
    codes, values = view.labels(name, position)
    used, number = np.unique(codes, return_inverse=True)
    absent = len(used) > 0 and used[0] == 0
    return number + (not absent), tuple(values[code - 1] for code in used[used > 0].tolist())


def _numbers(values: Sequence[Any]) -> Floats | None:
    """The values as numbers, or None if one is not a finite number."""
    try:
        numbers = np.array([float(value) for value in values])
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _round_step(least: float) -> float:
    """The smallest of ..., 0.5, 1, 2, 5, 10, 20, 50, ... that is not less than `least`."""
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= least * (1 - 1e-9))


def quantiles(column: Floats, parts: int) -> list[float]:
    rated = column[~np.isnan(column)]
    return np.unique(np.quantile(rated, np.arange(parts + 1) / parts)).tolist() if len(rated) else []


def parted(by: str, column: Floats, edges: Sequence[float], closed: bool = False) -> Cohorts:
    """Half-open cohorts between edges, and one from the last edge on unless `closed`."""
    if not len(edges):
        return Cohorts(by, (), np.full(len(column), -1))
    edges = list(edges)
    if any(high <= low for low, high in pairwise(edges)):
        raise BadValue("edges", tuple(edges), "do not rise")
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


GAPS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Edges of the chance that the strongest side of a session leaves its weakest behind."""
PARTS = 5
"""Parts of equally many sessions by strength."""


@frozen(eq=False)
class SessionCohorts:
    """Sessions by what they, or those who sat down, have in common; a session may be in several cohorts.

    Parameters
    ----------
    by : str
        What the sessions are split by.
    names : tuple of str
    session, cohort : (k,) int
        Pairs of a session and a cohort it is in, by session.
    """

    by: str
    names: tuple[str, ...]
    session: Ints
    cohort: Ints

    def of(self, cohort: int) -> Ints:
        """Indices of the sessions of a cohort, in order of play."""
        return np.asarray(self.session[self.cohort == cohort])

    def some(self, which: Bools) -> Self:
        """The cohorts of the sessions in `which`, numbered anew."""
        kept = which[self.session]
        number = np.cumsum(which) - 1
        return evolve(self, session=number[self.session[kept]], cohort=self.cohort[kept])


def session_cohorts(by: str, played: PlayedSessions, view: View, forecasts: Forecasts) -> SessionCohorts:
    """Splits sessions into cohorts.

    Parameters
    ----------
    by : str
        `gap` (the chance that the strongest side leaves the weakest behind), `strength` (mean rating of all who sit
        down), `experience` (sessions before, of the least experienced), `year`, `event`, or any field of results or
        players: by a field of players a session is in the cohorts of all who sit down.
    forecasts : Forecasts
        Of the method by which gap and strength are defined; it says who is ahead of whom.

    Raises
    ------
    BadValue
        If no session and no player of a pool of sessions has such a field.
    """
    if by == "gap":
        return _each(parted(by, _gap(played, forecasts), GAPS, closed=True))
    if by == "strength":
        strength = _strength(played, forecasts)
        return _each(parted(by, strength, quantiles(strength, PARTS), closed=True))
    if by == "experience":
        return _each(by_experience(played))
    if by == "year":
        return _each(by_year(played))
    codes, values = result_field(by, played.position, view)
    if len(values):
        return _each(by_value(by, codes - 1, values))
    of_player, values = view.player_labels(by)
    if len(values):
        return _sessions_by_players(by, of_player, values, played)
    if view.n_games:  # a field of games, or of nothing: who splits those sees to it
        return SessionCohorts(by, (), played.position[:0], played.position[:0])
    raise no_field(by, view)


def _each(parts: Cohorts) -> SessionCohorts:
    session = np.flatnonzero(parts.code >= 0)
    return SessionCohorts(parts.by, parts.names, session, parts.code[session])


def _gap(played: PlayedSessions, forecasts: Forecasts) -> Floats:
    strengths, start = forecasts.strengths, played.result
    assert strengths is not None, "only methods that say who is ahead are asked"
    if not len(played):
        return np.empty(0)
    by = np.lexsort((strengths.mean, np.repeat(np.arange(len(played)), np.diff(start))))
    chance = strengths.ahead(by[start[1:] - 1], by[start[:-1]])
    unrated = np.logical_or.reduceat(np.isnan(strengths.mean), start[:-1])
    return np.where(unrated, np.nan, np.clip(chance, GAPS[0], GAPS[-1]))


def _strength(played: PlayedSessions, forecasts: Forecasts) -> Floats:
    if forecasts.seated is None or not len(played):
        return np.full(len(played), np.nan)
    start = played.side[played.result]
    return np.asarray(np.add.reduceat(forecasts.seated(), start[:-1]) / np.diff(start))


def _sessions_by_players(by: str, of_player: Ints, values: tuple[Any, ...], played: PlayedSessions) -> SessionCohorts:
    players = by_value(by, of_player, values)
    start = played.side[played.result]
    session, cohort = np.repeat(np.arange(len(played)), np.diff(start)), players.code[played.player]
    pairs = np.unique(np.stack([session, cohort])[:, cohort >= 0], axis=1)
    return SessionCohorts(by, players.names, pairs[0], pairs[1])
