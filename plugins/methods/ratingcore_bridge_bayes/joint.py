"""Strengths with all their covariances: the exact posterior, in which a player also moves by the results of others.

The columns of a player stay as they were after their own last result or seed. Changes by others' results are kept in
columns of the pool, and added before the player's next result, as a separate line. So the rating of a player changes
only with their own results, as every continuous method promises. For players without a last day, who are new or just
seeded, the columns of the pool are ignored; the deviation from a seed is that of the day of the seed.
"""

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ratingcore.plugin import DAY, Floats, Ints, State
from ratingcore_bridge_bayes.model_rows import Reading
from ratingcore_bridge_bayes.outcome import Outcome

OTHERS = "results of others"
"""Label of the line with the change by others' results since a player's own last one."""


@frozen(eq=False)
class Joint:
    """The posterior of a pool: columns to write in, one row per player.

    Parameters
    ----------
    rating, deviation, last : (n,) float64
        As of each player's own last result or seed; `last` is the day of the result, in days since 1970.
    given : (n,) float64, days since 1970
        Day of the seed that gave the deviation; NaN where none did.
    shift : (n,) float64, rating points
        Change by others' results since then.
    covariance : (n, n) float64, rating points squared
        Covariances of strengths, as of each player's last day.
    """

    rating: Floats
    deviation: Floats
    last: Floats
    given: Floats
    shift: Floats
    covariance: Floats

    @classmethod
    def of(cls, state: State) -> "Joint":
        """Copies the columns of a state."""
        n = len(state["rating"])
        shift, covariance = state["shift"][0, :n].copy(), state["covariance"][0, :n, :n].copy()
        rating, deviation, last, given = (state.copy(name) for name in ("rating", "deviation", "last", "given"))
        return cls(rating, deviation, last, given, shift, covariance)

    def put(self, state: State) -> State:
        """The state with these columns."""
        n = len(self.rating)
        shift, covariance = state.copy("shift"), state.copy("covariance")
        shift[0, :n], covariance[0, :n, :n] = self.shift, self.covariance
        return state.replace(
            rating=self.rating, deviation=self.deviation, last=self.last, shift=shift, covariance=covariance
        )

    @property
    def alone(self) -> NDArray[np.bool_]:
        """True for players who are described by their own columns only."""
        return np.asarray(np.isnan(self.last) | (np.diag(self.covariance) == 0.0))

    @property
    def since(self) -> Floats:
        """The day from which the deviation of each player grows, NaN where it does not."""
        return np.where(np.isnan(self.last), self.given, self.last)

    @property
    def mean(self) -> Floats:
        """Strengths as estimated now, including others' results."""
        return np.where(self.alone, self.rating, self.rating + self.shift)

    def covariances(self, drift: float, day: float) -> Floats:
        """The covariance matrix on a day, drift included."""
        alone = self.alone
        whole = np.where(alone[:, None] | alone, 0.0, self.covariance)
        own = np.where(alone, self.deviation**2, np.diag(self.covariance))
        np.fill_diagonal(whole, own + drift * _idle(self.since, day))
        return whole

    def play(self, reading: Reading, drift: float) -> Outcome:
        """Rates results in order of play."""
        outcome, sides = Outcome.blank(reading), reading.sides
        brought = sides.blank()
        for r, day in enumerate((sides.played / DAY).tolist()):
            members = slice(int(reading.start[r]), int(reading.start[r + 1]))
            brought[members] = self._wake(sides.player[members], day, drift)
            outcome.change[members] = self._learn(reading, r, outcome)
        if reading.boards is not None:
            outcome.expected[:] *= np.repeat(reading.boards, np.diff(sides.result))
        return evolve(outcome, before={OTHERS: brought})

    def _wake(self, member: Ints, day: float, drift: float) -> Floats:
        """Brings members up to the day of a result, by drift and others' results; returns the changes by the latter."""
        for i in member[self.alone[member]].tolist():
            self.shift[i] = self.covariance[i, :] = self.covariance[:, i] = 0.0
            self.covariance[i, i] = self.deviation[i] ** 2
        self.covariance[member, member] += drift * _idle(self.since[member], day)
        brought = self.shift[member]
        self.rating[member] += brought
        self.shift[member], self.last[member] = 0.0, day
        return brought

    def _learn(self, reading: Reading, result: int, outcome: Outcome) -> Floats:
        """Learns from a result after `_wake`; returns the changes of its members."""
        member, weights, lead = reading.rows(result)
        noise, was = float(reading.noise[result]), self.rating[member]
        gap, shared = weights @ was, weights @ self.covariance[np.ix_(member, member)]
        if len(gap) > 1:
            outcome.spreads[result] = reading.spreads(result, self.covariance[member, member])
        mean = self.rating + self.shift
        likelihood = reading.learn(mean, self.covariance, member, weights, lead, noise)
        self.rating[member] = mean[member]
        self.shift[:] = mean - self.rating
        self.deviation[member] = np.sqrt(self.covariance[member, member])
        both = gap if len(gap) > 1 else np.array([gap[0], -gap[0]])
        variance = noise + float((shared * weights).sum(axis=1).mean())
        outcome.put(result, reading.method.s0 + both, variance, likelihood)
        return np.asarray(mean[member] - was)


def _idle(last: Floats, day: float) -> Floats:
    """Days since the last day, 0 where there is none."""
    return np.maximum(np.where(np.isnan(last), 0.0, day - last), 0.0)
