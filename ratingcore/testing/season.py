"""A season: events in a log of their own, and the calls in which a method rates them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from attrs import frozen

from ratingcore.columns import FOREVER, Games, Sides, TimelineCache, View
from ratingcore.events import Event, GamePlayed, RatingSeeded, SessionPlayed, iso
from ratingcore.log import SqliteLog
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.state import State
from ratingcore.replay.period_calls import Call, periods
from ratingcore.replay.run import pairs_in, with_pairs
from ratingcore.safe_text import counted

POOL = "kit"

Results = Games | Sides


class Stage(NamedTuple):
    """One call of a method: the state before it, and its results."""

    state: State
    results: Any


@frozen(eq=False)
class Season:
    """Events of one pool, with a view of all of them."""

    events: tuple[Event, ...]
    log: SqliteLog
    view: View

    @classmethod
    def of(cls, events: Iterable[Event]) -> Self:
        """Makes a season of these events; raises `UnknownName` if none of them belongs to the pool `kit`."""
        own = tuple(events)
        log = SqliteLog(":memory:", clock=lambda: 0, salt=lambda: "")
        log.append(own)
        pool = log.book.number("pool", POOL)
        timeline = TimelineCache(None, pool).at_head(log)
        return cls(own, log, View(log, timeline, POOL, FOREVER, log.book))

    def through(self, cut: int) -> View:
        """Returns the view through an instant."""
        return View(self.log, self.view.timeline, POOL, cut, self.log.book)

    def who(self, row: int) -> str:
        """Names the player in a row; for rows after the last player, the row number."""
        return self.view.name(row) if row < self.view.n_players else f"row {row}"

    def results(self, method: Method) -> Any:
        """Returns the results in the form that the method reads, with rows of pairs if it has columns of pairs."""
        if method.reads is Sides:
            return self.view.sides(method.needs, method.name)
        games = self.view.games(method.needs, method.name)
        paired = any(column.per == "pair" for column in method.columns())
        return with_pairs(games, self.view.n_players) if paired else games

    def stages(self, method: Method, parts: int = 2) -> Iterator[Stage]:
        """Yields the calls for a whole season; for a continuous method the season is split into a few parts."""
        results = self.results(method)
        calls = [Call(0, len(results), results.span, self.view.n_players)]
        if method.cadence is Cadence.CONTINUOUS:
            cuts = np.linspace(0, len(results), parts + 1).astype(int).tolist()
            calls = [Call(*cut, results.span, self.view.n_players) for cut in pairwise(cuts)]
        if method.cadence is Cadence.PERIODIC and method.period is not None:
            plan = periods(self.view, method.period, results)
            results = results if plan.order is None else results.take(plan.order)
            calls = plan.calls
        state = rated_start(method, 0, 0)
        for call in calls:
            state = state.grown(rated_start(method, call.players, pairs_in(results, call.stop)))
            part = results.part(call.start, call.stop, call.span)
            yield Stage(state, part)
            state = method.rate(state, part).state


def start(method: Method, players: int, pairs: int) -> State:
    """Returns the state before any result."""
    return State.start(method.columns(), players, pairs)


def rated_start(method: Method, players: int, pairs: int) -> State:
    """Returns the state before any result, with ratings in place of NaN if newcomers begin unrated."""
    state = start(method, players, pairs)
    rating = state["rating"]
    return state.replace(rating=np.where(np.isnan(rating), 1500.0 + 40.0 * (np.arange(players) % 7 - 3), rating))


def described(events: Sequence[Event], most: int = 6) -> str:
    """Describes events in a few words.

    Examples
    --------
    >>> described([GamePlayed(pool="kit", played="2024-03-02", a="ann", b="bo", score=1.0)])
    '1 event: 2024-03-02 ann - bo 1'
    """
    ordered = sorted(events, key=lambda event: getattr(event, "played", 0))
    texts = [_text(event) for event in ordered[:most]]
    more = [f"and {len(events) - most} more"] if len(events) > most else []
    return f"{counted(len(events), 'event')}: " + "; ".join(texts + more)


def _text(event: Event) -> str:
    if isinstance(event, GamePlayed):
        facts = f" {dict(event.data)}" if event.data else ""
        return f"{iso(event.played)} {event.a} - {event.b} {event.score:g}{facts}"
    if isinstance(event, SessionPlayed):
        sides = ", ".join(f"{'+'.join(side.players)} {side.score:g}" for side in event.sides)
        return f"{iso(event.played)} {sides}"
    if isinstance(event, RatingSeeded):
        return f"{iso(event.played)} seed {event.player} {dict(event.values)}"
    return event.kind
