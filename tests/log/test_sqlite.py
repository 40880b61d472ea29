"""The SQLite store: several handles on one file, a full disk, and backups."""

import os
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ratingcore.errors import LogUnavailable, NotALog, UnknownUid, UnsoundLog
from ratingcore.events import ResultVoided
from ratingcore.log import SqliteLog, export_lines, load_lines, verify
from ratingcore.log.lookup import uid_at
from ratingcore.log.sqlite.connection import sqlite3
from ratingcore.log.stored_names import StoredNames
from tests.log.conftest import Make
from tests.log.making import EVERY_KIND, Salts, game, games, keys, state, told, uids, writer

# several handles


def test_a_log_that_is_opened_again_is_as_it_was(sqlite_log: Make) -> None:
    log = sqlite_log("club.db")
    log.append(EVERY_KIND, source="march.csv")
    before = state(log)
    log.close()
    again = sqlite_log("club.db")
    assert state(again) == before
    assert told(again) == list(EVERY_KIND)
    assert again.append(EVERY_KIND).duplicates == len(EVERY_KIND)


def test_every_handle_sees_what_another_has_appended(sqlite_log: Make) -> None:
    salt = Salts()
    one, two = sqlite_log("club.db", salt=salt), sqlite_log("club.db", salt=salt)
    for number in range(5):
        one.append([game(f"one-{number}", "ann", f"a{number}")], source="one.csv")
        assert state(two) == state(one)
        two.append([game(f"two-{number}", "ann", f"b{number}")], source="two.csv")
        assert state(two) == state(one)
    assert keys(one, "player") == ["ann", "a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4"]
    assert verify(one).batches == 10


def test_names_of_a_refused_batch_are_not_left_behind_for_the_next(sqlite_log: Make) -> None:
    salt = Salts()
    one, two = sqlite_log("club.db", salt=salt), sqlite_log("club.db", salt=salt)
    one.append([game(1)])
    with pytest.raises(UnknownUid):
        one.append([game(2, "never", "seen"), ResultVoided(of="nobody", why="no reason")])
    two.append([game(2, "cy", "di")])
    one.append([game(3, "di", "ed")])
    with pytest.raises(UnknownUid):
        two.append([game(4, "never", "seen"), ResultVoided(of="nobody")])
    two.append([game(4, "ed", "flo")])
    assert keys(one, "player") == keys(two, "player") == ["ann", "bo", "cy", "di", "ed", "flo"]
    assert verify(sqlite_log("club.db")).batches == 4


