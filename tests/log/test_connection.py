"""Opening: what is not a log, what is too new, and what stands in the way are told in plain words."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ratingcore.errors import BadValue, LogUnavailable, NewerLog, NoSuchLog, NotALog
from ratingcore.log import EMPTY, SqliteLog, verify
from ratingcore.log.sqlite import connection as module
from ratingcore.log.sqlite.connection import sqlite3
from ratingcore.log.sqlite.schema import APPLICATION, SCHEMA
from tests.log.making import EVERY_KIND, game, games, state
from tests.log.workers import Workers

WAYS = pytest.mark.parametrize("read_only", [False, True], ids=["to write", "to read"])


def run(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A log of every kind of event, closed."""
    with SqliteLog(tmp_path / "club.db") as log:
        log.append(EVERY_KIND)
    return tmp_path / "club.db"


# what is not a log


@WAYS
def test_a_file_that_is_no_sqlite_is_no_log_and_stays_as_it_is(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "games.csv"
    for content in (b"date,a,b,score\n2024-03-02,ann,bo,1\n" * 50, b"xy", bytes(range(256)) * 40, b"SQLite format 3\0"):
        path.write_bytes(content)
        with pytest.raises(NotALog, match=r"not a ratingcore log: .*games\.csv is (not a|a damaged) SQLite file"):
            SqliteLog(path, read_only=read_only)
        assert path.read_bytes() == content
        assert list(tmp_path.iterdir()) == [path]


@WAYS
@pytest.mark.parametrize(
    "statements",
    [
        ("CREATE TABLE event (x)", "INSERT INTO event VALUES (1)"),
        ("PRAGMA application_id = 17",),
        ("PRAGMA user_version = 1",),
        ("PRAGMA journal_mode = WAL", "CREATE VIEW games AS SELECT 1"),
    ],
)
def test_a_sqlite_file_of_something_else_is_no_log(
    tmp_path: Path, read_only: bool, statements: tuple[str, ...]
) -> None:
    path = tmp_path / "other.db"
    run(path, *statements)
    content = path.read_bytes()
    with pytest.raises(NotALog, match=r"other\.db is a SQLite file of another program"):
        SqliteLog(path, read_only=read_only)
    assert path.read_bytes() == content


@WAYS
def test_a_folder_is_no_log(tmp_path: Path, read_only: bool) -> None:
    with pytest.raises(NotALog, match="is a folder"):
        SqliteLog(tmp_path, read_only=read_only)


@WAYS
def test_a_log_of_a_newer_schema_is_not_touched(full: Path, read_only: bool) -> None:
    run(full, "PRAGMA user_version = 99")
    content = full.read_bytes()
    with pytest.raises(NewerLog, match=rf"club\.db has log schema 99, this ratingcore reads up to {SCHEMA}") as caught:
        SqliteLog(full, read_only=read_only)
    assert caught.value.hint == "install a newer ratingcore"
    assert full.read_bytes() == content


@WAYS
def test_a_log_that_lost_its_tables_is_damaged(full: Path, read_only: bool) -> None:
    run(full, "DROP TABLE batch", "DROP TABLE log")
    with pytest.raises(NotALog, match="a damaged SQLite file") as found, SqliteLog(full, read_only=read_only) as log:
        assert log.head
    assert "restore the last backup" in str(found.value.hint), "an export would fail in the same way"


@pytest.mark.parametrize("keep", [100, 1000, 4096, 8192, 20_000])
@WAYS
def test_a_log_that_was_cut_short_is_damaged(full: Path, read_only: bool, keep: int) -> None:
    content = full.read_bytes()[:keep]
    full.write_bytes(content)
    with pytest.raises(NotALog, match="SQLite file"), SqliteLog(full, read_only=read_only) as log:
        verify(log)
    assert full.read_bytes() == content


def test_a_missing_file_is_made_to_write_and_told_to_read(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    with pytest.raises(NoSuchLog, match=r"no such log: .*new\.db") as caught:
        SqliteLog(path, read_only=True)
    assert caught.value.hint
    assert not path.exists()
    with SqliteLog(path) as log:
        assert log.head == EMPTY
        with SqliteLog(path, read_only=True) as reader:
            assert state(reader) == state(log)


def test_an_empty_file_becomes_a_log_to_write_and_is_none_to_read(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    with pytest.raises(NotALog, match=r"empty\.db is an empty file"):
        SqliteLog(path, read_only=True)
    assert path.stat().st_size == 0
    with SqliteLog(path) as log:
        assert log.append([game(1)]).accepted == 1


def test_a_log_that_was_being_made_when_the_power_failed_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "half.db"
    run(path, "PRAGMA journal_mode = WAL")  # the first thing that making a log does
    assert path.stat().st_size > 0
    with pytest.raises(NotALog, match="an empty file"):
        SqliteLog(path, read_only=True)
    with SqliteLog(path) as log:
        assert log.append([game(1)]).accepted == 1


@WAYS
def test_a_folder_that_is_missing_is_told(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "missing" / "club.db"
    with pytest.raises((LogUnavailable, NoSuchLog), match=r"missing/club\.db"):
        SqliteLog(path, read_only=read_only)


@pytest.mark.parametrize(
    "name", ["club 2024.db", "50%.db", "a?b#c&d.db", "füße.db", "it's.db", "a%20b.db", "-x", "x.db?mode=rw"]
)
def test_a_log_may_have_any_file_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with SqliteLog(path) as log:
        log.append([game(1)])
        with SqliteLog(path, read_only=True) as reader:
            assert state(reader) == state(log)
        log.backup(tmp_path / f"copy of {name}")
    assert {path.name for path in tmp_path.iterdir()} == {name, f"copy of {name}"}


def test_a_path_may_be_text_and_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with SqliteLog("club.db") as log:
        log.append([game(1)])
    with SqliteLog("club.db", read_only=True) as log:
        assert log.head.position == 1


# what stands in the way


@pytest.fixture
def locked(full: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A log that another connection is writing to, and little patience."""
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    other = sqlite3.connect(full, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    yield full
    other.close()


def test_a_locked_log_can_be_read_and_says_that_it_is_locked(locked: Path) -> None:
    with SqliteLog(locked) as log:
        before = state(log)
        with pytest.raises(
            LogUnavailable, match=r"club\.db: another process has been writing for more than 0\.05 s"
        ) as caught:
            log.append([game("new", "never", "seen")])
        assert caught.value.hint == "try again when it has finished"
        assert state(log) == before
        assert verify(log).batches == 1
    with SqliteLog(locked, read_only=True) as log:
        assert verify(log).batches == 1


def test_a_log_that_was_locked_can_be_written_to_afterwards(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    with SqliteLog(full) as log, SqliteLog(full) as other:
        with other.writing(), pytest.raises(LogUnavailable, match="another process has been writing"):
            log.append([game("new")])
        assert log.append([game("new")]).accepted == 1


def test_a_copy_that_lost_its_write_ahead_log_gets_one_again(full: Path) -> None:
    run(full, "PRAGMA journal_mode = DELETE")
    with SqliteLog(full, read_only=True) as log:
        assert log._connections.db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    with SqliteLog(full) as log:
        assert log._connections.db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert verify(log).batches == 1


def test_a_writer_waits_half_a_minute_for_another_or_as_long_as_it_is_told(full: Path) -> None:
    with SqliteLog(full) as log:
        assert log._connections.seconds == module.BUSY_SECONDS == 30.0
    with SqliteLog(full, timeout=0.25) as log, SqliteLog(full) as other, other.writing():
        began = time.monotonic()
        with pytest.raises(LogUnavailable, match=r"another process has been writing for more than 0\.25 s"):
            log.append([game("new")])
        assert time.monotonic() - began >= 0.25


@pytest.mark.parametrize("timeout", [-1, 90_000, float("nan"), float("inf"), "5", True])
def test_a_timeout_that_is_no_time_is_refused(full: Path, timeout: Any) -> None:
    with pytest.raises(BadValue, match="timeout"):
        SqliteLog(full, timeout=timeout)


@WAYS
def test_a_file_that_another_program_keeps_to_itself_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool
) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    path = tmp_path / "new.db"
    run(path, f"PRAGMA application_id = {APPLICATION}")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LogUnavailable, match="another process is writing"):
        SqliteLog(path, read_only=read_only)
    other.close()


@pytest.mark.parametrize("begin", ["BEGIN", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_making_a_log_waits_for_whoever_is_busy_with_the_file(tmp_path: Path, begin: str) -> None:
    """A fixed bug: SQLite does not wait when it changes to a write-ahead log, and making the log failed."""
    path = tmp_path / "new.db"
    path.touch()
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute(begin)
    other.execute("SELECT * FROM sqlite_master").fetchall()
    leaving = threading.Timer(0.05, lambda: other.execute("ROLLBACK"))
    leaving.start()
    with SqliteLog(path) as log:
        assert log.append([game(1)]).accepted == 1
    leaving.join()
    other.close()


def test_looking_at_a_file_in_which_a_log_is_being_made_sees_one_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fixed bug: half of the look came before the tables and half after, and the file seemed someone else's."""
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.01)
    path = tmp_path / "new.db"

    class Looking:
        """A connection between whose statements another one tries to make the log."""

        def __init__(self) -> None:
            self.db = sqlite3.connect(path, isolation_level=None)

        in_transaction = property(lambda self: self.db.in_transaction)

        def execute(self, sql: str) -> Any:
            done = self.db.execute(sql)
            if sql.startswith("PRAGMA"):
                done = iter(done.fetchall())
                done = type("Read", (), {"fetchone": lambda self, rows=done: next(rows)})()
                with suppress(LogUnavailable):
                    SqliteLog(path).close()
            return done

    looking = Looking()
    assert module.is_log(looking, path) in {True, False}
    looking.db.close()
    SqliteLog(path).close()


def test_a_log_opened_to_read_refuses_to_be_written_to(full: Path) -> None:
    with SqliteLog(full, read_only=True) as log:
        before = state(log)
        for events in ([game("new")], EVERY_KIND):
            with pytest.raises(LogUnavailable, match=r"cannot use .*club\.db: it is read-only") as caught:
                log.append(events)
            assert "copy it to a folder you may write to" in caught.value.hint
        assert state(log) == before


def test_a_reader_follows_what_a_writer_appends(full: Path) -> None:
    with SqliteLog(full, read_only=True) as reader, SqliteLog(full) as writer:
        for number in range(3):
            writer.append(games(number * 10 + 1, number * 10 + 10))
            assert state(reader) == state(writer)


def test_a_reader_that_was_first_leaves_a_log_that_others_can_write(full: Path) -> None:
    with SqliteLog(full, read_only=True) as reader:
        assert reader.head.position == len(EVERY_KIND)
    with SqliteLog(full) as log:
        log.append([game("new")])
    assert [path.name for path in full.parent.iterdir()] == ["club.db"]


# rights


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that other users can reach, unlike those of pytest."""
    folder = Path(tempfile.mkdtemp(prefix="ratingcore-"))
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode | stat.S_IRWXU)
    shutil.rmtree(folder)


def as_nobody(workers: Workers, path: Path) -> dict[str, Any]:
    """What a user without rights can do with a log."""
    return dict(workers.start("as_nobody", str(path)))


def test_a_read_only_folder_can_be_read_and_not_written_to(public: Path, workers: Workers) -> None:
    path = public / "club.db"
    with SqliteLog(path) as log:
        log.append(EVERY_KIND)
        head = str(log.head)
    path.chmod(0o444)
    public.chmod(0o555)
    done = as_nobody(workers, path)
    assert done["read"] == ["verified", head]
    assert done["append"] == ["LogUnavailable", f"cannot use {path}: it is read-only"]
    assert done["write"][0] == "LogUnavailable"
    assert done["new"] == ["LogUnavailable", f"cannot use {path.with_name('new.db')}: it cannot be opened"]
    assert done["backup"] == ["LogUnavailable", f"cannot use {path.with_name('copy.db')}: it cannot be opened"]
    assert [found.name for found in public.iterdir()] == ["club.db"]


def test_a_read_only_folder_with_an_empty_write_ahead_log_can_be_read(public: Path, workers: Workers) -> None:
    path = public / "club.db"
    with SqliteLog(path) as log:
        log.append(EVERY_KIND)
        head = str(log.head)
    path.with_name("club.db-wal").touch()  # what a reader that was first may leave behind
    public.chmod(0o555)
    assert as_nobody(workers, path)["read"] == ["verified", head]


def test_a_read_only_folder_of_a_log_that_someone_else_is_writing_can_be_read(public: Path, workers: Workers) -> None:
    path = public / "club.db"
    with SqliteLog(path) as log:
        log.append(EVERY_KIND)
        log.append([game("in the write-ahead log only")])
        public.chmod(0o555)
        done = as_nobody(workers, path)
        assert done["read"] == ["verified", str(log.head)]
        assert done["append"][0] == "LogUnavailable"


def test_a_folder_that_is_closed_to_the_user_is_told(public: Path, workers: Workers) -> None:
    path = public / "club.db"
    with SqliteLog(path) as log:
        log.append([game(1)])
    public.chmod(0o700)
    if os.getuid() != 0:
        pytest.skip("the owner of a folder can always open it")
    done = as_nobody(workers, path)
    assert {name: error for name, (error, _) in done.items()} == dict.fromkeys(done, "LogUnavailable")


def test_a_file_that_the_user_may_not_read_is_told(public: Path, workers: Workers) -> None:
    path = public / "club.db"
    with SqliteLog(path) as log:
        log.append([game(1)])
    path.chmod(0)
    done = as_nobody(workers, path)
    assert done["read"] == done["write"] == ["LogUnavailable", f"cannot use {path}: it cannot be opened"]


def test_a_log_is_opened_without_pandas_by_the_library_that_sqlite_utils_takes(tmp_path: Path) -> None:
    """sqlite-utils imports pandas where it is installed: that took as long as everything else of a first list."""
    code = """
import sys, ratingcore as rc
engine = rc.open(sys.argv[1])
engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
engine.rating_list("rapid", "elo")
print(sorted({"pandas", "sqlite_utils"} & sys.modules.keys()))
from sqlite_utils.utils import sqlite3
print(sqlite3 is rc.log.sqlite.connection.sqlite3)
"""
    call = [sys.executable, "-c", code, str(tmp_path / "club.db")]
    assert subprocess.run(call, capture_output=True, text=True, check=True).stdout.split() == ["[]", "True"]


def test_a_log_in_which_nothing_was_recorded_is_removed_unless_somebody_has_it_open(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with SqliteLog(path) as log:
        module.remove_unused(path)
        log.append([game("g-1")])
    module.remove_unused(path)
    with SqliteLog(path, read_only=True) as log:
        assert log.head.position == 1
    SqliteLog(tmp_path / "empty.db").close()
    module.remove_unused(tmp_path / "empty.db")
    assert list(tmp_path.iterdir()) == [path]


def test_a_log_whose_file_goes_while_it_is_opened_records_nothing(tmp_path: Path) -> None:
    """What it recorded went into a file without a name, and was lost when it was closed."""
    path = tmp_path / "club.db"
    opened = module.connect(path, lambda: "key")
    path.unlink()
    with pytest.raises(LogUnavailable, match="replaced or removed"):
        module.OpenFile(path).state()
    opened.close()
