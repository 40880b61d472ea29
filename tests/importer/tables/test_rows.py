"""Rows to lines: every row of a sheet yields one line, whatever happens while its event is made."""

from ratingcore.errors import BadValue
from ratingcore.importer.tables import FieldMap, Line, Refused, Unrated
from ratingcore.importer.tables.cells import Outcome
from ratingcore.importer.tables.fieldmap import Constant
from ratingcore.importer.tables.rows import Binding, lines
from ratingcore.importer.tables.sheets import open_table
from ratingcore.readers.sheets import Sheet

from .conftest import Write


def read(sheet: Sheet, bound: Binding) -> list[Line]:
    """The lines of a sheet whose first cell says what becomes of the row."""

    def event(cells: list[str]) -> Outcome:
        if cells[0] == "bad":
            raise BadValue("a", cells[0], "is no name")
        if cells[0] == "half":
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
        return Unrated("|".join(cells))

    return list(lines(sheet, bound, event))


def test_every_row_becomes_a_line_and_errors_of_events_become_refusals(write: Write) -> None:
    sheet = open_table(write("a,b\nann,bo\nbad,bo\nhalf,bo\nann\ncy,di\n"), FieldMap(), (), ())
    assert read(sheet, Binding(sheet, FieldMap())) == [
        Line(2, Unrated("ann|bo")),
        Line(3, Refused("a is no name: 'bad'", "bad,bo")),
        Line(4, Refused("the row holds half a character", "'half,bo'")),
        Line(5, Refused("1 cells where the header has 2", "ann")),
        Line(6, Unrated("cy|di")),
    ]


def test_constants_are_appended_to_the_cells_and_left_out_of_a_refused_text(write: Write) -> None:
    sheet = open_table(write("a,b\nann,bo\nbad,bo\n"), FieldMap(), (), ())
    bound = Binding(sheet, FieldMap({"season": Constant("2024")}))
    bound.required("season", str)
    good, bad = read(sheet, bound)
    assert good.outcome == Unrated("ann|bo|2024")
    assert bad.outcome == Refused("a is no name: 'bad'", "bad,bo")
