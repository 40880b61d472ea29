"""Methods that declare what is not so: their values, parameters, columns, and the shapes of what they return."""

from collections.abc import Mapping
from math import inf
from typing import Any

import numpy as np
from attrs import define, field, frozen

from ratingcore.methods.contract import Change
from ratingcore.plugin import Cadence, Column, Floats, Forecast, Games, Method, Rated, State, opposed
from ratingcore.validators import positive
from tests.testing.honest import Honest, again
from tests.testing.toys import BradleyTerry


@define(slots=False, unsafe_hash=True)
class Thawed(Method):
    """Can be assigned to."""

    name = "honest"
    cadence = Cadence.CONTINUOUS
    k: float = field(default=20.0, validator=positive)

    def columns(self) -> tuple[Column, ...]:
        return Honest().columns()

    def rate(self, state: State, games: Games) -> Rated:
        return Honest(self.k).rate(state, games)

    def expected(self, state: State, games: Games) -> Forecast:
        return Honest(self.k).expected(state, games)


@frozen
class Unspellable(Honest):
    """Has a parameter that no text names."""

    weights: tuple[float, ...] = (1.0, 2.0)


@frozen
class Credulous(Honest):
    """Takes any number for k."""

    k: float = 20.0


@frozen
class Nameless(Honest):
    """Has no rating."""

    def columns(self) -> tuple[Column, ...]:
        return (Column("strength", 1500.0),)


@frozen
class Endless(Honest):
    """Starts somewhere infinite."""

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0), Column("deviation", inf))


@frozen
class Uneven(Honest):
    """Asks for significant digits of what is never listed."""

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0, significant=6), Column("habit", digits=None, significant=6))


@frozen
class Overfine(Honest):
    """Asks for more digits than a float has."""

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0, significant=18),)


@frozen
class Clashing(Honest):
    """Has a column of a name that lists have."""

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0), Column("games"))


@frozen
class Showy(Honest):
    """Shows only the best three."""

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        return {"rating": np.sort(state["rating"])[-3:]}


@frozen
class Levelling(Honest):
    """Shows how far players are above the mean of all, which no line of a history has before it."""

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        return {"rating": state["rating"] - state["rating"].mean()}


@frozen
class Seated(Honest):
    """Shows a bonus for the row that a player happens to have."""

    def show(self, state: State, at: int) -> Mapping[str, Floats]:
        return {"rating": state["rating"] + np.arange(len(state["rating"]))}


@frozen
class Crooked(Honest):
    """Tells one side's change for both."""

    def rate(self, state: State, games: Games) -> Rated:
        rated = super().rate(state, games)
        change: Change = rated.change[0]
        return again(rated, change=change)


@frozen
class Coarse(Honest):
    """Expects in 32 bits."""

    def rate(self, state: State, games: Games) -> Rated:
        rated = super().rate(state, games)
        return again(rated, expected=rated.expected.astype(np.float32))


@frozen
class Misformed(BradleyTerry):
    """A whole-pool method that says what games moved."""

    def rate(self, state: State, games: Games) -> Any:
        solved = super().rate(state, games)
        return Rated(solved.state, solved.fitted, opposed(np.zeros(len(games))))


@frozen
class Hungry(Honest):
    """Cannot do without games."""

    def rate(self, state: State, games: Games) -> Rated:
        assert games.score.max() <= 1.0
        return super().rate(state, games)
