"""What Glicko and Glicko-2 have in common: forecasts and lists from ratings whose deviations grow with time."""

from abc import abstractmethod
from collections.abc import Mapping
from math import inf, nan
from typing import ClassVar, TypeVar

import numpy as np

from ratingcore.plugin import (
    BadParameter,
    Cadence,
    Column,
    Floats,
    Forecast,
    Games,
    Ints,
    Method,
    Need,
    Period,
    Rated,
    State,
    leaving_out,
    of_players,
)
from ratingcore.plugin.curves import expit
from ratingcore.plugin.rules import HOME
from ratingcore_glicko.clock import PeriodClock
from ratingcore_glicko.scale import FLATTER

Time = TypeVar("Time", float, Floats)
KNOWN = ("deviation", "volatility")
"""Columns of uncertainty, for which a seed may give invalid numbers."""


class Family(Method):
    """A method whose ratings have deviations; the parameters named here are fields of the subclasses."""

    scale: ClassVar[float]
    """From rating points to the argument of the logistic curve."""
    initial: float
    deviation: float
    min_deviation: float
    max_deviation: float | None
    first_move: float
    period: Period | None
    days: float

    def __attrs_post_init__(self) -> None:
        if not self.min_deviation <= self.deviation <= self.most:
            bounds = f"must be from min_deviation={self.min_deviation:g} to max_deviation={self.most:g}"
            raise BadParameter(self.name, "deviation", f"{bounds}: {self.deviation!r}")

    @property
    def cadence(self) -> Cadence:
        return Cadence.CONTINUOUS if self.period is None else Cadence.PERIODIC

    @property
    def needs(self) -> tuple[Need, ...]:
        return (HOME,) if self.first_move else ()

    def columns(self) -> tuple[Column, ...]:
        return (
            Column("rating", self.initial, unit="points"),
            Column("deviation", self.deviation, unit="points"),
            Column("last", nan, unit=self.clock.unit, digits=None, kept=False, seeded=self.clock.seeded),
        )

    def taking_over(self, old: Method, state: State) -> State:
        """The state in which this rule begins; when players last played is read in the periods of the old rule."""
        taken = super().taking_over(old, state)
        if isinstance(old, Family) and old.clock != self.clock:
            return taken.replace(last=self.clock.read(old.clock.instants(state["last"])))
        return taken

    def rate(self, state: State, games: Games) -> Rated:
        below = {f"a {name} below 0": of_players(games, ~(state[name] >= 0.0)) for name in KNOWN if name in state}
        return leaving_out(below, self._by_game if self.period is None else self._by_period, state, games)

    @abstractmethod
    def _by_game(self, state: State, games: Games) -> Rated:
        """Rates the games one after the other."""

    @abstractmethod
    def _by_period(self, state: State, games: Games) -> Rated:
        """Rates the games of a period together."""

    def expected(self, state: State, games: Games) -> Forecast:
        now, fresh = self.grown_until(self.clock.times(games))
        one, other = (self._variance(state, side, now, fresh) for side in (games.a, games.b))
        gap = state["rating"][games.a] - state["rating"][games.b] + self.ahead(games)
        return Forecast(expit(self.scale * gap / np.sqrt(1.0 + FLATTER * (one + other))))

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        everybody = np.arange(len(state["rating"]))
        grown = np.sqrt(self._variance(state, everybody, self.clock.listed(at), 0.0)) / self.scale
        return {**super().show(state, at), "deviation": np.maximum(grown, self.min_deviation)}

    # derived from the parameters

    @property
    def most(self) -> float:
        """The largest deviation, in rating points; inf for none."""
        return inf if self.max_deviation is None else self.max_deviation

    @property
    def bounds(self) -> tuple[float, float]:
        """The least deviation in rating points, and the largest variance on the logistic scale."""
        return self.min_deviation, (self.scale * self.most) ** 2

    @property
    def clock(self) -> PeriodClock:
        """How time passes for deviations."""
        return PeriodClock(self.period, self.days)

    @property
    @abstractmethod
    def late_growth(self) -> float:
        """Number of periods whose growth is added after their games, if periods are those of the calendar."""

    def grown_until(self, now: Time) -> tuple[Time, float]:
        """Time up to which deviations grow before these games are rated, and the number of periods of newcomers."""
        late = self.late_growth if self.clock.whole else 0.0
        return now - late, max(self.clock.fresh - late, 0.0)

    @property
    def growth(self) -> float:
        """Growth of variances per period, on the logistic scale, if players have no volatility of their own."""
        return 0.0

    def ahead(self, games: Games) -> Floats:
        """Points for the first move of `a`, of each game."""
        return self.first_move * games["home"] if self.first_move else np.zeros(len(games))

    def _variance(self, state: State, rows: Ints, now: Floats | float, fresh: float) -> Floats:
        """Variances of some rows at the time `now`, on the logistic scale."""
        periods = self.clock.elapsed(state["last"][rows], now, fresh)
        growth = state["volatility"][rows] ** 2 if "volatility" in state else self.growth
        grown = (self.scale * state["deviation"][rows]) ** 2 + growth * periods
        return np.minimum(grown, self.bounds[1])
