"""The fold: a method run over a view by its cadence, with every seed planted in time."""

from typing import Any

import numpy as np

from ratingcore.errors import BadSeed, BrokenContract
from ratingcore.methods.contract import Cadence, Method, Rated, Solved
from ratingcore.methods.entry import Entering
from ratingcore.methods.state import State
from ratingcore.replay.answers import Answers, owned
from ratingcore.replay.keeping import Keeper
from ratingcore.replay.plan import Call, periods
from ratingcore.replay.record import Replay, Settled, Sown, paired
from ratingcore.replay.seeds import Planter, continuous_plantings, grouped
from ratingcore.tables.arrays import Ints, frozen_array
from ratingcore.tables.games import Blanks, Games, Span
from ratingcore.tables.sides import Sides
from ratingcore.tables.view import FOREVER, View

CHUNK = 32_768
"""Games of one call of a continuous method: its scratch stays in the cache of a core."""


def fold(method: Method, view: View, *, keep: bool = False) -> Replay:
    """Run a method over a view.

    Parameters
    ----------
    keep : bool
        Keep what every result was expected to be and moved; else only the state.

    Raises
    ------
    MethodError
        If the view does not fit the method, a result is one it cannot rate, or it breaks its contract.
    """
    if isinstance(method, Entering):
        from ratingcore.replay.entering import EnteringFold  # it stands on this module

        return EnteringFold(method, view, keep).run()
    return Fold(method, view, keep).run()


class Fold:
    """One run of a method over a view."""

    def __init__(self, method: Method, view: View, keep: bool) -> None:
        self.method = method
        self.view = view
        self.columns = method.columns()
        self.answers = Answers(method, self.columns)
        self.results: Games | Sides = (
            view.sides(method.needs, method.name) if method.reads is Sides else view.games(method.needs, method.name)
        )
        self.planter = Planter(view.seeds, self.columns, method.name)
        self.keeper = Keeper(self.results) if keep else None
        self.pairs = self._number_pairs()

    def run(self) -> Replay:
        run = {
            Cadence.CONTINUOUS: self._continuous,
            Cadence.PERIODIC: self._periodic,
            Cadence.RETROSPECTIVE: self._retrospective,
        }[self.method.cadence]
        return run()

    def _number_pairs(self) -> int:
        """Give every pair of players a row, in order of first appearance; how many there are."""
        if not any(column.per == "pair" for column in self.columns) or not isinstance(self.results, Games):
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

    # by cadence

    def _continuous(self) -> Replay:
        view, n = self.view, len(self.results)
        state = self._state(view.n_players, self.pairs)
        members = (self.results.a, self.results.b) if isinstance(self.results, Games) else None
        exact = any(column.per != "player" for column in self.columns)
        first, plantings = continuous_plantings(
            view.seeds, view.timeline.players.debut, self.results.played, members, exact
        )
        self.planter.plant(state, first, 0, 1)
        # a first seed stands where its time is, though it is planted before everything
        self.planter.index[first] = np.searchsorted(self.results.played, view.seeds.played[first])
        done = 0
        blanks = Blanks(CHUNK)
        for planting in plantings:
            state = owned(self._stretch(state, done, planting.index, blanks))
            self.planter.plant(state, planting.seeds, planting.index, 1)
            done = planting.index
        state = self._stretch(state, done, n, blanks)
        return self._replay(state)

    def _stretch(self, state: State, start: int, stop: int, blanks: Blanks) -> State:
        for at in range(start, stop, CHUNK):
            end = min(at + CHUNK, stop)
            results: Any
            if isinstance(self.results, Games):
                blanks.rewind()
                results = self.results.part(at, end, blanks=blanks)
            else:
                results = self.results.part(at, end)
            whole = at == 0 or self.keeper is not None
            rated = self._rated(self.method.rate(state, results), state, results, whole=whole)
            if self.keeper is not None:
                self.keeper.keep(at, end, rated)
                self._settle(rated, end, 0, results.span)
            state = rated.state
        return state

    def _periodic(self) -> Replay:
        period = self.method.period
        if period is None:
            raise BrokenContract(self.method.name, "it is periodic and has no period")
        plan = periods(self.view, period, self.results.played)
        results: Any = self.results if plan.order is None else self.results.take(plan.order)
        if self.keeper is not None:
            self.keeper = Keeper(results)  # in the order in which they are rated
        call_of = np.searchsorted(plan.ends, self.view.seeds.played)
        pending = list(grouped(call_of, np.arange(len(call_of))))
        state = self._state(0, 0)
        for number, call in enumerate(plan.calls):
            state = self._grown(state, call, results)
            while pending and pending[0].index <= number:
                state = owned(state)
                self.planter.plant(state, pending.pop(0).seeds, call.start, number)
            part = results.part(call.start, call.stop, call.span)
            if self.keeper is not None:
                self.keeper.hold(call.start, call.stop, state["rating"][_members(part)])
            state = self._call(state, part, call, number)
        end = Call(len(results), len(results), Span(0, 0), self.view.n_players)
        state = self._grown(state, end, results)
        for planting in pending:
            state = owned(state)
            self.planter.plant(state, planting.seeds, len(results), len(plan.calls))
        last = plan.calls[-1].span.end - 1 if plan.calls else None
        rated = results.part(0, plan.calls[-1].stop if plan.calls else 0)
        return self._replay(state, rated, last)

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
        seeds = self.view.seeds
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
        if last is None:
            last = max([view.last_played or 0, *view.seeds.played[-1:].tolist()])
        at = last if view.through == FOREVER else view.through
        start = next(column.start for column in self.columns if column.name == "rating")
        planter = self.planter
        results = self.results if results is None else results
        return Replay(
            method=self.method,
            view=view,
            state=state,
            at=at,
            results=results,
            sown=Sown(view.seeds, planter.index, planter.call, planter.rating, planter.jump),
            moves=self.keeper.moves(results) if self.keeper is not None and solved is None else None,
            track=solved.track if solved else None,
            fitted=solved.fitted if solved else None,
            start=np.full(view.n_players, start),
        )


def _members(results: Games | Sides) -> Ints:
    return results.player if isinstance(results, Sides) else paired(results.a, results.b)
