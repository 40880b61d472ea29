"""The two kinds of array, what is done to both everywhere, and whether values that hold arrays are equal."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


def frozen_array(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view of the array; the array itself stays as it was."""
    view = array.view()
    view.flags.writeable = False
    return view


def same_value(one: object, other: object) -> bool:
    """Whether two values are of one type and have equal fields; for `__eq__` of attrs classes that hold arrays.

    Arrays are equal if they have one shape and equal cells, NaN being equal to itself; so are fields that are attrs
    values without an equality of their own.
    """
    if type(one) is not type(other):
        return False
    names = [field.name for field in attrs.fields(type(one)) if field.eq]  # type: ignore[arg-type]  # attrs classes ask
    return all(_same(getattr(one, name), getattr(other, name)) for name in names)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        blank = one.dtype.kind in "fc" and other.dtype.kind in "fc"
        return np.array_equal(one, other, equal_nan=blank)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    if attrs.has(type(one)) and not _has_equality(type(one)):
        return same_value(one, other)
    return bool(one == other or (one != one and other != other))


def _has_equality(kind: type) -> bool:
    return any("__eq__" in vars(one) for one in kind.__mro__[:-1])


@lru_cache(maxsize=4)
def counting(n: int) -> NDArray[np.int64]:
    """The first `n` whole numbers from 0 on, read-only; the same array again for the same `n`."""
    return frozen_array(np.arange(n))


def unsigned(rows: Ints) -> Ints:
    """The same rows as numbers that cannot be negative: compiled loops look them up a good deal faster."""
    return rows.view(f"u{rows.itemsize}")
