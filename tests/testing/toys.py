"""Small honest methods of every form that the bundled plugins do not have: sides, whole pools, pairs, pools."""

from math import nan

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    DAY,
    BadResult,
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
    Track,
    kernel,
    opposed,
)
from ratingcore.plugin.curves import LN10, expit, logistic
from ratingcore.validators import finite, instance_of, not_negative, optional, positive

SLOPE = LN10 / 400.0


@frozen
class TeamElo(Method):
    """A side is as strong as the mean of its members, and meets every other side of its result."""

    name = "team-elo"
    cadence = Cadence.CONTINUOUS
    reads = Sides
    k: float = field(default=20.0, validator=not_negative)

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0),)

    def rate(self, state: State, sides: Sides) -> Rated:
        rating = state.copy("rating")
        expected, before, change = np.empty(len(sides.score)), np.empty(len(sides.score)), sides.blank()
        for r in range(len(sides)):
            seated = range(sides.result[r], sides.result[r + 1])
            before[seated] = self._strength(rating, sides, r)
            expected[seated] = self._shares(rating, sides, r)
            for s in seated:
                members = slice(sides.side[s], sides.side[s + 1])
                change[members] = self.k * (sides.score[s] - expected[s])
                rating[sides.player[members]] += change[members]
        return Rated(state.replace(rating=rating), expected, change, strengths=lambda: self.strengths(before))

    def expected(self, state: State, sides: Sides) -> Forecast:
        shares = [self._shares(state["rating"], sides, r) for r in range(len(sides))]
        strength = [self._strength(state["rating"], sides, r) for r in range(len(sides))]
        strengths = self.strengths(np.concatenate([np.empty(0), *strength]))
        return Forecast(np.concatenate([np.empty(0), *shares]), strengths=strengths)

    def strengths(self, strength: Floats) -> Strengths:
        """Elo's curve for every two sides."""
        return Strengths(strength, np.full(len(strength), 0.5 / SLOPE**2), "logistic")

    def _strength(self, rating: Floats, sides: Sides, r: int) -> Floats:
        seated = range(sides.result[r], sides.result[r + 1])
        return np.array([rating[sides.player[sides.side[s] : sides.side[s + 1]]].mean() for s in seated])

    def _shares(self, rating: Floats, sides: Sides, r: int) -> Floats:
        strength = self._strength(rating, sides, r)
        wins = expit(SLOPE * (strength[:, None] - strength[None, :]))
        return np.asarray((wins.sum(axis=1) - 0.5) / (len(strength) - 1))


@frozen
class PairsOnly(TeamElo):
    """Team Elo of bridge pairs in percent, which refuses everything else."""

    name = "pairs-only"

    @property
    def needs(self) -> tuple[Need, ...]:
        return (Need("unit", words={"percent": 1.0}),)

    def rate(self, state: State, sides: Sides) -> Rated:
        for s in np.flatnonzero(np.diff(sides.side) != 2)[:1]:
            raise BadResult(self.name, f"side {s}", "a pair is two players")
        return super().rate(state, sides)


@frozen
class Sessions(TeamElo):
    """Team Elo applied at the end of a month."""

    name = "sessions"
    cadence = Cadence.PERIODIC

    @property
    def period(self) -> Period | None:
        return Period.parse("month")

    def rate(self, state: State, sides: Sides) -> Rated:
        forecast = self.expected(state, sides)
        expected, size = forecast.expected, np.diff(sides.side)
        change = np.repeat(self.k * (sides.score - expected), size)
        moved = state["rating"] + np.bincount(sides.player, change, len(state["rating"]))
        return Rated(state.replace(rating=moved), expected, change, strengths=lambda: known(forecast))


def known(forecast: Forecast) -> Strengths:
    """The strengths of a forecast that has them."""
    assert forecast.strengths is not None
    return forecast.strengths


