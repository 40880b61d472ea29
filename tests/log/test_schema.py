"""The file of a log: append-only for everybody, and readable with any SQLite browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils

from ratingcore.errors import BrokenChain
from ratingcore.log import SqliteLog, verify
from ratingcore.log.sqlite.connection import sqlite3
from ratingcore.log.sqlite.schema import APPLICATION, SCHEMA
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
    assert hand.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
    assert hand.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert hand.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert hand.execute("PRAGMA foreign_key_check").fetchall() == []


def test_every_commit_reaches_the_disk(tmp_path: Path) -> None:
    full = 2
    for _ in range(2):  # a new log, and one that is opened again
        with SqliteLog(tmp_path / "club.db") as log:
            assert writer(log).execute("PRAGMA synchronous").fetchone() == (full,)


def test_the_views_tell_events_in_words(hand: Any) -> None:
    cursor = hand.execute("SELECT * FROM events ORDER BY position")
    names = [column[0] for column in cursor.description]
    rows = [dict(zip(names, row, strict=True)) for row in cursor]
    assert names == ["position", "recorded", "kind", "pool", "played", "uid", "a", "b", "score", "of_uid", "data"]
    assert [row["position"] for row in rows] == list(range(1, len(EVERY_KIND) + 2))
    assert [row["kind"] for row in rows[:-1]] == [event.kind for event in EVERY_KIND]
    first, second, late = rows[0], rows[1], rows[-1]
    assert (first["a"], first["b"], first["score"], first["pool"]) == ("ann", "bo", 1.0, "rapid")
    assert (first["recorded"], first["played"]) == ("2023-11-14T22:13:20Z", "2024-03-02T00:00:00Z")
    assert (second["a"], second["b"]) == ("Zo\u00eb", "名前")
    assert second["played"] == late["played"] == "1969-12-31T23:59:59Z"
    assert late["recorded"] == "2023-11-14T22:13:21Z"
    assert {row["uid"]: row["of_uid"] for row in rows if row["of_uid"]} == {
        "v-1": "g-1", "v-2": "v-1", "a-1": "g-1", "a-2": "s-1", "a-3": "r-1", "u-1": "m-1",
    }  # fmt: skip


def test_the_views_tell_games_corrections_and_batches(hand: Any) -> None:
    games = hand.execute("SELECT uid, a, b, score FROM games ORDER BY position").fetchall()
    assert games == [("g-1", "ann", "bo", 1.0), ("g-2", "Zo\u00eb", "名前", 0.5), ("late", "ann", "bo", 1.0)]
    corrections = hand.execute("SELECT kind, of_uid, keep, other FROM corrections WHERE kind LIKE '%merge'").fetchall()
    assert corrections == [("merge", None, "bo", "bob"), ("unmerge", "m-1", None, None)]
    batches = hand.execute("SELECT first, last, source FROM batches").fetchall()
    assert batches == [(1, len(EVERY_KIND), "march.csv"), (len(EVERY_KIND) + 1, len(EVERY_KIND) + 1, None)]


@pytest.mark.parametrize(
    ("when", "shown"),
    [
        ("0001-01-01", "0001-01-01T00:00:00Z"),
        ("1969-12-31T23:59:59.000001Z", "1969-12-31T23:59:59Z"),
        ("1970-01-01T00:00:00.999999Z", "1970-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59Z"),
    ],
)
def test_the_views_show_times_of_every_age(log: SqliteLog, hand: Any, when: str, shown: str) -> None:
    log.append([game("old", played=when)])
    assert hand.execute("SELECT played FROM events WHERE uid = 'old'").fetchone() == (shown,)


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
