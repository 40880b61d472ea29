"""The book of names: maps readable keys of players, pools, sources and notes to ids and back."""

import os
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import count, repeat
from typing import Any, cast
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from ratingcore.errors import BadValue, UnknownName
from ratingcore.events import bounds, values
from ratingcore.events.player_facts import values_of
from ratingcore.events.values import ERASED, Fact
from ratingcore.log.chain import Name, commitment, commitments
from ratingcore.safe_text import are_plain
from ratingcore.spelling import near_names, one_blank

FIRST, LAST = -(2**62), 2**62
"""Below and at the highest id of any name, even in a log that was changed by hand."""


class NameBook(ABC):
    """The names of a log, for reading; ids count from 1."""

    @property
    @abstractmethod
    def count(self) -> int:
        """Number of names."""

    @abstractmethod
    def names(self, after: int = FIRST, to: int = LAST) -> list[Name]:
        """The names with ids above `after`, up to `to`, in order; all names of a large log take time and memory."""

    @abstractmethod
    def named(self, kind: str, after: int = FIRST, to: int = LAST) -> dict[int, str]:
        """Readable keys of one kind of name with ids above `after`, up to `to`, by their ids and in order of them."""

    @abstractmethod
    def nameless(self, kind: str) -> list[int]:
        """Ids of the names of a kind that were erased, in order."""

    @abstractmethod
    def count_at(self, position: int) -> int:
        """Number of names that were added with the events up to a position."""

    @abstractmethod
    def known(self, kind: str, keys: Iterable[str]) -> dict[str, int]:
        """Ids by key of the names that exist in exactly this spelling; later calls find them in memory."""

    @abstractmethod
    def keys(self, numbers: Sequence[int]) -> list[str]:
        """Readable keys of ids, or labels of erased ones."""

    @abstractmethod
    def facts(self, numbers: Sequence[int]) -> list[Fact | None]:
        """Values of the facts of players with these ids; None for erased facts and for names of other kinds."""

    @abstractmethod
    def hold(self, numbers: NDArray[Any]) -> None:
        """Reads the keys of ids into memory, so that they can be looked up after the log is closed."""

    @abstractmethod
    def commitments(self, numbers: Sequence[int]) -> list[str]:
        """Digests that commit to the names of ids; they stay when a name is erased."""

    @property
    @abstractmethod
    def erased(self) -> set[int]:
        """Ids of the names that were erased."""

    @property
    @abstractmethod
    def bound(self) -> bool:
        """True if the key of the log is among the names, so that digests cover it."""

    @abstractmethod
    def name(self, number: int) -> Name:
        """The recorded name with this id."""

    def places(self, numbers: NDArray[Any]) -> NDArray[np.int32] | None:
        """Returns numbers that sort players, given by id, as their keys do; None if comparing the keys is as fast."""
        return None

    def at_hand(self, kind: str, keys: Iterable[str]) -> list[int | None]:
        """Returns the ids of keys, in their order; None for each key that is not in memory yet."""
        return [None for _ in keys]

    def exactly(self, kind: str, key: str) -> int | None:
        """Returns the id of a name with exactly this spelling, or None."""
        return self.known(kind, (key,)).get(key)

    def find(self, kind: str, key: str) -> int | None:
        """Returns the id of a name in any Unicode form, or of the erased name that a label shows; or None."""
        if kind == "player" and not isinstance(key, str):
            key = values.player_key(key)
        if not isinstance(key, str):
            raise BadValue(kind, key, "must be a name")
        number = self.exactly(kind, key)
        if number is None and (spelt := values.name(key)) != key:
            number = self.exactly(kind, spelt)
        return self.labelled(kind, key) if number is None else number

    def number(self, kind: str, key: str) -> int:
        """Returns the id of a name like `find`; `UnknownName`, with similar names, if there is none."""
        number = self.find(kind, key)
        if number is None:
            raise UnknownName(kind, key, near_names(key, self.keys_of(kind)))
        return number

    def keys_of(self, kind: str) -> list[str]:
        """Readable keys of one kind of name, in order of their ids."""
        return list(self.named(kind).values())

    def spaced(self) -> dict[str, str]:
        """Players' keys with several blanks in a row, by their spelling with one, unless that is a key, too."""
        keys = {one_blank(key): key for key in self.with_blanks().values()}
        known = self.known("player", keys)
        return {one: key for one, key in keys.items() if one not in known}

    def with_blanks(self) -> dict[int, str]:
        """Players' keys with several blanks in a row by their ids, in order of ids."""
        return {number: key for number, key in self.named("player").items() if "  " in key}

    def labelled(self, kind: str, label: str) -> int | None:
        """Returns the id of the erased name that is shown as this label, or None."""
        number = values.erased_number(label)
        if not number or number not in self.erased:
            return None
        return number if self.name(number).kind == kind else None

    def key(self, number: int) -> str:
        """Readable key of an id, or a label if it was erased."""
        return self.keys((number,))[0]


