"""Numbers of a great many names, found by columns: texts and hashes lie in arrays, with no object a name."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.arrays import Ints

Words = NDArray[np.uint64]

_WORD = 8
"""Bytes that are hashed and compared at once."""
_KEPT = np.array([(1 << 8 * kept) - 1 for kept in range(_WORD + 1)], np.uint64)
"""What is kept of a word of which so many bytes belong to a text."""
_FACTOR, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
"""Multiplied by the golden ratio of 64 bits, neighbours come far apart [1]_; the shift lets high bits move low ones.

.. [1] Knuth, *The Art of Computer Programming* 3, section 6.4.
"""


class ManyNames:
    """Names, each of which has a number above 0; whole texts are compared, so that equal hashes confuse nobody.

    Examples
    --------
    >>> import pyarrow as pa
    >>> names = ManyNames()
    >>> names.add(pa.array(["ann", "bo"]), np.array([7, 8]))
    >>> names.find(pa.array(["bo", "cy", "ann"])).tolist()
    [8, 0, 7]
    """

    def __init__(self) -> None:
        self._count = 0
        self._hashes: Words = np.zeros(1, np.uint64)
        self._numbers: Ints = np.zeros(1, np.int64)
        self._ends: Ints = np.zeros(1, np.int64)
        """Where the text of each name ends in the bytes; the next one begins there. Places count from 1."""
        self._bytes: NDArray[np.uint8] = np.zeros(_WORD, np.uint8)
        self._table: NDArray[np.int32] = np.zeros(1024, np.int32)
        """By hash, the place of a name, or 0; one that finds another there stands in the next that is free."""

    def find(self, texts: Any) -> Ints:
        """Numbers of names, 0 for one that is not there.

        Parameters
        ----------
        texts : Arrow array of strings
        """
        asked = _Texts.of(texts)
        hashes, found = asked.hashes(), np.zeros(len(texts), np.int64)
        slot, left = self._slots(hashes), np.arange(len(texts))
        while len(left):
            place = self._table[slot[left]]
            left, place = left[place > 0], place[place > 0]
            alike = np.flatnonzero(self._hashes[place] == hashes[left])
            held = _Texts(self._bytes, self._ends[place[alike] - 1], self._ends[place[alike]])
            alike = alike[held.same_as(asked.at(left[alike]))]
            found[left[alike]] = self._numbers[place[alike]]
            left = np.delete(left, alike)
            slot[left] = slot[left] + 1 & len(self._table) - 1
        return found

    def add(self, texts: Any, numbers: Ints) -> None:
        """Adds names that are not there, none of them twice.

        Parameters
        ----------
        texts : Arrow array of strings
        numbers : (n,) int
        """
        added = _Texts.of(texts)
        first, self._count = self._count + 1, self._count + len(texts)
        ends, size = int(self._ends[first - 1]), added.size()
        self._bytes = _longer(self._bytes, ends + int(size.sum()) + _WORD)
        self._bytes[ends : ends + int(size.sum())] = added.joined()
        self._hashes, self._numbers, self._ends = (
            _longer(one, self._count + 1) for one in (self._hashes, self._numbers, self._ends)
        )
        rows = slice(first, self._count + 1)
        self._hashes[rows], self._numbers[rows], self._ends[rows] = added.hashes(), numbers, ends + np.cumsum(size)
        if 2 * self._count > len(self._table):
            self._table = np.zeros(4 * len(self._table) << (self._count // len(self._table)).bit_length(), np.int32)
            first = 1
        self._enter(np.arange(first, self._count + 1))

    def _slots(self, hashes: Words) -> Ints:
        slots: Ints = (hashes >> np.uint64(64 - len(self._table).bit_length() + 1)).astype(np.int64)
        return slots

    def _enter(self, places: Ints) -> None:
        """Enters names into the table; of several at one slot one stays, and the others go on."""
        slot = self._slots(self._hashes[places])
        while len(places):
            free = self._table[slot] == 0
            self._table[slot[free]] = places[free]
            left = self._table[slot] != places
            places, slot = places[left], slot[left] + 1 & len(self._table) - 1


class _Texts:
    """Texts as stretches of bytes, behind which there is at least one more word."""

    def __init__(self, content: NDArray[np.uint8], start: Ints, end: Ints) -> None:
        self._content, self._start, self._end = content, start, end
        words = max(len(content) - _WORD + 1, 0)
        self._words: Words = np.ndarray((words,), "<u8", content.data, strides=(1,))

    @classmethod
    def of(cls, texts: Any) -> "_Texts":
        """The texts of an Arrow array."""
        _, offsets, content = texts.buffers()
        ends = np.frombuffer(offsets, np.int32, len(texts) + 1, 4 * texts.offset).astype(np.int64)
        end, blank = int(ends[-1]), np.zeros(_WORD, np.uint8)
        seen = blank[:0] if content is None else np.frombuffer(content, np.uint8)[ends[0] : end]
        return cls(np.concatenate([seen, blank]), ends[:-1] - ends[0], ends[1:] - ends[0])

    def at(self, rows: Ints) -> "_Texts":
        """Some of the texts."""
        return _Texts(self._content, self._start[rows], self._end[rows])

    def size(self) -> Ints:
        """How many bytes each has."""
        return self._end - self._start

    def joined(self) -> NDArray[np.uint8]:
        """The bytes of all, where they follow each other."""
        return self._content[:-_WORD]

    def _word(self, number: int, rows: Ints | slice) -> Words:
        start = self._start[rows] + _WORD * number
        word: Words = self._words[start] & _KEPT[np.minimum(self._end[rows] - start, _WORD)]
        return word

    def hashes(self) -> Words:
        """A number for each text, which equal texts share."""
        size = self.size()
        made: Words = size.astype(np.uint64) * _FACTOR
        for number in range(-(-int(size.max(initial=0)) // _WORD)):
            rows: Ints | slice = slice(None) if number == 0 else np.flatnonzero(size > _WORD * number)
            mixed = (made[rows] ^ self._word(number, rows)) * _FACTOR
            made[rows] = mixed ^ mixed >> _SHIFT
        made *= _FACTOR
        return made

    def same_as(self, others: "_Texts") -> NDArray[np.bool_]:
        """Whether each text is the other one of its row."""
        size = self.size()
        same: NDArray[np.bool_] = size == others.size()
        for number in range(-(-int(size.max(initial=0)) // _WORD)):
            rows = np.flatnonzero(same & (size > _WORD * number))
            same[rows] = self._word(number, rows) == others._word(number, rows)
        return same


def _longer(held: NDArray[Any], least: int) -> NDArray[Any]:
    """An array of at least this length that begins as another; a quarter longer, so that it is copied seldom."""
    if least <= len(held):
        return held
    longer = np.zeros(least + least // 4, held.dtype)
    longer[: len(held)] = held
    return longer
