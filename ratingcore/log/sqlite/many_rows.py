"""Writes many rows with few statements, and indexes uids and names after a great many were written."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache

from ratingcore.log.append import BatchRefused, UidTwice
from ratingcore.log.sqlite.connection import Connection, sqlite3

AT_ONCE = 200, 20, 1
"""Numbers of rows per statement, from the largest, while so many rows are left: larger numbers do not help."""


def insert_rows(db: Connection, table: str, rows: Sequence[Sequence[object]]) -> None:
    """Inserts rows into a table, in their order.

    Parameters
    ----------
    rows : sequence of sequences
        Each holds a value for every column of the table; at least one column differs between rows.

    Raises
    ------
    sqlite3.IntegrityError
        If a row breaks a constraint of the table; those before it may have been written.
    """
    if len(rows) < AT_ONCE[1]:
        if rows:
            db.executemany(_statement(table, len(rows[0]), (), 1), rows)
        return
    columns = list(zip(*rows, strict=True))
    shared = {place: column[0] for place, column in enumerate(columns) if _is_shared(column)}
    varying = [column for place, column in enumerate(columns) if place not in shared]
    insert_sharing(db, table, len(columns), shared, varying)


def _is_shared(column: Sequence[object]) -> bool:
    """True if all cells of a column are stored as the same value, as equal numbers of different types may not be."""
    first = column[0]
    if (first is not column[-1] and first != column[-1]) or column.count(first) < len(column):
        return False
    return first is None or type(first) is str or set(map(type, column)) == {int}


def insert_sharing(
    db: Connection, table: str, width: int, shared: Mapping[int, object], columns: Sequence[Sequence[object]]
) -> None:
    """Inserts rows that share some of their values into a table, in their order.

    Parameters
    ----------
    width : int
        Number of columns of the table.
    shared : mapping
        Values shared by all rows, by the place of the column, counted from 0.
    columns : sequence of sequences
        The values of the other columns, at least one, each as long as the number of rows.

    Raises
    ------
    sqlite3.IntegrityError
        If a row breaks a constraint of the table; those before it may have been written.
    """
    places, first = tuple(sorted(shared)), [shared[place] for place in sorted(shared)]
    of_row, start = width - len(places), 0
    values: list[object] = [None] * (of_row * len(columns[0]))
    for place, column in enumerate(columns):
        values[place::of_row] = column
    for many in AT_ONCE:
        step = of_row * many
        end = len(values) - (len(values) - start) % step
        if start < end and len(first) + step <= db.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER):
            some = (first + values[at : at + step] for at in range(start, end, step))
            db.executemany(_statement(table, width, places, many), some)
            start = end


@lru_cache(maxsize=256)
def _statement(table: str, width: int, shared: tuple[int, ...], rows: int) -> str:
    """SQL that inserts some rows; its values are the shared ones, then the others row by row."""
    number = len(shared)
    lines = []
    for _ in range(rows):
        cells = []
        for place in range(width):
            if place in shared:
                cells.append(f"?{shared.index(place) + 1}")
            else:
                number += 1
                cells.append(f"?{number}")
        lines.append(f"({','.join(cells)})")
    return f"INSERT INTO {table} VALUES {','.join(lines)}"


_INLINE = "uid TEXT NOT NULL UNIQUE"
_PLAIN = "uid TEXT NOT NULL"
_OF_TABLE, _APART = "sqlite_autoindex_event_1", "event_uid_later"
_MADE = f"CREATE UNIQUE INDEX {_APART} ON event (uid)"


@contextmanager
def uids_indexed_after(db: Connection) -> Iterator[bool]:
    """A block in which events are written without the index of their uids, which is made at the end.

    Call it in a transaction; if that fails, call `forget_schema` once it is undone. Others never see the events
    without the index. Yields whether the index was removed: not if SQLite protects its schema.

    Raises
    ------
    UidTwice
        If two events have the same uid.
    """
    db.execute("SAVEPOINT late_index")
    away = _set_apart(db)
    if not away:
        db.execute("ROLLBACK TO late_index")
        forget_schema(db)
    db.execute("RELEASE late_index")
    yield away
    if not away:
        return
    try:
        db.execute(_MADE)
    except sqlite3.IntegrityError as error:
        (uid,) = db.execute("SELECT uid FROM event GROUP BY uid HAVING count(*) > 1 LIMIT 1").fetchone()
        raise UidTwice(uid) from error
    _rename(db, _APART, _OF_TABLE, None, (_PLAIN, _INLINE))


def _set_apart(db: Connection) -> bool:
    """Removes the index; returns whether that worked."""
    with suppress(sqlite3.DatabaseError):
        _rename(db, _OF_TABLE, _APART, _MADE, (_INLINE, _PLAIN))
        db.execute(f"DROP INDEX {_APART}")
        return True
    return False


def _rename(db: Connection, name: str, new: str, sql: str | None, text: tuple[str, str]) -> None:
    """Renames the index, and changes its SQL text and that of the column in the table."""
    db.execute("PRAGMA writable_schema = ON")
    try:
        db.execute("UPDATE sqlite_master SET name = ?, sql = ? WHERE type = 'index' AND name = ?", (new, sql, name))
        db.execute("UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = 'event'", text)
    finally:
        forget_schema(db)


@contextmanager
def names_indexed_after(db: Connection) -> Iterator[None]:
    """A block, in a transaction, in which names are written without the index of their keys, which is made at the end.

    Raises
    ------
    BatchRefused
        If two names of a kind are the same.
    """
    ((sql,),) = db.execute("SELECT sql FROM sqlite_master WHERE type = 'index' AND name = 'name_key'")
    db.execute("DROP INDEX name_key")
    yield
    try:
        db.execute(sql)
    except sqlite3.IntegrityError as error:
        raise BatchRefused(str(error)) from error


def forget_schema(db: Connection) -> None:
    """Makes a connection read the schema of its file again."""
    db.execute("PRAGMA writable_schema = RESET")
