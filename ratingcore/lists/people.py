"""Names of the players of a list by id, and the commitments that outlive erased names."""

from operator import itemgetter

from ratingcore.log import ERASED, Name
from ratingcore.log.names import Names
from ratingcore.tables.arrays import Ints

_KEY, _DIGEST = (itemgetter(Name._fields.index(field)) for field in ("key", "digest"))


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
        keys = list(map(_KEY, map(self._book.all.__getitem__, (ids - 1).tolist())))
        if None in keys:
            return [ERASED.format(number) if key is None else key for key, number in zip(keys, ids, strict=True)]
        return keys

    def commitments(self, ids: Ints) -> list[str]:
        """Salted digests of the names: they stay when a name is erased, and do not reveal it."""
        return list(map(_DIGEST, map(self._book.all.__getitem__, (ids - 1).tolist())))

    def erased(self, ids: Ints) -> list[bool]:
        """Whether each name was erased."""
        return [self._book.all[number - 1].key is None for number in ids.tolist()]
