"""Result of a replay: the final state and, on request, the moves from which its ledger is made."""

from collections.abc import Callable
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Games, Ints, interleaved
from ratingcore.columns.sides import Sides
from ratingcore.columns.view import View
from ratingcore.events import Instant
from ratingcore.lazy_imports import Later
from ratingcore.methods.contract import Method, Track
from ratingcore.methods.first_ratings import Carried
from ratingcore.methods.state import State
from ratingcore.methods.text import identity
from ratingcore.replay.contract_check import NO_REMARKS, Remarks
from ratingcore.replay.moves import Moves, Sown
from ratingcore.replay.period_calls import Call

if TYPE_CHECKING:
    from ratingcore.replay.ledger import Ledger, of_moves, of_track
else:  # lists ask for no ledger
    of_moves, of_track = (Later("ratingcore.replay.ledger", name) for name in ("of_moves", "of_track"))


@frozen(eq=False)
class Replay:
    """Result of running a method over a view.

    Parameters
    ----------
    method : Method
    view : View
    state : State
        State after the last result that counts.
    at : int
        Instant of the state: the date of a list.
    results : Games or Sides, or callable
        Rated results in order of play, or a function that returns them.
    sown : Sown
    moves : Moves or None
        None if the run did not keep them.
    track : Track or None
        Past ratings, for a retrospective method.
    fitted : float64 or None
        Fitted scores of all results by a retrospective method: they are no forecasts.
    """

    method: Method
    view: View
    state: State
    at: Instant
    _results: Games | Sides | Callable[[], Games | Sides] = field(alias="results")
    sown: Sown
    moves: Moves | None = None
    track: Track | None = None
    fitted: Floats | None = None
    covariance: Callable[[int, int], float] | None = None
    """Covariance of the ratings of two players, given by row, for whole-pool methods that have it."""
    degrees: float = inf
    """Degrees of freedom of the deviations: infinite for the normal curve."""
    since: Instant | None = None
    """The instant after which the replay begins; None if it holds everything."""
    start: Floats = field(factory=lambda: np.empty(0))
    """Rating of every player when the replay begins."""
    remarks: Remarks = NO_REMARKS
    trials: Carried = field(factory=dict)
    """Games that do not yet make a first rating, by row of the newcomer; only if the run keeps them."""
    calls: tuple[Call, ...] = ()
    """Periods of a periodic method, by index of their results; empty in a replay made by `beyond`."""

    @cached_property
    def identity(self) -> str:
        """Identity of the method."""
        return identity(self.method)

    @cached_property
    def results(self) -> Games | Sides:
        """Rated results, in order of play."""
        return self._results() if callable(self._results) else self._results

    @property
    def games(self) -> Ints:
        """Number of results of each player in the view."""
        return self.view.played_counts()

    @cached_property
    def member(self) -> Ints:
        """Players of all results, result by result."""
        return members_of(self.results)[0]

    @cached_property
    def member_start(self) -> Ints:
        """Index of the first member of each result, and at the end the number of all members."""
        return members_of(self.results)[1]

    def result_of(self, members: Ints) -> Ints:
        """Returns the index of the result of each of these members."""
        if isinstance(self.results, Sides):
            return np.searchsorted(self.member_start, members, "right") - 1
        return members // 2

    def ledger(self, players: Ints | None = None) -> "Ledger":
        """Returns everything that moved a rating, in order of play.

        Requires a replay that kept its moves; without moves, the ledger holds the track of a retrospective method.

        Parameters
        ----------
        players : (n,) int or None
            Rows of the players, ascending; None for all. The work grows with the lines of these players, apart from one
            pass over all members.
        """
        if self.moves is None:
            return of_track(self.track, self.start, players)
        return of_moves(self.member, self.member_start, self.moves, self.sown, self.start, players)

    @cached_property
    def rating_before(self) -> Floats:
        """Unrounded rating of every member just before its result, including the changes just before it."""
        assert self.moves is not None, "the replay kept no moves"
        return self.ledger().before_results if self.moves.held is None else self.moves.held

    def ratings_before(self, members: Ints) -> Floats:
        """Returns `rating_before` of some members; for few members, without making the ledger of the others."""
        if self.moves is None or self.moves.held is not None or len(members) * 4 > len(self.member):
            return self.rating_before[members]
        players, place = np.unique(self.member[members]), np.unique(members)
        own = np.flatnonzero(np.isin(self.member, players))
        return self.ledger(players).before_results[np.searchsorted(own, place)][np.searchsorted(place, members)]

    def beyond(self, earlier: "Replay") -> "Replay":
        """Returns the part of this replay that follows an earlier, shorter replay of the same events."""
        assert self.moves is not None, "the replay kept no moves"
        n, since = len(earlier.results), earlier.view.through + 1
        start, rating = self.start.copy(), earlier.state["rating"]
        start[: len(rating)] = rating
        sides = int(self.results.result[n]) if isinstance(self.results, Sides) else n
        moves = self.moves.beyond(n, sides, int(self.member_start[n]), since)
        return evolve(
            self,
            results=self.results.part(n, len(self.results)),
            sown=self.sown.beyond(n, np.isnan(start), since),
            moves=moves.still(self._overruled(since)[int(self.member_start[n]) :]),
            start=start,
            calls=(),
        )

    def _overruled(self, since: Instant) -> NDArray[np.bool_]:
        """Returns a mask of members whose player got a seed, before `since`, that is later than their result."""
        seeds = self.sown.seeds
        given = np.flatnonzero((seeds.position > 0) & (seeds.played < since) & ~np.isnan(self.sown.rating))
        last = np.full(len(self.start), -1)
        np.maximum.at(last, seeds.player[given], self.sown.index[given])
        return self.result_of(np.arange(len(self.member))) < last[self.member]


def members_of(results: Games | Sides) -> tuple[Ints, Ints]:
    """Returns the players of all results, result by result, and the index of each result's first, plus the total."""
    if isinstance(results, Sides):
        return results.player, results.side[results.result]
    return interleaved(results.a, results.b), np.arange(0, 2 * len(results) + 1, 2)
