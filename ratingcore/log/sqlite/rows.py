"""The rows of a log in a file, read page by page."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ratingcore.errors import UnknownUid
from ratingcore.events import Row, canonical
from ratingcore.events.recorded_games import GameColumns
from ratingcore.log.facts import Batch
from ratingcore.log.sqlite.connection import explained
from ratingcore.log.sqlite.threads import ThreadConnections

_GAME = np.dtype([("position", "<i8"), ("played", "<i8"), ("order", "<i4"), ("pair", "<i8"), ("score", "<f8")])
_COLUMNS = 'position, uid, kind, pool, played, "order", a, b, score, ref, data'
_MANY = 500
"""Values in one IN list: below the limit of every SQLite."""
_FIRST, _PAGE = 16, 16_384
"""Rows of the first page of many, and of a later one: whoever wants one row does not wait for thousands."""


class StoredRows:
    """The part of a log in a file that reads rows and batches.

    What is read comes in pages, each a statement of its own: rows never change, and positions are committed in order,
    so that pages fit together.
    """

    _connections: ThreadConnections
    _place: Path

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._connections.all(sql, values)

    def _one(self, sql: str, values: Sequence[Any] = ()) -> Any:
        return next(iter(self._all(sql, values)), None)

    def _pages(self, sql: str, values: Sequence[Any], after: int, to: int | None) -> Iterator[Any]:
        """Rows of a statement for a stretch of positions, in order, page by page; the position comes first in a row.

        The statement takes two positions, the values and a limit.
        """
        rows = self._all(sql, (after, 2**62 if to is None else to, *values, _FIRST))
        yield from rows
        if len(rows) < _FIRST:
            return
        after, page, stretch = rows[-1][0], _FIRST, _PAGE
        if to is None:
            to = int(self._one("SELECT max(position) FROM event")[0])
        while after < to:
            end, page = min(after + stretch, to), min(8 * page, _PAGE)
            rows = self._all(sql, (after, end, *values, page))
            yield from rows
            # rows of few kinds are sorted by position, so each page looks at no longer a stretch than it has to
            full = len(rows) == page
            after, stretch = rows[-1][0] if full else end, _PAGE if full else 8 * stretch

    def find(self, uids: Sequence[str]) -> dict[str, Row]:
        by_uid: dict[str, Row] = {}
        for start in range(0, len(uids), _MANY):
            some = uids[start : start + _MANY]
            marks = ",".join("?" * len(some))
            rows = map(Row._make, self._all(f"SELECT {_COLUMNS} FROM event WHERE uid IN ({marks})", some))
            by_uid |= {row.uid: row for row in rows}
        return by_uid

    def batches(self, after: int = 0) -> Iterator[Batch]:
        sql = "SELECT first, last, recorded, source, digest FROM batch WHERE last > ? ORDER BY last LIMIT ?"
        page = _FIRST
        while rows := self._all(sql, (after, page)):
            yield from map(Batch._make, rows)
            if len(rows) < page:
                return
            after, page = rows[-1][1], min(8 * page, _PAGE)

    def rows(
        self, after: int = 0, to: int | None = None, kinds: Sequence[str] = (), pool: int | None = None
    ) -> Iterator[Row]:
        tests: list[str] = ["position > ? AND position <= ?"]
        values: list[int] = []
        if kinds:
            tests.append(f"kind IN ({','.join(map(repr, kinds))})")
            if "game" not in kinds:
                tests.append("kind <> 'game'")  # lets the partial index serve
        if pool is not None:
            tests.append("pool = ?")
            values.append(pool)
        sql = f"SELECT {_COLUMNS} FROM event WHERE {' AND '.join(tests)} ORDER BY position LIMIT ?"
        return map(Row._make, self._pages(sql, values, after, to))

    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]:
        wanted = sorted({int(position) for position in positions})
        for start in range(0, len(wanted), _MANY):
            some = wanted[start : start + _MANY]
            marks = ",".join("?" * len(some))
            sql = f"SELECT {_COLUMNS} FROM event WHERE position IN ({marks}) ORDER BY position"
            yield from map(Row._make, self._all(sql, some))

    def row_of(self, uid: str) -> Row:
        row = self._one(f"SELECT {_COLUMNS} FROM event WHERE uid = ?", (uid,))
        if row is None:
            raise UnknownUid(uid)
        return Row._make(row)

    def rows_between(self, first: str, last: str) -> Iterator[Row]:
        sql = f"SELECT {_COLUMNS} FROM event WHERE uid >= ? AND uid < ? ORDER BY uid"
        return map(Row._make, self._all(sql, (first, last)))

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

    def uid(self, position: int) -> str:
        return str(self._one("SELECT uid FROM event WHERE position = ?", (position,))[0])

    def uids(self, positions: Sequence[int]) -> list[str]:
        wanted = sorted(set(positions))
        if wanted and wanted[-1] - wanted[0] < 4 * len(wanted):  # dense: a range scan is faster than look-ups
            sql = "SELECT position, uid FROM event WHERE position BETWEEN ? AND ?"
            uids = dict(self._all(sql, (wanted[0], wanted[-1])))
            return [uids[position] for position in positions]
        uids = {}
        for start in range(0, len(wanted), _MANY):
            some = wanted[start : start + _MANY]
            sql = f"SELECT position, uid FROM event WHERE position IN ({','.join('?' * len(some))})"
            uids.update(self._all(sql, some))
        return [uids[position] for position in positions]
