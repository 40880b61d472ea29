"""The games and sessions on which several methods are scored: those that every one of them can forecast."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ratingcore.columns import View
from ratingcore.compare.forecasts import Forecasts, forecast
from ratingcore.compare.played import Bools, BurnIn, Played, PlayedSessions
from ratingcore.errors import BadValue, MethodError, NothingForecast, SameMethod
from ratingcore.events import Instant
from ratingcore.lists.workers import Pinned, spread, workers
from ratingcore.log import Head
from ratingcore.log.address import Address
from ratingcore.methods import Method
from ratingcore.methods.periods import Period
from ratingcore.methods.text import identity

Number = TypeVar("Number", bound=np.generic)
Value = TypeVar("Value")

UNRATED = "it had rated nobody who met in a result that is scored"
NO_STRENGTHS = "it does not say who is ahead of whom in a session"


@frozen(eq=False)
class Sat:
    """Forecasts of several methods for the sessions of a view, and which of them are scored.

    Parameters
    ----------
    played : PlayedSessions
        All sessions of the view.
    forecasts : mapping of text to Forecasts
        Of the methods that say who is ahead of whom in some session to be scored.
    span : (n,) bool
        Sessions to score, if all those methods forecast them.
    """

    played: PlayedSessions
    forecasts: Mapping[str, Forecasts]
    span: Bools

    @cached_property
    def which(self) -> Bools:
        """(n,) bool: sessions in `span` in which every method had rated everybody; none without a method."""
        if not self.forecasts:
            return np.zeros(len(self.played), dtype=bool)
        return np.asarray(np.logical_and.reduce([self.span, *map(self.rated, self.forecasts.values())]))

    @cached_property
    def n(self) -> int:
        """Number of sessions that are scored."""
        return int(np.count_nonzero(self.which))

    def rated(self, forecasts: Forecasts) -> Bools:
        """(n,) bool: the sessions in which a method had rated everybody, and says who is ahead of whom."""
        if forecasts.strengths is None or not len(self.played):
            return np.zeros(len(self.played), dtype=bool)
        return ~np.logical_or.reduceat(np.isnan(forecasts.strengths.mean), self.played.result[:-1])

    def unrated(self, text: str) -> int:
        """Number of sessions in `span` that a method does not forecast."""
        return int(np.count_nonzero(self.span & ~self.rated(self.forecasts[text])))


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
    sessions : Sat
        The sessions among the results, and the forecasts of the methods that say who is ahead of whom.
    every : mapping of text to Forecasts
        Forecasts of all methods, in the order in which they were asked.
    """

    played: Played
    forecasts: Mapping[str, Forecasts]
    left_out: Mapping[str, str]
    span: Bools | None
    sessions: Sat
    every: Mapping[str, Forecasts]

    @cached_property
    def which(self) -> Bools | None:
        """(n,) bool: games in `span` that every method forecasts; None if that is every game."""
        return common(self.forecasts.values(), self.span)

    @cached_property
    def n(self) -> int:
        """Number of games that are scored."""
        if not self.forecasts:
            return 0
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

    Games and sessions are scored each in their kind: a method may forecast one kind alone.

    With the address of a log, workers may make the forecasts, a method each.

    Raises
    ------
    SameMethod
        If a method is given twice.
    NothingForecast
        If no game and no session can be forecast by all the others.
    """
    distinct(asked)
    if not asked:
        raise BadValue("methods", (), "are none: name at least one")
    played, sat = Played.of(view), PlayedSessions.of(view)
    span = (burn_in or BurnIn()).scored(played)
    if since is not None:
        late = np.asarray(played.played >= since)
        span = late if span is None else span & late
    sessions = Sat(sat, {}, sat.scored(since, burn_in or BurnIn()))
    some = bool(len(played)) and (span is None or bool(span.any()))
    if not some and not sessions.span.any():
        raise NothingForecast(view.pool, _why(view, played))
    every: dict[str, Forecasts] = {}
    left_out: dict[str, str] = {}
    for (text, _), given in zip(asked, _forecasts(asked, view, refit, address, jobs), strict=True):
        if isinstance(given, MethodError):
            left_out[text] = str(given)
        elif _some_game(given, span) or (sessions.span & sessions.rated(given)).any():
            every[text] = given
        else:
            left_out[text] = UNRATED if some or given.strengths is not None else NO_STRENGTHS
    if not every:
        raise NothingForecast(view.pool, "no method can forecast it", tuple(left_out.items()))
    forecasts = {text: given for text, given in every.items() if _some_game(given, span)}
    seated = {text: given for text, given in every.items() if (sessions.span & sessions.rated(given)).any()}
    answers = Asked(played, forecasts, left_out, span, evolve(sessions, forecasts=seated), every)
    if not answers.n and not answers.sessions.n:
        what = "game" if forecasts else "session"
        unrated = answers.unrated if forecasts else answers.sessions.unrated
        reasons = tuple((text, f"no forecast of {unrated(text)} {what}s") for text in forecasts or seated)
        raise NothingForecast(view.pool, f"there is no {what} that every method can forecast", reasons)
    return answers


def _some_game(given: Forecasts, span: Bools | None) -> bool:
    """Whether a method forecasts some game that is to be scored."""
    return bool((given.rated if span is None else given.rated & span).any())


def _why(view: View, played: Played) -> str:
    if len(played) or view.n_sessions:
        return f"every {'game' if len(played) else 'session'} lies before the first one that is to be scored"
    return "it has no results"


# by workers


@frozen
class Forecasting:
    """One method and the pool whose results it is to forecast, as they are sent to a worker."""

    log: Pinned
    pool: str
    through: Instant
    method: Method
    text: str
    refit: Period | str | None


def _forecasts(
    asked: Sequence[tuple[str, Method]],
    view: View,
    refit: Period | str | None,
    address: Address | None,
    jobs: int | None,
) -> Iterator[Forecasts | MethodError]:
    """Forecasts of each method, or why it can make none; here, or by workers, a method each."""
    count = 1 if address is None else workers(jobs, len(asked))
    if count == 1 or address is None:
        yield from (_forecast(method, view, refit, text) for text, method in asked)
        return
    log = Pinned(address, Head(view.known_at, view.digest))
    parts = [Forecasting(log, view.pool, view.through, method, text, refit) for text, method in asked]
    yield from spread(forecasted, parts, count)


def forecasted(asked: Forecasting) -> Forecasts | MethodError:
    """Forecasts of one method, made in a worker: ratings are worked out before they are sent back."""
    with asked.log.opened() as opened:
        made = _forecast(asked.method, opened.view(asked.pool, asked.through), asked.refit, asked.text)
        if isinstance(made, MethodError):
            return made
        seated = None if made.seated is None else Made(made.seated())
        return evolve(made, ratings=Made(made.ratings()), seated=seated)


@frozen(eq=False)
class Made(Generic[Value]):
    """A callable that returns what has been worked out elsewhere."""

    value: Value

    def __call__(self) -> Value:
        return self.value


def _forecast(method: Method, view: View, refit: Period | str | None, text: str) -> Forecasts | MethodError:
    try:
        return forecast(method, view, refit, text)
    except MethodError as error:
        return error
