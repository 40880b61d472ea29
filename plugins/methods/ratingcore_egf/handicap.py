"""Value of handicap stones to the weaker side, in rating points."""

from typing import Self

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadValue, Floats


@frozen
class ByStones:
    """100 points per stone, less 50: the first stone is worth half a move.

    Examples
    --------
    >>> ByStones.parse("by-stones").worth(np.array([0.0, 1.0, 4.0])).tolist()
    [0.0, 50.0, 350.0]
    """

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads `by-stones`; raises `BadValue` for any other text."""
        if text != "by-stones":
            raise BadValue("handicap_points", text, "must be a number above 0, by-stones or none")
        return cls()

    def __str__(self) -> str:
        return "by-stones"

    @staticmethod
    def worth(stones: Floats) -> Floats:
        """Points of each game; 0 where no stones were given."""
        return np.where(stones > 0, 100.0 * (stones - 0.5), 0.0)


def as_points(given: ByStones | float | str | None) -> ByStones | float | None:
    """Turns the word into a `ByStones`; anything else is left for the validator to refuse."""
    return ByStones() if given == "by-stones" else given  # type: ignore[return-value]  # refused by the validator
