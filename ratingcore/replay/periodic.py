"""Runs of periodic methods: one call per closed period, empty ones included."""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve

from ratingcore.columns.games import Games
from ratingcore.columns.sides import Sides
from ratingcore.errors import BrokenContract
from ratingcore.events import Instant
from ratingcore.lazy_imports import Later
from ratingcore.methods.contract import Rated
from ratingcore.methods.first_ratings import AT_ONCE
from ratingcore.methods.state import State
from ratingcore.methods.wrapped import innermost
from ratingcore.replay.contract_check import owned
from ratingcore.replay.history_columns import ColumnRecorder
from ratingcore.replay.moves import Keeper
from ratingcore.replay.period_calls import BEFORE, Periods, periods
from ratingcore.replay.period_seeds import FurtherRows, are_inside
from ratingcore.replay.replay import Replay, members_of
from ratingcore.replay.run import Run, pairs_in, settle
from ratingcore.replay.seeds import grouped

if TYPE_CHECKING:
    from ratingcore.replay.newcomers import WaitingNewcomers
    from ratingcore.replay.pool_mean import AtMeanOfPeriod
else:  # most methods rate newcomers at once
    WaitingNewcomers = Later("ratingcore.replay.newcomers", "WaitingNewcomers")
    AtMeanOfPeriod = Later("ratingcore.replay.pool_mean", "AtMeanOfPeriod")


class Periodic(Run):
    """A run of a periodic method."""

    def _begin(self) -> None:
        view, step = self.view, self.entering
        self._waiting: WaitingNewcomers | AtMeanOfPeriod | None = None
        if step is not None and step.entry.own.kind in AT_ONCE:
            assert isinstance(self.results, Games)  # an entry that reads sides has been refused
            self._waiting = AtMeanOfPeriod(step, view, self.results, self.newcomers())
        elif step is not None:
            self._waiting = WaitingNewcomers(step, view, self._keep, self.newcomers())

    @cached_property
    def plan(self) -> Periods:
        """The periods that the run has to rate: those after its checkpoint, if it has one."""
        period = self.method.period
        if period is None:
            raise BrokenContract(self.method.name, "it is periodic and has no period")
        return periods(self.view, period, self._source).after(self.since)

    @property
    def last(self) -> Instant | None:
        """The last instant of the last closed period; if none closed after the checkpoint, the checkpoint's instant."""
        if self.plan.calls:
            return int(self.plan.ends[-1])
        return None if self.since == BEFORE else self.since

    def replay(self) -> Replay:
        results = self._by_call()
        keeper = Keeper(results) if self._keep else None
        recorder = self.recorder(self._watch, results)
        state = self._rate(results, keeper, recorder=recorder)
        stop = self.plan.calls[-1].stop if self.plan.calls else 0
        closed = partial(results.part, 0, stop)
        moves = None if keeper is None else keeper.moves(closed(), recorder)
        replay = self.record(state, closed, moves, recorder=recorder)
        replay = evolve(replay, calls=tuple(self.plan.calls))
        return replay if self._waiting is None else self._waiting.restored(replay)

    def stand(
        self, stops: Sequence[Instant] = (), seen: Callable[[Instant, State], None] = lambda stop, state: None
    ) -> State:
        """Runs the method and returns the final state.

        Parameters
        ----------
        stops : sequence of int
            Last instants of periods.
        seen : callable
            Called at each of these instants with the state after its period.
        """
        return self._rate(self._by_call(), None, frozenset(stops), seen)

    def _by_call(self) -> Any:
        """Returns the results in the order in which they are rated."""
        return self._source if self.plan.order is None else self.results.take(self.plan.order)

    def _rate(
        self,
        results: Any,
        keeper: Keeper | None,
        stops: frozenset[Instant] = frozenset(),
        seen: Callable[[Instant, State], None] = lambda stop, state: None,
        recorder: ColumnRecorder | None = None,
    ) -> State:
        plan, planter, n_players = self.plan, self.planter, self.view.n_players
        call_of = np.searchsorted(plan.ends, self.seeds.played)
        pending = list(grouped(call_of, np.arange(len(call_of))))
        state = self.opening_state(0 if self._after is None else len(self._after.state["rating"]), 0)
        for number, call in enumerate(plan.calls):
            state = self._grown(state, call.players, pairs_in(results, call.stop) if self.paired else 0)
            part, further, rate = results.part(call.start, call.stop, call.span), None, self._rated
            late = np.empty(0, dtype=np.int64)
            while pending and pending[0].index <= number:
                seeds = pending.pop(0).seeds
                inside = are_inside(planter, seeds, self.seeds.played[seeds], part)
                state, late = owned(state), np.append(late, seeds[inside])
                planter.plant(state, seeds[~inside], call.start, number)
            if self._waiting is not None:
                state = self._waiting.entered(state, part, call, number)
            if len(late):
                index = np.searchsorted(part.played, self.seeds.played[late])
                further = FurtherRows(planter, self.columns, late, index, state)
                state, part, rate = further.state, further.seated(part), partial(self._rated_on, further)
            if keeper is not None:
                keeper.hold(call.start, call.stop, state["rating"][members_of(part)[0]])
            rated = rate(state, part) if self._waiting is None else self._waiting.rate(rate, state, part, call, number)
            if further is not None:
                state = further.state
                further.note(call.start, number)
            if keeper is not None:
                keeper.keep(call.start, call.stop, rated)
                settle(keeper, rated, call.stop, number, call.span, recorder)
            if recorder is not None:
                recorder.note(call.start, call.stop, state, rated.state, call.span.end - 1, members_of(part)[0])
            state = rated.state
            if call.span.end - 1 in stops:
                seen(call.span.end - 1, state)
        # players who appeared or were seeded after the last closed period are on the list, too
        state = self._grown(state, n_players, pairs_in(results) if self.paired else 0)
        for planting in pending:
            state = owned(state)
            planter.plant(state, planting.seeds, len(results), len(plan.calls))
        return state

    def _rated(self, state: State, results: Games | Sides) -> Rated:
        """Returns the checked answer of the method for the results of one period."""
        return self.answers.rated(self.method.rate(state, results), state, results)

    def _rated_on(self, further: FurtherRows, state: State, results: Games | Sides) -> Rated:
        """Returns the checked answer for a period whose seeds have extra rows."""
        return further.rate(self._rated, innermost(self.method).rate, results)

    def _grown(self, state: State, players: int, pairs: int) -> State:
        """Returns the state with the given numbers of rows for players and pairs."""
        if players == len(state["rating"]) and not self.paired:
            return state  # no new players
        return state.grown(State.start(self.columns, players, pairs))
