"""Names of the players of a list by id: keys that are kept without the log, and visible names."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from ratingcore.columns.games import Ints
from ratingcore.columns.log_history import NameBook
from ratingcore.columns.view import View


@frozen
class CopiedNames:
    """Names of some players, kept without their log for a pickled list.

    Parameters
    ----------
    texts, committed : mapping of int to str
        Key and commitment of each player, by id.
    gone : frozenset of int
        Ids of players whose name was erased.
    """

    texts: Mapping[int, str]
    committed: Mapping[int, str]
    gone: frozenset[int]

    @property
    def erased(self) -> set[int]:
        """Ids whose name was erased."""
        return set(self.gone)

    def find(self, kind: str, key: str) -> int | None:
        """Returns the id of a name; None if it is not among these names."""
        return next((number for number, text in self.texts.items() if text == key), None)

    def key(self, number: int) -> str:
        """Returns the key of an id."""
        return self.texts[number]

    def keys(self, numbers: Sequence[int]) -> list[str]:
        """Returns the keys of many ids."""
        return [self.texts[number] for number in numbers]

    def commitments(self, numbers: Sequence[int]) -> list[str]:
        """Returns the commitments of many ids."""
        return [self.committed[number] for number in numbers]

    def places(self, numbers: Ints) -> None:
        """Returns None, since there is no sorted index: names are compared instead."""

    def hold(self, numbers: Ints) -> None:
        """Does nothing, since the names are in memory already."""


def copied_names(book: NameBook, ids: Ints) -> CopiedNames:
    """Copies the names of these players, so that they can be used without the log."""
    numbers = ids.tolist()
    known = dict(zip(numbers, book.keys(numbers), strict=True))
    committed = dict(zip(numbers, book.commitments(numbers), strict=True))
    return CopiedNames(known, committed, frozenset(book.erased & set(numbers)))


def called_of(view: View, ids: Ints) -> tuple[str | None, ...]:
    """Returns the visible names of players, None if unknown or erased; empty if nobody has one."""
    called = view.called
    if not called:
        return ()
    texts = _texts(view.book, {player: called[player] for player in ids.tolist() if player in called})
    return tuple(map(texts.get, ids.tolist())) if texts else ()


def called_by_key(view: View) -> dict[str, str]:
    """Returns the visible names, by key, of the players of a view who have one."""
    texts = _texts(view.book, view.called)
    return dict(zip(view.book.keys(list(texts)), texts.values(), strict=True))


def _texts(book: NameBook, called: Mapping[int, int]) -> dict[int, str]:
    erased = book.erased if called else set[int]()
    known = {player: number for player, number in called.items() if number not in erased}
    return dict(zip(known, book.keys(list(known.values())), strict=True))
