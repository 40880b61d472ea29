"""A law: one sentence that every method keeps, and the check that finds the one that does not."""

import warnings
from collections.abc import Callable
from unittest import SkipTest

from attrs import define, frozen

from ratingcore.errors import BrokenContract, MethodError, RatingCoreError
from ratingcore.events import Event, GamePlayed, SessionPlayed
from ratingcore.methods.contract import Cadence, Method
from ratingcore.tables.games import Games
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
    """The law says nothing about this method; pytest shows it as skipped, with the reason."""


class Violation(AssertionError):
    """What a check found, in words and numbers."""


@frozen(eq=False)
class Law:
    """A law that methods keep; `law(method)` raises if this method does not.

    Parameters
    ----------
    name : str
        One or two words: `slicing`, `no-games`; what `excuses` and test ids say.
    sentence : str
        What is promised.
    check : callable
        Raises `Violation`, or anything a method raises.
    cadences : frozenset of Cadence
        Of which methods it speaks.
    of_games : bool
        Whether it speaks only of methods that read games of two players.
    """

    name: str
    sentence: str
    check: Callable[[Method], None]
    cadences: frozenset[Cadence]
    of_games: bool = False

    def silent(self, method: Method) -> str:
        """Why the law says nothing about a method; empty if it speaks."""
        if method.cadence not in self.cadences:
            return f"the method is {method.cadence.value}"
        return "the method reads sides" if self.of_games and method.reads is not Games else ""

    def __call__(self, method: Method) -> None:
        """Check a method.

        Raises
        ------
        LawBroken
            With what was found and, if results led to it, the fewest that still do.
        DoesNotApply
            If the law says nothing about the method.
        """
        try:
            why = self.silent(method)
            if why:
                raise DoesNotApply(why)
            self.check(method)
        except (LawBroken, DoesNotApply):
            raise
        except Exception as error:
            raise LawBroken(self.name, _named(method), _words(error)) from error

    def __str__(self) -> str:
        return self.name


EVERY = frozenset(Cadence)
CONTINUOUS = frozenset({Cadence.CONTINUOUS})
PERIODIC = frozenset({Cadence.PERIODIC})
FORWARD = CONTINUOUS | PERIODIC
"""Cadences whose past never changes."""

Check = Callable[[Method], None]
SeasonCheck = Callable[[Method, Season], None]


def law(cadences: frozenset[Cadence] = EVERY, *, of_games: bool = False) -> Callable[[Check], Law]:
    """Make a check of a method a law; its docstring begins with the sentence."""
    return lambda check: _made(check, check, cadences, of_games)


def law_of_seasons(cadences: frozenset[Cadence] = EVERY, *, of_games: bool = False) -> Callable[[SeasonCheck], Law]:
    """Make a check of a method on a drawn season a law; what it finds is shown on the fewest results."""

    def decorate(check: SeasonCheck) -> Law:
        def over_seasons(method: Method) -> None:
            from ratingcore.testing.random_seasons import seasons  # drawing runs the method, laws draw

            for season in seasons(method):
                found = _found(check, method, season)
                if found is not None:
                    raise _shown(check, method, season, found)

        return _made(check, over_seasons, cadences, of_games)

    return decorate


def _made(told: Check | SeasonCheck, check: Check, cadences: frozenset[Cadence], of_games: bool) -> Law:
    sentence = (told.__doc__ or "").partition("\n")[0].rstrip(".")
    return Law(told.__name__.replace("_", "-"), sentence, check, cadences, of_games)


def _found(check: SeasonCheck, method: Method, season: Season) -> Exception | None:
    """What a check finds, or None; a warning of numpy's is a find too."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            check(method, season)
    except DoesNotApply:
        raise
    except Exception as error:
        return error
    return None


def _shown(check: SeasonCheck, method: Method, season: Season, found: Exception) -> LawBroken:
    def alike(events: tuple[Event, ...]) -> Exception | None:
        fewer = Season.of(events) if any(isinstance(event, GamePlayed | SessionPlayed) for event in events) else None
        again = None if fewer is None else _found(check, method, fewer)
        return again if type(again) is type(found) else None

    try:
        events, found = smallest(season.events, alike, found)
    except DoesNotApply:
        events = season.events
    name = check.__name__.replace("_", "-")
    broken = LawBroken(name, _named(method), _words(found), described(events))
    broken.__cause__ = found
    return broken


def _words(error: Exception) -> str:
    if isinstance(error, Violation):
        return str(error)
    if isinstance(error, MethodError) and not isinstance(error, BrokenContract):
        return f"it refuses results: {error}"
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else 'no message'}"


def _named(method: Method) -> str:
    return str(getattr(type(method), "name", type(method).__name__))
