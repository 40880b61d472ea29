"""Sweeps and forecasts shared among workers, who are sent the address of the log, its head and method texts."""

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns import Floats, View
from ratingcore.compare.forecasts import Forecasts, forecast
from ratingcore.compare.sweep import Sweep, Swept, sweep, together
from ratingcore.errors import MethodError
from ratingcore.events import Instant
from ratingcore.lists.workers import Pinned, installed, spread, workers
from ratingcore.log import Head
from ratingcore.log.address import Address
from ratingcore.methods import Method
from ratingcore.methods.periods import Period
from ratingcore.methods.text import text_of
from ratingcore.registry import Registry


def shared(asked: Sweep, methods: Sequence[Method], view: View, jobs: int | None) -> Swept:
    """Score settings, here or by workers.

    Parameters
    ----------
    asked : Sweep
        Without an address, its settings are scored here.
    methods : sequence of Method
        What its texts mean here.
    view : View
        The pool it is about.
    jobs : int or None
        Workers, as joblib counts them.
    """
    count = workers(jobs) if len(methods) > 1 and asked.address is not None and installed(methods) else 1
    if count == 1:
        return _score(asked, methods, view)
    pieces = list(_dealt(together(methods, view.cut(asked.through), asked.objective), count))
    parts = [evolve(asked, methods=tuple(asked.methods[number] for number in piece)) for piece in pieces]
    whole = Swept(*(np.empty((len(methods), len(asked.spans))) for _ in Swept._fields))
    for piece, part in zip(pieces, spread(swept, parts, min(len(parts), count)), strict=True):
        whole.score[piece], whole.games[piece] = part
    return whole


def _dealt(together: Sequence[Sequence[int]], count: int) -> Iterator[list[int]]:
    """Indices of settings dealt out in turn to so many workers: every piece opens the log.

    Of settings that share a pass no piece gets a single one, which would be replayed there.
    """
    alone = [number for numbers in together if len(numbers) == 1 for number in numbers]
    for numbers, least in [(alone, 1), *((numbers, 2) for numbers in together if len(numbers) > 1)]:
        shares = min(len(numbers) // least, count)
        yield from (list(numbers[share::shares]) for share in range(shares))


def swept(asked: Sweep) -> Swept:
    """Scores the settings of a sweep in a worker, which opens the log by its address.

    Raises
    ------
    BadCut
        If the log at that address has another history.
    """
    assert asked.address is not None, "only a log with an address is shared"
    with Pinned(asked.address, Head(asked.position, asked.digest)).opened() as opened:
        registry = Registry.installed()
        return _score(asked, [registry.method(text) for text in asked.methods], opened.view(asked.pool, asked.through))


def _score(asked: Sweep, methods: Sequence[Method], view: View) -> Swept:
    cut = view.cut(asked.through)
    return sweep(methods, cut, asked.spans, asked.objective, asked.refit, single=asked.single)


@frozen
class Forecasting:
    """One method and the games that it is to forecast: texts and numbers.

    Parameters
    ----------
    log : Pinned
    pool : str
    through : int
    method : str
    text : str
        The method as the user spelt it.
    refit : Period, str or None
    """

    log: Pinned
    pool: str
    through: Instant
    method: str
    text: str
    refit: Period | str | None


def forecasts(
    asked: Sequence[tuple[str, Method]],
    view: View,
    refit: Period | str | None,
    address: Address | None = None,
    jobs: int | None = 1,
) -> Iterator[Forecasts | MethodError]:
    """Forecasts of each method, or why it can make none; here, or by workers, a method each.

    Parameters
    ----------
    asked : sequence of (str, Method)
        Each method, with the text that names it.
    view : View
    refit : Period, str or None
    address : Address or None
        Without one, everything is forecast here.
    jobs : int or None
        Workers, as joblib counts them.
    """
    count = workers(jobs) if len(asked) > 1 and address is not None and installed([each for _, each in asked]) else 1
    if count == 1 or address is None:
        yield from (_forecast(method, view, refit, text) for text, method in asked)
        return
    log = Pinned(address, Head(view.known_at, view.digest))
    parts = [Forecasting(log, view.pool, view.through, text_of(method), text, refit) for text, method in asked]
    yield from spread(forecasted, parts, min(len(parts), count))


def forecasted(asked: Forecasting) -> Forecasts | MethodError:
    """What a worker makes of one method."""
    with asked.log.opened() as opened:
        method, view = Registry.installed().method(asked.method), opened.view(asked.pool, asked.through)
        made = _forecast(method, view, asked.refit, asked.text)
        if isinstance(made, MethodError):
            return made
        seated = None if made.seated is None else Seated(made.seated())
        return evolve(made, ratings=Known(*made.ratings()), seated=seated)


@frozen(eq=False)
class Known:
    """Ratings before each game, which have been worked out elsewhere."""

    a: Floats
    b: Floats

    def __call__(self) -> tuple[Floats, Floats]:
        return self.a, self.b


@frozen(eq=False)
class Seated:
    """Ratings of the members of sessions, which have been worked out elsewhere."""

    rating: Floats

    def __call__(self) -> Floats:
        return self.rating


def _forecast(method: Method, view: View, refit: Period | str | None, text: str) -> Forecasts | MethodError:
    try:
        return forecast(method, view, refit, text)
    except MethodError as error:
        return error
