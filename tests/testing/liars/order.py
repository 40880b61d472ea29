"""Methods whose ratings depend on who is named first, or in which order."""

from attrs import frozen

from ratingcore.plugin import Column, Floats, Games, Rated, State
from ratingcore.plugin.curves import expit
from tests.testing.honest import SLOPE, Honest, again
from tests.testing.toys import Glacier


@frozen
class Hasty(Glacier):
    """Rates game by game inside its periods."""

    def rate(self, state: State, games: Games) -> Rated:
        return Honest().rate(state, games)

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0),)


@frozen
class Partial(Honest):
    """Likes whoever came first."""

    def rate(self, state: State, games: Games) -> Rated:
        rated = super().rate(state, games)
        rating = rated.state.copy("rating")
        for i in (*games.a, *games.b):
            rating[i] -= 0.01 * i
        return again(rated, state=state.replace(rating=rating))


@frozen
class White(Honest):
    """Takes `a` for White, who moves first."""

    def share(self, gap: Floats) -> Floats:
        return expit(SLOPE * (gap + 35.0))
