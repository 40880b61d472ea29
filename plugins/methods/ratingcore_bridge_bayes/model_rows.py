"""Sessions as rows of the model: weights of the players for and against each score, and its noise."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadField, BadResult, Bools, Floats, Ints, Sides, Strengths, kernel
from ratingcore.plugin.rules import member_weights
from ratingcore_bridge_bayes.conditioning import condition
from ratingcore_bridge_bayes.density import NORMAL, Density
from ratingcore_bridge_bayes.large_field import LARGE, Learnt, learn_field, opposed
from ratingcore_bridge_bayes.posterior import learn
from ratingcore_bridge_bayes.sharing import BAYES, Sharing

MOST_SIDES = 256
"""Largest number of sides of a session if scatter is not normal: the memory for draws grows with its square."""


class Scoring(Protocol):
    """The parameters of a method that are needed to read scores."""

    @property
    def name(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def s0(self) -> float: ...
    @property
    def k(self) -> float: ...
    @property
    def sigma1(self) -> float: ...
    @property
    def tau(self) -> float: ...
    @property
    def per(self) -> str: ...
    @property
    def density(self) -> Density: ...
    @property
    def draws(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def pair_k(self) -> float | None: ...
    @property
    def sharing(self) -> Sharing: ...


class Rows(NamedTuple):
    """One result as rows of the model: its members, their weights, and the scores less s0."""

    member: Ints
    weights: Floats
    lead: Floats


@frozen(eq=False)
class Reading:
    """Results that fit the model, as columns.

    Parameters
    ----------
    method : Scoring
    sides : Sides
    start : (n + 1,) int
        First member of each result.
    noise : (n,) float64, units of the score squared
        Variance of each result when all strengths are known.
    boards : (n,) float64 or None
        Boards over which scores are totals; None where scores are means.
    fields : (f,) int
        Indices of the results with more than two sides.
    line : (n,) float64
        How many sides, from the first, sit in the first line of a field; 0 where it has no lines.
    pairs : bool
        Whether every side is a pair whose players both played throughout.
    weight : (members,) float64 or None
        Part of the boards that each member played; None if all played throughout.
    """

    method: Scoring
    sides: Sides
    start: Ints
    noise: Floats
    boards: Floats | None
    fields: Ints
    line: Floats
    pairs: bool
    weight: Floats | None

    @property
    def plain(self) -> bool:
        """Whether results scatter normally and ratings change exactly by Bayes' rule."""
        method = self.method
        return method.density == NORMAL and method.pair_k is None and method.sharing == BAYES

    def seats(self, members: slice) -> Floats:
        """Share of the boards that some members played."""
        if self.weight is None:
            return np.broadcast_to(1.0, members.stop - members.start)
        return self.weight[members]

    def learn(
        self, mean: Floats, covariance: Floats, member: Ints, weights: Floats, lead: Floats, noise: float
    ) -> float:
        """Learns the rows of a result in place; returns the logarithm of their density."""
        method = self.method
        if method.density == NORMAL:
            return condition(mean, covariance, member, weights, lead, noise).likelihood
        return learn(mean, covariance, member, weights, lead, noise, method.density, method.draws, method.seed)

    def learn_apart(self, result: int, mean: Floats, own: Floats, noise: float) -> Learnt:
        """Learns a session of many sides whose members' strengths are independent beforehand."""
        if self.large(result) and self.method.density == NORMAL:
            members = slice(int(self.start[result]), int(self.start[result + 1]))
            low, high = int(self.sides.result[result]), int(self.sides.result[result + 1])
            return learn_field(
                mean, own, self.seats(members), self.sides.side[low : high + 1] - members.start,
                int(self.line[result]), self.lead(result), self.method.k, noise,
            )  # fmt: skip
        mean, covariance = mean.copy(), np.diag(own)
        member, weights, lead = self.rows(result)
        gap, before = weights @ mean, noise + (weights**2 * own).sum(axis=1)
        likelihood = self.learn(mean, covariance, np.arange(len(member)), weights, lead, noise)
        return Learnt(mean, np.diag(covariance), gap, float(before.mean()), likelihood)

    def large(self, result: int) -> bool:
        """Whether a result has so many sides that work must not grow with their square."""
        return bool(self.sides.result[result + 1] - self.sides.result[result] > LARGE)

    def opposing(self, result: int) -> Floats:
        """Weights of the sides in each row of a result: 1 for the side itself, -1 shared among the sides it met."""
        n = int(self.sides.result[result + 1] - self.sides.result[result])
        if n == 2:
            return np.array([[1.0, -1.0]])
        line = np.arange(n) < int(self.line[result])
        met = line[:, None] != line if line.any() else ~np.eye(n, dtype=np.bool_)
        return np.asarray(np.eye(n) - met / met.sum(axis=1, keepdims=True))

    def rows(self, result: int) -> Rows:
        """Returns a result as rows of the model: a single row for two sides, a row per side for a field."""
        sides = self.sides
        sizes = np.diff(sides.side[int(sides.result[result]) : int(sides.result[result + 1]) + 1])
        weights = self.method.k * np.repeat(self.opposing(result), sizes, axis=1)
        if self.weight is not None:
            weights = weights * self.weight[self.start[result] : self.start[result + 1]]
        return Rows(self.member(result), weights, self.lead(result))

    def member(self, result: int) -> Ints:
        """Rows of the players of a result."""
        return self.sides.player[self.start[result] : self.start[result + 1]]

    def lead(self, result: int) -> Floats:
        """The scores of a result less what equal sides expect: one number for two sides, otherwise one per side."""
        score = self.sides.score[self.sides.result[result] : self.sides.result[result + 1]]
        n = len(score)
        own = np.array([0.5 * (score[0] - score[1])]) if n == 2 else score
        lead = own if self.boards is None else own / self.boards[result]
        return lead if n == 2 else lead - self.method.s0

    def spreads(self, result: int, own: Floats) -> Floats:
        """Spreads of the sides of a field, from the variance of each member beforehand.

        Scores of two sides differ by the noise of both, and by the gap of their strengths times `k n / (n - 1)` in a
        field of n sides without lines, or times `k` within a line: all other opponents are the same.
        """
        sides = self.sides
        low, high = int(sides.result[result]), int(sides.result[result + 1])
        members = slice(int(self.start[result]), int(self.start[result + 1]))
        known = np.add.reduceat(own * self.seats(members) ** 2, sides.side[low:high] - members.start)
        reach = 1.0 if self.line[result] else (high - low) / (high - low - 1)
        return np.asarray(self.noise[result] + (self.method.k * reach) ** 2 * known)

    def strengths(self, expected: Floats, variance: Floats, spreads: Mapping[int, Floats]) -> Strengths:
        """Returns the strengths of the sides, from which the chances to be ahead follow.

        Parameters
        ----------
        expected : (sides,) float64, units of the score
        variance : (n,) float64
            Predictive variance of results of two sides.
        spreads : mapping of result to (sides,) float64
            Spreads of the sides of each field.
        """
        sides = self.sides
        many = np.diff(sides.result)
        mean = expected if self.boards is None else expected / np.repeat(self.boards, many)
        spread = np.repeat(2.0 * variance, many)  # `variance` is that of half the difference of two scores
        for result, own in spreads.items():
            spread[int(sides.result[result]) : int(sides.result[result + 1])] = own
        return Strengths(mean, spread, "normal")

    def forecast(self, mean: Floats) -> Floats:
        """Expected score of each side, from the strengths in `mean`."""
        sides = self.sides
        if not len(sides.score):
            return np.empty(0)
        own = mean[sides.player] if self.weight is None else mean[sides.player] * self.weight
        strength = np.add.reduceat(own, sides.side[:-1])
        gap = np.empty(len(strength))
        first = sides.result[:-1][np.diff(sides.result) == 2]
        gap[first] = self.method.k * (strength[first] - strength[first + 1])
        gap[first + 1] = -gap[first]
        for result in self.fields.tolist():
            low, high = int(sides.result[result]), int(sides.result[result + 1])
            large = self.large(result)
            ahead = opposed(strength[low:high], int(self.line[result])) if large else None
            gap[low:high] = self.method.k * (self.opposing(result) @ strength[low:high] if ahead is None else ahead)
        score = self.method.s0 + gap
        return score if self.boards is None else score * np.repeat(self.boards, np.diff(sides.result))


