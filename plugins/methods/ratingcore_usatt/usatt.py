"""Ratings of USA Table Tennis: a chart of points, and a second reading of the event for those who gain many."""

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import Cadence, Column, Floats, Forecast, Games, Method, Period, Rated, State, summed
from ratingcore.validators import finite, instance_of

FROM = np.array([0.0, 13.0, 38.0, 63.0, 88.0, 113.0, 138.0, 163.0, 188.0, 213.0, 238.0])
EXPECTED = np.array([8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 2.0, 1.0, 1.0, 0.0])
UPSET = np.array([8.0, 10.0, 13.0, 16.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0])
"""The chart: points for a win by the higher and by the lower rated player, from each gap on."""

SOME, MANY = 50.0, 75.0
"""Points gained in an event from which on a rating is adjusted by the gain, and by the opponents met."""


@frozen
class Usatt(Method):
    """The rating of USA Table Tennis, an event at a time, for players who have a rating [1]_ [2]_.

    The chart is read with the ratings before the event. Players who gain 50 points or more are adjusted, and it is read
    again with the adjusted ratings, from which all gains and losses count.

    Parameters
    ----------
    initial : float, rating points
        Rating of a newcomer without a seed.
    period : Period
        Span whose matches are rated together.

    References
    ----------
    .. [1] Simply Compete, "A guide to USATT ratings", 28 February 2023, usatt.simplycompete.com/info/ratings.
    .. [2] O. Allen, usatt-ratings 1.0.5, the passes of that guide as a program, github.com/owenallenaz/usatt-ratings.

    Examples
    --------
    1500 beats 1800 twice, a gain of 100 without a loss: adjusted to the median of the opponents, 1800, then 8 a win.

    >>> usatt, one = Usatt(), np.array([1, 1])
    >>> state = State.start(usatt.columns(), players=2).replace(rating=np.array([1500.0, 1800.0]))
    >>> rated = usatt.rate(state, Games(one * 0, one, np.array([1.0, 1.0]), one, one, span=(0, 2)))
    >>> rated.state["rating"].tolist(), rated.after["adjusted"].tolist()
    ([1816.0, 1784.0], [300.0, 0.0])
    """

    name = "usatt"
    cadence = Cadence.PERIODIC
    initial: float = field(default=1200.0, validator=finite)
    period: Period = field(factory=lambda: Period("event"), validator=instance_of(Period))

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", self.initial, unit="points", digits=0),)

    def rate(self, state: State, games: Games) -> Rated:
        before, score = state["rating"], games.score
        share, at_stake = _chart(before, games)
        first = at_stake * (score - share)
        adjusted = _adjusted(before, games, summed(games, first, -first, len(before)))
        share_then, at_stake = _chart(adjusted, games)
        change = at_stake * (score - share_then)
        after = state.replace(rating=adjusted + summed(games, change, -change, len(before)))
        return Rated(after, share, (change, -change), after={"adjusted": adjusted - before})

    def expected(self, state: State, games: Games) -> Forecast:
        """The chance at which neither player gains by the chart in the long run."""
        return Forecast(_chart(state["rating"], games)[0])


def _chart(rating: Floats, games: Games) -> tuple[Floats, Floats]:
    """Returns this chance for `a`, and the points at stake: the gain of `a` by a win plus the loss by a defeat."""
    gap = rating[games.a] - rating[games.b]
    row = np.searchsorted(FROM, np.abs(gap), "right") - 1
    at_stake = EXPECTED[row] + UPSET[row]
    higher = UPSET[row] / at_stake
    return np.where(gap >= 0.0, higher, 1.0 - higher), at_stake


def _adjusted(rating: Floats, games: Games, gain: Floats) -> Floats:
    """Returns the ratings with which the chart is read again, never lower than before."""
    new = np.where(gain >= SOME, rating + gain, rating)
    for player in np.flatnonzero(gain >= MANY).tolist():
        met = np.concatenate([rating[games.b[games.a == player]], rating[games.a[games.b == player]]])
        score = np.concatenate([games.score[games.a == player], 1.0 - games.score[games.b == player]])
        if (score < 0.5).any():
            between = (met[score > 0.5].max() + met[score < 0.5].min()) / 2.0
            new[player] = np.floor((new[player] + between) / 2.0)
        else:
            new[player] = np.floor(np.median(met))
    return np.maximum(new, rating)
