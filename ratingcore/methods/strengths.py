"""Expected performances of the sides of a result, and the chances that follow for which side finishes ahead."""

from typing import Literal, Self

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Floats, Ints
from ratingcore.errors import BadValue, NotOneOf
from ratingcore.methods.curves import expit, ndtr

CURVES = ("logistic", "normal")
Curve = Literal["logistic", "normal"]
ROOM = 2**20
"""Largest number of pairs of sides computed at once."""


@frozen(eq=False)
class Strengths:
    """The expected performance of each side, and its spread.

    The chance that side `i` comes in ahead of side `j` of the same result is `F(gap / width)`, where `gap` is the
    difference of their means, `width` the root of the sum of their spreads, and `F` the logistic curve
    `1 / (1 + exp(-x))` or the normal distribution function. The performances of sides are independent random numbers,
    which determine the order of finish. For the normal curve and a spread `v`, a performance is normal with mean `mean`
    and variance `v`. For the logistic curve it has a Gumbel distribution with location `mean` and scale `sqrt(2 v)`:
    with equal spreads, this is the model of Bradley, Terry, Luce and Plackett.

    Parameters
    ----------
    mean : (sides,) float64
        Strength of each side in any unit, the same for all sides of one result; NaN if a member is unrated.
    spread : (sides,) float64 >= 0, unit of the mean squared
        Variance of the performance: that of the members' ratings, and that of their form on the day.
    curve : {"logistic", "normal"}
    margin : (sides,) float64 >= 0 or None, unit of the mean
        Needed to forecast ties: two sides tie if their performances differ by no more than the root of the sum of the
        squares of their margins.

    Raises
    ------
    BadValue
        If the curve is unknown, the columns differ in length, a number is infinite, or a spread or margin is below 0.

    Examples
    --------
    Three sides, the last of them weaker by one width.

    >>> field = Strengths(np.array([1.0, 1.0, 0.0]), np.full(3, 0.5), "logistic")
    >>> field.ahead(np.array([0, 0]), np.array([1, 2])).round(4).tolist()
    [0.5, 0.7311]
    """

    mean: Floats
    spread: Floats
    curve: Curve = field()
    margin: Floats | None = None

    def __attrs_post_init__(self) -> None:
        if self.curve not in CURVES:
            raise NotOneOf.of("curve", self.curve, CURVES)
        shapes = {np.shape(column) for column in self.columns.values()}
        if len(shapes) > 1:
            raise BadValue("strengths", tuple(sorted(shapes)), "must have one number per side in each column")
        for name, column in self.columns.items():
            wrong = np.isinf(column) | ((column < 0.0) if name != "mean" else False)
            for side in np.flatnonzero(wrong)[:1]:
                why = "must be finite" if name == "mean" else "must be finite, and 0 or more"
                raise BadValue(f"{name} of side {int(side) + 1}", float(column[side]), why)

    @property
    def columns(self) -> dict[str, Floats]:
        """The columns by name; without `margin` if ties are not forecast."""
        both = {"mean": self.mean, "spread": self.spread}
        return both if self.margin is None else both | {"margin": self.margin}

    def __len__(self) -> int:
        return len(self.mean)

    def ahead(self, i: Ints, j: Ints) -> Floats:
        """Returns the chance that side `i[k]` comes in ahead of side `j[k]`; a tie counts one half.

        Parameters
        ----------
        i, j : (k,) int
            Sides of the same result, by index in the columns.

        Returns
        -------
        (k,) float64 in [0, 1]
            NaN if one of the sides is unrated.
        """
        win, unlost = self._chances(i, j)
        return 0.5 * (win + unlost)

    def tie(self, i: Ints, j: Ints) -> Floats:
        """Returns the chance that sides `i[k]` and `j[k]` tie; 0 if ties are not forecast."""
        win, unlost = self._chances(i, j)
        return np.maximum(unlost - win, 0.0)

    def take(self, sides: slice | Ints) -> Self:
        """Returns the strengths of some of the sides."""
        margin = None if self.margin is None else self.margin[sides]
        return type(self)(self.mean[sides], self.spread[sides], self.curve, margin)

    def _chances(self, i: Ints, j: Ints) -> tuple[Floats, Floats]:
        """Returns the chances that side `i` is ahead of side `j`, and that it is not behind."""
        gap, width = self.mean[i] - self.mean[j], np.sqrt(self.spread[i] + self.spread[j])
        band = 0.0 if self.margin is None else np.hypot(self.margin[i], self.margin[j])
        with np.errstate(divide="ignore", invalid="ignore"):  # with zero width the better side is ahead for certain
            low, high = (np.where(edge == 0.0, 0.0 * width, edge / width) for edge in (gap - band, gap + band))
        share = expit if self.curve == "logistic" else ndtr
        return share(low), share(high)


def placed(whole: Strengths | None, given: Strengths, sides: slice | Ints, n: int) -> Strengths:
    """Fills in the strengths of some of `n` sides, and returns all of them; sides not filled in yet are NaN."""
    if whole is None:
        whole = Strengths(curve=given.curve, **{name: np.full(n, np.nan) for name in given.columns})
    for name, column in given.columns.items():
        whole.columns[name][sides] = column
    return whole


def left_behind(strengths: Strengths, result: Ints) -> Floats:
    """Returns, for each side, the expected share of its opponents that finish behind it; a tie counts one half.

    Parameters
    ----------
    result : (n + 1,) int
        Sides `result[r]` to before `result[r + 1]` are those of result `r`.

    Examples
    --------
    >>> field = Strengths(np.array([1.0, 1.0, 0.0]), np.full(3, 0.5), "logistic")
    >>> left_behind(field, np.array([0, 3])).round(4).tolist()
    [0.6155, 0.6155, 0.2689]
    """
    share = np.empty(len(strengths))
    size = np.diff(result)
    for k in np.unique(size).tolist():
        which = np.flatnonzero(size == k)
        most = max(1, ROOM // k**2)
        for low in range(0, len(which), most):
            sides = result[which[low : low + most]][:, None] + np.arange(k)
            one, other = np.repeat(sides, k, axis=1).ravel(), np.tile(sides, (1, k)).ravel()
            ahead = strengths.ahead(one, other).reshape(-1, k, k)
            ahead[:, np.arange(k), np.arange(k)] = 0.0
            share[sides] = ahead.sum(axis=2) / max(k - 1, 1)
    return share
