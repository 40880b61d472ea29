"""The index of uids that is made after the events: the file is in the end, and after every failure, what it was."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ratingcore.errors import Conflict
from ratingcore.log import SqliteLog, verify
from ratingcore.log.append import BatchRefused
from ratingcore.log.chain import batch_digest
from ratingcore.log.facts import Batch
from ratingcore.log.sqlite.connection import sqlite3
from tests.log.conftest import Make
from tests.log.making import game, games, state, writer

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
    found: list[Conflict] = []
    log.append([game("late-77", "ann", "bo")], conflicts=found)
    assert len(found) == 1


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
