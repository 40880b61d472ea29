"""What lists show of the players of meetings, now and after each result."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from ratingcore.columns import Games
from ratingcore.columns.games import Ints
from ratingcore.errors import MethodError
from ratingcore.events import Clock, Event, Instant
from ratingcore.explain.history import cells_beside
from ratingcore.lists.policy import Cell
from ratingcore.log import Log
from ratingcore.methods.contract import Cadence, Method, Rated
from ratingcore.methods.entry import Entering
from ratingcore.methods.state import State
from ratingcore.methods.wrapped import failing
from ratingcore.predict.matchup import Matchup, Meetings, Result, absent, alone, apart
from ratingcore.predict.prediction import Aftermath
from ratingcore.replay import Columns, stand
from ratingcore.replay.contract_check import Answers, shown_by
from ratingcore.replay.entry import unrated

Cells = list[dict[str, Cell]]
"""What a list shows of the players of a meeting, a mapping from column to cell each."""


class Reader(Protocol):
    """A log with its columns."""

    @property
    def log(self) -> Log: ...
    @property
    def columns(self) -> Columns: ...


Supposing = Callable[[Sequence[Event]], Reader]
"""Returns a reader that has further events, too."""


def grown_to(method: Method, state: State, players: int, pairs: int) -> State:
    """A state with rows for so many players, newcomers among them, and so many pairs."""
    columns = unrated(method.columns()) if isinstance(method, Entering) else method.columns()
    return state.grown(State.start(columns, max(players, len(state["rating"])), pairs))


def cells_of(method: Method, state: State, at: Instant, groups: Sequence[Ints]) -> list[Cells]:
    """What a list of this instant would show of some rows of a state, group by group; unrounded, `rating` first."""
    rows = np.concatenate([*groups]).astype(np.int64) if len(groups) else np.empty(0, dtype=np.int64)
    shown = shown_by(method, state, at)
    ordered = {"rating": shown["rating"]} | dict(shown)
    cells = cells_beside(method, {name: column[rows] for name, column in ordered.items()}, len(rows))
    taken = iter(cells)
    return [[next(taken) for _ in group] for group in groups]


Outcomes = tuple[tuple[Aftermath, ...], str]
"""Aftermaths of a meeting, and the reason if one is missing."""


class Aftermaths:
    """Looks at the results that meetings may have.

    A method that rates game by game, each player by their own columns, rates all meetings in one call for each result,
    every player in a row of their own for each meeting. All other methods make the list anew with each result.

    Parameters
    ----------
    method : Method
    suppose : callable
        Gives a reader with further events.
    pool : str
    number : int
        Id of the pool.
    at, listed : int
        When the meetings are played, and through when lists count.
    clock : Clock
        On which both are.
    """

    def __init__(
        self,
        method: Method,
        suppose: Supposing,
        pool: str,
        number: int,
        at: Instant,
        listed: Instant,
        clock: Clock,
    ) -> None:
        self._method, self._suppose, self._pool, self._number = method, suppose, pool, number
        self._at, self._listed, self._clock = at, listed, clock

    def of(
        self, matchups: Sequence[Matchup], orders: Sequence[Sequence[int]], state: State, meetings: Meetings
    ) -> list[Outcomes]:
        """The aftermaths of each meeting, in the order win, draw, loss.

        Parameters
        ----------
        orders : sequence of sequence of int
            Sides of each meeting, from the one that is expected to come in first on.
        """
        outcomes = [one.outcomes(order) for one, order in zip(matchups, orders, strict=True)]
        after: list[list[Aftermath]] = [[] for _ in matchups]
        why = [self._unknown(one) for one in matchups]
        in_one = self._method.cadence is Cadence.CONTINUOUS and alone(self._method)
        able = [n for n in range(len(matchups)) if not why[n]]
        for turn in range(max((len(outcomes[n]) for n in able), default=0)):
            some = [n for n in able if turn < len(outcomes[n])]
            results = [outcomes[n][turn] for n in some]
            if in_one and (rows := self._together(some, results, state, meetings)) is not None:
                made: Sequence[Cells | MethodError] = rows
            else:
                made = [self._recorded(matchups[n], result) for n, result in zip(some, results, strict=True)]
            for n, result, players in zip(some, results, made, strict=True):
                if isinstance(players, MethodError):
                    why[n] = f"no ratings after {result.words}: {players}"
                    continue
                named = dict(zip(matchups[n].players, players, strict=True))
                after[n].append(Aftermath(result.label, result.scores, named))
        return [(tuple(made), reason) for made, reason in zip(after, why, strict=True)]

    def _unknown(self, one: Matchup) -> str:
        """The reason why a meeting has no aftermath; empty if it has one."""
        missing = absent(self._method, one)
        if not missing:
            return ""
        read = " and ".join(missing)
        return f"no ratings after a result: {self._method.name} reads {read} of it, which nobody knows yet"

    def _together(
        self, some: Sequence[int], results: Sequence[Result], state: State, meetings: Meetings
    ) -> list[Cells] | None:
        """What one call makes of one result of each of some meetings; None if it refuses one of them."""
        chosen = meetings.results.take(np.array(some, dtype=np.int64))
        shares = isinstance(chosen, Games)
        scores = np.array([score for result in results for score in result.scores[: 1 if shares else None]])
        rows, games = apart(state, chosen, scores)
        try:
            with failing(self._method):
                answers = Answers(self._method, self._method.columns())
                rated: Rated = answers.rated(self._method.rate(rows, games), rows, games)
        except MethodError:
            return None
        seats = np.arange(len(rows["rating"]))
        members = meetings.members
        sizes = np.cumsum([len(members[n]) for n in some])[:-1]
        return list(cells_of(self._method, rated.state, self._at, np.split(seats, sizes)))

    def _recorded(self, one: Matchup, result: Result) -> Cells | MethodError:
        """The cells of the list once a result is recorded, or why there is no list."""
        trial = self._suppose([one.event(self._pool, self._clock.stored(self._at), result.scores)])
        view = trial.columns.view(self._number, self._listed)
        rows = np.array([view.row_of(trial.log.number_of("player", player)) for player in one.players])
        try:
            with failing(self._method):
                standing = stand(self._method, view, trial.columns.checkpoints_of(view))
                return cells_of(self._method, standing.state, standing.at, [rows])[0]
        except MethodError as error:
            return error
