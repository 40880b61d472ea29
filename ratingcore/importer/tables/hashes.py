"""A set of hashes at about eight bytes each, for files with more rows than fit into memory."""

from array import array
from bisect import bisect_left

import numpy as np

_NEW = 2**16
"""Hashes that are kept in a Python set, at seventy bytes each, before they are sorted in."""


class Hashes:
    """Hashes of what was met so far.

    They lie in sorted arrays of doubling lengths, so that of a million there are a handful to look into.
    """

    def __init__(self) -> None:
        self._new: set[int] = set()
        self._sorted: list[array[int]] = []

    def meet(self, value: int) -> bool:
        """Takes note of a hash of 64 bits, and returns whether it was met before."""
        if value in self._new or any(_holds(part, value) for part in self._sorted):
            return True
        self._new.add(value)
        if len(self._new) >= _NEW:
            self._sort_in()
        return False

    def __len__(self) -> int:
        return len(self._new) + sum(map(len, self._sorted))

    def _sort_in(self) -> None:
        part = np.sort(np.fromiter(self._new, np.int64, len(self._new)))
        self._new.clear()
        while self._sorted and len(self._sorted[-1]) <= len(part):
            part = np.sort(np.concatenate([part, np.frombuffer(self._sorted.pop(), np.int64)]))
        self._sorted.append(array("q", part.tobytes()))


def _holds(part: "array[int]", value: int) -> bool:
    place = bisect_left(part, value)
    return place < len(part) and part[place] == value
