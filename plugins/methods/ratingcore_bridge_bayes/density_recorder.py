"""Records the predictive density of results while a method rates them, for the estimation of its parameters."""

from typing import Any, Protocol

from attrs import field, frozen

from ratingcore.plugin import Method, Rated, Sides, State, Wrapped
from ratingcore_bridge_bayes.outcome import Outcome


class Playing(Protocol):
    """A method whose outcomes have the predictive density of each result."""

    def play(self, state: State, results: Sides) -> Outcome: ...


@frozen(eq=False)
class DensityRecorder(Wrapped):
    """Wraps a method, and records the logarithm of the predictive density of all that it rates.

    Parameters
    ----------
    method : Method
    playing : Playing
        The same method.
    likelihood : list of float
        One sum over its results per call.
    results : list of int
        Number of results of each call.
    """

    method: Method
    playing: Playing
    likelihood: list[float] = field(factory=list)
    results: list[int] = field(factory=list)

    def rate(self, state: State, games: Any) -> Rated:
        outcome = self.playing.play(state, games)
        self.likelihood.append(float(outcome.likelihood().sum()))
        self.results.append(len(games))
        return outcome.rated()
