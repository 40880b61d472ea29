"""The book of names: maps readable keys of players, pools, sources and notes to ids and back."""

from collections.abc import Callable, Iterable

from ratingcore.errors import BadValue
from ratingcore.events import bounds, values
from ratingcore.events.values import ERASED
from ratingcore.log.chain import commitment
from ratingcore.log.facts import NAMED, Name


class _Ids(dict[str, int]):
    """Ids by key of one kind of name; looking up a missing key adds it under the next id."""

    def __init__(self, kind: str, book: "Names") -> None:
        super().__init__()
        self._kind = kind
        self._book = book

    def __missing__(self, key: str) -> int:
        return self._book.add(self._kind, key).id


class Names:
    """The names of a log, and the new ones of a batch that is being written."""

    def __init__(self, names: Iterable[Name], salt: Callable[[], str]) -> None:
        self._salt = salt
        self._ids = {kind: _Ids(kind, self) for kind in NAMED}
        self.all: list[Name] = []
        self.erased: set[int] = set()
        """Ids of the names that were erased."""
        self._batch = 0
        for name in names:
            self._keep(name)

    def _keep(self, name: Name) -> None:
        if name.key is not None:
            self._ids.setdefault(name.kind, _Ids(name.kind, self))[name.key] = name.id
        else:
            self.erased.add(name.id)
        self.all.append(name)

    @property
    def bound(self) -> bool:
        """Whether the key of the log is among the names, so that digests cover it."""
        return bool(self._ids["key"])

    def begin(self, batch: int) -> None:
        """Sets the batch, by its first position, that new names belong to."""
        self._batch = batch

    def add(self, kind: str, key: str) -> Name:
        """Adds a name under the next id; `BadValue` if it is one that no log takes."""
        bounds.see_player(kind, key) if kind == "player" else bounds.see_name(kind, key)
        salt = self._salt()
        name = Name(len(self.all) + 1, kind, key, salt, commitment(kind, key, salt), self._batch)
        self._keep(name)
        return name

    def restore(self, names: Iterable[Name]) -> None:
        """Adds names as another log wrote them; refuses one that is there already."""
        for name in names:
            if name.key is not None and name.key in self._ids.get(name.kind, ()):
                raise ValueError(name.key)
            self._keep(name)

    def since(self, count: int) -> list[Name]:
        """The names added after the first `count`."""
        return self.all[count:]

    def forget(self, count: int) -> None:
        """Keeps only the first `count` names, to take back what a failed batch added."""
        for name in self.all[count:]:
            if name.key is not None:
                dict.pop(self._ids[name.kind], name.key)
            self.erased.discard(name.id)
        del self.all[count:]

    def erase(self, numbers: Iterable[int]) -> None:
        """Deletes the keys and salts of ids; their digests stay."""
        for number in numbers:
            name = self.all[number - 1]
            if name.key is not None:
                dict.pop(self._ids[name.kind], name.key)
            self.all[number - 1] = name._replace(key=None, salt=None)
            self.erased.add(number)

    def find(self, kind: str, key: str) -> int | None:
        """Id of a name, which may have any Unicode form, or of the erased one of a label.

        None if there is none; nothing is added.
        """
        if not isinstance(key, str):
            raise BadValue(kind, key, "is no name")
        return self._ids[kind].get(key) or self._ids[kind].get(values.name(key)) or self.labelled(kind, key)

    def labelled(self, kind: str, label: str) -> int | None:
        """Id of the erased name that is shown as this label; None if there is none."""
        number = values.erased_number(label)
        return number if number in self.erased and self.all[number - 1].kind == kind else None

    def getter(self, kind: str) -> Callable[[str], int]:
        """Returns a function from key to id that adds missing names."""
        return self._ids[kind].__getitem__

    def key(self, number: int) -> str:
        """Readable key of an id, or a label if it was erased."""
        key = self.all[number - 1].key
        return ERASED.format(number) if key is None else key
