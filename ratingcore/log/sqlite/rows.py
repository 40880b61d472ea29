"""The rows of a log in a SQLite file: as columns, and single fields of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ratingcore.events import canonical
from ratingcore.events.recorded_games import GameColumns
from ratingcore.log.sqlite.connection import explained
from ratingcore.log.sqlite.threads import ThreadConnections
from ratingcore.log.stored_rows import StoredRows

_GAME = np.dtype([("position", "<i8"), ("played", "<i8"), ("order", "<i4"), ("pair", "<i8"), ("score", "<f8")])


class SqliteRows(StoredRows):
    """The part of a log in a SQLite file that reads; each thread does with a connection of its own."""

    _connections: ThreadConnections
    _place: Path

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._connections.all(sql, values)

    def games(self, pool: int, after: int, to: int) -> GameColumns:
        # both players in one number: a column less for Python to touch is an eighth of the time
        sql = """SELECT position, played, "order", a << 32 | b, score FROM event
            WHERE position > ? AND position <= ? AND kind = 'game' AND pool = ? ORDER BY position"""
        with explained(self._place), self._connections.using() as db:
            table = np.fromiter(db.execute(sql, (after, to, pool)), dtype=_GAME)
        a, b = (table["pair"] >> 32).astype(np.int32), table["pair"].astype(np.int32)
        position, played, order, score = (
            np.ascontiguousarray(table[name]) for name in ("position", "played", "order", "score")
        )
        return GameColumns(position, played, order, a, b, score)

    def fields(self, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]:
        sql = """SELECT position, json_extract(data, ?3) AS value FROM event
            WHERE position > ?1 AND position <= ?2 AND kind IN ('game', 'session') AND pool = ?4
            AND value IS NOT NULL ORDER BY position LIMIT ?5"""
        if canonical(field) == f'"{field}"':
            return self._pages(sql, (f'$."{field}"', pool), after, to)
        # no JSON path of SQLite can spell this name
        rows = self.rows(after, to, ("game", "session"), pool)
        return ((row.position, row.facts[field]) for row in rows if field in row.facts)
