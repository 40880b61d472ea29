"""TrueSkill: a mean and a deviation per player, learnt from rankings of teams by Bayes' rule."""

from collections.abc import Mapping
from functools import partial
from statistics import NormalDist

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    STRETCH,
    BadParameter,
    Bools,
    Cadence,
    Column,
    Floats,
    Forecast,
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
from ratingcore.validators import between, finite, not_negative, positive
from ratingcore_trueskill import play
from ratingcore_trueskill.ties import ROOM


@frozen
class TrueSkill(Method):
    """Ratings of players in teams of any size, any number of which win, draw or lose in a result [1]_.

    A result counts as a ranking: a higher score is ahead, equal scores are a draw; margins do not matter. Tied
    sides with the same ratings get the same ratings. TrueSkill is a trademark.

    Parameters
    ----------
    initial, deviation : float
        Rating and deviation of a newcomer.
    beta : float > 0
        Deviation of one performance of a player around their skill.
    drift : float >= 0
        Growth of a deviation before each result, added in squares (tau).
    draw_chance : float from 0 to below 1
        Chance of a draw between two sides of equal skill; with 0 a draw means that performances were equal.

    References
    ----------
    .. [1] R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System", NIPS 19, 2006.

    Examples
    --------
    Two newcomers, the first of whom wins.

    >>> method = TrueSkill()
    >>> one = np.arange(3)
    >>> result = Sides(np.array([0, 2]), one, one[:2], np.array([1.0, 0.0]), one[:1], one[:1], span=(0, 1),
    ...                members={"weights": np.ones(2)})
    >>> rated = method.rate(State.start(method.columns(), players=2), result)
    >>> rated.state["rating"].round(6).tolist(), rated.state["deviation"].round(6).tolist()
    ([29.395832, 20.604168], [7.171476, 7.171476])
    """

    name = "trueskill"
    formula = 3  # where nobody took part throughout, the draw margin is still that of a whole match
    cadence = Cadence.CONTINUOUS
    reads = Sides
    initial: float = field(default=25.0, validator=finite)
    deviation: float = field(default=25.0 / 3.0, validator=positive)
    beta: float = field(default=25.0 / 6.0, validator=positive)
    drift: float = field(default=25.0 / 300.0, validator=not_negative)
    draw_chance: float = field(default=0.1, validator=between(0.0, 1.0))

    def __attrs_post_init__(self) -> None:
        if self.draw_chance == 1.0:
            raise BadParameter(self.name, "draw_chance", "must be below 1: with 1.0 nobody ever wins")

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
        strengths = None
        ahead, tie, change = games.blanks(games.n_sides), games.blanks(len(games)), games.blank()
        if duels is not None and not len(weight):
            eps = float(self._width * np.sqrt(2.0) * self.beta)
            play.play_duels(
                rating, deviation, unsigned(duels.a), unsigned(duels.b), duels.score, self.drift**2, self.beta**2, eps,
                np.zeros(len(rating), dtype=np.int64), np.empty(6 * STRETCH), ahead, tie, change,
            )  # fmt: skip
        else:
            room = [games.blanks(games.n_sides) for _ in range(7)]
            mean, spread, margin, left, left_weight, right, right_weight = room
            order, bound = np.empty((2, games.n_sides + 1), dtype=np.int64)
            levels = np.empty(0 if self.formula == 1 else ROOM * games.n_sides)
            play.play(
                rating, deviation, unsigned(games.player), weight, games.result, games.side, games.score,
                *self._numbers, mean, spread, margin, order, bound, levels,
                left, left_weight, right, right_weight, ahead, tie, change,
            )  # fmt: skip
            strengths = partial(Strengths, mean, spread, "normal", margin)
        return Rated(state.replace(rating=rating, deviation=deviation), ahead, change, tie, strengths=strengths)

    def expected(self, state: State, games: Sides) -> Forecast:
        mean, spread, margin, ahead = (np.empty(len(games.score)) for _ in range(4))
        tie = np.empty(len(games))
        play.foresee(
            state["rating"], state["deviation"], unsigned(games.player), member_weights(games, self.name),
            games.result, games.side, *self._numbers, mean, spread, margin, ahead, tie,
        )  # fmt: skip
        return Forecast(ahead, tie, Strengths(mean, spread, "normal", margin))

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        return {**super().show(state, at), "sure": state["rating"] - 3.0 * state["deviation"]}

    @property
    def _numbers(self) -> tuple[float, float, float, float]:
        """Drift, beta and draw margin as the loops take them, and whether the margin follows the time played."""
        return self.drift**2, self.beta**2, self._width, 0.0 if self.superseded else 1.0

    @property
    def _width(self) -> float:
        """Draw margin of one performance, in its deviations."""
        return NormalDist().inv_cdf(0.5 + 0.5 * self.draw_chance)


@frozen
class ShorterTrueSkill(TrueSkill):
    """Formula 2: the draw margin of a match in which nobody took part throughout was smaller in proportion.

    The parameters are those of the present formula.
    """

    formula = 2
    superseded = True


@frozen
class EarlierTrueSkill(TrueSkill):
    """Formula 1: with more than two sides, tied ones were chained, and equal ones in the order of their keys.

    The parameters are those of the present formula.
    """

    formula = 1
    superseded = True
