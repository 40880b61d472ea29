"""Names upon a book: those of a log up to a point, and new ones that nobody else sees."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, cast
from weakref import ref

from numpy.typing import NDArray

from ratingcore.events.values import ERASED
from ratingcore.log.facts import Name
from ratingcore.log.names import Book, Ids, NewNames


def _ask(book: "ref[NamesUpon]", kind: str, key: str) -> int:
    """Asks a book for an id; it is referred to weakly, else every batch of an import would stay until it ends."""
    names = book()
    assert names is not None, "a book of names is asked after it is gone"
    return names.ask(kind, key)


class NamesUpon(NewNames):
    """The first names of another book, and new ones that stay here: those of a transaction, or of a what-if.

    Parameters
    ----------
    under : Book
        Nothing is added to it; its ids beyond the count do not exist here.
    count : int
        How many of its names count.
    salt : callable
        Returns the salt of a new name.
    """

    def __init__(self, under: Book, count: int, salt: Callable[[], str]) -> None:
        super().__init__(salt)
        self.under = under
        self.below = count
        """Number of names that are those of the book below."""
        self.fresh: list[Name] = []
        """Names that only this book has."""
        self.gone: set[int] = set()
        """Ids of the book below that were erased here."""
        self._ids: dict[str, dict[str, int]] = {}
        """By kind, the ids of the new names."""
        self._absent: dict[str, set[str]] = {}
        """By kind, keys that the book below does not have: what others add to it later does not count here."""
        self._met: dict[str, Ids] = {}
        """By kind, the ids that were asked for."""

    def _own(self, number: int) -> Name:
        return self.fresh[number - self.below - 1]

    def _keep(self, name: Name) -> None:
        self.fresh.append(name)
        if name.key is not None:
            self._ids.setdefault(name.kind, {})[name.key] = name.id

    def _below(self, kind: str, key: str) -> int | None:
        if key in self._absent.get(kind, ()):
            return None
        number = self.under.exactly(kind, key)
        return number if number is not None and number <= self.below and number not in self.gone else None

    @property
    def count(self) -> int:
        return self.below + len(self.fresh)

    def names(self) -> list[Name]:
        names = self.under.names()[: self.below]
        for number in self.gone:
            names[number - 1] = names[number - 1]._replace(key=None, salt=None)
        return names + self.fresh

    def count_at(self, position: int) -> int:
        return min(self.under.count_at(position), self.below) + sum(name.batch <= position for name in self.fresh)

    def exactly(self, kind: str, key: str) -> int | None:
        return self._ids.get(kind, {}).get(key) or self._below(kind, key)

    def keys(self, numbers: Sequence[int]) -> list[str]:
        old = [number for number in numbers if number <= self.below]
        if len(old) == len(numbers) and not self.gone:
            return self.under.keys(numbers)
        keys = dict(zip(old, self.under.keys(old), strict=True)) | {at: ERASED.format(at) for at in self.gone}
        return [keys[at] if at <= self.below else self._own(at).key or ERASED.format(at) for at in numbers]

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
    def relabelled(self) -> int:
        return self.under.relabelled + len(self.gone) + len(self.fresh)

    @property
    def bound(self) -> bool:
        return self.under.bound or "key" in self._ids

    def name(self, number: int) -> Name:
        if number > self.below:
            return self._own(number)
        name = self.under.name(number)
        return name._replace(key=None, salt=None) if number in self.gone else name

    def expect(self, kind: str, keys: Iterable[str]) -> set[str]:
        own, lacking = self._ids.get(kind, {}), self._absent.setdefault(kind, set())
        wanted = dict.fromkeys(keys if not own else (key for key in keys if key not in own))
        known = self.under.known(kind, wanted if not lacking else [key for key in wanted if key not in lacking])
        absent = wanted.keys() - known.keys()
        lacking.update(absent)
        if self.gone or max(known.values(), default=0) > self.below:
            known = {key: number for key, number in known.items() if number <= self.below and number not in self.gone}
        self._asked(kind).update(known)
        return absent

    def known(self, kind: str, keys: Iterable[str]) -> dict[str, int]:
        keys = list(keys)
        self.expect(kind, keys)
        own, met = self._ids.get(kind, {}), self._asked(kind)
        return {key: number for key in keys if (number := own.get(key) or met.get(key)) is not None}

    def getter(self, kind: str) -> Callable[[str], int]:
        return self._asked(kind).__getitem__

    def numbers(self, kind: str, keys: Sequence[str]) -> list[int]:
        # imports come by here with every player of every row: nearly all are known, so those cost one look each
        known = self.under.at_hand(kind, keys)
        numbers = [number for number in known if number is not None] if None in known else cast("list[int]", known)
        if self.gone or max(numbers, default=0) > self.below:
            return super().numbers(kind, keys)
        if numbers is known:
            return numbers
        self.expect(kind, (key for key, number in zip(keys, known, strict=True) if number is None))
        met = self._asked(kind)
        return [met[key] if number is None else number for key, number in zip(keys, known, strict=True)]

    def _asked(self, kind: str) -> Ids:
        if kind not in self._met:
            self._met[kind] = Ids(partial(_ask, ref(self), kind))
        return self._met[kind]

    def ask(self, kind: str, key: str) -> int:
        """The id of a key; a new one if there is none."""
        number = self.exactly(kind, key) or self.add(kind, key).id
        self._met[kind][key] = number
        return number

    def since(self, count: int) -> list[Name]:
        return self.fresh[max(count - self.below, 0) :]

    def let_go(self) -> None:
        """Keeps none of the new names, which the store has written: for whoever knows the ids that they still need.

        Names upon a draft stay, for that has to take them over.
        """
        if not isinstance(self.under, NamesUpon):
            self.below = self.count
            self.fresh = []
            for kept in (self._ids, self._absent, self._met):
                kept.clear()

    def forget(self, count: int) -> None:
        for name in self.since(count):
            if name.key is not None:
                self._ids[name.kind].pop(name.key)
        del self.fresh[max(count - self.below, 0) :]
        for met in self._met.values():
            met.clear()

    def erase(self, numbers: Iterable[int]) -> None:
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
