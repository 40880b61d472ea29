"""The sums of a period: what its games say of each of its players, from what was known before it."""

from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Games, Ints, State, logistics, unsigned
from ratingcore_glicko.by_period import face, grow, move, share, shrink, spread, stamp, tally
from ratingcore_glicko.family import Family


class Sums(NamedTuple):
    """What the games of a period say of each player: a row a player, and for the last three a row a game.

    Attributes
    ----------
    variance : (players,) float64, logistic scale
        Before the games, grown to the period.
    growth : (players,) float64, logistic scale
        What a variance gains by a period.
    precision : (players,) float64, logistic scale
        What the games add to one over the variance.
    pull : (players,) float64
        Sum of scores less expected ones, each by the slope of the opponent's curve.
    met : (players,) float64
        1 for who plays, else 0.
    expected : (n,) float64
    pull_a, pull_b : (n,) float64
        The part of each game.
    """

    variance: Floats
    growth: Floats
    precision: Floats
    pull: Floats
    met: Floats
    expected: Floats
    pull_a: Floats
    pull_b: Floats

    @classmethod
    def of(cls, method: Family, state: State, games: Games, bonus: float = 0.0) -> "Sums":
        """The sums of the games of a call, which are in the order of the log.

        Raises
        ------
        BadResult
            If the deviation or the volatility of a player who plays is none.
        """
        n, players = len(games), len(state["rating"])
        a, b = unsigned(games.a), unsigned(games.b)
        growth = state["volatility"] ** 2 if "volatility" in state else np.full(players, method.growth)
        variance, slope = np.empty(players), np.empty(players)
        now, fresh = method.onset(method.clock.now(games))
        columns = (state["deviation"], state["last"], growth)
        if grow(*columns, method.scale, now, fresh, method.bounds[1], variance, slope):
            method.refuse_odd(games, state)
        precision, pull, met = (np.zeros(players) for _ in range(3))
        slope_a, slope_b, pull_a, pull_b, expected = (np.empty(n) for _ in range(5))
        ahead = method.ahead(games)
        face(state["rating"], variance, slope, a, b, ahead, method.scale, slope_a, slope_b, pull_a, pull_b, expected)
        for arguments in (pull_a, pull_b, expected):
            logistics(arguments)
        tally(a, b, games.score, bonus, slope_a, slope_b, pull_a, pull_b, precision, pull, met)
        return cls(variance, growth, precision, pull, met, expected, pull_a, pull_b)

    def settled(self, method: Family, columns: dict[str, Floats], games: Games) -> tuple[Floats, Floats]:
        """Puts new ratings and deviations into columns; returns by how much each game moved both sides.

        What is summed is used up.
        """
        shrink(self.variance, self.precision, method.bounds[1])
        spread(self.variance, self.met, method.scale, method.min_deviation, columns["deviation"])
        move(self.variance, self.pull, method.scale, columns["rating"])
        stamp(self.met, method.clock.now(games), columns["last"])
        share(self.variance, unsigned(games.a), unsigned(games.b), self.pull_a, self.pull_b)
        return self.pull_a, self.pull_b


def in_log_order(games: Games) -> tuple[Games, Ints | slice]:
    """The games in the order of the log, in which sums are added, and what puts their columns back in order of play."""
    if not (games.position[1:] < games.position[:-1]).any():
        return games, slice(None)
    order = np.argsort(games.position, kind="stable")
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return games.take(order), back
