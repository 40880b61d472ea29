"""Erased names: keys and salts gone, digests as they were, and no byte left in the file or beside it."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.erasure import Erased
from ratingcore.errors import ErasureUnfinished
from ratingcore.log import SqliteLog, export_lines, load_lines, verify
from ratingcore.log.sqlite.connection import sqlite3
from tests.log.conftest import Make, Store
from tests.log.making import EVERY_KIND, game, keys, state, writer
from tests.log.workers import Workers

SECRET = "Przemysław Żółć-Ångström 名前"


def erase(log: Store, *names: str, by: str = "") -> list[int]:
    numbers = [name.id for name in log.book.names() if name.key in names]
    with log.writing():
        log.erase(numbers, by)
    return numbers


def found(folder: Path, secret: str) -> list[str]:
    """Files that hold a text."""
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and secret.encode() in path.read_bytes())


@pytest.fixture
def filled(log: Store) -> Store:
    log.append(EVERY_KIND, source="march.csv")
    return log


def test_an_erased_name_has_neither_key_nor_salt_and_every_digest_stays(filled: Store) -> None:
    before, rows = filled.head, list(filled.rows())
    digests = [name.digest for name in filled.book.names()]
    (number,) = erase(filled, "ann")
    gone = filled.book.names()[number - 1]
    assert (gone.key, gone.salt, gone.digest) == (None, None, digests[number - 1])
    assert [name.digest for name in filled.book.names()] == digests
    assert list(filled.rows()) == rows
    assert verify(filled, [before]).head == before
    assert filled.book.find("player", "ann") is None
    assert filled.book.find("player", "bo") is not None


def test_erasing_nothing_or_twice_is_nothing(filled: Store) -> None:
    before = state(filled)
    with filled.writing():
        filled.erase([])
    assert state(filled) == before
    numbers = erase(filled, "ann", "bo")
    before = state(filled)
    with filled.writing():
        filled.erase(numbers)
    assert state(filled) == before


def test_the_name_may_come_again_as_somebody_new(filled: Store) -> None:
    (number,) = erase(filled, "ann")
    filled.append([game("new", "ann", "bo")])
    assert filled.book.find("player", "ann") == len(filled.book.names()) != number
    verify(filled)


def test_an_export_of_an_erased_log_does_not_hold_the_name_and_loads(filled: Store) -> None:
    filled.append([game("x", SECRET, "bo")])
    erase(filled, SECRET)
    lines = list(export_lines(filled))
    assert not any(SECRET in line for line in lines)
    loaded = SqliteLog(":memory:")
    load_lines(loaded, lines)
    assert state(loaded) == state(filled)
    assert verify(loaded).head == filled.head


# files


@pytest.fixture
def file(sqlite_log: Make) -> SqliteLog:
    """A log that knows the secret, in ten batches that are in the write-ahead log still."""
    log = sqlite_log("club.db")
    for number in range(10):
        log.append([game(number, SECRET, f"p{number}")], source=f"{SECRET}.csv")
    assert isinstance(log, SqliteLog)
    return log


def test_no_byte_of_an_erased_name_is_left(file: SqliteLog, tmp_path: Path) -> None:
    assert found(tmp_path, SECRET) == ["club.db-wal"]
    erase(file, SECRET, f"{SECRET}.csv", by="secretary")
    assert found(tmp_path, SECRET)
    assert len(file.uncleared()) == 2
    file.clear()
    assert found(tmp_path, SECRET) == found(tmp_path, SECRET[:9]) == []
    assert file.uncleared() == ()
    verify(file)
    file.close()
    assert found(tmp_path, SECRET) == []


def test_no_byte_is_left_of_what_lay_in_free_pages(file: SqliteLog, tmp_path: Path) -> None:
    db = writer(file)
    db.execute("PRAGMA secure_delete = OFF")
    db.execute("CREATE TABLE mine (name TEXT)")
    db.executemany("INSERT INTO mine VALUES (?)", [(f"{SECRET} {n}",) for n in range(2000)])
    db.execute("DELETE FROM mine")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert found(tmp_path, SECRET) == ["club.db"]
    erase(file, SECRET, f"{SECRET}.csv")
    file.clear()
    assert found(tmp_path, SECRET) == []


def test_the_log_goes_on_after_an_erasure(file: SqliteLog, tmp_path: Path) -> None:
    erase(file, SECRET, f"{SECRET}.csv")
    file.clear()
    file.append([game("new", "ann", "p1")])
    assert verify(file).batches == 11
    with SqliteLog(file.path) as again:
        assert state(again) == state(file)
        assert "ann" in keys(again, "player")
    assert file._connections.db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert file._connections.db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_who_erased_what_and_when_is_kept_beside_the_history(file: SqliteLog) -> None:
    (number, source) = erase(file, SECRET, f"{SECRET}.csv", by="the secretary")
    kept = list(file._all("SELECT name, \"by\", cleared IS NULL, erased LIKE '2023-11-14T%Z' FROM erasure"))
    assert kept == [(number, "the secretary", 1, 1), (source, "the secretary", 1, 1)]
    file.clear()
    assert list(file._all("SELECT count(*) FROM erasure WHERE cleared IS NULL")) == [(0,)]


@pytest.fixture
def patient(file: SqliteLog) -> Iterator[SqliteLog]:
    """The same log, opened to wait for a moment only."""
    file.close()
    with SqliteLog(file.path, timeout=0.05) as log:
        yield log


def test_a_process_that_reads_is_waited_for_and_named(workers: Workers, patient: SqliteLog, tmp_path: Path) -> None:
    file = patient
    worker = workers.start("hold", str(file.path))
    assert next(iter(worker))[0] == "reading"
    numbers = erase(file, SECRET, f"{SECRET}.csv")
    with pytest.raises(ErasureUnfinished) as raised:
        file.clear()
    assert raised.value.names == tuple(numbers)
    assert "another process, or a thread of this one, is in the middle of reading it" in str(raised.value)
    assert "erase again" in raised.value.hint
    assert file.book.find("player", SECRET) is None
    assert found(tmp_path, SECRET)
    worker.stop()
    with SqliteLog(file.path) as again:  # whoever comes next can finish it
        assert again.uncleared() == tuple(numbers)
        again.clear()
    assert found(tmp_path, SECRET) == []


def test_a_process_that_writes_is_waited_for_and_named(patient: SqliteLog) -> None:
    file = patient
    erase(file, SECRET)
    other = sqlite3.connect(file.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(ErasureUnfinished, match="another process is writing"):
        file.clear()
    other.execute("ROLLBACK")
    file.clear()
    other.close()


def test_rows_that_somebody_is_still_going_through_hold_up_no_erasure(file: SqliteLog) -> None:
    erase(file, SECRET)
    rows = file.rows()
    next(rows)
    file.clear()
    assert len(list(rows)) == 9
    assert file.uncleared() == ()


def test_a_transaction_of_this_thread_is_named(file: SqliteLog) -> None:
    erase(file, SECRET)
    with file.reading(), pytest.raises(ErasureUnfinished, match="a transaction of this thread is open"):
        file.clear()
    file.clear()


def test_what_was_done_is_told_in_words() -> None:
    assert str(Erased((3,))) == "erased: (erased 3)"
    done = Erased((3, 9), 1, 2, 12, tuple(range(1, 11)), ("ann (guest)",), ("Ann Memorial",), 7)
    assert str(done).splitlines() == [
        "erased: (erased 3), (erased 9), with 1 note, with 2 sources, with 7 rows of derived tables",
        "12 events mention the player in a uid or a field, which cannot be erased: positions "
        "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...",
        "to remove this as well, record a new log from files with other uids and fields",
        "players whose names contain the name, and stay: ann (guest)",
        "pools whose names contain the name, and stay: Ann Memorial",
    ]


def test_as_many_patterns_as_a_player_has_merged_records_are_looked_for_at_once(sqlite_log: Make) -> None:
    log = sqlite_log()
    log.append([game(number) for number in range(1, 6)])
    patterns = [row.uid for row in log.rows()] + [f"nobody {number}" for number in range(2000)]
    assert [row.position for row in log.likely(patterns, 0, None)] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("part", [False, True])
def test_an_erasure_that_is_undone_leaves_the_name_to_everybody_who_looked(part: bool, filled: Store) -> None:
    """A book that all threads share learnt inside the transaction that the name is gone, and went on saying so."""
    book = filled.book
    number = filled.book.find("player", "ann")
    assert number is not None

    def erased() -> None:
        with filled.writing():
            filled.erase([number])
            assert filled.book.key(number) == f"(erased {number})"
            assert number in filled.book.erased
            assert filled.book.find("player", "ann") is None
            raise ZeroDivisionError

    with filled.writing() if part else nullcontext():
        with pytest.raises(ZeroDivisionError):
            erased()
        assert (filled.book.find("player", "ann"), filled.book.key(number)) == (number, "ann")
    for known in (book, filled.book):
        assert (known.key(number), number in known.erased) == ("ann", False)
    assert filled.append([game("again", "ann", "bo")]).accepted == 1
    assert keys(filled).count("ann") == 1
    verify(filled)


def failing(log: Store) -> None:
    with log.writing():
        log.erase([2])
        raise ZeroDivisionError


def test_an_erasure_that_fails_is_none(filled: Store) -> None:
    before, name = state(filled), filled.book.key(2)
    for outer in (nullcontext(), filled.writing()):
        with outer:
            with pytest.raises(ZeroDivisionError):
                failing(filled)
            assert filled.book.key(2) == name
    assert state(filled) == before
    assert (filled.uncleared(), filled.look().erasures) == ((), 0)


def test_other_connections_see_that_a_name_is_gone(address: Callable[[str], str]) -> None:
    with rc.open(address("club")) as engine, rc.open(address("club"), read_only=True) as reader:
        log, other = engine.log, reader.log
        engine.record(*EVERY_KIND)
        (number,) = (name.id for name in log.book.names() if (name.kind, name.key) == ("player", "ann"))
        assert other.book.key(number) == "ann"
        erase(log, "ann")
        assert other.look().erasures == log.look().erasures == 1
        assert other.book.key(number) == log.book.key(number) == f"(erased {number})"
        assert other.book.find("player", "ann") is None
        assert state(other) == state(log)
