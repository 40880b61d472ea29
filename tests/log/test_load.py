"""Load: an export becomes the same log, or is refused whole."""

import json
import random
from collections.abc import Callable, Sequence

import pytest

from ratingcore.errors import BadTransfer, BrokenChain, RatingCoreError
from ratingcore.events import Row
from ratingcore.log import EMPTY, Name, export_lines, load_lines, verify
from tests.log.conftest import Make, Store
from tests.log.forging import crafted, name
from tests.log.making import EVERY_KIND, Salts, fill, game, keys, state, told


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


def test_an_empty_log_is_exported_and_loaded_too(make: Make) -> None:
    log, copy = make(), make(salt=Salts())
    lines = list(export_lines(log))
    assert len(lines) == 1
    assert load_lines(copy, lines).head == EMPTY
    assert copy.key == log.key


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
    assert (copy.head, list(copy.book.names()), list(copy.rows()), copy.key) == (EMPTY, [], [], key)
    return caught.value


def twice(line: str, key: str) -> str:
    """A line that gives one of its keys again."""
    return f'{line[:-1]},"{key}":{json.dumps(json.loads(line)[key])}}}'


def keyed(header: str, key: object) -> str:
    return json.dumps(json.loads(header) | {"key": key})


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda lines: [], "the export: it is empty"),
        (lambda lines: lines[1:], "line 1 of the export"),
        (lambda lines: ["", *lines], "line 1 of the export: this is not a line of an export"),
        (lambda lines: ["GAMES,1,2", *lines], "line 1 of the export: this is not a line of an export"),
        (lambda lines: ["\ufeff" + lines[0], *lines[1:]], "line 1 of the export: this is not a line of an export"),
        (lambda lines: ['{"ratingcore":2}', *lines[1:]], "line 1 of the export: this is not an export of format 1"),
        (lambda lines: ['{"ratingcore":1}', *lines[1:]], "line 1 of the export: this is not a line of an export"),
        (lambda lines: [keyed(lines[0], ""), *lines[1:]], "line 1 of the export: the log has no key"),
        (lambda lines: [keyed(lines[0], 5), *lines[1:]], "line 1 of the export: this is not a line of an export"),
        (lambda lines: [lines[0]], "the export ends at position 0, not at 18:"),
        (lambda lines: lines[:-1], "has another digest"),
        (
            lambda lines: [twice(lines[0], "head"), *lines[1:]],
            "line 1 of the export: the key 'head' occurs twice in one object",
        ),
        (
            lambda lines: [*lines[:-1], twice(lines[-1], "row")],
            "of the export: the key 'row' occurs twice in one object",
        ),
        (lambda lines: [*lines, "{}"], "this is not a line of an export"),
        (lambda lines: [*lines, '"row"'], "this is not a line of an export"),
        (lambda lines: [*lines, "[" * 100_000], "this is not a line of an export"),
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


def test_an_erased_log_is_exported_and_loaded_as_it_is(make: Make) -> None:
    log = fill(make())
    with log.writing():
        log.erase([name.id for name in log.book.names() if name.kind in ("player", "note")])
    lines = list(export_lines(log))
    copy = make()
    load_lines(copy, lines)
    assert list(export_lines(copy)) == lines
    assert copy.look().erasures == log.look().erasures
    assert verify(copy, [log.head]).head == log.head
