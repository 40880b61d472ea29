"""Mappings of columns to fields, on the command line and in files."""

from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.errors import BadMapping, ColumnNotFound
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.fieldmap import Constant, FromColumn, mapping_of
from ratingcore.readers import Unrated

from .conftest import Read, Write


@pytest.mark.parametrize(
    ("column", "text", "translated"),
    [
        (FromColumn("x"), "H", "H"),
        (FromColumn("x"), "", ""),
        (FromColumn("x", {"H": "1"}), "H", "1"),
        (FromColumn("x", {"H": "1"}), "A", "A"),
        (FromColumn("x", {"H": "1"}, otherwise="0"), "A", "0"),
        (FromColumn("x", {"H": ""}, otherwise="0"), "H", ""),
        (FromColumn("x", otherwise="0", default="9"), "", "9"),
        (FromColumn("x", {"": "empty"}, default="9"), "", "empty"),
        (FromColumn("x", otherwise="0"), "", ""),
    ],
)
def test_a_word_comes_before_the_default_and_the_default_before_otherwise(
    column: FromColumn, text: str, translated: str
) -> None:
    assert column.translated(text) == translated


HEADER = "home,away,result,day,ground,cup\n"
MAPPING = """
delimiter = ","
decimal = ","
date = "%d.%m.%Y"
encoding = "utf-8"
pool = "rapid"
[fields]
a = "home"
b = "away"
played = "day"
score = { column = "result", words = { H = 1, X = "draw", A = 0, P = 0.75, abd = "*" } }
home = { column = "ground", words = { own = "a" }, otherwise = "" }
importance = { column = "cup", words = { "Coupe \u00e9t\u00e9" = 40 }, otherwise = 20, default = 10 }
season = { value = 2024 }
"""


def test_a_file_says_everything_that_a_mapping_can(write: Write) -> None:
    mapping = FieldMap.load(write(MAPPING, "mapping.toml"))
    assert (mapping.delimiter, mapping.decimal, mapping.date) == (",", ",", "%d.%m.%Y")
    assert (mapping.encoding, mapping.pool) == ("utf-8", "rapid")
    assert mapping.fields["a"] == FromColumn("home")
    assert mapping.fields["season"] == Constant("2024")


def test_words_translate_and_the_rest_is_otherwise_or_default(read: Read, write: Write) -> None:
    mapping = FieldMap.load(write(MAPPING, "mapping.toml"))
    rows = [
        "ann,bo,H,02.03.2024,own,Coupe e\u0301te\u0301",
        "ann,bo,P,02.03.2024,away,other",
        "ann,bo,abd,02.03.2024,,",
    ]
    first, second, third = (line[1] for line in read(HEADER + "\n".join([*rows, "ann,bo,X,02.03.2024,,"]), mapping)[:3])
    assert (first.score, dict(first.data)) == (1.0, {"home": "a", "importance": 40, "season": 2024})
    assert (second.score, dict(second.data)) == (0.75, {"importance": 20, "season": 2024})
    assert third == "no result yet"


def test_an_empty_cell_becomes_the_default(read: Read, write: Write) -> None:
    mapping = FieldMap.load(write(MAPPING, "mapping.toml"))
    (line,) = read(HEADER + "ann,bo,X,02.03.2024,,", mapping)
    assert (line.event.score, line.event.data["importance"]) == (0.5, 10)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("delimeter = ';'", "unknown key delimeter: keys are"),
        ("decimal = '_'", "decimal is neither a point nor a comma"),
        ("delimiter = ';;'", "delimiter is not one character"),
        ("encoding = 'utf-99'", "encoding must be an encoding of text, such as cp1252: 'utf-99'"),
        ("encoding = 'base64'", "encoding must be an encoding of text, such as cp1252: 'base64'"),
        ("date = '%d/%m'", "date_format must be a format of whole days, such as"),
        ("date = 3", "date is not a text: 3"),
        ("fields = 3", "fields is not a table: 3"),
        ("[fields]\na = 3", "fields.a is neither a column name nor a table: 3"),
        ("[fields]\na = 5", "fields.a is neither a column name nor a table"),
        ("[fields.a]\ncolum = 'x'", "unknown key fields.a.colum: keys are column, default, otherwise, words"),
        ("[fields.a]\nvalue = 'x'\ncolumn = 'y'", "unknown key fields.a.column: keys are value"),
        ("[fields.a]\nwords = {}", "fields.a has neither a column nor a value"),
        ("[fields.a]\ncolumn = 'x'\nwords = 3", "fields.a.words is not a table: 3"),
        ("[fields.a]\ncolumn = 'x'\nwords = {x = true}", "fields.a.words.x is neither text nor number: True"),
        ("[fields.a]\ncolumn = 'x'\nwords = {otherwise = 3}", "belongs next to words"),
        ("[fields]\nid = 'x'\nuid = 'y'", "the field uid is mapped twice"),
        ("a = ", "must be TOML: "),
    ],
)
def test_a_mistake_is_named_with_file_and_key(write: Write, text: str, why: str) -> None:
    with pytest.raises(BadMapping) as caught:
        FieldMap.load(write(text, "mapping.toml"))
    assert why in caught.value.why
    assert caught.value.where.endswith("mapping.toml")


def test_a_mapping_that_is_not_there_or_not_text_is_bad(write: Write) -> None:
    path = write(b"\xff\xfe", "mapping.toml")
    with pytest.raises(BadMapping, match="must be TOML"):
        FieldMap.load(path)
    with pytest.raises(BadMapping, match="no such file"):
        FieldMap.load(path.with_name("other.toml"))


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


@pytest.mark.parametrize("text", ["", "a", "=white", "a=white,", "a=white,,b=x", 'a="white', 'a="x"y', "a,b=x"])
def test_an_option_of_another_form_is_a_bad_mapping(text: str) -> None:
    with pytest.raises(BadMapping, match="fields: expected field=column, found: "):
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


def test_a_column_can_be_mapped_away(read: Read) -> None:
    rows = "a,b,score,points_a,points_b,played,round\nann,bo,0,3,1,2024-03-02,final\n"
    for mapping in (FieldMap.parse("round=,score="), mapping_of({"round": "", "score": ""})):
        (line,) = read(rows, mapping)
        assert (line.event.score, dict(line.event.data)) == (1.0, {"points_a": 3, "points_b": 1})
    with pytest.raises(ColumnNotFound):
        read(rows, "a=")


def test_a_word_of_the_club_for_a_bye_is_nobody(read: Read) -> None:
    rows = "a,b,score,played\nann,Platz 9,1,2024-03-02\nann,bo,1,2024-03-02\n"
    bye, game = read(rows, FieldMap(nobody="Zuschauer; Platz 9"))
    assert bye == Unrated(2, "bye")
    assert game.event.b == "bo"


def test_names_of_a_cross_table_are_read_as_others_or_as_nobody(tmp_path: Path) -> None:
    """A fixed fault: with `meant` or `nobody`, a file of another format was read as a table, or refused."""
    file = tmp_path / "cross.csv"
    file.write_text("Club\n18.10.2025\n\nNr.;Name;1;2;3\n1;An;*;1;1\n2;Bo;0;*;1\n3;Rast;0;0;*\n")
    engine = rc.open(":memory:")
    report = engine.import_file(file, "rapid", FieldMap(meant="An=Ann", nobody="Rast"), played="2025-10-18")
    assert (report.accepted, report.unrated) == (1, {"bye": [5, 6]})
    assert [one["player"] for one in engine.rating_list("rapid")] == ["Ann", "Bo"]