def random_salt() -> str:
    """Sixteen random bytes in hexadecimal."""
    return os.urandom(16).hex()


def random_salts(number: int) -> list[str]:
    """Several random salts, drawn at once."""
    digits = os.urandom(16 * number).hex()
    return [digits[at : at + 32] for at in range(0, len(digits), 32)]


def _check(kind: str, key: str) -> str:
    return bounds.check_player(kind, key) if kind in ("player", "called") else bounds.check_name(kind, key)


class Ids(dict[str, int]):
    """Ids by key of one kind of name in a draft; a key that is new to the log gets the next id on look-up."""

    def __init__(self, draft: "NameDraft", kind: str) -> None:
        super().__init__()
        self._draft, self._kind = ref(draft), kind  # weak, or every batch of an import would stay in memory

    def __missing__(self, key: str) -> int:
        draft = self._draft()
        assert draft is not None, "the draft of these ids no longer exists"
        self[key] = number = draft.exactly(self._kind, key) or draft.add(self._kind, key).id
        return number


class NameDraft(NameBook):
    """A book with the first names of another book, and new names of its own, for a transaction or a what-if.

    Parameters
    ----------
    under : NameBook
        The other book. It is not changed; its ids beyond `count` do not exist here.
    count : int
        Number of its names that exist here.
    salt : callable
        Returns the salt of a new name.
    """

    def __init__(self, under: NameBook, count: int, salt: Callable[[], str]) -> None:
        self.salt = salt
        self._batch = 0
        self.under = under
        self.below = count
        """Number of names that belong to the book below."""
        self.fresh: list[Name] = []
        """Names that only this book has."""
        self.gone: set[int] = set()
        """Ids of the book below that were erased here."""
        self._ids: dict[str, dict[str, int]] = {}
        """By kind, the ids of the new names."""
        self._absent: dict[str, set[str]] = {}
        """By kind, keys missing from the book below: names added to it later do not count here."""
        self._met: dict[str, Ids] = {}
        """By kind, the ids that were looked up."""

    def _own(self, number: int) -> Name:
        return self.fresh[number - self.below - 1]

    def _keep(self, name: Name) -> None:
        self.fresh.append(name)
        if name.key is not None:
            self._ids.setdefault(name.kind, {})[name.key] = name.id

    @property
    def count(self) -> int:
        return self.below + len(self.fresh)

    def names(self, after: int = FIRST, to: int = LAST) -> list[Name]:
        names = self.under.names(after, min(to, self.below))
        if self.gone:
            names = [name._replace(key=None, salt=None) if name.id in self.gone else name for name in names]
        return names + [name for name in self.fresh if after < name.id <= to]

    def named(self, kind: str, after: int = FIRST, to: int = LAST) -> dict[int, str]:
        under = self.under.named(kind, after, to)
        old = {at: key for at, key in under.items() if at <= self.below and at not in self.gone}
        own = [name for name in self.fresh if name.kind == kind and after < name.id <= to]
        return old | {name.id: name.key for name in own if name.key is not None}

    def with_blanks(self) -> dict[int, str]:
        old = {at: key for at, key in self.under.with_blanks().items() if at <= self.below and at not in self.gone}
        own = [name for name in self.fresh if name.kind == "player" and name.key is not None and "  " in name.key]
        return old | {name.id: name.key or "" for name in own}

    def nameless(self, kind: str) -> list[int]:
        gone = {*self.under.nameless(kind), *(at for at in self.gone if self.under.name(at).kind == kind)}
        own = [name.id for name in self.fresh if name.kind == kind and name.key is None]
        return sorted(at for at in gone if at <= self.below) + own

    def count_at(self, position: int) -> int:
        return min(self.under.count_at(position), self.below) + sum(name.batch <= position for name in self.fresh)

    def exactly(self, kind: str, key: str) -> int | None:
        own = self._ids.get(kind, {}).get(key)
        if own is not None or key in self._absent.get(kind, ()):
            return own
        number = self.under.exactly(kind, key)
        return number if number is not None and number <= self.below and number not in self.gone else None

    def key(self, number: int) -> str:
        return self.keys((number,))[0] if number > self.below or self.gone else self.under.key(number)

    def keys(self, numbers: Sequence[int]) -> list[str]:
        old = [number for number in numbers if number <= self.below]
        if len(old) == len(numbers) and not self.gone:
            return self.under.keys(numbers)
        keys = dict(zip(old, self.under.keys(old), strict=True)) | {at: ERASED.format(at) for at in self.gone}
        return [keys[at] if at <= self.below else self._own(at).key or ERASED.format(at) for at in numbers]

    def facts(self, numbers: Sequence[int]) -> list[Fact | None]:
        old = [number for number in numbers if number <= self.below and number not in self.gone]
        known = dict(zip(old, self.under.facts(old), strict=True)) if old else {}
        own = [name for name in map(self._own, (n for n in numbers if n > self.below)) if name.kind == "fact"]
        known |= zip([name.id for name in own], values_of([name.key or "" for name in own]), strict=True)
        return list(map(known.get, numbers))

    def hold(self, numbers: NDArray[Any]) -> None:
        self.under.hold(numbers[numbers <= self.below])

    def commitments(self, numbers: Sequence[int]) -> list[str]:
        old = [number for number in numbers if number <= self.below]
        digests = dict(zip(old, self.under.commitments(old), strict=True))
        return [digests[at] if at <= self.below else self._own(at).digest for at in numbers]

    @property
    def erased(self) -> set[int]:
        own = {name.id for name in self.fresh if name.key is None} | self.gone
        return self.under.erased | own if own else self.under.erased

    @property
    def bound(self) -> bool:
        return self.under.bound or "key" in self._ids

    def name(self, number: int) -> Name:
        if number > self.below:
            return self._own(number)
        name = self.under.name(number)
        return name._replace(key=None, salt=None) if number in self.gone else name

    def _look_up(self, kind: str, keys: Iterable[str]) -> None:
        """Looks up keys in the book below all at once, except those known to be new here or missing there."""
        own, lacking = self._ids.get(kind, {}), self._absent.setdefault(kind, set())
        wanted = dict.fromkeys(keys if not own else (key for key in keys if key not in own))
        known = self.under.known(kind, wanted if not lacking else [key for key in wanted if key not in lacking])
        absent = wanted.keys() - known.keys()
        lacking.update(absent)
        if self.gone or max(known.values(), default=0) > self.below:
            known = {key: number for key, number in known.items() if number <= self.below and number not in self.gone}
        self._met_ids(kind).update(known)

    def known(self, kind: str, keys: Iterable[str]) -> dict[str, int]:
        keys = list(keys)
        self._look_up(kind, keys)
        own, met = self._ids.get(kind, {}), self._met_ids(kind)
        return {key: number for key in keys if (number := own.get(key) or met.get(key)) is not None}

    def at_hand(self, kind: str, keys: Iterable[str]) -> list[int | None]:
        keys = list(keys)
        own, gone, below = self._ids.get(kind, {}), self.gone, self.below
        return [
            own.get(key) or (number if number is not None and number <= below and number not in gone else None)
            for key, number in zip(keys, self.under.at_hand(kind, keys), strict=True)
        ]

    def getter(self, kind: str) -> Callable[[str], int]:
        """Returns a function from key to id that adds missing names."""
        return self._met_ids(kind).__getitem__

    def numbers(self, kind: str, keys: Sequence[str]) -> list[int]:
        """Ids of keys, in their order; adds missing names."""
        # imports look up every player of every row here; nearly all are in memory, and cost one look-up each
        known = self.under.at_hand(kind, keys)
        numbers = [number for number in known if number is not None] if None in known else cast("list[int]", known)
        if self.gone or max(numbers, default=0) > self.below:
            self._look_up(kind, keys)
            return list(map(self.getter(kind), keys))
        if numbers is known:
            return numbers
        unmet = [key for key, number in zip(keys, known, strict=True) if number is None]
        self._look_up(kind, unmet)
        met, own = self._met_ids(kind), self._ids.get(kind, {})
        new = self.add_all(kind, [key for key in dict.fromkeys(unmet) if key not in met and key not in own])
        met.update((name.key or "", name.id) for name in new)
        return [met[key] if number is None else number for key, number in zip(keys, known, strict=True)]

    def _met_ids(self, kind: str) -> Ids:
        if kind not in self._met:
            self._met[kind] = Ids(self, kind)
        return self._met[kind]

    def fresh_id(self, kind: str, key: str) -> int:
        """Id of a name that cannot be in the book below; adds the name if it is missing."""
        return self._ids.get(kind, {}).get(key) or self.add(kind, key).id

    def since(self, count: int) -> list[Name]:
        """The names added after the first `count`."""
        return self.fresh[max(count - self.below, 0) :]

    def let_go(self) -> None:
        """Drops the new names from memory once the store has written them.

        A draft on top of another draft keeps its names, since the other one takes them over.
        """
        if not isinstance(self.under, NameDraft):
            self.below = self.count
            self.fresh = []
            for cache in (self._ids, self._absent, self._met):
                cache.clear()

    def forget(self, count: int) -> None:
        """Keeps only the first `count` names, to remove those of a failed batch."""
        for name in self.since(count):
            if name.key is not None:
                self._ids[name.kind].pop(name.key)
        del self.fresh[max(count - self.below, 0) :]
        for met in self._met.values():
            met.clear()

    def erase(self, numbers: Iterable[int]) -> None:
        """Deletes the keys and salts of ids; their digests stay."""
        for number in numbers:
            if number <= self.below:
                self.gone.add(number)
                continue
            name = self._own(number)
            if name.key is not None:
                self._ids[name.kind].pop(name.key)
            self.fresh[number - self.below - 1] = name._replace(key=None, salt=None)
        for met in self._met.values():
            met.clear()

    def begin(self, batch: int) -> None:
        """Sets the batch, by its first position, to which new names belong."""
        self._batch = batch

    def add(self, kind: str, key: str) -> Name:
        """Adds a name under the next id; `BadValue` for a name that logs refuse."""
        if kind != "fact":  # its value was checked
            _check(kind, key)
        salt = self.salt()
        name = Name(self.count + 1, kind, key, salt, commitment(kind, key, salt), self._batch)
        self._keep(name)
        return name

    def add_all(self, kind: str, keys: Iterable[str]) -> list[Name]:
        """Adds names under the next ids; the caller ensures that the log does not have them yet."""
        keys, first = list(keys), self.count + 1
        if kind != "fact" and not are_plain(keys):
            for key in keys:
                _check(kind, key)
        salts = random_salts(len(keys)) if self.salt is random_salt else [self.salt() for _ in keys]
        digests = commitments(kind, keys, salts)
        names = list(map(Name, count(first), repeat(kind), keys, salts, digests, repeat(self._batch)))
        self.fresh += names
        self._ids.setdefault(kind, {}).update(zip(keys, count(first)))
        return names

    def restore(self, names: Iterable[Name]) -> None:
        """Adds names as another log wrote them; `ValueError` for one that exists already."""
        fresh, keys = list(names), defaultdict[str, list[str]](list)
        for name in fresh:
            if name.key is not None:
                keys[name.kind].append(name.key)
        for kind, some in keys.items():
            self._look_up(kind, some)
        for name in fresh:
            if name.key is not None and self.exactly(name.kind, name.key):
                raise ValueError(name.key)
            self._keep(name)
