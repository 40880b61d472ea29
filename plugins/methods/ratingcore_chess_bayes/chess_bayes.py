"""Bayes' rule for chess: after every game the rating is the posterior mean, the deviation its standard deviation."""

from collections.abc import Mapping
from math import inf, nan
from typing import Literal

import numpy as np
from attrs import evolve, field, frozen

from ratingcore.plugin import (
    DAY,
    BadParameter,
    BadResult,
    Bools,
    Cadence,
    Column,
    Floats,
    Forecast,
    Games,
    Ints,
    Method,
    Rated,
    State,
    leaving_out,
    of_players,
    significant_digits,
)
from ratingcore.plugin.curves import LN10
from ratingcore.validators import finite, not_negative, one_of, positive
from ratingcore_chess_bayes import band, quadrature
from ratingcore_chess_bayes.drift import days, drifted_columns

MODELS = {"square": quadrature.SQUARE, "davidson": quadrature.DAVIDSON, "rao_kupper": quadrature.RAO_KUPPER}
WIDEST = 2.5
"""Largest deviation that the nodes can follow, in scales of the curve."""


@frozen
class ChessBayes(Method):
    """Ratings with deviations from games that are won, drawn or lost, by one of four outcome models [1]_.

    Parameters
    ----------
    model : {"band", "square", "davidson", "rao_kupper"}
        How chances of win, draw and loss follow from the gap of true strengths; see the README.
    draw_band : float >= 0, rating points
        For `band`: performances that differ by no more are a draw.
    nu : float >= 0
        For `davidson`: equals draw with chance nu / (2 + nu).
    theta : float >= 1
        For `rao_kupper`: equals draw with chance (theta - 1) / (theta + 1).
    scale : float > 0, rating points
        Width of the curve: 10 to 1 for a gap of `scale` in odds without draws; for `band` the difference of two
        performances has standard deviation scale / sqrt(2), 282.84 for 400.
    initial : float, rating points
        Rating of a newcomer.
    deviation : float >= 0, rating points
        Standard deviation of a newcomer's strength around `initial`; at most 2.5 scales, without a limit for `band`.
    drift_var : float >= 0, squared rating points a day
        Growth of a player's variance per day since the last game or seed, up to the variance of a newcomer.

    References
    ----------
    .. [1] M. Ioffe, on applying a modernised (Bayesian) Elo system, in Russian: the idea. Davidson, "On extending the
       Bradley-Terry model to accommodate ties", JASA 65, 1970; Rao, Kupper, "Ties in paired-comparison
       experiments", JASA 62, 1967: two of the models.

    Examples
    --------
    >>> method = ChessBayes(draw_band=60.0)
    >>> state = State.start(method.columns(), players=2)
    >>> state = state.replace(rating=np.array([2000.0, 2100.0]), deviation=np.array([100.0, 50.0]))
    >>> rated = method.rate(state, Games(*(np.array([x]) for x in (0, 1, 1.0, 0, 1)), span=(0, 1)))
    >>> rated.state["rating"].round(4).tolist(), rated.state["deviation"].round(4).tolist()
    ([2038.1474, 2090.4631], [95.9407, 49.5004])
    """

    name = "chess-bayes"
    formula = 2  # a deviation from a seed grows from its own day, on lists by whole days
    cadence = Cadence.CONTINUOUS
    model: Literal["band", "square", "davidson", "rao_kupper"] = field(
        default="band", validator=one_of("band", "square", "davidson", "rao_kupper")
    )
    draw_band: float = field(default=60.0, validator=not_negative)
    nu: float = field(default=0.8, validator=not_negative)
    theta: float = field(default=1.6, validator=positive)
    scale: float = field(default=400.0, validator=positive)
    initial: float = field(default=1500.0, validator=finite)
    deviation: float = field(default=350.0, validator=not_negative)
    drift_var: float = field(default=0.0, validator=not_negative)

    def __attrs_post_init__(self) -> None:
        if self.theta < 1:
            raise BadParameter(self.name, "theta", f"must be 1 or more: {self.theta!r}")
        if self.deviation > self._limit:
            why = f"must be at most {WIDEST:g} scales, {self._limit:g}, where model={self.model}: {self.deviation!r}"
            raise BadParameter(self.name, "deviation", why)

    def columns(self) -> tuple[Column, ...]:
        significant = significant_digits(self.scale)
        return (
            Column("rating", self.initial, unit="points", significant=significant),
            Column("deviation", self.deviation, unit="points", significant=significant),
            Column("last", nan, unit="days since 1970", digits=None, kept=False, seeded=days),
        )

    def refuses(self, games: Games) -> Mapping[str, Bools]:
        odd = {"neither win, draw nor loss": ~np.isin(games.score, (0.0, 0.5, 1.0))}
        never = {"band": self.draw_band == 0.0, "davidson": self.nu == 0.0, "rao_kupper": self.theta == 1.0}
        if never.get(self.model, False):
            odd["a draw, which the model excludes"] = games.score == 0.5
        return odd

    def rate(self, state: State, games: Games) -> Rated:
        known = (state["deviation"] >= 0.0) & (state["deviation"] <= self._limit)
        odd = {f"a deviation outside 0 to {self._limit:g}": of_players(games, ~known)}
        return leaving_out(odd, self._rated, state, games)

    def _rated(self, state: State, games: Games) -> Rated:
        rating, deviation, last = (state.copy(name) for name in ("rating", "deviation", "last"))
        expected, draw, change_a, change_b = (games.blank() for _ in range(4))
        given = (rating, deviation, last, games.a, games.b, games.score, self._day(games))
        filled = (self.drift_var, self.deviation**2, expected, draw, change_a, change_b)
        if self.model == "band":
            bad = band.play(*given, self._spread, self.draw_band, *filled)
        else:
            model, slope = MODELS[self.model], LN10 / self.scale
            bad = quadrature.play(*given, model, self._tie, slope, *filled)
        if bad >= 0:
            raise self._refusal(games, bad)
        state = state.replace(rating=rating, deviation=deviation, last=last)
        return Rated(state, expected, (change_a, change_b), draw)

    def expected(self, state: State, games: Games) -> Forecast:
        gap, day = state["rating"][games.a] - state["rating"][games.b], self._day(games)
        variance = self._variance(state, games.a, day) + self._variance(state, games.b, day)
        if self.model == "band":
            return Forecast(*band.chances(gap, variance, self._spread, self.draw_band))
        return Forecast(*quadrature.chances(gap, variance, MODELS[self.model], self._tie, LN10 / self.scale))

    def show(self, state: State, at: float) -> Mapping[str, Floats]:
        grown = self._variance(state, np.arange(len(state["rating"])), self._listed(at))
        return {"rating": state["rating"], "deviation": np.sqrt(grown)}

    def _listed(self, at: float) -> float:
        """The day of a list: deviations grow by whole days."""
        return at // DAY

    @property
    def _tie(self) -> float:
        return {"square": nan, "davidson": self.nu, "rao_kupper": self.theta}[self.model]

    @property
    def _spread(self) -> float:
        """Variance of the difference of two performances."""
        return 0.5 * self.scale**2

    @property
    def _limit(self) -> float:
        return inf if self.model == "band" else WIDEST * self.scale

    def _day(self, games: Games) -> Floats:
        return days(games.played) if self.drift_var else games.score

    def _variance(self, state: State, player: Ints, day: Floats | float) -> Floats:
        deviation, last = state["deviation"][player], state["last"][player]
        return drifted_columns(deviation, last, day, self.drift_var, self.deviation**2)

    def _refusal(self, games: Games, g: int) -> BadResult:
        score = float(games.score[g])
        why = f"its score is neither a win, a draw nor a loss: {score!r}"
        if score == 0.5:
            parameter = {"band": "draw_band", "davidson": "nu", "rao_kupper": "theta"}[self.model]
            why = f"it is a draw, which the model excludes with {parameter}={getattr(self, parameter):g}"
        return BadResult(self.name, f"position {games.position[g]}", why)


@frozen
class EarlierChessBayes(ChessBayes):
    """Formula 1: a seeded deviation did not grow until the next game, and lists included drift for parts of days.

    The parameters are those of the present formula.
    """

    formula = 1
    superseded = True

    def columns(self) -> tuple[Column, ...]:
        return tuple(evolve(column, seeded=None) for column in super().columns())

    def _listed(self, at: float) -> float:
        return at / DAY
