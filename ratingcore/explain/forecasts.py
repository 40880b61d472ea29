"""Rows of forecasts: for each game the ratings before it, the expected score and what it moved."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ratingcore.columns.sides import Sides
from ratingcore.explain.history import cells_beside, heading
from ratingcore.lists.policy import Cell
from ratingcore.methods.strengths import left_behind
from ratingcore.replay.record import Replay

Row = dict[str, Any]


def forecast_columns(replay: Replay) -> tuple[str, ...]:
    """Names of the cells of a row: a row a game, or a row a player where sessions are rated.

    What the method lists beside the rating is behind the ratings, as it stood before the game: `deviation_a`,
    `deviation_b`, or `deviation`.
    """
    listed = () if replay.moves is None else replay.moves.beside_before
    if isinstance(replay.results, Sides):
        own = ("uid", "played", "side", "player", "score", "rating", "expected", "change")
        ahead = () if replay.moves is None or replay.moves.strengths is None else ("ahead",)
        return (*own[:6], *(heading(name, own, "before") for name in listed), *own[6:], *ahead)
    names = ("uid", "played", "a", "b", "score", "rating_a", "rating_b", "expected", "change_a", "change_b")
    both = [f"{name}_{side}" for name in listed for side in ("a", "b")]
    drawn = replay.moves is not None and replay.moves.draw is not None
    return (*names[:7], *(heading(name, names, "before") for name in both), *names[7:], *(["draw"] if drawn else []))


def forecasts(replay: Replay, uids: Callable[[Sequence[int]], list[str]]) -> Iterator[Row]:
    """Rows in order of play; ratings are those before the game, unrounded.

    Parameters
    ----------
    replay : Replay
        With its moves kept.
    uids : callable
        Uids of the events at positions.
    """
    return _of_sides(replay, uids) if isinstance(replay.results, Sides) else _of_games(replay, uids)


def _of_games(replay: Replay, uids: Callable[[Sequence[int]], list[str]]) -> Iterator[Row]:
    games, moves, names = replay.results, replay.moves, replay.view.names()
    assert moves is not None
    assert not isinstance(games, Sides)
    before = replay.rating_before
    columns = forecast_columns(replay)
    cells: list[Sequence[Any]] = [
        uids(games.position.tolist()),
        [replay.view.clock.iso(at) for at in games.played.tolist()],
        [names[i] for i in games.a.tolist()],
        [names[i] for i in games.b.tolist()],
        games.score.tolist(),
        before[0::2].tolist(),
        before[1::2].tolist(),
        *(cells for column in _listed(replay) for cells in (column[0::2], column[1::2])),
        moves.expected.tolist(),
        moves.change[0::2].tolist(),
        moves.change[1::2].tolist(),
    ]
    if moves.draw is not None:
        cells.append(moves.draw.tolist())
    for row in zip(*cells, strict=True):
        yield dict(zip(columns, map(_cell, row), strict=True))


def _of_sides(replay: Replay, uids: Callable[[Sequence[int]], list[str]]) -> Iterator[Row]:
    sides, moves, names = replay.results, replay.moves, replay.view.names()
    assert moves is not None
    assert isinstance(sides, Sides)
    before, uid = replay.rating_before, uids(sides.position.tolist())
    per_side = np.diff(sides.side)
    side_of = np.repeat(np.arange(len(per_side)), per_side)
    result_of = np.repeat(np.arange(len(sides)), np.diff(sides.result))
    columns, listed = forecast_columns(replay), _listed(replay)
    ahead = None if moves.strengths is None else left_behind(moves.strengths, sides.result)
    if ahead is not None:  # of a game its expected share says it
        ahead = np.where(np.repeat(sides.games, np.diff(sides.result)), moves.expected, ahead)
    for m, s in enumerate(side_of.tolist()):
        r = int(result_of[s])
        cells = (
            uid[r], replay.view.clock.iso(int(sides.played[r])), s - int(sides.result[r]) + 1,
            names[int(sides.player[m])], float(sides.score[s]), float(before[m]),
            *(column[m] for column in listed), float(moves.expected[s]), float(moves.change[m]),
            *(() if ahead is None else (float(ahead[s]),)),
        )  # fmt: skip
        yield dict(zip(columns, map(_cell, cells), strict=True))


def _listed(replay: Replay) -> list[list[Cell]]:
    """What is listed of every member beside the rating just before the result, a column a name."""
    columns = {} if replay.moves is None else replay.moves.beside_before
    rows = cells_beside(replay.method, columns, len(replay.member))
    return [[row[name] for row in rows] for name in columns]


def _cell(cell: Any) -> Any:
    return None if cell != cell else cell
