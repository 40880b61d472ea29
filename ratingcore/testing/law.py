"""Laws of the kit, which are promises of methods with their checks; tools to compare results and shrink findings."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar
from unittest import SkipTest

import numpy as np
from attrs import frozen

from ratingcore.columns.games import Floats, Games, Ints
from ratingcore.columns.sides import Sides
from ratingcore.errors import BrokenContract, MethodError, RatingCoreError
from ratingcore.events import Event, GamePlayed, SessionPlayed
from ratingcore.methods.contract import Bools, Cadence, Change, Method, Rated, Solved
from ratingcore.methods.state import State
from ratingcore.replay import Replay
from ratingcore.testing.random_seasons import seasons
from ratingcore.testing.season import Season, described


class LawBroken(RatingCoreError, AssertionError):
    """A method breaks a law of the kit."""

    law: str
    method: str
    what: str
    example: str = ""

    def __str__(self) -> str:
        seen = f"; seen in {self.example}" if self.example else ""
        return f"{self.method} breaks the law {self.law}: {self.what}{seen}"


class DoesNotApply(SkipTest):
    """The law does not apply to this method; pytest skips the test with the reason."""


class Violation(AssertionError):
    """A check found a broken promise; the text describes it."""


@frozen(eq=False)
class Law:
    """A promise of methods; calling it with a method raises if the method breaks the promise.

    Parameters
    ----------
    name : str
        One or two words, such as `slicing` or `no-games`, as in `excuses` and test ids.
    sentence : str
        The promise.
    check : callable
        Raises `Violation` if the promise is broken; any error of the method also counts as a broken promise.
    cadences : frozenset of Cadence
        Cadences of the methods to which the law applies.
    of_games : bool
        Whether the law applies only to methods that read games of two players.
    """

    name: str
    sentence: str
    check: Callable[[Method], None]
    cadences: frozenset[Cadence]
    of_games: bool = False

    def silent(self, method: Method) -> str:
        """Returns the reason why the law does not apply to a method; empty if it applies."""
        if method.cadence not in self.cadences:
            return f"the method is {method.cadence.value}"
        return "the method reads sides" if self.of_games and method.reads is not Games else ""

    def __call__(self, method: Method) -> None:
        """Checks a method.

        Raises
        ------
        LawBroken
            With the finding and, if it depends on results, the fewest results that still lead to it.
        DoesNotApply
            If the law does not apply to the method.
        """
        try:
            why = self.silent(method)
            if why:
                raise DoesNotApply(why)
            self.check(method)
        except (LawBroken, DoesNotApply):
            raise
        except (Exception, SystemExit, GeneratorExit) as error:
            raise LawBroken(self.name, _named(method), _words(error)) from error

    def __str__(self) -> str:
        return self.name


EVERY = frozenset(Cadence)
CONTINUOUS = frozenset({Cadence.CONTINUOUS})
PERIODIC = frozenset({Cadence.PERIODIC})
FORWARD = CONTINUOUS | PERIODIC
"""Cadences with which later results never change earlier ratings."""

Check = Callable[[Method], None]
SeasonCheck = Callable[[Method, Season], None]


def law(cadences: frozenset[Cadence] = EVERY, *, of_games: bool = False) -> Callable[[Check], Law]:
    """Decorator that turns a check into a law; the first line of the check's docstring is the sentence of the law."""
    return lambda check: _made(check, check, cadences, of_games)


def law_of_seasons(cadences: frozenset[Cadence] = EVERY, *, of_games: bool = False) -> Callable[[SeasonCheck], Law]:
    """Decorator that turns a check on a season into a law over random seasons; findings are shrunk to few results."""

    def decorate(check: SeasonCheck) -> Law:
        def over_seasons(method: Method) -> None:
            for season in seasons(method):
                on_season(check, method, season)

        return _made(check, over_seasons, cadences, of_games)

    return decorate


def _made(named: Check | SeasonCheck, check: Check, cadences: frozenset[Cadence], of_games: bool) -> Law:
    sentence = (named.__doc__ or "").partition("\n")[0].rstrip(".")
    return Law(named.__name__.replace("_", "-"), sentence, check, cadences, of_games)


def on_season(check: SeasonCheck, method: Method, season: Season) -> None:
    """Runs a check of a method on a season; a warning of numpy, such as an overflow, counts as a finding.

    Raises
    ------
    LawBroken
        With the finding and the fewest results that still lead to it.
    """
    error = _finding(check, method, season)
    if error is not None:
        raise _shrunk(check, method, season, error)


