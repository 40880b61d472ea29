"""Rows: a mapping bound to columns, the score and facts of a row, and what becomes of it."""

import tracemalloc
from random import Random
from typing import Any

import pytest

from ratingcore.errors import BadValue, ColumnNotFound
from ratingcore.importer.tables import FieldMap, rows
from ratingcore.importer.tables.fieldmap import Constant
from ratingcore.importer.tables.rows import (
    Binding,
    Group,
    Hashes,
    Parser,
    free_facts,
    outcomes,
    score_from_points,
    score_from_words,
)
from ratingcore.importer.tables.sheets import open_table
from ratingcore.readers import Refused, Unrated
from ratingcore.readers.sheets import Sheet

from .conftest import Write


def test_what_was_met_before_is_told_as_a_set_tells_it() -> None:
    random, hashes, plain = Random(5), Hashes(), set[int]()
    for _ in range(300_000):
        value = random.choice((random.getrandbits(64) - 2**63, random.randrange(-2000, 2000)))
        assert hashes.meet(value) == (value in plain)
        plain.add(value)
    assert len(hashes) == len(plain)


def test_a_million_hashes_take_a_few_bytes_each() -> None:
    hashes, random = Hashes(), Random(5)
    tracemalloc.start()
    for _ in range(1_000_000):
        hashes.meet(random.getrandbits(63))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 16e6


def test_a_text_is_read_once() -> None:
    met: list[str] = []
    reader = Parser(0, lambda text: met.append(text) or len(met))
    assert [reader["x"], reader["y"], reader["x"]] == [1, 2, 1]
    assert met == ["x", "y"]


def test_a_reader_forgets_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "CACHE_LIMIT", 10)
    reader, group = Parser(0, str), Group([Parser(0, str)], "".join)
    for n in range(25):
        assert (reader[str(n)], group[str(n)]) == (str(n), str(n))
    assert len(reader) <= 10
    assert len(group) <= 10


@pytest.mark.parametrize(("indexes", "expected"), [((), ""), ((2,), "c"), ((2, 0), "ca")])
def test_a_group_reads_none_one_or_many_cells(indexes: tuple[int, ...], expected: str) -> None:
    group = Group([Parser(index, str) for index in indexes], "".join)
    assert group[group.pick(["a", "b", "c"])] == expected


def bound(write: Write, header: str, fields: FieldMap | None = None) -> Binding:
    return Binding(open_table(write(header + "\n"), FieldMap(), (), ()), fields or FieldMap())


@pytest.mark.parametrize(
    ("word", "decided"),
    [
        ("1-0", (1.0, {})),
        ("0.50", (0.5, {})),
        ("½", (0.5, {})),
        ("+/-", "forfeit"),
        ("*", "no result yet"),
    ],
)
def test_a_score_is_read_however_it_is_written(write: Write, word: str, decided: object) -> None:
    group = score_from_words(bound(write, "score"))
    assert group[group.pick([word])] == decided


def test_points_decide_the_score_and_are_facts(write: Write) -> None:
    group = score_from_points(bound(write, "points_b,points_a"))
    assert group[group.pick(["1", "3"])] == (1.0, {"points_a": 3, "points_b": 1})
    assert group[group.pick(["", "3"])] == "no result yet"
    with pytest.raises(ColumnNotFound, match="no column 'points_b'"):
        score_from_points(bound(write, "points_a"))


def test_free_facts_are_the_known_columns_and_the_mapped_ones(write: Write) -> None:
    group = free_facts(bound(write, "round,note,city,event", FieldMap.parse("place=city")), False)
    assert group[group.pick(["3", "seen", "Leeds", ""])] == {"round": 3, "place": "Leeds"}


def test_points_are_free_facts_only_where_the_score_does_not_follow_from_them(write: Write) -> None:
    header = "points_a,points_b,home"
    free = free_facts(bound(write, header), False)
    assert free[free.pick(["3", "1", "b"])] == {"points_a": 3, "points_b": 1, "home": "b"}
    rest = free_facts(bound(write, header), True)
    assert rest[rest.pick(["3", "1", "b"])] == {"home": "b"}


def test_a_fact_that_its_field_cannot_hold_is_refused(write: Write) -> None:
    group = free_facts(bound(write, "home"), False)
    with pytest.raises(BadValue, match="home is neither a, b nor neutral"):
        group[group.pick(["c"])]


def read(sheet: Sheet, bound: Binding) -> list[Any]:
    """What becomes of the rows of a sheet whose first cell says what becomes of the row."""

    def event(cells: list[str]) -> str:
        if cells[0] == "bad":
            raise BadValue("a", cells[0], "is no name")
        if cells[0] == "half":
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
        return "|".join(cells)

    return list(outcomes(sheet, bound, event))


def test_every_row_becomes_an_outcome_and_errors_of_events_become_refusals(write: Write) -> None:
    sheet = open_table(write("a,b\nann,bo\nbad,bo\nhalf,bo\nann\ncy,di\n"), FieldMap(), (), ())
    assert read(sheet, Binding(sheet, FieldMap())) == [
        Unrated(2, "ann|bo"),
        Refused(3, "a is no name: 'bad'", "bad,bo"),
        Refused(4, "the row holds half a character", "'half,bo'"),
        Refused(5, "1 cells where the header has 2", "ann"),
        Unrated(6, "cy|di"),
    ]


def test_constants_are_appended_to_the_cells_and_left_out_of_a_refused_text(write: Write) -> None:
    sheet = open_table(write("a,b\nann,bo\nbad,bo\n"), FieldMap(), (), ())
    bound = Binding(sheet, FieldMap({"season": Constant("2024")}))
    bound.required("season", str)
    good, bad = read(sheet, bound)
    assert good.reason == "ann|bo|2024"
    assert bad == Refused(3, "a is no name: 'bad'", "bad,bo")
