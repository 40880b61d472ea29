"""Appends batches to a log in PostgreSQL, whose table `log` has a single row with the head."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

import psycopg

from ratingcore.plugin.stores import (
    Batch,
    BatchRefused,
    Head,
    Inside,
    LogUnavailable,
    Name,
    NotALog,
    SealedLog,
    Seen,
    StoredNames,
    Turns,
    UidTaken,
)
from ratingcore_postgres.connection import Connection, reading_cursor
from ratingcore_postgres.database import Database, Savepoints
from ratingcore_postgres.names import PostgresNames
from ratingcore_postgres.schema import LONGEST_UID, SCHEMA, channel, lock_key

BEGIN = """SET TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE;
    SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') IN
        ('off', 'local', 'remote_write')"""
"""Settings of an appending transaction: its COMMIT waits for the disk, whatever the session's settings."""

_THERE = "(SELECT digest FROM {{s}}.batch WHERE last = {at})"
"""Query for the digest of the batch that ends at a position, which shows whether a state is still part of the log."""

_SEEN = "SELECT position, digest, names, erasures, schema"
_LAST = "SELECT first, last, recorded, source, digest"
_NEWEST = "FROM {s}.batch ORDER BY last DESC LIMIT 1"


def _look(at: object) -> str:
    """Returns the statement that reads the row of the log, and the digest at a position."""
    return f"{_SEEN}, {_THERE.format(at=at)} FROM {{s}}.log"


def _lock(key: int, at: int) -> str:
    """Returns the statements that lock the log and read its row, the newest batch, and the digest at a position."""
    # The advisory lock comes first: a row lock requested in a savepoint would survive the savepoint's rollback, and
    # block the other transaction.
    # The newest batch is read by its own statement, to include batches committed while this transaction waited.
    return f"""SET LOCAL ratingcore.appending = 'on'; SELECT pg_advisory_xact_lock({key});
        {_SEEN} FROM {{s}}.log FOR UPDATE;
        {_LAST}, {_THERE.format(at=at)} {_NEWEST};
        {Savepoints.FIRST}"""


_ROW = ("int8", "text", "text", "int4", "int8", "int4", "int4", "int4", "float8", "int8", "text")
_TYPES = {
    "event": _ROW,
    "name": ("int4", "text", "text", "text", "text", "int8"),
    "segment": ("int4", "int8", "int8", "int4", "text", *["bytea"] * 5),
    "uid_run": ("int4", "int8", "bytea"),
}
"""Types of the columns of tables that are written by COPY."""
_ENDS = (
    "batch AS (INSERT INTO {s}.batch VALUES (%s, %s, %s, %s, %s))",
    "log AS (UPDATE {s}.log SET position = %s, digest = %s, recorded = %s, names = %s)",
)
"""Last parts of the statement that writes a batch."""
_BITS = {"int4": 31, "int8": 63}
_FEW = 8
"""Number of rows above which COPY is faster than INSERT."""


