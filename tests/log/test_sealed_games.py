"""A log whose games are sealed answers as one of rows; whatever is changed in the file is seen."""

import json
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from ratingcore.errors import BadTransfer, BrokenChain, Conflict, LogError, LogUnavailable, NewerLog, UnsoundLog
from ratingcore.events import PlayersMerged, ResultAmended, ResultVoided
from ratingcore.log import Head, Log, SqliteLog, uid_runs, verify
from ratingcore.log.abilities import likely
from ratingcore.log.append import UidTwice
from ratingcore.log.segments import COLUMNS, HASH_BITS, LEAST, Segment
from ratingcore.log.sqlite.connection import sqlite3
from ratingcore.log.transfer import export_lines, load_lines
from ratingcore.registry.stores import address_of, open_log
from tests.log.conftest import Hand, Make, SqliteHand, Store
from tests.log.making import fails, game, games, state, writer
from tests.log.sealing import seal, season
from tests.log.workers import Workers

Stranger = Callable[[Log], Hand]


def reopened(log: Log, *, read_only: bool = False) -> Any:
    """A log opened again at its address, as another process does."""
    assert log.address is not None
    return open_log(log.address, read_only=read_only)


def both(make: Make) -> tuple[Any, Any]:
    """A log with sealed games, and one with the same games in rows."""
    sealed, rows = make(), make()
    for log, add in ((sealed, seal), (rows, lambda log, games: log.append(games))):
        log.append(games(1, 5))
        add(log, season(0))
        log.append([game("late", "p1", "new", played="2021-01-01"), game("s-1", data={"points_a": 3})])
        log.append(
            [ResultVoided(uid="v-1", of=season(0)[9].uid, why="x"), PlayersMerged(uid="m-1", keep="p1", other="q1")]
        )
        add(log, season(LEAST, LEAST + 7))
        log.append([ResultAmended(uid="a-1", of=season(LEAST)[3].uid, changes={"score": 0.25, "b": "p9"})])
    return sealed, rows


def test_every_question_has_the_same_answer(make_on_disk: Make) -> None:
    one, other = both(make_on_disk)
    every, pool = list(other.rows()), other.book.number("pool", "rapid")
    assert list(one.rows()) == every
    end, random = len(every), Random(1)
    assert verify(one).batches == verify(other).batches == 6
    for _ in range(20):
        after, to = sorted(random.sample(range(end + 3), 2))
        for asked in (
            (after, to),
            (after,),
            (after, to, ("game",)),
            (after, to, ("game", "void"), pool),
            (0, to, (), 99),
        ):
            assert list(one.rows(*asked)) == list(other.rows(*asked))
        players = random.sample(range(1, 50), 3)
        assert list(one.rows(after, to, (), None, players)) == list(other.rows(after, to, (), None, players))
        positions = random.sample(range(end + 9), 30)
        assert list(one.rows_at(positions)) == list(other.rows_at(positions))
        for mine, theirs in zip(one.games(pool, after, to), other.games(pool, after, to), strict=True):
            assert (mine.dtype, mine.tobytes()) == (theirs.dtype, theirs.tobytes())
        uids = [every[at].uid for at in random.sample(range(end), 9)] + ["none", "é", "", "a\nb", "\0"]
        assert one.find(uids) == other.find(uids)
        first = every[random.randrange(end)].uid[:3]
        assert list(one.rows_between(first, f"{first}~")) == list(other.rows_between(first, f"{first}~"))
    assert one.find([row.uid for row in every]) == other.find([row.uid for row in every])
    assert list(one.rows_between("late", "latf")) == list(other.rows_between("late", "latf"))
    assert list(one.rows_between("", "~")) == list(other.rows_between("", "~"))
    assert dict(one.fields(pool, "points_a", 0, end)) == dict(other.fields(pool, "points_a", 0, end))
    many = "%".join("%s-0123456789drop table")  # with every place of each letter tried, this took minutes
    for pattern in ("%000%A", every[20].uid.upper(), "s_1", "%99_%", "%s%%-%9", many):
        assert list(likely(one, [pattern], 3, end)) == list(likely(other, [pattern], 3, end))
    assert [batch[:4] for batch in one.batches()] == [batch[:4] for batch in other.batches()]


