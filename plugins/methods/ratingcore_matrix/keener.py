"""Keener's ratings: a team is as strong as what it scores against the strong."""

from typing import Any, Literal

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import Floats, Forecast, Games, State
from ratingcore.validators import instance_of, one_of
from ratingcore_matrix.pool import Pool, WholePoolMethod, not_converged, scored

CLOSE, STEPS, BASIS = 1e-13, 2000, 40
"""Largest residual of an eigenvector, most restarts, and number of products between restarts."""


@frozen
class Keener(WholePoolMethod):
    """Keener's ratings of a whole pool, by points scored against the strong [1]_ [2]_.

    They are the positive eigenvector of `h(a_ij) / n_i`, its mean in each part 1.
    `a_ij = (S_ij + 1) / (S_ij + S_ji + 2)` where two have met and 0 elsewhere, S the points that i scored against j and
    n the games of i; `h(x) = 1/2 + sgn(x - 1/2) sqrt|2x - 1| / 2`.

    Parameters
    ----------
    counts : {"points", "score"}
        What S is made of: the result fields `points_a` and `points_b`, or shares of the point.
    skew : bool
        Whether h is applied, so that a heavy defeat counts for less; otherwise a itself counts.
    per_game : bool
        Whether each row is divided by the games of its player.
    parts : bool
        Whether a pool that is not connected is rated part by part; otherwise nobody in it is rated.

    References
    ----------
    .. [1] J. P. Keener, "The Perron-Frobenius theorem and the ranking of football teams", SIAM Review 35, 1993.
    .. [2] A. N. Langville, C. D. Meyer, *Who's #1?*, Princeton University Press, 2012, chapter 4.

    Examples
    --------
    A win by 3 to 0 makes a 4/5 and 1/5; without h the ratings are as 2 to 1.

    >>> keener, one = Keener(skew=False), np.array([1])
    >>> facts = {"points_a": np.array([3.0]), "points_b": np.array([0.0])}
    >>> game = Games(one * 0, one, np.array([1.0]), one, one, span=(0, 2), facts=facts)
    >>> keener.rate(State.start(keener.columns(), players=2), game).state["rating"].round(6).tolist()
    [1.333333, 0.666667]
    """

    name = "keener"
    counts: Literal["points", "score"] = field(default="points", validator=one_of("points", "score"))
    skew: bool = field(default=True, validator=instance_of(bool))
    per_game: bool = field(default=True, validator=instance_of(bool))
    parts: bool = field(default=False, validator=instance_of(bool))

    def solved(self, state: State, games: Games, pool: Pool) -> tuple[State, str]:
        matrix, rating, short = self._preferences(pool, games), np.ones(len(pool)), 0.0
        for part in range(pool.part.max() + 1):
            rows = np.flatnonzero(pool.part == part)
            rating[rows], left = _perron(matrix[rows][:, rows])
            short = max(short, left)
        return pool.filled(state, rating, self.parts), not_converged(short, "of the eigenvalue")

    def expected(self, state: State, games: Games) -> Forecast:
        """Rating over the sum of both ratings; NaN for players of different parts."""
        x, y = (np.maximum(state["rating"][side], 0.0) for side in (games.a, games.b))
        share = np.divide(x, x + y, out=np.where(np.isnan(x + y), np.nan, 0.5), where=x + y > 0.0)
        part = state["part"]
        return Forecast(np.where(part[games.a] == part[games.b], share, np.nan))

    def _preferences(self, pool: Pool, games: Games) -> Any:
        """Returns the matrix that has the ratings as an eigenvector; it is positive for players who have met."""
        own, other = scored(games, self.counts)
        won, both = pool.between(own, other), pool.between(own + other, own + other)
        met = pool.between(np.ones(len(own)), np.ones(len(own)))
        matrix = met.copy()
        i, j = met.nonzero()
        share = (np.asarray(won[i, j]).ravel() + 1.0) / (np.asarray(both[i, j]).ravel() + 2.0)
        gap = 2.0 * share - 1.0
        value = 0.5 + 0.5 * np.sign(gap) * np.sqrt(np.abs(gap)) if self.skew else share
        if self.per_game:
            value = value / np.asarray(met.sum(axis=1)).ravel()[i]
        matrix[i, j] = value
        return matrix


def _perron(matrix: Any) -> tuple[Floats, float]:
    """The positive eigenvector of a part, with mean 1, and its residual, by Arnoldi's method with restarts."""
    n = matrix.shape[0]
    vector, short = np.full(n, n**-0.5), 1.0
    for _ in range(STEPS):
        basis, small = [vector], np.zeros((BASIS + 1, BASIS))
        for k in range(BASIS):
            new = matrix @ basis[k]
            for _twice in range(2):  # after one pass, the new vector is not quite orthogonal to the others
                along = np.array(basis) @ new
                small[: k + 1, k] += along
                new = new - along @ np.array(basis)
            small[k + 1, k] = np.linalg.norm(new)
            if small[k + 1, k] <= CLOSE * np.abs(small).max() or k + 1 == BASIS:
                break
            basis.append(new / small[k + 1, k])
        value, combined = np.linalg.eig(small[: len(basis), : len(basis)])
        vector = np.abs(combined[:, np.argmax(value.real)].real @ np.array(basis))
        vector /= np.linalg.norm(vector)
        product = matrix @ vector
        short = float(np.linalg.norm(product / (vector @ product) - vector))
        if short <= CLOSE:
            break
    return vector * (n / vector.sum()), short
