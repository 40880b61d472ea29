"""Runs of a method over a view: the base of all cadences, and the run of a continuous method."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from ratingcore.columns.games import Blanks, Games, Ints, Span, frozen_array
from ratingcore.columns.sides import Sides
from ratingcore.columns.view import FOREVER, View
from ratingcore.events import Instant
from ratingcore.lazy_imports import Later
from ratingcore.methods.contract import Method, Rated, Solved
from ratingcore.methods.first_ratings import AT_ONCE, Entering
from ratingcore.methods.rule_histories import last_step
from ratingcore.methods.state import State
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.replay.contract_check import Answers, owned
from ratingcore.replay.history_columns import ColumnRecorder, Watch, stretches
from ratingcore.replay.moves import Keeper, Moves, Settled, Sown
from ratingcore.replay.period_calls import played_before
from ratingcore.replay.pieces import Pieces
from ratingcore.replay.replay import Replay, members_of
from ratingcore.replay.seeds import Planter, Planting, SeedRows, continuous_plantings, grouped
from ratingcore.replay.steps import taken_over

if TYPE_CHECKING:
    from ratingcore.replay.newcomers import Opening, Trials, check_entry, unrated
    from ratingcore.replay.pool_mean import AtMean
else:  # most methods rate newcomers at once
    Opening, Trials, check_entry, unrated = (
        Later("ratingcore.replay.newcomers", name) for name in ("Opening", "Trials", "check_entry", "unrated")
    )
    AtMean = Later("ratingcore.replay.pool_mean", "AtMean")


class Run:
    """Base of the runs of a method over a view: each subclass rates the results by one cadence. An object runs once.

    Parameters
    ----------
    keep : bool
        Whether to keep the expectation and the changes of every result.
    after : Checkpoint or None
        State from which the run begins.
    watch : Watch or None
        Players whose further columns are kept with the moves.
    carry : bool
        Whether to keep games that do not yet make the first rating of a newcomer, for the rule that follows.

    Attributes
    ----------
    since : int or None
        The instant of the checkpoint after which the run begins; None if it begins with the first result.
    columns : tuple of Column
        Columns of the state; if newcomers enter by an `Entry`, all players start unrated.
    """

    def __init__(
        self,
        method: Method,
        view: View,
        *,
        keep: bool = False,
        after: Checkpoint | None = None,
        watch: Watch | None = None,
        carry: bool = False,
    ) -> None:
        self.method = method
        self.view = view
        self.columns = method.columns()
        self.answers = Answers(method, self.columns, None if after is None else after.remarks)
        self.since = None if after is None else after.through
        seeds = view.seeds_after(self.since if after is None or after.seeded is None else after.seeded)
        self.seeds = taken_over(method, view, seeds)
        self.planter = Planter(self.seeds, self.columns)
        self._keep, self._watch, self._after, self._carry = keep, watch if keep else None, after, carry
        step = last_step(method)
        self.entering = step if isinstance(step, Entering) else None
        """The last step of the method, if newcomers enter it by an `Entry`; else None."""
        if self.entering is not None:
            check_entry(self.entering)
            self.columns = unrated(self.columns)
        self._pieces = self._in_pieces()
        self._begin()

    def _in_pieces(self) -> Pieces | None:
        """The results, if they can be read piece by piece; None if the run holds all of them."""
        left = self._after is not None and self._after.left is not None  # some results are from before the checkpoint
        mixed = self.method.period is not None and self.method.period.unit == "event"
        if self.entering is not None or self._keep or self.paired or left or mixed:
            return None
        return Pieces.of(self.method, self.view, self.since)

    @property
    def _source(self) -> Games | Sides | Pieces:
        """The results to rate, piece by piece if possible."""
        return self.results if self._pieces is None else self._pieces

    def newcomers(self) -> "Opening":
        """The initial state of newcomers who enter by an `Entry`."""
        after, rated = self._after, ~np.isnan(self.opening_state(self.view.n_players, 0)["rating"])
        trials, at = ({}, 0) if after is None else (after.trials, after.seeded or 0)
        return Opening(self.seeds, rated, trials, at, self._carry)

    def _begin(self) -> None:
        """Prepares what a cadence needs; nothing by default."""

    @cached_property
    def results(self) -> Games | Sides:
        """All results to rate, in order of play; pairs of players are numbered if the method has columns for pairs."""
        method, view = self.method, self.view
        left = None if self._after is None else self._after.left
        since = self.since if left is None else None
        results = (view.sides if method.reads is Sides else view.games)(method.needs, method.name, since)
        if self._after is not None and left is not None:
            rated = (results.played <= (self._after.seeded or 0)) & ~np.isin(results.position, left)
            results = results.take(np.flatnonzero(~rated))
        if not (self.paired and isinstance(results, Games)):
            return results
        if self._after is None:
            return with_pairs(results, view.n_players)
        table = view.timeline.table.part(0, view.n_games)  # pairs are numbered over all games, earlier ones included
        pair = pair_rows(table.a, table.b, view.n_players)[np.isin(table.position, results.position)]
        return results.replaced(pair=frozen_array(pair))

    @cached_property
    def paired(self) -> bool:
        """True if the state has columns of pairs."""
        return any(column.per == "pair" for column in self.columns)

    @property
    def last(self) -> Instant | None:
        """The last instant of the last closed period; None without periods."""
        return None

    @property
    def date(self) -> Instant:
        """The date of a list made from the final state."""
        return date_of(self.view, self.last)

    def opening_state(self, players: int, pairs: int) -> State:
        """Returns the state in which the run begins, with the given numbers of rows for players and pairs."""
        fresh = State.start(self.columns, players, pairs)
        return fresh if self._after is None else self._after.state.copied().grown(fresh)

    def recorder(self, watch: Watch | None, results: Games | Sides) -> ColumnRecorder | None:
        """Returns a recorder of further columns of the watched players, seeds included; None without a watch."""
        if watch is None:
            return None
        member, start = members_of(results)
        players, played = len(self.view.timeline.players.id), self.seeds.played
        recorder = ColumnRecorder(self.method, watch, member, start, results.played, players, len(played))
        self.planter.planted = lambda which, rows, state: recorder.note_seeds(which, rows, state, played[which])
        return recorder

    def record(
        self,
        state: State,
        results: Games | Sides | Callable[[], Games | Sides],
        moves: Moves | None = None,
        solved: Solved | None = None,
        recorder: ColumnRecorder | None = None,
    ) -> Replay:
        """Returns the replay of a run that has reached its final state."""
        planter = self.planter
        return Replay(
            method=self.method,
            view=self.view,
            state=state,
            at=self.date,
            results=results,
            sown=Sown(
                self.seeds,
                planter.index,
                planter.call,
                planter.rating,
                planter.jump,
                {} if recorder is None else recorder.sown,
            ),
            moves=moves,
            track=None if solved is None else solved.track,
            fitted=None if solved is None else solved.fitted,
            covariance=None if solved is None else solved.covariance,
            degrees=inf if solved is None else solved.degrees,
            since=self.since,
            start=self.opening_state(self.view.n_players, 0)["rating"],
            remarks=self.answers.remarks,
        )


def with_pairs(games: Games, players: int) -> Games:
    """Returns the games with each pair of players numbered, in order of first appearance."""
    return games.replaced(pair=frozen_array(pair_rows(games.a, games.b, players)))


def pair_rows(a: Ints, b: Ints, players: int) -> Ints:
    """Returns the row of each game's pair of players."""
    low, high = np.minimum(a, b).astype(np.int64), np.maximum(a, b).astype(np.int64)
    _, first, which = np.unique(low * players + high, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return np.asarray(rank[which])


def pairs_in(results: Games | Sides, stop: int | None = None) -> int:
    """Returns how many pairs of players appear in the results before index `stop`; 0 if pairs are not numbered."""
    return int(results.pair[:stop].max(initial=-1)) + 1 if isinstance(results, Games) else 0


def settle(
    keeper: Keeper, rated: Rated, index: int, call: int, span: Span, recorder: ColumnRecorder | None = None
) -> None:
    """Keeps the changes that a call makes at its end apart from those of single results."""
    listed = recorder.settled(rated.state, span.end - 1) if recorder is not None and rated.after else {}
    for label, amount in rated.after.items():
        keeper.after.append(Settled(label, index, call, span.end - 1, amount.copy(), listed))


def date_of(view: View, last: Instant | None = None) -> Instant:
    """Returns the date of a list: the cut of the view, else the end of the last period, else the last event's time."""
    if view.through != FOREVER:
        return view.through
    return max([view.last_played or 0, *view.seeds.played[-1:].tolist()]) if last is None else last


class WholePool(Run):
    """A run of a retrospective method."""

    def replay(self) -> Replay:
        """Returns the replay, without moves of single results. Of several seeds of a player the latest counts."""
        solved = self.solved()
        return self.record(solved.state, self.results, solved=solved)

    def solved(self, which: Ints | None = None) -> Solved:
        """The answer of the method for all results, or for some of them."""
        results = self.results if which is None else self.results.take(which)
        state = self.opening_state(self.view.n_players, pairs_in(self.results))
        self.planter.plant(state, np.arange(len(self.seeds.played)), 0, 0)
        return self.answers.solved(self.method.rate(state, results), state, results)


CHUNK = 32_768
"""Games in one call of a continuous method, few enough for its working memory to stay in the cache of a core."""
PER_PLAYER = 1
"""Games per player in one call, if that makes more: each call copies the columns of all players."""

Step = tuple[int, Callable[[State], None]]
"""Index of a result, and a function that writes into the state just before it."""


class Continuous(Run):
    """A run of a continuous method."""

    def _begin(self) -> None:
        view = self.view
        self._trials: Trials | AtMean | None = None
        if self.entering is not None:
            assert isinstance(self.results, Games)  # an entry that reads sides has been refused
            enter = AtMean if self.entering.entry.own.kind in AT_ONCE else Trials
            self._trials = enter(self.entering, view, self.results, self.newcomers())
        self._keeper = Keeper(self._rated) if self._keep else None
        self._recorder = self.recorder(self._watch, self._rated) if self._keep else None
        self._cuts = np.empty(0, dtype=np.int64) if self._recorder is None else self._recorder.cuts()
        self._chunk = max(CHUNK, PER_PLAYER * view.n_players)
        self._blanks = Blanks(self._chunk)

    @property
    def _rated(self) -> Games | Sides:
        """The results that the method rates, without the games that are held back to make first ratings."""
        return self.results if self._trials is None else self._trials.rated

    def replay(self) -> Replay:
        """Runs the method, and keeps the moves of every result if requested."""
        state = self.stand() if self._trials is None else self._with_trials(self._trials)
        moves = None if self._keeper is None else self._keeper.moves(self._rated, self._recorder)
        results = self._rated if self._pieces is None else lambda: self.results  # few callers ask for these columns
        replay = self.record(state, results, moves, recorder=self._recorder)
        return replay if self._trials is None else self._trials.restored(replay)

    def stand(
        self, stops: Sequence[Instant] = (), seen: Callable[[Instant, State], None] = lambda stop, state: None
    ) -> State:
        """Runs the method and returns the final state.

        Parameters
        ----------
        stops : sequence of int
            Increasing instants.
        seen : callable
            Called at each of these instants with the state after everything played through it.
        """
        seeds = self.seeds
        state = self.opening_state(self.view.n_players, pairs_in(self.results) if self.paired else 0)
        done = planted = 0
        for stop in (*stops, None):
            end = self._played_by(stop)
            last = len(seeds.played) if stop is None else int(np.searchsorted(seeds.played, stop, "right"))
            state = self._with_seeds(state, done, end, planted, last)
            if stop is not None:
                seen(stop, state)
            done, planted = end, last
        return state

    def _played_by(self, stop: Instant | None) -> int:
        """Returns the number of results played through an instant; None counts all."""
        return len(self._source) if stop is None else played_before(self._source, stop + 1)

    def _with_seeds(self, state: State, start: int, stop: int, planted: int, last: int) -> State:
        """Rates some results, and plants the seeds from number `planted` to before `last` in time."""
        if last == planted:
            return self._stretch(state, start, stop)
        results = self.results
        self._pieces = None  # all results are in memory now, and a slice of them costs less than a piece
        seeds, played = self.seeds.take(slice(planted, last)), results.played[start:stop]
        members = (results.a[start:stop], results.b[start:stop]) if isinstance(results, Games) else None
        exact = any(column.per != "player" for column in self.columns)
        first, later, cut = continuous_plantings(seeds, self.view.timeline.players.debut, played, members, exact)
        state = owned(state)
        self.planter.plant(state, planted + first, start, 1)
        # noted seeds keep their own time: planting them before everything only saves a cut
        self.planter.index[planted + first] = start + np.searchsorted(played, seeds.played[first])
        later, cut = planted + later, start + cut
        if rows := self._seed_rows(later, cut, stop - start):
            return rows.ended(self._stretch(rows.opening_state(state), start, stop, rows))
        return self._with_steps(state, start, stop, map(self._planting, grouped(cut, later)))

    def _planting(self, seeds: Planting) -> Step:
        return seeds.index, partial(self.planter.plant, which=seeds.seeds, index=seeds.index, call=1)

    def _seed_rows(self, seeds: Ints, cut: Ints, results: int) -> SeedRows | None:
        """Returns rows for the seeds, if the seeds would need more calls than the results; else None.

        None, too, for sides, for kept moves, which are by player, and for a method with an excuse for its answers to
        depend on how games are split into calls.
        """
        few = len(np.unique(cut)) <= results / self._chunk
        excused = not self.method.excuses.keys().isdisjoint(("slicing", "seeds"))
        if few or excused or self._keeper is not None or self.method.reads is not Games:
            return None
        values = self.planter.values(seeds)
        return None if values is None else SeedRows(self.planter, seeds, cut, values, self.view.n_players)

    def _with_trials(self, trials: "Trials | AtMean") -> State:
        """Rates the games between rated players, looks up the ratings of opponents, and plants newcomers in time."""
        # columns of pairs or the pool may change in any game
        exact = any(column.per != "player" for column in self.columns)
        state = self.opening_state(self.view.n_players, pairs_in(self.results))
        return self._with_steps(state, 0, len(trials.rated), trials.steps(self.planter, exact))

    def _with_steps(self, state: State, start: int, stop: int, steps: Iterable[Step]) -> State:
        """Rates some results, and does each step before the result at its index; indices never decrease."""
        mine = False  # whether steps may write into the state: the answer of a method may share its memory
        for at, step in steps:
            if at > start or not mine:
                state, mine = owned(self._stretch(state, start, at)), True
                start = at
            step(state)
        return self._stretch(state, start, stop)

    def _stretch(self, state: State, start: int, stop: int, rows: SeedRows | None = None) -> State:
        """Rates some results, one chunk per call."""
        keeper, recorder = self._keeper, self._recorder
        for at, end in stretches(start, stop, self._cuts, self._chunk):
            results = self._part(at, end)
            if rows is not None:
                results = rows.placed(results, at)
            # the answer is checked in full for the first chunk, and for every chunk whose moves are kept
            given, whole = self.method.rate(state, results), at == 0 or keeper is not None
            rated = self.answers.rated(given, state, results, whole=whole)
            if keeper is not None:
                keeper.keep(at, end, rated)
                settle(keeper, rated, end, 0, results.span, recorder)
            if recorder is not None:
                recorder.note(at, end, state, rated.state)
            state = rated.state
        return state

    def _part(self, start: int, stop: int) -> Any:
        self._blanks.rewind()
        results = self._rated if self._pieces is None else self._pieces
        return results.part(start, stop, blanks=self._blanks)
