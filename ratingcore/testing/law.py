"""A law of the kit: a sentence that methods promise to keep, and the check of it."""

import warnings
from collections.abc import Callable
from unittest import SkipTest

from attrs import define, frozen

from ratingcore.columns.games import Games
from ratingcore.errors import BrokenContract, MethodError, RatingCoreError
from ratingcore.events import Event, GamePlayed, SessionPlayed
from ratingcore.methods.contract import Cadence, Method
from ratingcore.testing.season import Season, described
from ratingcore.testing.shrink import smallest


@define(slots=False)
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
    """The law does not apply to this method; pytest shows the test as skipped, with the reason."""


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
        """Why the law does not apply to a method; empty if it does."""
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
            from ratingcore.testing.random_seasons import seasons  # drawing runs the method, laws draw

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
    """The error a check raises, or None; a warning of numpy counts as one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            check(method, season)
    except DoesNotApply:
        raise
    except Exception as error:
        return error
    except (SystemExit, GeneratorExit) as error:  # it would end the check, and all laws would seem to hold
        return RuntimeError(f"it raises {type(error).__name__}")
    return None


def _shrunk(check: SeasonCheck, method: Method, season: Season, error: Exception) -> LawBroken:
    """The error on the fewest events that still raise one of its type."""

    def alike(events: tuple[Event, ...]) -> Exception | None:
        fewer = Season.of(events) if any(isinstance(event, GamePlayed | SessionPlayed) for event in events) else None
        again = None if fewer is None else _finding(check, method, fewer)
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
