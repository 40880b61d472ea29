"""Soundness: what is changed in the file of a log beside its chain is found by `verify`, or changes nothing."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from ratingcore.errors import BrokenChain, RatingCoreError, UnsoundLog
from ratingcore.log import SqliteLog, export_lines, load_lines, verify
from ratingcore.log.sqlite.connection import sqlite3
from ratingcore.log.sqlite.schema import ERASURE_TABLE as ERASURE
from tests.log.conftest import Make
from tests.log.making import EVERY_KIND, Clock, fill, game, state, told, writer

OLD = Path(__file__).parents[2] / "fixtures" / "logs" / "2026_11" / "club.db"


@pytest.fixture
def by_hand(sqlite_log: Make) -> Iterator[Callable[[str], SqliteLog]]:
    """Runs SQL on the file of a full log with one erased name and a cursor."""
    log = fill(sqlite_log())
    assert isinstance(log, SqliteLog)
    with log.writing():
        log.erase([log.book.number("player", "cy")], "the secretary")
    log.move_cursor("site", 0, 5)
    hand = sqlite3.connect(log.path, isolation_level=None)
    hand.execute("PRAGMA synchronous = OFF")

    def run(sql: str) -> SqliteLog:
        hand.executescript(sql)
        return log

    yield run
    hand.close()


HANDS = {
    "UPDATE log SET key = 'another'": "the key of the log differs from the one that the digests cover",
    "DELETE FROM log": "a log without its key",
    "INSERT INTO log VALUES ('second')": "the log has no key, or more than one: 2 rows in table log",
    "UPDATE log SET key = ''": "the log has no key, or more than one: 1 rows in table log",
    "UPDATE cursor SET position = 19": "the cursor of 'site' is where the log has no event: 19",
    "UPDATE cursor SET position = -1": "the cursor of 'site' is where the log has no event: -1",
    "UPDATE cursor SET position = 'x'": "the cursor of 'site' is where the log has no event: 'x'",
    "UPDATE name SET key = NULL, salt = NULL WHERE id = 1": "name 1: a pool has no text, although it cannot be erased",
    "UPDATE name SET key = NULL, salt = NULL WHERE kind = 'key'":
        "the key of the log differs from the one that the digests cover",
    "INSERT INTO erasure VALUES (1, '2024', '', NULL)": "name 1 was erased, but is still there",
    "INSERT INTO erasure VALUES (999, '2024', '', NULL)": "name 999 was erased, but is still there",
    "DROP TABLE cursor": "the table cursor is missing",
    "DROP TABLE log": "the table log is missing",
    "DROP TABLE erasure": "the table erasure is missing",
    "DROP TRIGGER event_update": "the trigger event_update is missing",
    "DROP TRIGGER batch_delete": "the trigger batch_delete is missing",
    "DROP TRIGGER event_delete; CREATE TRIGGER event_delete BEFORE DELETE ON event BEGIN SELECT 1; END":
        "the trigger event_delete differs from the one that ratingcore makes",
    "CREATE TRIGGER x AFTER INSERT ON event BEGIN DELETE FROM cursor; END":
        "the trigger x does not belong to the log, but affects its tables",
    "CREATE TABLE my (t); CREATE TRIGGER x AFTER INSERT ON my BEGIN UPDATE/**/OR IGNORE [Cursor] SET position=0; END":
        "the trigger x does not belong to the log, but affects its tables",
    "CREATE TABLE my (t); CREATE TRIGGER x AFTER INSERT ON my BEGIN SELECT '--'; UPDATE name SET salt = '/*'; END":
        "the trigger x does not belong to the log, but affects its tables",
    "CREATE TABLE my (t); CREATE TRIGGER x AFTER INSERT ON my BEGIN SELECT '/*'; DELETE FROM 'cursor'; END":
        "the trigger x does not belong to the log, but affects its tables",
    "CREATE TRIGGER x INSTEAD OF INSERT ON games BEGIN SELECT 1; END":
        "the trigger x does not belong to the log, but affects its tables",
    "CREATE UNIQUE INDEX x ON event (pool) WHERE pool > 99":
        "the index x does not belong to the log, but affects its tables",
    "DROP INDEX name_batch": "the index name_batch is missing",
    "DROP INDEX event_kind; CREATE INDEX event_kind ON event (kind)":
        "the index event_kind differs from the one that ratingcore makes",
    "DROP VIEW games": "the view games is missing",
    "DROP VIEW games; CREATE VIEW games AS SELECT 1 AS one":
        "the view games differs from the one that ratingcore makes",
    "ALTER TABLE event ADD COLUMN score2 REAL": "the table event differs from the one that ratingcore makes",
    "PRAGMA user_version = 0": "user_version of the file is 0, not 1",
    "PRAGMA application_id = 7": "application_id of the file is 7",
    "REPLACE INTO event SELECT position, uid, kind, pool, 5, \"order\", a, b, score, ref, data FROM event WHERE uid=1":
        "the chain breaks at position 6",
    "REPLACE INTO batch SELECT first, last, recorded + 1, source, digest FROM batch WHERE first = 6":
        "the chain breaks at position 6",
}  # fmt: skip


@pytest.mark.parametrize(("sql", "why"), HANDS.items(), ids=HANDS)
def test_what_is_changed_by_hand_is_found(by_hand: Callable[[str], SqliteLog], sql: str, why: str) -> None:
    assert verify(by_hand("")).bound
    with pytest.raises(RatingCoreError) as caught:
        verify(by_hand(sql))
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        (
            "UPDATE name SET key = NULL, salt = NULL WHERE key = 'ann'",
            "name 2 is erased without an entry, by an older ",
        ),
        ("DELETE FROM erasure", " is erased without an entry, by an older version or by hand"),
        (
            "DROP VIEW erased_names; DROP TABLE erasure",
            " is erased without an entry, by an older version or by hand",
        ),
        (
            "DELETE FROM erasure; UPDATE name SET key = NULL, salt = NULL WHERE key = 'ann'",
            "2 names are erased without an entry (the first is name 2), by an older version or",
        ),
    ],
)
def test_a_name_without_text_and_without_an_entry_is_remarked_on(
    by_hand: Callable[[str], SqliteLog], sql: str, said: str
) -> None:
    assert verify(by_hand("")).remarks == ()
    log = by_hand(sql)
    (remark,) = verify(log).remarks
    assert said in remark
    with log.writing():
        log.erase([log.book.number("player", "bo")])
    assert verify(log).remarks == (remark,)  # an erasure makes no entry for others


def test_an_older_log_with_erased_names_verifies_after_one_more_erasure(sqlite_log: Make) -> None:
    """A fixed false alarm: older versions loaded erased names without an entry; the next erasure made the table."""
    log = fill(sqlite_log())
    assert isinstance(log, SqliteLog)
    with log.writing():
        log.erase([log.book.number("player", "ann")])
    writer(log).execute("DROP TABLE erasure")
    writer(log).execute(ERASURE)
    with log.writing():
        log.erase([log.book.number("player", "cy")])
    (remark,) = verify(log).remarks
    assert remark.startswith("name 2 is erased without an entry")


def test_what_users_keep_in_the_file_is_theirs(by_hand: Callable[[str], SqliteLog]) -> None:
    log = by_hand(
        """CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT); CREATE INDEX by_name ON members (name);
        CREATE VIEW roll AS SELECT m.name, count(*) FROM members m JOIN events e ON e.a = m.name GROUP BY 1;
        CREATE TABLE copies (name TEXT);
        CREATE TRIGGER t AFTER INSERT ON members BEGIN INSERT INTO copies (name) VALUES (new.name); END;
        INSERT INTO members VALUES (1, 'ann'); ANALYZE"""
    )
    assert verify(log).batches == 3


def test_every_fault_has_a_line(by_hand: Callable[[str], SqliteLog]) -> None:
    log = by_hand("DROP TRIGGER event_update; UPDATE cursor SET position = 99; UPDATE log SET key = 'x'")
    with pytest.raises(UnsoundLog) as caught:
        verify(log)
    assert len(caught.value.faults) == 3
    assert str(caught.value).count("\n") == 3
    by_hand("UPDATE event SET score = 0.25 WHERE uid = '1'")
    with pytest.raises(BrokenChain) as broken:
        verify(log)
    assert str(broken.value).splitlines()[1:] == list(broken.value.besides)
    assert len(broken.value.besides) == 3


def test_an_index_that_lies_is_found(by_hand: Callable[[str], SqliteLog]) -> None:
    """A fixed bug: with one bit of the index of uids flipped, the next import counted a game twice."""
    log = by_hand("PRAGMA wal_checkpoint(TRUNCATE)")
    page, root = 4096, log._one("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_event_1'")[0]
    log.close()
    data = bytearray(log.path.read_bytes())
    at = data.index(b"g-2", (root - 1) * page)
    assert at < root * page
    data[at + 2] ^= 1
    log.path.write_bytes(data)
    with SqliteLog(log.path) as bad, pytest.raises(UnsoundLog, match="SQLite reports: row 2 missing from index"):
        verify(bad)


def test_whatever_bit_is_flipped_is_found_or_means_nothing(tmp_path: Path, sqlite_log: Make) -> None:
    log = fill(sqlite_log("whole.db"))
    assert isinstance(log, SqliteLog)
    before = state(log), told(log)
    log._connections.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole, random = log.path.read_bytes(), Random(1912)
    outcomes = {"refused": 0, "found": 0, "nothing": 0}
    path = tmp_path / "flipped.db"
    for _ in range(400):
        data = bytearray(whole)
        at = random.randrange(100) if random.random() < 0.1 else random.randrange(len(data))
        data[at] ^= 1 << random.randrange(8)
        path.write_bytes(data)
        try:
            with SqliteLog(path, read_only=True) as bad:
                try:
                    verify(bad)
                except (BrokenChain, UnsoundLog):
                    outcomes["found"] += 1
                else:
                    assert (state(bad), told(bad)) == before, at
                    outcomes["nothing"] += 1
        except RatingCoreError:
            outcomes["refused"] += 1
        for side in ("-wal", "-shm"):
            path.with_name(path.name + side).unlink(missing_ok=True)
    assert outcomes["refused"] > 20, outcomes
    assert outcomes["found"] > 30, outcomes


# the key of the log


def test_an_older_log_binds_its_key_with_the_next_batch(tmp_path: Path, make: Make) -> None:
    path = tmp_path / "old.db"
    shutil.copy(OLD, path)
    with SqliteLog(path) as log:
        old, lines = log.head, list(export_lines(log))
        assert not verify(log).bound
        copy = make(clock=Clock(2_000_000_000_000_000))  # later than the log, whatever this machine's clock says
        assert not load_lines(copy, lines).bound
        for one in (log, copy):
            one.append([game("next-1")])
            one.append([game("next-2")])
            assert verify(one, [old]).bound
        assert [name.kind for name in log.book.names()].count("key") == 1
    with sqlite3.connect(path) as hand:
        hand.execute("UPDATE log SET key = 'another'")
    hand.close()
    with SqliteLog(path) as log, pytest.raises(UnsoundLog, match="the key of the log differs"):
        verify(log)


def test_a_key_goes_with_exports_and_backups(sqlite_log: Make, make: Make, tmp_path: Path) -> None:
    log, copy = sqlite_log(), make()
    log.append(EVERY_KIND)
    load_lines(copy, export_lines(log))
    log.backup(tmp_path / "backup.db")
    with SqliteLog(tmp_path / "backup.db") as backup:
        assert copy.key == backup.key == log.key
        assert verify(copy).bound
        assert verify(backup).bound
    assert "key" not in {kind for kind in ("pool", "player", "source", "note") if log.key in log.book.keys_of(kind)}


def test_a_name_that_was_erased_before_the_export_is_erased_in_the_new_log(sqlite_log: Make) -> None:
    log, copy = fill(sqlite_log()), sqlite_log()
    with log.writing():
        log.erase([log.book.number("player", "ann")])
    load_lines(copy, export_lines(log))
    assert verify(copy).bound
    with copy.writing():
        copy.erase([copy.book.number("player", "bo")])
    assert verify(copy).bound
    assert [name.id for name in copy.book.names() if name.key is None] == [2, copy.book.names()[2].id]
