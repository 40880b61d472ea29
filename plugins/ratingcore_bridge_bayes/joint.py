"""Strengths with all their covariances: exact, and what others' results say of a player counts as well.

The player's columns stand as his own last result (or seed) left them. What others' results have moved since is
kept beside them, in columns of the pool, and is added before his next result, as a line of its own: so an idle player
is touched by nothing but his own results, like the growth of his deviation. A player without a last day, new or just
seeded, is known by his columns alone.
"""

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ratingcore.plugin import DAY, Floats, Ints, State
from ratingcore_bridge_bayes.conditioning import condition
from ratingcore_bridge_bayes.outcome import Outcome
from ratingcore_bridge_bayes.reading import Reading

OTHERS = "results of others"
"""Label of the line that tells what others' results moved a player since his last own one."""


@frozen(eq=False)
class Joint:
    """What is known of a pool: columns to work in, one row a player.

    Parameters
    ----------
    rating, deviation, last : (n,) float64
        As of each player's own last result or seed; `last` in days since 1970.
    shift : (n,) float64, rating points
        What others' results have moved since.
    covariance : (n, n) float64, rating points squared
        Of strengths as of each player's last day.
    """

    rating: Floats
    deviation: Floats
    last: Floats
    shift: Floats
    covariance: Floats

    @classmethod
    def of(cls, state: State) -> "Joint":
        """The columns of a state, to write in."""
        n = len(state["rating"])
        shift, covariance = state["shift"][0, :n].copy(), state["covariance"][0, :n, :n].copy()
        return cls(state.copy("rating"), state.copy("deviation"), state.copy("last"), shift, covariance)

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
        """Who is known by his own columns only."""
        return np.asarray(np.isnan(self.last) | (np.diag(self.covariance) == 0.0))

    @property
    def mean(self) -> Floats:
        """Strengths as they are estimated now."""
        return np.where(self.alone, self.rating, self.rating + self.shift)

    def known(self, drift: float, day: float) -> Floats:
        """The covariance matrix on a day, drift included."""
        alone = self.alone
        whole = np.where(alone[:, None] | alone, 0.0, self.covariance)
        own = np.where(alone, self.deviation**2, np.diag(self.covariance))
        np.fill_diagonal(whole, own + drift * _idle(self.last, day))
        return whole

    def play(self, reading: Reading, drift: float) -> Outcome:
        """Rate results in order of play."""
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
        """Bring members up to the day of a result: drift, and what others' results have moved since, which is told."""
        for i in member[self.alone[member]].tolist():
            self.shift[i] = self.covariance[i, :] = self.covariance[:, i] = 0.0
            self.covariance[i, i] = self.deviation[i] ** 2
        self.covariance[member, member] += drift * _idle(self.last[member], day)
        brought = self.shift[member]
        self.rating[member] += brought
        self.shift[member], self.last[member] = 0.0, day
        return brought

    def _learn(self, reading: Reading, result: int, outcome: Outcome) -> Floats:
        """Learn from a result whose members are awake; what it moved them."""
        member, weights, lead = reading.rows(result)
        noise, was = float(reading.noise[result]), self.rating[member]
        gap, shared = weights @ was, weights @ self.covariance[np.ix_(member, member)]
        mean = self.rating + self.shift
        seen = condition(mean, self.covariance, member, weights, lead, noise)
        self.rating[member] = mean[member]
        self.shift[:] = mean - self.rating
        self.deviation[member] = np.sqrt(self.covariance[member, member])
        both = gap if len(gap) > 1 else np.array([gap[0], -gap[0]])
        variance = noise + float((shared * weights).sum(axis=1).mean())
        outcome.tell(result, reading.method.s0 + both, variance, seen.likelihood)
        return np.asarray(mean[member] - was)


def _idle(last: Floats, day: float) -> Floats:
    """Days since the last day, 0 where there is none."""
    return np.maximum(np.where(np.isnan(last), 0.0, day - last), 0.0)
