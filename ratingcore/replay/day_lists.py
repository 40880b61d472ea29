"""Computes the ratings on the lists of several days, from one replay where possible."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ratingcore.columns.games import Floats
from ratingcore.columns.view import View
from ratingcore.events import Instant
from ratingcore.methods.contract import Cadence, Method
from ratingcore.methods.first_ratings import Entering
from ratingcore.methods.rule_histories import Book, last_step
from ratingcore.methods.state import State
from ratingcore.replay.checkpoint import facts_of
from ratingcore.replay.contract_check import readable_view, shown_by
from ratingcore.replay.fold import fold, run_of
from ratingcore.replay.periodic import Periodic
from ratingcore.replay.run import date_of
from ratingcore.replay.seeds import Planter

Seen = Callable[[int, Mapping[str, Floats]], None]
"""Called with the index of an instant, and the listed `rating` and `deviation`, if any, of every player by row."""


def watch(method: Method, view: View, instants: Sequence[Instant], seen: Seen) -> None:
    """Calls `seen` with the unrounded ratings on the list through each instant; no list depends on later events.

    Most continuous and periodic methods run once. Whole-pool methods run anew for every instant. So do methods whose
    newcomers enter by games, that have tournaments as periods, or that read a field of players which changed in
    between.

    Parameters
    ----------
    instants : sequence of int
        Increasing, none after the cut of the view; the list at this cut is the list of the view.
    seen : callable
        Called in order, with NaN for players who had not appeared or were unrated. The arrays do not change later.

    Examples
    --------
    >>> from ratingcore.engine import open_engine
    >>> from ratingcore.events import GamePlayed, last_instant
    >>> with open_engine(":memory:") as engine:
    ...     for day in ("2024-01-05", "2024-02-05"):
    ...         _ = engine.record(GamePlayed(pool="rapid", played=day, a="ann", b="bo", score=1.0))
    ...     elo, view = engine.registry.method("elo"), engine.core.view("rapid")
    ...     instants = [last_instant("2024-01-31"), view.through]
    ...     watch(elo, view, instants, lambda n, shown: print(n, shown["rating"].round(1)))
    0 [1510. 1490.]
    1 [1519.4 1480.6]
    """
    if not len(instants):
        return
    if isinstance(method, Book) and (early := sum(at < method.day for at in instants)):
        watch(method.before, view, instants[:early], seen)
        later = instants[early:]
        if later:
            watch(method, view, later, lambda number, shown: seen(early + number, shown))
        return
    readable = readable_view(method, view)
    if readable.timeline is not view.timeline:
        watch(
            method, readable, instants,
            lambda number, shown: seen(number, {name: _by_row(one, readable, view) for name, one in shown.items()}),
        )  # fmt: skip
        return
    if _in_one_pass(method, view, instants):
        _Watch(method, view, instants, seen).run()
        return
    for number, at in enumerate(instants):
        replay = fold(method, view.cut(at))
        seen(number, _shown(method, replay.state, replay.at, replay.view.n_players, view.n_players))


def first_ratings(method: Method, view: View) -> Floats:
    """Returns the rating with which each player entered: the initial rating of the method, or that of an early seed.

    NaN where games determine it: under whole-pool methods, and under methods whose newcomers enter by an `Entry`.
    """
    if isinstance(method, Book):
        early = view.timeline.players.debut[: view.n_players] < method.day
        return np.where(early, first_ratings(method.before, view), first_ratings(method.method, view))
    if isinstance(method, Entering) or method.cadence is Cadence.RETROSPECTIVE:
        return np.full(view.n_players, np.nan)
    readable = readable_view(method, view)
    if readable.timeline is not view.timeline:
        return _by_row(first_ratings(method, readable), readable, view)
    columns, seeds = method.columns(), view.seeds
    state = State.start(columns, view.n_players).copied()
    given = np.flatnonzero(seeds.played <= view.timeline.players.debut[seeds.player])
    Planter(seeds, columns).plant(state, given, 0, 0)
    return _shown(method, state, date_of(view), view.n_players, view.n_players)["rating"]


def _by_row(rating: Floats, readable: View, view: View) -> Floats:
    """Moves ratings from the rows of a view without unreadable results to the rows of the whole view; NaN elsewhere."""
    rows = view.timeline.players.rows(int(view.timeline.players.id.max(initial=0)) + 1)
    whole = np.full(view.n_players, np.nan)
    whole[rows[readable.timeline.players.id[: readable.n_players]]] = rating
    return whole


def _in_one_pass(method: Method, view: View, instants: Sequence[Instant]) -> bool:
    if isinstance(last_step(method), Entering) or method.cadence is Cadence.RETROSPECTIVE:
        return False
    if isinstance(method, Book) and method.period is not None:
        return False
    if method.period is not None:
        if method.period.unit == "event":  # several tournaments may end at one instant
            return False
        last = view.last_happened
        if last is None or any(
            last <= at < view.through for at in instants
        ):  # there the last period is open or empty, unlike in the view
            return False
    if not any(need.of == "player" for need in method.needs):
        return True
    return all(facts_of(method, view.cut(at), at) == facts_of(method, view, at) for at in instants)


def _shown(method: Method, state: State, at: Instant, appeared: int, players: int) -> dict[str, Floats]:
    """Returns the listed rating and deviation of every player of a view; NaN for those who had not appeared."""
    listed, shown = shown_by(method, state, at), {}
    for name in ("rating", "deviation"):
        if name in listed:
            shown[name] = np.full(players, np.nan)
            shown[name][:appeared] = listed[name][:appeared]
    return shown


class _Watch:
    """One run of a method that calls `seen` at each instant on the way."""

    def __init__(self, method: Method, view: View, instants: Sequence[Instant], seen: Seen) -> None:
        self.method, self.view, self.instants, self.seen = method, view, list(instants), seen
        self.to_end = self.instants[-1] == view.through
        self.stepwise = run_of(method, view)
        self.number = 0

    def run(self) -> None:
        on_the_way = self.instants[:-1] if self.to_end else self.instants
        stops = on_the_way
        if isinstance(self.stepwise, Periodic):
            self.ends = self.stepwise.plan.ends
            self.after = [int(np.searchsorted(self.ends, at, "right")) - 1 for at in on_the_way]
            stops = [int(self.ends[which]) for which in sorted({*self.after}) if which >= 0]
            columns = self.method.columns()
            for _ in range(self.after.count(-1)):
                self._show_period(State.start(columns, 0), None)
        state = self.stepwise.stand(stops, self._stopped)
        if self.to_end:
            n = self.view.n_players
            self.seen(self.number, _shown(self.method, state, self.stepwise.date, n, n))

    def _stopped(self, stop: Instant, state: State) -> None:
        if self.method.cadence is not Cadence.PERIODIC:
            self._show(state, self.instants[self.number])
            return
        while self.number < len(self.after) and int(self.ends[self.after[self.number]]) == stop:
            self._show_period(state, stop)

    def _show(self, state: State, at: Instant) -> None:
        appeared = int(np.searchsorted(self.view.timeline.players.first, at, "right"))
        self.seen(self.number, _shown(self.method, state, at, appeared, self.view.n_players))
        self.number += 1

    def _show_period(self, state: State, end: Instant | None) -> None:
        """Reports the state after a period, with the players and seeds added that came since, as on a list."""
        at, columns = self.instants[self.number], self.method.columns()
        grown = state.grown(State.start(columns, self.view.n_players)).copied()
        seeds = self.view.cut(at).seeds_after(end)
        Planter(seeds, columns).plant(grown, np.arange(len(seeds.played)), 0, 0)
        self._show(grown, at)
