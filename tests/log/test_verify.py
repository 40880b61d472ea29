"""Verify: what is the same history, and what is not."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ratingcore.errors import AnchorFails, BadCut, BadFile, BrokenChain, OnlySupposed, RatingCoreError
from ratingcore.events import Row, instant
from ratingcore.log import EMPTY, Anchor, Batch, Head, Name, SqliteLog, verify
from ratingcore.log.sqlite.connection import sqlite3
from ratingcore.log.sqlite.schema import TRIGGERS
from ratingcore.log.verify import anchors_of, anchors_text, read_anchors
from tests.columns.making import engine
from tests.columns.making import game as played
from tests.log.conftest import Make, Store
from tests.log.making import EVERY_KIND, fill, game, games, keys, told


def test_a_log_verifies_with_every_head_it_ever_had(log: Store) -> None:
    heads = [log.head]
    for event in EVERY_KIND:
        log.append([event, *games(int(log.head.position), log.head.position + 2)])
        heads.append(log.head)
    every = [Head(position, log.digest_at(position)) for position in range(log.head.position + 1)]
    short = [Head(head.position, head.digest[:12]) for head in heads]
    found = verify(log, [*heads, *every, *short])
    assert (found.head, found.batches, found.anchors) == (log.head, len(EVERY_KIND), 2 * len(heads) + len(every))


@pytest.mark.parametrize(
    ("anchor", "why"),
    [
        (lambda log: Head(5, "f" * 64), "the anchor has ffffffffffffffff, the log has "),
        (lambda log: Head(5, log.digest_at(6)), "the anchor has "),
        (lambda log: Head(0, log.digest_at(5)), "the anchor has "),
        (lambda log: Head(5, log.digest_at(5)[:12] + "0" * 12), "the anchor has "),
        (lambda log: Head(999, log.head.digest), "the log ends at position 18"),
    ],
    ids=["wrong", "next", "start", "long", "far"],
)
def test_an_anchor_of_another_history_is_found(log: Store, anchor: Callable[[Store], Head], why: str) -> None:
    wrong = anchor(fill(log))
    with pytest.raises(BrokenChain, match=why) as caught:
        verify(log, [log.head, wrong])
    assert caught.value.position == wrong.position


def test_an_anchor_finds_a_history_that_was_written_anew(make: Make) -> None:
    one, other = make(), make()
    one.append([game(1), game(2)])
    other.append([game(1), game(2, score=0.0)])
    assert verify(other).batches == 1
    with pytest.raises(BrokenChain, match="the anchor has"):
        verify(other, [one.head])


@pytest.fixture
def tampered(sqlite_log: Make) -> Iterator[Callable[[str], SqliteLog]]:
    """Runs SQL on a full log without its triggers, which come back after it: as someone with a SQLite browser could."""
    log = fill(sqlite_log())
    assert isinstance(log, SqliteLog)
    hand = sqlite3.connect(log.path, isolation_level=None)
    hand.execute("PRAGMA synchronous = OFF")

    def unlocked() -> sqlite3.Connection:
        for (trigger,) in hand.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            hand.execute(f"DROP TRIGGER {trigger}")
        return hand

    def run(sql: str) -> SqliteLog:
        unlocked().executescript(sql)
        for trigger in TRIGGERS:
            hand.execute(trigger)
        return log

    run.unlocked = unlocked  # type: ignore[attr-defined]  # for tests that look first
    yield run
    hand.close()


def test_whatever_value_is_changed_is_found(tampered: Any) -> None:
    """Each value of each row of the history, changed in five ways, one at a time."""
    log, hand = tampered(""), tampered.unlocked()
    tried = 0
    for table, columns in (("batch", Batch._fields), ("event", Row._fields), ("name", Name._fields)):
        for row in hand.execute(f"SELECT rowid, * FROM {table}").fetchall():
            for column, value in zip(columns, row[1:], strict=True):
                for other in _others(value):
                    try:
                        hand.execute(f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', (other, row[0]))
                    except sqlite3.Error:  # the table itself refuses it
                        continue
                    assert _broken(log), (table, column, row, other)
                    back = other if column in {"last", "position", "id"} else row[0]
                    hand.execute(f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', (value, back))
                    tried += 1
    assert tried > 500
    tampered("")
    with SqliteLog(log.path) as anew:
        assert verify(anew).batches == 3


def _broken(log: SqliteLog) -> bool:
    try:
        with SqliteLog(log.path) as anew:
            verify(anew)
    except RatingCoreError:
        return True
    return False


def _others(value: object) -> list[object]:
    others: list[object] = [None, b"\xff", 4_000_000, "4x", 0.123, float("inf")]
    if isinstance(value, int | float):
        others += [value + 1, -value if value else 1, float(value) + 0.5]
    if isinstance(value, str):
        others += [value + " ", value[:-1], value.swapcase() if value.swapcase() != value else "x" + value]
    return [other for other in others if other != value]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM event WHERE position = 1",
        "DELETE FROM event WHERE position = 7",
        "DELETE FROM event WHERE position = 18",
        "DELETE FROM event",
        "DELETE FROM batch",
        "DELETE FROM batch WHERE first = 1",
        "DELETE FROM batch WHERE first = 6",
        "DELETE FROM batch WHERE first = 9",
        "DELETE FROM name WHERE id = 1",
        "DELETE FROM name WHERE id = (SELECT max(id) FROM name)",
        "DELETE FROM name",
        "DELETE FROM event WHERE position > 8; DELETE FROM batch WHERE first > 8",  # leaves names
        "INSERT INTO event SELECT 19, 'more', kind, pool, played, \"order\", a, b, score, ref, data FROM event LIMIT 1",
        "INSERT INTO event SELECT 0, 'zero', kind, pool, played, \"order\", a, b, score, ref, data FROM event LIMIT 1",
        "INSERT INTO event SELECT -9, 'less', kind, pool, played, \"order\", a, b, score, ref, data FROM event LIMIT 1",
        "INSERT INTO event SELECT 99, 'gap', kind, pool, played, \"order\", a, b, score, ref, data FROM event LIMIT 1",
        "INSERT INTO batch SELECT 19, 19, recorded, source, digest FROM batch LIMIT 1",
        "INSERT INTO batch SELECT 1, 0, recorded, source, digest FROM batch LIMIT 1",
        "INSERT INTO batch SELECT 19, 21, recorded, source, digest FROM batch LIMIT 1",
        "INSERT INTO name VALUES (999, 'player', 'eve', '00', 'ff', 1)",
        "INSERT INTO name VALUES (999, 'player', NULL, NULL, 'ff', 1)",
        "INSERT INTO name VALUES (999, 'player', NULL, NULL, 'ff', 2)",
        "INSERT INTO name VALUES (999, 'player', NULL, NULL, 'ff', 99)",
        "UPDATE event SET uid = CASE uid WHEN '1' THEN '2x' WHEN '2' THEN '1x' ELSE uid END",
        "UPDATE event SET a = b, b = a, score = 1 - score WHERE uid = '1'",
        "UPDATE event SET data = json_set(data, '$.points_a', 4) WHERE uid = 'g-1'",
        "UPDATE name SET key = 'eve', salt = NULL WHERE key = 'ann'",
        "UPDATE name SET key = NULL WHERE key = 'ann'",
        "UPDATE name SET salt = NULL WHERE key = 'ann'",
        "UPDATE name SET key = 'eve' WHERE key = 'ann'",
        "UPDATE batch SET recorded = recorded - 1 WHERE first = 6",
        "UPDATE batch SET source = NULL WHERE first = 1",
    ],
)
def test_rows_that_come_go_or_change_places_are_found(tampered: Callable[[str], SqliteLog], sql: str) -> None:
    verify(tampered(""))
    log = tampered(sql)
    with SqliteLog(log.path) as anew, pytest.raises(BrokenChain):
        verify(anew)


def test_two_names_that_change_places_are_found(tampered: Callable[[str], SqliteLog]) -> None:
    swap = "UPDATE name SET key = {}, salt = {} WHERE key = '{}'"
    ann, bo = (name for name in tampered("").book.names() if name.key in {"ann", "bo"} and name.kind == "player")
    sql = [
        swap.format("'x'", f"'{bo.salt}'", "ann"), swap.format("'ann'", f"'{ann.salt}'", "bo"),
        swap.format("'bo'", f"'{bo.salt}'", "x"),
    ]  # fmt: skip
    with pytest.raises(BrokenChain, match="is not the one that was recorded"):
        verify(tampered(";".join(sql)))


def test_what_was_cut_off_at_the_end_is_found_by_an_anchor(tampered: Callable[[str], SqliteLog]) -> None:
    whole = tampered("").head
    cut = tampered(
        "DELETE FROM event WHERE position > 8; DELETE FROM batch WHERE first > 8; DELETE FROM name WHERE batch > 8"
    )
    with SqliteLog(cut.path) as anew:
        assert verify(anew).head.position == 8  # a shorter log is a log
        with pytest.raises(BrokenChain, match="the log ends at position 8"):
            verify(anew, [whole])


def test_an_erased_name_leaves_every_digest_valid(tampered: Callable[[str], SqliteLog]) -> None:
    log = tampered("")
    head, digests = log.head, [log.digest_at(position) for position in range(19)]
    events = told(log)
    tampered("UPDATE name SET key = NULL, salt = NULL WHERE key IN ('ann', 'march.csv', 'typing error')")
    log = SqliteLog(log.path)  # by hand, so whoever has the log open cannot notice
    assert verify(log, [head]).head == head
    assert [log.digest_at(position) for position in range(19)] == digests
    assert None in keys(log)
    assert log.book.find("player", "ann") is None
    assert [event.uid for event in told(log)] == [event.uid for event in events]
    assert "'ann'" not in repr(told(log))
    assert "(erased 2)" in repr(told(log))
    log.append([game("after", "ann", "bo")])  # somebody new, for all the log knows
    assert keys(log)[-1] == "ann"
    assert verify(log, [head]).batches == 4


HEAD = Head(3, "0123456789abcdef" * 4)


def test_an_anchor_is_a_line_that_is_read_again() -> None:
    made = Anchor(HEAD, instant("2024-03-02T10:00"), "club.db")
    assert str(made) == f"{HEAD}  # club.db, recorded 2024-03-02T10:00:00Z"
    assert str(Anchor(EMPTY)) == f"{EMPTY}  # nothing recorded yet"
    assert Anchor.parse(str(made)).head == Anchor.parse(f" {HEAD} ").head == HEAD


def test_a_name_with_line_ends_and_escape_codes_stays_in_the_remark() -> None:
    line = str(Anchor(HEAD, 0, "club\n9:ffffffffffffffff\x1b[2J\u202e.db"))
    assert len(line.splitlines()) == 1
    assert line.isprintable()
    assert [anchor.head for anchor in read_anchors(line, "kept")] == [HEAD]


@pytest.mark.parametrize(
    "text",
    [f"head {HEAD}", f"# head: {HEAD}", f"- head: {HEAD}", f'  "head": "{HEAD}",', f'{{"head": "{HEAD}", "log": ""}}'],
)
def test_a_head_is_read_as_lists_and_documents_print_it(text: str) -> None:
    assert Anchor.parse(text).head == HEAD


@pytest.mark.parametrize("text", ["", "#", f"ahead {HEAD}", f"head{HEAD}", f"1,head {HEAD}", "head 3:abc", f"x {HEAD}"])
def test_what_is_no_anchor_is_refused(text: str) -> None:
    with pytest.raises(BadCut, match="anchor is not POSITION:DIGEST"):
        Anchor.parse(text)


def test_anchors_are_given_as_heads_texts_and_files(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text(f"\ufeff{HEAD} # March\n", encoding="utf-8")
    given = [HEAD, str(HEAD), Anchor(HEAD), tmp_path / "kept"]
    assert [anchor.head for anchor in anchors_of(given)] == [HEAD] * 4
    with pytest.raises(BadFile, match="no such file or directory"):
        list(anchors_of([tmp_path / "none"]))
    with pytest.raises(BadFile, match="it has more than 67,108,864 bytes"):
        anchors_text(b"#" * (64 * 2**20 + 1), "kept")


def test_every_anchor_that_fails_is_named() -> None:
    log = SqliteLog(":memory:")
    head = log.append([game(1)]).head
    with pytest.raises(AnchorFails, match="the chain breaks at position 1: the anchor has 0123456789abcdef"):
        verify(log, [head, Head(1, HEAD.digest)])
    with pytest.raises(AnchorFails) as caught:
        verify(log, [HEAD, head, Head(1, HEAD.digest)])
    assert (caught.value.checked, caught.value.position, len(caught.value.further)) == (3, 3, 1)
    assert str(caught.value).splitlines()[0] == "2 of 3 anchors are not part of this log:"


def test_a_what_if_has_no_anchor() -> None:
    trial = engine(played(1, "ann", "bo")).what_if([played(2, "ann", "bo")])
    with pytest.raises(OnlySupposed):
        Anchor.of(trial.log)
