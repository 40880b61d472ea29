"""Names of the players of a list by id, and the commitments that outlive erased names."""

from collections.abc import Mapping

from ratingcore.columns.arrays import Ints
from ratingcore.columns.history import NameBook


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

    def commitments(self, ids: Ints) -> list[str]:
        """Salted digests of the names: they stay when a name is erased, and do not reveal it."""
        return self._book.commitments(ids.tolist())

    def erased(self, ids: Ints) -> list[bool]:
        """Whether each name was erased."""
        return [number in self._book.erased for number in ids.tolist()]
