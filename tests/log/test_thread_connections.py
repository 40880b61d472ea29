"""Connections: one a thread, closed with it; none survives a fork; writers of one process and of others take turns."""

import gc
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from ratingcore.errors import LogUnavailable
from ratingcore.log import SqliteLog
from tests.log.making import game, uids


def in_thread(work: object) -> None:
    thread = threading.Thread(target=work)  # type: ignore[arg-type]  # a callable
    thread.start()
    thread.join()


def test_each_thread_reads_with_a_connection_of_its_own_that_ends_with_it(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "club.db") as log:
        seen = [log._connections.db]
        in_thread(lambda: seen.append(log._connections.db))
        in_thread(lambda: seen.append(log._connections.db))
        assert len({id(db) for db in seen}) == 3
        gc.collect()
        assert len(log._connections._readers) == 1
        for db in seen[1:]:
            with pytest.raises(Exception, match="closed database"):
                db.execute("SELECT 1")


def test_a_connection_that_reads_cannot_write(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "club.db") as log:
        with pytest.raises(Exception, match="readonly"):
            log._connections.db.execute("DELETE FROM log")
        with log.writing():
            log._connections.db.execute("INSERT INTO cursor VALUES ('a', 1)")
        assert log.cursor("a") == 1


def test_writing_inside_a_transaction_that_reads_is_refused(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "club.db") as log:
        with log.reading(), pytest.raises(LogUnavailable, match="a transaction of this thread is open"):
            log.append([game("inside")])
        with log.reading(), log.reading():
            assert log.head.position == 0
        with log.writing(), log.reading():
            assert log.head.position == 0
        log.append([game("after")])


def test_a_thread_reads_the_same_while_others_append(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "club.db") as log:
        log.append([game("one")])
        with log.reading():
            assert uids(log) == ["one"]
            in_thread(lambda: log.append([game("two")]))
            assert uids(log) == ["one"]
        assert uids(log) == ["one", "two"]


def test_threads_wait_for_one_another_only_as_long_as_they_are_told(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "club.db", timeout=0.05) as log, log.writing():
        errors: list[str] = []

        def late() -> None:
            with pytest.raises(LogUnavailable) as raised:
                log.append([game("late")])
            errors.append(raised.value.why)

        in_thread(late)
        assert errors == ["another thread has been writing for more than 0.05 s"]


def test_the_folder_of_the_process_may_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with SqliteLog("club.db") as log:
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        in_thread(lambda: log.append([game("one")]))
        heads: list[int] = []
        in_thread(lambda: heads.append(log.head.position))
        assert heads == [1]
    assert list((tmp_path / "elsewhere").iterdir()) == []


# forks

FORK = """
    import os, subprocess, sys
    from pathlib import Path
    import ratingcore as rc

    path = Path(sys.argv[1])
    def game(uid):
        return rc.GamePlayed(uid=uid, pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)

    engine = rc.open(path)
    engine.record(game("parent"))
    assert engine.rating_list("rapid", "elo").player == ("ann", "bo")
    told, tell = os.pipe()
    wait, go = os.pipe()
    child = os.fork()
    if not child:
        try:
            engine.log.head
        except rc.errors.LogUnavailable as error:
            os.write(tell, f"{error.why}; {error.hint}".encode().ljust(200))
        own = rc.open(path)
        with own.log.reading():
            assert own.log.head.position == 1
            os.write(tell, b"reading")
            os.read(wait, 1)
            assert own.log.head.position == 1
        own.record(game("child"))
        engine.close()
        own.close()
        os._exit(0)
    print(os.read(told, 200).decode().strip())
    assert os.read(told, 7) == b"reading"
    engine.record(game("parent again"))
    engine.close()
    another = "import ratingcore as rc, sys; rc.open(sys.argv[1]).close()"  # the last one to close clears up
    subprocess.run([sys.executable, "-c", another, str(path)], check=True)
    os.write(go, b"x")
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    with rc.open(path) as again:
        print(again.verify().batches, [row.uid for row, _ in again.events()])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_a_forked_process_is_told_to_open_its_own_and_loses_nothing(tmp_path: Path) -> None:
    """Without care the process that closes the file last takes away what the child is about to write, silently."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(FORK), str(tmp_path / "club.db")],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "it was opened by the process that forked this one; open it in each process",
        "0",
        "3 ['parent', 'parent again', 'child']",
    ]


SPOILT = """
    import os, sqlite3, sys, threading
    from pathlib import Path
    import ratingcore as rc

    good, newer = rc.open(Path(sys.argv[1], "good.db")), rc.open(Path(sys.argv[1], "newer.db"))
    with sqlite3.connect(Path(sys.argv[1], "newer.db")) as database:
        database.execute("PRAGMA user_version = 99")
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    game = rc.GamePlayed(uid="one", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
    def elsewhere():
        with rc.open(":memory:"):
            print(good.record(game).head.position)
    threading.Thread(target=elsewhere, daemon=True).start()
    [thread.join(20) for thread in threading.enumerate() if thread is not threading.main_thread()]
    try:
        newer.record(game)
    except rc.errors.NewerLog as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_a_log_that_cannot_be_opened_after_a_fork_stops_no_other(tmp_path: Path) -> None:
    """Once every other log of the process stayed locked, and no thread could open one."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SPOILT), str(tmp_path)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    position, refused = done.stdout.splitlines()
    assert position == "1"
    assert "log schema 99" in refused


def test_a_fork_waits_for_statements_and_leaves_transactions_alone(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "club.db") as log:
        log.append([game("one")])
        connections = log._connections
        with log.reading():
            reader, idle = connections.db, connections._writer
            connections.before_fork()
            assert idle.db is None
            assert connections.db is reader
            connections.after_fork(child=False)
            assert uids(log) == ["one"]
        log.append([game("two")])
        in_thread(lambda: log.append([game("three")]))
        assert uids(log) == ["one", "two", "three"]
