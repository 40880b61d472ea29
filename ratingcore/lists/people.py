"""Names of the players of a list by id, and the commitments that outlive erased names."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from ratingcore.columns.games import Ints
from ratingcore.columns.history import NameBook


@frozen
class HeldNames:
    """The names of some players apart from their log: what a list that is pickled takes along.

    Parameters
    ----------
    texts, committed : mapping of int to str
        Key and commitment of each, by id.
    gone : frozenset of int
        Ids whose name was erased.
    """

    texts: Mapping[int, str]
    committed: Mapping[int, str]
    gone: frozenset[int]

    @property
    def erased(self) -> set[int]:
        """Ids whose name was erased."""
        return set(self.gone)

    def find(self, kind: str, key: str) -> int | None:
        """The id of a name that is held."""
        return next((number for number, text in self.texts.items() if text == key), None)

    def key(self, number: int) -> str:
        """The key of an id."""
        return self.texts[number]

    def keys(self, numbers: Sequence[int]) -> list[str]:
        """The keys of many ids."""
        return [self.texts[number] for number in numbers]

    def commitments(self, numbers: Sequence[int]) -> list[str]:
        """Commitments of many ids."""
        return [self.committed[number] for number in numbers]

    def places(self, numbers: Ints) -> None:
        """None: names are compared."""

    def hold(self, numbers: Ints) -> None:
        """Nothing: they are held."""


class People:
    """Looks up the names of many players of a log at once.

    Parameters
    ----------
    names : NameBook
        As the log's book has them; those added or erased later are seen.
    """

    def __init__(self, names: NameBook) -> None:
        self._book = names

    def keys(self, ids: Ints) -> list[str]:
        """Readable names, `(erased N)` where they are gone."""
        return self._book.keys(ids.tolist())

    def places(self, ids: Ints) -> Ints | None:
        """Numbers that sort many players as their names do; None where comparing the names is as quick."""
        return self._book.places(ids)

    def hold(self, ids: Ints) -> None:
        """Sees to it that the names can be looked up when the log is closed."""
        self._book.hold(ids)

    def called(self, ids: Ints, called: Mapping[int, int]) -> tuple[str | None, ...]:
        """What players are called, None where nothing is known or it was erased; empty if that is everybody.

        Parameters
        ----------
        called : mapping of int to int
            Id of the name by id of the player, as `View.called` gives it.
        """
        if not called:
            return ()
        texts = self._texts({player: called[player] for player in ids.tolist() if player in called})
        return tuple(map(texts.get, ids.tolist())) if texts else ()

    def called_by_key(self, called: Mapping[int, int]) -> dict[str, str]:
        """What players are called, by their keys, of those who are."""
        texts = self._texts(called)
        return dict(zip(self._book.keys(list(texts)), texts.values(), strict=True))

    def _texts(self, called: Mapping[int, int]) -> dict[int, str]:
        erased = self._book.erased if called else set[int]()
        known = {player: number for player, number in called.items() if number not in erased}
        return dict(zip(known, self._book.keys(list(known.values())), strict=True))

    def held(self, ids: Ints) -> "People":
        """The same for these players alone, apart from the log."""
        numbers = ids.tolist()
        known = dict(zip(numbers, self._book.keys(numbers), strict=True))
        committed = dict(zip(numbers, self._book.commitments(numbers), strict=True))
        return People(HeldNames(known, committed, frozenset(self._book.erased & set(numbers))))

    def commitments(self, ids: Ints) -> list[str]:
        """Salted digests of the names: they stay when a name is erased, and do not reveal it."""
        return self._book.commitments(ids.tolist())

    def gone(self, ids: Ints) -> list[int]:
        """The ids whose name was erased, in order."""
        return sorted(self._book.erased.intersection(ids.tolist())) if self._book.erased else []

    def erased(self, ids: Ints) -> list[bool]:
        """Whether each name was erased."""
        return [number in self._book.erased for number in ids.tolist()]
