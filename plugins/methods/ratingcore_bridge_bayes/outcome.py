"""The outcome of a call, filled result by result and then turned into what `rate` returns."""

from collections.abc import Mapping
from math import log, pi

import numpy as np
from attrs import evolve, field, frozen

from ratingcore.plugin import Change, Floats, Rated, State, Strengths
from ratingcore_bridge_bayes.density import NORMAL
from ratingcore_bridge_bayes.model_rows import Reading


@frozen(eq=False)
class Outcome:
    """Columns over results, their sides and their members.

    Parameters
    ----------
    reading : Reading
    expected : (sides,) float64, units of the score
    variance : (n,) float64, units of the score squared, of a board where scores are totals
        Predictive variance of a result; for a field, the mean over its sides.
    change : (members,) float64, rating points
    likelihoods : mapping of result to float
        Logarithm of the likelihood of each result that was learnt row by row.
    spreads : mapping of result to (sides,) float64, units of the score squared
        Spreads of the sides of fields.
    state : State or None
        After the results.
    before : mapping of label to (members,) float64, rating points
    """

    reading: Reading
    expected: Floats
    variance: Floats
    change: Floats
    likelihoods: dict[int, float] = field(factory=dict)
    spreads: dict[int, Floats] = field(factory=dict)
    state: State | None = None
    before: Mapping[str, Change] = field(factory=dict)

    @classmethod
    def blank(cls, reading: Reading) -> "Outcome":
        """Columns to fill."""
        sides = reading.sides
        return cls(reading, np.empty(len(sides.score)), np.empty(len(sides)), sides.blank())

    def put(self, result: int, score: Floats, variance: float, likelihood: float) -> None:
        """Fills in a result whose rows were learnt one after the other."""
        start = self.reading.sides.result
        self.expected[start[result] : start[result + 1]] = score
        self.variance[result] = variance
        self.likelihoods[result] = likelihood

    def ended(self, state: State) -> "Outcome":
        """Returns the outcome with the state after it."""
        return evolve(self, state=state)

    def likelihood(self) -> Floats:
        """Logarithm of the density of every result before it was known."""
        sides, boards = self.reading.sides, self.reading.boards
        first = sides.result[:-1]
        came = 0.5 * (sides.score[first] - sides.score[first + 1])
        expected = self.expected[first] if boards is None else self.expected[first] / boards
        surprise = (came if boards is None else came / boards) - (expected - self.reading.method.s0)
        density = self.reading.method.density
        if density == NORMAL:
            logarithm = -0.5 * (log(2.0 * pi) + np.log(self.variance) + surprise**2 / self.variance)
        else:
            noise = self.reading.noise
            logarithm = density.learn(surprise, self.variance - noise, noise).likelihood
        for result, likelihood in self.likelihoods.items():
            logarithm[result] = likelihood
        return np.asarray(logarithm)

    def rated(self) -> Rated:
        """Returns the outcome in the form that `rate` returns."""
        assert self.state is not None
        return Rated(
            self.state, self.expected, self.change, before=self.before, notes={"variance": self.variance},
            strengths=self.strengths,
        )  # fmt: skip

    def strengths(self) -> Strengths:
        """The expected scores of the sides; per board if scores are totals."""
        return self.reading.strengths(self.expected, self.variance, self.spreads)