def _finding(check: SeasonCheck, method: Method, season: Season) -> Exception | None:
    """Returns the error that a check raises, or None; a warning of numpy counts as an error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            check(method, season)
    except DoesNotApply:
        raise
    except Exception as error:
        return error
    except (SystemExit, GeneratorExit) as error:  # would end the whole check without a verdict
        return RuntimeError(f"it raises {type(error).__name__}")
    return None


def _shrunk(check: SeasonCheck, method: Method, season: Season, error: Exception) -> LawBroken:
    """Reduces a season to few events that still raise an error of this type, and returns that error."""

    def alike(events: tuple[Event, ...]) -> Exception | None:
        if not any(isinstance(event, GamePlayed | SessionPlayed) for event in events):
            return None
        again = _finding(check, method, Season.of(events))
        return again if type(again) is type(error) else None

    try:
        events, error = smallest(season.events, alike, error)
    except DoesNotApply:
        events = season.events
    name = check.__name__.replace("_", "-")
    broken = LawBroken(name, _named(method), _words(error), described(events))
    broken.__cause__ = error
    return broken


def _words(error: BaseException) -> str:
    if isinstance(error, Violation):
        return str(error)
    if isinstance(error, MethodError) and not isinstance(error, BrokenContract):
        return f"it refuses results: {error}"
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else 'no message'}"


def _named(method: Method) -> str:
    return str(getattr(type(method), "name", type(method).__name__))


# comparisons

TOLERANCE = 1e-9
"""Allowed difference between numbers that are equal in exact arithmetic, besides 1e-12 of their size."""

Who = Callable[[int], str]


def same(what: str, one: object, other: object, who: Who = str, *, exact: bool = True) -> None:
    """Raises `Violation` unless two columns are equal: exactly, or within the tolerance if not `exact`.

    Examples
    --------
    >>> same("rating", np.array([1.0, 2.0]), np.array([1.0, 2.5]), "ann bo".split().__getitem__)
    Traceback (most recent call last):
    ratingcore.testing.law.Violation: rating of bo is 2.0 and 2.5
    """
    one, other = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if one.shape != other.shape:
        raise Violation(f"{what} has shape {one.shape} and {other.shape}")
    rtol, atol = (0.0, 0.0) if exact else (1e-12, TOLERANCE)
    differs = ~np.isclose(one, other, rtol=rtol, atol=atol, equal_nan=True)
    if differs.any():
        at = tuple(int(i) for i in np.argwhere(differs)[0])
        where = who(at[0]) if at else "it"
        raise Violation(f"{what} of {where} is {float(one[at])!r} and {float(other[at])!r}")


def same_columns(
    one: Mapping[str, Floats], other: Mapping[str, Floats], why: str, who: Who = str, *, exact: bool = True
) -> None:
    """Raises `Violation` unless two sets of columns are equal."""
    if one.keys() != other.keys():
        raise Violation(f"{why}: there is {', '.join(one) or 'nothing'}, and then {', '.join(other) or 'nothing'}")
    for name in one:
        try:
            same(name, one[name], other[name], who, exact=exact)
        except Violation as found:
            raise Violation(f"{why}: {found}") from None


def same_state(one: State, other: State, why: str, who: Who = str, *, exact: bool = True) -> None:
    """Raises `Violation` unless two states are equal."""
    same_columns(columns(one), columns(other), why, who, exact=exact)


def columns(state: State) -> dict[str, Floats]:
    """Returns the columns of a state by name."""
    return {name: state[name] for name in state.names}


def outputs(outcome: Rated | Solved) -> dict[str, Floats]:
    """Returns what a call reported about its results, by name: a number per result or side, or rows (a, b)."""
    if isinstance(outcome, Solved):
        return {"fitted score": outcome.fitted}
    columns = {"expected score": outcome.expected, "change": _paired(outcome.change)}
    if outcome.draw is not None:
        columns["chance of a draw"] = outcome.draw
    columns |= {label: _paired(moved) for label, moved in outcome.before.items()}
    return columns | {f"note {name}": note for name, note in outcome.notes.items()}


def seeded(replay: Replay) -> Bools:
    """Returns a mask of the players of a replay who have a seed."""
    mask = np.zeros(len(replay.start), dtype=np.bool_)
    mask[replay.sown.seeds.player] = True
    return mask


def rated(method: Method, state: State, results: Games | Sides) -> Rated:
    """Calls `rate` of a continuous or periodic method."""
    outcome = method.rate(state, results)
    if not isinstance(outcome, Rated):
        raise Violation(f"rate returned {type(outcome).__name__}, not Rated")
    return outcome


def _paired(change: Change) -> Floats:
    """Returns a change as one column; for games, with rows (a, b)."""
    return np.column_stack(change) if isinstance(change, tuple) else change


def among(rows: Ints, who: Who) -> Who:
    """Returns a function that names the row at an index of `rows`."""

    def name(number: int) -> str:
        return who(int(rows[number]))

    return name


def always(name: str) -> Who:
    """Returns a function that returns the same name for every index."""
    return lambda _: name


def nth(result: int) -> str:
    """Names a result in messages."""
    return f"result {result + 1}"


# findings on fewer results

T = TypeVar("T")
F = TypeVar("F")

TRIALS = 250
"""Largest number of parts of the items that are tried."""


def smallest(
    items: Sequence[T], found: Callable[[tuple[T, ...]], F | None], first: F, trials: int = TRIALS
) -> tuple[tuple[T, ...], F]:
    """Returns the fewest items that still give a finding, with that finding, by leaving out items step by step.

    Parameters
    ----------
    items : sequence
    found : callable
        Returns the finding on a part of the items, or None.
    first : object
        The finding on all items.

    Examples
    --------
    >>> smallest(range(100), lambda part: sum(part) if {3, 71} <= set(part) else None, 4950)
    ((3, 71), 74)
    """
    remaining, finding = tuple(items), first
    size = len(remaining) // 2
    while size and trials:
        at = 0
        while at < len(remaining) and trials:
            fewer = remaining[:at] + remaining[at + size :]
            trials -= 1
            again = found(fewer) if fewer else None
            if again is None:
                at += size
            else:
                remaining, finding = fewer, again
        size = min(size, len(remaining)) // 2
    return remaining, finding
