"""Berkin's ratio ratings of a whole pool: a rating is the worth of the points won, divided by the points lost."""

from collections.abc import Mapping
from math import nan
from typing import Literal

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
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
    significant_digits,
)
from ratingcore.validators import finite, instance_of, not_negative, one_of, optional, positive
from ratingcore_berkin.field import Field, first_seen
from ratingcore_berkin.formulas import points
from ratingcore_berkin.gauge import Level, Pinned
from ratingcore_berkin.solution import NO_RESULTS, OK, STATUS, solve_field
from ratingcore_berkin.stationary import BALANCE


@frozen
class Berkin(Method):
    """Ratio ratings of a whole pool at once, by the balance `R_i L_i = sum_j W_ij R_j` [1]_.

    A player with twice the rating of another scores twice their points against them in the long run: the expected score
    is `R_a / (R_a + R_b)`.

    Parameters
    ----------
    gauge : {"geomean", "mean", "player"}
        What fixes the scale: the geometric mean of all rated players, their arithmetic mean, or the players with a
        seed: a single one keeps that rating, several keep their geometric mean.
    anchor : float > 0
        The mean; ignored with `gauge=player`.
    components : bool
        Whether a field that is not strongly connected is rated part by part; otherwise nobody in it is rated.
    prior_draws : float >= 0, games
        Draws of each player with an imaginary one: they connect any field, and keep the ratings of perfect scores
        finite.
    points : float or None, rating points
        Lists show the ratings as points too, `points + 400 log10(R / geomean)`.

    References
    ----------
    .. [1] "The Berkin System", unpublished, formula 13.2; written out in the README here.

    Examples
    --------
    >>> berkin = Berkin()
    >>> start = State.start(berkin.columns(), players=2)
    >>> one = np.array([1, 2, 3])
    >>> three = Games(np.array([0, 0, 1]), np.array([1, 1, 0]), np.array([1.0, 1.0, 1.0]), one, one, span=(0, 4))
    >>> solved = berkin.rate(start, three)
    >>> solved.state["rating"].round(6).tolist(), solved.fitted.round(6).tolist()
    ([1414.213562, 707.106781], [0.666667, 0.666667, 0.333333])
    """

    name = "berkin"
    formula = 2  # seeds, which are of another scale, rate nobody
    cadence = Cadence.RETROSPECTIVE
    gauge: Literal["geomean", "mean", "player"] = field(
        default="geomean", validator=one_of("geomean", "mean", "player")
    )
    anchor: float = field(default=1000.0, validator=positive)
    components: bool = field(default=False, validator=instance_of(bool))
    prior_draws: float = field(default=0.0, validator=not_negative)
    points: float | None = field(default=None, validator=optional(finite))

    def columns(self) -> tuple[Column, ...]:
        significant = significant_digits(0.0 if self.gauge == "player" else self.anchor, usual=1000.0)
        own = Column("rating", nan, significant=significant), Column("status", NO_RESULTS, labels=STATUS, kept=False)
        return (*own, Column("component", 0.0, digits=0, kept=False)) if self.components else own

    def rate(self, state: State, games: Games) -> Solved:
        players = len(state["rating"])
        rows = np.flatnonzero(np.bincount(games.a, minlength=players) + np.bincount(games.b, minlength=players))
        if not len(rows):
            return Solved(self._before_results(state), np.empty(0))
        for g in np.flatnonzero(np.isnan(games.score))[:1].tolist():
            raise BadResult(self.name, f"position {games.position[g]}", "it has no score")
        row = np.zeros(players, dtype=np.int32)
        row[rows] = np.arange(len(rows))
        state, no_seeds = self._seeded(state)
        state = self._before_results(state)
        gauge = Pinned(state["rating"][rows]) if self.gauge == "player" else Level(self.gauge, self.anchor)
        solution = solve_field(
            Field.of_games(games, row, len(rows)), gauge, self.components, self.prior_draws,
            lambda: first_seen(games, row, len(rows)),
        )  # fmt: skip
        solved = {"rating": solution.rating, "status": solution.code, "component": solution.part}
        filled = {name: state.copy(name) for name in solved if name in state}
        for name, column in filled.items():
            column[rows] = solved[name]
        after = state.replace(**filled)
        left_out = {"a seed that is not a rating on a ratio scale": no_seeds} if no_seeds else {}
        stopped = f"at a balance of {solution.balance:.1e}" if solution.balance > BALANCE else ""
        return Solved(after, self.expected(after, games).expected, left_out=left_out, stopped=stopped)

    def _before_results(self, state: State) -> State:
        """The state without the ratings of seeds, which are of another scale unless they fix this one."""
        return state if self.gauge == "player" else state.replace(rating=np.full(len(state["rating"]), nan))

    def expected(self, state: State, games: Games) -> Forecast:
        """Share of the point by the ratings of the state; NaN without two comparable ratings."""
        share = shares(state["rating"], games.a, games.b)
        if self.components:
            component = state["component"]
            share[component[games.a] != component[games.b]] = nan
        return Forecast(share)

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        listed = dict(super().show(state, at))
        if self.points is not None:
            listed["points"] = self._points(state)
        return listed

    def _points(self, state: State) -> Floats:
        """Returns ratings as points, around the geometric mean of each component."""
        rating = np.where(state["status"] == OK, state["rating"], nan)
        if not self.components:
            return points(rating, self.points or 0.0)
        shown = np.full(len(rating), nan)
        for number in np.unique(state["component"]).tolist():
            rows = state["component"] == number
            shown[rows] = points(rating[rows], self.points or 0.0)
        return shown

    def _seeded(self, state: State) -> tuple[State, int]:
        """The state without seeds that are not ratings on a ratio scale, and their number."""
        given = state["rating"]
        odd = given <= 0.0 if self.gauge == "player" else given < 0.0
        return (state.replace(rating=np.where(odd, nan, given)) if odd.any() else state), int(odd.sum())


@frozen
class EarlierBerkin(Berkin):
    """Formula 1: players without results had the rating of their seed, whatever its scale.

    The parameters are those of the present formula.
    """

    formula = 1
    superseded = True

    def _before_results(self, state: State) -> State:
        return state


def shares(rating: Floats, a: Ints, b: Ints) -> Floats:
    """Expected share of `a` on the ratio scale; a half between two ratings of zero."""
    x, y = rating[a], rating[b]
    both = x + y
    with np.errstate(invalid="ignore"):
        return np.where(both == 0.0, 0.5, x / np.where(both == 0.0, 1.0, both))
