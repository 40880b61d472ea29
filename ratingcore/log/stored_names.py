"""The book of names of a log in a file: looks names up on demand, and caches them."""

import threading
from bisect import bisect_right
from collections import ChainMap
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.events.player_facts import values_of
from ratingcore.events.values import ERASED, Fact, is_storable
from ratingcore.log.chain import NAMED, Name
from ratingcore.log.names import FIRST, LAST, NameBook, NameDraft

AT_ONCE = 500
"""Largest number of values in one IN list, below the limit of every version of SQLite."""

MANY = 100_000
"""From this many players on, reading all keys in order is faster than comparing the keys of equal ratings."""

_BETWEEN = "\x1f"

STEP = 100_000
"""Number of keys that one statement returns, joined into one text, since fetching a row per key is slower.

SQLite adds rows to the text in the order in which the inner statement returns them."""

_STEP = """SELECT count(*), group_concat(key, char(31)), group_concat(id) FROM (
    SELECT id, key FROM name WHERE kind = 'player' AND key IS NOT NULL AND key > ? AND id <= ? ORDER BY key LIMIT ?)"""


class Alphabet(NamedTuple):
    """Ids of players in alphabetical order, and their keys in one text, split on demand."""

    ids: NDArray[np.int32]
    text: str

    def keys(self) -> dict[int, str]:
        return dict(zip(self.ids.tolist(), self.text.split(_BETWEEN), strict=True)) if len(self.ids) else {}


def alphabet(query: Callable[..., list[Any]], count: int) -> Alphabet | None:
    """Returns the players of a log in a file in alphabetical order of their keys, without erased ones.

    Parameters
    ----------
    query : callable
        Runs a statement of SQLite and returns its rows.
    count : int
        Names with larger ids are left out.

    Returns
    -------
    Alphabet or None
        None if a key contains the separator, which names must not contain.
    """
    texts: list[str] = []
    ids = [np.empty(0, dtype=np.int32)]
    last = ""
    while True:
        ((found, text, numbers),) = query(_STEP, (last, count, STEP))
        if not found:
            return Alphabet(np.concatenate(ids), _BETWEEN.join(texts))
        if text.count(_BETWEEN) != found - 1:
            return None
        last = text.rpartition(_BETWEEN)[2]
        texts.append(text)
        ids.append(np.fromstring(numbers, dtype=np.int32, sep=","))


_NAMES = "SELECT id, kind, key, salt, digest, batch FROM name WHERE"
_FACTS = "SELECT id, kind, key FROM name WHERE"
_FOUND = "SELECT id, kind, key, digest FROM name WHERE"


def packed(name: Name) -> tuple[object, ...]:
    """The cells of a name whose salt and digest are stored as bytes, in half the space of hexadecimal digits."""
    return *name[:3], _octets(name.salt), _octets(name.digest), name.batch


def _octets(digits: str | None) -> str | bytes | None:
    """The bytes that hexadecimal digits stand for; any other text as it is."""
    try:
        octets = bytes.fromhex(digits or "")
    except ValueError:
        return digits
    return octets if octets.hex() == digits else digits


def _digits(cell: Any) -> Any:
    """The hexadecimal digits of stored bytes; any other cell as it is."""
    return cell.hex() if type(cell) is bytes else cell


