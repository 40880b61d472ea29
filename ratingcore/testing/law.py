"""A law of the kit: a promise of methods with its check; and tools to compare and shrink findings."""

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
    """A finding of a check, in words and numbers."""


@frozen(eq=False)
class Law:
    """A promise of methods; `law(method)` raises if this method breaks it.

    Parameters
    ----------
    name : str
        One or two words, such as `slicing` or `no-games`, as in `excuses` and test ids.
    sentence : str
        The promise.
    check : callable
        Raises `Violation` if the promise is broken; errors of the method count as broken, too.
    cadences : frozenset of Cadence
        Cadences of the methods it applies to.
    of_games : bool
        Whether it applies only to methods that read games of two players.
    """

    name: str
    sentence: str
    check: Callable[[Method], None]
    cadences: frozenset[Cadence]
    of_games: bool = False

    def silent(self, method: Method) -> str:
        """Reason why the law does not apply to a method; empty if it does."""
        if method.cadence not in self.cadences:
            return f"the method is {method.cadence.value}"
        return "the method reads sides" if self.of_games and method.reads is not Games else ""

    def __call__(self, method: Method) -> None:
        """Checks a method.

        Raises
        ------
        LawBroken
            With the finding and, if results led to it, the fewest results that still do.
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
"""Cadences that never change the past."""

Check = Callable[[Method], None]
SeasonCheck = Callable[[Method, Season], None]


def law(cadences: frozenset[Cadence] = EVERY, *, of_games: bool = False) -> Callable[[Check], Law]:
    """Decorator: makes a check of a method a law, whose sentence is the first line of the docstring."""
    return lambda check: _made(check, check, cadences, of_games)


def law_of_seasons(cadences: frozenset[Cadence] = EVERY, *, of_games: bool = False) -> Callable[[SeasonCheck], Law]:
    """Decorator: makes a check of a method on random seasons a law; findings are shrunk to the fewest results."""

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
    """The error that a check raises, or None; a warning of numpy counts as one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            check(method, season)
    except DoesNotApply:
        raise
    except Exception as error:
        return error
    except (SystemExit, GeneratorExit) as error:  # it would end the check, as if all laws held
        return RuntimeError(f"it raises {type(error).__name__}")
    return None


def _shrunk(check: SeasonCheck, method: Method, season: Season, error: Exception) -> LawBroken:
    """The error on the fewest events that still raise one of its type."""

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
"""Largest difference of two numbers that are equal in exact arithmetic, plus 1e-12 of their size."""

Who = Callable[[int], str]


def same(what: str, one: object, other: object, who: Who = str, *, exact: bool = True) -> None:
    """Raises `Violation` unless two columns hold the same bits, or the same numbers within the tolerance.

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
    """Raises `Violation` unless two sets of columns are the same."""
    if one.keys() != other.keys():
        raise Violation(f"{why}: there is {', '.join(one) or 'nothing'}, and then {', '.join(other) or 'nothing'}")
    for name in one:
        try:
            same(name, one[name], other[name], who, exact=exact)
        except Violation as found:
            raise Violation(f"{why}: {found}") from None


def same_state(one: State, other: State, why: str, who: Who = str, *, exact: bool = True) -> None:
    """Raises `Violation` unless two states are the same."""
    same_columns(columns(one), columns(other), why, who, exact=exact)


def columns(state: State) -> dict[str, Floats]:
    """The columns of a state by name."""
    return {name: state[name] for name in state.names}


def outputs(outcome: Rated | Solved) -> dict[str, Floats]:
    """Everything a call returned about its results, by name: a number per result or side, or a row (a, b)."""
    if isinstance(outcome, Solved):
        return {"fitted score": outcome.fitted}
    columns = {"expected score": outcome.expected, "change": _paired(outcome.change)}
    if outcome.draw is not None:
        columns["chance of a draw"] = outcome.draw
    columns |= {label: _paired(moved) for label, moved in outcome.before.items()}
    return columns | {f"note {name}": note for name, note in outcome.notes.items()}


def seeded(replay: Replay) -> Bools:
    """Mask of the players of a replay who have a seed."""
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
    """A change as one column: rows of (a, b) for games."""
    return np.column_stack(change) if isinstance(change, tuple) else change


def among(rows: Ints, who: Who) -> Who:
    """A function from an index among some rows to the name of that row."""

    def name(number: int) -> str:
        return who(int(rows[number]))

    return name


def always(name: str) -> Who:
    """A function that returns the same name for everything."""
    return lambda _: name


def nth(result: int) -> str:
    """The name of a result in messages."""
    return f"result {result + 1}"


# findings on fewer results

T = TypeVar("T")
F = TypeVar("F")

TRIALS = 250
"""Number of parts of the items that are tried, at most."""


def smallest(
    items: Sequence[T], found: Callable[[tuple[T, ...]], F | None], first: F, trials: int = TRIALS
) -> tuple[tuple[T, ...], F]:
    """Leaves out all items that are not needed for a finding; returns the rest with its finding.

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
    rest, shown = tuple(items), first
    size = len(rest) // 2
    while size and trials:
        at = 0
        while at < len(rest) and trials:
            fewer = rest[:at] + rest[at + size :]
            trials -= 1
            again = found(fewer) if fewer else None
            if again is None:
                at += size
            else:
                rest, shown = fewer, again
        size = min(size, len(rest)) // 2
    return rest, shown
