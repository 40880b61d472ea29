"""Massey's ratings: the gap of two ratings is the margin of their game, by least squares over a whole pool."""

from typing import Literal

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import Forecast, Games, State
from ratingcore.plugin.curves import ndtr
from ratingcore.validators import instance_of, one_of, positive
from ratingcore_matrix.pool import Pool, WholePoolMethod, least_squares, not_converged, scored


@frozen
class Massey(WholePoolMethod):
    """Massey's least squares: the gaps of ratings are the margins of a whole pool [1]_.

    `n_i r_i - sum_j n_ij r_j` is the sum of the margins of i, of n games, and the mean of r is 0.

    Parameters
    ----------
    counts : {"points", "score"}
        What a margin is made of: the result fields `points_a` and `points_b`, or shares of the point.
    parts : bool
        Whether a pool that is not connected is rated part by part, each about 0; otherwise nobody in it is rated.
    spread : float > 0, unit of the margin
        Standard deviation of a margin about the gap of ratings; only forecasts read it.

    References
    ----------
    .. [1] K. Massey, *Statistical Models Applied to the Rating of Sports Teams*, Bluefield College, 1997, chapter 4.

    Examples
    --------
    The first wins by 3, the second by 1.

    >>> massey, at = Massey(), np.array([1, 2])
    >>> facts = {"points_a": np.array([3.0, 2.0]), "points_b": np.array([0.0, 1.0])}
    >>> games = Games(at - 1, at, np.array([1.0, 1.0]), at, at, span=(0, 3), facts=facts)
    >>> massey.rate(State.start(massey.columns(), players=3), games).state["rating"].round(6).tolist()
    [2.333333, -0.666667, -1.666667]
    """

    name = "massey"
    counts: Literal["points", "score"] = field(default="points", validator=one_of("points", "score"))
    parts: bool = field(default=False, validator=instance_of(bool))
    spread: float = field(default=10.0, validator=positive)

    def solved(self, state: State, games: Games, pool: Pool) -> tuple[State, str]:
        own, other = scored(games, self.counts)
        rating, left = least_squares(pool, own - other, prior=0.0)
        return pool.filled(state, rating - pool.means(rating), self.parts), not_converged(left, "points")

    def expected(self, state: State, games: Games) -> Forecast:
        """Chance of a margin above 0, plus half the chance of 0; NaN for players of different parts."""
        gap = state["rating"][games.a] - state["rating"][games.b]
        part = state["part"]
        return Forecast(ndtr(np.where(part[games.a] == part[games.b], gap, np.nan) / self.spread))
