"""The book of names: maps readable keys of players, pools, sources and notes to ids and back."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratingcore.errors import BadValue
from ratingcore.events import bounds, values
from ratingcore.events.values import ERASED
from ratingcore.log.chain import commitment
from ratingcore.log.facts import Name


class Book(ABC):
    """The names of a log, to read; ids count from 1."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many names there are."""

    @abstractmethod
    def names(self) -> list[Name]:
        """All names in order of their ids; of a large log this takes time and memory."""

    @abstractmethod
    def count_at(self, position: int) -> int:
        """How many names the first events brought, up to a position."""

    @abstractmethod
    def exactly(self, kind: str, key: str) -> int | None:
        """Id of a name in this very spelling; None if there is none."""

    @abstractmethod
    def keys(self, numbers: Sequence[int]) -> list[str]:
        """Readable keys of ids, or labels where they were erased."""

    @abstractmethod
    def hold(self, numbers: NDArray[Any]) -> None:
        """Sees to it that the keys of ids can still be looked up when the log is closed."""

    def places(self, numbers: NDArray[Any]) -> NDArray[np.int32] | None:
        """Numbers that sort ids of players as their keys do; None where that takes as long as to compare the keys."""
        return None

    @abstractmethod
    def commitments(self, numbers: Sequence[int]) -> list[str]:
        """Digests that commit to the names of ids; they stay when a name is erased."""

    @property
    @abstractmethod
    def erased(self) -> set[int]:
        """Ids of the names that were erased."""

    @property
    @abstractmethod
    def relabelled(self) -> int:
        """Another number whenever the book has learnt that names were erased, or were not after all."""

    @property
    @abstractmethod
    def bound(self) -> bool:
        """Whether the key of the log is among the names, so that digests cover it."""

    @abstractmethod
    def name(self, number: int) -> Name:
        """The name of an id as it is recorded."""

    @abstractmethod
    def expect(self, kind: str, keys: Iterable[str]) -> set[str]:
        """Looks keys up in one pass, whose ids will be asked for; returns those that there are not."""

    def known(self, kind: str, keys: Iterable[str]) -> dict[str, int]:
        """Ids by key of those of these names that there are; quick where they were expected."""
        return {key: number for key in keys if (number := self.exactly(kind, key)) is not None}

    def at_hand(self, kind: str, keys: Iterable[str]) -> list[int | None]:
        """Ids of keys, in their order, as far as they are known without looking anything up; else None."""
        return [None for _ in keys]

    def find(self, kind: str, key: str) -> int | None:
        """Id of a name, which may have any Unicode form, or of the erased one of a label; None if there is none."""
        if kind == "player" and not isinstance(key, str):
            key = values.player_key(key)
        if not isinstance(key, str):
            raise BadValue(kind, key, "is no name")
        number = self.exactly(kind, key)
        if number is None and (spelt := values.name(key)) != key:
            number = self.exactly(kind, spelt)
        return self.labelled(kind, key) if number is None else number

    def labelled(self, kind: str, label: str) -> int | None:
        """Id of the erased name that is shown as this label; None if there is none."""
        number = values.erased_number(label)
        if not number or number not in self.erased:
            return None
        return number if self.name(number).kind == kind else None

    def key(self, number: int) -> str:
        """Readable key of an id, or a label if it was erased."""
        return self.keys((number,))[0]


