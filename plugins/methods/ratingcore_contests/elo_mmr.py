"""Elo-MMR: ratings from each player's history of performances, weighed so that one bad day counts for little."""

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
    leaving_out,
    of_players,
)
from ratingcore.validators import finite, instance_of, positive
from ratingcore_contests.entrants import refuse_teams, shares, teams
from ratingcore_contests.field import expected_leads, performed
from ratingcore_contests.performances import Q, remember

TINY = 1e-9
"""Deviation below which the inverse of its square is too large for sums."""


@frozen
class EloMmr(Method):
    """Ratings of contests of any size with logistic performances [1]_.

    A result counts as a ranking. Nothing changes between contests.

    Parameters
    ----------
    weight : float > 0
        Weight of a contest relative to the whole past, in the limit.
    limit : float > 0, rating points
        Deviation that players approach as they play on (sigma_lim).
    history : int >= 1
        Number of performances that are kept of each player; older ones are merged into a normal factor.
    skip_ties : bool
        Whether a contest in which everybody ties is ignored.
    initial, deviation : float, rating points
        Rating and deviation of a newcomer.

    References
    ----------
    .. [1] A. Ebtekar, P. Liu, "An Elo-like System for Massive Multiplayer Competitions", WWW 2021.

    Examples
    --------
    Three newcomers come in first, second and third.

    >>> method, one = EloMmr(), np.arange(4)
    >>> contest = Sides(np.array([0, 3]), one, one[:3], np.array([3.0, 2.0, 1.0]), one[:1], one[:1], span=(0, 1))
    >>> rated = method.rate(State.start(method.columns(), 3), contest)
    >>> rated.state["rating"].round(6).tolist(), rated.state["deviation"].round(6).tolist()[0]
    ([1704.866719, 1500.0, 1295.133281], 171.195444)
    """

    name = "elo-mmr"
    cadence = Cadence.CONTINUOUS
    reads = Sides
    weight: float = field(default=0.2, validator=positive)
    limit: float = field(default=80.0, validator=positive)
    history: int = field(default=40, validator=instance_of(int))
    skip_ties: bool = field(default=False, validator=instance_of(bool))
    initial: float = field(default=1500.0, validator=finite)
    deviation: float = field(default=350.0, validator=positive)

    def __attrs_post_init__(self) -> None:
        if not 1 <= self.history <= 1000:
            raise BadParameter(self.name, "history", f"must be from 1 to 1000: {self.history!r}")

    def columns(self) -> tuple[Column, ...]:
        return (
            Column("rating", self.initial, unit="points"),
            Column("deviation", self.deviation, unit="points"),
            Column("centre", nan, digits=None, kept=False),
            Column("precision", nan, digits=None, kept=False),
            Column("count", 0.0, digits=None, kept=False),
            Column("past", 0.0, digits=None, shape=(self.history,), kept=False),
            Column("part", 0.0, digits=None, shape=(self.history,), kept=False),
        )

    def refuses(self, games: Sides) -> Mapping[str, Bools]:
        return {"a team": teams(games)}

    def rate(self, state: State, games: Sides) -> Rated:
        refuse_teams(self.name, games)
        sure = {"a deviation not above 0": of_players(games, ~(state["deviation"] > TINY))}
        return leaving_out(sure, self._rated, state, games)

    def _rated(self, state: State, games: Sides) -> Rated:
        names = "rating", "deviation", "centre", "precision", "count", "past", "part"
        rating, deviation, centre, precise, count, past, part = (state.copy(name) for name in names)
        ahead, change, performance = np.empty(len(games.score)), games.blank(), np.empty(len(games.score))
        mean, known = np.empty(len(ahead)), np.empty(len(ahead))
        room = np.empty((4, self.history + 8))
        for r in range(len(games)):
            at = slice(int(games.result[r]), int(games.result[r + 1]))
            who = games.player[at]
            before, variance = rating[who], deviation[who] ** 2 + self._drift
            expected_leads(before, variance, self._spread, ahead[at])
            mean[at], known[at], change[at] = before, variance, 0.0
            if self.skip_ties and len(np.unique(games.score[at])) == 1:
                continue
            with np.errstate(divide="ignore"):  # variances beyond the range of float64: such a list is refused
                scale = Q / np.sqrt(variance + self._spread)
            performed(before, scale, games.score[at], performance[at])
            remember(
                who, rating, deviation, centre, precise, count, past, part, performance[at], self._drift,
                self._spread, room,
            )  # fmt: skip
            change[at] = rating[who] - before
        filled = dict(zip(names, (rating, deviation, centre, precise, count, past, part), strict=True))
        return Rated(
            state.replace(**filled), shares(games, ahead), change, strengths=partial(self._strengths, mean, known)
        )

    def expected(self, state: State, games: Sides) -> Forecast:
        refuse_teams(self.name, games)
        ahead = np.empty(len(games.score))
        mean, variance = state["rating"][games.player], state["deviation"][games.player] ** 2 + self._drift
        for r in range(len(games)):
            at = slice(int(games.result[r]), int(games.result[r + 1]))
            expected_leads(mean[at], variance[at], self._spread, ahead[at])
        return Forecast(shares(games, ahead), strengths=self._strengths(mean, variance))

    def _strengths(self, mean: Floats, variance: Floats) -> Strengths:
        """Expected strength of each participant, on the scale of the logistic curve."""
        return Strengths(mean, (variance + self._spread) / Q**2, "logistic")

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        return {**super().show(state, at), "shown": state["rating"] - 3.0 * (state["deviation"] - self.limit)}

    @property
    def _drift(self) -> float:
        return self.weight * self.limit**2

    @property
    def _spread(self) -> float:
        """Variance of a performance around the strength of the player."""
        return (1.0 + 1.0 / self.weight) * self.limit**2
