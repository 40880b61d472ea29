"""The fold: a method run over a view by its cadence, with every seed planted in time."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ratingcore.errors import BadSeed, BrokenContract
from ratingcore.events import Instant
from ratingcore.methods.contract import Cadence, Method, Rated, Solved
from ratingcore.methods.entry import Entering
from ratingcore.methods.state import State
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.replay.contract_check import Answers, owned
from ratingcore.replay.keeper import Keeper
from ratingcore.replay.plan import Call, Periods, periods
from ratingcore.replay.record import Replay, Settled, Sown, paired
from ratingcore.replay.seeds import Planter, continuous_plantings, grouped
from ratingcore.tables.arrays import Ints, frozen_array
from ratingcore.tables.games import Blanks, Games, Span
from ratingcore.tables.sides import Sides
from ratingcore.tables.view import FOREVER, View

CHUNK = 32_768
"""Games of one call of a continuous method: its scratch stays in the cache of a core."""


def fold(method: Method, view: View, *, keep: bool = False, after: Checkpoint | None = None) -> Replay:
    """Run a method over a view.

    Parameters
    ----------
    keep : bool
        Keep what every result was expected to be and moved; else only the state.
    after : Checkpoint or None
        Where the replay begins: it then holds what came after it.

    Raises
    ------
    MethodError
        If the view does not fit the method, a result is one it cannot rate, or it breaks its contract.
    """
    if isinstance(method, Entering):
        from ratingcore.replay.entry import EnteringFold  # it stands on this module

        return EnteringFold(method, view, keep).run()
    return Fold(method, view, keep, after).run()


class Fold:
    """One run of a method over a view.

    Parameters
    ----------
    after : Checkpoint or None
        Where it begins; only for methods that can go on.
    stops : sequence of int
        Instants in order, after which `seen` is told the state; none where everything is kept.
    seen : callable
        Takes an instant and the state after everything played through it.
    """

    def __init__(
        self,
        method: Method,
        view: View,
        keep: bool,
        after: Checkpoint | None = None,
        stops: Sequence[Instant] = (),
        seen: Callable[[Instant, State], None] = lambda through, state: None,
    ) -> None:
        self.method = method
        self.view = view
        self.columns = method.columns()
        self.answers = Answers(method, self.columns)
        self.after = after
        self.stops = stops
        self.seen = seen
        self.since = None if after is None else after.through
        self.seeds = view.seeds_after(self.since if after is None or after.seeded is None else after.seeded)
        self.planter = Planter(self.seeds, self.columns, method.name)
        self.paired = any(column.per == "pair" for column in self.columns)
        needy = keep or self.paired or method.reads is Sides or bool(method.needs)
        self.first = None
        if not needy:  # the games come in pieces: no need to make one column of them
            view.games_only(method.name)
            self.first = 0 if self.since is None else view.started(self.since)[0]
        self.keeper = Keeper(self.results) if keep else None
        self.pairs = self._number_pairs() if self.paired else 0

    @cached_property
    def results(self) -> Games | Sides:
        """All that is rated, in order of play."""
        view, method = self.view, self.method
        read = view.sides if method.reads is Sides else view.games
        return read(method.needs, method.name, self.since)

    def run(self) -> Replay:
        run = {
            Cadence.CONTINUOUS: self._continuous,
            Cadence.PERIODIC: self._periodic,
            Cadence.RETROSPECTIVE: self._retrospective,
        }[self.method.cadence]
        return run()

    def stand(self) -> State:
        """The state in the end, for a method that can go on; nothing else is made."""
        return self._flow() if self.method.cadence is Cadence.CONTINUOUS else self._by_period()[0]

    def _number_pairs(self) -> int:
        """Give every pair of players a row, in order of first appearance; how many there are."""
        if not isinstance(self.results, Games):
            return 0
        games = self.results
        low, high = np.minimum(games.a, games.b).astype(np.int64), np.maximum(games.a, games.b).astype(np.int64)
        _, first, which = np.unique(low * self.view.n_players + high, return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        games.pair = frozen_array(rank[which])
        return len(first)

    def _state(self, players: int, pairs: int) -> State:
        return State.start(self.columns, players, pairs)

    def _begun(self, players: int, pairs: int) -> State:
        """The state in which the replay begins, with rows for so many players."""
        fresh = self._state(players, pairs)
        return fresh if self.after is None else self.after.state.copied().grown(fresh)

    # by cadence

    def _continuous(self) -> Replay:
        return self._replay(self._flow())

    def _flow(self) -> State:
        """Game by game, with a look at the state at every stop."""
        view, seeds = self.view, self.seeds
        state = self._begun(view.n_players, self.pairs)
        done = planted = 0
        blanks = Blanks(CHUNK)
        for stop in (*self.stops, None):
            end = self._played_by(stop)
            last = len(seeds.played) if stop is None else int(np.searchsorted(seeds.played, stop, "right"))
            state = self._window(state, slice(done, end), slice(planted, last), blanks)
            if stop is not None:
                self.seen(stop, state)
            done, planted = end, last
        return state

    def _played_by(self, stop: Instant | None) -> int:
        """How many of the results were played through an instant; all of them for None."""
        if self.first is None:
            n = len(self.results)
            return n if stop is None else int(np.searchsorted(self.results.played, stop, "right"))
        return (self.view.n_games if stop is None else self.view.started(stop)[0]) - self.first

    def _window(self, state: State, window: slice, which: slice, blanks: Blanks) -> State:
        """Rate some results in order of play, with the seeds of their time."""
        start, stop = window.start, window.stop
        if which.start == which.stop:
            return self._stretch(state, start, stop, blanks)
        results = self.results
        seeds, played = self.seeds.take(which), results.played[window]
        members = (results.a[window], results.b[window]) if isinstance(results, Games) else None
        exact = any(column.per != "player" for column in self.columns)
        debut = self.view.timeline.players.debut
        first, plantings = continuous_plantings(seeds, debut, played, members, exact)
        state = owned(state)
        self.planter.plant(state, which.start + first, start, 1)
        # a first seed stands where its time is, though it is planted before everything
        self.planter.index[which.start + first] = start + np.searchsorted(played, seeds.played[first])
        done = start
        for planting in plantings:
            at = start + planting.index
            state = owned(self._stretch(state, done, at, blanks))
            self.planter.plant(state, which.start + planting.seeds, at, 1)
            done = at
        return self._stretch(state, done, stop, blanks)

    def _stretch(self, state: State, start: int, stop: int, blanks: Blanks) -> State:
        for at in range(start, stop, CHUNK):
            end = min(at + CHUNK, stop)
            results = self._part(at, end, blanks)
            whole = at == 0 or self.keeper is not None
            rated = self._rated(self.method.rate(state, results), state, results, whole=whole)
            if self.keeper is not None:
                self.keeper.keep(at, end, rated)
                self._settle(rated, end, 0, results.span)
            state = rated.state
        return state

    def _part(self, start: int, stop: int, blanks: Blanks) -> Any:
        blanks.rewind()
        if self.first is not None:
            return self.view.stretch(self.first + start, self.first + stop, blanks)
        if isinstance(self.results, Games):
            return self.results.part(start, stop, blanks=blanks)
        return self.results.part(start, stop)

    def _periodic(self) -> Replay:
        state, results, last = self._by_period()
        return self._replay(state, results, last)

    def _by_period(self) -> tuple[State, Games | Sides, Instant | None]:
        """Period by period; the state in the end, what was rated, and the last instant of the last period."""
        plan = self.plan
        results: Any = self.results if plan.order is None else self.results.take(plan.order)
        if self.keeper is not None:
            self.keeper = Keeper(results)  # in the order in which they are rated
        call_of = np.searchsorted(plan.ends, self.seeds.played)
        pending = list(grouped(call_of, np.arange(len(call_of))))
        state = self._begun(0 if self.after is None else len(self.after.state["rating"]), 0)
        stops = set(self.stops)
        for number, call in enumerate(plan.calls):
            state = self._grown(state, call, results)
            while pending and pending[0].index <= number:
                state = owned(state)
                self.planter.plant(state, pending.pop(0).seeds, call.start, number)
            part = results.part(call.start, call.stop, call.span)
            if self.keeper is not None:
                self.keeper.hold(call.start, call.stop, state["rating"][_members(part)])
            state = self._call(state, part, call, number)
            if call.span.end - 1 in stops:
                self.seen(call.span.end - 1, state)
        end = Call(len(results), len(results), Span(0, 0), self.view.n_players)
        state = self._grown(state, end, results)
        for planting in pending:
            state = owned(state)
            self.planter.plant(state, planting.seeds, len(results), len(plan.calls))
        last = plan.calls[-1].span.end - 1 if plan.calls else self.since
        return state, results.part(0, plan.calls[-1].stop if plan.calls else 0), last

    @cached_property
    def plan(self) -> Periods:
        """The periods that a periodic method has still to rate."""
        period = self.method.period
        if period is None:
            raise BrokenContract(self.method.name, "it is periodic and has no period")
        return periods(self.view, period, self.results.played).after(self.since)

    def _call(self, state: State, part: Any, call: Call, number: int) -> State:
        """Rate the results of one period."""
        outcome = self._rated(self.method.rate(state, part), state, part, whole=True)
        if self.keeper is not None:
            self.keeper.keep(call.start, call.stop, outcome)
            self._settle(outcome, call.stop, number, call.span)
        return outcome.state

    def _grown(self, state: State, call: Call, results: Games | Sides) -> State:
        """The state with rows for all who had appeared by the end of a call."""
        pairs = int(results.pair[: call.stop].max(initial=-1)) + 1 if isinstance(results, Games) else 0
        return state.grown(self._state(call.players, pairs))

    def _retrospective(self) -> Replay:
        seeds = self.seeds
        player, counts = np.unique(seeds.player, return_counts=True)
        if (counts > 1).any():
            who = self.view.name(int(player[int(np.argmax(counts > 1))]))
            raise BadSeed(self.method.name, f"of {who}", "a whole-pool method takes one seed a player")
        state = self._state(self.view.n_players, self.pairs)
        self.planter.plant(state, np.arange(len(seeds.played)), 0, 0)
        solved = self.answers.solved(self.method.rate(state, self.results), state, self.results)
        return self._replay(solved.state, solved=solved)

    # what calls return

    def _rated(self, given: Rated | Solved, before: State, results: Games | Sides, *, whole: bool) -> Rated:
        """The answer of a call, looked at as a `whole` where that costs nothing against the call."""
        if whole or not isinstance(given, Rated) or np.shape(given.expected) != results.score.shape:
            return self.answers.rated(given, before, results)
        return given

    def _settle(self, rated: Rated, index: int, call: int, span: Span) -> None:
        assert self.keeper is not None
        for label, amount in rated.after.items():
            self.keeper.after.append(Settled(label, index, call, span.end - 1, amount.copy()))

    def _replay(
        self, state: State, results: Games | Sides | None = None, last: int | None = None, solved: Solved | None = None
    ) -> Replay:
        view = self.view
        planter = self.planter
        results = self.results if results is None else results
        return Replay(
            method=self.method,
            view=view,
            state=state,
            at=date_of(view, last),
            results=results,
            sown=Sown(self.seeds, planter.index, planter.call, planter.rating, planter.jump),
            moves=self.keeper.moves(results) if self.keeper is not None and solved is None else None,
            track=solved.track if solved else None,
            fitted=solved.fitted if solved else None,
            since=self.since,
            start=self._begun(view.n_players, self.pairs)["rating"],
        )


def date_of(view: View, last: Instant | None = None) -> Instant:
    """The day a list of a view stands for: its cut, or the last that happened in it, the last period if given."""
    if view.through != FOREVER:
        return view.through
    return max([view.last_played or 0, *view.seeds.played[-1:].tolist()]) if last is None else last


def _members(results: Games | Sides) -> Ints:
    return results.player if isinstance(results, Sides) else paired(results.a, results.b)
