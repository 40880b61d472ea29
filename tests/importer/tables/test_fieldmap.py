"""Mappings from the command line, and one over another."""

import pytest

from ratingcore.errors import BadMapping
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.fieldmap import FromColumn

from .conftest import Write


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("a=white,b=black", {"a": "white", "b": "black"}),
        (" a = white player , b=black ", {"a": "white player", "b": "black"}),
        ('a="white, name",b=x', {"a": "white, name", "b": "x"}),
        ("a='white, \"name\"'", {"a": 'white, "name"'}),
        ("a=player's name", {"a": "player's name"}),
        ("score=a=b", {"score": "a=b"}),
        ("id=game", {"uid": "game"}),
    ],
)
def test_an_option_is_field_equals_column(text: str, columns: dict[str, str]) -> None:
    assert FieldMap.parse(text) == FieldMap({field: FromColumn(column) for field, column in columns.items()})


@pytest.mark.parametrize("text", ["", "a", "a=", "=white", "a=white,", "a=white,,b=x", 'a="white', 'a="x"y', "a,b=x"])
def test_an_option_of_another_form_is_a_bad_mapping(text: str) -> None:
    with pytest.raises(BadMapping, match="--map: expected field=column, found: "):
        FieldMap.parse(text)


def test_a_field_is_mapped_once() -> None:
    with pytest.raises(BadMapping, match="the field a is mapped twice"):
        FieldMap.parse("a=white,a=black")
    with pytest.raises(BadMapping, match="the field uid is mapped twice"):
        FieldMap.parse("id=x,uid=y")


def test_the_command_line_stands_over_the_file(write: Write) -> None:
    file = FieldMap.load(write('decimal = ","\npool = "rapid"\n[fields]\na = "home"\nb = "away"', "mapping.toml"))
    both = file.merged(FieldMap.parse("b=guest,event=cup"))
    assert {name: source.column for name, source in both.fields.items()} == {"a": "home", "b": "guest", "event": "cup"}
    assert (both.decimal, both.pool) == (",", "rapid")
    assert file.merged(FieldMap(pool="blitz")).pool == "blitz"
    assert file.merged(FieldMap()) == file