@kernel
def are_pairs(side: Ints) -> bool:
    """Whether every side has two members; `side` holds where the members of each begin."""
    others = 0
    for s in range(len(side) - 1):
        if side[s + 1] - side[s] != 2:
            others += 1
    return others == 0


def read(method: Scoring, sides: Sides) -> Reading:
    """Reads results and checks that they fit the model; scores are checked when they are used.

    Raises
    ------
    BadResult
        If a result is a game, or sides of one result have different numbers of players by their weights.
    BadField
        If `boards` is not above zero, a weight is not a part of the boards, or `first_line` leaves a line empty.
    """
    for r in np.flatnonzero(sides.games)[:1]:
        why = f"it is a game, and scores of games are shares of a point, not {method.unit}s: record a session instead"
        raise BadResult(method.name, _where(sides, int(r)), why)
    n = len(sides)
    two = len(sides.score) == 2 * n  # no result has fewer sides
    fields = np.empty(0, dtype=np.int64) if two else np.flatnonzero(np.diff(sides.result) > 2)
    if method.density != NORMAL:
        for r in fields[np.diff(sides.result)[fields] > MOST_SIDES][:1]:
            n_sides = int(sides.result[r + 1] - sides.result[r])
            why = f"it has {n_sides} sides, and density={method.density} rates up to {MOST_SIDES}; "
            why += "density=normal rates any number"
            raise BadResult(method.name, _where(sides, int(r)), why)
    weights = member_weights(sides, method.name, "the part of the boards that a player played")
    weight = weights if len(weights) else None
    pairs = weight is None and are_pairs(sides.side)
    if not pairs:
        _equal_sizes(method, sides, weight)
    boards = sides["boards"] if method.per == "board" else None
    noise = np.broadcast_to(np.float64(method.sigma1**2), n)
    if boards is not None:
        for r in np.flatnonzero(~(boards > 0.0))[:1]:
            raise BadField(method.name, "boards", float(boards[r]), _where(sides, r), "must be above zero")
        noise = noise / boards + method.tau**2
    return Reading(
        method, sides, sides.side[::2] if two else sides.side[sides.result], noise,
        boards if method.unit == "imp" else None, fields, _lines(method, sides), pairs, weight,
    )  # fmt: skip


