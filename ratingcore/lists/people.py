"""Names of the players of a list by id, and the commitments that outlive erased names."""

from ratingcore.tables.arrays import Ints
from ratingcore.tables.source import Names


class People:
    """Looks up the names of many players of a log at once.

    Parameters
    ----------
    names : Names
        As the log's book has them; those added or erased later are seen.
    """

    def __init__(self, names: Names) -> None:
        self._book = names

    def keys(self, ids: Ints) -> list[str]:
        """Readable names, `(erased N)` where they are gone."""
        return self._book.keys(ids.tolist())

    def commitments(self, ids: Ints) -> list[str]:
        """Salted digests of the names: they stay when a name is erased, and do not reveal it."""
        return self._book.commitments(ids.tolist())

    def erased(self, ids: Ints) -> list[bool]:
        """Whether each name was erased."""
        return [number in self._book.erased for number in ids.tolist()]
