"""Extra points for both players after a win by the lower rated one: a remedy against deflation."""

import numpy as np
from attrs import frozen

from ratingcore.plugin import Floats, kernel


@kernel
def extra_points(lead: float, score: float, points: float, beyond: float) -> float:
    """Returns the extra points of each of the two players: all points after an upset, none after another game."""
    if score > 0.5 and lead < -beyond:
        return points
    if score < 0.5 and lead > beyond:
        return points
    return 0.0


@frozen
class Extra:
    """Extra points: how many, and how far below the loser the winner must have been rated.

    Parameters
    ----------
    points : float >= 0, rating points
        For each of the two players.
    beyond : float >= 0, rating points
        The winner's rating was lower by more than this.

    Examples
    --------
    >>> extra = Extra(2.0, 100.0)
    >>> extra.of(np.array([-150.0, -100.0, 150.0, 150.0]), np.array([1.0, 1.0, 1.0, 0.0])).tolist()
    [2.0, 0.0, 0.0, 2.0]
    """

    points: float
    beyond: float

    def of(self, lead: Floats, score: Floats) -> Floats:
        """Points that each game adds to both of its players; `lead` is one player's rating less the other's.

        The lead does not include the first move or caps. A game with a player who has no rating adds nothing.
        """
        upset = ((score > 0.5) & (lead < -self.beyond)) | ((score < 0.5) & (lead > self.beyond))
        return np.where(upset, self.points, 0.0)

    def added(self, change: tuple[Floats, Floats], lead: Floats, score: Floats) -> tuple[Floats, Floats]:
        """The changes of both sides with the extra points."""
        more = self.of(lead, score)
        return change[0] + more, change[1] + more
