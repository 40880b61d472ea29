"""Measures of the distance of a contender from the truth at the end of a round."""

from math import nan
from typing import Self

import numpy as np
from attrs import fields, frozen

from ratingcore.plugin import Floats, Ints
from ratingcore.plugin.analysis import association, deviations, filliben


@frozen
class Measures:
    """True and estimated ratings of the active players compared; None where a measure is undefined.

    Parameters
    ----------
    active : int
        Players who have not left.
    rated : int
        Active players with a rating; only these are compared.
    games : int
        Number of results in the round.
    mean, largest, smallest : float or None, rating points
        Distances between true and estimated ratings.
    whose_largest, whose_smallest : int or None
        Ids of the players with these; the first of several.
    shift : float or None, rating points
        Mean of estimated less true ratings.
    pearson, kendall, spearman, cosine : float or None
    ppcc, ppcc_true : float or None
        Normality of the estimated and of the true ratings, as `filliben`.
    """

    active: int
    rated: int
    games: int
    mean: float | None
    largest: float | None
    whose_largest: int | None
    smallest: float | None
    whose_smallest: int | None
    shift: float | None
    pearson: float | None
    kendall: float | None
    spearman: float | None
    cosine: float | None
    ppcc: float | None
    ppcc_true: float | None

    @classmethod
    def of(cls, player: Ints, true: Floats, estimated: Floats, games: int = 0) -> Self:
        """Measures of some players.

        Parameters
        ----------
        player : (n,) int
            Ids.
        true, estimated : (n,) float64, rating points
            NaN in `estimated` means unrated.

        Examples
        --------
        >>> measures = Measures.of(np.array([4, 7, 9]), np.array([1.0, 2.0, 3.0]), np.array([1.0, 4.0, 6.0]))
        >>> measures.whose_largest, measures.largest, measures.whose_smallest, measures.kendall
        (9, 3.0, 4, 1.0)
        """
        active = len(player)
        rated = np.isfinite(estimated)
        if not rated.all():
            player, true, estimated = player[rated], true[rated], estimated[rated]
        together, apart = association(true, estimated), deviations(true, estimated)
        if apart is None:  # nobody is rated
            return cls(active, 0, games, *(None,) * 12)
        nearest = int(np.argmin(np.abs(estimated - true)))
        return cls(
            active, len(player), games,
            apart.mean, apart.largest, int(player[apart.where]), apart.smallest, int(player[nearest]), apart.shift,
            together.pearson, together.kendall, together.spearman, together.cosine,
            filliben(estimated), filliben(true),
        )  # fmt: skip

    def number(self, measure: str) -> float:
        """A measure by its name; NaN where it is undefined."""
        value = getattr(self, measure)
        return nan if value is None else float(value)


MEASURES: tuple[str, ...] = tuple(each.name for each in fields(Measures))
"""Names of all measures."""
