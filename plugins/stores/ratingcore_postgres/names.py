"""The names of a log in PostgreSQL, which are looked up on demand and cached."""

from collections.abc import MutableMapping, Sequence
from hashlib import md5
from typing import Any

from ratingcore.plugin.stores import StoredNames
from ratingcore_postgres.database import Database

_AHEAD = 100
"""Number of names read at once, since a reader of events soon needs the next names too."""


class PostgresNames(StoredNames):
    """Cache of the names of a log in PostgreSQL, shared by all threads or used in one transaction of a host."""

    def __init__(self, database: Database, below: StoredNames | None = None) -> None:
        super().__init__(database.spelt, below)
        self._database = database

    def _of_keys(self, kind: str, keys: Sequence[str]) -> list[Any]:
        # by the index of digests, since a key may be too long for an index of PostgreSQL
        sql = """SELECT id, kind, key, digest FROM {s}.name
            WHERE kind = %s AND md5(key) = ANY(%s) AND key = ANY(%s) AND key IS NOT NULL"""
        digests = [md5(key.encode(), usedforsecurity=False).hexdigest() for key in keys]
        return self._database.rows(sql, (kind, digests, list(keys)))

    def count_at(self, position: int) -> int:
        # by the index of batches, since a query for each step of a search takes longer
        sql = "SELECT id FROM {s}.name WHERE batch <= %s ORDER BY batch DESC, id DESC LIMIT 1"
        found = self._database.rows(sql, (position,))
        return int(found[0][0]) if found else 0

    def _alphabet(self, count: int) -> None:
        return None  # there is no index of keys, and the database sorts texts by its locale

    def _meet(self, column: MutableMapping[int, str], what: str, numbers: Sequence[int]) -> None:
        if len(numbers) == 1:  # only committed names: those of this transaction may be undone
            (first,) = numbers
            numbers = range(first, max(first, min(first + _AHEAD - 1, self.count)) + 1)
        super()._meet(column, what, numbers)