def test_the_largest_hash_of_an_id_is_found() -> None:
    """The first key behind it does not fit into 64 bits."""
    hashes = np.array([0, 7, 2**HASH_BITS - 2, 2**HASH_BITS - 1])
    keys = uid_runs.keys_of(hashes, 3)
    assert uid_runs.with_hash(keys, hashes[[1, 3]]).tolist() == keys[[1, 3]].tolist()
    assert [part.tolist() for part in uid_runs.slices(keys, 3)] == [keys[:3].tolist(), keys[3:].tolist()]
    assert uid_runs.within(keys, 7, 2**HASH_BITS).tolist() == keys[1:].tolist()


def test_names_that_an_older_process_wrote_as_texts_are_whole(make_on_disk: Make) -> None:
    """A process of before kept the log open: verifying it reported a broken chain, and it was not exported."""
    log: Any = make_on_disk()
    log.append(games(1, 5))
    seal(log, season(0))
    log.append([game("late", "p1", "new", played="2021-01-01")])
    if not isinstance(log, SqliteLog):
        pytest.skip("names of other logs are always texts")
    with closing(sqlite3.connect(log.path)) as file, file:
        assert file.execute("SELECT max(typeof(digest)) FROM name WHERE key = 'new'").fetchone() == ("blob",)
        file.execute("UPDATE name SET salt = lower(hex(salt)), digest = lower(hex(digest)) WHERE key = 'new'")
    assert verify(reopened(log)).batches == 3