class StoredNames(NameBook):
    """The names of a log in a file, shared by all threads; opening costs the same for ten players and ten million.

    A name never changes, but it may be erased: `saw` takes the number of erasures, and drops erased names from memory.
    The ids of erased names are kept, so that a name read before its erasure is not used afterwards.

    Parameters
    ----------
    query : callable
        Runs a statement with the connection of the calling thread, and returns its rows.
    below : StoredNames or None
        NameBook of the same log whose names are used without reading them again; it is not changed.
    """

    def __init__(self, query: Callable[..., list[Any]], below: "StoredNames | None" = None) -> None:
        self._query = query
        self._lock = threading.RLock()
        self._numbers: dict[str, MutableMapping[str, int]] = {
            kind: {} if below is None else ChainMap({}, below._numbers[kind]) for kind in NAMED
        }
        """By kind, the ids of the keys read so far."""
        self._keys: MutableMapping[int, str] = {} if below is None else ChainMap({}, below._keys)
        """Text shown for each id read so far: its key, or a label."""
        self._digests: MutableMapping[int, str] = {} if below is None else ChainMap({}, below._digests)
        self._gone: set[int] = set() if below is None else below._gone
        """Erased ids read so far."""
        self._last = 0
        """The highest id read so far."""
        self._held = 0
        """The keys of all ids up to this one, except those of facts, are in memory for good."""
        self._all_gone = self._bound = False
        self._count: int = 0 if below is None else below._count
        self._erasures: int = 0 if below is None else below._erasures
        self._places: NDArray[np.int32] = np.empty(0, dtype=np.int32)
        """By id, the place of each player in alphabetical order; -1 for other names."""
        self._blanks: tuple[int, dict[int, str]] = 0, {}
        """The keys with several blanks in a row by their ids, and the id up to which they were read."""
        self._folded: Alphabet | None = None
        """Keys that were read but not needed yet: they stay in one text, since splitting it takes much more time."""

    def saw(self, count: int, erasures: int) -> None:
        """Updates the numbers of names and of names ever erased; both only grow."""
        if count <= self._count and erasures <= self._erasures:
            return
        gone = self._query("SELECT name FROM erasure") if erasures > self._erasures else ()
        with self._lock:
            self._drop(number for (number,) in gone)
            self._erasures = max(erasures, self._erasures)
            self._count = max(count, self._count)

    def wrote(self, names: NameDraft) -> None:
        """Adds the names that a committed transaction has added, and drops those that it has erased."""
        with self._lock:
            self._take((name.id, name.kind, name.key, name.digest) for name in names.fresh if name.kind != "fact")
            self._drop(names.gone)
            self._count = max(names.count, self._count)

    def undone(self, count: int, numbers: Iterable[int]) -> None:
        """Undoes a transaction that was rolled back: only `count` names exist, and `numbers` are not erased after all.

        Look-ups inside the transaction may have read names that it had added, and ids that it had erased.
        """
        with self._lock:
            if self._last > count:
                for met in (self._keys, self._digests):
                    for number in [number for number in met if number > count]:
                        del met[number]
                for ids in self._numbers.values():
                    for key in [key for key, number in ids.items() if number > count]:
                        del ids[key]
                self._last, self._held = count, min(self._held, count)
            self._bound = False
            numbers = set(numbers)
            if not numbers:
                return
            self._gone = self._gone - numbers
            for number in numbers:
                self._keys.pop(number, None)
            self._held = min(self._held, min(numbers) - 1)
            self._places = self._places[:0]
            self._all_gone = False

    def _take(self, names: Iterable[tuple[int, str, str | None, str | bytes]]) -> None:
        with self._lock:
            for number, kind, key, digest in names:
                self._last = max(self._last, number)
                self._digests[number] = _digits(digest)
                if key is None or number in self._gone:
                    self._gone = self._gone | {number}
                    self._keys[number] = ERASED.format(number)
                else:
                    self._numbers[kind][key] = number
                    self._keys[number] = key

    def _drop(self, numbers: Iterable[int]) -> None:
        fresh = set(numbers) - self._gone
        if not fresh:
            return
        self._gone = self._gone | fresh  # a new set: threads may be iterating over the old one
        self._unfold()
        self._places = self._places[:0]
        self._keys.update({number: ERASED.format(number) for number in fresh & self._keys.keys()})
        for ids in list(self._numbers.values()):
            for key in [key for key, number in list(ids.items()) if number in fresh]:
                del ids[key]

    @property
    def count(self) -> int:
        return self._count

    def names(self, after: int = FIRST, to: int = LAST) -> list[Name]:
        rows = self._query(f"{_NAMES} id > ? AND id <= ? ORDER BY id", (after, to))
        if any(type(row[4]) is bytes for row in rows):  # an older process may write texts after them
            rows = [(*row[:3], _digits(row[3]), _digits(row[4]), row[5]) for row in rows]
        return list(map(tuple.__new__, repeat(Name), rows))  # `Name._make` takes twice the time

    def named(self, kind: str, after: int = FIRST, to: int = LAST) -> dict[int, str]:
        # with a range of ids, SQLite reads the table in order of ids; else names of the kind, by their index
        some, ids = ("", ()) if (after, to) == (FIRST, LAST) else ("AND id > ? AND id <= ?", (after, to))
        sql = f"SELECT id, key FROM name WHERE kind = ? AND key IS NOT NULL {some} ORDER BY id"
        return dict(self._query(sql, (kind, *ids)))

    def with_blanks(self) -> dict[int, str]:
        # a name never changes, so only those are read that may have come since the last call
        read, keys, count = *self._blanks, self._count
        sql = "SELECT id, key FROM name WHERE id > ? AND kind = ? AND key LIKE ? ORDER BY id"
        keys = keys | dict(self._query(sql, (read, "player", "%  %")))
        self._blanks = count, {number: key for number, key in keys.items() if number <= count}
        return {number: key for number, key in keys.items() if number not in self._gone}

    def nameless(self, kind: str) -> list[int]:
        found = self._query("SELECT id FROM name WHERE key IS NULL AND kind = ?", (kind,))
        return sorted(number for (number,) in found)

    def count_at(self, position: int) -> int:
        found = self._query("SELECT max(id) FROM name")
        last = found[0][0] or 0 if found else 0
        return bisect_right(range(1, last + 1), position, key=self._batch)  # ids and batches rise together

    def _batch(self, number: int) -> int:
        """The first position of the batch of a name."""
        ((first,),) = self._query("SELECT batch FROM name WHERE id = ?", (number,))
        return int(first)

    def known(self, kind: str, keys: Iterable[str]) -> dict[str, int]:
        numbers, keys = self._numbers[kind], list(keys)
        missing = [key for key in dict.fromkeys(keys) if key not in numbers and is_storable(key)]
        if len(missing) > max(AT_ONCE, self._count // 8):  # then it is faster to read all names
            ids = {key: number for number, key in self.named(kind).items()}
            with self._lock:
                numbers.update((key, number) for key, number in ids.items() if number not in self._gone)
                self._last = max(self._last, *ids.values(), 0)
            missing = []
        for start in range(0, len(missing), AT_ONCE):
            self._take(self._of_keys(kind, missing[start : start + AT_ONCE]))
        return {key: number for key in keys if (number := numbers.get(key)) is not None}

    def exactly(self, kind: str, key: str) -> int | None:
        return self._numbers[kind].get(key) or super().exactly(kind, key)

    def at_hand(self, kind: str, keys: Iterable[str]) -> list[int | None]:
        return list(map(self._numbers[kind].get, keys))

    def _of_keys(self, kind: str, keys: Sequence[str]) -> list[Any]:
        """Id, kind, key and digest of each of these names that exists."""
        return self._query(f"{_FOUND} kind = ? AND key IN ({_marks(keys)})", (kind, *keys))

    def key(self, number: int) -> str:
        return self._keys.get(number) or super().key(number)

    def keys(self, numbers: Sequence[int]) -> list[str]:
        return self._each(self._keys, "key", numbers)

    def facts(self, numbers: Sequence[int]) -> list[Fact | None]:
        """As `NameBook.facts`; they are read each time, since the same ones are rarely needed twice."""
        known: dict[int, str] = {}
        for start in range(0, len(numbers), STEP):
            some = numbers[start : start + STEP]
            low, high = min(some), max(some)
            if high - low < 4 * len(some):
                found = self._query(f"{_FACTS} id BETWEEN ? AND ?", (low, high))
            else:
                few = [some[at : at + AT_ONCE] for at in range(0, len(some), AT_ONCE)]
                found = [row for part in few for row in self._query(f"{_FACTS} id IN ({_marks(part)})", part)]
            # the kind is tested here: in the query, SQLite would go through all facts by their index
            known.update((number, key) for number, kind, key in found if kind == "fact" and key is not None)
        gone = self._gone
        return values_of(["" if number in gone else known.get(number, "") for number in numbers])

    def hold(self, numbers: NDArray[Any]) -> None:
        if self._placed(numbers) is not None:
            return
        self._unfold()
        last, held = int(numbers.max(initial=0)), self._held
        while held < last and held + 1 in self._keys:
            held += 1
        self._held = held
        if held < last:
            self.keys(numbers.tolist())

    def places(self, numbers: NDArray[Any]) -> NDArray[np.int32] | None:
        if len(numbers) < MANY:
            return None
        places = self._placed(numbers)
        if places is None and not self._gone and len(self._places) <= self._count:
            self._learn_alphabet()
            places = self._placed(numbers)
        return places

    def _placed(self, numbers: NDArray[Any]) -> NDArray[np.int32] | None:
        known = self._places
        if len(known) <= numbers.max(initial=0):
            return None
        places: NDArray[np.int32] = known[numbers]
        return None if places.min(initial=0) < 0 else places

    def _learn_alphabet(self) -> None:
        """Reads the keys of all players, in alphabetical order."""
        count = self._count
        read = self._alphabet(count)
        if read is None:
            return
        places = np.full(count + 1, -1, dtype=np.int32)
        places[read.ids] = np.arange(len(read.ids), dtype=np.int32)
        with self._lock:
            if not self._gone:  # otherwise names were erased meanwhile, and places have changed
                self._folded, self._places = read, places

    def _alphabet(self, count: int) -> Alphabet | None:
        return alphabet(self._query, count)

    def _unfold(self) -> None:
        """Splits the text of keys that were read in alphabetical order."""
        with self._lock:
            if self._folded is not None:
                self._keys.update(self._folded.keys())
                self._folded = None

    def commitments(self, numbers: Sequence[int]) -> list[str]:
        return self._each(self._digests, "digest", numbers)

    @property
    def erased(self) -> set[int]:
        if not self._all_gone:  # older logs may hold erased names that are in no table of erasures
            gone = self._query("SELECT id FROM name WHERE key IS NULL")
            with self._lock:
                self._drop(number for (number,) in gone)
                self._all_gone = True
        return self._gone

    @property
    def bound(self) -> bool:
        self._bound = self._bound or bool(self._query("SELECT 1 FROM name WHERE kind = 'key' LIMIT 1"))
        return self._bound

    def name(self, number: int) -> Name:
        (found,) = self.names(number - 1, number)
        return found

    def _each(self, column: MutableMapping[int, str], what: str, numbers: Sequence[int]) -> list[str]:
        try:
            return list(map(column.__getitem__, numbers))
        except KeyError:
            self._meet(column, what, numbers)
            return list(map(column.__getitem__, numbers))

    def _meet(self, column: MutableMapping[int, str], what: str, numbers: Sequence[int]) -> None:
        """Reads the missing values of a column: all names if many are requested, else only the missing ones."""
        self._unfold()
        if len(numbers) > max(AT_ONCE, 2 * len(column), self._count // 8):
            rows = self._query(f"SELECT id, {what} FROM name WHERE kind <> 'fact'")
            found = {number: _digits(cell) for number, cell in rows}
            with self._lock:
                if what == "key":
                    self._drop(number for number, key in found.items() if key is None)
                    found |= {number: ERASED.format(number) for number in self._gone & found.keys()}
                column.update(found)
                self._last = max(self._last, *found, 0)
                self._held = max(self._held, *found, 0) if what == "key" else self._held
            return
        missing = [number for number in dict.fromkeys(numbers) if number not in column]
        for start in range(0, len(missing), AT_ONCE):
            some = missing[start : start + AT_ONCE]
            self._take(self._query(f"{_FOUND} id IN ({_marks(some)})", some))


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
