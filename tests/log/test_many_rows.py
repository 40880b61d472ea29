"""Many rows in few statements: they are those that a statement a row writes, in their order and in their types."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ratingcore.errors import Conflict
from ratingcore.log import SqliteLog, verify
from ratingcore.log.append import BatchRefused
from ratingcore.log.chain import Batch, batch_digest
from ratingcore.log.sqlite.connection import Connection, sqlite3
from ratingcore.log.sqlite.many_rows import AT_ONCE, insert_rows, insert_sharing
from tests.log.conftest import Make
from tests.log.making import game, games, state, writer

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


ROWS = 3_000


@pytest.fixture
def log(sqlite_log: Make) -> SqliteLog:
    log = sqlite_log("club.db")
    log.append(games(1, 50))
    assert isinstance(log, SqliteLog)
    return log


def schema(log: SqliteLog) -> Any:
    """The objects of a file, as somebody else reads them; their order is that in which they were made."""
    db = sqlite3.connect(log.path)
    try:
        return sorted(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall(), key=str)
    finally:
        db.close()


def write(log: SqliteLog, uid: str = "late-{}") -> None:
    """Writes more games of the players and the pool of the log."""
    last = log.last_batch()
    assert last is not None
    pool, a, b = log._one("SELECT pool, a, b FROM event WHERE kind = 'game' LIMIT 1")
    first, stop = last.last + 1, last.last + ROWS
    rows = [(at, uid.format(at), "game", pool, at, 0, a, b, 0.5, None, None) for at in range(first, stop + 1)]
    digest = batch_digest(last.digest, first, stop, last.recorded, None, (), rows)
    log.write(Batch(first, stop, last.recorded, None, digest), (), rows)


def loaded(log: SqliteLog, work: Callable[[], None]) -> None:
    with log.loading(uids_last=True):
        work()


@contextmanager
def as_before(log: SqliteLog) -> Iterator[None]:
    """What happens in the block leaves no trace."""
    before = state(log), schema(log)
    yield
    assert (state(log), schema(log)) == before
    assert list(log.faults()) == []
    with pytest.raises(sqlite3.IntegrityError, match=r"event\.uid"):
        writer(log).execute(
            "INSERT INTO event SELECT 9999, uid, kind, 1, 1, 0, 1, 2, 1.0, NULL, NULL FROM event LIMIT 1"
        )
    log.append([game("after", "ann", "bo")])
    assert verify(log).head == log.head


def test_the_file_is_to_the_letter_what_it_is_with_an_index_from_the_start(log: SqliteLog) -> None:
    before = schema(log)
    with log.loading(uids_last=True) as late:
        assert late
        write(log)
        write(log)
    assert schema(log) == before
    assert list(log.faults()) == []
    assert verify(log).head.position == 50 + 2 * ROWS
    assert log.find(["late-77"])["late-77"].position == 77
    with pytest.raises(Conflict):
        log.append([game("late-77", "ann", "bo")])


def test_others_read_on_and_never_see_a_file_without_the_index(log: SqliteLog, sqlite_log: Make) -> None:
    other = sqlite_log("club.db")
    before, whole = state(other), schema(log)
    with log.loading(uids_last=True):
        write(log)
        assert (state(other), schema(log)) == (before, whole)
        assert len(other.find(["g-1", "late-77"])) == len(log.find(["g-1"]))
    assert other.head.position == 50 + ROWS
    assert other.append([game("after", "ann", "bo")]).accepted == 1


def test_a_uid_that_comes_twice_undoes_everything(log: SqliteLog) -> None:
    with as_before(log), pytest.raises(BatchRefused, match=r"event\.uid"):
        loaded(log, lambda: write(log, "late"))


def test_a_failure_in_between_undoes_everything(log: SqliteLog) -> None:
    def interrupted() -> None:
        write(log)
        raise KeyboardInterrupt

    with as_before(log), pytest.raises(KeyboardInterrupt):
        loaded(log, interrupted)


def test_a_crash_in_between_leaves_the_log_as_it_was(log: SqliteLog, sqlite_log: Make, tmp_path: Path) -> None:
    before, whole = state(log), schema(log)
    (tmp_path / "crashed").mkdir()
    with log.loading(uids_last=True):
        writer(log).execute("PRAGMA cache_size = 10")  # pages go into the write-ahead log before the transaction ends
        write(log)
        for file in tmp_path.glob("club.db*"):
            shutil.copy(file, tmp_path / "crashed")
    crashed = sqlite_log("crashed/club.db")
    assert isinstance(crashed, SqliteLog)
    assert (state(crashed), schema(crashed)) == (before, whole)
    assert list(crashed.faults()) == []


def test_where_the_schema_is_protected_the_index_stays(log: SqliteLog) -> None:
    def guard(action: int, table: str | None, *_: object) -> int:
        return sqlite3.SQLITE_DENY if (action, table) == (sqlite3.SQLITE_UPDATE, "sqlite_master") else sqlite3.SQLITE_OK

    before = schema(log)
    writer(log).set_authorizer(guard)
    with log.loading(uids_last=True) as late:
        assert not late
        write(log)
    writer(log).set_authorizer(None)
    assert schema(log) == before
    assert log.find(["late-77"])["late-77"].position == 77
    assert verify(log).head.position == 50 + ROWS


def test_names_that_come_twice_undo_everything(log: SqliteLog) -> None:
    def doubled() -> None:
        with log.loading(), log.indexed_last(names=True):
            write(log)
            writer(log).execute(
                "INSERT INTO name SELECT 999, kind, key, salt, digest, batch FROM name WHERE kind = 'pool'"
            )

    with as_before(log), pytest.raises(BatchRefused, match=r"name\.kind"):
        doubled()


def test_the_index_of_names_is_made_again_as_it_was(log: SqliteLog) -> None:
    before = schema(log)
    with log.loading(), log.indexed_last(names=True) as late:
        assert late
        assert "name_key" not in {name for _, name, *_ in writer(log).execute("SELECT * FROM sqlite_master")}
        write(log)
    assert schema(log) == before
    assert list(log.faults()) == []
