"""Colley's ratings: wins and losses, weighed by the opponents, with two imaginary games per player."""

import numpy as np
from attrs import frozen

from ratingcore.plugin import Column, Forecast, Games, State
from ratingcore_matrix.pool import Pool, WholePoolMethod, least_squares, not_converged


@frozen
class Colley(WholePoolMethod):
    """Colley's bias free ratings of a whole pool, by wins and losses [1]_.

    `(2 + n_i) r_i - sum_j n_ij r_j = 1 + (w_i - l_i) / 2`, for players of n games, w wins and l losses; a draw is half
    of each. The mean of all ratings is 1/2.

    References
    ----------
    .. [1] W. N. Colley, "Colley's bias free college football ranking method: the Colley matrix explained", 2002.

    Examples
    --------
    One win.

    >>> colley, one = Colley(), np.array([1])
    >>> game = Games(one * 0, one, np.array([1.0]), one, one, span=(0, 2))
    >>> solved = colley.rate(State.start(colley.columns(), players=2), game)
    >>> solved.state["rating"].tolist(), solved.fitted.tolist()
    ([0.625, 0.375], [0.75])
    """

    name = "colley"

    def columns(self) -> tuple[Column, ...]:
        return super().columns()[:2]

    def solved(self, state: State, games: Games, pool: Pool) -> tuple[State, str]:
        gap, left = least_squares(pool, games.score - 0.5, prior=2.0)
        return pool.filled(state, 0.5 + gap, parts=True), not_converged(left, "wins")

    def expected(self, state: State, games: Games) -> Forecast:
        """One half plus the gap of the ratings, clipped to [0, 1]; ratings are the least-squares fit of this line."""
        gap = state["rating"][games.a] - state["rating"][games.b]
        return Forecast(np.clip(0.5 + gap, 0.0, 1.0))
