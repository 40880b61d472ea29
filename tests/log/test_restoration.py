"""A backup in the place of a log: put there by `restore`, and moved there by hand."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ratingcore.errors import BrokenChain, LogUnavailable, NoSuchLog, NotALog
from ratingcore.log import SqliteLog, verify
from ratingcore.log.sqlite import restoration
from ratingcore.log.sqlite.restoration import given_up, restore
from tests.log.making import games

KILLED = """
import os, sys
from tests.log.making import games
from ratingcore.log import SqliteLog
log = SqliteLog(sys.argv[1])
for number in range(int(sys.argv[2])):
    log.append(games(int(sys.argv[3]) + number, int(sys.argv[3]) + number))
os.kill(os.getpid(), 9)
"""
"""A process that records and is killed: it leaves a write-ahead log."""

OPEN = """
import sys
from ratingcore.log import SqliteLog
log = SqliteLog(sys.argv[1])
print(log.head, flush=True)
input()
"""


def recorded(path: Path, count: int) -> None:
    with SqliteLog(path) as log:
        log.append(games(1, count))


def killed(path: Path, batches: int, first: int = 100) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(path), str(batches), str(first)], check=False)
    assert path.with_name(f"{path.name}-wal").stat().st_size


def head(path: Path) -> str:
    with SqliteLog(path, read_only=True) as log:
        return str(verify(log).head)


def found(path: Path) -> str:
    try:
        return head(path)
    except NotALog:
        return "refused"


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of `club.db`, to which a process that was killed has written since."""
    path = tmp_path / "club.db"
    recorded(path, 20)
    with SqliteLog(path) as log:
        log.backup(tmp_path / "backup.db")
    killed(path, 3)
    return tmp_path / "backup.db"


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("batches", [3, 700])
def test_a_backup_moved_beside_the_journal_of_another_file_is_refused_and_stays_whole(
    tmp_path: Path, batches: int, read_only: bool
) -> None:
    path, backup = tmp_path / "club.db", tmp_path / "backup.db"
    recorded(path, 20)
    with SqliteLog(path) as log:
        log.backup(backup)
    expected = head(backup)
    killed(path, batches)
    os.replace(backup, path)
    with pytest.raises(NotALog, match=r"a backup beside club\.db-wal, which belongs to another file") as caught:
        SqliteLog(path, read_only=read_only)
    assert "move that file away" in caught.value.hint
    os.replace(tmp_path / "club.db-wal", tmp_path / "aside")
    assert head(path) == expected


def test_the_journal_of_the_log_itself_is_read(backup: Path) -> None:
    assert head(backup.with_name("club.db")).startswith("23:")


def test_a_backup_is_opened_and_written_like_any_log(backup: Path) -> None:
    killed(backup, 2)
    assert head(backup).startswith("22:")


def test_restore_puts_a_backup_in_the_place_of_a_log_and_keeps_that_log(backup: Path) -> None:
    path, expected = backup.with_name("club.db"), head(backup)
    killed(path, 1, first=200)
    verified, replaced = restore(backup, path)
    assert replaced is not None
    assert (str(verified.head), head(path), head(backup)) == (expected,) * 3
    assert head(replaced).startswith("24:")
    with SqliteLog(path) as log:
        log.append(games(50, 50))
    assert head(path).startswith("21:")


def test_a_log_is_not_put_in_the_place_of_its_backup(tmp_path: Path) -> None:
    """`backup LOG COPY`, but `restore COPY LOG`: with the two exchanged the backup was overwritten by the log."""
    club, copy = tmp_path / "club.db", tmp_path / "copy.db"
    recorded(club, 3)
    with SqliteLog(club) as log:
        log.backup(copy)
        log.append(games(4, 5))
    before = head(copy)
    with pytest.raises(LogUnavailable, match=r"copy\.db.*it is an earlier state of club\.db"):
        restore(club, copy)
    assert head(copy) == before
    assert not list(tmp_path.glob("*.re*"))
    assert str(restore(copy, club)[0].head) == before


def test_restore_makes_a_log_that_was_lost(backup: Path) -> None:
    path = backup.with_name("club.db")
    path.unlink()
    verified, replaced = restore(backup, path)
    assert replaced is None
    assert str(verified.head) == head(path)


