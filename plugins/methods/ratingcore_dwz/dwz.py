"""The Deutsche Wertungszahl: the normal curve, and the games of an event weighed against a coefficient."""

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    Cadence,
    Column,
    Forecast,
    Games,
    Method,
    Period,
    Rated,
    State,
    leaving_out,
    of_players,
    summed,
)
from ratingcore.plugin.curves import Curve
from ratingcore.validators import finite, instance_of, positive

CURVE = Curve("normal")
WHOLE = 2.0**52
"""From here on every number is whole."""


@frozen
class Dwz(Method):
    """The rating of the German chess federation, an event at a time, in whole points [1]_.

    Parameters
    ----------
    development : float > 0, games
        Development coefficient E of players whose seed gives none: the larger, the less an event moves.
    rounding : bool
        Whether ratings are rounded half up at the end of an event, as the rule has it.
    initial : float, rating points
        Rating of a newcomer without a seed.
    period : Period
        What is rated together.

    References
    ----------
    .. [1] Deutscher Schachbund, *Wertungsordnung*: the formula of the new rating.

    Examples
    --------
    1600 meets five opponents, E = 15, expects 2.24 and makes 3 points.

    >>> dwz = Dwz(development=15.0)
    >>> ratings = np.array([1600.0, 1700.0, 1500.0, 1650.0, 1800.0, 1550.0])
    >>> state = State.start(dwz.columns(), players=6).replace(rating=ratings)
    >>> score, at = np.array([1.0, 0.5, 0.0, 0.5, 1.0]), np.arange(1, 6)
    >>> event = Games(np.zeros(5, dtype=np.int64), at, score, at, at, span=(0, 6))
    >>> rated = dwz.rate(state, event)
    >>> rated.expected.sum().round(6).tolist(), rated.change[0].sum().round(6).tolist()
    (2.23975, 30.409998)
    >>> rated.state["rating"].tolist()[0]
    1630.0
    """

    name = "dwz"
    cadence = Cadence.PERIODIC
    development: float = field(default=15.0, validator=positive)
    rounding: bool = field(default=True, validator=instance_of(bool))
    initial: float = field(default=1000.0, validator=finite)
    period: Period = field(factory=lambda: Period("event"), validator=instance_of(Period))

    def columns(self) -> tuple[Column, ...]:
        return (
            Column("rating", self.initial, unit="points", digits=0 if self.rounding else 4),
            Column("development", self.development, unit="games", digits=None),
        )

    def rate(self, state: State, games: Games) -> Rated:
        odd = {"a development coefficient not above 0": of_players(games, ~(state["development"] > 0.0))}
        return leaving_out(odd, self._rated, state, games)

    def _rated(self, state: State, games: Games) -> Rated:
        rating, share = state["rating"], self.expected(state, games).expected
        played = np.bincount(games.a, minlength=len(rating)) + np.bincount(games.b, minlength=len(rating))
        # points for a whole point of surprise: 800 / (E + n), n the games of the player in the event
        weight_a, weight_b = (800.0 / (state["development"][side] + played[side]) for side in (games.a, games.b))
        change_a, change_b = weight_a * (games.score - share), weight_b * (share - games.score)
        moved = rating + summed(games, change_a, change_b, len(rating))
        notes = {"weight_a": weight_a, "weight_b": weight_b}
        if not self.rounding:
            return Rated(state.replace(rating=moved), share, (change_a, change_b), notes=notes)
        fraction = (played > 0) & (np.abs(moved) < WHOLE)
        final = moved.copy()
        final[fraction] = np.floor(np.round(moved[fraction], 10) + 0.5)
        after = {"rounding": np.where(played > 0, final - moved, 0.0)}
        return Rated(state.replace(rating=final), share, (change_a, change_b), after=after, notes=notes)

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(CURVE.share(state["rating"][games.a] - state["rating"][games.b]))
