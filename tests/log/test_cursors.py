"""Cursors: a place a name, moved by whoever left it there, and together with a consumer's own rows."""

from pathlib import Path

import pytest
import sqlite_utils

from ratingcore.engine import Engine
from ratingcore.errors import BadValue, CursorMoved, LogUnavailable
from ratingcore.log import SqliteLog, export_lines, load_lines, verify
from tests.log.conftest import Make, Store
from tests.log.making import fails, games, state


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
    assert str(error) == "subscriber mailer has read to position 3, this reader only to 0"
    assert "two readers share a name" in error.hint  # type: ignore[attr-defined]  # every error of ours has a hint
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


@pytest.mark.parametrize("name", ["", "\x1b[2J", "a\u200bb", "x" * 3000])
def test_a_subscriber_has_a_name_as_a_player_has(log: Store, name: str) -> None:
    fails(BadValue, lambda: Engine(log).follow(name))


def test_a_consumer_may_use_sqlite_utils_and_drops_no_table_of_the_log(file: SqliteLog) -> None:
    with file.lending("copier", 0, lambda: 3) as db:
        database = sqlite_utils.Database(db, recursive_triggers=False, execute_plugins=False)
        database.table("seen").create({"position": int})
    assert list(file._all("SELECT count(*) FROM seen")) == [(0,)]
    for sql in ("DROP TABLE event", "UPDATE Cursor SET position = 9"):
        with pytest.raises(LogUnavailable), file.lending("copier", 3, lambda: 3) as db:
            db.execute(sql)
