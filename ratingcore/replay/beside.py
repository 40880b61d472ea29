"""What a method lists beside the rating, such as a deviation, just before and after every result of some players."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.events import Instant
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.kernels import kernel
from ratingcore.methods.state import State
from ratingcore.replay.contract_check import shown_by
from ratingcore.tables.arrays import Floats, Ints


@frozen(eq=False)
class Watch:
    """Whose further columns a replay keeps: what the method would list of them beside the rating, line by line.

    Parameters
    ----------
    players : (n,) int or None
        Rows of the state; None for everybody.
    """

    players: Ints | None = None

    def among(self, players: int) -> NDArray[np.bool_]:
        """(players,) bool: who is watched."""
        if self.players is None:
            return np.ones(players, dtype=np.bool_)
        chosen = np.zeros(players, dtype=np.bool_)
        chosen[self.players] = True
        return chosen


def names_beside(method: Method) -> tuple[str, ...]:
    """Names of what a method lists beside the rating, in the order in which lists have them."""
    start = State.start(method.columns(), 1, 1)
    return tuple(name for name in shown_by(method, start, 0) if name != "rating")


def listed_beside(method: Method, state: State, rows: Ints, at: Ints | Instant) -> dict[str, Floats]:
    """What the lists of these instants would show of some rows of a state beside the rating, unrounded.

    Parameters
    ----------
    rows : (n,) int
    at : (n,) int64, or int
        The instant of each row's list, or of all; a deviation may grow until then.
    """
    own, columns = state, method.columns()
    if method.cadence is not Cadence.RETROSPECTIVE and all(column.per == "player" for column in columns):
        # what such a method lists of players depends on their own rows alone: the others are not looked at
        own, rows = _rows_of(state, rows), np.arange(len(rows))
    times, which = np.unique(np.broadcast_to(np.asarray(at, dtype=np.int64), rows.shape), return_inverse=True)
    filled: dict[str, Floats] = {}
    for number, time in enumerate(times.tolist()):
        chosen = np.flatnonzero(which == number) if len(times) > 1 else slice(None)
        for name, column in shown_by(method, own, time).items():
            if name != "rating":
                filled.setdefault(name, np.full(len(rows), np.nan))[chosen] = column[rows[chosen]]
    return filled


def _rows_of(state: State, rows: Ints) -> State:
    return State({name: state[name][rows] for name in state.names})


class Beside:
    """Keeps further columns of a run on its way.

    Parameters
    ----------
    method : Method
    watch : Watch
    member, member_start : (members,) and (results + 1,) int
        Players of the results, result by result, and where those of each begin.
    played : (results,) int64
    players, seeds : int
        How many there are.

    Attributes
    ----------
    before, after : mapping of name to (members,) float64
        Just before the result of each member, and after it; NaN for those who are not watched.
    sown : mapping of name to (seeds,) float64
        Of the player of each seed, after it.
    """

    def __init__(
        self, method: Method, watch: Watch, member: Ints, member_start: Ints, played: Ints, players: int, seeds: int
    ) -> None:
        self._method = method
        self._member, self._member_start, self._played = member, member_start, played
        self._watched = watch.among(players)
        names = names_beside(method)
        self.before = {name: np.full(len(member), np.nan) for name in names}
        self.after = {name: np.full(len(member), np.nan) for name in names}
        self.sown = {name: np.full(seeds, np.nan) for name in names}

    def cuts(self) -> Ints:
        """Results before which a call has to end, so that nobody who is watched sits in two results of one call."""
        begins = np.zeros(len(self._played), dtype=np.int8)
        if self.before:
            seen = np.zeros(len(self._watched), dtype=np.int64)
            _calls(self._member, self._member_start, self._watched, seen, begins)
        return np.flatnonzero(begins)

    def note(self, start: int, stop: int, before: State | None, after: State | None, at: Instant | None = None) -> None:
        """Notes the members of the results from `start` to before `stop`: with the state before, the state after.

        Parameters
        ----------
        at : int or None
            When the state after stands; each at the time of its own result if None.
        """
        if not self.before or start == stop:
            return
        first, last = self._member_start[[start, stop]].tolist()
        own = first + np.flatnonzero(self._watched[self._member[first:last]])
        if not len(own):
            return
        played = self._played[np.searchsorted(self._member_start, own, "right") - 1]
        rows = self._member[own]
        for kept, state, times in ((self.before, before, played), (self.after, after, played if at is None else at)):
            if state is not None:
                for name, column in listed_beside(self._method, state, rows, times).items():
                    if name in kept:
                        kept[name][own] = column

    def note_seeds(self, which: Ints, rows: Ints, state: State, played: Ints) -> None:
        """Notes the players of some seeds, just after these were planted."""
        some = np.flatnonzero(self._watched[rows]) if self.sown else rows[:0]
        if len(some):
            for name, column in listed_beside(self._method, state, rows[some], played[some]).items():
                if name in self.sown:
                    self.sown[name][which[some]] = column

    def settled(self, state: State, at: Instant) -> Mapping[str, Floats]:
        """Further columns of everybody at the end of a call."""
        return listed_beside(self._method, state, np.arange(len(state["rating"])), at) if self.before else {}


@kernel
def _calls(member: Ints, member_start: Ints, watched: NDArray[np.bool_], seen: Ints, begins: Ints) -> None:
    """Greedy: a call goes on until somebody who is watched would sit in it for the second time."""
    call = 1
    for r in range(len(member_start) - 1):
        again = False
        for m in range(member_start[r], member_start[r + 1]):
            if watched[member[m]] and seen[member[m]] == call:
                again = True
        if again:
            call += 1
            begins[r] = 1
        for m in range(member_start[r], member_start[r + 1]):
            seen[member[m]] = call


def stretches(start: int, stop: int, cuts: Ints, most: int) -> list[tuple[int, int]]:
    """The results from `start` to before `stop` in calls of at most so many, none across a cut."""
    inside = cuts[np.searchsorted(cuts, start, "right") : np.searchsorted(cuts, stop)]
    edges: list[int] = []
    for first, last in pairwise([start, *inside.tolist(), stop]):
        edges += range(first, last, most)
    return list(pairwise([*edges, stop]))


def chosen_of(columns: Mapping[str, Floats], which: Any) -> dict[str, Floats]:
    """Some of the numbers of each column."""
    return {name: column[which] for name, column in columns.items()}