def unfit(method: Scoring, sides: Sides) -> dict[str, Bools]:
    """Results that do not fit the model because of their contents, by reason: those that `read` would refuse."""
    how_many, size, weight = np.diff(sides.result), np.diff(sides.side).astype(np.float64), sides["weights"]
    odd: dict[str, Bools] = {"a game, not a session": np.asarray(sides.games)}
    if method.density != NORMAL:
        odd[f"more than {MOST_SIDES} sides"] = how_many > MOST_SIDES
    if not (weight == 1.0).all():
        odd["unreadable weights"] = sides.with_member(~((weight > 0.0) & (weight <= 1.0)))
        size = np.add.reduceat(weight, sides.side[:-1])
    odd["sides of unequal size"] = sides.with_side(np.abs(size - np.repeat(size[sides.result[:-1]], how_many)) > 1e-6)
    if method.per == "board":
        odd["unreadable boards"] = ~(sides["boards"] > 0.0)
    odd["unreadable first_line"] = _bad_lines(sides["first_line"], how_many)
    return odd


def _bad_lines(line: Floats, how_many: Ints) -> Bools:
    """True for a first line that is neither 0 nor a whole number that leaves the other line at least one side."""
    return np.asarray((line != 0.0) & ~((line >= 1.0) & (line < how_many) & (line == np.floor(line))))


def _equal_sizes(method: Scoring, sides: Sides, weight: Floats | None) -> None:
    size = np.diff(sides.side).astype(np.float64)
    if weight is not None:
        size = np.add.reduceat(weight, sides.side[:-1])
    uneven = np.abs(size - np.repeat(size[sides.result[:-1]], np.diff(sides.result))) > 1e-6
    for s in np.flatnonzero(uneven)[:1]:
        r = _result_of(sides, int(s))
        first = float(size[sides.result[r]])
        why = f"its sides must have equally many players, and have {first:.6g} and {size[s]:.6g}"
        if weight is None and (np.diff(sides.side)[sides.result[r] : sides.result[r + 1]].max()) > 2:
            why += "; if a substitute played some of the boards, give each player's part of them in the field weights"
        raise BadResult(method.name, _where(sides, r), why)


def _result_of(sides: Sides, side: int) -> int:
    return int(np.searchsorted(sides.result, side, "right")) - 1


def _lines(method: Scoring, sides: Sides) -> Floats:
    line = sides["first_line"]
    if line.any():
        how_many = np.diff(sides.result)
        for r in np.flatnonzero(_bad_lines(line, how_many))[:1]:
            why = f"must be a whole number from 1 to {int(how_many[r]) - 1}, since both lines need a side"
            raise BadField(method.name, "first_line", float(line[r]), _where(sides, r), why)
    return line


def _where(sides: Sides, result: int) -> str:
    return f"position {sides.position[result]}"
