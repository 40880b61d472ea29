"""Record of further listed columns, such as a deviation, just before and after every result of some players."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints
from ratingcore.events import Instant
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.kernels import kernel
from ratingcore.methods.state import State
from ratingcore.replay.contract_check import shown_by

FEW_DAYS = 8
"""Largest number of days that are shown one by one. More days are shown at once, and this many of them are checked."""


@frozen(eq=False)
class Watch:
    """The players whose further listed columns a replay keeps, line by line.

    Parameters
    ----------
    players : (n,) int or None
        Rows of the state; None for everybody.
    together : bool
        Whether to watch only results in which two or more of these players take part.
    """

    players: Ints | None = None
    together: bool = False

    def among(self, players: int) -> NDArray[np.bool_]:
        """Returns a mask, (players,) bool, of the players whose columns are kept."""
        if self.players is None:
            return np.ones(players, dtype=np.bool_)
        chosen = np.zeros(players, dtype=np.bool_)
        chosen[self.players] = True
        return chosen

    def seats(self, member: Ints, member_start: Ints, players: int) -> NDArray[np.bool_]:
        """Returns a mask, (members,) bool, of the members of results that are watched."""
        watched: NDArray[np.bool_] = self.among(players)[member]
        if self.together:
            seat = np.flatnonzero(watched)
            result = np.searchsorted(member_start, seat, "right") - 1
            _, which, count = np.unique(result, return_inverse=True, return_counts=True)
            watched[seat[count[which] < 2]] = False
        return watched


def extra_names(method: Method) -> tuple[str, ...]:
    """Returns the names of the columns that a method lists besides the rating, in the order of lists."""
    start = State.start(method.columns(), 1, 1)
    return tuple(name for name in shown_by(method, start, 0) if name != "rating")


def extra_columns(method: Method, state: State, rows: Ints, at: Ints | Instant) -> dict[str, Floats]:
    """Returns the unrounded further columns of some rows of a state, as listed at these instants.

    Parameters
    ----------
    rows : (n,) int
    at : (n,) int64, or int
        Instant of the list for each row, or one for all; a deviation may grow until then.
    """
    times = np.broadcast_to(np.asarray(at, dtype=np.int64), rows.shape)
    if by_row(method):  # the rows of others are not looked at
        return _listed_rows(method, {name: state[name][rows] for name in state.names}, times)
    filled: dict[str, Floats] = {}
    for time in np.unique(times).tolist():
        chosen = times == time
        for name, column in shown_by(method, state, time).items():
            if name != "rating":
                filled.setdefault(name, np.full(len(rows), np.nan))[chosen] = column[rows[chosen]]
    return filled


def _on_a_day(
    method: Method, columns: Mapping[str, Floats], at: Instant, start: int, stop: int
) -> Mapping[str, Floats]:  # fmt: skip
    shown = shown_by(method, State({name: column[start:stop] for name, column in columns.items()}), at)
    return {name: column for name, column in shown.items() if name != "rating"}


def _at_once(
    method: Method, columns: Mapping[str, Floats], times: Ints, days: list[tuple[int, int]]
) -> dict[str, Floats] | None:
    """Returns the further columns of rows from one call with all times; None if the method does not support that.

    By its contract `show` takes one time. A formula of plain arithmetic takes a column of times as well, and one call
    per day of a large log would take minutes. The answer is used only if some days, shown alone, give the same bits.
    """
    try:
        shown = dict(method.show(State(dict(columns)), times))  # type: ignore[arg-type]  # more than the contract says
        looked_at = [days[n] for n in np.unique(np.linspace(0, len(days) - 1, FEW_DAYS).astype(int)).tolist()]
        for start, stop in looked_at:
            alone = _on_a_day(method, columns, int(times[start]), start, stop)
            if alone.keys() != shown.keys() - {"rating"}:
                return None
            if not all(
                np.array_equal(shown[name][start:stop], column, equal_nan=True) for name, column in alone.items()
            ):
                return None
    except Exception:  # a method that expects one time may raise anything
        return None
    return {name: np.asarray(column, np.float64) for name, column in shown.items() if name != "rating"}


def by_row(method: Method) -> bool:
    """True if the listed columns of a player depend only on the player's own row."""
    return method.cadence is not Cadence.RETROSPECTIVE and all(column.per == "player" for column in method.columns())


def _listed_rows(method: Method, columns: Mapping[str, Floats], times: Ints) -> dict[str, Floats]:
    """Returns the further columns of rows, each at its own time."""
    order = np.argsort(times, kind="stable")
    ordered = {name: column[order] for name, column in columns.items()}
    begins = np.flatnonzero(np.diff(times[order], prepend=times[order[0]] - 1)) if len(order) else order
    days = list(pairwise([*begins.tolist(), len(order)]))
    filled = _at_once(method, ordered, times[order], days) if len(days) > FEW_DAYS else None
    if filled is None:
        filled = {}
        for start, stop in days:
            for name, column in _on_a_day(method, ordered, int(times[order[start]]), start, stop).items():
                filled.setdefault(name, np.full(len(order), np.nan))[start:stop] = column
    listed = {name: np.empty(len(order)) for name in filled}
    for name, column in listed.items():
        column[order] = filled[name]
    return listed


