"""What is expected of one game of two players, and what follows from it for a series of them."""

from typing import Any, Self

import numpy as np
from attrs import field, frozen

from ratingcore.columns.arrays import Floats, frozen_array
from ratingcore.errors import BadValue

MOST = 10_000
"""Games of a series at most: the work grows with their square."""


def _share(instance: object, attribute: Any, value: Any) -> None:
    if value is not None and not 0.0 <= value <= 1.0:
        raise BadValue(attribute.name, value, "must be from 0 to 1")


@frozen
class Prospect:
    """What is expected of a game, seen from the first player.

    Parameters
    ----------
    expected : float in [0, 1]
        Expected share of the point.
    draw : float in [0, 1] or None
        Chance of a draw, if the method gives one.

    Examples
    --------
    >>> game = Prospect(0.7, draw=0.2)
    >>> round(game.win, 6), round(game.loss, 6), round(game.worth(3, 1, 0), 6)
    (0.6, 0.2, 2.0)
    >>> Prospect(0.7).win is None
    True
    """

    expected: float = field(validator=_share)
    draw: float | None = field(default=None, validator=_share)

    @property
    def win(self) -> float | None:
        """Chance of a win; None without a chance of a draw."""
        return None if self.draw is None else self.outcomes[0]

    @property
    def loss(self) -> float | None:
        """Chance of a loss; None without a chance of a draw."""
        return None if self.draw is None else self.outcomes[2]

    @property
    def outcomes(self) -> tuple[float, float, float]:
        """Chances of win, draw and loss; without a chance of a draw every game is won or lost."""
        draw = self.draw or 0.0
        # a share and its draw are rounded apart: a chance that is nothing may come out as a little less
        return max(self.expected - 0.5 * draw, 0.0), draw, max(1.0 - self.expected - 0.5 * draw, 0.0)

    def worth(self, win: float = 3.0, draw: float = 1.0, loss: float = 0.0) -> float:
        """Expected points of a game where a win, a draw and a loss are worth so many.

        Parameters
        ----------
        win, draw, loss : float, points
        """
        return sum(chance * points for chance, points in zip(self.outcomes, (win, draw, loss), strict=True))

    def wins(self, games: int) -> "Chances":
        """Chances of every number of wins in independent games of this kind.

        Parameters
        ----------
        games : int from 1 to 10000

        Examples
        --------
        The chance of exactly 3, and of at least 3 wins out of 10 with 0.111278 each:

        >>> wins = Prospect(0.111278).wins(10)
        >>> wins.exactly[3].round(6).item(), wins.at_least[3].round(6).item()
        (0.072405, 0.090922)
        """
        win, draw, loss = self.outcomes
        return Chances.of([draw + loss, win], games, 1.0)

    def points(self, games: int) -> "Chances":
        """Chances of every number of points in independent games of this kind, in steps of half a point.

        Parameters
        ----------
        games : int from 1 to 10000
        """
        return Chances.of(list(reversed(self.outcomes)), games, 0.5)


@frozen(eq=False)
class Chances:
    """Chances of every count in a series of independent games.

    Parameters
    ----------
    count : (m,) float64
        Wins or points, ascending from 0.
    exactly : (m,) float64 in [0, 1]
        Chance of each count.
    """

    count: Floats
    exactly: Floats

    @classmethod
    def of(cls, steps: list[float], games: int, unit: float) -> Self:
        """The chances after so many games, each adding 0, 1, ... units with these chances."""
        if not 1 <= games <= MOST:
            raise BadValue("games", games, f"must be from 1 to {MOST}")
        exactly, square, left = np.ones(1), np.array(steps), games
        while left:  # powers by squaring: the chances of two series convolve to those of both together
            if left & 1:
                exactly = np.convolve(exactly, square)
            left >>= 1
            square = np.convolve(square, square) if left else square
        return cls(frozen_array(np.arange(len(exactly)) * unit), frozen_array(exactly))

    @property
    def at_least(self) -> Floats:
        """(m,) float64 in [0, 1]: chance of each count or more."""
        return np.minimum(np.cumsum(self.exactly[::-1])[::-1], 1.0)

    def place(self, count: float) -> int:
        """Where a count stands; `BadValue` if no series of these games can end with it."""
        places = np.flatnonzero(self.count == count)
        if not len(places):
            unit = float(self.count[1])
            why = f"must be one of 0, {unit:g}, {2 * unit:g}, ... {self.count[-1]:g}"
            raise BadValue("wins" if unit == 1.0 else "points", count, why)
        return int(places[0])
