"""Glicko-2: ratings with a deviation and a volatility, which measures how much a player's strength changes."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, ClassVar, Self

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import STRETCH, BadParameter, Column, Floats, Games, Ints, Period, Rated, State, unsigned
from ratingcore.validators import finite, instance_of, not_negative, optional, positive
from ratingcore_glicko import by_game
from ratingcore_glicko.by_period import relearn
from ratingcore_glicko.family import Family
from ratingcore_glicko.period_sums import Sums, in_log_order
from ratingcore_glicko.scale import Q2
from ratingcore_glicko.sweep import Setting, losses

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "lichess": {
        "tau": 0.75, "volatility": 0.09, "max_volatility": 0.1, "deviation": 500.0, "min_deviation": 45.0,
        "max_deviation": 500.0, "floor": 400.0, "period": None, "days": 1.0 / 0.21436,
    },
}  # fmt: skip


@frozen
class Glicko2(Family):
    """Glickman's second system: a rating with its deviation, and the volatility of the player [1]_ [2]_.

    Preset: `lichess`, game by game, where deviations grow by the time between games.

    Parameters
    ----------
    tau : float > 0
        How much a volatility may change in a period; the paper suggests 0.3 to 1.2.
    volatility : float > 0
        Volatility of a newcomer: growth of a deviation per period, added in squares, in units of 173.7178 points.
    max_volatility : float > 0 or None
        The largest volatility; None for no bound.
    initial, deviation : float, rating points
        Rating and deviation of a newcomer.
    min_deviation : float >= 0, rating points
        The smallest deviation after a game.
    max_deviation : float > 0 or None, rating points
        No deviation grows beyond it.
    floor : float or None, rating points
        No game leaves a rating below it.
    first_move : float, rating points
        Added to the gap for the side named by the result field `home`.
    period : Period or None
        Span whose results are rated together; None rates game by game.
    days : float > 0, days
        Length of a rating period, of which parts count, where period is none or event.

    References
    ----------
    .. [1] M. E. Glickman, "Example of the Glicko-2 system", revised 2013: the formulas and the example.
    .. [2] Lichess, programs `lila` and `scalachess`: the preset.

    Examples
    --------
    Glickman's: 1500 with deviation 200 beats 1400, loses to 1550 and to 1700; he prints 1464.06, 151.52 and 0.05999.

    >>> from ratingcore.plugin import Span
    >>> glicko = Glicko2()
    >>> start = State.start(glicko.columns(), players=4)
    >>> start = start.replace(rating=np.array([1500.0, 1400.0, 1550.0, 1700.0]),
    ...                       deviation=np.array([200.0, 30.0, 100.0, 300.0]))
    >>> at = np.arange(1, 4)
    >>> rated = glicko.rate(start, Games(at * 0, at, np.array([1.0, 0.0, 0.0]), at, at, Span(0, 4)))
    >>> [rated.state[name][0].round(6).tolist() for name in ("rating", "deviation", "volatility")]
    [1464.050671, 151.516524, 0.059996]
    """

    name = "glicko2"
    formula = 2  # a deviation from a seed grows from its own day
    scale = Q2
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS
    tau: float = field(default=0.5, validator=positive)
    volatility: float = field(default=0.06, validator=positive)
    max_volatility: float | None = field(default=None, validator=optional(positive))
    initial: float = field(default=1500.0, validator=finite)
    deviation: float = field(default=350.0, validator=positive)
    min_deviation: float = field(default=0.0, validator=not_negative)
    max_deviation: float | None = field(default=None, validator=optional(positive))
    floor: float | None = field(default=None, validator=optional(finite))
    first_move: float = field(default=0.0, validator=finite)
    period: Period | None = field(factory=lambda: Period("months"), validator=optional(instance_of(Period)))
    days: float = field(default=30.0, validator=positive)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if self.volatility > self.most_volatile:
            why = f"must be at most max_volatility={self.most_volatile:g}: {self.volatility!r}"
            raise BadParameter(self.name, "volatility", why)

    @property
    def most_volatile(self) -> float:
        """The largest volatility; inf for none."""
        return inf if self.max_volatility is None else self.max_volatility

    def columns(self) -> tuple[Column, ...]:
        rating, deviation, last = super().columns()
        return rating, deviation, Column("volatility", self.volatility, digits=6), last

    @property
    def late_growth(self) -> float:
        return 1.0

    def _by_game(self, state: State, games: Games) -> Rated:
        rating, deviation, volatility, last = (
            state.copy(name) for name in ("rating", "deviation", "volatility", "last")
        )
        expected, change_a, change_b = (games.blank() for _ in range(3))
        gap, variance, own, share, precision, pull, new = np.empty((7, 3 * STRETCH))
        by_game.play_volatile(
            rating, deviation, volatility, last, unsigned(games.a), unsigned(games.b), games.score,
            self.clock.times(games), self.ahead(games), self.tau**-2.0, *self.bounds, self.most_volatile,
            -inf if self.floor is None else self.floor, np.zeros(len(rating), dtype=np.int64),
            gap, variance, own, share, precision, pull, new, expected, change_a, change_b,
        )  # fmt: skip
        state = state.replace(rating=rating, deviation=deviation, volatility=volatility, last=last)
        return Rated(state, expected, (change_a, change_b))

    def _by_period(self, state: State, games: Games) -> Rated:
        games, back = in_log_order(games)
        sums = Sums.of(self, state, games)
        volatility = np.empty(len(sums.met))
        relearn(
            sums.growth, sums.variance, sums.precision, sums.pull, sums.met, self.tau**-2.0, self.most_volatile**2,
            self.clock.whole, state["volatility"], volatility,
        )  # fmt: skip
        columns = sums.settled(self, state)
        after = {} if self.floor is None else {"floor": raised(columns["rating"], sums.met, self.floor)}
        change_a, change_b, expected = sums.of_games
        state = state.replace(**columns, volatility=volatility)
        return Rated(state, expected[back], (change_a[back], change_b[back]), after=after)

    @classmethod
    def sweep(
        cls, settings: Sequence[Self], games: Games, given: Floats, cuts: Ints, *, single: bool = False
    ) -> Floats | None:
        if any(setting.period is not None for setting in settings):
            return None
        return losses([setting._as_swept for setting in settings], games, given, cuts)

    @property
    def _as_swept(self) -> Setting:
        """The parameters as a sweep takes them."""
        return Setting(
            *self.bounds, self.most_volatile, -inf if self.floor is None else self.floor, self.first_move, self.tau,
            self.days, self.initial, self.deviation, self.volatility,
        )  # fmt: skip


def raised(rating: Floats, met: Ints, floor: float) -> Floats:
    """Raises players whom a period left below the floor, in place; returns by how much."""
    up = np.where(met > 0, np.maximum(floor - rating, 0.0), 0.0)
    rating += up
    return up
