"""The points of a league table: the worth of wins, draws and losses there, such as 3, 1 and 0.

A log stores shares of the point, from which ratings are computed: a draw is half a win. League points are a separate
scale, and are counted here from the same games.
"""

from typing import Self

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Floats, Ints
from ratingcore.columns.view import View
from ratingcore.errors import BadValue
from ratingcore.events import Instant


def _finite(instance: object, attribute: object, value: float) -> None:
    if not np.isfinite(value):
        raise BadValue("worth", value, "must be three numbers")


@frozen
class Worth:
    """The worth of a win, a draw and a loss in a league table.

    Examples
    --------
    >>> Worth(3, 1, 0).of(np.array([1.0, 0.5, 0.0])).tolist()
    [3.0, 1.0, 0.0]
    """

    win: float = field(converter=float, validator=_finite)
    draw: float = field(converter=float, validator=_finite)
    loss: float = field(converter=float, validator=_finite)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads three numbers such as `3,1,0`; raises `BadValue` for any other text."""
        try:
            win, draw, loss = map(float, text.split(","))
        except ValueError:
            raise BadValue("worth", text, "must be three numbers") from None
        return cls(win, draw, loss)

    def of(self, score: Floats) -> Floats:
        """Returns the points for each share: more than one half is a win, less is a loss."""
        return np.where(score > 0.5, self.win, np.where(score < 0.5, self.loss, self.draw))


def points_of(view: View, worth: Worth, since: Instant | None = None) -> tuple[Floats, Ints]:
    """Returns the points and the number of games of every player of a view, by row, in games from an instant on.

    Raises
    ------
    BadValue
        If the pool holds sessions, in which nobody wins or loses a game.
    """
    if view.n_sessions:
        raise BadValue("pool", view.pool, "must have games of two players alone, not sessions, for a table of points")
    games, n = view.games((), "worth", None if since is None else since - 1), view.n_players
    points = np.bincount(games.a, worth.of(games.score), n).astype(np.float64)
    points += np.bincount(games.b, worth.of(1.0 - games.score), n)
    return points, np.asarray(np.bincount(games.a, minlength=n) + np.bincount(games.b, minlength=n))


def table_points(view: View, worth: Worth) -> dict[str, float]:
    """Returns the points of every player of a view, by name."""
    return dict(zip(view.names(), points_of(view, worth)[0].tolist(), strict=True))