class _Rows:
    """Rows copied from states, one for each member of the results, to be shown later."""

    def __init__(self, members: int) -> None:
        self.there = np.zeros(members, dtype=np.bool_)
        self.times = np.zeros(members, dtype=np.int64)
        self.columns: dict[str, Floats] = {}

    def keep(self, own: Ints, rows: Ints, state: State, times: Ints) -> None:
        """Keeps the rows of some members."""
        self.there[own], self.times[own] = True, times
        for name in state.names:
            column = state[name]
            if name not in self.columns:
                self.columns[name] = np.empty((len(self.there), *column.shape[1:]))
            self.columns[name][own] = column[rows]


class ColumnRecorder:
    """Keeps further listed columns during a run.

    Parameters
    ----------
    method : Method
    watch : Watch
    member, member_start : (members,) and (results + 1,) int
        Players of the results, result by result, and where those of each begin.
    played : (results,) int64
    players, seeds : int
        Number of players, and of seeds.

    Attributes
    ----------
    before, after : mapping of name to (members,) float64
        Columns of each member just before and after the result; NaN for players who are not watched.
    sown : mapping of name to (seeds,) float64
        Columns of the player of each seed, just after the seed.
    """

    def __init__(
        self, method: Method, watch: Watch, member: Ints, member_start: Ints, played: Ints, players: int, seeds: int
    ) -> None:
        self._method = method
        self._member, self._member_start, self._played = member, member_start, played
        self._watched, self._seats = watch.among(players), watch.seats(member, member_start, players)
        names = extra_names(method)
        self.before = {name: np.full(len(member), np.nan) for name in names}
        self.after = {name: np.full(len(member), np.nan) for name in names}
        self._later = (_Rows(len(member)), _Rows(len(member))) if by_row(method) else None
        self.sown = {name: np.full(seeds, np.nan) for name in names}

    def cuts(self) -> Ints:
        """Returns the results before which a call must end, so that none has two results of a watched player."""
        begins = np.zeros(len(self._played), dtype=np.int8)
        if self.before:
            sat, looked_at = np.zeros((2, len(self._watched)), dtype=np.int64)
            _calls(self._member, self._member_start, self._seats, sat, looked_at, begins)
        return np.flatnonzero(begins)

    def note(
        self, start: int, stop: int, before: State | None, after: State | None, at: Instant | None = None,
        seats: Ints | None = None,
    ) -> None:  # fmt: skip
        """Notes the watched members of the results from `start` to before `stop`, from the states before and after.

        Parameters
        ----------
        at : int or None
            Time of the state `after`; None takes the time of each result.
        seats : (members,) int or None
            Rows of the members in the state `before`, if these are not the rows of the players.
        """
        if not self.before or start == stop:
            return
        first, last = self._member_start[[start, stop]].tolist()
        own = first + np.flatnonzero(self._seats[first:last])
        if not len(own):
            return
        played = self._played[np.searchsorted(self._member_start, own, "right") - 1]
        rows = self._member[own]
        begun = rows if seats is None else seats[own - first]
        when = played if at is None else np.full(len(own), at)
        for number, (state, seated, times) in enumerate(((before, begun, played), (after, rows, when))):
            if state is None:
                continue
            if self._later is not None:
                self._later[number].keep(own, seated, state, times)
                continue
            for name, column in extra_columns(self._method, state, seated, times).items():
                if name in self.before:
                    (self.before, self.after)[number][name][own] = column

    def close(self) -> None:
        """Fills `before` and `after` from the noted rows: all at once at the end, to save calls of the method."""
        for noted, listed in zip(self._later or (), (self.before, self.after), strict=False):
            own = np.flatnonzero(noted.there)
            rows = {name: column[own] for name, column in noted.columns.items()}
            for name, column in _listed_rows(self._method, rows, noted.times[own]).items():
                if name in listed:
                    listed[name][own] = column

    def note_seeds(self, which: Ints, rows: Ints, state: State, played: Ints) -> None:
        """Notes the columns of the players of some seeds, just after these were planted."""
        some = np.flatnonzero(self._watched[rows]) if self.sown else rows[:0]
        if len(some):
            for name, column in extra_columns(self._method, state, rows[some], played[some]).items():
                if name in self.sown:
                    self.sown[name][which[some]] = column

    def settled(self, state: State, at: Instant) -> Mapping[str, Floats]:
        """Returns the further columns of all players at the end of a call."""
        return extra_columns(self._method, state, np.arange(len(state["rating"])), at) if self.before else {}


@kernel
def _calls(
    member: Ints, member_start: Ints, watched: NDArray[np.bool_], sat: Ints, looked_at: Ints, begins: Ints
) -> None:
    """Marks where calls begin: a call ends before it would have a second result of a player watched in one of them."""
    call = 1
    for r in range(len(member_start) - 1):
        again = False
        for m in range(member_start[r], member_start[r + 1]):
            if looked_at[member[m]] == call or (watched[m] and sat[member[m]] == call):
                again = True
        if again:
            call += 1
            begins[r] = 1
        for m in range(member_start[r], member_start[r + 1]):
            sat[member[m]] = call
            if watched[m]:
                looked_at[member[m]] = call


def stretches(start: int, stop: int, cuts: Ints, most: int) -> list[tuple[int, int]]:
    """Splits the results from `start` to before `stop` into calls of at most `most` results, none across a cut."""
    if not len(cuts):  # a short way, since seeds make many short stretches
        return [(at, min(at + most, stop)) for at in range(start, stop, most)]
    inside = cuts[np.searchsorted(cuts, start, "right") : np.searchsorted(cuts, stop)]
    edges: list[int] = []
    for first, last in pairwise([start, *inside.tolist(), stop]):
        edges += range(first, last, most)
    return list(pairwise([*edges, stop]))