@pytest.fixture(params=[2**24, 1], ids=["indexed at the end", "indexed at once"])
def indexed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the ids of sealed games are indexed: at the end of a transaction, or, being many, before."""
    monkeypatch.setattr("ratingcore.log.sealed_log.TOGETHER", request.param)
    monkeypatch.setattr("ratingcore.log.sealed_log._SLICE", 1000)


@pytest.mark.usefixtures("indexed")
def test_ids_are_unique_over_rows_and_segments(make_on_disk: Make) -> None:
    one, _ = both(make_on_disk)
    before, taken = state(one), season(0)[70]
    assert one.append([taken]).duplicates == 1
    assert one.append(season(0)[50:90]).duplicates == 40
    with pytest.raises(Conflict):
        one.append([game(taken.uid, "somebody", "else")])
    for again in (season(LEAST - 1), [*season(10**6)[:-1], game("late")], [*season(10**6)[:-1], season(10**6)[0]]):
        with pytest.raises(UidTwice):
            seal(one, again)
        assert state(one) == before
    with one.writing():
        seal(one, season(10**6))
        assert one.append([season(10**6)[5]]).duplicates == 1
        undone(one, lambda: [seal(one, season(2 * 10**6)), one.find([season(2 * 10**6)[0].uid])])
        assert not one.find([season(2 * 10**6)[0].uid])
    seal(one, season(2 * 10**6))
    assert one.find([season(2 * 10**6)[0].uid])
    assert verify(one)


def undone(log: Any, work: Callable[[], list[object]]) -> None:
    """Does something in a transaction that is undone; what it gives is not empty."""

    def fail() -> None:
        with log.writing():
            assert work()[-1]
            raise ZeroDivisionError

    fails(ZeroDivisionError, fail)


def test_what_is_undone_leaves_a_log_of_rows(make_on_disk: Make) -> None:
    log = make_on_disk()
    log.append(games(1, 5))
    before = state(log)
    undone(log, lambda: [seal(log, season(0)), list(log.rows(LEAST))])
    assert state(log) == before
    assert verify(log)
    assert not log._has_segments()


def test_ids_with_one_hash_are_kept_apart(make_on_disk: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def few(uids: np.ndarray, key: str) -> np.ndarray:
        return np.array([len(uid) * 1000 + uid[0] for uid in uids.tolist()], np.int64)

    for module in ("ratingcore.log.sealed_rows", "ratingcore.log.sealed_log", "ratingcore.log.verify"):
        monkeypatch.setattr(sys.modules[module], "hashes", few)
    monkeypatch.setattr("ratingcore.log.sealed_log._SLICE", 100)
    one, other = both(make_on_disk)
    uids = [row.uid for row in other.rows()][::17]
    assert one.find(uids) == other.find(uids)
    assert one.append([season(0)[3]]).duplicates == 1
    with pytest.raises(UidTwice):
        seal(one, season(LEAST - 1))
    assert verify(one)


@pytest.mark.parametrize(
    ("what", "order"),
    [
        ("the file again", range(2 * LEAST)),
        ("cut in a segment", range(9, 2 * LEAST)),
        ("a row came in between", [*range(LEAST + 9), -1, *range(LEAST + 9, 2 * LEAST)]),
        ("a row is gone", [*range(9), *range(10, 2 * LEAST)]),
        ("a row is there twice", [*range(LEAST + 3), 7, *range(LEAST + 3, 2 * LEAST)]),
        ("backwards", range(2 * LEAST - 1, -1, -1)),
        ("new rows first", [-1, *range(2 * LEAST)]),
    ],
)
def test_ids_of_sealed_games_are_found_in_any_order(make_on_disk: Make, what: str, order: Sequence[int]) -> None:
    log: Any = make_on_disk()
    log.append(games(1, 5))
    for first in (0, LEAST):
        seal(log, season(first))
    start = log.head.position - 2 * LEAST + 1
    uids = np.array(["unknown" if at < 0 else season(0, 2 * LEAST)[at].uid for at in order], np.bytes_)
    found = list[tuple[int, int]]()
    for places, part, there in log.sealed_with(uids):
        found += zip(places.tolist(), (part.first + there).tolist(), strict=True)
    assert sorted(found) == [(place, start + at) for place, at in enumerate(order) if at >= 0], what


@pytest.mark.parametrize(("largest", "most"), [(2**26, 4), (3 * LEAST, 5), (LEAST, 9)])
def test_runs_of_ids_are_merged_by_size(
    make_on_disk: Make, largest: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uid_runs, "LARGEST", largest)
    log = make_on_disk()
    log.append(games(1, 5))
    for number in range(9):
        seal(log, season(number * LEAST))
    runs = [size for (size,) in log._all("SELECT sum(length(keys)) / 8 FROM uid_run GROUP BY run")]
    assert sum(runs) == 9 * LEAST
    assert len(runs) <= most
    assert max(runs) <= largest
    some = [one.uid for one in season(0, 9 * LEAST)][::50]
    assert {*log.find(some)} == {*some}
    assert {*log.find(some[:3])} == {*some[:3]}


def test_an_export_loads_with_the_same_digests(make_on_disk: Make) -> None:
    one, _ = both(make_on_disk)
    lines = list(export_lines(one))
    with make_on_disk() as again:
        verified = load_lines(again, lines)
        assert verified.head == one.head
        assert state(again) == state(one)
        assert verify(again)
        assert again._one("SELECT count(*) FROM segment") == (2,)
        for position in (5, 9, LEAST, LEAST + 5, LEAST + 8, 2 * LEAST):
            assert again.digest_at(position) == one.digest_at(position)


@pytest.mark.usefixtures("indexed")
@pytest.mark.parametrize("again", ["row before", "row after", "other segment", "same segment"])
def test_an_export_with_an_id_twice_is_refused(make_on_disk: Make, again: str, monkeypatch: pytest.MonkeyPatch) -> None:
    uid = season(0)[9].uid
    with make_on_disk() as forged, monkeypatch.context() as patch:
        for check in ("_check_unique", "_check_rows", "_check_taken"):
            patch.setattr(type(forged), check, lambda *given: None)
        patch.setattr("ratingcore.log.sealed_log.repeated", lambda *given: "")
        forged.append([game(uid if again == "row before" else "first")])
        seal(forged, [*season(0)[:-1], game(uid)] if again == "same segment" else season(0))
        if again == "row after":
            patch.setattr(type(forged), "find", lambda *given: {})
            forged.append([game(uid)])
        if again == "other segment":
            seal(forged, [*season(LEAST), game(uid)])
        lines = list(export_lines(forged))
        patch.undo()
        with pytest.raises(UnsoundLog, match=f"{uid} occurs twice"):
            verify(forged)
    with make_on_disk() as log:
        with pytest.raises(BadTransfer, match=uid):
            load_lines(log, lines)
        assert log.head.position == 0


def test_every_cut_within_a_segment_is_an_anchor(make_on_disk: Make) -> None:
    one, _ = both(make_on_disk)
    cuts = [Head(position, one.digest_at(position)) for position in (1, 5, 6, 700, LEAST + 5, LEAST + 12, 2 * LEAST)]
    assert len({cut.digest for cut in cuts}) == len(cuts)
    with reopened(one, read_only=True) as again:
        assert verify(again, cuts).anchors == len(cuts)


def test_the_digests_are_those_of_a_file(sqlite_log: Make, stored: Store) -> None:
    one = sqlite_log()
    for log in (one, stored):
        log.append(games(1, 5))
        seal(log, season(0), "an archive")
        seal(log, season(LEAST))
    assert stored.head == one.head
    assert state(stored) == state(one)


def test_every_store_loads_an_export_and_knows_its_cuts(make_on_disk: Make, stored: Store) -> None:
    one, _ = both(make_on_disk)
    load_lines(stored, export_lines(one))
    assert stored.head == one.head
    cuts = [Head(position, one.digest_at(position)) for position in (3, 5, 6, 999, LEAST + 5, LEAST + 20)]
    assert verify(stored, cuts).anchors == len(cuts)
    assert list(stored.rows()) == list(one.rows())
    assert list(export_lines(stored)) == list(export_lines(one))
    assert stored.append([season(0)[7], game("further")]).accepted == 1


# crashes


def test_a_writer_that_is_killed_while_it_seals_loses_and_tears_nothing(
    workers: Workers, address: Callable[[str], str]
) -> None:
    place, chance, done = address("club"), Random(1), list[Head]()
    for _ in range(8):
        writer, deadline = workers.start("seal_for_ever", place), time.monotonic() + 60
        for word, _, *facts in writer:
            if word == "done":
                done.append(Head(*facts))
                deadline = min(deadline, time.monotonic() + chance.random() * 0.1)
            if time.monotonic() >= deadline or chance.random() < 0.2:
                time.sleep(chance.random() * 0.03)
                writer.kill()
        with open_log(address_of(place)) as log:
            assert log.head.position % (LEAST + 1) == 0
            assert verify(log, done).anchors == len(done)
    assert done


@pytest.mark.parametrize("more", [0, 1, 5, 20, 40])
def test_a_full_disk_leaves_the_log_as_it_was(sqlite_log: Make, more: int) -> None:
    log = sqlite_log()
    log.append(games(1, 500))
    for first in (0, LEAST):
        before, pages = state(log), log._one("PRAGMA page_count")[0]
        writer(log).execute(f"PRAGMA max_page_count = {pages + more}")
        with pytest.raises(LogUnavailable, match="the disk is full"):
            seal(log, season(first, 4 * LEAST))
        writer(log).execute("PRAGMA max_page_count = 1073741823")
        assert state(log) == before
        assert verify(log)
        seal(log, season(first))
    assert verify(log)


def test_a_transaction_that_is_interrupted_at_any_step_leaves_the_log_as_it_was(sqlite_log: Make) -> None:
    log, done, step = sqlite_log(), False, 0
    log.append(games(1, 5))
    before = state(log)
    while not done:
        step += 1
        left = iter(range(step))
        writer(log).set_trace_callback(lambda sql, left=left: next(left, None) is None and writer(log).interrupt())
        try:
            seal(log, season(0))
            done = True
        except sqlite3.OperationalError:
            assert state(log) == before
        finally:
            writer(log).set_trace_callback(None)
    assert step > 20
    assert verify(log)


# attacks: by somebody with the file


Change = Callable[[Hand], object]


def tampered(hand: Hand, change: Change) -> None:
    """Changes the database past the log, whose triggers are as before afterwards."""
    with closing(hand), hand.unguarded():
        change(hand)


def of_body(column: str, change: Callable[[bytes], object]) -> Change:
    """Another body of a column."""

    def tamper(hand: Hand) -> None:
        ((body,),) = hand(f"SELECT {column} FROM segment WHERE number = 1")
        hand(f"UPDATE segment SET {column} = %s WHERE number = 1", change(body))

    return tamper


def flip(column: str, at: int) -> Change:
    def change(body: bytes) -> bytes:
        forged = bytearray(body)
        forged[at % len(body)] ^= 4
        return bytes(forged)

    return of_body(column, change)


def resealed(change: Callable[[dict[str, np.ndarray]], object]) -> Change:
    """Other games in a segment, packed as they should be."""

    def tamper(hand: Hand) -> None:
        sql = f"SELECT first, last, pool, {', '.join(COLUMNS)} FROM segment WHERE number = 1"
        ((first, last, pool, *bodies),) = hand(sql)
        one = Segment.unpacked(first, last, pool, dict(zip(COLUMNS, bodies, strict=True)))
        columns = {name: column.copy() for name, column in one.columns().items()}
        change(columns)
        for name, body in evolve(one, **columns).packed().items():
            hand(f"UPDATE segment SET {name} = %s WHERE number = 1", body)

    return tamper


def run(*statements: str) -> Change:
    return lambda hand: [hand(sql) for sql in statements]


def without_keys(hand: Hand) -> None:
    for run, low, size in hand("SELECT run, low, length(keys) FROM uid_run"):
        hand("UPDATE uid_run SET keys = %s WHERE run = %s AND low = %s", bytes(size), run, low)


def of_other_letters(hand: Hand) -> None:
    other = "CAST(letters AS BLOB)" if isinstance(hand, SqliteHand) else "letters || 'é'"
    hand(f"UPDATE segment SET letters = {other} WHERE number = 1")


OF_ROWS = """DO $$BEGIN
    UPDATE log SET schema = 1;
    EXECUTE format('COMMENT ON SCHEMA %I IS %L', current_schema, 'a log of ratingcore, schema 1');
