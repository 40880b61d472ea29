"""Whole-History Rating: the most likely strength of each player on each day they played, from all games at once."""

from collections.abc import Mapping
from functools import cached_property
from math import sqrt
from typing import Literal

import numpy as np
from attrs import evolve, field, frozen

from ratingcore.plugin import (
    DAY,
    BadResult,
    Cadence,
    Column,
    Floats,
    Forecast,
    Games,
    Ints,
    Method,
    Solved,
    State,
    Track,
)
from ratingcore.plugin.curves import LN10, expit
from ratingcore.validators import LIMIT, between, finite, one_of, positive
from ratingcore_whr.history import DENSE, SHOWN, STEPS, MostLikely, PlayerDays


@frozen
class Whr(Method):
    """Strengths that drift from day to day, estimated in hindsight: later games correct past ratings [1]_.

    Parameters
    ----------
    w2 : float in [1e-6, 1e9], squared rating points a day
        Variance that a strength gains in a day: the author uses 14 for go, libraries use 300. At 1e-6 strengths do
        not change; less would be lost in rounding.
    prior_games : float > 0, games
        Wins, and as many losses, that each player is given on their first day against a player at `mean`.
    deviations : {"joint", "own"}
        Deviations with all ratings unknown at once; or with opponents taken as known, which are smaller, and faster.
    mean : float, rating points
        Rating that newcomers are drawn towards.

    References
    ----------
    .. [1] R. Coulom, "Whole-History Rating: A Bayesian Rating System for Players of Time-Varying Strength", Computers
       and Games 2008.

    Examples
    --------
    >>> whr, one = Whr(w2=300.0), np.arange(1, 4)
    >>> three = Games(one * 0, one * 0 + 1, np.array([1.0, 0.0, 0.0]), one * 86_400_000_000, one, (0, 2**60))
    >>> solved = whr.rate(State.start(whr.columns(), players=2), three)
    >>> solved.track.columns["rating"].round(6).tolist()[:3], solved.state["deviation"].round(6).tolist()
    ([-43.390361, -44.679686, -45.322853], [197.543474, 197.543474])
    """

    name = "whr"
    formula = 3  # seeds are on another scale and rate nobody
    cadence = Cadence.RETROSPECTIVE
    w2: float = field(default=14.0, validator=between(1e-6, LIMIT))
    prior_games: float = field(default=1.0, validator=positive)
    deviations: Literal["joint", "own"] = field(default="joint", validator=one_of("joint", "own"))
    mean: float = field(default=0.0, validator=finite)

    def columns(self) -> tuple[Column, ...]:
        first = sqrt(2.0 / self.prior_games) / SLOPE
        return (
            Column("rating", self.mean, unit="points"),
            Column("deviation", first, unit="points"),
            Column("last", float("nan"), unit="days since 1970", digits=None, kept=False),
        )

    def _before_results(self, state: State) -> State:
        """The state without the ratings of seeds, which are on another scale."""
        return State.start(self.columns(), len(state["rating"]))

    def rate(self, state: State, games: Games) -> Solved:
        state = self._before_results(state)
        if not len(games):
            return Solved(state, np.empty(0))
        for g in np.flatnonzero(~((games.score >= 0.0) & (games.score <= 1.0)))[:1].tolist():
            raise BadResult(
                self.name, f"position {games.position[g]}", f"its score is not a share of a point: {games.score[g]!r}"
            )
        history = PlayerDays.of(games, self.w2 * SLOPE**2, self.prior_games)
        peak = history.climbed()
        points = self.mean + peak.rating / SLOPE
        deviation = np.sqrt(peak.joint() if self.deviations == "joint" else peak.own()) / SLOPE
        last = np.flatnonzero(history.link == 0.0)
        who = history.player[last]
        filled = {name: state.copy(name) for name in ("rating", "deviation", "last")}
        filled["rating"][who], filled["deviation"][who] = points[last], deviation[last]
        filled["last"][who] = history.day[last]
        track = Track(history.player, history.day * DAY, {"rating": points, "deviation": deviation})
        fitted = expit(peak.rating[history.a] - peak.rating[history.b])
        covariance = self._covariance(peak, dict(zip(who.tolist(), last.tolist(), strict=True)))
        short = f"after {STEPS} steps, with ratings still {peak.short / SLOPE:.2g} points away"
        return Solved(
            state.replace(**filled), fitted, track, covariance if self.deviations == "joint" else None,
            stopped=short if peak.short > SHOWN else "",
        )  # fmt: skip

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(expit((state["rating"][games.a] - state["rating"][games.b]) * SLOPE))

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        days = at // DAY - state["last"]  # whole days, as the history has them
        grown = np.sqrt(state["deviation"] ** 2 + np.where(days > 0.0, self.w2 * days, 0.0))
        return self._listed({"rating": state["rating"], "deviation": grown}, state)

    def _listed(self, shown: Mapping[str, Floats], state: State) -> Mapping[str, Floats]:
        """Columns of players with results; others are unrated."""
        return {name: np.where(np.isnan(state["last"]), np.nan, column) for name, column in shown.items()}

    def _covariance(self, peak: MostLikely, node: dict[int, int]) -> "_Joint":
        return _Joint(peak, node, self.columns()[1].start ** 2)


@frozen
class EarlierWhr(Whr):
    """Formula 2: players without results had the rating of their seed, which is of another scale, or the mean.

    The parameters are those of the present formula.
    """

    formula = 2
    superseded = True

    def columns(self) -> tuple[Column, ...]:
        return tuple(evolve(column, seeded=_days) if column.name == "last" else column for column in super().columns())

    def _before_results(self, state: State) -> State:
        return state

    def _listed(self, shown: Mapping[str, Floats], state: State) -> Mapping[str, Floats]:
        return shown


SLOPE = LN10 / 400.0


def _days(at: Ints) -> Floats:
    """The days of seeds, from which deviations grow."""
    return np.asarray(at // DAY, dtype=np.float64)


@frozen(eq=False)
class _Joint:
    """Covariances of the last days of two players; each player needs one solution of the equations."""

    peak: MostLikely
    node: dict[int, int]
    prior: float
    _solved: dict[int, Floats] = field(factory=dict, init=False)
    """Solution for the last requested player: pairs are mostly requested player by player."""

    def __call__(self, i: int, j: int) -> float:
        if i not in self.node or j not in self.node:
            return self.prior if i == j else 0.0
        solved = self._solved.get(i)
        if solved is None:
            unit = np.zeros_like(self.peak.rating)
            unit[self.node[i]] = 1.0
            solved = self._inverse @ unit if len(unit) <= DENSE else self.peak.solved(unit, 1e-10)
            self._solved.clear()
            self._solved[i] = solved
        return float(solved[self.node[j]]) / SLOPE**2

    @cached_property
    def _inverse(self) -> Floats:
        return np.asarray(np.linalg.inv(self.peak.matrix()), dtype=np.float64)
