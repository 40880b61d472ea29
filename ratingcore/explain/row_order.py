"""Orders the players of a list by a column."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ratingcore.columns.games import Ints
from ratingcore.lists.policy import Cell


def order_of(cells: Sequence[Cell], *, backwards: bool = False) -> Ints:
    """Returns the rows ordered by a column: highest number first, texts alphabetically, empty cells last.

    Rows with equal cells keep their order.

    Parameters
    ----------
    cells : sequence
    backwards : bool
        Reverses the order; empty cells still come last.

    Examples
    --------
    >>> order_of((3, None, 5)).tolist(), order_of(("bo", "ann", None)).tolist()
    ([2, 0, 1], [1, 0, 2])
    """
    texts = any(isinstance(cell, str) for cell in cells)
    kept: list[Any] = [str(cell) if texts else cell for cell in cells if cell is not None]
    distinct = sorted(set(kept), reverse=texts == backwards)
    place = {cell: number for number, cell in enumerate(distinct)}
    key = [len(place) if cell is None else place[str(cell) if texts else cell] for cell in cells]
    return np.argsort(np.array(key, dtype=np.int64), kind="stable")
