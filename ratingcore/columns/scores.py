"""Scores with their meaning: the share of a game's point, or the points and place of a side of a session."""

from typing import Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints
from ratingcore.columns.sides import Sides

_OUTCOMES: dict[float, int] = {1.0: 1, 0.5: 0, 0.0: -1}


class GameShare(float):
    """The share of the point of a game that a player took: 1 for a win, a half for a draw, 0 for a loss."""

    __slots__ = ()

    @property
    def outcome(self) -> int | None:
        """1 for a win, 0 for a draw, -1 for a loss; None for any other share."""
        return _OUTCOMES.get(self)


class SessionPoints(float):
    """The points of a side in the unit of its session; they mean nothing without the points of the other sides.

    `place` is the place of the side, from 1 for the best; `level` sides share this place, of `sides` in the session.
    """

    __slots__ = ("level", "place", "sides")
    place: int
    level: int
    sides: int

    def __new__(cls, points: float, place: int, level: int, sides: int) -> Self:
        made = super().__new__(cls, points)
        made.place, made.level, made.sides = place, level, sides
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[float, int, int, int]]:
        return type(self), (float(self), self.place, self.level, self.sides)

    @property
    def outcome(self) -> int | None:
        """1 if the side finished ahead of the only other, 0 if level, -1 if behind; None for three or more sides."""
        return None if self.sides > 2 else 0 if self.level > 1 else 3 - 2 * self.place


Score = GameShare | SessionPoints


def ahead_of(score: Floats, other: Floats) -> Ints:
    """Compares scores within results: 1 where a score is above another one, -1 where below, 0 where level.

    Examples
    --------
    >>> ahead_of(np.array([1.0, 2.0, 0.5]), np.array([3.0, 1.0, 0.5])).tolist()
    [-1, 1, 0]
    """
    return (score > other).astype(np.int64) - (score < other)


def placings(results: Sides) -> Ints:
    """(sides, 3) int: place of each side, from 1, number of sides that share it, number of sides of the result."""
    size = np.diff(results.result)
    result = np.repeat(np.arange(len(results)), size)
    order = np.lexsort((-results.score, result))
    score, of = results.score[order], result[order]
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (ahead_of(score[:-1], score[1:]) > 0) | (of[1:] != of[:-1])
    starts, group = np.flatnonzero(begins), np.cumsum(begins) - 1
    found = np.empty((len(order), 3), dtype=np.int64)
    found[order, 0] = starts[group] - results.result[of] + 1
    found[order, 1] = np.diff(np.append(starts, len(order)))[group]
    found[:, 2] = size[result]
    return found


@frozen(eq=False)
class ScoreColumn:
    """A column of scores, some of which may be missing.

    Parameters
    ----------
    number : (n,) float64
        Shares of games and points of sessions; NaN where missing.
    placing : (n, 3) int
        For sides of sessions, their rows of `placings`; 0 for games.
    """

    number: Floats
    placing: Ints

    @classmethod
    def of_games(cls, share: Floats) -> Self:
        """The scores of games."""
        return cls(share, np.zeros((len(share), 3), dtype=np.int64))

    @classmethod
    def of_sides(cls, results: Sides, side: Ints) -> Self:
        """The scores of some sides of results."""
        result = np.searchsorted(results.result, side, "right") - 1
        some, which = np.unique(result, return_inverse=True)
        part = results.take(some)
        placing = placings(part)[part.result[which] + side - results.result[result]]
        return cls(results.score[side], np.where(results.games[result, None], 0, placing))

    def __getitem__(self, which: Ints | NDArray[np.bool_] | slice) -> "ScoreColumn":
        return ScoreColumn(self.number[which], self.placing[which])

    def tolist(self) -> list[Score | None]:
        """The scores one by one, None where missing."""
        return [
            None if number != number else SessionPoints(number, *placing) if placing[2] else GameShare(number)
            for number, placing in zip(self.number.tolist(), self.placing.tolist(), strict=True)
        ]
