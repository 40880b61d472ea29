"""Cohorts of sessions: split by gap, strength, experience, year, event or any field, as games are."""

from typing import Any, Self

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns import Floats, Ints, View
from ratingcore.compare.cohorts import (
    Cohorts,
    by_experience,
    by_value,
    by_year,
    no_field,
    parted,
    quantiles,
    result_field,
)
from ratingcore.compare.forecasts import Forecasts
from ratingcore.compare.played_games import Bools
from ratingcore.compare.played_sessions import PlayedSessions

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
        return _by_players(by, of_player, values, played)
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


def _by_players(by: str, of_player: Ints, values: tuple[Any, ...], played: PlayedSessions) -> SessionCohorts:
    players = by_value(by, of_player, values)
    start = played.side[played.result]
    session, cohort = np.repeat(np.arange(len(played)), np.diff(start)), players.code[played.player]
    pairs = np.unique(np.stack([session, cohort])[:, cohort >= 0], axis=1)
    return SessionCohorts(by, players.names, pairs[0], pairs[1])