def test_a_second_restore_keeps_what_the_first_has_put_there(backup: Path) -> None:
    path = backup.with_name("club.db")
    restore(backup, path)
    recorded_since = path.read_bytes()
    _, replaced = restore(backup, path)
    assert replaced == path.with_name("club.db.replaced-2")
    assert replaced.read_bytes() == recorded_since


def test_restore_is_refused_while_another_process_has_the_log_open(backup: Path) -> None:
    path = backup.with_name("club.db")
    with subprocess.Popen(
        [sys.executable, "-c", OPEN, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(LogUnavailable, match="another process has it open"):
            restore(backup, path)
        process.communicate(b"\n")
    assert head(path).startswith("23:")
    assert not path.with_name("club.db.restored").exists()


def test_a_backup_that_does_not_verify_changes_nothing(backup: Path) -> None:
    path = backup.with_name("club.db")
    before = head(path)
    hand = sqlite3.connect(backup)
    hand.execute("DROP TRIGGER event_update")
    hand.execute("UPDATE event SET score = 0.5 WHERE position = 4")
    hand.commit()
    hand.close()
    with pytest.raises(BrokenChain):
        restore(backup, path)
    assert head(path) == before


def test_what_is_no_backup_is_refused(backup: Path) -> None:
    path = backup.with_name("club.db")
    with pytest.raises(NoSuchLog):
        restore(backup.with_name("none.db"), path)
    with pytest.raises(LogUnavailable, match="it is the log itself"):
        restore(path, path)
    with pytest.raises(LogUnavailable, match="it is a folder"):
        restore(backup, backup.parent)


@pytest.mark.parametrize("step", [(restoration.os, "link"), (restoration.os, "replace"), (restoration, "_part")])
@pytest.mark.parametrize("after", [False, True])
def test_a_restore_that_is_killed_anywhere_is_done_again(
    backup: Path, monkeypatch: pytest.MonkeyPatch, step: tuple[object, str], after: bool
) -> None:
    path, expected = backup.with_name("club.db"), head(backup)
    before = head(path)
    whole: Callable[..., object] = getattr(*step)

    def dying(*args: object) -> None:
        if after:
            whole(*args)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(*step, dying)
        with pytest.raises(KeyboardInterrupt):
            restore(backup, path)
    shutil.copytree(path.parent, path.parent / "killed")
    assert found(path.parent / "killed" / path.name) in {expected, before, "refused"}
    _, replaced = restore(backup, path)
    assert head(path) == expected
    assert head(path.with_name("club.db.replaced")).startswith("23:")
    assert replaced is not None


@pytest.mark.parametrize("first", [SqliteLog, sqlite3.connect])
def test_a_log_that_is_opened_twice_in_a_process_keeps_its_journal(tmp_path: Path, first: Callable[..., Any]) -> None:
    """A fixed bug: the second dropped the locks of the first, whose write-ahead log went when another process ended."""
    path = tmp_path / "club.db"
    recorded(path, 2)
    with closing(first(path)) as other:
        other.execute("SELECT 1 FROM event").fetchall() if first is sqlite3.connect else other.append(games(3, 4))
        killed(path, 1)
        with SqliteLog(path) as log:
            log.append(games(5, 6))
        subprocess.run([sys.executable, "-c", OPEN, str(path)], input=b"\n", check=True)
        assert path.with_name("club.db-wal").exists()


def test_what_a_restore_gives_up_is_counted(tmp_path: Path) -> None:
    """A log was replaced by an older backup, and the answer named only the events of the backup."""
    place, backup = tmp_path / "club.db", tmp_path / "backup.db"
    with SqliteLog(place) as log:
        log.append(games(1, 1))
        log.backup(backup)
        assert given_up(backup, place) == (0, None)
        log.append(games(2, 3))
        since = next(log.batches(1)).recorded
    assert given_up(backup, place) == (2, since)
    assert given_up(backup, tmp_path / "none.db") == given_up(place, backup) == (0, None)
    with pytest.raises(LogUnavailable, match="earlier state") as refused:
        restore(place, backup)
    assert "to go on to club.db, move backup.db away first" in refused.value.hint
