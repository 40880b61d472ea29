"""An honest method, and liars that are the same but for one broken promise, each with the law that catches it."""

from collections.abc import Mapping, Sequence
from math import inf, nan
from typing import Any

import numpy as np
from attrs import define, evolve, field, frozen

from ratingcore.methods.contract import Change
from ratingcore.plugin import (
    Cadence,
    Column,
    Floats,
    Forecast,
    Games,
    Ints,
    Method,
    Need,
    Period,
    Rated,
    Sides,
    Solved,
    State,
    Strengths,
    kernel,
    opposed,
)
from ratingcore.plugin.curves import LN10, expit
from ratingcore.validators import positive
from tests.testing.toys import BradleyTerry, Glacier, TeamElo, known

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


_TIMES: list[int] = []


@frozen
class Moody(Honest):
    """Rates otherwise every time."""

    def rate(self, state: State, games: Games) -> Rated:
        _TIMES.append(len(games))
        return Honest(self.k + 1e-9 * len(_TIMES)).rate(state, games)


@frozen
class Presuming(Honest):
    """Believes that blank columns are empty."""

    def rate(self, state: State, games: Games) -> Rated:
        blank, rated = games.blank(), super().rate(state, games)
        return again(rated, state=state.replace(rating=rated.state["rating"] + 0.0 * blank.sum()))


@frozen
class Lumping(Honest):
    """Rates the games of a call together."""

    def rate(self, state: State, games: Games) -> Rated:
        expected = self.expected(state, games).expected
        change = self.k * (games.score - expected)
        rating = state.copy("rating")
        np.add.at(rating, games.a, change)
        np.add.at(rating, games.b, -change)
        return Rated(state.replace(rating=rating), expected, opposed(change))


@frozen
class Counting(Honest):
    """Looks at how many players there are."""

    def rate(self, state: State, games: Games) -> Rated:
        return Honest(self.k + 0.01 * len(state["rating"])).rate(state, games)


@frozen
class Averaging(Honest):
    """Puts the mean back to where it was, so that everybody moves a little."""

    def rate(self, state: State, games: Games) -> Rated:
        for g in range(len(games)):
            state = super().rate(state, games.part(g, g + 1)).state
            state = state.replace(rating=state["rating"] + 0.01 * (1500.0 - state["rating"].mean()) + 1e-3)
        return Rated(state, games.score * 0.0 + 0.5, opposed(games.score * 0.0))


@frozen
class Silent(Honest):
    """Gives a bonus that it does not tell."""

    def rate(self, state: State, games: Games) -> Rated:
        rated = super().rate(state, games)
        rating = rated.state.copy("rating")
        np.add.at(rating, games.a, 0.001)
        return again(rated, state=state.replace(rating=rating))


@frozen
class Forgetful(Honest):
    """Begins anew where it follows itself."""

    def taking_over(self, old: Method, state: State) -> State:
        return State.start(self.columns(), len(state["rating"]))


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


@frozen
class Sure(Honest):
    """Is certain beyond certainty."""

    def share(self, gap: Floats) -> Floats:
        return 0.5 + gap / 20.0


@frozen
class TwoFaced(Honest):
    """Forecasts on another curve than it rates."""

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(expit(1.01 * SLOPE * (state["rating"][games.a] - state["rating"][games.b])))


@frozen
class Clairvoyant(Honest):
    """Lets the score colour what it had expected."""

    def rate(self, state: State, games: Games) -> Rated:
        rated = super().rate(state, games)
        return again(rated, expected=0.99 * rated.expected + 0.01 * games.score)


@frozen
class Insider(Honest):
    """Reads the points of the game it forecasts."""

    needs = (Need("points_a"), Need("points_b"))

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(expit(0.01 * (games["points_a"] - games["points_b"])))


@frozen
class Partisan(TeamElo):
    """Prefers whoever is named first."""

    def strengths(self, strength: Floats) -> Strengths:
        return super().strengths(strength - np.arange(len(strength)))


@frozen
class Wavering(TeamElo):
    """Says other chances when asked than when it rates."""

    def expected(self, state: State, sides: Sides) -> Forecast:
        forecast = super().expected(state, sides)
        return evolve(forecast, strengths=evolve(known(forecast), curve="normal"))


@frozen
class Peeping(TeamElo):
    """Is surer of whoever wins."""

    def rate(self, state: State, sides: Sides) -> Rated:
        rated = super().rate(state, sides)
        asked = rated.strengths
        assert asked is not None
        return again(rated, strengths=lambda: self.strengths(asked().mean + sides.score))


