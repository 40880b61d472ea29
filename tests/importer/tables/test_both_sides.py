"""Columns that name both sides of a game."""

from collections.abc import Sequence

import pytest

from ratingcore.importer.tables import FieldMap, read_results
from ratingcore.importer.tables.headings import readings
from ratingcore.importer.tables.results import by_headings, sheet_of_results
from ratingcore.readers import Made, Refused

from .conftest import Read, Write


@pytest.mark.parametrize(
    ("head", "rows", "scores"),
    [
        ("date,match,winner", ["Ann Lee vs Bo,Ann Lee", "Bo vs. Cy,Cy"], [1.0, 0.0]),
        ("date,match,score", ["Ann Lee - Bo,2:1", "Bo \u2013 Cy,0:2"], [1.0, 0.0]),
        ("date,Paarung", ["Ann Lee - Bo 2:1", "Bo - Cy 2:2"], [1.0, 0.5]),
        ("date,Paarung", ["Ann Lee - Bo 2:1 (0:1)", "Bo - Cy 1:1 (1:0)"], [1.0, 0.5]),
        ("date,Paarung", ["Ann Lee - Bo 2\u00bd:1\u00bd", "Bo - Cy 30:25"], [1.0, 1.0]),
    ],
)
def test_both_sides_are_read_from_one_column(write: Write, head: str, rows: Sequence[str], scores: list[float]) -> None:
    path = write(f"{head}\n" + "".join(f"2024-03-02,{row}\n" for row in rows))
    fields = by_headings(sheet_of_results(path, FieldMap()), FieldMap())
    events = [row.event for row in read_results(path, pool="p", fields=fields) if isinstance(row, Made)]
    assert [(event.a, event.b) for event in events] == [("Ann Lee", "Bo"), ("Bo", "Cy")]
    assert [event.score for event in events] == scores


def test_a_cell_of_one_name_or_three_is_refused_and_one_without_points_is_not_played(read: Read) -> None:
    rows = "2024-03-02,Ann,1\n2024-03-02,Ann - Bo - Cy,1\n2024-03-02,Ann-Lee v Bo,1\n"
    one, three, pair = read(f"played,match,score\n{rows}", "a=match,b=match")
    assert isinstance(one, Refused)
    assert three.reason.startswith("a must be two names with `vs` or a dash between them")
    assert (pair.event.a, pair.event.b) == ("Ann-Lee", "Bo")
    (open_game,) = read("played,match\n2024-03-02,Ann - Bo\n", "a=match,b=match,points=match")
    assert open_game.reason == "no result yet"


@pytest.mark.parametrize(
    "more", ["19:30", "+:-", "1:0 ff", "0:2 n.V.", "w.o.", "1/2:1/2", "- 2:1", "2:1 2:0", "(1:0) 2:1"]
)
def test_what_else_a_cell_of_both_sides_has_is_not_part_of_a_name(more: str, read: Read) -> None:
    """A score that was not understood became the end of a name, and half-time or the time of day the result."""
    (row,) = read(f"played,match\n2024-03-02,Ann - Bo {more}\n", "a=match,b=match,points=match")
    assert isinstance(row, Refused)
    assert "must be two names" in row.reason


def test_a_table_of_players_and_games_is_none_of_pairings() -> None:
    assert readings(["date", "game", "player", "score"], {}) == []
