"""The World Football Elo Ratings: goals, home ground, and a weight by tournament."""

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    Cadence,
    Column,
    Floats,
    Forecast,
    Games,
    Ints,
    Method,
    Need,
    Rated,
    State,
    kernel,
    opposed,
)
from ratingcore.plugin.curves import LN10, expit, logistic
from ratingcore.plugin.rules import HOME, goal_index
from ratingcore.validators import finite, positive
from ratingcore_football.tournaments import (
    FINALS,
    FRIENDLY,
    IMPORTANCE,
    NATIONS,
    NEUTRAL,
    OTHER,
    QUALIFIER,
    TOURNAMENT,
    WORLD,
)  # fmt: skip

GOALS = (Need("points_a"), Need("points_b"))


@kernel
def play(
    rating: Floats, a: Ints, b: Ints, score: Floats, ahead: Floats, weight: Floats, slope: float,
    expected: Floats, change: Floats,
) -> None:  # fmt: skip
    """Rates the matches; `weight` is K times the multiplier of goals."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        p = logistic(slope * (rating[i] - rating[j] + ahead[g]))
        c = weight[g] * (score[g] - p)
        expected[g], change[g] = p, c
        rating[i] += c
        rating[j] -= c


@frozen
class WorldFootballElo(Method):
    """The World Football Elo Ratings of national teams, with K by tournament and no home side on neutral ground [1]_.

    Parameters
    ----------
    home : float, rating points
        Added to the gap for the side named by the result field `home`, but for `neutral` ground.
    scale : float > 0, rating points
        Width of the logistic curve.
    initial : float, rating points
        Rating of a newcomer.

    References
    ----------
    .. [1] "About the ratings", World Football Elo Ratings, eloratings.net.

    Examples
    --------
    1800 beats 1700 at home by 3-1 in a qualifier.

    >>> method = WorldFootballElo()
    >>> state = State.start(method.columns(), players=2).replace(rating=np.array([1800.0, 1700.0]))
    >>> facts = {"points_a": 3.0, "points_b": 1.0, "home": 1.0, "neutral": 0.0, "tournament": 3.0, "importance": np.nan}
    >>> facts = {name: np.array([value]) for name, value in facts.items()}
    >>> match = Games(*(np.array([x]) for x in (0, 1, 1.0, 0, 1)), span=(0, 1), facts=facts)
    >>> method.rate(state, match).state["rating"].round(6).tolist()
    [1814.415184, 1685.584816]
    """

    name = "world-football-elo"
    cadence = Cadence.CONTINUOUS
    home: float = field(default=100.0, validator=finite)
    scale: float = field(default=400.0, validator=positive)
    initial: float = field(default=1500.0, validator=finite)

    @property
    def needs(self) -> tuple[Need, ...]:
        return (*GOALS, HOME, NEUTRAL, TOURNAMENT, IMPORTANCE)

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", self.initial, unit="points"),)

    def rate(self, state: State, games: Games) -> Rated:
        rating, expected, change = state.copy("rating"), games.blank(), games.blank()
        k, goals = self._k(games), np.abs(games["points_a"] - games["points_b"])
        times = goal_index(goals)
        play(rating, games.a, games.b, games.score, self._ahead(games), k * times, LN10 / self.scale, expected, change)
        return Rated(state.replace(rating=rating), expected, opposed(change), notes={"k": k, "multiplier": times})

    def expected(self, state: State, games: Games) -> Forecast:
        gap = state["rating"][games.a] - state["rating"][games.b] + self._ahead(games)
        return Forecast(expit(gap * (LN10 / self.scale)))

    def _ahead(self, games: Games) -> Floats:
        return np.where(games["neutral"] > 0.0, 0.0, self.home * games["home"])

    def _k(self, games: Games) -> Floats:
        """K as the field `importance` has it, else by tournament."""
        given, kind = games["importance"], games["tournament"]
        by_kind = np.select(
            [kind == FRIENDLY, kind == OTHER, kind == NATIONS, kind == QUALIFIER, kind == FINALS, kind == WORLD],
            [20.0, 30.0, 40.0, 40.0, 50.0, 60.0],
            20.0,
        )
        return np.where(np.isnan(given), by_kind, given)
