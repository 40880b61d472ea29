"""Toy methods of every cadence, simple enough to know their numbers, that remember how they were called."""

from typing import Any, NamedTuple

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    Cadence,
    Column,
    Forecast,
    Games,
    Method,
    Need,
    Period,
    Rated,
    Sides,
    Solved,
    State,
    Track,
)  # fmt: skip


class Seen(NamedTuple):
    """A call of `rate` as the method saw it."""

    positions: list[int]
    span: tuple[int, int]
    state: dict[str, list[Any]]


def seen(state: State, results: Games | Sides) -> Seen:
    return Seen(results.position.tolist(), tuple(results.span), {name: state[name].tolist() for name in state.names})


@frozen(eq=False)
class Toy(Method):
    """What all toys have: a memory of their calls."""

    calls: list[Seen] = field(factory=list, kw_only=True)

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 100.0), Column("count", digits=None), Column("last", -1.0, digits=None, kept=False))

    def expected(self, state: State, games: Any) -> Forecast:
        return Forecast(np.full(len(games.score), 0.5))


@frozen(eq=False)
class Walk(Toy):
    """Continuous: ten times the surplus, a tenth of the way back to 100 just before every game."""

    name = "walk"
    cadence = Cadence.CONTINUOUS

    def rate(self, state: State, games: Games) -> Rated:
        self.calls.append(seen(state, games))
        rating, count, last = state.copy("rating"), state.copy("count"), state.copy("last")
        expected, change, k = games.blank(), games.blank(), games.blank()
        back_a, back_b = games.blank(), games.blank()
        for g in range(len(games)):
            a, b = games.a[g], games.b[g]
            back_a[g], back_b[g] = (100.0 - rating[a]) / 10, (100.0 - rating[b]) / 10
            expected[g], k[g] = 0.5, 10.0
            change[g] = 10.0 * (games.score[g] - 0.5)
            rating[a] += back_a[g] + change[g]
            rating[b] += back_b[g] - change[g]
            count[[a, b]] += 1
            last[[a, b]] = games.played[g]
        moved = state.replace(rating=rating, count=count, last=last)
        return Rated(moved, expected, (change, -change), before={"back": (back_a, back_b)}, notes={"k": k})


@frozen(eq=False)
class Pairs(Toy):
    """Continuous with a column per pair and one per pool: how often they met, how many games there were."""

    name = "pairs"
    cadence = Cadence.CONTINUOUS

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating"), Column("met", per="pair", digits=None), Column("all", per="pool", digits=None))

    def rate(self, state: State, games: Games) -> Rated:
        self.calls.append(seen(state, games))
        rating, met, every = state.copy("rating"), state.copy("met"), state.copy("all")
        change = games.blank()
        for g in range(len(games)):
            met[games.pair[g]] += 1
            every[0] += 1
            change[g] = met[games.pair[g]] + every[0] / 100
            rating[games.a[g]] += change[g]
            rating[games.b[g]] -= change[g]
        return Rated(state.replace(rating=rating, met=met, all=every), np.full(len(games), 0.5), (change, -change))


@frozen(eq=False)
class Monthly(Toy):
    """Periodic: the surplus of a period, and one point lost by everybody at its end."""

    name = "monthly"
    cadence = Cadence.PERIODIC
    cut: str = "month"

    @property
    def period(self) -> Period:
        return Period.parse(self.cut)

    def rate(self, state: State, games: Games) -> Rated:
        self.calls.append(seen(state, games))
        rating, change = state.copy("rating"), 10.0 * (games.score - 0.5)
        np.add.at(rating, games.a, change)
        np.add.at(rating, games.b, -change)
        lost = np.full(len(rating), -1.0)
        count = state.copy("count") + 1
        moved = state.replace(rating=rating + lost, count=count)
        return Rated(moved, np.full(len(games), 0.5), (change, -change), after={"lost": lost})


@frozen(eq=False)
class Tables(Toy):
    """Periodic over sides: each member wins the score of the side."""

    name = "tables"
    cadence = Cadence.PERIODIC
    reads = Sides
    cut: str = "event"

    @property
    def period(self) -> Period:
        return Period.parse(self.cut)

    def rate(self, state: State, games: Sides) -> Rated:
        self.calls.append(seen(state, games))
        rating, change = state.copy("rating"), np.repeat(games.score, np.diff(games.side))
        np.add.at(rating, games.player, change)
        return Rated(state.replace(rating=rating), games.score * 2, change)


@frozen(eq=False)
class Whole(Toy):
    """Retrospective: a player's rating is the starting one plus all points won; fitted is what was scored."""

    name = "whole"
    cadence = Cadence.RETROSPECTIVE

    def rate(self, state: State, games: Games) -> Solved:
        self.calls.append(seen(state, games))
        rating = state.copy("rating")
        np.add.at(rating, games.a, games.score)
        np.add.at(rating, games.b, 1 - games.score)
        who = np.arange(len(rating))
        track = Track(who, np.full(len(who), games.span.start), {"rating": rating - 1})
        return Solved(state.replace(rating=rating), games.score.copy(), track)

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(0.5 + (state["rating"][games.a] - state["rating"][games.b]) / 1000)


@frozen(eq=False)
class Peeking(Whole):
    """Forecasts what it sees of the scores; sees nothing."""

    name = "peeking"

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.where(np.isnan(games.score), 0.5, games.score))


@frozen(eq=False)
class Unrated(Toy):
    """Continuous: nobody has a rating but by a seed, and no game moves one; a status tells who has."""

    name = "unrated"
    cadence = Cadence.CONTINUOUS

    def columns(self) -> tuple[Column, ...]:
        return (
            Column("rating", np.nan, digits=0), Column("deviation", 350.0, digits=1),
            Column("status", 0.0, labels=("new", "known")), Column("hidden", digits=None),
        )  # fmt: skip

    def rate(self, state: State, games: Games) -> Rated:
        zero = np.zeros(len(games))
        return Rated(state, zero, (zero, zero))


@frozen(eq=False)
class Wrong(Toy):
    """Returns whatever it is told to."""

    name = "wrong"
    cadence = Cadence.CONTINUOUS
    answer: Any = None

    def rate(self, state: State, games: Games) -> Any:
        return self.answer(state, games)


@frozen(eq=False)
class Aged(Walk):
    """Reads a field of results and one of players."""

    name = "aged"
    needs = (Need("k", default=1.0), Need("born", of="player", default=2000.0))

    def rate(self, state: State, games: Games) -> Rated:
        change = games["k"] * (games["born"][games.a] - games["born"][games.b])
        rating = state.copy("rating")
        np.add.at(rating, games.a, change)
        return Rated(state.replace(rating=rating), np.full(len(games), 0.5), (change, np.zeros(len(games))))


def ratings(replay: Any) -> dict[str, float]:
    """Rating of every player of a replay."""
    return {replay.view.name(row): rating for row, rating in enumerate(replay.state["rating"].tolist())}


def column(replay: Any, name: str) -> dict[str, float]:
    """A column of every player of a replay."""
    return {replay.view.name(row): value for row, value in enumerate(replay.state[name].tolist())}
