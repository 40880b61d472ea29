"""Tables of games to come."""

from pathlib import Path

import pytest

from ratingcore.cli.words import hint
from ratingcore.errors import BadFile, ColumnNotFound
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.short_tables import read_fixtures


def table(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "fixtures.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_further_columns_are_facts_where_they_hold_something(tmp_path: Path) -> None:
    (one, two) = read_fixtures(table(tmp_path, "b;a;home;event\nbo;ann;a;Open\ncy+di;bo;;\n"))
    assert (one.line, one.a, one.b, one.played, one.facts) == (2, "ann", "bo", "", {"home": "a", "event": "Open"})
    assert (two.a, two.b, two.facts) == ("bo", "cy+di", {})


def test_what_is_no_fixture_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="line 3 must name two sides"):
        read_fixtures(table(tmp_path, "a,b\nann,bo\nann,\n"))
    with pytest.raises(ColumnNotFound):
        read_fixtures(table(tmp_path, "a,opponent\nann,bo\n"))


def test_the_hint_names_the_columns_of_the_fixtures(tmp_path: Path) -> None:
    """It named columns that another file has."""
    with pytest.raises(ColumnNotFound) as caught:
        read_fixtures(table(tmp_path, "Datum,Heim,Gast\n2024-04-06,ann,bo\n"))
    assert hint(caught.value) == "if these are the columns: --map a=Heim,b=Gast"
    (fixture,) = read_fixtures(
        table(tmp_path, "home,away,played\nann,bo,2024-04-06\n"), FieldMap.parse("a=home,b=away")
    )
    assert fixture.facts == {}
