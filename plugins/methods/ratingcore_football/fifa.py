"""FIFA's ranking since 2018: Elo's points, with exceptions for knock-out matches and penalties."""

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
)
from ratingcore.plugin.curves import LN10, expit, logistic
from ratingcore.validators import finite, not_negative, positive
from ratingcore_football.tournaments import (
    EARLY,
    FINALS,
    FRIENDLY,
    GROUP,
    IMPORTANCE,
    LATE,
    NATIONS,
    OTHER,
    QUALIFIER,
    SHOOTOUT,
    STAGE,
    TOURNAMENT,
    WINDOW,
    WORLD,
)  # fmt: skip


@kernel
def play(
    points: Floats, a: Ints, b: Ints, won_a: Floats, won_b: Floats, weight: Floats, safe: Floats, slope: float,
    expected: Floats, change_a: Floats, change_b: Floats,
) -> None:  # fmt: skip
    """Rates the matches; where `safe` is 1 nobody loses points."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        p = logistic(slope * (points[i] - points[j]))
        q = logistic(slope * (points[j] - points[i]))
        c, d = weight[g] * (won_a[g] - p), weight[g] * (won_b[g] - q)
        if safe[g] > 0.0:
            c, d = max(c, 0.0), max(d, 0.0)
        expected[g], change_a[g], change_b[g] = p, c, d
        points[i] += c
        points[j] += d


@frozen
class Fifa(Method):
    """FIFA's points of national teams, match by match [1]_.

    Parameters
    ----------
    scale : float > 0, points
        Width of the logistic curve.
    friendly : float >= 0
        Importance of a match without the fields `importance` and `tournament`.
    initial : float, points
        Points of a newcomer.

    References
    ----------
    .. [1] FIFA, "Revision of the FIFA / Coca-Cola World Ranking", 2018.

    Examples
    --------
    1400 beats 1500 on penalties in a knock-out match of importance 50: nobody loses points.

    >>> fifa = Fifa()
    >>> state = State.start(fifa.columns(), players=2).replace(rating=np.array([1500.0, 1400.0]))
    >>> facts = {"importance": 50.0, "tournament": np.nan, "stage": 1.0, "shootout": -1.0, "window": 1.0}
    >>> facts = {name: np.array([value]) for name, value in facts.items()}
    >>> match = Games(*(np.array([x]) for x in (0, 1, 0.5, 0, 1)), span=(0, 1), facts=facts)
    >>> fifa.rate(state, match).state["rating"].round(6).tolist()
    [1500.0, 1417.239033]
    """

    name = "fifa"
    cadence = Cadence.CONTINUOUS
    scale: float = field(default=600.0, validator=positive)
    friendly: float = field(default=10.0, validator=not_negative)
    initial: float = field(default=1000.0, validator=finite)

    @property
    def needs(self) -> tuple[Need, ...]:
        return IMPORTANCE, TOURNAMENT, STAGE, SHOOTOUT, WINDOW

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", self.initial, unit="points", digits=2),)

    def rate(self, state: State, games: Games) -> Rated:
        points, expected, change_a, change_b = state.copy("rating"), games.blank(), games.blank(), games.blank()
        weight, drawn = self._weight(games), games.score == 0.5
        won_a = games.score + np.where(drawn & (games["shootout"] > 0.0), 0.25, 0.0)
        won_b = 1.0 - games.score + np.where(drawn & (games["shootout"] < 0.0), 0.25, 0.0)
        safe = (games["stage"] > GROUP).astype(np.float64)
        play(points, games.a, games.b, won_a, won_b, weight, safe, LN10 / self.scale, expected, change_a, change_b)
        return Rated(state.replace(rating=points), expected, (change_a, change_b), notes={"importance": weight})

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(expit((state["rating"][games.a] - state["rating"][games.b]) * (LN10 / self.scale)))

    def _weight(self, games: Games) -> Floats:
        """Importance from the field of that name, otherwise by tournament, stage and window."""
        given, kind, stage = games["importance"], games["tournament"], games["stage"]
        friendly = np.where(games["window"] > 0.0, 10.0, 5.0)
        late = stage == LATE
        by_kind = np.select(
            [kind == FRIENDLY, kind == OTHER, kind == NATIONS, kind == QUALIFIER, kind == FINALS, kind == WORLD],
            [friendly, friendly, np.where(stage >= EARLY, 25.0, 15.0), 25.0, np.where(late, 40.0, 35.0),
             np.where(late, 60.0, 50.0)],
            self.friendly,
        )  # fmt: skip
        return np.where(np.isnan(given), by_kind, given)
