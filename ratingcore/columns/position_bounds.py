"""The least and the greatest position in each block of games, so that most blocks need not be read."""

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.arrays import Ints

BLOCK = 65_536
"""Games of a block: so few that they stay in the cache of a core."""


class PositionBounds:
    """Bounds of the positions in a column that may grow longer, but whose games never change.

    Threads may share them: where two look at once, both find the same.
    """

    def __init__(self) -> None:
        self._full = np.empty((2, 0), dtype=np.int64)
        """Least and greatest position of each block that is full."""

    def first_later(self, position: Ints, than: int) -> int | None:
        """Index of the first game that the log learnt after a position; None if there is none."""
        later = np.flatnonzero(self._of(position)[1] > than)
        if not len(later):
            return None
        start = int(later[0]) * BLOCK
        return start + int((position[start : start + BLOCK] > than).argmax())

    def end(self, position: Ints, than: int) -> int:
        """An index from which on the log learnt every game after a position: at most a block behind the first such."""
        known = np.flatnonzero(self._of(position)[0] <= than)
        return min((int(known[-1]) + 1) * BLOCK, len(position)) if len(known) else 0

    def _of(self, position: Ints) -> NDArray[np.int64]:
        """The bounds of all blocks, of the last one too, which may not be full."""
        full, whole = self._full, len(position) // BLOCK
        if full.shape[1] < whole:
            blocks = range(full.shape[1], whole)
            fresh = np.array([_bounds(position[at * BLOCK : (at + 1) * BLOCK]) for at in blocks]).T
            self._full = full = np.concatenate([full, fresh], axis=1)
        rest = position[whole * BLOCK :]
        return np.column_stack([full[:, :whole], _bounds(rest)]) if len(rest) else full[:, :whole]


def _bounds(position: Ints) -> tuple[int, int]:
    return int(position.min()), int(position.max())
