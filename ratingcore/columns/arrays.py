"""The two kinds of array, and what is done to both everywhere."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


def frozen_array(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view of the array; the array itself stays as it was."""
    view = array.view()
    view.flags.writeable = False
    return view


@lru_cache(maxsize=4)
def counting(n: int) -> NDArray[np.int64]:
    """The first `n` whole numbers from 0 on, read-only; the same array again for the same `n`."""
    return frozen_array(np.arange(n))


def unsigned(rows: Ints) -> Ints:
    """The same rows as numbers that cannot be negative: compiled loops look them up a good deal faster."""
    return rows.view(f"u{rows.itemsize}")
