"""Ingo numbers: a quarter of the performance of each tournament counts, a straight line in the share of the points."""

from collections.abc import Mapping

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import Cadence, Column, Floats, Forecast, Games, Method, Period, Rated, State, summed
from ratingcore.validators import finite, instance_of, optional, positive

ZERO, UNIT = 2840.0, 8.0
"""The rating of somebody whose Ingo number is 0, and the rating points of one number less."""


@frozen
class Ingo(Method):
    """Hoesslinger's Ingo numbers, a tournament at a time, with the low numbers turned into high ratings [1]_.

    A rating is 2840 - 8 Ingo, the conversion of the German federation; lists show the number beside it.

    Parameters
    ----------
    limit : float > 0 or None, Ingo
        A difference to an opponent's number beyond it counts as this much; None counts every difference in full.
    development : float > 0 or None, games
        E of n / (n + E), the share of a performance over n games that counts; None for a quarter, however many games.
    initial : float, Ingo
        Number of a newcomer without a seed.
    period : Period
        Span whose results are rated together.

    References
    ----------
    .. [1] Deutscher Schachbund, "Ingo-Zahl"; A. Hoesslinger, *Ingo*, 1948 to 1954.

    Examples
    --------
    Seven points of eleven against a mean of 120 are a performance of 106.4; 110 becomes 109.

    >>> ingo = Ingo()
    >>> number = np.array([110.0, *[120.0] * 11])
    >>> state = State.start(ingo.columns(), players=12).replace(rating=2840.0 - 8.0 * number)
    >>> at = np.arange(1, 12)
    >>> score = (at <= 7) * 1.0
    >>> rated = ingo.rate(state, Games(at * 0, at, score, at, at, span=(0, 12)))
    >>> ingo.show(rated.state, 0)["ingo"].round(2).tolist()[0]
    109.09
    """

    name = "ingo"
    cadence = Cadence.PERIODIC
    limit: float | None = field(default=40.0, validator=optional(positive))
    development: float | None = field(default=None, validator=optional(positive))
    initial: float = field(default=230.0, validator=finite)
    period: Period = field(factory=lambda: Period("event"), validator=instance_of(Period))

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", ZERO - UNIT * self.initial, unit="points", digits=0),)

    def rate(self, state: State, games: Games) -> Rated:
        rating, share = state["rating"], self._share(state, games)
        ones = np.ones(len(games))
        played = summed(games, ones, ones, len(rating))
        # the points of all games count as one share, so the more games there are, the less each of them counts
        weight_a, weight_b = (self._part(played[side]) * (100.0 * UNIT) / played[side] for side in (games.a, games.b))
        change_a, change_b = weight_a * (games.score - share), weight_b * (share - games.score)
        after = state.replace(rating=rating + summed(games, change_a, change_b, len(rating)))
        notes = {"weight_a": weight_a, "weight_b": weight_b}
        return Rated(after, np.clip(share, 0.0, 1.0), (change_a, change_b), notes=notes)

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.clip(self._share(state, games), 0.0, 1.0))

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        return {"rating": state["rating"], "ingo": (ZERO - state["rating"]) / UNIT}

    def _share(self, state: State, games: Games) -> Floats:
        """Expected score of `a`: one half, plus a hundredth per Ingo point of difference."""
        gap = (state["rating"][games.a] - state["rating"][games.b]) / UNIT
        return 0.5 + 0.01 * (gap if self.limit is None else np.clip(gap, -self.limit, self.limit))

    def _part(self, played: Floats) -> Floats:
        """Share of the performance that counts."""
        return np.full(len(played), 0.25) if self.development is None else played / (played + self.development)
