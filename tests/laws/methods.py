"""Methods that the oracle can tell the ratings of, written the way a stranger would write them."""

import numpy as np
from attrs import frozen
from ratingcore_elo import Elo

from ratingcore.plugin import Cadence, Column, Forecast, Games, Method, Need, Period, Rated, Sides, State

ELO = Elo()


@frozen
class Tally(Method):
    """The oracle's toy that rates sessions too, the way a stranger would write it."""

    name = "tally"
    cadence = Cadence.CONTINUOUS
    reads = Sides

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating"),)

    def rate(self, state: State, games: Sides) -> Rated:
        rating, change, expected = state.copy("rating"), games.blank(), np.empty(len(games.score))
        for r in range(len(games)):
            first, last = int(games.result[r]), int(games.result[r + 1])
            expected[first:last] = mean = sum(games.score[first:last].tolist()) / (last - first)
            for s in range(first, last):
                seats = slice(int(games.side[s]), int(games.side[s + 1]))
                seated = games.player[seats]
                change[seats] = games.score[s] - mean - rating[seated] / 10
                rating[seated] += change[seats]
        return Rated(state.replace(rating=rating), expected, change)

    def expected(self, state: State, games: Sides) -> Forecast:
        return Forecast(np.zeros(len(games.score)))


@frozen
class Mindful(Method):
    """A toy that remembers events, and asks when players were born: both are read beside results."""

    name = "mindful"
    cadence = Cadence.CONTINUOUS
    needs = (Need("event", labels=True, default=0.0), Need("born", of="player", default=1900.0))

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating"), Column("event", digits=None, kept=False))

    def rate(self, state: State, games: Games) -> Rated:
        rating, event, change = state.copy("rating"), state.copy("event"), (games.blank(), games.blank())
        for g in range(len(games)):
            for moved, i in zip(change, (games.a[g], games.b[g]), strict=True):
                moved[g] = games["born"][i] / 1000 + (event[i] != games["event"][g]) - rating[i] / 10
                event[i] = games["event"][g]
                rating[i] += moved[g]
        return Rated(state.replace(rating=rating, event=event), np.zeros(len(games)), change)

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.zeros(len(games)))


TALLY, MINDFUL, BY_TOURNAMENT = Tally(), Mindful(), Elo(period=Period("event"))

ANY = (ELO, TALLY, MINDFUL, Elo(period=Period("days", 2)), BY_TOURNAMENT)
"""Methods whose checkpoints are put to the test: game by game, with sides, with fields, by period."""
