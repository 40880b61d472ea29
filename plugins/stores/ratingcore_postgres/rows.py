"""Reads a log in PostgreSQL: rows by the page, without a long transaction, and games packed into binary columns."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ratingcore.plugin.stores import EVENT_COLUMNS, BrokenChain, GameColumns, NotALog, Row
from ratingcore_postgres.batches import Appending

BLOCK = 200_000
"""Number of positions whose games are packed into one value."""

_GAME = np.dtype(
    [("position", ">i8"), ("played", ">i8"), ("order", ">i4"), ("a", ">i4"), ("b", ">i4"), ("score", ">f8")]
)

_PACKED = """SELECT count(*), string_agg(int8send(position) || int8send(played) || int4send("order")
        || int4send(a) || int4send(b) || float8send(score), ''::bytea)
    FROM (SELECT position, played, "order", a, b, score FROM {s}.event
        WHERE kind = 'game' AND pool = %s AND position > %s AND position <= %s ORDER BY position) AS g"""


class RowReader(Appending):
    """Mixin of `PostgresLog` that reads rows, batches and games."""

    at_once = 20_000

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._database.spelt(sql, values)

    def _among(self, values: Sequence[Any]) -> tuple[str, Sequence[Any]]:
        return "= ANY(?)", (list(values),)

    @property
    def key(self) -> str:
        row = self._database.one("SELECT key FROM {s}.log")
        if row is None:
            raise NotALog(self._database.address, "a log without its key")
        return str(row[0])

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Runs a transaction that sees a constant log while others append."""
        if self._database.held:
            yield
            return
        with self._begun("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"):
            yield

    def _likely_rows(self, patterns: Sequence[str], after: int, to: int | None) -> Iterator[Row]:
        if not patterns:
            return iter(())
        sql = f"""SELECT {EVENT_COLUMNS} FROM event WHERE position > ? AND position <= ?
            AND (uid ILIKE ANY(?) OR data ILIKE ANY(?)) ORDER BY position LIMIT ?"""
        return map(Row._make, self._pages(sql, [list(patterns)] * 2, after, to))

    def _row_games(self, pool: int, after: int, to: int) -> GameColumns:
        if to - after > BLOCK:
            to = min(to, self._database.one("SELECT position FROM {s}.log")[0])
        parts = [self._packed(pool, at, min(at + BLOCK, to)) for at in range(after, to, BLOCK)]
        table = np.concatenate(parts) if parts else np.empty(0, _GAME)
        return GameColumns(
            table["position"].astype(np.int64), table["played"].astype(np.int64), table["order"].astype(np.int32),
            table["a"].astype(np.int32), table["b"].astype(np.int32), table["score"].astype(np.float64),
        )  # fmt: skip

    def _packed(self, pool: int, after: int, to: int) -> np.ndarray[tuple[int], np.dtype[np.void]]:
        count, packed = self._database.one(_PACKED, (pool, after, to))
        games = np.frombuffer(packed or b"", _GAME)
        if len(games) != count:  # a NULL in a game makes its packed row NULL, which string_agg leaves out
            raise BrokenChain(after + 1, "a game lacks a player, a score or a time")
        if np.any(games["position"][1:] < games["position"][:-1]):  # SQL guarantees no order within an aggregate
            games = games[np.argsort(games["position"])]
        return games

    def fields(self, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]:
        # as text, since jsonb does not preserve 1e300 and -0.0
        text = """SELECT position, (data::json -> %s)::text FROM {s}.event
            WHERE kind IN ('game', 'session') AND pool = %s AND position > %s AND position <= %s
            AND data IS NOT NULL AND data::json -> %s IS NOT NULL ORDER BY position"""
        end = min(to, self._database.one("SELECT position FROM {s}.log")[0])
        for start in range(after, end, BLOCK):
            for position, value in self._database.rows(text, (field, pool, start, min(start + BLOCK, end), field)):
                cell = json.loads(value)
                if cell is not None:
                    yield position, int(cell) if isinstance(cell, bool) else cell
