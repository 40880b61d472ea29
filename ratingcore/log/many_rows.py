"""Writes many rows of a table with few statements, which takes SQLite half the time of a statement for every row."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ratingcore.log.connection import Connection, sqlite3

AT_ONCE = 200, 20, 1
"""Rows of one statement, as long as so many are left: more gain nothing."""


def insert_rows(db: Connection, table: str, rows: Sequence[Sequence[Any]]) -> None:
    """Inserts rows into a table, in their order.

    Parameters
    ----------
    rows : sequence of sequences
        Each holds a value for every column of the table, one of which differs from row to row.

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


def _is_shared(column: Sequence[Any]) -> bool:
    """Whether a column holds one value throughout; numbers may be equal and yet stored otherwise."""
    first = column[0]
    if (first is not column[-1] and first != column[-1]) or column.count(first) < len(column):
        return False
    return first is None or type(first) is str or set(map(type, column)) == {int}


def insert_sharing(
    db: Connection, table: str, width: int, shared: Mapping[int, Any], columns: Sequence[Sequence[Any]]
) -> None:
    """Inserts rows that share some of their values into a table, in their order.

    Parameters
    ----------
    width : int
        How many columns the table has.
    shared : mapping
        What all rows hold in a column, by the place of the column, counted from 0.
    columns : sequence of sequences
        The values of the other columns, of which there is at least one, each as long as there are rows.

    Raises
    ------
    sqlite3.IntegrityError
        If a row breaks a constraint of the table; those before it may have been written.
    """
    places, first = tuple(sorted(shared)), [shared[place] for place in sorted(shared)]
    of_row, start = width - len(places), 0
    values: list[Any] = [None] * (of_row * len(columns[0]))
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
