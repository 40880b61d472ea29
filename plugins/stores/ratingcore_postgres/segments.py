"""Sealed segments of a log in PostgreSQL: tables beside the rows, whose bytes the server does not compress again."""

from collections.abc import Iterable, Sequence

from ratingcore.plugin.stores import Batch, Name, Place
from ratingcore_postgres.batches import Appending, copied
from ratingcore_postgres.database import in_schema
from ratingcore_postgres.schema import MAKE_SEGMENTS, SCHEMA

_OWNED = "SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = %s"
"""Query whether the role owns the schema, as whoever makes the tables of segments must."""
_RIGHTS = """SELECT CASE privilege_type WHEN 'INSERT' THEN 'INSERT, DELETE' ELSE privilege_type END,
        CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END
    FROM pg_class, aclexplode(relacl)
    WHERE relname = 'event' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s)"""
"""Query for the rights of roles to rows; whoever appends also deletes, since runs of ids are merged."""


class SegmentTables(Appending):
    """Mixin of `PostgresLog` that makes the tables of segments and writes to them."""

    @property
    def _may_be_undone(self) -> bool:
        return self._database.held or not self._database.own

    def _has_segments(self) -> bool:
        return bool(self._database.one("SELECT schema FROM {s}.log")[0] >= SCHEMA)

    def _places(self, after: int, to: int) -> list[Place]:
        return [] if to <= self._rows_to else super()._places(after, to)

    def may_seal(self) -> bool:
        return self._sealed() or bool(self._database.one(_OWNED, (self._database.log,))[0])

    def _make_segments(self) -> None:
        """Makes the tables of segments; who may read or append rows may do the same with segments."""
        rights = self._database.rows(_RIGHTS, (self._database.log,))
        with self._database.connection() as db:
            db.execute(self._database.text(MAKE_SEGMENTS, bare=True))
            for right, role in rights:
                grant = f"GRANT {right} ON {{s}}.segment, {{s}}.uid_run TO {role}"
                db.execute(self._database.text(grant, bare=True))

    def _write_sealed(self, batch: Batch, names: Sequence[Name], cells: Sequence[object]) -> None:
        self._put(batch, names, (), cells)

    def _run(self, sql: str, values: Sequence[object] = ()) -> object:
        return self._database.run(in_schema(sql), values)

    def _insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        with self._database.connection() as db:
            copied(db, self._database, table, rows)
