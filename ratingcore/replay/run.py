"""A run of a method over a view: what runs of every cadence have in common."""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from ratingcore.columns.arrays import frozen_array
from ratingcore.columns.games import Games, Span
from ratingcore.columns.sides import Sides
from ratingcore.columns.view import FOREVER, View
from ratingcore.events import Instant
from ratingcore.methods.contract import Method, Rated, Solved
from ratingcore.methods.entry import Entering
from ratingcore.methods.state import State
from ratingcore.replay.beside import Beside, Watch
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.replay.contract_check import Answers
from ratingcore.replay.entry import fits, unrated
from ratingcore.replay.moves import Keeper, Moves, Settled, Sown
from ratingcore.replay.record import Replay, members_of
from ratingcore.replay.seeds import Planter


class Run:
    """One run of a method over a view; a subclass rates the results by its cadence, once.

    Attributes
    ----------
    since : int or None
        The instant after which the run begins, that of a checkpoint; None if it begins with the first result.
    columns : tuple of Column
        Columns of the state; nobody has a rating from the start where newcomers enter by an `Entry`.
    """

    def __init__(self, method: Method, view: View, after: Checkpoint | None = None) -> None:
        self.method = method
        self.view = view
        self.columns = method.columns()
        self.answers = Answers(method, self.columns)
        self.since = None if after is None else after.through
        self.seeds = view.seeds_after(self.since if after is None or after.seeded is None else after.seeded)
        self.planter = Planter(self.seeds, self.columns)
        self._after = after
        if isinstance(method, Entering):
            fits(method)
            self.columns = unrated(self.columns)

    @cached_property
    def results(self) -> Games | Sides:
        """All that is rated, in order of play; pairs of players are numbered where the method has columns for them."""
        method, view = self.method, self.view
        if method.reads is Sides:
            return view.sides(method.needs, method.name, self.since)
        games = view.games(method.needs, method.name, self.since)
        return with_pairs(games, view.n_players) if self.paired else games

    @cached_property
    def paired(self) -> bool:
        """Whether the state has columns of pairs."""
        return any(column.per == "pair" for column in self.columns)

    @property
    def last(self) -> Instant | None:
        """The last instant of the last closed period; None without periods."""
        return None

    @property
    def date(self) -> Instant:
        """The date of the list that the final state makes."""
        return date_of(self.view, self.last)

    def begun(self, players: int, pairs: int) -> State:
        """The state in which the run begins, with rows for so many players and pairs."""
        fresh = State.start(self.columns, players, pairs)
        return fresh if self._after is None else self._after.state.copied().grown(fresh)

    def beside(self, watch: Watch | None, results: Games | Sides) -> Beside | None:
        """What keeps further columns of those who are watched, seeds included; None if nobody is."""
        if watch is None:
            return None
        member, start = members_of(results)
        players, played = len(self.view.timeline.players.id), self.seeds.played
        kept = Beside(self.method, watch, member, start, results.played, players, len(played))
        self.planter.planted = lambda which, rows, state: kept.note_seeds(which, rows, state, played[which])
        return kept

    def record(
        self,
        state: State,
        results: Games | Sides | Callable[[], Games | Sides],
        moves: Moves | None = None,
        solved: Solved | None = None,
        beside: Beside | None = None,
    ) -> Replay:
        """The record of the run, once it has reached its final state."""
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
                {} if beside is None else beside.sown,
            ),
            moves=moves,
            track=None if solved is None else solved.track,
            fitted=None if solved is None else solved.fitted,
            since=self.since,
            start=self.begun(self.view.n_players, 0)["rating"],
        )


def with_pairs(games: Games, players: int) -> Games:
    """The games with a row for every pair of players, in order of first appearance."""
    low, high = np.minimum(games.a, games.b).astype(np.int64), np.maximum(games.a, games.b).astype(np.int64)
    _, first, which = np.unique(low * players + high, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return games.replaced(pair=frozen_array(rank[which]))


def pairs_in(results: Games | Sides, stop: int | None = None) -> int:
    """How many pairs of players have rows by the end of the first results; 0 where pairs are not numbered."""
    return int(results.pair[:stop].max(initial=-1)) + 1 if isinstance(results, Games) else 0


def settle(keeper: Keeper, rated: Rated, index: int, call: int, span: Span, beside: Beside | None = None) -> None:
    """Keep what moved players at the end of a call and by no result."""
    listed = beside.settled(rated.state, span.end - 1) if beside is not None and rated.after else {}
    for label, amount in rated.after.items():
        keeper.after.append(Settled(label, index, call, span.end - 1, amount.copy(), listed))


def date_of(view: View, last: Instant | None = None) -> Instant:
    """The date of a list of a view: its cut if it has one, else the end of the last period, else of the last event."""
    if view.through != FOREVER:
        return view.through
    return max([view.last_played or 0, *view.seeds.played[-1:].tolist()]) if last is None else last


class WholePool(Run):
    """A run of a retrospective method."""

    def replay(self) -> Replay:
        """The run: hindsight, without moves of single results. Of several seeds of a player the latest stands."""
        state = self.begun(self.view.n_players, pairs_in(self.results))
        self.planter.plant(state, np.arange(len(self.seeds.played)), 0, 0)
        solved = self.answers.solved(self.method.rate(state, self.results), state, self.results)
        return self.record(solved.state, self.results, solved=solved)