@frozen
class BradleyTerry(Method):
    """Bradley and Terry's strengths by Newton's method, each player with virtual draws against an average one."""

    name = "bradley-terry"
    cadence = Cadence.RETROSPECTIVE
    draws: float = field(default=2.0, validator=positive)
    half_life: float | None = field(default=None, validator=optional(positive))

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0), Column("games", 0.0, digits=None))

    def rate(self, state: State, games: Games) -> Solved:
        n = len(state["rating"])
        strength = np.zeros(n)
        days = (games.span.end - games.played) / DAY
        weight = np.ones(len(games)) if self.half_life is None else np.exp2(-days / self.half_life)
        for _ in range(60):
            share = expit(strength[games.a] - strength[games.b])
            slope = self._summed(games, weight * (share - games.score), n) + self.draws * (expit(strength) - 0.5)
            bend = self._bent(games, weight * share * (1.0 - share), n)
            own = expit(strength)
            bend[np.diag_indices(n)] += self.draws * own * (1.0 - own)
            step = np.linalg.solve(bend, slope)
            strength -= np.clip(step, -1.0, 1.0)
            if np.abs(step).max(initial=0.0) < 1e-13:
                break
        rating = 1500.0 + strength / SLOPE
        played = np.bincount(games.a, minlength=n) + np.bincount(games.b, minlength=n)
        track = Track(np.arange(n), np.full(n, games.span.end - 1), {"rating": rating})
        fitted = expit(SLOPE * (rating[games.a] - rating[games.b]))
        return Solved(state.replace(rating=rating, games=played.astype(np.float64)), fitted, track)

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(expit(SLOPE * (state["rating"][games.a] - state["rating"][games.b])))

    def _summed(self, games: Games, amount: Floats, n: int) -> Floats:
        return np.asarray(np.bincount(games.a, amount, n) - np.bincount(games.b, amount, n), dtype=np.float64)

    def _bent(self, games: Games, weight: Floats, n: int) -> Floats:
        bend = np.zeros((n, n))
        np.add.at(bend, (games.a, games.a), weight)
        np.add.at(bend, (games.b, games.b), weight)
        np.add.at(bend, (games.a, games.b), -weight)
        np.add.at(bend, (games.b, games.a), -weight)
        return bend


@frozen
class PairFit(BradleyTerry):
    """Bradley and Terry, with the mean score of every pair kept beside."""

    name = "pair-fit"

    def columns(self) -> tuple[Column, ...]:
        return (*super().columns(), Column("met", 0.0, per="pair", digits=None))

    def rate(self, state: State, games: Games) -> Solved:
        solved = super().rate(state, games)
        met = state.copy("met")
        np.add.at(met, games.pair, 1.0)
        return Solved(solved.state.replace(met=met), solved.fitted, solved.track)


@frozen
class Glacier(Method):
    """Period by period: a deviation that grows while nobody plays, and ratings rounded by the rule."""

    name = "glacier"
    cadence = Cadence.PERIODIC
    k: float = field(default=0.3, validator=not_negative)
    period: Period = field(factory=lambda: Period.parse("month"), validator=instance_of(Period))  # type: ignore[assignment]  # a field in place of the property

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0, digits=0), Column("deviation", 200.0, digits=1))

    def rate(self, state: State, games: Games) -> Rated:
        rating, n = state["rating"], len(state["rating"])
        wider = np.minimum(np.hypot(state["deviation"], 30.0), 200.0)
        forecast = self.expected(state, games).expected
        surprise = games.score - forecast
        change = self.k * wider[games.a] * surprise, -self.k * wider[games.b] * surprise
        moved = rating + np.bincount(games.a, change[0], n) + np.bincount(games.b, change[1], n)
        ruled = np.floor(np.round(moved, 6) + 0.5)
        played = np.bincount(games.a, minlength=n) + np.bincount(games.b, minlength=n)
        deviation = np.maximum(wider / np.sqrt(1.0 + 0.05 * played), 40.0)
        lines = {"rounding": ruled - moved}
        return Rated(
            state.replace(rating=moved + lines["rounding"], deviation=deviation), forecast, change, after=lines
        )

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(expit(SLOPE * (state["rating"][games.a] - state["rating"][games.b])))


