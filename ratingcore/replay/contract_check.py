"""Checks of the input and the return values of methods against their contract."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns.games import Floats, Games, Need
from ratingcore.columns.method_input import Reads
from ratingcore.columns.result_fields import without_side
from ratingcore.columns.sides import Sides
from ratingcore.columns.view import View
from ratingcore.errors import BrokenContract, OddResults
from ratingcore.events import Instant
from ratingcore.log import Log
from ratingcore.log.lookup import uids_at
from ratingcore.methods.contract import Bools, Cadence, Coefficient, Forecast, Method, Rated, Solved
from ratingcore.methods.periods import Period
from ratingcore.methods.rule_histories import Book
from ratingcore.methods.state import Column, State
from ratingcore.methods.strengths import Strengths
from ratingcore.methods.wrapped import failing, innermost
from ratingcore.replay.period_calls import of_last_step
from ratingcore.replay.seeds import naming
from ratingcore.safe_text import counted

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,59}")


@frozen
class Remarks:
    """Remarks of a method on a run.

    Parameters
    ----------
    left_out : tuple of (str, int)
        Reasons why the formula has no number for some results, with the number of results for each.
    stopped : str
        Where the fit stopped if it did not converge; empty if it converged.
    coefficients : tuple of Coefficient
        Fitted effects on results other than ratings.
    """

    left_out: tuple[tuple[str, int], ...] = ()
    stopped: str = ""
    coefficients: tuple[Coefficient, ...] = ()

    def plus(self, left_out: Mapping[str, int]) -> "Remarks":
        """Returns these remarks with those of a further call added."""
        counts = dict(self.left_out)
        for why, count in left_out.items():
            counts[why] = counts.get(why, 0) + count
        return evolve(self, left_out=tuple(counts.items()))


NO_REMARKS = Remarks()


class Answers:
    """Checks the return values of one method, and collects its remarks."""

    def __init__(self, method: Method, columns: tuple[Column, ...], remarks: Remarks | None = None) -> None:
        self._method = method
        self.remarks = remarks or NO_REMARKS
        self._check_declared(columns)
        rating = [column for column in columns if column.name == "rating"]
        if not rating or rating[0].per != "player" or rating[0].shape:
            raise self.broken("it has no column rating with a number for every player")

    def broken(self, why: str) -> BrokenContract:
        """Returns an error with the reason why a return value breaks the contract."""
        return BrokenContract(self._method.name, why)

    def rated(self, given: object, before: State, results: Games | Sides, *, whole: bool = True) -> Rated:
        """Returns the checked return value of `rate`, and keeps its remarks on results that are left out.

        Parameters
        ----------
        whole : bool
            Whether to check every array; else only the length of `expected`, and that rated players are still rated. A
            full check takes much of the time of a short call, and a method that goes wrong after its first call mostly
            returns columns of a wrong length.
        """
        if not isinstance(given, Rated):
            raise self.broken(f"a {self._method.cadence.value} method must return Rated, not {type(given).__name__}")
        sides = len(results) if isinstance(results, Games) else results.n_sides
        if whole or getattr(given.expected, "shape", None) != (sides,):
            given = self._whole(given, before, results)
        self._check_finite(before, given.state, results, given.expected, given.after)
        if given.left_out:
            self.remarks = self.remarks.plus(given.left_out)
        return given

    def _whole(self, given: Rated, before: State, results: Games | Sides) -> Rated:
        n, players = len(results), len(before["rating"])
        self._state(given.state, before)
        self._shape("expected", given.expected, len(results.score))
        self._change("change", given.change, results)
        for label, moved in given.before.items():
            self._change(f"the line before, {label},", moved, results)
        for label, amount in given.after.items():
            self._shape(f"the line after, {label},", amount, players)
        for name, note in given.notes.items():
            self._shape(f"the note {name}", note, n)
        if given.draw is not None:
            self._shape("draw", given.draw, n)
        unchecked = given.strengths
        return given if unchecked is None else evolve(given, strengths=lambda: self.strengths(unchecked(), results))

    def solved(self, given: object, before: State, results: Games | Sides) -> Solved:
        """Returns the checked return value of a whole-pool method."""
        if not isinstance(given, Solved):
            raise self.broken(f"a retrospective method must return Solved, not {type(given).__name__}")
        self._state(given.state, before)
        self._shape("fitted", given.fitted, len(results.score))
        if not isinstance(given.stopped, str):
            raise self.broken(f"stopped must be a text, not {type(given.stopped).__name__}")
        if not all(isinstance(one, Coefficient) for one in given.coefficients):
            raise self.broken("coefficients must be a tuple of Coefficient")
        self.remarks = Remarks(stopped=given.stopped, coefficients=given.coefficients).plus(given.left_out)
        return given

    def _check_finite(
        self, before: State, state: State, results: Games | Sides, expected: Floats, after: Mapping[str, Floats]
    ) -> None:
        """Refuses a state in which a rated player no longer has a finite rating.

        A rule may take players off the list on purpose, by NaN in a line after the call.
        """
        rated = np.isfinite(state["rating"])
        if rated.all():  # nearly every call of every method ends here
            return
        lost = np.isfinite(before["rating"]) & ~rated
        for amount in after.values():
            lost &= ~np.isnan(amount)
        n = int(lost.sum())
        if not n:
            return
        if isinstance(results, Games):
            theirs, odd = lost[results.a] | lost[results.b], ~np.isfinite(expected)
        else:
            theirs, odd = results.with_member(lost[results.player]), results.with_side(~np.isfinite(expected))
        at = np.flatnonzero(theirs & odd if (theirs & odd).any() else theirs)[:1]
        where = f"; see the result at position {results.position[at[0]]}" if len(at) else ""
        raise self.broken(f"it leaves {counted(n, 'rated player')} without a number for a rating{where}")

    def shown(self, given: Any, players: int) -> Mapping[str, Floats]:
        """Checks the columns that a method shows on a list: each must have a finite number or NaN for every player."""
        if not isinstance(given, Mapping) or "rating" not in given:
            raise self.broken(f"show must return columns by name, rating among them, not {type(given).__name__}")
        for name, column in given.items():
            self._check_name("column that it shows", name)
            self._shape(f"the shown column {name}", column, players)
            if np.isinf(column).any():
                raise self.broken(f"the shown column {name} is infinite for {int(np.isinf(column).sum())} players")
        return given

    def forecast(self, given: Any, results: Games | Sides) -> Forecast:
        """Checks a method's forecast."""
        if not isinstance(given, Forecast):
            raise self.broken(f"expected must return a Forecast, not {type(given).__name__}")
        self._shape("expected", given.expected, len(results.score))
        if given.draw is not None:
            self._shape("draw", given.draw, len(results))
        if given.strengths is not None:
            self.strengths(given.strengths, results)
        return given

    def strengths(self, given: Any, results: Games | Sides) -> Strengths:
        """Returns the checked strengths that a method gives sides."""
        if not isinstance(given, Strengths):
            raise self.broken(f"its strengths are a {type(given).__name__}")
        self._shape("the mean of its strengths", given.mean, len(results.score))
        return given

    def _check_declared(self, columns: Any) -> None:
        """Refuses invalid declarations of a method: its cadence, period, needs and columns."""
        method = self._method
        if not isinstance(method.cadence, Cadence):
            raise self.broken(f"its cadence is {ascii(method.cadence)[:80]}")
        if not isinstance(method.period, Period | None):
            raise self.broken(f"its period is {ascii(method.period)[:80]}")
        needs_of(method)
        if not isinstance(columns, tuple | list) or not all(isinstance(column, Column) for column in columns):
            raise self.broken(f"columns must return a tuple of Column, not {ascii(columns)[:80]}")
        for column in columns:
            self._check_name("column", column.name)
            if not isinstance(column.start, float | int) or not isinstance(column.digits, int | None):
                raise self.broken(f"the start or the digits of column {column.name} are not a number")
        names = [column.name for column in columns]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise self.broken(f"two of its columns are named {twice[0]}")

    def _check_name(self, what: str, name: Any) -> None:
        """Refuses a name that cannot be printed unchanged, or that is too long for a heading."""
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise self.broken(f"the name of a {what} must have 1 to 60 plain letters: {ascii(name)[:80]}")

    def _state(self, state: Any, before: State) -> None:
        if not isinstance(state, State):
            raise self.broken(f"the state is a {type(state).__name__}")
        if set(state.names) != set(before.names):
            raise self.broken(f"the state has columns {', '.join(state.names)}, not {', '.join(before.names)}")
        for name in before.names:
            column, shape = state[name], before[name].shape
            if isinstance(column, np.ndarray) and column.dtype == np.float64 and column.shape == shape:
                continue  # every call of every method comes by here
            self._shape(f"column {name}", column, *shape)
            raise self.broken(f"column {name} is of {column.dtype}, not float64")

    def _change(self, what: str, change: Any, results: Games | Sides) -> None:
        if isinstance(results, Sides):
            self._shape(what, change, len(results.player))
        elif isinstance(change, tuple) and len(change) == 2:
            for side, moved in zip(("a", "b"), change, strict=True):
                self._shape(f"{what} of {side}", moved, len(results))
        else:
            raise self.broken(f"{what} must be two arrays, of a and of b, not {type(change).__name__}")

    def _shape(self, what: str, array: Any, *shape: int) -> None:
        if not isinstance(array, np.ndarray):
            raise self.broken(f"{what} must be an array, not {type(array).__name__}")
        if array.shape != shape:
            raise self.broken(f"{what} has shape {array.shape}, not {shape}")
        if array.dtype.kind not in "fiub":
            raise self.broken(f"{what} is of {array.dtype}, not numbers")


