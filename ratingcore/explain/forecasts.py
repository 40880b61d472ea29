"""Makes a table of the forecasts of every result: ratings before it, expected score, and changes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NotRequired, TypedDict, cast

import numpy as np
from attrs import frozen

from ratingcore.columns.games import Ints
from ratingcore.columns.sides import Sides
from ratingcore.columns.view import View
from ratingcore.explain.head_to_head import Encounter, Record, between, encounters
from ratingcore.explain.history import extra_cells, heading
from ratingcore.lists.policy import Cell
from ratingcore.methods.strengths import left_behind
from ratingcore.replay.replay import Replay
from ratingcore.report.table import Table


class ForecastRow(TypedDict):
    """A row of forecasts: one game between a and b, or one player in a session."""

    uid: str
    played: str
    score: float
    expected: float
    a: NotRequired[str]
    b: NotRequired[str]
    rating_a: NotRequired[float | None]
    rating_b: NotRequired[float | None]
    change_a: NotRequired[float]
    change_b: NotRequired[float]
    draw: NotRequired[float | None]
    side: NotRequired[int]
    player: NotRequired[str]
    rating: NotRequired[float | None]
    change: NotRequired[float]
    ahead: NotRequired[float | None]


@frozen(eq=False, repr=False)
class ForecastTable(Table):
    """Forecasts of every game, as a table with typed rows.

    In the table that `meetings` makes, `met` holds the results from the first player's view.
    """

    met: tuple[Encounter, ...] = ()

    @property
    def record(self) -> Record:
        """How many results in `met` the first player won, drew and lost: finished ahead, level or behind."""
        return Record.of(one.ahead for one in self.met)

    def __reduce__(self) -> tuple[type[Table], tuple[object, ...]]:
        kind, given = super().__reduce__()
        return kind, (*given, self.met)

    def __iter__(self) -> Iterator[ForecastRow]:  # type: ignore[override]  # same rows, narrower type
        return cast(Iterator[ForecastRow], super().__iter__())


Uids = Callable[[Sequence[int]], list[str]]
"""Returns the uids of the events at positions."""


def forecasts(replay: Replay, uids: Uids) -> ForecastTable:
    """Makes a table with one row per game, or one per player of each result if sessions are rated, in order of play.

    Ratings and further listed columns, such as `deviation_a` and `deviation_b`, or `deviation`, are unrounded values
    from before the result.

    Parameters
    ----------
    replay : Replay
        A replay that kept its moves.
    uids : callable
    """
    results = replay.results
    rows = np.arange(len(replay.member) if isinstance(results, Sides) else len(results))
    return ForecastTable("forecasts", f"What was expected in {replay.view.pool}", _cells(replay, uids, rows))


def meetings(replay: Replay, uids: Uids, one: int, other: int) -> ForecastTable:
    """Returns the rows of `forecasts` in which two players were on different sides; for sessions, their own rows.

    Parameters
    ----------
    one, other : int
        Rows of the two players in the state.
    """
    found, results = between(replay, one, other), replay.results
    rows = np.sort(found[:2].ravel()) if isinstance(results, Sides) else found[0] // 2
    named = uids(results.position[replay.result_of(found[0])].tolist())
    columns, met = _cells(replay, uids, rows), encounters(replay, found, named)
    return ForecastTable("meetings", f"Meetings in {replay.view.pool}", columns, met=met)


def _cells(replay: Replay, uids: Uids, rows: Ints) -> Mapping[str, object]:
    return (_of_sides if isinstance(replay.results, Sides) else _of_games)(replay, uids, rows)


def _of_games(replay: Replay, uids: Uids, rows: Ints) -> Mapping[str, object]:
    games, moves = replay.results, replay.moves
    assert moves is not None
    assert not isinstance(games, Sides)
    members = {"a": 2 * rows, "b": 2 * rows + 1}
    rated = {
        "uid": tuple(uids(games.position[rows].tolist())),
        "played": tuple(map(replay.view.clock.iso, games.played[rows].tolist())),
        "a": _names(replay.view, games.a[rows]),
        "b": _names(replay.view, games.b[rows]),
        "score": games.score[rows],
        **{f"rating_{side}": replay.ratings_before(member) for side, member in members.items()},
    }
    changed = {f"change_{side}": moves.change[member] for side, member in members.items()}
    moved = {"expected": moves.expected[rows], **changed}
    drawn = {} if moves.draw is None else {"draw": moves.draw[rows]}
    own, listed = (*rated, *moved), {side: _listed(replay, member) for side, member in members.items()}
    extra = {heading(f"{name}_{side}", own, "before"): listed[side][name] for name in listed["a"] for side in members}
    return {**rated, **extra, **moved, **drawn}


def _of_sides(replay: Replay, uids: Uids, rows: Ints) -> Mapping[str, object]:
    sides, moves = replay.results, replay.moves
    assert moves is not None
    assert isinstance(sides, Sides)
    side = np.repeat(np.arange(len(sides.side) - 1), np.diff(sides.side))[rows]  # the side of each member
    result = np.repeat(np.arange(len(sides)), np.diff(sides.result))[side]
    rated = {
        "uid": tuple(uids(sides.position[result].tolist())),
        "played": tuple(map(replay.view.clock.iso, sides.played[result].tolist())),
        "side": side - sides.result[result] + 1,
        "player": _names(replay.view, sides.player[rows]),
        "score": sides.score[side],
        "rating": replay.ratings_before(rows),
    }
    moved = {"expected": moves.expected[side], "change": moves.change[rows]}
    own = (*rated, *moved)
    extra = {heading(name, own, "before"): cells for name, cells in _listed(replay, rows).items()}
    if moves.strengths is None:
        return {**rated, **extra, **moved}
    ahead = left_behind(moves.strengths, sides.result)
    ahead = np.where(np.repeat(sides.games, np.diff(sides.result)), moves.expected, ahead)  # a game: its expected share
    return {**rated, **extra, **moved, "ahead": ahead[side]}


def _names(view: View, players: Ints) -> tuple[str, ...]:
    """Returns the names of players by their rows in the state; each name is looked up once."""
    rows, which = np.unique(players, return_inverse=True)
    names = view.book.keys(view.timeline.players.id[rows].tolist())
    return tuple(names[at] for at in which.tolist())


def _listed(replay: Replay, members: Ints) -> dict[str, tuple[Cell, ...]]:
    """Returns further listed columns of some members just before the result, by name."""
    every = {} if replay.moves is None else replay.moves.extra_before
    rows = extra_cells(replay.method, {name: column[members] for name, column in every.items()}, len(members))
    return {name: tuple(row[name] for row in rows) for name in every}