def test_verifying_looks_at_one_moment_while_another_appends(sqlite_log: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fixed bug: names were read before the batches, and what came between looked like a broken chain."""
    log, other = sqlite_log("club.db"), sqlite_log("club.db")
    log.append([game(1)])
    read = StoredNames.names

    def and_meanwhile(self: StoredNames, *within: int) -> object:
        found = read(self, *within)
        other.append([game(f"meanwhile-{other.head.position}", "new", f"n{other.head.position}")])
        return found

    monkeypatch.setattr(StoredNames, "names", and_meanwhile)
    assert verify(log).head.position == 1
    monkeypatch.undo()
    assert verify(log).head.position == other.head.position > 1


def test_an_export_ends_at_one_moment_while_another_appends(sqlite_log: Make) -> None:
    log, other, copy = sqlite_log("club.db"), sqlite_log("club.db"), sqlite_log("copy.db")
    log.append(games(1, 40))
    head = log.head
    lines = []
    for line in export_lines(log):
        lines.append(line)
        if len(lines) % 10 == 0:
            other.append([game(f"meanwhile-{len(lines)}", f"n{len(lines)}", "bo")])
    assert load_lines(copy, lines).head == head
    assert verify(log, [head]).batches == 1 + len(lines) // 10


def test_a_log_may_be_closed_while_someone_is_reading(sqlite_log: Make) -> None:
    log = sqlite_log()
    log.append(games(1, 10))
    readers = [log.rows(), log.batches(), export_lines(log)]
    for reader in readers:
        next(reader)
    log.close()
    del readers, reader


# a full disk


@contextmanager
def few_pages(log: SqliteLog, more: int) -> Iterator[None]:
    """Allow the file only so many pages more."""
    pages = writer(log).execute("PRAGMA page_count").fetchone()[0]
    writer(log).execute(f"PRAGMA max_page_count = {pages + more}")
    try:
        yield
    finally:
        writer(log).execute("PRAGMA max_page_count = 1073741823")


@contextmanager
def small_files(log: SqliteLog, more: int) -> Iterator[None]:
    """Let no file of this process grow beyond what the log's write-ahead log has, and so many bytes more."""
    size = log.path.with_name(log.path.name + "-wal").stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + more, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("more", [0, 1, 3, 10])
def test_a_full_disk_leaves_the_log_as_it_was_and_usable(sqlite_log: Make, more: int) -> None:
    log = sqlite_log("club.db")
    assert isinstance(log, SqliteLog)
    log.append(games(1, 500))
    before = state(log)
    with few_pages(log, more):
        for _ in range(2):
            with pytest.raises(LogUnavailable, match=r"cannot use .*club\.db: the disk is full") as caught:
                log.append(games(501, 5000), source="big.csv")
            assert "make room" in caught.value.hint
            assert state(log) == before
            assert verify(log).batches == 1
            assert log.append(games(1, 500)).duplicates == 500
    assert log.append(games(400, 5000), source="small.csv").accepted == 4500
    assert uids(log) == [str(number) for number in range(1, 5001)]
    assert verify(sqlite_log("club.db")).batches == 2


@pytest.mark.parametrize("more", [0, 5000, 50_000])
def test_a_disk_that_fills_up_at_the_commit_leaves_the_log_as_it_was(sqlite_log: Make, more: int) -> None:
    """A fixed bug: after a failed commit, names of that batch were taken for names of the file."""
    log = sqlite_log("club.db")
    assert isinstance(log, SqliteLog)
    log.append(games(1, 100))
    before = state(log)
    with small_files(log, more):
        for _ in range(2):
            with pytest.raises(LogUnavailable, match="the disk"):
                log.append(games(101, 3000), source="big.csv")
            assert state(log) == before
    log.append([game("after", "p101", "someone")])
    assert keys(log)[-2:] == ["p101", "someone"]
    assert verify(log).batches == 2
    other = sqlite_log("club.db")
    assert state(other) == state(log)
    assert other.append(games(50, 3000)).accepted == 2900
    assert verify(log).batches == 3


def test_a_disk_that_is_full_refuses_a_load_whole(sqlite_log: Make) -> None:
    log, copy = sqlite_log(), sqlite_log("copy.db")
    assert isinstance(copy, SqliteLog)
    for first in range(1, 2000, 200):
        log.append(games(first, first + 199))
    lines, before = list(export_lines(log)), state(copy)
    with few_pages(copy, 20), pytest.raises(LogUnavailable, match="the disk is full"):
        load_lines(copy, lines)
    assert state(copy) == before
    assert load_lines(copy, lines).head == log.head
    assert state(copy) == state(log)


# backups


def test_a_backup_is_the_log(sqlite_log: Make, tmp_path: Path) -> None:
    log = sqlite_log()
    assert isinstance(log, SqliteLog)
    log.append(EVERY_KIND, source="march.csv")
    log.backup(tmp_path / "backup.db")
    assert not list(tmp_path.glob("backup.db-*"))
    copy = sqlite_log("backup.db")
    assert state(copy) == state(log)
    assert verify(copy, [log.head]).batches == 1
    copy.append([game("only here")])
    assert log.head.position == len(EVERY_KIND)


def test_a_backup_takes_the_place_of_an_older_one(sqlite_log: Make, tmp_path: Path) -> None:
    log = sqlite_log()
    assert isinstance(log, SqliteLog)
    for number in range(3):
        log.append(games(number * 1000, number * 1000 + 900))
        log.backup(tmp_path / "backup.db")
    with SqliteLog(tmp_path / "backup.db", read_only=True) as copy:
        assert state(copy) == state(log)


def test_a_backup_that_fails_leaves_no_file_behind(sqlite_log: Make, tmp_path: Path) -> None:
    log = sqlite_log()
    log.append(EVERY_KIND)
    log.close()
    with pytest.raises(LogUnavailable, match="closed"):
        log.backup(tmp_path / "backup.db")
    assert not (tmp_path / "backup.db").exists()


def test_a_log_that_is_only_read_can_be_backed_up(sqlite_log: Make, tmp_path: Path) -> None:
    log = sqlite_log()
    assert isinstance(log, SqliteLog)
    log.append(EVERY_KIND)
    with SqliteLog(log.path, read_only=True) as reader:
        reader.backup(tmp_path / "backup.db")
    assert state(sqlite_log("backup.db")) == state(log)


@pytest.mark.parametrize(
    ("place", "error", "why"),
    [
        ("club.db", LogUnavailable, "cannot use {}: it is the log itself"),
        ("other/../club.db", LogUnavailable, "cannot use {}: it is the log itself"),
        ("other", LogUnavailable, "cannot use {}: it is a folder"),
        ("missing/backup.db", LogUnavailable, "cannot use {}: it cannot be opened"),
        ("notes.txt", NotALog, "not a ratingcore log: {} is not a SQLite file"),
        ("precious.db", NotALog, "not a ratingcore log: {} is a SQLite file of another program"),
    ],
)
def test_a_backup_that_would_do_harm_is_refused(
    sqlite_log: Make, tmp_path: Path, place: str, error: type[Exception], why: str
) -> None:
    log = sqlite_log("club.db")
    assert isinstance(log, SqliteLog)
    log.append(games(1, 10))
    before = state(log)
    (tmp_path / "other").mkdir()
    (tmp_path / "notes.txt").write_text("not to be lost\n" * 100)
    precious = sqlite3.connect(tmp_path / "precious.db", isolation_level=None)
    precious.execute("CREATE TABLE precious AS SELECT 'not to be lost' AS what")
    with pytest.raises(error) as caught:
        log.backup(tmp_path / place)
    assert str(caught.value) == why.format(tmp_path / place)
    assert (tmp_path / "notes.txt").read_text() == "not to be lost\n" * 100
    assert precious.execute("SELECT what FROM precious").fetchall() == [("not to be lost",)]
    precious.close()
    assert state(log) == before
    assert verify(log).batches == 1


def test_a_backup_on_a_full_disk_is_refused(sqlite_log: Make, tmp_path: Path) -> None:
    log = sqlite_log("club.db")
    assert isinstance(log, SqliteLog)
    log.append(games(1, 2000))
    log.backup(tmp_path / "backup.db")
    log.append(games(2001, 6000))
    small = _limited(tmp_path / "backup.db")
    with small, pytest.raises(LogUnavailable, match=r"cannot use .*backup\.db: the disk"):
        log.backup(tmp_path / "backup.db")
    with SqliteLog(tmp_path / "backup.db", read_only=True) as copy:
        assert verify(copy).head.position == 2000  # the backup of before is still one
    log.backup(tmp_path / "backup.db")


@contextmanager
def _limited(path: Path) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 8192, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_values_that_are_no_text_any_more_are_told(sqlite_log: Make) -> None:
    log = sqlite_log("club.db")
    assert isinstance(log, SqliteLog)
    log.append([game(1)])
    hand = sqlite3.connect(log.path, isolation_level=None)
    hand.execute("DROP TRIGGER event_update")
    hand.execute("UPDATE event SET uid = CAST(x'ff' AS TEXT)")
    hand.close()
    read: list[Callable[[], object]] = [lambda: verify(log), lambda: list(log.rows()), lambda: uid_at(log, 1)]
    for call in read:
        with pytest.raises((NotALog, UnsoundLog), match=r"club\.db is a damaged SQLite file"):
            call()


def test_a_log_without_a_clock_takes_the_time_of_the_day() -> None:
    log = SqliteLog(":memory:")
    before = time.time_ns() // 1000
    log.append([game(1)])
    (batch,) = log.batches()
    assert before <= batch.recorded <= time.time_ns() // 1000


def test_every_name_and_every_log_gets_a_secret_of_its_own() -> None:
    logs = [SqliteLog(":memory:"), SqliteLog(":memory:")]
    for log in logs:
        log.append([game(1)])
    secrets = {log.key for log in logs} | {name.salt for log in logs for name in log.book.names()}
    assert len(secrets) == 2 + 2 * 4  # two players, a pool, and the key that digests cover
    assert all(len(secret or "") == 32 for secret in secrets)
    assert logs[0].head.digest != logs[1].head.digest


# in memory


def test_threads_that_read_a_log_in_memory_wait_for_the_one_that_writes() -> None:
    log, heads = SqliteLog(":memory:"), list[int]()
    reader = threading.Thread(target=lambda: heads.append(log.head.position))
    with log.writing():
        log.append([game(1)])
        reader.start()
        reader.join(0.1)
        assert reader.is_alive()
        log.append([game(2)])
    reader.join()
    assert heads == [2]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_a_fork_copies_a_log_in_memory_and_both_go_on_apart() -> None:
    log = SqliteLog(":memory:")
    log.append([game(1)])
    child = os.fork()
    if not child:
        log.append([game(2)])
        os._exit(log.head.position)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
    assert log.head.position == 1
    log.append([game(3)])
    assert verify(log).head.position == 2
