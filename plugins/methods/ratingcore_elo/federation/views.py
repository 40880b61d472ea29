"""Games seen from both sides: two rows each, so that a rule is written once, for a player against an opponent."""

from typing import Any, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.plugin import Floats, Games, Ints


@frozen(eq=False)
class Views:
    """Games in the order of the log, the view of `a` in even rows and that of `b` in odd ones.

    Parameters
    ----------
    player, opponent : (m,) int
        Rows of the state.
    score, ahead, event : (m,) float64
        Own score, own points for the first move, label of the event (NaN if there is none).
    played, position : (m,) int64
    order : (m / 2,) int or None
        Index of each game among the games as they were given; None if they were given in this order.
    """

    player: Ints
    opponent: Ints
    score: Floats
    ahead: Floats
    event: Floats
    played: Ints
    position: Ints
    order: Ints | None

    @classmethod
    def of(cls, games: Games, ahead: Floats, event: Floats) -> Self:
        """Builds the views of games; `ahead` is the first move of `a` in points, `event` the label of the event."""
        late = (np.diff(games.position) < 0).any()
        order = np.argsort(games.position, kind="stable") if late else None
        columns = (games.a, games.b, games.score, ahead, event, games.played, games.position)
        a, b, score, first, label, played, position = (x if order is None else x[order] for x in columns)
        return cls(
            _paired(a, b), _paired(b, a), _paired(score, 1.0 - score), _paired(first, -first),
            np.repeat(label, 2), np.repeat(played, 2), np.repeat(position, 2), order,
        )  # fmt: skip

    def of_sides(self, seen: Floats) -> tuple[Floats, Floats]:
        """Splits numbers per view into those of `a` and those of `b`, in the order of the games."""
        if self.order is None:
            return seen[0::2].copy(), seen[1::2].copy()
        a, b = np.empty(len(self.order)), np.empty(len(self.order))
        a[self.order], b[self.order] = seen[0::2], seen[1::2]
        return a, b

    def of_both(self, column: Floats) -> Floats:
        """Turns one number per game into one per view, the same for both sides."""
        return np.repeat(column if self.order is None else column[self.order], 2)

    def summed(self, seen: Floats, players: int) -> Floats:
        """Returns the sum over the views of each player, added in the order of the log."""
        return np.asarray(np.bincount(self.player, seen, players), dtype=np.float64)

    def wider(self, gap: Floats) -> Floats:
        """Returns the wider of the two differences of each game, seen from `a`, in the order of the games."""
        a, b = self.of_sides(gap)
        return np.where(np.abs(a) >= np.abs(b), a, -b)


def _paired(even: NDArray[Any], odd: NDArray[Any]) -> NDArray[Any]:
    both = np.empty(2 * len(even), dtype=even.dtype)
    both[0::2], both[1::2] = even, odd
    return both
