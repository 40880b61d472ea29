"""The periodic method: the performance of a period replaces the rating at its end."""

from collections.abc import Mapping
from math import nan
from typing import Any, ClassVar, Literal

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import Cadence, Column, Forecast, Games, Method, Period, Rated, State
from ratingcore.plugin.curves import Curve
from ratingcore.validators import between, finite, instance_of, one_of, optional, positive
from ratingcore_periodic.standings import Standings
from ratingcore_periodic.worth import WORTHS


@frozen
class Periodic(Method):
    """The rating at the end of a period is the opposition plus D(P): the periodic method [1]_.

    Presets: `thesis`, a perfect score is worth 766 points and a newcomer begins at 1100.

    Parameters
    ----------
    curve : {"normal", "logistic", "table"}
        The curve that D(P) reads backwards; the table is FIDE 8.1.1.
    cap : float > 0, rating points
        Bound of D(P) either way, reached by a perfect score.
    single : bool
        Whether players who met only one opponent go half of the way: the mean of both ratings plus
        half of D(P) [2]_.
    blend : float in [0, 1]
        Share of the new rating in the next one; the rest is the old rating.
    initial : float or None, rating points
        Rating of a newcomer; None leaves newcomers unrated until the first period in which they met a
        rated player, whose performance is their first rating.
    period : Period
        Span whose results are rated together.

    References
    ----------
    .. [1] A Czech bachelor thesis on the Elo measure, formula 2.3, as written out in the README of this plugin.
    .. [2] The same, formula 2.4. Blending is our own.

    Examples
    --------
    A newcomer loses to 1850 and 1620 and beats 1190.

    >>> periodic = Periodic(initial=None)
    >>> state = State.start(periodic.columns(), players=4)
    >>> state = state.replace(rating=np.array([nan, 1850.0, 1620.0, 1190.0]))
    >>> day = np.array([1, 2, 3])
    >>> month = Games(np.array([0, 0, 0]), day, np.array([0.0, 0.0, 1.0]), day, day, span=(0, 9))
    >>> periodic.rate(state, month).after["first rating"].round(4).tolist()
    [1431.5053, 0.0, 0.0, 0.0]
    """

    name = "periodic"
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"thesis": {"cap": 766.0, "initial": 1100.0}}
    curve: Literal["normal", "logistic", "table"] = field(default="normal", validator=one_of(*WORTHS))
    cap: float = field(default=800.0, validator=positive)
    single: bool = field(default=True, validator=instance_of(bool))
    blend: float = field(default=1.0, validator=between(0.0, 1.0))
    initial: float | None = field(default=1100.0, validator=optional(finite))
    period: Period = field(default=Period.parse("month"), validator=instance_of(Period))

    @property
    def cadence(self) -> Cadence:
        return Cadence.PERIODIC

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", nan if self.initial is None else self.initial, unit="points"),)

    def rate(self, state: State, games: Games) -> Rated:
        rating, worth = state["rating"], WORTHS[self.curve]
        met = Standings.of(games, rating)
        gap = worth.bounded(met.share, self.cap)
        performance = met.opposition + gap
        weight = np.where(met.lone & self.single, 0.5 * self.blend, self.blend)
        played, newcomer = met.games > 0.0, np.isnan(rating)
        next_rating = np.where(newcomer, performance, (1.0 - weight) * rating + weight * performance)
        slope = worth.slope(met.share, gap)
        sides = (games.a, games.b, games.score), (games.b, games.a, 1.0 - games.score)
        a, b = (met.contributions(one, other, score, rating, slope, weight) for one, other, score in sides)
        first = played & newcomer
        return Rated(
            state.replace(rating=np.where(played, next_rating, rating)),
            self.expected(state, games).expected,
            (a, b),
            after={"first rating": np.where(first, performance, 0.0)} if first.any() else {},
            notes={
                "opposition_a": met.opposition[games.a],
                "opposition_b": met.opposition[games.b],
                "performance_a": performance[games.a],
                "performance_b": performance[games.b],
            },
        )

    def expected(self, state: State, games: Games) -> Forecast:
        rating = state["rating"]
        return Forecast(Curve(self.curve).share(rating[games.a] - rating[games.b]))
