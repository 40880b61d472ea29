"""The sums of a period: the precision and the pull of its games on each player, from the state before it."""

from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Games, Ints, State, unsigned
from ratingcore_glicko.by_period import ordered, settle, weigh
from ratingcore_glicko.family import Family

NONE = np.empty(0)
"""Volatilities of a method without any."""


class Sums(NamedTuple):
    """Sums over the games of a period by player, and the part of each game in them.

    Attributes
    ----------
    now : float, periods
        When the games count as played.
    a, b : (n,) unsigned int
        Rows of the players of the games.
    growth : (players,) float64, logistic scale
        Growth of a variance per period; empty if it is the same for all.
    variance : (players,) float64, logistic scale
        Before the games, grown to the period.
    precision : (players,) float64, logistic scale
        Amount that the games add to one over the variance.
    pull : (players,) float64
        Sum of scores less expected scores, each times the slope of the opponent's curve.
    room : (players,) float64
        Scratch space.
    met : (players,) uint8
        1 for players with a game, else 0.
    of_games : (3, n) float64
        Part of each game in the pull of both sides, and its forecast.
    """

    now: float
    a: Ints
    b: Ints
    growth: Floats
    variance: Floats
    precision: Floats
    pull: Floats
    room: Floats
    met: Ints
    of_games: Floats

    @classmethod
    def of(cls, method: Family, state: State, games: Games, bonus: float = 0.0) -> "Sums":
        """Computes the sums of the games of a call; the games must be in the order of the log."""
        n, players, now = len(games), len(state["rating"]), method.clock.now(games)
        volatility = state["volatility"] if "volatility" in state.names else NONE
        a, b, met = unsigned(games.a), unsigned(games.b), np.zeros(players, dtype=np.uint8)
        variance, precision, pull, room = np.empty(players), np.empty(players), np.empty(players), np.empty(players)
        growth, of_games = np.empty(len(volatility)), np.empty((3, n))
        weigh(
            state["rating"], state["deviation"], volatility, state["last"], a, b, games.score, method.ahead(games),
            bonus, method.scale, method.growth, *method.grown_until(now), method.bounds[1], np.empty((2, n)),
            met, growth, variance, room, precision, pull, of_games,
        )  # fmt: skip
        return cls(now, a, b, growth, variance, precision, pull, room, met, of_games)

    def settled(self, method: Family, state: State) -> dict[str, Floats]:
        """Returns new columns of a state; the pulls of each game become the rating changes of both sides.

        The columns reuse the memory of the sums, so that less memory is touched.
        """
        settle(
            state["rating"], state["deviation"], state["last"], self.a, self.b, self.met, 1.0 / method.scale,
            *method.bounds, self.now, self.variance, self.precision, self.pull, self.room, self.of_games,
        )  # fmt: skip
        return {"rating": self.pull, "deviation": self.variance, "last": self.precision}


def in_log_order(games: Games) -> tuple[Games, Ints | slice]:
    """Returns the games in the order of the log, in which sums are added, and the permutation back to order of play."""
    if ordered(games.position):
        return games, slice(None)
    order = np.argsort(games.position, kind="stable")
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return games.take(order), back
