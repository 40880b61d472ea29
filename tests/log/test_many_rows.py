"""Many rows in few statements: they are those that a statement a row writes, in their order and in their types."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ratingcore.log.sqlite.connection import Connection, sqlite3
from ratingcore.log.sqlite.many_rows import AT_ONCE, insert_rows, insert_sharing

_CELLS = some.one_of(some.none(), some.integers(-(2**63), 2**63 - 1), some.floats(allow_nan=False), some.text())
_ALIKE = some.sampled_from([0, 0.0, -0.0, 1, 1.0, True, "1", None])


@pytest.fixture
def db() -> Iterator[Connection]:
    connection = _made()
    yield connection
    connection.close()


def _made() -> Connection:
    connection = sqlite3.connect(":memory:")
    for table in ("ours", "bare"):
        connection.execute(f"CREATE TABLE {table} (place INTEGER PRIMARY KEY, one, two, uid UNIQUE)")
    return connection


def _written(connection: Connection, table: str) -> list[str]:
    return [repr(row) for row in connection.execute(f"SELECT *, typeof(one), typeof(two) FROM {table} ORDER BY place")]


@given(some.lists(some.tuples(_ALIKE, _CELLS), max_size=50), some.integers(1, 10))
def test_rows_are_stored_as_one_statement_a_row_stores_them(cells: list[tuple[Any, Any]], times: int) -> None:
    connection = _made()
    rows = [(place, *pair, f"u{place}") for place, pair in enumerate(cells * times)]
    insert_rows(connection, "ours", rows)
    connection.executemany("INSERT INTO bare VALUES (?,?,?,?)", rows)
    assert _written(connection, "ours") == _written(connection, "bare")
    connection.close()


@pytest.mark.parametrize(
    "many", sorted({0, 1, *(n + more for n in AT_ONCE for more in (-1, 0, 1)), 2 * AT_ONCE[0] + 27})
)
def test_any_number_of_rows_is_written_whole(db: Connection, many: int) -> None:
    rows = [(place, "same", None, str(place)) for place in range(many)]
    insert_rows(db, "ours", rows)
    assert db.execute("SELECT * FROM ours ORDER BY rowid").fetchall() == rows
    insert_sharing(db, "bare", 4, {1: "same", 2: None}, [range(many), list(map(str, range(many)))])
    assert db.execute("SELECT * FROM bare ORDER BY rowid").fetchall() == rows


def test_a_library_that_takes_few_values_at_once_gets_shorter_statements(db: Connection) -> None:
    db.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 90)
    rows = [(place, place % 2, "same", str(place)) for place in range(500)]
    insert_rows(db, "ours", rows)
    assert db.execute("SELECT * FROM ours").fetchall() == rows


def test_a_uid_that_is_taken_is_named_as_by_one_statement_a_row(db: Connection) -> None:
    rows = [(place, 1, 2, str(place % 300)) for place in range(400)]
    with pytest.raises(sqlite3.IntegrityError, match=r"UNIQUE constraint failed: ours\.uid"):
        insert_rows(db, "ours", rows)
