"""The simultaneous solution for all players, with a status that explains why a player has no rating."""

from collections.abc import Callable, Iterator

import numpy as np
from attrs import frozen

from ratingcore.plugin import Floats, Ints
from ratingcore_berkin.field import Field, numbered
from ratingcore_berkin.gauge import Gauge, Level
from ratingcore_berkin.stationary import balance, stationary

STATUS = ("no results", "ok", "reducible", "unbounded", "zero", "no anchor", "too far apart")
"""Words for the codes of the column `status`."""
NO_RESULTS, OK, REDUCIBLE, UNBOUNDED, ZERO, NO_ANCHOR, TOO_FAR = range(7)


@frozen(eq=False)
class Solution:
    """Ratings at which the points that each player won and lost balance.

    Attributes
    ----------
    rating : (n,) float64
        NaN where there is none.
    code : (n,) int
        Index into `STATUS` for each player.
    part : (n,) int
        Number from 1 of the part of the field each player was rated in; ratings of different parts are not comparable.
    balance : float
        Largest relative difference between the two sides of a player's equation, in the parts that were solved; 0 if
        none was.
    """

    rating: Floats
    code: Ints
    part: Ints
    balance: float

    @property
    def status(self) -> str:
        """`ok` if the field was solved as a whole, else `reducible`, or `no anchor`."""
        if (self.part == 1).all() and (self.code == OK).all():
            return "ok"
        return "no anchor" if (self.code == NO_ANCHOR).all() else "reducible"


def solve(
    points: Floats, gauge: Gauge | None = None, *, components: bool = False, prior_draws: float = 0.0
) -> Solution:
    """Rates the players of a table of points at once: `R_i L_i = sum_j W_ij R_j` for all [1]_.

    Parameters
    ----------
    points : (n, n) float64, points
        `points[i, j]` is what `i` scored against `j`, a draw one half.
    gauge : Level or Pinned, or None
        What fixes the factor; None is a geometric mean of 1000.
    components : bool
        Whether a field that is not strongly connected is solved part by part; else nobody in it is rated.
    prior_draws : float >= 0
        Draws of each player with an imaginary one, which connect any field.

    Returns
    -------
    Solution

    References
    ----------
    .. [1] "The Berkin System", unpublished, formula 13.2; written out in the README here.

    Examples
    --------
    >>> solution = solve(np.array([[0, 3, 2.5], [1, 0, 2], [1.5, 2, 0]]))
    >>> solution.status, solution.rating.round(6).tolist()
    ('ok', [1687.27626, 684.030916, 866.439161])
    """
    field = Field.of_points(points)
    return solve_field(field, gauge or Level(), components, prior_draws, lambda: np.arange(len(field)))


def solve_field(field: Field, gauge: Gauge, components: bool, prior_draws: float, seen: Callable[[], Ints]) -> Solution:
    """Rates the players of a field at once, as `solve` does for a table.

    Parameters
    ----------
    seen : callable
        Returns a number per player, lower for players seen earlier; called only if there are parts to number.
    """
    n = len(field)
    rating, code = np.full(n, np.nan), np.full(n, REDUCIBLE)
    won = field.won
    code[field.lost == 0.0] = UNBOUNDED
    code[won == 0.0] = ZERO
    code[(won == 0.0) & (field.lost == 0.0)] = NO_RESULTS
    rating[code == ZERO] = 0.0
    joined = field.with_draws(prior_draws) if prior_draws > 0.0 else field
    part = joined.parts()
    if part.any():
        part = numbered(part, seen())
    worst = 0.0
    for rows in _solved(part, components):
        some = joined if len(rows) == len(joined) else joined.part(rows)
        ratio, real = stationary(some), rows[rows < n]
        if np.isnan(ratio).any():
            code[real] = TOO_FAR
            continue
        worst = max(worst, balance(some, ratio))
        ratio = ratio[rows < n]
        rating[real] = ratio * gauge.factor(ratio, real)
        code[real] = np.where(np.isnan(rating[real]), NO_ANCHOR, OK)
    return Solution(rating, code, part[:n] + 1, worst)


def _solved(part: Ints, components: bool) -> Iterator[Ints]:
    """Rows of each part that is solved: the whole field, or every part of two players and more."""
    count = int(part.max()) + 1
    if count == 1:
        yield from ([np.arange(len(part))] if len(part) > 1 else [])
    elif components:
        order = np.argsort(part, kind="stable")
        ends = np.cumsum(np.bincount(part, minlength=count))
        yield from (rows for rows in np.split(order, ends[:-1]) if len(rows) > 1)
