"""A method that is watched: how likely each result was before it was used."""

from typing import Any, Protocol

from attrs import field, frozen

from ratingcore.plugin import Method, Rated, Sides, State, Wrapped
from ratingcore_bridge_bayes.outcome import Outcome


class Playing(Protocol):
    """A method that says how likely results were."""

    def play(self, state: State, results: Sides) -> Outcome: ...


@frozen(eq=False)
class DensityRecorder(Wrapped):
    """Rates as the method it holds, and notes the logarithms of the densities of what it rates.

    Parameters
    ----------
    method : Method
    playing : Playing
        The same method.
    likelihood : list of float
        Of each call, the sum over its results.
    results : list of int
        How many results each call had.
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