class NewNames(Book):
    """A book to which a batch that is being written adds names.

    Parameters
    ----------
    salt : callable
        Returns the salt of a new name.
    """

    def __init__(self, salt: Callable[[], str]) -> None:
        self.salt = salt
        self._batch = 0

    @abstractmethod
    def getter(self, kind: str) -> Callable[[str], int]:
        """Returns a function from key to id that adds missing names."""

    def numbers(self, kind: str, keys: Sequence[str]) -> list[int]:
        """Ids of keys, in their order; adds missing names."""
        self.expect(kind, keys)
        return list(map(self.getter(kind), keys))

    @abstractmethod
    def since(self, count: int) -> list[Name]:
        """The names added after the first `count`."""

    @abstractmethod
    def forget(self, count: int) -> None:
        """Keeps only the first `count` names, to take back what a failed batch added."""

    @abstractmethod
    def erase(self, numbers: Iterable[int]) -> None:
        """Deletes the keys and salts of ids; their digests stay."""

    @abstractmethod
    def _keep(self, name: Name) -> None: ...

    def begin(self, batch: int) -> None:
        """Sets the batch, by its first position, that new names belong to."""
        self._batch = batch

    def add(self, kind: str, key: str) -> Name:
        """Adds a name under the next id; `BadValue` if it is one that no log takes."""
        bounds.see_player(kind, key) if kind in ("player", "called") else bounds.see_name(kind, key)
        salt = self.salt()
        name = Name(self.count + 1, kind, key, salt, commitment(kind, key, salt), self._batch)
        self._keep(name)
        return name

    def add_all(self, kind: str, keys: Iterable[str]) -> list[Name]:
        """Adds names that nobody has yet, under the next ids; whoever asks knows that there are none."""
        return [self.add(kind, key) for key in keys]

    def restore(self, names: Iterable[Name]) -> None:
        """Adds names as another log wrote them; refuses one that is there already."""
        fresh, keys = list(names), defaultdict[str, list[str]](list)
        for name in fresh:
            if name.key is not None:
                keys[name.kind].append(name.key)
        for kind, some in keys.items():
            self.expect(kind, some)
        for name in fresh:
            if name.key is not None and self.exactly(name.kind, name.key):
                raise ValueError(name.key)
            self._keep(name)


class Ids(dict[str, int]):
    """Ids by key of one kind of name; looking up a missing key asks for its id."""

    def __init__(self, missing: Callable[[str], int]) -> None:
        super().__init__()
        self._ask = missing

    def __missing__(self, key: str) -> int:
        return self._ask(key)


class Names(NewNames):
    """The names of a log, all of them in memory."""

    def __init__(self, names: Iterable[Name], salt: Callable[[], str]) -> None:
        super().__init__(salt)
        self.all: list[Name] = []
        self._ids: dict[str, Ids] = {}
        self._erased: set[int] = set()
        for name in names:
            self._keep(name)

    def _of(self, kind: str) -> Ids:
        """Ids of a kind; only for whoever writes, since they are made if there are none."""
        if kind not in self._ids:
            self._ids[kind] = Ids(lambda key: self.add(kind, key).id)
        return self._ids[kind]

    def _keep(self, name: Name) -> None:
        self.all.append(name)
        if name.key is None:
            self._erased.add(name.id)
        else:
            self._of(name.kind)[name.key] = name.id

    @property
    def count(self) -> int:
        return len(self.all)

    def names(self) -> list[Name]:
        return self.all

    def count_at(self, position: int) -> int:
        return bisect_right(self.all, position, key=lambda name: name.batch)

    def exactly(self, kind: str, key: str) -> int | None:
        known = self._ids.get(kind)
        return None if known is None else known.get(key)

    def keys(self, numbers: Sequence[int]) -> list[str]:
        keys = [self.all[number - 1].key for number in numbers]
        return [ERASED.format(at) if key is None else key for at, key in zip(numbers, keys, strict=True)]

    def hold(self, numbers: NDArray[Any]) -> None:
        return  # all of them are in memory

    def commitments(self, numbers: Sequence[int]) -> list[str]:
        return [self.all[number - 1].digest for number in numbers]

    @property
    def erased(self) -> set[int]:
        return self._erased

    @property
    def relabelled(self) -> int:
        return len(self._erased)

    @property
    def bound(self) -> bool:
        return bool(self._ids.get("key"))

    def name(self, number: int) -> Name:
        return self.all[number - 1]

    def expect(self, kind: str, keys: Iterable[str]) -> set[str]:
        return set(keys) - self._of(kind).keys()

    def getter(self, kind: str) -> Callable[[str], int]:
        return self._of(kind).__getitem__

    def since(self, count: int) -> list[Name]:
        return self.all[count:]

    def forget(self, count: int) -> None:
        for name in self.all[count:]:
            if name.key is not None:
                dict.pop(self._of(name.kind), name.key)
            self._erased.discard(name.id)
        del self.all[count:]

    def erase(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            name = self.all[number - 1]
            if name.key is not None:
                dict.pop(self._of(name.kind), name.key)
            self.all[number - 1] = name._replace(key=None, salt=None)
            self._erased.add(number)