END$$"""


def as_of_rows(hand: Hand) -> None:
    hand("PRAGMA user_version = 1" if isinstance(hand, SqliteHand) else OF_ROWS)


def reindexed(change: Callable[[np.ndarray], np.ndarray]) -> Change:
    """Other keys in the newest chunk of the index, which stays filed under its first key."""

    def tamper(hand: Hand) -> None:
        ((run, low, body),) = hand("SELECT run, low, keys FROM uid_run ORDER BY run DESC, low DESC LIMIT 1")
        keys = change(np.frombuffer(body, "<i8").copy())
        sql = "UPDATE uid_run SET low = %s, keys = %s WHERE run = %s AND low = %s"
        hand(sql, int(keys[0]), keys.tobytes(), run, low)

    return tamper


def of_names(column: str, change: Callable[[Any], object]) -> Change:
    """Another cell in the newest name, which may be stored in bytes."""

    def tamper(hand: Hand) -> None:
        ((number, cell),) = hand(f"SELECT id, {column} FROM name ORDER BY id DESC LIMIT 1")
        changed = change(bytes.fromhex(cell) if isinstance(cell, str) else cell)
        changed = changed.hex() if isinstance(cell, str) and isinstance(changed, bytes) else changed
        hand(f"UPDATE name SET {column} = %s WHERE id = %s", changed, number)

    return tamper


IN_PLACE = """UPDATE segment SET first = -first, last = -last;
    UPDATE segment SET (first, last) = (SELECT -o.first, -o.last FROM segment o WHERE o.number = 3 - segment.number)
    WHERE number = 1;
    UPDATE segment SET (first, last) = ({0}, {1}) WHERE number = 2"""
"""Exchanges the positions of two segments."""
EXCHANGED = """UPDATE segment SET score = (SELECT score FROM segment o WHERE o.number = 3 - segment.number)"""

COPIED = """INSERT INTO segment SELECT 9, first + {0}, last + {0}, pool, letters, played, a, b, score, uid FROM segment
    WHERE number = 1"""
A_ROW = """INSERT INTO event SELECT 9, 'x', kind, pool, played, 0, a, b, 0.5, ref, data FROM event WHERE position = 1"""

ATTACKS = {
    **{f"bit of {name} at {at}": flip(name, at) for name in ("played", "a", "score", "uid") for at in (0, 4, 99, -3)},
    "bodies exchanged": run(EXCHANGED),
    "columns exchanged": run("UPDATE segment SET a = b, b = a WHERE number = 1"),
    "a score changed": resealed(lambda columns: columns["score"].__setitem__(7, 1.0 - columns["score"][7] / 2)),
    "an id changed": resealed(lambda columns: columns["uid"].__setitem__(7, b"0000001z")),
    "a player changed": resealed(lambda columns: columns["a"].__setitem__(7, 1)),
    "cut short": run("UPDATE segment SET last = last - 1 WHERE number = 1"),
    "moved": run("UPDATE segment SET first = first + 1, last = last + 1 WHERE number = 1"),
    "of another pool": run("UPDATE segment SET pool = 2 WHERE number = 1"),
    "lying letters": run("UPDATE segment SET letters = 'xyz' WHERE number = 1"),
    "a letter missing": run("UPDATE segment SET letters = substr(letters, 2) WHERE number = 1"),
    "a letter too many": run("UPDATE segment SET letters = letters || '~' WHERE number = 1"),
    "letters in another order": run("UPDATE segment SET letters = substr(letters, 2) || substr(letters, 1, 1)"),
    "letters of another type": of_other_letters,
    "places exchanged": run(*IN_PLACE.format(6, LEAST + 5).split(";")),
    "a body that is text": run("UPDATE segment SET a = 'text' WHERE number = 1"),
    "an empty body": of_body("a", lambda body: b""),
    "bytes after a body": of_body("a", lambda body: body + b"\0"),
    "deleted": run("DELETE FROM segment WHERE number = 1"),
    "all deleted": run("DELETE FROM segment", "DELETE FROM uid_run"),
    "numbers exchanged": run("UPDATE segment SET number = 7 WHERE number = 1"),
    "stray after the head": run(COPIED.format(100_000)),
    "overlapping": run(COPIED.format(1)),
    "a row at its positions": run(A_ROW),
    "its ids not indexed": run("DELETE FROM uid_run"),
    "a chunk misfiled": run("UPDATE uid_run SET low = low + 1"),
    "keys out of order": reindexed(lambda keys: keys[[0, *range(len(keys) - 1, 0, -1)]]),
    "a key too many": reindexed(lambda keys: np.append(keys, keys[-1])),
    "a key missing": reindexed(lambda keys: keys[:-1]),
    "a key of another id": reindexed(lambda keys: keys + (np.arange(len(keys)) == 9)),
    "an index twice": run("INSERT INTO uid_run SELECT run + 100, low, keys FROM uid_run"),
    "a salt changed": of_names("salt", lambda salt: bytes([salt[0] ^ 1]) + salt[1:]),
    "a salt cut": of_names("salt", lambda salt: salt[:-1]),
    "a digest of a name changed": of_names("digest", lambda digest: bytes([digest[0] ^ 1]) + digest[1:]),
    "a digest of a name that is no digest": of_names("digest", lambda digest: "x" * 64),
    "a name in another batch": of_names("batch", lambda batch: batch - 1),
    "a name of another player": run("UPDATE name SET key = 'somebody' WHERE id = (SELECT max(id) FROM name)"),
    "a name deleted": run("DELETE FROM name WHERE id = (SELECT max(id) FROM name)"),
    "an index of zeros": without_keys,
    "a row with one of its ids": run(f"UPDATE event SET uid = '{season(0)[5].uid}' WHERE position = 1"),
    "version of rows": as_of_rows,
    "table dropped": run("DROP TABLE segment"),
    "index dropped": run("DROP TABLE uid_run"),
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_is_changed_in_the_database_is_seen(make_on_disk: Make, stranger: Stranger, attack: str) -> None:
    log = make_on_disk()
    log.append(games(1, 5))
    seal(log, season(0))
    log.append(games(6, 9))
    seal(log, season(LEAST))
    log.append(games(10, 12))
    assert verify(log)
    tampered(stranger(log), ATTACKS[attack])
    with reopened(log) as again, pytest.raises((BrokenChain, UnsoundLog)):
        verify(again)


@pytest.mark.parametrize("attack", ["deleted", "bit of a at 99", "bodies exchanged", "columns exchanged", "cut short"])
def test_no_list_is_made_over_a_hole_or_damage(make_on_disk: Make, stranger: Stranger, attack: str) -> None:
    one, _ = both(make_on_disk)
    pool = one.book.number("pool", "rapid")
    tampered(stranger(one), ATTACKS[attack])
    with reopened(one) as again, pytest.raises(LogError):
        again.games(pool, 0, again.head.position)


def test_an_id_in_a_segment_that_is_missing_is_not_found(make_on_disk: Make, stranger: Stranger) -> None:
    one, other = both(make_on_disk)
    tampered(stranger(one), ATTACKS["deleted"])
    uids = [row.uid for row in other.rows()]
    with reopened(one) as again:
        assert len(again.find(uids)) == len(uids) - LEAST


def test_nobody_changes_a_segment_by_mistake(make_on_disk: Make, stranger: Stranger) -> None:
    one, _ = both(make_on_disk)
    with closing(stranger(one)) as hand:
        for sql in ("UPDATE segment SET pool = 2", "DELETE FROM segment"):
            with pytest.raises(hand.errors, match="append-only"):
                hand(sql)


def test_a_version_that_knows_rows_only_refuses_the_file(make_on_disk: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = both(make_on_disk)
    module = "ratingcore.log.sqlite.connection" if isinstance(one, SqliteLog) else type(one).__module__
    monkeypatch.setattr(f"{module}.SCHEMA", 1)
    with pytest.raises(NewerLog):
        reopened(one)


def test_a_sealed_log_whose_names_have_hexadecimal_digits_is_opened_and_goes_on(sqlite_log: Make) -> None:
    """Logs were so before names were packed."""
    one, other = both(sqlite_log)
    names, head = one.book.names(), one.head
    one.close()
    for sql in ("UPDATE name SET salt = lower(hex(salt)) WHERE typeof(salt) = 'blob'",
                "UPDATE name SET digest = lower(hex(digest)) WHERE typeof(digest) = 'blob'",
                "CREATE INDEX name_batch ON name (batch)", "PRAGMA user_version = 2"):  # fmt: skip
        tampered(SqliteHand(one), run(sql))
    with SqliteLog(one.path) as again:
        assert again.book.names() == names
        assert verify(again, [head])
        assert writer(again).execute("PRAGMA user_version").fetchone() == (2,)
        for log in (again, other):
            log.append([game("new", "somebody", "new as well")])
        assert writer(again).execute("PRAGMA user_version").fetchone() == (3,)
        assert verify(again, [head])
        assert [row.uid for row in again.rows()] == [row.uid for row in other.rows()]
        assert [name.key for name in again.book.names()][1:] == [name.key for name in other.book.names()][1:]


def test_names_of_a_sealed_log_take_half_the_space_and_read_the_same(sqlite_log: Make) -> None:
    one, other = both(sqlite_log)
    cells = writer(one).execute("SELECT typeof(salt), typeof(digest), count(*) FROM name GROUP BY 1, 2 ORDER BY 3")
    assert [cell[:2] for cell in cells] == [("text", "text"), ("blob", "blob")]
    names = one.book.names()
    numbers = [name.id for name in names]
    with SqliteLog(one.path) as again:
        assert again.book.commitments(numbers) == [name.digest for name in names]
        assert list(map(again.book.name, numbers)) == names
        assert [name for part in ((0, 7), (7, 2**62)) for name in again.book.names(*part)] == names
        for position in (0, 1, 5, 6, 7, LEAST, LEAST + 6, LEAST + 7, one.head.position, one.head.position + 1):
            assert again.book.count_at(position) == sum(name.batch <= position for name in names)
    assert [name[:3] for name in names[1:]] == [name[:3] for name in other.book.names()[1:]]


def test_another_process_sees_what_is_sealed(make_on_disk: Make) -> None:
    log = make_on_disk()
    log.append(games(1, 5))
    with reopened(log) as other:
        assert len(list(other.rows())) == 5
        assert other.append([game("5x")]).accepted == 1
        seal(log, season(0))
        assert len(list(other.rows())) == LEAST + 6
        assert other.find([season(0)[1].uid])
        assert other.append([season(0)[1]]).duplicates == 1
        assert verify(other)


def test_ids_are_found_while_another_process_merges_their_index(
    make_on_disk: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index that was merged between two statements of a reader had none of its ids for this reader."""
    log, merged = make_on_disk(), list[int]()
    log.append(games(1, 5))
    seal(log, season(0))
    with reopened(log) as other:
        query = other._all

        def meanwhile(sql: str, values: Sequence[object] = ()) -> list[Any]:
            rows = query(sql, values)
            if "DISTINCT run" in sql and not merged:
                merged.append(len(rows))
                seal(log, season(LEAST))
            return list(rows)

        monkeypatch.setattr(other, "_all", meanwhile)
        uids = [one.uid for one in season(0)[::400]]
        assert {*other.find(uids)} == {*uids}
        assert merged


