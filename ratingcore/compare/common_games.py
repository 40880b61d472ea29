"""The games on which several methods are scored: those that every one of them can forecast."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.compare.burn_in import BurnIn
from ratingcore.compare.forecasts import Forecasts
from ratingcore.compare.played_games import Bools, Played
from ratingcore.compare.workers import forecasts as made_by
from ratingcore.errors import BadValue, MethodError, NothingForecast, SameMethod
from ratingcore.events import Instant
from ratingcore.log.address import Address
from ratingcore.methods import Method
from ratingcore.methods.periods import Period
from ratingcore.methods.text import identity
from ratingcore.tables import View

Number = TypeVar("Number", bound=np.generic)

UNRATED = "it had rated nobody who met in a game that is scored"


@frozen(eq=False)
class Asked:
    """Forecasts of several methods for the games of a view, and which of those games are scored.

    Parameters
    ----------
    played : Played
        All games of the view.
    forecasts : mapping of text to Forecasts
        Forecasts of the methods that could make any.
    left_out : mapping of text to str
        Why the other methods could not.
    span : (n,) bool or None
        Games to score, if all methods forecast them; None for all.
    """

    played: Played
    forecasts: Mapping[str, Forecasts]
    left_out: Mapping[str, str]
    span: Bools | None

    @cached_property
    def which(self) -> Bools | None:
        """(n,) bool: games in `span` that every method forecasts; None if that is every game."""
        return common(self.forecasts.values(), self.span)

    @cached_property
    def n(self) -> int:
        """Number of games that are scored."""
        return len(self.played) if self.which is None else int(np.count_nonzero(self.which))

    def unrated(self, text: str) -> int:
        """Number of games in `span` that a method does not forecast."""
        rated = self.forecasts[text].rated
        return int(np.count_nonzero(~rated if self.span is None else self.span & ~rated))

    def of(self, column: NDArray[Number]) -> NDArray[Number]:
        """The part of a column for the games that are scored."""
        return column if self.which is None else column[self.which]


def common(forecasts: Iterable[Forecasts], which: Bools | None = None) -> Bools | None:
    """The games in `which` that every method forecasts; None if that is every game.

    A method without any forecast is left aside, so that the others can still be compared.
    """
    asked = which
    for each in forecasts:
        mine = each.rated if asked is None else each.rated & asked
        if mine.any() and not each.rated.all():
            which = mine if which is None else which & mine
    return which


def distinct(asked: Sequence[tuple[str, Method]]) -> None:
    """Check that no method is given twice, under one text or under two."""
    seen: dict[str, str] = {}
    for text, method in asked:
        who = identity(method)
        if who in seen:
            raise SameMethod(seen[who], text)
        seen[who] = text


def ask(
    asked: Sequence[tuple[str, Method]],
    view: View,
    since: Instant | None = None,
    burn_in: BurnIn | None = None,
    refit: Period | str | None = None,
    address: Address | None = None,
    jobs: int | None = 1,
) -> Asked:
    """Asks methods for forecasts of the games of a view; one that cannot make any is left out, with the reason.

    Where there is an address of the log, workers may be asked; `workers.forecasts` says which.

    Raises
    ------
    SameMethod
        If a method is given twice.
    NothingForecast
        If no game can be forecast by all the others.
    """
    distinct(asked)
    if not asked:
        raise BadValue("methods", (), "are none: name at least one")
    played = Played.of(view)
    span = (burn_in or BurnIn()).scored(played)
    if since is not None:
        late = np.asarray(played.played >= since)
        span = late if span is None else span & late
    if not len(played) or (span is not None and not span.any()):
        raise NothingForecast(view.pool, _why(view, played))
    forecasts: dict[str, Forecasts] = {}
    left_out: dict[str, str] = {}
    for (text, _), given in zip(asked, made_by(asked, view, refit, address, jobs), strict=True):
        if isinstance(given, MethodError):
            left_out[text] = str(given)
        elif (given.rated if span is None else given.rated & span).any():
            forecasts[text] = given
        else:
            left_out[text] = UNRATED
    if not forecasts:
        raise NothingForecast(view.pool, "no method can forecast it", tuple(left_out.items()))
    answers = Asked(played, forecasts, left_out, span)
    if not answers.n:
        reasons = tuple((text, f"no forecast of {answers.unrated(text)} games") for text in forecasts)
        raise NothingForecast(view.pool, "there is no game that every method can forecast", reasons)
    return answers


def _why(view: View, played: Played) -> str:
    if len(played):
        return "every game lies before the first one that is to be scored"
    return f"it holds no game of two players, only {view.n_sessions} sessions" if view.n_sessions else "it has no games"
