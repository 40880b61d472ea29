"""Cursors: a place a name, moved by whoever left it there, and together with a consumer's own rows."""

from pathlib import Path
from typing import Any

import pytest
import sqlite_utils

from ratingcore.engine import Engine
from ratingcore.errors import BadValue, CursorMoved, LogUnavailable
from ratingcore.log import SqliteLog, export_lines, load_lines, verify
from ratingcore.log.sqlite.connection import sqlite3
from tests.log.conftest import Make, Store
from tests.log.making import fails, game, games, state


@pytest.fixture
def filled(log: Store) -> Store:
    log.append(games(1, 5))
    return log


@pytest.fixture
def file(sqlite_log: Make) -> SqliteLog:
    log = sqlite_log()
    log.append(games(1, 5))
    assert isinstance(log, SqliteLog)
    return log


def lent(log: SqliteLog, expected: int = 0, read: int = 3) -> Any:
    return log.lending("copier", expected, lambda: read)


def test_who_has_never_read_stands_at_the_beginning(filled: Store) -> None:
    assert filled.cursor("mailer") == 0


def test_each_name_has_a_cursor_of_its_own(filled: Store) -> None:
    filled.move_cursor("mailer", 0, 3)
    filled.move_cursor("web", 0, 5)
    filled.move_cursor("mailer", 3, 4)
    assert [filled.cursor(name) for name in ("mailer", "web", "nobody", "Mailer")] == [4, 5, 0, 0]


def test_a_cursor_may_go_back(filled: Store) -> None:
    filled.move_cursor("mailer", 0, 5)
    filled.move_cursor("mailer", 5, 0)
    assert filled.cursor("mailer") == 0


def test_a_cursor_that_somebody_else_moved_stays(filled: Store) -> None:
    filled.move_cursor("mailer", 0, 3)
    error = fails(CursorMoved, lambda: filled.move_cursor("mailer", 0, 5))
    assert str(error) == "subscriber mailer has read to position 3, this reader left it at 0"
    assert "one reader a name" in error.hint  # type: ignore[attr-defined]  # every error of ours has a hint
    assert filled.cursor("mailer") == 3


def test_cursors_are_no_part_of_the_history(filled: Store) -> None:
    before, lines = state(filled), list(export_lines(filled))
    filled.move_cursor("mailer", 0, 3)
    assert state(filled) == before
    assert verify(filled).head == filled.head
    assert list(export_lines(filled)) == lines
    loaded = SqliteLog(":memory:")
    load_lines(loaded, lines)
    assert loaded.cursor("mailer") == 0


def test_a_cursor_in_a_file_is_there_when_it_is_opened_again_and_in_a_backup(file: SqliteLog, tmp_path: Path) -> None:
    file.move_cursor("mailer", 0, 3)
    file.backup(tmp_path / "copy.db")
    for path in (file.path, tmp_path / "copy.db"):
        with SqliteLog(path, read_only=True) as again:
            assert again.cursor("mailer") == 3
            assert "read-only" in str(fails(LogUnavailable, lambda: again.move_cursor("mailer", 3, 4)))


# a consumer's rows in the same transaction


def rows(log: SqliteLog) -> list[tuple[int]]:
    """What a consumer has written, as another connection sees it."""
    db = sqlite3.connect(log.path)
    try:
        return db.execute("SELECT position FROM seen").fetchall()
    finally:
        db.close()


def test_rows_and_cursor_are_committed_together(file: SqliteLog) -> None:
    with lent(file) as db:
        db.execute("CREATE TABLE seen (position INTEGER)")
        db.executemany("INSERT INTO seen VALUES (?)", [(1,), (2,), (3,)])
    assert rows(file) == [(1,), (2,), (3,)]
    assert file.cursor("copier") == 3
    assert verify(file).head == file.head


def consume(log: SqliteLog, *statements: str, error: type[Exception] | None = None) -> None:
    with log.lending("copier", 1, lambda: 3) as db:
        for sql in statements:
            db.execute(sql)
        if error is not None:
            raise error


def test_neither_is_committed_where_the_consumer_fails(file: SqliteLog) -> None:
    with lent(file, read=1) as db:
        db.execute("CREATE TABLE seen (position INTEGER UNIQUE)")
    with pytest.raises(ZeroDivisionError):
        consume(file, "INSERT INTO seen VALUES (2)", error=ZeroDivisionError)
    with pytest.raises(sqlite3.IntegrityError):
        consume(file, "INSERT INTO seen VALUES (3)", "INSERT INTO seen VALUES (3)")
    with pytest.raises(sqlite3.OperationalError, match="no such table: mails"):
        consume(file, "INSERT INTO seen VALUES (4)", "INSERT INTO mails VALUES (4)")
    assert rows(file) == []
    assert file.cursor("copier") == 1
    file.append([game(6)])


def test_nothing_is_begun_where_another_reader_was_quicker(file: SqliteLog) -> None:
    file.move_cursor("copier", 0, 2)
    with pytest.raises(CursorMoved), lent(file):
        raise AssertionError("the block ran")
    file.append([game(6)])
    assert file.cursor("copier") == 2


@pytest.mark.parametrize(
    "sql",
    [
        "COMMIT", "ROLLBACK", "END", "DELETE FROM cursor", "UPDATE name SET key = 'x'", "INSERT INTO log VALUES ('x')",
        "UPDATE event SET score = 0", "DELETE FROM batch", "DROP TABLE event", "UPDATE Cursor SET position = 9",
    ],
)  # fmt: skip
def test_what_parts_rows_from_the_cursor_or_touches_the_log_is_refused(file: SqliteLog, sql: str) -> None:
    before = state(file)
    file.move_cursor("copier", 0, 1)
    with pytest.raises(LogUnavailable, match="are not the consumer's"):
        consume(file, "CREATE TABLE seen (position INTEGER)", sql)
    assert (state(file), file.cursor("copier")) == (before, 1)
    assert list(file._all("SELECT 1 FROM sqlite_master WHERE name = 'seen'")) == []
    file.append([game(6)])  # the connection is what it was


def test_the_python_way_to_commit_is_refused_too(file: SqliteLog) -> None:
    with pytest.raises(LogUnavailable), lent(file) as db:
        db.commit()
    with pytest.raises(LogUnavailable), lent(file) as db, db:
        db.execute("CREATE TABLE seen (position INTEGER)")
    assert file.cursor("copier") == 0


def test_savepoints_and_sqlite_utils_are_welcome(file: SqliteLog) -> None:
    with lent(file) as db:
        database = sqlite_utils.Database(db, recursive_triggers=False, execute_plugins=False)
        database.table("seen").create({"position": int})
        db.execute("SAVEPOINT mine")
        db.execute("INSERT INTO seen VALUES (1)")
        db.execute("ROLLBACK TO mine")
        db.execute("INSERT INTO seen VALUES (2)")
        db.execute("RELEASE mine")
    assert rows(file) == [(2,)]


def test_the_log_is_read_but_not_appended_to_meanwhile(file: SqliteLog) -> None:
    before = file.head
    with lent(file):
        assert len(list(file.rows())) == 5
        error = fails(LogUnavailable, lambda: file.append([game(6)]))
    assert "a transaction of this thread is open" in str(error)
    assert (file.head, file.cursor("copier")) == (before, 3)
    assert file.append([game(6)]).accepted == 1


@pytest.mark.parametrize("name", ["", "\x1b[2J", "a\u200bb", "x" * 3000])
def test_a_subscriber_has_a_name_as_a_player_has(log: Store, name: str) -> None:
    fails(BadValue, lambda: Engine(log).follow(name))
