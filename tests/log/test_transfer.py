"""Export, load and verify: what is the same history, and what is not."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from ratingcore.errors import BadTransfer, BrokenChain, RatingCoreError
from ratingcore.events import Row, canonical
from ratingcore.log import EMPTY, Batch, Head, Name, SqliteLog, export_lines, load_lines, verify
from ratingcore.log.chain import commitment, digest_of
from ratingcore.log.connection import sqlite3
from tests.log.conftest import Make, Store
from tests.log.making import EVERY_KIND, Salts, game, games, keys, state, told


def fill(log: Store) -> Store:
    log.append(EVERY_KIND[:5], source="march.csv")
    log.append([game("g-1", data=dict(EVERY_KIND[0].data)), *games(1, 3)])  # type: ignore[attr-defined]  # a game
    log.append(EVERY_KIND[5:], source="the secretary")
    return log


# verify


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
        (lambda log: Head(5, "f" * 64), "the anchor says ffffffffffffffff, the log "),
        (lambda log: Head(5, log.digest_at(6)), "the anchor says "),
        (lambda log: Head(0, log.digest_at(5)), "the anchor says "),
        (lambda log: Head(5, log.digest_at(5)[:12] + "0" * 12), "the anchor says "),
        (lambda log: Head(999, log.head.digest), "the log ends at position 17"),
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
    with pytest.raises(BrokenChain, match="the anchor says"):
        verify(other, [one.head])


@pytest.fixture
def tampered(sqlite_log: Make) -> Iterator[Callable[[str], SqliteLog]]:
    """Runs SQL on a full log whose triggers were dropped, as someone with a SQLite browser could."""
    log = fill(sqlite_log())
    assert isinstance(log, SqliteLog)
    hand = sqlite3.connect(log.path, isolation_level=None)
    hand.execute("PRAGMA synchronous = OFF")
    for (trigger,) in hand.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        hand.execute(f"DROP TRIGGER {trigger}")

    def run(sql: str) -> SqliteLog:
        hand.executescript(sql)
        return log

    run.hand = hand  # type: ignore[attr-defined]  # for tests that look first
    yield run
    hand.close()


def test_whatever_value_is_changed_is_found(tampered: Any) -> None:
    """Each value of each row of the history, changed in five ways, one at a time."""
    log, hand = tampered(""), tampered.hand
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
    assert verify(log).batches == 3


def _broken(log: Store) -> bool:
    try:
        verify(log)
    except BrokenChain:
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
        "DELETE FROM event WHERE position = 17",
        "DELETE FROM event",
        "DELETE FROM batch",
        "DELETE FROM batch WHERE first = 1",
        "DELETE FROM batch WHERE first = 6",
        "DELETE FROM batch WHERE first = 9",
        "DELETE FROM name WHERE id = 1",
        "DELETE FROM name WHERE id = (SELECT max(id) FROM name)",
        "DELETE FROM name",
        "DELETE FROM event WHERE position > 8; DELETE FROM batch WHERE first > 8",  # leaves names
        "INSERT INTO event SELECT 18, 'more', kind, pool, played, \"order\", a, b, score, ref, data FROM event LIMIT 1",
        "INSERT INTO event SELECT 0, 'zero', kind, pool, played, \"order\", a, b, score, ref, data FROM event LIMIT 1",
        "INSERT INTO event SELECT -9, 'less', kind, pool, played, \"order\", a, b, score, ref, data FROM event LIMIT 1",
        "INSERT INTO event SELECT 99, 'gap', kind, pool, played, \"order\", a, b, score, ref, data FROM event LIMIT 1",
        "INSERT INTO batch SELECT 18, 18, recorded, source, digest FROM batch LIMIT 1",
        "INSERT INTO batch SELECT 1, 0, recorded, source, digest FROM batch LIMIT 1",
        "INSERT INTO batch SELECT 18, 20, recorded, source, digest FROM batch LIMIT 1",
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
    with pytest.raises(BrokenChain):
        verify(tampered(sql))


def test_two_names_that_change_places_are_found(tampered: Callable[[str], SqliteLog]) -> None:
    swap = "UPDATE name SET key = {}, salt = {} WHERE key = '{}'"
    ann, bo = (name for name in tampered("").names() if name.key in {"ann", "bo"} and name.kind == "player")
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
    assert verify(cut).head.position == 8  # a shorter log is a log
    with pytest.raises(BrokenChain, match="the log ends at position 8"):
        verify(cut, [whole])


def test_an_erased_name_leaves_every_digest_valid(tampered: Callable[[str], SqliteLog]) -> None:
    log = tampered("")
    head, digests = log.head, [log.digest_at(position) for position in range(18)]
    events = told(log)
    tampered("UPDATE name SET key = NULL, salt = NULL WHERE key IN ('ann', 'march.csv', 'typing error')")
    assert verify(log, [head]).head == head
    assert [log.digest_at(position) for position in range(18)] == digests
    assert None in keys(log)
    assert log.id_of("player", "ann") is None
    assert [event.uid for event in told(log)] == [event.uid for event in events]
    assert "'ann'" not in repr(told(log))
    assert "(erased 2)" in repr(told(log))
    log.append([game("after", "ann", "bo")])  # somebody new, for all the log knows
    assert keys(log)[-1] == "ann"
    assert verify(log, [head]).batches == 4


def test_an_erased_log_is_exported_and_loaded_as_it_is(tampered: Callable[[str], SqliteLog], make: Make) -> None:
    log = tampered("UPDATE name SET key = NULL, salt = NULL WHERE kind IN ('player', 'note')")
    lines = list(export_lines(log))
    copy = make()
    load_lines(copy, lines)
    assert list(export_lines(copy)) == lines
    assert verify(copy, [log.head]).head == log.head


# export and load


def test_a_loaded_log_is_the_same_log(make: Make, memory_log: Make, sqlite_log: Make) -> None:
    log = fill(make())
    lines = list(export_lines(log))
    for other in (memory_log, sqlite_log):
        copy = other()
        found = load_lines(copy, lines)
        assert (found.head, found.batches) == (log.head, 3)
        assert list(export_lines(copy)) == lines
        assert state(copy) == state(log)
        for position in range(log.head.position + 2):
            assert copy.digest_at(position) == log.digest_at(position)
        assert verify(copy, [log.head]).head == log.head
        assert told(copy) == told(log)


def test_a_loaded_log_goes_on_as_the_first_would(make: Make) -> None:
    log = fill(make())
    copy = make()
    load_lines(copy, export_lines(log))
    assert copy.append(EVERY_KIND, source="march.csv").duplicates == len(EVERY_KIND)
    copy.append([game("more", "ann", "eve")])
    assert keys(copy) == [*keys(log), "eve"]
    assert verify(copy, [log.head]).batches == 4


def test_a_loaded_file_is_whole_when_it_is_opened_again(sqlite_log: Make) -> None:
    log, copy = fill(sqlite_log()), sqlite_log("copy.db")
    other = sqlite_log("copy.db")
    load_lines(copy, export_lines(log))
    assert copy.key == other.key == log.key
    assert state(other) == state(sqlite_log("copy.db")) == state(log)


def test_an_export_is_lines_of_json_without_line_ends(log: Store) -> None:
    log.append([game(1, "a\u2028b", "c d", data={"x": "one\ntwo\r\u2029"})])
    lines = list(export_lines(log))
    assert all(len(line.split("\n")) == 1 == len(line.split("\r")) for line in lines)
    assert [next(iter(json.loads(line))) for line in lines] == ["head", "batch", "name", "name", "name", "row"]
    assert json.loads(lines[0]) == {"ratingcore": 1, "key": log.key, "head": [1, log.head.digest]}


def test_an_empty_log_is_exported_and_loaded_too(make: Make) -> None:
    log, copy = make(), make(salt=Salts())
    lines = list(export_lines(log))
    assert len(lines) == 1
    assert load_lines(copy, lines).head == EMPTY
    assert copy.key == log.key


def test_an_export_ends_where_the_log_ended_when_it_began(log: Store) -> None:
    fill(log)
    before = list(export_lines(log))
    lines = export_lines(log)
    seen = [next(lines)]
    for number, line in enumerate(lines):
        seen.append(line)
        if number % 5 == 0:
            log.append([game(f"meanwhile-{number}", f"new-{number}", "bo")], source=f"s{number}")
    assert seen == before


def test_a_log_is_loaded_into_an_empty_one_only(make: Make) -> None:
    log, full = fill(make()), make()
    full.append([game("mine")])
    before = state(full)
    with pytest.raises(BadTransfer, match="is not empty"):
        load_lines(full, export_lines(log))
    assert state(full) == before


def refused(copy: Store, lines: Sequence[str]) -> RatingCoreError:
    """The error that loading raises; the log it should go into stays empty and can still be used."""
    key = copy.key
    with pytest.raises(RatingCoreError) as caught:
        load_lines(copy, lines)
    assert isinstance(caught.value, BadTransfer | BrokenChain)
    assert (copy.head, list(copy.names()), list(copy.rows()), copy.key) == (EMPTY, [], [], key)
    return caught.value


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda lines: [], "the export: it is empty"),
        (lambda lines: lines[1:], "line 1 of the export"),
        (lambda lines: ["", *lines], "line 1 of the export: this is no line of an export"),
        (lambda lines: ["GAMES,1,2", *lines], "line 1 of the export: this is no line of an export"),
        (lambda lines: ["\ufeff" + lines[0], *lines[1:]], "line 1 of the export: this is no line of an export"),
        (lambda lines: ['{"ratingcore":2}', *lines[1:]], "line 1 of the export: this is no export of format 1"),
        (lambda lines: ['{"ratingcore":1}', *lines[1:]], "line 1 of the export: this is no line of an export"),
        (lambda lines: [lines[0]], "the export ends at position 0, not at 17:"),
        (lambda lines: lines[:-1], "has another digest"),
        (lambda lines: [*lines, "{}"], "this is no line of an export"),
        (lambda lines: [*lines, '"row"'], "this is no line of an export"),
        (lambda lines: [*lines, "[" * 100_000], "this is no line of an export"),
        (lambda lines: [*lines, lines[0]], "a line of kind ratingcore has no place here"),
        (lambda lines: [lines[0], lines[-1], *lines[1:]], "line 2 of the export: a line of kind row has no place here"),
        (lambda lines: [*lines[:1], '{"batch":[1,2]}', *lines[1:]], "line 2 of the export"),
        (lambda lines: [*lines[:3], '{"name":5}', *lines[3:]], "line 4 of the export"),
        (lambda lines: [line.replace('"ann"', '"eve"') for line in lines], "is not the one that was recorded: eve"),
        (lambda lines: [line.replace(",0.5,", ",1.0,") for line in lines], "has another digest"),
        (lambda lines: [line.replace(",0.5,", ",NaN,") for line in lines], "has another digest"),
    ],
)
def test_an_export_that_is_spoilt_is_refused_whole(
    make: Make, spoil: Callable[[list[str]], list[str]], why: str
) -> None:
    lines = list(export_lines(fill(make())))
    copy = make()
    assert why in str(refused(copy, spoil(lines)))
    assert load_lines(copy, lines).batches == 3


def test_no_line_can_be_lost_doubled_moved_or_changed(memory_log: Make) -> None:
    log = fill(memory_log())
    lines = list(export_lines(log))
    for at in range(1, len(lines)):
        for spoilt in (
            lines[:at] + lines[at + 1 :],
            lines[:at] + lines[at : at + 1] + lines[at:],
            lines[:at],
        ):
            refused(memory_log(), spoilt)
        moved = [*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]]
        if {next(iter(json.loads(line))) for line in lines[at - 1 : at + 1]} == {"name", "row"}:
            copy = memory_log()  # a name beside a row of its batch: between them there is no order
            load_lines(copy, moved)
            assert state(copy) == state(log)
        else:
            refused(memory_log(), moved)


def test_a_changed_letter_anywhere_is_found_or_means_nothing(make: Make) -> None:
    log = fill(make())
    lines = list(export_lines(log))
    random_, copy = random.Random(7), make()
    for _ in range(150):
        at = random_.randrange(1, len(lines))
        place = random_.randrange(len(lines[at]))
        letter = random_.choice('0123456789abcxyz"{}[]:,.- \\nultrue')
        spoilt = [*lines]
        spoilt[at] = lines[at][:place] + letter + lines[at][place + 1 :]
        try:
            load_lines(copy, spoilt)
        except (BadTransfer, BrokenChain):
            assert copy.head == EMPTY
        else:
            assert state(copy) == state(log)
            copy = make()


def crafted(parts: Sequence[tuple[list[Name], list[Row]]]) -> list[str]:
    """An export whose digests are right whatever it says."""
    lines, head = [], EMPTY
    for names, rows in parts:
        batch = Batch(head.position + 1, head.position + len(rows), 0, None, "")
        batch = batch._replace(digest=digest_of(head.digest, batch, names, rows))
        lines.append(canonical({"batch": batch}))
        lines += [canonical({"name": name}) for name in names] + [canonical({"row": row}) for row in rows]
        head = Head(batch.last, batch.digest)
    return [canonical({"ratingcore": 1, "key": "k", "head": [head.position, head.digest]}), *lines]


def name(number: int, key: str, kind: str = "player", batch: int = 1) -> Name:
    return Name(number, kind, key, "5a17", commitment(kind, key, "5a17"), batch)


ROW = Row(1, "u1", "merge", None, None, 0, 1, 2, None, None, None)


def test_a_crafted_export_can_be_right(make: Make) -> None:
    lines = crafted([([name(1, "ann"), name(2, "bo")], [ROW]), ([], [ROW._replace(position=2, uid="u2")])])
    copy = make()
    load_lines(copy, lines)
    assert verify(copy).batches == 2


@pytest.mark.parametrize(
    "parts",
    [
        [([name(1, "ann"), name(2, "bo")], [ROW, ROW._replace(position=2)])],
        [([name(1, "ann"), name(2, "bo")], [ROW]), ([], [ROW._replace(position=2)])],
        [([name(1, "ann"), name(2, "ann")], [ROW])],
        [([name(1, "ann"), name(3, "bo")], [ROW])],
        [([name(2, "ann"), name(1, "bo")], [ROW])],
        [([name(1, "ann"), name(2, "bo", batch=5)], [ROW])],
        [([name(1, "ann"), name(2, "bo")._replace(salt=None)], [ROW])],
        [([name(1, "ann"), name(2, "bo")._replace(key=None)], [ROW])],
        [([name(1, "ann"), name(2, "bo")], [ROW._replace(position=2)])],
        [([name(1, "ann"), name(2, "bo")], [])],
    ],
)
def test_a_crafted_export_that_no_log_could_hold_is_refused(
    make: Make, parts: list[tuple[list[Name], list[Row]]]
) -> None:
    copy = make()
    refused(copy, crafted(parts))
    copy.append([game(1)])
    assert verify(copy).batches == 1
