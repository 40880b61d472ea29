"""Sealed segments of a log in PostgreSQL: tables beside the rows, whose bytes the server does not compress again."""

from collections.abc import Iterable, Sequence

import psycopg

from ratingcore.plugin.stores import Batch, LogUnavailable, Name, Place
from ratingcore_postgres.batches import Appending, copied
from ratingcore_postgres.database import in_schema
from ratingcore_postgres.schema import MAKE_SEGMENTS, SCHEMA


class SegmentTables(Appending):
    """Mixin of `PostgresLog` that makes the tables of segments and writes to them."""

    @property
    def _may_be_undone(self) -> bool:
        return self._database.held or not self._database.own

    def _has_segments(self) -> bool:
        return bool(self._database.one("SELECT schema FROM {s}.log")[0] >= SCHEMA)

    def _places(self, after: int, to: int) -> list[Place]:
        return [] if to <= self._rows_to else super()._places(after, to)

    def _make_segments(self) -> None:
        with self._database.connection() as db:
            try:
                db.execute(self._database.text(MAKE_SEGMENTS, bare=True))
            except psycopg.errors.InsufficientPrivilege as error:
                why = "only the owner of its schema can make the tables of the first sealed segment"
                advice = "import a large table as the owner first, or keep its games as rows"
                raise LogUnavailable(self._database.address, why, advice) from error

    def _write_sealed(self, batch: Batch, names: Sequence[Name], cells: Sequence[object]) -> None:
        self._put(batch, names, (), cells)

    def _run(self, sql: str, values: Sequence[object] = ()) -> object:
        return self._database.run(in_schema(sql), values)

    def _insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        with self._database.connection() as db:
            copied(db, self._database, table, rows)
