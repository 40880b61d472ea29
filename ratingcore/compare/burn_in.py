"""Burn-in: first games that are rated but not scored, while ratings settle."""

from typing import Literal

import numpy as np
from attrs import frozen

from ratingcore.compare.played_games import Bools, Played
from ratingcore.errors import BadValue
from ratingcore.events import DAY


@frozen
class BurnIn:
    """The rule for games that are rated but not scored.

    Texts: `games(1000)`, the first games of the pool; `each(30)`, the first games of each player, so that a game
    counts if both have played as many; `days(365)`, the first days since the first game; `none`.

    Examples
    --------
    >>> BurnIn.parse("each(30)")
    BurnIn(unit='each', count=30)
    """

    unit: Literal["none", "games", "each", "days"] = "none"
    count: int = 0

    @classmethod
    def parse(cls, text: str) -> "BurnIn":
        """The burn-in that a text names; `BadValue` if it names none."""
        word, _, inside = text.strip().removesuffix(")").partition("(")
        if word == "none" and not inside:
            return cls()
        if word in {"games", "each", "days"} and inside.isdecimal():
            return cls(word, int(inside))  # type: ignore[arg-type]  # one of the three
        raise BadValue("burn-in", text, "is none of none, games(n), each(n), days(n)")

    def __str__(self) -> str:
        return self.unit if self.unit == "none" else f"{self.unit}({self.count})"

    def scored(self, played: Played) -> Bools | None:
        """(n,) bool: the games that are scored; None if all are."""
        if self.count == 0 or not len(played):
            return None
        if self.unit == "games":
            return np.arange(len(played)) >= self.count
        if self.unit == "days":
            return np.asarray(played.played >= int(played.played[0]) + self.count * DAY)
        of_a, of_b = played.experience
        return np.minimum(of_a, of_b) >= self.count
