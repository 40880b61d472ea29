"""Moves of a replay, kept on request: the expectation of every result, and changes by results, seeds and periods."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Games, Ints
from ratingcore.columns.sides import Sides
from ratingcore.columns.timeline import SeedTable
from ratingcore.events import Instant
from ratingcore.methods.contract import Change, Rated
from ratingcore.methods.strengths import Strengths, placed
from ratingcore.replay.history_columns import ColumnRecorder

ADMITTED = -1
"""Position of a first rating that the replay makes, in place of the position of an event."""

PLANTED = -2
"""Position of a first rating that comes from another pool, in place of the position of an event."""


@frozen(eq=False)
class Settled:
    """Changes of players at the end of a call that are not due to a single result.

    Parameters
    ----------
    label : str
    index : int
        Index of the result before which these changes are placed.
    call : int
    at : int
        Last instant of the call.
    amount : (players,) float64
        Change of each player in the state at that time.
    extra : mapping of name to (players,) float64
        Further listed columns, besides the rating, at the end of the call; empty if not requested.
    """

    label: str
    index: int
    call: int
    at: Instant
    amount: Floats
    extra: Mapping[str, Floats] = field(factory=dict)


@frozen(eq=False)
class Sown:
    """Seeds in the order in which they were planted, and first ratings made by the replay.

    Parameters
    ----------
    seeds : SeedTable
        A first rating made by the replay has a position below 0.
    index : (n,) int
        Index of the result before which each seed is placed.
    call : (n,) int
    rating : (n,) float64
        Rating after the seed.
    jump : (n,) float64
        Change by the seed; NaN for a player without a rating before.
    extra : mapping of name to (n,) float64
        Further listed columns of the player, besides the rating, after the seed; empty if not requested.
    """

    seeds: SeedTable
    index: Ints
    call: Ints
    rating: Floats
    jump: Floats
    extra: Mapping[str, Floats] = field(factory=dict)

    def beyond(self, results: int, unrated: NDArray[np.bool_], since: Instant) -> "Sown":
        """Returns the seeds given from an instant on, and the first ratings of players who were unrated then.

        Parameters
        ----------
        results : int
            Number of results left out at the start.
        unrated : (players,) bool
        """
        seeds = self.seeds
        chosen = np.where(seeds.position < 0, unrated[seeds.player], seeds.played >= since)
        index = np.maximum(self.index[chosen] - results, 0)
        extra = {name: column[chosen] for name, column in self.extra.items()}
        return Sown(seeds.take(chosen), index, self.call[chosen], self.rating[chosen], self.jump[chosen], extra)


class Admitted(NamedTuple):
    """First rating that a run gives a newcomer, with the result and the call before which it is planted."""

    player: int
    result: int
    call: int
    played: Instant
    rating: float
    position: int = ADMITTED


def with_admitted(sown: Sown, admitted: list[Admitted]) -> Sown:
    """Returns the seeds of the log and the first ratings of newcomers, in the order in which they were planted."""
    if not admitted:
        return sown
    player, index, call, played, rating, position = (np.array(column) for column in zip(*admitted, strict=True))
    unknown = np.full(len(player), np.nan)
    seeds = sown.seeds
    # lexsort is stable: at the same place, a first rating comes before the seed that overruled it
    by = np.lexsort((np.concatenate([call, sown.call]), np.concatenate([index, sown.index])))

    def both(made: Any, given: Any) -> Any:
        return np.concatenate([made, given])[by]

    values = {name: both(unknown, column) for name, column in seeds.values.items()}
    position, order = both(position, seeds.position), both(np.zeros(len(player)), seeds.order)
    return Sown(
        SeedTable(position, both(played, seeds.played), order, both(player, seeds.player), values),
        both(index, sown.index),
        both(call, sown.call),
        both(rating, sown.rating),
        both(unknown, sown.jump),
        {name: both(unknown, column) for name, column in sown.extra.items()},
    )


Take = Callable[[Floats, float], Floats]
"""Makes a new column from a column; the number fills places without a value."""


@frozen(eq=False)
class Moves:
    """The expectation and the changes of every result of a replay, in order of play.

    Parameters
    ----------
    expected : (n,) or (sides,) float64
    change : (members,) float64
        Change of the rating of each member by each result, result by result.
    draw : (n,) float64 or None
        Chance of a draw, if the method gives it.
    before : mapping of label to (members,) float64
        Change of a member just before a result, for another reason than the result.
    held : (members,) float64 or None
        Rating of each member before the result, for periodic methods, in which it is not the running sum.
    after : list of Settled
    notes : mapping of name to (n,) float64
    strengths : Strengths or None
        Strengths of the sides before each result, if the method gives them.
    extra_before, extra_after : mapping of name to (members,) float64
        Further listed columns of a member, such as a deviation, just before the result and after it, or after its
        period for a periodic method. NaN for members who were not watched; empty if nobody was.
    """

    expected: Floats
    change: Floats
    draw: Floats | None
    before: Mapping[str, Floats]
    held: Floats | None
    after: list[Settled]
    notes: Mapping[str, Floats]
    strengths: Strengths | None = None
    extra_before: Mapping[str, Floats] = field(factory=dict)
    extra_after: Mapping[str, Floats] = field(factory=dict)

    def each(self, results: Take, sides: Take, members: Take) -> Self:
        """Returns the moves with a function applied to each column, by its kind of rows; strengths stay unchanged."""
        return evolve(
            self,
            expected=sides(self.expected, np.nan),
            change=members(self.change, 0.0),
            draw=None if self.draw is None else results(self.draw, np.nan),
            before={label: members(moved, 0.0) for label, moved in self.before.items()},
            held=None if self.held is None else members(self.held, np.nan),
            notes={name: results(note, np.nan) for name, note in self.notes.items()},
            extra_before={name: members(column, np.nan) for name, column in self.extra_before.items()},
            extra_after={name: members(column, np.nan) for name, column in self.extra_after.items()},
        )

    def part(self, results: slice, sides: slice, members: slice) -> Self:
        """Returns the moves of some results, given with their sides and members."""
        taken = self.each(*(partial(_part, which) for which in (results, sides, members)))
        return evolve(taken, strengths=None if self.strengths is None else self.strengths.take(sides))

    def beyond(self, results: int, sides: int, members: int, since: Instant) -> Self:
        """Returns the moves without some results, sides and members at the start, and earlier settled changes."""
        after = [
            evolve(line, index=max(line.index - results, 0))
            for line in self.after
            if line.at >= since or line.index > results
        ]
        return evolve(self.part(slice(results, None), slice(sides, None), slice(members, None)), after=after)

    def still(self, members: NDArray[np.bool_]) -> Self:
        """Returns the moves with the changes of some members by their results set to zero."""
        if not members.any():
            return self
        before = {label: np.where(members, 0.0, moved) for label, moved in self.before.items()}
        return evolve(self, change=np.where(members, 0.0, self.change), before=before)


def _part(which: slice, column: Floats, blank: float) -> Floats:
    return column[which]


class Keeper:
    """Collects the return values of calls in columns over all results; a missing label is 0, a missing note NaN."""

    def __init__(self, results: Games | Sides) -> None:
        self._games = isinstance(results, Games)
        if isinstance(results, Sides):
            self._side_start = results.result
            self._member_start = results.side[results.result]
        self._n = len(results)
        self._members = 2 * len(results) if self._games else len(results.player)  # type: ignore[union-attr]  # sides
        self._expected = np.empty(len(results.score))
        self._change = np.empty(self._members)
        self._draw: Floats | None = None
        self._held: Floats | None = None
        self._before: dict[str, Floats] = {}
        self._notes: dict[str, Floats] = {}
        self._strengths: Strengths | None = None
        self.after: list[Settled] = []

    def keep(self, start: int, stop: int, rated: Rated) -> None:
        """Keeps the return value of a call for the results from `start` to before `stop`."""
        members = self._range(start, stop)
        sides = slice(start, stop) if self._games else slice(*self._side_start[[start, stop]].tolist())
        self._expected[sides] = rated.expected
        _put(self._change[members], rated.change)
        if rated.draw is not None:
            if self._draw is None:
                self._draw = np.full(self._n, np.nan)
            self._draw[start:stop] = rated.draw
        if rated.strengths is not None:
            self._strengths = placed(self._strengths, rated.strengths(), sides, len(self._expected))
        for label, moved in rated.before.items():
            if label not in self._before:
                self._before[label] = np.zeros(self._members)
            _put(self._before[label][members], moved)
        for name, note in rated.notes.items():
            if name not in self._notes:
                self._notes[name] = np.full(self._n, np.nan)
            self._notes[name][start:stop] = note

    def _range(self, start: int, stop: int) -> slice:
        return slice(2 * start, 2 * stop) if self._games else slice(*self._member_start[[start, stop]].tolist())

    def hold(self, start: int, stop: int, ratings: Floats) -> None:
        """Keeps the ratings that the members of these results had when their call began."""
        if self._held is None:
            self._held = np.full(self._members, np.nan)
        self._held[self._range(start, stop)] = ratings

    def moves(self, results: Games | Sides, recorder: ColumnRecorder | None = None) -> Moves:
        """Returns the moves of the first `len(results)` results, with further columns if they were kept."""
        n, sides = len(results), len(results.score)
        if recorder is not None:
            recorder.close()
        whole = Moves(
            self._expected, self._change, self._draw, self._before, self._held, self.after, self._notes,
            self._strengths, *(({}, {}) if recorder is None else (recorder.before, recorder.after)),
        )  # fmt: skip
        return whole.part(slice(n), slice(sides), self._range(0, n))


def _put(place: Floats, change: Change) -> None:
    if isinstance(change, tuple):
        place[0::2], place[1::2] = change
    else:
        place[:] = change
