"""Glicko: a rating and a deviation, which shrinks by playing and grows while a player is idle."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import Games, Period, Rated, State, summed, unsigned
from ratingcore.validators import finite, instance_of, not_negative, optional, positive
from ratingcore_glicko import by_game
from ratingcore_glicko.family import Family
from ratingcore_glicko.period_sums import Sums, in_log_order
from ratingcore_glicko.scale import Q

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "playerratings": {"initial": 2200.0, "deviation": 300.0, "c": 15.0},
    "stephenson": {"initial": 2200.0, "deviation": 300.0, "c": 10.0, "h": 10.0, "neighbourhood": 2.0},
}


@frozen
class Glicko(Family):
    """Glickman's first system, a rating with a deviation, and Stephenson's additions to it [1]_ [2]_.

    Presets: `playerratings`, the defaults of the R package PlayerRatings; `stephenson`, those of its Stephenson system.

    Parameters
    ----------
    c : float >= 0, rating points
        Growth of a deviation per period, added in squares.
    h : float >= 0, rating points
        Growth of a deviation per game, added in squares (Stephenson).
    b : float >= 0, hundredths of a point
        Bonus for every game played, won or lost (Stephenson).
    neighbourhood : float >= 0, percent
        How far ratings are drawn to the mean of their opponents in a period (Stephenson's lambda).
    initial, deviation : float, rating points
        Rating and deviation of a newcomer.
    min_deviation : float >= 0, rating points
        No game leaves a deviation below it.
    max_deviation : float > 0, rating points
        No deviation grows beyond it.
    first_move : float, rating points
        Added to the gap for the side named by the result field `home`.
    period : Period or None
        Span whose results are rated together; None rates game by game.
    days : float > 0, days
        Length of a rating period, of which parts count, where period is none or event.

    References
    ----------
    .. [1] M. E. Glickman, "Parameter estimation in large dynamic paired comparison experiments", Applied Statistics 48,
       1999, and "The Glicko system": the formulas and the example.
    .. [2] A. Stephenson, J. Sonas, *PlayerRatings*, R package on CRAN, function `steph` and the vignette ChessRatings.

    Examples
    --------
    Glickman's: 1500 with deviation 200 beats 1400, loses to 1550 and to 1700; he prints 1464 and 151.4.

    >>> from ratingcore.plugin import Span
    >>> glicko = Glicko(c=0.0)
    >>> start = State.start(glicko.columns(), players=4)
    >>> start = start.replace(rating=np.array([1500.0, 1400.0, 1550.0, 1700.0]),
    ...                       deviation=np.array([200.0, 30.0, 100.0, 300.0]))
    >>> at = np.arange(1, 4)
    >>> rated = glicko.rate(start, Games(at * 0, at, np.array([1.0, 0.0, 0.0]), at, at, Span(0, 4)))
    >>> rated.state["rating"][0].round(6).tolist(), rated.state["deviation"][0].round(6).tolist()
    (1464.106463, 151.398902)
    """

    name = "glicko"
    formula = 2  # a deviation from a seed grows from its own day
    scale = Q
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS
    c: float = field(default=34.64, validator=not_negative)
    h: float = field(default=0.0, validator=not_negative)
    b: float = field(default=0.0, validator=not_negative)
    neighbourhood: float = field(default=0.0, validator=not_negative)
    initial: float = field(default=1500.0, validator=finite)
    deviation: float = field(default=350.0, validator=positive)
    min_deviation: float = field(default=0.0, validator=not_negative)
    max_deviation: float = field(default=350.0, validator=positive)
    first_move: float = field(default=0.0, validator=finite)
    period: Period | None = field(factory=lambda: Period("months"), validator=optional(instance_of(Period)))
    days: float = field(default=30.0, validator=positive)

    @property
    def late_growth(self) -> float:
        return 0.0

    @property
    def growth(self) -> float:
        return (Q * self.c) ** 2

    def _by_game(self, state: State, games: Games) -> Rated:
        rating, deviation, last = (state.copy(name) for name in ("rating", "deviation", "last"))
        expected, change_a, change_b = (games.blank() for _ in range(3))
        by_game.play(
            rating, deviation, last, unsigned(games.a), unsigned(games.b), games.score, self.clock.times(games),
            self.ahead(games), self.growth, *self.bounds, (Q * self.h) ** 2, 0.01 * self.b, 0.01 * self.neighbourhood,
            expected, change_a, change_b,
        )  # fmt: skip
        return Rated(state.replace(rating=rating, deviation=deviation, last=last), expected, (change_a, change_b))

    def _by_period(self, state: State, games: Games) -> Rated:
        games, back = in_log_order(games)
        sums = Sums.of(self, state, games, 0.01 * self.b)
        if not (self.h or self.neighbourhood):
            state = state.replace(**sums.settled(self, state))
            change_a, change_b, expected = sums.of_games
            return Rated(state, expected[back], (change_a[back], change_b[back]))
        players = len(sums.met)
        played = np.bincount(games.a, minlength=players) + np.bincount(games.b, minlength=players)
        sums.variance[:] += (Q * self.h) ** 2 * played
        near = 0.01 * self.neighbourhood * (state["rating"][games.b] - state["rating"][games.a])
        drawn_a, drawn_b = near / played[games.a], -near / played[games.b]
        columns = sums.settled(self, state)
        columns["rating"] += summed(games, drawn_a, drawn_b, players)
        change_a, change_b, expected = sums.of_games
        change_a, change_b = change_a + drawn_a, change_b + drawn_b
        return Rated(state.replace(**columns), expected[back], (change_a[back], change_b[back]))