def needs_of(method: Method) -> tuple[Need, ...]:
    """Returns the needs of a method; raises `BrokenContract` if they are invalid."""
    if not isinstance(method.needs, tuple | list) or not all(isinstance(need, Need) for need in method.needs):
        raise BrokenContract(method.name, "its needs are not a tuple of Need")
    return tuple(method.needs)


def refused(name: str, given: Any, results: int) -> Mapping[str, Bools]:
    """Checks and returns the results that a method refuses: for each reason, a truth value per result."""
    for why, mask in given.items() if isinstance(given, Mapping) else [("", given)]:
        if not isinstance(why, str) or not why or len(why) > _LONGEST_REASON or not why.isprintable():
            raise BrokenContract(name, f"refuses must return masks by reason, a few words each, not {ascii(why)[:80]}")
        if not isinstance(mask, np.ndarray) or mask.shape != (results,) or mask.dtype != np.bool_:
            raise BrokenContract(name, f"the results that it refuses ({why}) must be {results} truth values")
    return given  # type: ignore[no-any-return]  # checked above


_LONGEST_REASON = 120


def shown_by(method: Method, state: State, at: Instant) -> Mapping[str, Floats]:
    """Returns the checked columns that a method shows for a state on a day; `PluginFails` if the method fails."""
    with failing(method):
        return Answers(method, method.columns()).shown(method.show(state, at), len(state["rating"]))


