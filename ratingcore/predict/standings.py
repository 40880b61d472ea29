"""Where the players of meetings stand: rows of a state, as lists show them."""

from collections.abc import Sequence

import numpy as np

from ratingcore.columns.arrays import Ints
from ratingcore.events import Instant
from ratingcore.explain.history import cells_beside
from ratingcore.lists.cells import Cell
from ratingcore.methods.contract import Method
from ratingcore.methods.entry import Entering
from ratingcore.methods.state import State
from ratingcore.replay.contract_check import shown_by
from ratingcore.replay.entry import unrated


def grown_to(method: Method, state: State, players: int, pairs: int) -> State:
    """A state with rows for so many players, newcomers among them, and so many pairs."""
    columns = unrated(method.columns()) if isinstance(method, Entering) else method.columns()
    return state.grown(State.start(columns, max(players, len(state["rating"])), pairs))


def cells_of(method: Method, state: State, at: Instant, groups: Sequence[Ints]) -> list[list[dict[str, Cell]]]:
    """What a list of this instant would show of some rows of a state, group by group; unrounded, `rating` first."""
    rows = np.concatenate([*groups]).astype(np.int64) if len(groups) else np.empty(0, dtype=np.int64)
    shown = shown_by(method, state, at)
    ordered = {"rating": shown["rating"]} | dict(shown)
    cells = cells_beside(method, {name: column[rows] for name, column in ordered.items()}, len(rows))
    taken = iter(cells)
    return [[next(taken) for _ in group] for group in groups]