@frozen
class PairMonths(Glacier):
    """Glacier, and how often every pair has met."""

    name = "pair-months"

    def columns(self) -> tuple[Column, ...]:
        return (*super().columns(), Column("met", 0.0, per="pair", digits=None))

    def rate(self, state: State, games: Games) -> Rated:
        rated = super().rate(state, games)
        met = state.copy("met")
        np.add.at(met, games.pair, 1.0)
        return Rated(rated.state.replace(met=met), rated.expected, rated.change, after=rated.after)


@kernel
def _rivals(
    rating: Floats, habit: Floats, recent: Floats, home: Floats, a: Ints, b: Ints, pair: Ints, score: Floats,
    ahead: Floats, k: float, slope: float, expected: Floats, change: Floats,
) -> None:  # fmt: skip
    for g in range(len(a)):
        i, j, p = a[g], b[g], pair[g]
        sign = 1.0 if i < j else -1.0
        expected[g] = logistic(slope * (rating[i] - rating[j] + sign * habit[p] + home[0] * ahead[g]))
        change[g] = k * (score[g] - expected[g])
        rating[i] += change[g]
        rating[j] -= change[g]
        habit[p] += sign * 0.2 * change[g]
        home[0] += 0.05 * change[g] * ahead[g]
        for t in range(4):
            recent[i][t] = recent[i][t + 1]
            recent[j][t] = recent[j][t + 1]
        recent[i][4] = score[g]
        recent[j][4] = 1.0 - score[g]


@frozen
class Rivals(Method):
    """Elo with a habit of every pair, a home advantage of the pool learnt on the way, and the last five scores."""

    name = "rivals"
    cadence = Cadence.CONTINUOUS
    excuses = {"relabelling": "the habit of a pair is that of the player in the earlier row"}  # noqa: RUF012  # as authors write it
    k: float = field(default=24.0, validator=finite)

    @property
    def needs(self) -> tuple[Need, ...]:
        return (Need("home", words={"a": 1.0, "b": -1.0}, default=0.0),)

    def columns(self) -> tuple[Column, ...]:
        return (
            Column("rating", 1500.0),
            Column("habit", 0.0, per="pair", digits=None),
            Column("home", 60.0, per="pool"),
            Column("recent", nan, shape=(5,), digits=None, kept=False),
        )

    def rate(self, state: State, games: Games) -> Rated:
        rating, habit, recent, home = (state.copy(name) for name in ("rating", "habit", "recent", "home"))
        expected, change = games.blank(), games.blank()
        _rivals(
            rating, habit, recent, home, games.a, games.b, games.pair, games.score, games["home"],
            self.k, SLOPE, expected, change,
        )  # fmt: skip
        return Rated(state.replace(rating=rating, habit=habit, recent=recent, home=home), expected, opposed(change))

    def expected(self, state: State, games: Games) -> Forecast:
        sign = np.where(games.a < games.b, 1.0, -1.0)
        gap = state["rating"][games.a] - state["rating"][games.b] + state["home"][0] * games["home"]
        return Forecast(expit(SLOPE * (gap + sign * state["habit"][games.pair])))


TOYS: tuple[Method, ...] = (
    TeamElo(),
    PairsOnly(),
    Sessions(),
    BradleyTerry(),
    BradleyTerry(half_life=60.0),
    PairFit(),
    Glacier(),
    Glacier(period=Period.parse("event")),
    Glacier(period=Period.parse("days(10)")),
    Glacier(period=Period.parse("cuts(2023-03-01;2023-04-15;2023-08-01)")),
    PairMonths(),
    PairMonths(period=Period.parse("event")),
    Rivals(),
)
"""One of each."""