def owned(state: State) -> State:
    """Returns a state that is safe to write in place: its columns are contiguous, and no two share memory."""
    bases: set[int] = set()
    shared: dict[str, Any] = {}
    for name in state.names:
        column = state[name]
        base = id(column if column.base is None else column.base)
        if base in bases or not column.flags.c_contiguous:
            shared[name] = column.copy()
        bases.add(base)
    return state.replace(**shared) if shared else state


_SHOWN = 5
"""Number of unreadable results that an error names; the others are only counted."""


def readable_view(method: Method, view: View) -> View:
    """Returns the view without the results that a method cannot read; the view itself if it can read all of them.

    A method that reads games cannot read sessions; no method can read results with a missing or unreadable field that
    it needs, or results that it refuses. If it can read no result of the pool, the view is returned unchanged, and
    rating it raises an error that says what is missing.
    """
    if isinstance(method, Book):
        return _readable_by_steps(method, view)
    reads = _reads(method)
    if reads.sides and not reads.needs and reads.refusing is None:
        return view
    plain = not any(need.of != "player" for need in reads.needs) and reads.refusing is None
    if plain and not len(view.timeline.sessions.played):
        return view
    return view.readable_by(reads, method.name, _refuses(method, reads))


def _readable_by_steps(book: Book, view: View) -> View:
    """Returns the view without the results that the step which rates them cannot read."""
    if all(readable_view(one, view) is view for one, _ in book.steps):
        return view
    unreadable = unreadable_in(book, view)
    return view.without(unreadable) if unreadable else view


