"""Weng and Lin's ratings: a mean and a deviation per player, updated from the ranks of teams in closed form."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Any, ClassVar, Literal, Self

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    STRETCH,
    Bools,
    Cadence,
    Column,
    Floats,
    Forecast,
    Ints,
    Method,
    Need,
    Rated,
    Sides,
    State,
    Strengths,
    leaving_out,
    of_players,
    significant_digits,
    unsigned,
)
from ratingcore.plugin.rules import WEIGHTS, member_weights, unattended
from ratingcore.validators import between, finite, not_negative, one_of, positive
from ratingcore_weng_lin import play
from ratingcore_weng_lin.models import BT_FULL, BT_PART, PL, TM_FULL, TM_PART, leads, ranks
from ratingcore_weng_lin.rankings import COLUMNS, MOST
from ratingcore_weng_lin.sweep import losses

MODELS = {"pl": PL, "bt_full": BT_FULL, "bt_part": BT_PART, "tm_full": TM_FULL, "tm_part": TM_PART}
DUELS = ("pl", "bt_full", "bt_part")
"""Models that rate two players by one formula."""

PRESETS: Mapping[str, Mapping[str, Any]] = {"openskill": {"model": "pl", "drift": 25.0 / 300.0, "draw_margin": 0.1}}


@frozen
class WengLin(Method):
    """Ratings of players in teams of any size, from rankings of any number of teams [1]_.

    A result counts as a ranking: a higher score is ahead, equal scores are a tie; margins do not matter.

    Preset: `openskill`, the defaults of the packages openskill; with `model=tm_full` those of another of their models.

    Parameters
    ----------
    model : {"pl", "bt_full", "bt_part", "tm_full", "tm_part"}
        Plackett-Luce; Bradley-Terry or Thurstone-Mosteller, with all pairs of teams or with neighbours alone.
    initial, deviation : float
        Rating and deviation of a newcomer.
    beta : float > 0
        Deviation of one performance around the strength of a team.
    kappa : float in [0, 1]
        Least part of a variance that is left after a result.
    drift : float >= 0
        Growth of a deviation before each result, added in squares (tau).
    draw_margin : float >= 0
        Of Thurstone-Mosteller: performances that differ by no more are a tie.

    References
    ----------
    .. [1] R. C. Weng, C.-J. Lin, "A Bayesian approximation method for online ranking", JMLR 12, 2011.

    Examples
    --------
    Three newcomers, ranked 1, 2, 3.

    >>> method = WengLin()
    >>> one = np.arange(4)
    >>> result = Sides(np.array([0, 3]), one, one[:3], np.array([3.0, 2.0, 1.0]), one[:1], one[:1], span=(0, 1),
    ...                members={"weights": np.ones(3)})
    >>> method.rate(State.start(method.columns(), players=3), result).state["rating"].round(6).tolist()
    [27.868877, 25.717219, 21.413904]
    """

    name = "weng-lin"
    formula = 2  # the draw margin of openskill is 0.1
    cadence = Cadence.CONTINUOUS
    reads = Sides
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS
    model: Literal["pl", "bt_full", "bt_part", "tm_full", "tm_part"] = field(
        default="pl", validator=one_of("pl", "bt_full", "bt_part", "tm_full", "tm_part")
    )
    initial: float = field(default=25.0, validator=finite)
    deviation: float = field(default=25.0 / 3.0, validator=positive)
    beta: float = field(default=25.0 / 6.0, validator=positive)
    kappa: float = field(default=1e-4, validator=between(0.0, 1.0))
    drift: float = field(default=0.0, validator=not_negative)
    draw_margin: float = field(default=0.1, validator=not_negative)

    @property
    def needs(self) -> tuple[Need, ...]:
        return (WEIGHTS,)

    def refuses(self, games: Sides) -> Mapping[str, Bools]:
        return unattended(games)

    def columns(self) -> tuple[Column, ...]:
        significant = significant_digits(self.beta)
        return (
            Column("rating", self.initial, significant=significant),
            Column("deviation", self.deviation, significant=significant),
        )

    def rate(self, state: State, games: Sides) -> Rated:
        below = {"a deviation below 0": of_players(games, ~(state["deviation"] >= 0.0))}
        return leaving_out(below, self._rated, state, games)

    def _rated(self, state: State, games: Sides) -> Rated:
        rating, deviation = state.copy("rating"), state.copy("deviation")
        weight, duels = member_weights(games, self.name), games.duels
        ahead, change, one = games.blanks(games.n_sides), games.blank(), np.empty(9 * STRETCH)
        strengths = None
        if duels is not None and not len(weight) and self.model in DUELS:
            play.play_duels(
                rating, deviation, unsigned(duels.a), unsigned(duels.b), duels.score, self.beta**2, self.drift**2,
                self.kappa, np.zeros(len(rating), dtype=np.int64), one, ahead, change,
            )  # fmt: skip
        else:
            mean, spread = games.blanks(games.n_sides), games.blanks(games.n_sides)
            play.play(
                rating, deviation, unsigned(games.player), weight, unsigned(games.result), unsigned(games.side),
                ranks(games), games.score, *self._numbers, self.kappa, np.zeros(len(rating), dtype=np.int64), one,
                np.ones((MOST + 1, COLUMNS)), mean, spread, self._room(games), ahead, change,
            )  # fmt: skip
            if self.model == "pl":
                leads(games.result, mean, spread, self.beta**2, ahead)
            strengths = partial(self._strengths, games, mean, spread)
        return Rated(state.replace(rating=rating, deviation=deviation), ahead, change, strengths=strengths)

    def expected(self, state: State, games: Sides) -> Forecast:
        ahead, mean, spread = (np.empty(len(games.score)) for _ in range(3))
        play.foresee(
            state["rating"], state["deviation"], unsigned(games.player), member_weights(games, self.name),
            unsigned(games.result), unsigned(games.side), ranks(games), games.score, *self._numbers,
            mean, spread, self._room(games), ahead,
        )  # fmt: skip
        if self.model == "pl":
            leads(games.result, mean, spread, self.beta**2, ahead)
        return Forecast(ahead, strengths=self._strengths(games, mean, spread))

    @staticmethod
    def _room(games: Sides) -> Floats:
        """Scratch space of the models, for a result that has all sides; unused memory costs nothing."""
        return np.empty(4 * games.n_sides)

    def _strengths(self, games: Sides, mean: Floats, known: Floats) -> Strengths:
        """Sides as the models take them: Plackett-Luce has one width for all sides of a result."""
        spread = known + self.beta**2
        if self.model == "pl" and len(games):
            spread = np.repeat(0.5 * np.add.reduceat(spread, games.result[:-1]), np.diff(games.result))
        if self.model.startswith("bt") or self.model == "pl":
            return Strengths(mean, spread, "logistic")
        return Strengths(mean, spread, "normal", np.full(len(mean), self.draw_margin * sqrt(0.5)))

    @classmethod
    def sweep(
        cls, settings: Sequence[Self], games: Sides, given: Floats, cuts: Ints, *, single: bool = False
    ) -> Floats | None:
        able = np.array([setting.model in DUELS for setting in settings], dtype=np.bool_)
        if games.duels is None or not able.any() or (games["weights"] != 1.0).any():
            return None
        totals = np.full((len(settings), len(cuts) - 1), np.nan)
        numbers = [(x.initial, x.deviation, x.beta, x.kappa, x.drift) for x in settings if x.model in DUELS]
        totals[able] = losses(numbers, games.duels, given, cuts)
        return totals

    @property
    def _numbers(self) -> tuple[int, float, float, float]:
        """The parameters as the kernels take them."""
        return MODELS[self.model], self.beta**2, self.drift**2, self.draw_margin


@frozen
class EarlierWengLin(WengLin):
    """Formula 1: a draw margin of 0.0001, which no edition of openskill has, where none is given.

    The parameters are those of the present formula.
    """

    formula = 1
    superseded = True
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"openskill": {"model": "pl", "drift": 25.0 / 300.0}}
    draw_margin: float = field(default=1e-4, validator=not_negative)
