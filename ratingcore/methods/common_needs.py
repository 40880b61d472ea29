"""Fields that several methods read: the side at home, the birth of a player, and weights of members."""

from collections.abc import Mapping
from math import nan

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Need
from ratingcore.columns.sides import Sides
from ratingcore.errors import BadField

HOME = Need("home", words={"a": 1.0, "b": -1.0, "n": 0.0}, default=0.0)
"""Side that was at home, or had the first move: 1 for a, -1 for b, 0 if neither or unknown."""

BORN = Need("born", of="player", default=nan)
"""Birth of a player, given as a year or a date; NaN if unknown."""


def no_year(born: Floats) -> NDArray[np.bool_]:
    """Returns a mask of invalid years of birth; NaN, for a missing year, is valid.

    Examples
    --------
    >>> no_year(np.array([1986.0, 86.0, np.nan])).tolist()
    [False, True, False]
    """
    return np.asarray((born < 1000.0) | (born > 9999.0))


WEIGHTS = Need("weights", of="member", default=1.0, least=0.0, most=1.0)
"""Share of a session for which each member played: less than 1 for a player who had a substitute.

A member with weight 0 keeps their rating. Methods refuse the results that `unattended` finds."""


def member_weights(sides: Sides, method: str, part: str = "the part of the time that a player took part") -> Floats:
    """Returns the weight of each member in their result, for results read with `WEIGHTS`.

    Parameters
    ----------
    sides : Sides
    method : str
        Name of the method that reads the weights, for the error.
    part : str
        Meaning of a weight, for the error.

    Returns
    -------
    (members,) float64 in [0, 1]
        Empty if all weights are 1.

    Raises
    ------
    BadField
        If a weight is not from 0 to 1, or all weights of a side are 0.

    Examples
    --------
    One player against two who shared a seat.

    >>> one = np.arange(1)
    >>> result = Sides(np.array([0, 2]), np.array([0, 1, 3]), np.arange(3), np.array([1.0, 0.0]), one, one, (0, 1),
    ...                members={"weights": np.array([1.0, 0.75, 0.25])})
    >>> member_weights(result, "elo").tolist()
    [1.0, 0.75, 0.25]
    >>> len(member_weights(result.replaced(members={"weights": np.ones(3)}), "elo"))
    0
    """
    weight = sides["weights"]
    if (weight == 1.0).all():
        return np.empty(0)
    for member in np.flatnonzero(~((weight >= 0.0) & (weight <= 1.0)))[:1]:
        side = int(np.searchsorted(sides.side, member, "right")) - 1
        position = sides.position[int(np.searchsorted(sides.result, side, "right")) - 1]
        raise BadField(method, "weights", float(weight[member]), f"position {position}", f"must be from 0 to 1, {part}")
    for which in unattended(sides).values():
        for r in np.flatnonzero(which)[:1]:
            raise BadField(method, "weights", 0.0, f"position {sides.position[r]}", "must not be 0 for a whole side")
    return weight


def unattended(sides: Sides) -> Mapping[str, NDArray[np.bool_]]:
    """Returns a mask of the results with a side whose weights are all 0, in the form of `Method.refuses`.

    The results must be read with `WEIGHTS`.

    Examples
    --------
    >>> one = np.arange(1)
    >>> result = Sides(np.array([0, 2]), np.array([0, 1, 3]), np.arange(3), np.array([1.0, 0.0]), one, one, (0, 1),
    ...                members={"weights": np.array([1.0, 0.0, 0.0])})
    >>> {why: which.tolist() for why, which in unattended(result).items()}
    {'a side of which nobody took part': [True]}
    """
    nobody = sides["weights"] == 0.0
    if not nobody.any():
        return {}
    alone = np.logical_and.reduceat(nobody, sides.side[:-1])
    return {"a side of which nobody took part": sides.with_side(alone)}
