"""The file of a log: append-only for everybody, and readable with any SQLite browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils

from ratingcore.errors import BrokenChain
from ratingcore.log import SqliteLog, verify
from ratingcore.log.sqlite.connection import sqlite3
from ratingcore.log.sqlite.schema import APPLICATION, OF_ROWS
from tests.log.conftest import Make
from tests.log.making import EVERY_KIND, game, state, writer


@pytest.fixture
def log(sqlite_log: Make) -> SqliteLog:
    log = sqlite_log()
    log.append(EVERY_KIND, source="march.csv")
    log.append([game("late", played="1969-12-31T23:59:59.250000Z")])
    assert isinstance(log, SqliteLog)
    return log


@pytest.fixture
def hand(log: SqliteLog) -> Iterator[Any]:
    """Someone who opens the file without this program."""
    db = sqlite3.connect(log.path, isolation_level=None)
    yield db
    db.close()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE event SET score = 0 WHERE position = 1",
        "UPDATE event SET position = 99 WHERE position = 1",
        "UPDATE event SET data = NULL",
        "DELETE FROM event WHERE position = 1",
        "DELETE FROM event",
        "UPDATE batch SET recorded = 0",
        "UPDATE batch SET source = NULL WHERE first = 1",
        "DELETE FROM batch WHERE first = 1",
        "DELETE FROM batch",
        "UPDATE OR IGNORE event SET score = 0",
        "UPDATE OR REPLACE event SET uid = 'g-1'",
        "INSERT INTO event SELECT 1, 'x', kind, pool, played, \"order\", a, b, 0.0, ref, data FROM event LIMIT 1",
        'INSERT INTO event SELECT 99, uid, kind, pool, played, "order", a, b, 0.0, ref, data FROM event LIMIT 1',
    ],
)
def test_what_was_recorded_cannot_be_changed_by_hand(log: SqliteLog, hand: Any, sql: str) -> None:
    before = state(log)
    with pytest.raises(sqlite3.IntegrityError):
        hand.execute(sql)
    assert state(log) == before


@pytest.mark.parametrize(
    "sql",
    [
        'REPLACE INTO event SELECT position, uid, kind, pool, played, "order", a, b, 0.0, ref, data FROM event',
        'REPLACE INTO event SELECT 99, uid, kind, pool, played, "order", a, b, 0.0, ref, data FROM event',
        "REPLACE INTO batch SELECT first, last, 0, source, digest FROM batch",
    ],
)
def test_what_is_replaced_by_hand_is_found(log: SqliteLog, hand: Any, sql: str) -> None:
    """SQLite runs no trigger for the rows a REPLACE removes; the chain knows."""
    hand.execute(sql)
    with pytest.raises(BrokenChain):
        verify(log)


def test_the_file_says_what_it_is(hand: Any) -> None:
    assert hand.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    assert APPLICATION.to_bytes(4, "big") == b"RCLG"
    assert hand.execute("PRAGMA user_version").fetchone() == (OF_ROWS,)
    assert hand.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert hand.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert hand.execute("PRAGMA foreign_key_check").fetchall() == []


def test_every_commit_reaches_the_disk(tmp_path: Path) -> None:
    full = 2
    for _ in range(2):  # a new log, and one that is opened again
        with SqliteLog(tmp_path / "club.db") as log:
            assert writer(log).execute("PRAGMA synchronous").fetchone() == (full,)


def test_an_erased_name_is_blank_in_the_views(log: SqliteLog, hand: Any) -> None:
    hand.execute("UPDATE name SET key = NULL, salt = NULL WHERE key = 'ann'")
    assert hand.execute("SELECT a, b FROM games WHERE uid = 'g-1'").fetchone() == (None, "bo")
    assert verify(log).batches == 2


def test_sqlite_utils_reads_the_file(log: SqliteLog) -> None:
    db = sqlite_utils.Database(str(log.path))
    assert {"batch", "event", "name", "cursor", "log"} <= set(db.table_names())
    assert {"events", "games", "corrections", "batches"} <= set(db.view_names())
    assert db["event"].count == len(EVERY_KIND) + 1
    assert len(list(db["games"].rows)) == 3
    db.close()


def test_a_log_that_was_closed_is_one_file(log: SqliteLog, hand: Any) -> None:
    hand.close()
    log.close()
    folder: Path = log.path.parent
    assert [path.name for path in folder.iterdir()] == [log.path.name]