def test_two_processes_seal_at_once(workers: Workers, address: Callable[[str], str]) -> None:
    place = address("club")
    with open_log(address_of(place)) as log:
        log.append(games(1, 5))
        for ended in [workers.start("seal_some", place, first, 4) for first in (0, 3)]:
            list(ended)  # the second meets ids of the first, or the other way round
        blocks, rest = divmod(log.head.position - 5, LEAST)
        assert (4 <= blocks <= 7, rest) == (True, 0)
        assert verify(log)
        assert len({row.uid for row in log.rows()}) == log.head.position


def test_a_backup_has_the_segments(sqlite_log: Make) -> None:
    one, _ = both(sqlite_log)
    one.backup(one.path.with_name("copy.db"))
    with SqliteLog(one.path.with_name("copy.db"), read_only=True) as copy:
        assert state(copy) == state(one)
        assert verify(copy)


def test_erasing_a_player_leaves_every_digest(make_on_disk: Make) -> None:
    one, _ = both(make_on_disk)
    before = one.head
    with one.writing():
        one.erase([one.book.number("player", "p5")])
    assert one.head == before
    assert verify(one, [before])
    lines = list(export_lines(one))
    with make_on_disk() as again:
        load_lines(again, lines)
        assert again.head == before
    assert not any('"p5"' in line for line in lines)
    assert json.loads(lines[0])["ratingcore"] == 1