def unreadable_in(method: Method, view: View) -> dict[int, str]:
    """Returns the reasons why a method cannot read results of a view, by position.

    For a rule with a history, the step that rates a result decides: it rates the results from its day on, and those
    that the rule before it left waiting.
    """
    if isinstance(method, Book):
        later = {*of_last_step(method, view).tolist()}
        earlier, last = unreadable_in(method.before, view), unreadable_in(method.method, view)
        return {at: why for at, why in earlier.items() if at not in later} | {
            at: why for at, why in last.items() if at in later
        }
    reads = _reads(method)
    return view.unreadable_by(reads, method.name, _refuses(method, reads))


def _refuses(method: Method, reads: Reads) -> Callable[[Any], Mapping[str, Bools]]:
    def refuses(results: Any) -> Mapping[str, Bools]:
        return refused(method.name, reads.refusing.refuses(results), len(results))

    return refuses


def _reads(method: Method) -> Reads:
    inner = innermost(method)
    refusing = None if type(inner).refuses is Method.refuses else inner
    return Reads(needs_of(method), method.reads is Sides, refusing)


def check_all_readable(method: Method, view: View, log: Log) -> None:
    """Refuses a view if a method cannot read some of its results.

    Raises
    ------
    OddResults
        With the uids of the first such results.
    """
    unreadable = readable_view(method, view).unreadable.before(view.through)
    if unreadable:
        uids = uids_at(log, [at for at, _ in unreadable[:_SHOWN]])
        first = tuple((uid, why) for uid, (_, why) in zip(uids, unreadable, strict=False))
        fields = {
            f"{how} {without_side(need.name)}": without_side(need.name)
            for need in needs_of(method)
            for how in ("no", "unreadable")
        }
        raise OddResults(method.name, view.pool, len(unreadable), first, fields.get(first[0][1], ""))


def left_out(method: Method, view: View) -> tuple[tuple[str, int], ...]:
    """Returns the reasons why results and seeds of a view do not count in a rating list, with the number for each.

    These are results that a need with `leaves_out` cannot read, games between two names of one merged player, seeds
    that name no column of the method, and, for whole-pool methods, seeds before a later seed of the player. Other
    results that a method cannot rate are errors.
    """
    counts = {
        f"result with {why}, the first at position {at[0]}": len(at) for why, at in view.left_out(method.needs).items()
    }
    if len(pairings := view.self_pairings()):
        counts[f"game between two names of one player, the first at position {pairings[0]}"] = len(pairings)
    seeds = view.seeds
    names = naming(seeds, method.columns())
    counts[f"seed that names no column of {method.name}"] = int(np.count_nonzero(~names))
    if method.cadence is Cadence.RETROSPECTIVE:
        players = seeds.player[names]
        counts["seed before a later one of the player"] = len(players) - len(np.unique(players))
    return tuple((why, count) for why, count in counts.items() if count)


def lacks_home(method: Method, view: View) -> bool:
    """True if the method reads which player is at home, and no game of the view has this field."""
    home = tuple(need for need in needs_of(method) if need.name == "home")
    return bool(home) and view.n_games > 0 and view.absent(home)