_MEMORY: dict[int, State] = {}


@frozen
class Elephant(BradleyTerry):
    """Remembers the largest fit it ever made."""

    def rate(self, state: State, games: Games) -> Solved:
        players = len(state["rating"])
        solved = super().rate(state, games)
        best = _MEMORY.setdefault(players, solved.state)
        if best["games"].sum() < solved.state["games"].sum():
            best = _MEMORY[players] = solved.state
        return Solved(best, solved.fitted, solved.track)


@frozen
class Boastful(BradleyTerry):
    """Says that two players share more than either has."""

    def rate(self, state: State, games: Games) -> Solved:
        return evolve(super().rate(state, games), covariance=lambda i, j: 1.0 if i == j else 2.0)


@frozen
class Hurried(Honest):
    """Rounds what it sweeps."""

    @classmethod
    def sweep(
        cls, settings: Sequence[Method], games: Games, given: Floats, cuts: Ints, *, single: bool = False
    ) -> Floats | None:
        return np.round(np.log(2.0) * np.diff(cuts), 1) * np.ones((len(settings), 1))


@frozen
class Explosive(Honest):
    """Overflows when ratings are far apart."""

    def share(self, gap: Floats) -> Floats:
        return np.asarray(1.0 / (1.0 + 10.0 ** (-gap / 400.0)))


@frozen
class Fragile(Honest):
    """Has no number for what it was sure of."""

    def rate(self, state: State, games: Games) -> Rated:
        rated = super().rate(state, games)
        rating = rated.state["rating"]
        return again(rated, state=state.replace(rating=np.where(np.abs(rating - 1500.0) > 250.0, nan, rating)))


@frozen
class Vandal(Honest):
    """Rounds the scores it was given."""

    def rate(self, state: State, games: Games) -> Rated:
        games.score.flags.writeable = True
        games.score[:] = np.round(games.score + 0.1)
        return super().rate(state, games)


@kernel
def _hashed(a: Ints, change: Floats) -> None:
    h = 1
    for g in range(len(a)):
        h = h * 6364136223846793005 + 1442695040888963407
        change[g] = (h >> 8) % 1000


@frozen
class Wrapping(Honest):
    """Counts on integers that never end, and compiled ones do."""

    def rate(self, state: State, games: Games) -> Rated:
        rated, noise = super().rate(state, games), games.blank()
        _hashed(games.a, noise)
        return again(rated, notes={"noise": noise})


@kernel
def _scribbled(a: Ints, change: Floats) -> None:
    for g in range(len(a)):
        change[g] = a[g]
        a[g] = 0


@frozen
class Scribbling(Honest):
    """Writes into its inputs, which goes unseen until it is compiled."""

    def rate(self, state: State, games: Games) -> Rated:
        rated, noise = super().rate(state, games), games.blank()
        _scribbled(games.a, noise)
        return rated


LIARS: tuple[tuple[str, Method], ...] = (
    ("value", Thawed()),
    ("text", Unspellable()),
    ("parameters", Credulous()),
    ("columns", Nameless()),
    ("columns", Endless()),
    ("columns", Clashing()),
    ("columns", Uneven()),
    ("columns", Overfine()),
    ("shown", Showy()),
    ("shapes", Crooked()),
    ("shapes", Coarse()),
    ("shapes", Misformed()),
    ("no-games", Hungry()),
    ("replay", Moody()),
    ("replay", Presuming()),
    ("history", Forgetful()),
    ("slicing", Lumping()),
    ("seeds", Lumping()),
    ("length", Counting()),
    ("bystanders", Averaging()),
    ("sums", Silent()),
    ("permutation", Hasty(period=Period.parse("quarter"))),
    ("relabelling", Partial()),
    ("rows", Levelling()),
    ("rows", Seated()),
    ("symmetry", White()),
    ("expected", Sure()),
    ("forecast", TwoFaced()),
    ("foresight", Clairvoyant()),
    ("foresight", Insider()),
    ("foresight", Elephant()),
    ("ahead", Partisan()),
    ("ahead", Wavering()),
    ("ahead", Peeping()),
    ("sweeping", Hurried()),
    ("covariance", Boastful()),
    ("finite", Explosive()),
    ("finite", Fragile()),
    ("inputs", Vandal()),
    ("compiled", Wrapping()),
    ("compiled", Scribbling()),
)
"""The law that each breaks, and the liar."""
