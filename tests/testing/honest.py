"""A method that keeps every law; liars are this but for one thing."""

from typing import Any

from attrs import evolve, field, frozen

from ratingcore.plugin import Cadence, Column, Floats, Forecast, Games, Method, Rated, State, opposed
from ratingcore.plugin.curves import LN10, expit
from ratingcore.validators import positive

SLOPE = LN10 / 400.0


@frozen
class Honest(Method):
    """Elo in a plain loop."""

    name = "honest"
    cadence = Cadence.CONTINUOUS
    k: float = field(default=20.0, validator=positive)

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0),)

    def share(self, gap: Floats) -> Floats:
        return expit(SLOPE * gap)

    def rate(self, state: State, games: Games) -> Rated:
        rating, expected, change = state.copy("rating"), games.blank(), games.blank()
        for g, (i, j) in enumerate(zip(games.a, games.b, strict=True)):
            expected[g] = self.share(rating[i] - rating[j])
            change[g] = self.k * (games.score[g] - expected[g])
            rating[i] += change[g]
            rating[j] -= change[g]
        return Rated(state.replace(rating=rating), expected, opposed(change))

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(self.share(state["rating"][games.a] - state["rating"][games.b]))


def again(rated: Rated, **other: Any) -> Rated:
    """What was rated, with something else in it."""
    return evolve(rated, **other)
