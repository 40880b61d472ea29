"""What becomes of each row of a table."""

from typing import Any

import pytest

from ratingcore.errors import BadValue
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.outcomes import row_outcomes
from ratingcore.importer.tables.sheets import open_table
from ratingcore.readers import Refused, Unrated
from ratingcore.readers.sheets import Sheet

from .conftest import Write


def read(sheet: Sheet, bound: Binding) -> list[Any]:
    """What becomes of the rows of a sheet whose first cell says what becomes of the row."""

    def event(cells: list[str]) -> str:
        if cells[0] == "bad":
            raise BadValue("a", cells[0], "must be a name")
        if cells[0] == "half":
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
        return "|".join(cells)

    return list(row_outcomes(sheet, bound, event))


def test_every_row_becomes_an_outcome_and_errors_of_events_become_refusals(write: Write) -> None:
    sheet = open_table(write("a,b\nann,bo\nbad,bo\nhalf,bo\nann\ncy,di\n"), FieldMap(), (), ())
    assert read(sheet, Binding(sheet, FieldMap())) == [
        Unrated(2, "ann|bo"),
        Refused(3, "a must be a name: 'bad'", "bad,bo"),
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
