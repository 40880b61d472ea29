"""What a replay leaves behind: the state, and on request what every result was expected to be and moved."""

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from attrs import field, frozen

from ratingcore.events import Instant
from ratingcore.methods.contract import Method, Track
from ratingcore.methods.kernels import kernel
from ratingcore.methods.state import State
from ratingcore.tables.arrays import Floats, Ints
from ratingcore.tables.games import Games
from ratingcore.tables.sides import Sides
from ratingcore.tables.timeline import SeedTable
from ratingcore.tables.view import View


@frozen(eq=False)
class Settled:
    """What moved players at the end of a call and by no result."""

    label: str
    index: int
    call: int
    at: Instant
    amount: Floats


@frozen(eq=False)
class Sown:
    """Where seeds were planted: before which result and in which call, what rating that gave, what it moved."""

    seeds: SeedTable
    index: Ints
    call: Ints
    rating: Floats
    jump: Floats


@frozen(eq=False)
class Moves:
    """What every result of a replay was expected to be and moved, in order of play.

    Parameters
    ----------
    expected : (n,) or (sides,) float64
    change : (members,) float64
        What each result moved the rating of each of its members, result by result.
    draw : (n,) float64 or None
        Chance of a draw, where the method gives it.
    before : mapping of label to (members,) float64
        What moved just before a result and not by it.
    held : (members,) float64 or None
        Rating of the members before the result, where it is not the running sum (periodic methods).
    after : list of Settled
    notes : mapping of name to (n,) float64
    """

    expected: Floats
    change: Floats
    draw: Floats | None
    before: Mapping[str, Floats]
    held: Floats | None
    after: list[Settled]
    notes: Mapping[str, Floats]


@frozen(eq=False)
class Replay:
    """A method run over a view.

    Parameters
    ----------
    method : Method
    view : View
    state : State
        After the last result that counts.
    at : int
        Instant the state stands for, the date of a list.
    results : Games or Sides
        What was rated, in order of play.
    sown : Sown
    moves : Moves or None
        Kept on request.
    track : Track or None
        What a retrospective method says of the past.
    fitted : float64 or None
        Fitted scores of a retrospective method: hindsight.
    """

    method: Method
    view: View
    state: State
    at: Instant
    results: Games | Sides
    sown: Sown
    moves: Moves | None = None
    track: Track | None = None
    fitted: Floats | None = None
    since: Instant | None = None
    """The instant after which it begins; None if it holds everything."""
    start: Floats = field(factory=lambda: np.empty(0))
    """Rating of every player before anything."""

    @property
    def games(self) -> Ints:
        """How many results of the view each player took part in."""
        return self.view.played_counts()

    @cached_property
    def member(self) -> Ints:
        """Players of all results, result by result."""
        return self.results.player if isinstance(self.results, Sides) else paired(self.results.a, self.results.b)

    @cached_property
    def rating_before(self) -> Floats:
        """Rating of every member just before its result, what moved before it included; unrounded."""
        assert self.moves is not None, "the replay was not asked to keep moves"
        if self.moves.held is not None:
            return self.moves.held
        before = np.zeros(len(self.member))
        for moved in self.moves.before.values():
            before += moved
        index = np.minimum(self.sown.index, len(self.results))
        planted = self.member_start[index]
        known = np.empty(len(self.member))
        order = np.argsort(planted, kind="stable")
        _walk(
            self.member, before, self.moves.change, planted[order], self.sown.seeds.player[order],
            self.sown.rating[order], self.start.copy(), known,
        )  # fmt: skip
        return known

    @cached_property
    def member_start(self) -> Ints:
        """Index of the first member of each result, and the number of all."""
        if isinstance(self.results, Sides):
            return self.results.side[self.results.result]
        return np.arange(0, 2 * len(self.results) + 1, 2)


@kernel
def _walk(
    member: Ints,
    before: Floats,
    change: Floats,
    planted: Ints,
    seeded: Ints,
    seed: Floats,
    rating: Floats,
    known: Floats,
) -> None:
    s = 0
    for m in range(len(member)):
        while s < len(planted) and planted[s] <= m:
            rating[seeded[s]] = seed[s]
            s += 1
        i = member[m]
        known[m] = rating[i] + before[m]
        rating[i] = known[m] + change[m]


def paired(a: Ints, b: Ints) -> Ints:
    """Two columns of games as one of members: a, b, a, b, ..."""
    flat = np.empty(2 * len(a), dtype=a.dtype)
    flat[0::2], flat[1::2] = a, b
    return flat