class Appending(SealedLog):
    """Mixin of `PostgresLog` that appends."""

    _database: Database
    _turns: Turns
    _below: StoredNames | None
    """Inside a host's transaction, the names already read by the open log."""
    _rows_to: int
    """A position up to which there is no segment for sure, since there were no tables of segments at that head."""

    def _looked(self, at: int) -> tuple[Seen, str | None, Batch | None]:
        return *self._seen(self._database.one(_look("%s"), (at,))), None

    def _seen(self, row: Any) -> tuple[Seen, str | None]:
        """Parses the row of the log, which may be missing while the log is being restored."""
        if row is None:
            found = "a log in which the row with its head is missing"
            raise NotALog(self._database.address, found, "wait if a dump is being restored, or restore the last dump")
        seen = Seen(Head(row[0], row[1]), row[2], row[3])
        if row[4] < SCHEMA and self._database.own:
            self._rows_to = max(self._rows_to, seen.head.position)
        return seen, row[-1]

    def _continues(self, held: Seen, there: str | None, seen: Seen) -> None:
        if self._database.own and seen.erasures < held.erasures:  # an older dump was restored
            raise self._another_history(f"it had {held.erasures} erased names, and now has {seen.erasures}")
        if self._database.own:
            super()._continues(held, there, seen)

    def _hold(self, seen: Seen) -> None:
        if self._database.own:  # nothing read in a host's transaction is cached, since the host may undo it
            super()._hold(seen)

    @contextmanager
    def _begun(self, begin: str, *, lent: bool = False) -> Iterator[Connection]:
        """Begins a transaction that appends nothing, after checking that the log continues the state seen before."""
        held, own = self._held, self._database.own
        then = _look(held.head.position) if own else ""
        with self._database.transaction(begin, then, lent=lent) as (db, first):
            if own:
                seen, there = self._seen(first[-1])
                self._continues(held, there, seen)
            yield db

    def _names(self) -> StoredNames:
        """Returns the names shared by all threads; for a host, a new cache each time, as the host may roll back."""
        return self._book if self._database.own else PostgresNames(self._database, self._below)

    @property
    def _where(self) -> str:
        return self._database.address

    @property
    def _in_transaction(self) -> bool:
        return self._database.held

    @contextmanager
    def _transaction(self) -> Iterator[Inside]:
        held = self._held
        lock = _lock(lock_key(self._database.log), held.head.position)
        with self._turn(), self._database.transaction(BEGIN, lock) as (_, first):
            row, last = first[-2:]
            seen, _ = self._seen(row)
            batch, there = (None, None) if last is None else (Batch._make(last[:-1]), last[-1])
            inside = self._entered(held, there, seen, batch)
            inside.seals = row[4] >= SCHEMA
            yield inside
            self._index_sealed(inside)

    @contextmanager
    def _savepoint(self, part: Inside) -> Iterator[Inside]:
        with self._database.savepoint():
            yield part

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Holds this process's right to write, which threads get in the order of their requests."""
        self._database.check_free()
        ticket = threading.Lock()
        try:
            if not self._turns.take(ticket, self._database.seconds):
                where, advice = self._database.address, "try again when it has finished"
                raise LogUnavailable(where, "another thread of this process is writing", advice)
            yield
        finally:
            try:
                self._turns.give(ticket)
            finally:  # again, in case an exception was injected before
                self._turns.give(ticket)

    def write(self, batch: Batch, names: Sequence[Name], rows: Sequence[tuple[Any, ...]]) -> None:
        """Writes a whole batch inside `writing`, or nothing if a uid is taken."""
        _fit(rows)
        self._check_taken([row[1] for row in rows])
        self._put(batch, names, rows)

    def _put(
        self, batch: Batch, names: Sequence[Name], rows: Sequence[tuple[Any, ...]], sealed: Sequence[object] = ()
    ) -> None:
        """Writes a batch of rows, or of a sealed segment, whose cells are given."""
        inside = self._appending
        with self._database.savepoint(), self._database.connection() as db:
            try:
                if sealed:
                    copied(db, self._database, "segment", [sealed])
                written = self._write(db, inside.names + len(names), batch, names, rows)
            except (psycopg.IntegrityError, psycopg.DataError) as error:
                if error.diag.constraint_name == "event_uid":
                    raise UidTaken from None
                raise BatchRefused(error.diag.message_primary or str(error)) from error
            if written < len(rows):
                raise UidTaken
        inside.wrote(batch, len(names), rows)

    def _write(
        self, db: Connection, count: int, batch: Batch, names: Sequence[Name], rows: Sequence[tuple[Any, ...]]
    ) -> int:
        """Returns the number of rows written, fewer than given if a uid is taken; `count` is the new count of names."""
        text, few = self._database.text, 0 < len(rows) <= _FEW and len(names) <= _FEW
        parts, values = list[str](), list[Any]()
        if few:
            parts.append(
                f"event AS (INSERT INTO {{s}}.event VALUES {_marks(rows)} ON CONFLICT (uid) DO NOTHING RETURNING 1)"
            )
            parts += [f"name AS (INSERT INTO {{s}}.name VALUES {_marks(names)})"] if names else []
            values += chain.from_iterable((*rows, *names))
        else:
            copied(db, self._database, "event", rows)
            copied(db, self._database, "name", names)
        parts += _ENDS
        values += (*batch, batch.last, batch.digest, batch.recorded, count)
        values += (channel(self._database.log), str(batch.last))
        written = "(SELECT count(*) FROM event)" if few else str(len(rows))
        with reading_cursor(db) as cursor:  # one statement, since each takes a round trip
            sent = text(f"WITH {', '.join(parts)} SELECT {written}, pg_notify(%s, %s)")
            return int(cursor.execute(sent, values, prepare=False).fetchall()[0][0])

    def adopt(self, key: str) -> None:
        """Adopts the key of the log that is being loaded."""
        self._database.run("UPDATE {s}.log SET key = %s", (key,))


def _fit(rows: Sequence[tuple[Any, ...]]) -> None:
    """Refuses rows that the table cannot hold, since COPY would silently truncate numbers."""
    for row in rows:
        if len(row[1]) > LONGEST_UID // 4 and len(row[1].encode()) > LONGEST_UID:
            raise BatchRefused(f"the uid at position {row[0]} is longer than {LONGEST_UID} bytes")
    for at, kind in enumerate(_ROW):
        if kind in _BITS:
            numbers = [row[at] for row in rows if row[at] is not None]
            if numbers and not -(2 ** _BITS[kind]) <= min(numbers) <= max(numbers) < 2 ** _BITS[kind]:
                raise BatchRefused(f"a number does not fit into {_BITS[kind] + 1} bits: {max(numbers, key=abs)}")


def copied(db: Connection, database: Database, table: str, rows: Iterable[Sequence[object]]) -> None:
    """Writes rows into a table by COPY."""
    text = database.text(f"COPY {{s}}.{table} FROM STDIN (FORMAT BINARY)", bare=True)
    with db.cursor() as cursor, cursor.copy(text) as copy:
        copy.set_types(_TYPES[table])
        for row in rows:
            copy.write_row(row)


def _marks(rows: Sequence[tuple[Any, ...]]) -> str:
    """Returns placeholders for the cells of rows."""
    return ", ".join([f"({', '.join(['%s'] * len(rows[0]))})"] * len(rows))
