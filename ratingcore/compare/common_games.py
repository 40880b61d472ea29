"""Finds the games and sessions on which several methods are scored: those that all of them can forecast."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from operator import attrgetter
from typing import Generic, TypeVar

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ratingcore.columns import View
from ratingcore.compare.forecasts import Forecasts, forecast, keep_freed_memory
from ratingcore.compare.played import BurnIn, Played, PlayedSessions
from ratingcore.errors import BadValue, MethodError, NothingForecast, SameMethod
from ratingcore.events import Instant
from ratingcore.lists.workers import Pinned, run_parts, workers
from ratingcore.log import Head
from ratingcore.log.address import Address
from ratingcore.methods import Method
from ratingcore.methods.contract import Bools
from ratingcore.methods.periods import Period
from ratingcore.methods.text import identity

Number = TypeVar("Number", bound=np.generic)
Value = TypeVar("Value")
Results = TypeVar("Results", Played, PlayedSessions)

UNRATED = "no scored result is between players whom it had rated before"
NO_STRENGTHS = "it does not forecast the order of finish of sessions"


@frozen(eq=False)
class Common(Generic[Results]):
    """Forecasts of several methods for the games, or the sessions, of a view, and which of these results are scored.

    Parameters
    ----------
    played : Played or PlayedSessions
        All these results.
    rated : callable
        Returns a mask of the results that a method forecasts.
    span : (n,) bool or None
        The results to score, if all methods forecast them; None for all results.
    forecasts : mapping of text to Forecasts
        Forecasts of the methods that have one in the span.
    """

    played: Results
    rated: Callable[[Forecasts], Bools]
    span: Bools | None
    forecasts: Mapping[str, Forecasts]

    @cached_property
    def which(self) -> Bools | None:
        """(n,) bool: results in the span that every method forecasts; None if these are all results."""
        return common(self.forecasts.values(), self.span, self.rated)

    @cached_property
    def n(self) -> int:
        """Number of scored games or sessions."""
        if not self.forecasts:
            return 0
        return len(self.played) if self.which is None else int(np.count_nonzero(self.which))

    @property
    def wanted(self) -> bool:
        """True if there is anything to score in the span."""
        return bool(len(self.played)) and (self.span is None or bool(self.span.any()))

    def forecast_by(self, made: Forecasts) -> bool:
        """True if a method forecasts any result in the span."""
        rated = self.rated(made)
        return bool((rated if self.span is None else rated & self.span).any())

    def unrated(self, text: str) -> int:
        """Returns the number of results in the span that a method does not forecast."""
        rated = self.rated(self.forecasts[text])
        return int(np.count_nonzero(~rated if self.span is None else self.span & ~rated))

    def of(self, column: NDArray[Number]) -> NDArray[Number]:
        """Returns the part of a column that belongs to the scored results."""
        return column if self.which is None else column[self.which]


@frozen(eq=False)
class CommonForecasts:
    """Forecasts of several methods for the games and the sessions of a view.

    Parameters
    ----------
    games : Common of Played
    sessions : Common of PlayedSessions
    every : mapping of text to Forecasts
        Forecasts of all methods that could make any, in the order in which they were asked.
    left_out : mapping of text to str
        Reasons why the other methods made none.
    """

    games: Common[Played]
    sessions: Common[PlayedSessions]
    every: Mapping[str, Forecasts]
    left_out: Mapping[str, str]


def common(
    forecasts: Iterable[Forecasts],
    which: Bools | None = None,
    rated: Callable[[Forecasts], Bools] = attrgetter("rated"),
) -> Bools | None:
    """Returns the results in `which` that every method forecasts; None if these are all results.

    A method without any forecast is ignored, so that the others can still be compared.
    """
    chosen = which
    for each in map(rated, forecasts):
        mine = each if chosen is None else each & chosen
        if mine.any() and not each.all():
            which = mine if which is None else which & mine
    return which


def check_distinct(entries: Sequence[tuple[str, Method]]) -> None:
    """Raises an error if a method is given twice, by one text or by two, or if two methods have the same text."""
    seen: dict[str, str] = {}
    for text, method in entries:
        who = identity(method)
        if who in seen:
            raise SameMethod(seen[who], text)
        if text in seen.values():
            raise BadValue("methods", text, "must have different texts; two of them have")
        seen[who] = text


def ask(
    entries: Sequence[tuple[str, Method]],
    view: View,
    since: Instant | None = None,
    burn_in: BurnIn | None = None,
    refit: Period | str | None = None,
    address: Address | None = None,
    jobs: int | None = 1,
    progress: Callable[[int], None] = lambda done: None,
    clusters: str = "",
) -> CommonForecasts:
    """Makes the forecasts of several methods for a view; a method that cannot make any is left out, with the reason.

    Games and sessions are scored separately, and a method may forecast only one of the two.

    With the address of a log, worker processes may make the forecasts, one method each. `progress` is called with the
    number of methods that are done. `clusters` is a field of results; errors of results with the same value may be
    correlated.

    Raises
    ------
    SameMethod
        If a method is given twice.
    NothingForecast
        If no game and no session can be forecast by all methods that forecast any.
    """
    check_distinct(entries)
    if not entries:
        raise BadValue("methods", (), "must be one or more")
    keep_freed_memory()
    burn_in = burn_in or BurnIn()
    games, seated = Played.of(view, clusters), PlayedSessions.of(view, clusters)
    of_games = Common(games, attrgetter("rated"), burn_in.scored(games, since), {})
    of_sessions = Common(seated, lambda made: made.rates(seated), burn_in.scored(seated, since), {})
    if not of_games.wanted and not of_sessions.wanted:
        raise NothingForecast(view.pool, _why(view))
    every: dict[str, Forecasts] = {}
    left_out: dict[str, str] = {}
    for done, ((text, _), made) in enumerate(
        zip(entries, _forecasts(entries, view, refit, address, jobs), strict=True), 1
    ):
        progress(done)
        if isinstance(made, MethodError):
            left_out[text] = str(made)
        elif of_games.forecast_by(made) or of_sessions.forecast_by(made):
            every[text] = made
        else:
            left_out[text] = UNRATED if of_games.wanted or made.strengths is not None else NO_STRENGTHS
    if not every:
        raise NothingForecast(view.pool, "no method can forecast it", tuple(left_out.items()))
    of_games, of_sessions = _of_those(of_games, every), _of_those(of_sessions, every)
    if not of_games.n and not of_sessions.n:
        what, most = ("game", of_games) if of_games.forecasts else ("session", of_sessions)
        reasons = tuple((text, f"no forecast of {most.unrated(text)} {what}s") for text in most.forecasts)
        why = f"there is no {what} that every method can forecast"
        advice = f"leave out the method with the most {what}s missing, {max(most.forecasts, key=most.unrated)}"
        raise NothingForecast(view.pool, why, reasons, advice)
    return CommonForecasts(of_games, of_sessions, every, left_out)


def _of_those(wanted: Common[Results], every: Mapping[str, Forecasts]) -> Common[Results]:
    """Returns the same results, with only the methods that forecast any result in the span."""
    return evolve(wanted, forecasts={text: made for text, made in every.items() if wanted.forecast_by(made)})


def _why(view: View) -> str:
    if view.n_games or view.n_sessions:
        return f"every {'game' if view.n_games else 'session'} was played before the first one that is to be scored"
    return "it has no results"


# by workers


@frozen
class Forecasting:
    """Task of a worker: one method, and the pool whose results it forecasts."""

    log: Pinned
    pool: str
    through: Instant
    method: Method
    text: str
    refit: Period | str | None


def _forecasts(
    entries: Sequence[tuple[str, Method]],
    view: View,
    refit: Period | str | None,
    address: Address | None,
    jobs: int | None,
) -> Iterator[Forecasts | MethodError]:
    """Yields the forecasts of each method, or the error that prevents them; made here, or by workers, a method each."""
    count = 1 if address is None else workers(jobs, len(entries))
    if count == 1 or address is None:
        yield from (_forecast(method, view, refit, text) for text, method in entries)
        return
    log = Pinned(address, Head(view.known_at, view.digest))
    parts = [Forecasting(log, view.pool, view.through, method, text, refit) for text, method in entries]
    yield from run_parts(forecasted, parts, count)


def forecasted(task: Forecasting) -> Forecasts | MethodError:
    """Makes the forecasts of one method in a worker, and computes the lazy ratings before they are sent back."""
    with task.log.opened() as opened:
        made = _forecast(task.method, opened.view(task.pool, task.through), task.refit, task.text)
        if isinstance(made, MethodError):
            return made
        seated = None if made.seated is None else partial(worked_out, made.seated())
        return evolve(made, ratings=partial(worked_out, made.ratings()), seated=seated)


def worked_out(value: Value) -> Value:
    """Returns its argument; with `partial`, a computed value stands in for a lazy one."""
    return value


def _forecast(method: Method, view: View, refit: Period | str | None, text: str) -> Forecasts | MethodError:
    try:
        return forecast(method, view, refit, text)
    except MethodError as error:
        return error
