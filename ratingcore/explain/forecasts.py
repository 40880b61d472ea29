"""What was expected of every game: the ratings before it, the expected score and what it moved, as a table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NotRequired, TypedDict, cast

import numpy as np
from attrs import evolve

from ratingcore.columns.sides import Sides
from ratingcore.explain.history import cells_beside, heading
from ratingcore.lists.policy import Cell
from ratingcore.methods.strengths import left_behind
from ratingcore.replay.record import Replay
from ratingcore.report.table import Table


class ForecastRow(TypedDict):
    """A row of forecasts: of a game the sides a and b, of a session a player of a side."""

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


class ForecastTable(Table):
    """What was expected of every game, as a table whose rows are typed."""

    def __iter__(self) -> Iterator[ForecastRow]:  # type: ignore[override]  # the same rows, of which more is known
        return cast(Iterator[ForecastRow], super().__iter__())


Uids = Callable[[Sequence[int]], list[str]]
"""Returns the uids of the events at positions."""


def forecasts(replay: Replay, uids: Uids) -> ForecastTable:
    """A row a game, or a row a player where sessions are rated, in order of play; ratings are those before, unrounded.

    What the method lists beside the rating is behind the ratings, as it stood before the game: `deviation_a`,
    `deviation_b`, or `deviation`.

    Parameters
    ----------
    replay : Replay
        With its moves kept.
    uids : callable
    """
    made = _of_sides if isinstance(replay.results, Sides) else _of_games
    return ForecastTable("forecasts", f"What was expected in {replay.view.pool}", made(replay, uids))


def meetings(replay: Replay, uids: Uids, one: int, other: int) -> ForecastTable:
    """The forecasts of the results in which two players sat on different sides; of sessions their own rows.

    Parameters
    ----------
    replay : Replay
        With its moves kept.
    uids : callable
    one, other : int
        Rows of the players.
    """
    results = replay.results
    if isinstance(results, Sides):
        side = np.repeat(np.arange(len(results.side) - 1), np.diff(results.side))  # of every member
        result = np.repeat(np.arange(len(results)), np.diff(results.result))[side]
        mine, theirs = (np.flatnonzero(results.player == player) for player in (one, other))
        _, i, j = np.intersect1d(result[mine], result[theirs], return_indices=True)
        apart = side[mine[i]] != side[theirs[j]]
        which = np.sort(np.concatenate([mine[i][apart], theirs[j][apart]]))
    else:
        which = np.flatnonzero((results.a == one) & (results.b == other) | (results.a == other) & (results.b == one))
    return evolve(forecasts(replay, uids).some(which, f"Meetings in {replay.view.pool}"), name="meetings")


def _of_games(replay: Replay, uids: Uids) -> Mapping[str, object]:
    games, moves, names = replay.results, replay.moves, replay.view.names()
    assert moves is not None
    assert not isinstance(games, Sides)
    before = replay.rating_before
    rated = {
        "uid": tuple(uids(games.position.tolist())),
        "played": tuple(map(replay.view.clock.iso, games.played.tolist())),
        "a": tuple(names[i] for i in games.a.tolist()),
        "b": tuple(names[i] for i in games.b.tolist()),
        "score": games.score,
        "rating_a": before[0::2],
        "rating_b": before[1::2],
    }
    moved = {"expected": moves.expected, "change_a": moves.change[0::2], "change_b": moves.change[1::2]}
    drawn = {} if moves.draw is None else {"draw": moves.draw}
    own = (*rated, *moved)
    beside = {
        heading(f"{name}_{side}", own, "before"): cells[first::2]
        for name, cells in _listed(replay).items()
        for first, side in enumerate("ab")
    }
    return {**rated, **beside, **moved, **drawn}


def _of_sides(replay: Replay, uids: Uids) -> Mapping[str, object]:
    sides, moves, names = replay.results, replay.moves, replay.view.names()
    assert moves is not None
    assert isinstance(sides, Sides)
    side = np.repeat(np.arange(len(sides.side) - 1), np.diff(sides.side))  # of every member
    result = np.repeat(np.arange(len(sides)), np.diff(sides.result))[side]
    uid, played = uids(sides.position.tolist()), list(map(replay.view.clock.iso, sides.played.tolist()))
    rated = {
        "uid": tuple(uid[r] for r in result.tolist()),
        "played": tuple(played[r] for r in result.tolist()),
        "side": side - sides.result[result] + 1,
        "player": tuple(names[i] for i in sides.player.tolist()),
        "score": sides.score[side],
        "rating": replay.rating_before,
    }
    moved = {"expected": moves.expected[side], "change": moves.change}
    own = (*rated, *moved)
    beside = {heading(name, own, "before"): cells for name, cells in _listed(replay).items()}
    if moves.strengths is None:
        return {**rated, **beside, **moved}
    ahead = left_behind(moves.strengths, sides.result)
    ahead = np.where(np.repeat(sides.games, np.diff(sides.result)), moves.expected, ahead)  # a game: its expected share
    return {**rated, **beside, **moved, "ahead": ahead[side]}


def _listed(replay: Replay) -> dict[str, tuple[Cell, ...]]:
    """What is listed of every member beside the rating just before the result, a column a name."""
    columns = {} if replay.moves is None else replay.moves.beside_before
    rows = cells_beside(replay.method, columns, len(replay.member))
    return {name: tuple(row[name] for row in rows) for name in columns}
