"""Rows: parsers that remember, and what becomes of each row."""

import tracemalloc
from random import Random
from typing import Any

import pytest

from ratingcore.errors import BadValue
from ratingcore.importer.tables import FieldMap, rows
from ratingcore.importer.tables.rows import Binding, Group, Hashes, Parser, row_outcomes
from ratingcore.importer.tables.sheets import open_table
from ratingcore.readers import Refused, Unrated
from ratingcore.readers.sheets import Sheet

from .conftest import Write


@pytest.fixture
def sorted_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand hashes are sorted in, not 65,536, so that few are enough for many arrays."""
    monkeypatch.setattr(rows, "_NEW", 1_000)


@pytest.mark.usefixtures("sorted_soon")
def test_what_was_met_before_is_told_as_a_set_tells_it() -> None:
    random, hashes, plain = Random(5), Hashes(), set[int]()
    for _ in range(20_000):
        value = random.choice((random.getrandbits(64) - 2**63, random.randrange(-2000, 2000)))
        assert hashes.meet(value) == (value in plain)
        plain.add(value)
    assert len(hashes) == len(plain)


@pytest.mark.usefixtures("sorted_soon")
def test_many_hashes_take_a_few_bytes_each() -> None:
    hashes, random = Hashes(), Random(5)
    tracemalloc.start()
    for _ in range(30_000):
        hashes.meet(random.getrandbits(63))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 16 * 30_000


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


def read(sheet: Sheet, bound: Binding) -> list[Any]:
    """What becomes of the rows of a sheet whose first cell says what becomes of the row."""

    def event(cells: list[str]) -> str:
        if cells[0] == "bad":
            raise BadValue("a", cells[0], "is not a name")
        if cells[0] == "half":
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
        return "|".join(cells)

    return list(row_outcomes(sheet, bound, event))


def test_every_row_becomes_an_outcome_and_errors_of_events_become_refusals(write: Write) -> None:
    sheet = open_table(write("a,b\nann,bo\nbad,bo\nhalf,bo\nann\ncy,di\n"), FieldMap(), (), ())
    assert read(sheet, Binding(sheet, FieldMap())) == [
        Unrated(2, "ann|bo"),
        Refused(3, "a is not a name: 'bad'", "bad,bo"),
        Refused(4, "the row has an incomplete character", "'half,bo'"),
        Refused(5, "1 cells where the header has 2", "ann"),
        Unrated(6, "cy|di"),
    ]


class Heading(str):
    """A heading that counts how often it is compared."""

    compared = 0
    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Heading.compared += 1
        return str.__eq__(self, other)


def test_a_binding_looks_its_headings_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """It searched all columns for each one: a table of 20,000 columns and five rows took more than four minutes."""
    monkeypatch.setattr(Heading, "compared", 0)
    names = tuple(Heading(f"column {n}") for n in range(1_000))
    bound = Binding(Sheet("wide.csv", names, lambda used: iter(())), FieldMap.parse("a=column 998,b=column 999"))
    assert [bound.required(side, str).index for side in "ab"] == [998, 999]
    assert len(bound.called(lambda name: True)) == 998
    assert [bound.has(f"column {n}") for n in (0, 999, 1_000)] == [True, True, False]
    assert Heading.compared < 10_000
