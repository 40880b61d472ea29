"""Codeforces' ratings: whole points from the places of a contest, all computed from the ratings before it."""

from collections.abc import Mapping
from functools import partial
from math import nan

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    BadParameter,
    Bools,
    Cadence,
    Column,
    Floats,
    Forecast,
    Method,
    Rated,
    Sides,
    State,
    Strengths,
)
from ratingcore.plugin.curves import LN10
from ratingcore.validators import finite
from ratingcore_contests.contest_seeds import beaten, contest
from ratingcore_contests.entrants import refuse_teams, shares, teams

REACH = 20_000.0
"""Contests with a rating beyond this are left out, since the formula goes through every whole rating."""


@frozen
class Codeforces(Method):
    """Codeforces' rating of contests of any size, in whole points [1]_.

    A result counts as a ranking; tied participants all have the worst place of their group.

    Parameters
    ----------
    initial : float, rating points
        Rating of a newcomer.

    References
    ----------
    .. [1] M. Mirzayanov, "Codeforces Rating System" and "Open Codeforces Rating System", codeforces.com, 2010 and 2015.

    Examples
    --------
    Ratings 2000, 1500, 1700 and 1400 come in second, first, third and fourth.

    >>> method, one = Codeforces(), np.arange(5)
    >>> state = State.start(method.columns(), 4).replace(rating=np.array([2000.0, 1500.0, 1700.0, 1400.0]))
    >>> contest = Sides(np.array([0, 4]), one, one[:4], np.array([3.0, 4.0, 2.0, 1.0]), one[:1], one[:1], span=(0, 1))
    >>> method.rate(state, contest).change.tolist()
    [-96.0, 233.0, -66.0, -75.0]
    """

    name = "codeforces"
    formula = 2  # among equal ratings, the best results come first where the highest rated are selected
    cadence = Cadence.CONTINUOUS
    reads = Sides
    initial: float = field(default=1400.0, validator=finite)

    def __attrs_post_init__(self) -> None:
        if not abs(self.initial) < REACH:
            raise BadParameter(self.name, "initial", f"must be between -{REACH:g} and {REACH:g}: {self.initial!r}")

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", self.initial, unit="points", digits=0),)

    def refuses(self, games: Sides) -> Mapping[str, Bools]:
        return {"a team": teams(games)}

    def rate(self, state: State, games: Sides) -> Rated:
        refuse_teams(self.name, games)
        rating, change, lost = state.copy("rating"), games.blank(), np.empty(len(games.score))
        old, far = np.empty(len(lost)), 0
        for r in range(len(games)):
            at = slice(int(games.result[r]), int(games.result[r + 1]))
            who = games.player[at]
            old[at] = whole = _whole(rating[who])
            if np.isnan(whole).any():
                lost[at], change[at], far = nan, 0.0, far + 1
                continue
            lost[at], change[at] = contest(whole, games.score[at])
            rating[who] += change[at]
        return Rated(
            state.replace(rating=rating), 1.0 - shares(games, lost), change, strengths=partial(_strengths, old),
            left_out={f"a rating beyond -{REACH:g} or {REACH:g}": far} if far else {},
        )  # fmt: skip

    def expected(self, state: State, games: Sides) -> Forecast:
        refuse_teams(self.name, games)
        lost, old = np.empty(len(games.score)), np.empty(len(games.score))
        for r in range(len(games)):
            at = slice(int(games.result[r]), int(games.result[r + 1]))
            old[at] = whole = _whole(state["rating"][games.player[at]])
            lost[at] = nan if np.isnan(whole).any() else beaten(whole)
        return Forecast(1.0 - shares(games, lost), strengths=_strengths(old))


def _whole(rating: Floats) -> Floats:
    """Rounds the ratings of a contest to whole points for the formula; all are NaN if one is out of its reach."""
    return np.asarray(np.floor(rating + 0.5) if (np.abs(rating) < REACH).all() else np.full(len(rating), nan))


def _strengths(whole: Floats) -> Strengths:
    """Strengths of participants on Elo's curve, at ratings in whole points."""
    return Strengths(whole, np.full(len(whole), 0.5 * (400.0 / LN10) ** 2), "logistic")
