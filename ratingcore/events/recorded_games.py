"""Games of a pool as columns, as they were first recorded."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class GameColumns(NamedTuple):
    """Games of a pool as first recorded, in order of position; players are ids of names."""

    position: NDArray[np.int64]
    played: NDArray[np.int64]
    order: NDArray[np.int32]
    a: NDArray[np.int32]
    b: NDArray[np.int32]
    score: NDArray[np.float64]
