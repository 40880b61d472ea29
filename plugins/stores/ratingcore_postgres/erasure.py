"""Erases names from a log in PostgreSQL and from the files of its tables; lists the copies that it cannot reach."""

import time
from collections.abc import Callable, Sequence

from ratingcore.plugin.stores import ErasureUnfinished, Instant, LogUnavailable, iso
from ratingcore_postgres.batches import Appending
from ratingcore_postgres.connection import Connection, reading_cursor
from ratingcore_postgres.database import Database
from ratingcore_postgres.schema import SEGMENT_TABLES, TABLES

BEYOND = (
    "the write-ahead log, replicas, base backups and dumps of the server still contain the name until the operator "
    "deletes them",
)
"""Copies that an erasure cannot reach."""

_OLD = """SELECT count(*) FROM (
        SELECT backend_xmin AS oldest FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND (datname = current_database() OR datname IS NULL)
        UNION ALL SELECT xmin FROM pg_replication_slots
        UNION ALL SELECT transaction FROM pg_prepared_xacts WHERE database = current_database()
    ) AS held WHERE oldest IS NOT NULL AND age(oldest) >= age(%s::xid)"""
"""Number of transactions that may still see the state before a given transaction."""

_FILE = """SELECT relfilenode FROM pg_class WHERE relname = %s
    AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s)"""


def rewrite(database: Database, db: Connection, table: str) -> None:
    """Rewrites a table, so that its file holds no deleted values.

    Raises
    ------
    LogUnavailable
        If the role does not own the table: the server then gives a warning and rewrites nothing.
    """
    with reading_cursor(db) as cursor:
        before = cursor.execute(_FILE, (table, database.log)).fetchone()
        db.execute(database.text(f"VACUUM (FULL) {{s}}.{table}", bare=True))
        after = cursor.execute(_FILE, (table, database.log)).fetchone()
    if before == after:
        why = f"only the owner of the table {table} may rewrite it"
        raise LogUnavailable(database.address, why, "erase again as the role that owns the tables of the log")


def tables_of_others(database: Database) -> list[str]:
    """Returns the tables of plugins in the schema of a log, which may hold names."""
    text = "SELECT tablename::text FROM pg_tables WHERE schemaname = %s AND NOT tablename = ANY(%s) ORDER BY 1"
    return [table for (table,) in database.rows(text, (database.log, [*TABLES, *SEGMENT_TABLES]))]


class Erasing(Appending):
    """Mixin of `PostgresLog` that erases names."""

    now: Callable[[], Instant]

    def erase(self, numbers: Sequence[int], by: str = "") -> None:
        """Deletes the keys and salts of names by id, inside `writing`; every digest stays valid.

        Raises
        ------
        LogUnavailable
            In the transaction of a host, since tables cannot be rewritten in one.
        """
        self._check_own()
        self._drop(numbers, by)

    def _check_own(self) -> None:
        if not self._database.own:
            why = "an erasure rewrites tables, which is not possible in a transaction of the host"
            raise LogUnavailable(self._database.address, why, "commit first, then erase in a log opened by its address")

    def _drop(self, numbers: Sequence[int], by: str = "") -> None:
        gone, at = list(numbers), iso(self.now())
        self._database.run(
            "UPDATE {s}.name SET key = NULL, salt = NULL WHERE id = ANY(%s) AND key IS NOT NULL", (gone,)
        )
        text = """INSERT INTO {s}.erasure SELECT id, %s, %s, NULL FROM {s}.name WHERE id = ANY(%s)
            ON CONFLICT DO NOTHING"""
        count = self._database.run(text, (at, by, gone))
        if count:
            self._database.run("UPDATE {s}.log SET erasures = erasures + %s", (count,))
        self._appending.erased(gone, count)

    def arrived(self, numbers: Sequence[int]) -> None:
        """Records names that were already erased in the log whose export is being loaded."""
        self._drop(numbers)
        self._database.run("UPDATE {s}.erasure SET cleared = erased WHERE name = ANY(%s)", (list(numbers),))

    def uncleared(self) -> tuple[int, ...]:
        """Returns the ids of erased names whose bytes may still be in the files of the tables."""
        rows = self._database.rows("SELECT name FROM {s}.erasure WHERE cleared IS NULL ORDER BY name")
        return tuple(number for (number,) in rows)

    @property
    def beyond(self) -> tuple[str, ...]:
        """Returns sentences about copies of erased names that an erasure cannot reach."""
        return BEYOND

    def clear(self) -> None:
        """Rewrites the tables that held the names, once no transaction can see their old content.

        Raises
        ------
        ErasureUnfinished
            If a transaction, perhaps of this thread, still reads the state before the erasure, or uses the tables.
        LogUnavailable
            In the transaction of a host.
        """
        self._check_own()
        names = self.uncleared()
        if self._database.held:
            raise self._unfinished(names, "a transaction of this thread is open")
        try:
            self._wait(names)
            self._vacuum()
        except LogUnavailable as error:
            raise self._unfinished(names, error.why) from error
        self._database.run(
            "UPDATE {s}.erasure SET cleared = %s WHERE cleared IS NULL AND name = ANY(%s)",
            (iso(self.now()), list(names)),
        )

    def _wait(self, names: Sequence[int]) -> None:
        """Waits until all current snapshots have ended, since VACUUM would keep erased names for them."""
        (now,) = self._database.one("SELECT pg_current_xact_id()::xid::text")
        until = time.monotonic() + self._database.seconds
        while self._database.one(_OLD, (now,))[0]:
            if time.monotonic() > until:
                raise self._unfinished(names, "another transaction still reads the state before the erasure")
            time.sleep(0.02)

    def _vacuum(self) -> None:
        tables = ["name", *tables_of_others(self._database)]
        with self._database.connection() as db:
            for table in tables:
                rewrite(self._database, db, table)

    def _unfinished(self, names: Sequence[int], why: str) -> ErasureUnfinished:
        return ErasureUnfinished(self._database.address, tuple(names), why)
