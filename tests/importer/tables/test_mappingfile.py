"""Mappings in TOML, and everything that is wrong with them."""

import pytest

from ratingcore.errors import BadMapping
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.fieldmap import Constant, FromColumn

from .conftest import Read, Write

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
    first, second, third = (
        line.outcome for line in read(HEADER + "\n".join([*rows, "ann,bo,X,02.03.2024,,"]), mapping)[:3]
    )
    assert (first.score, dict(first.data)) == (1.0, {"home": "a", "importance": 40, "season": 2024})
    assert (second.score, dict(second.data)) == (0.75, {"importance": 20, "season": 2024})
    assert third.reason == "no result yet"


def test_an_empty_cell_becomes_the_default(read: Read, write: Write) -> None:
    mapping = FieldMap.load(write(MAPPING, "mapping.toml"))
    (line,) = read(HEADER + "ann,bo,X,02.03.2024,,", mapping)
    assert (line.outcome.score, line.outcome.data["importance"]) == (0.5, 10)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("delimeter = ';'", "unknown key delimeter: known are"),
        ("decimal = '_'", "decimal is neither a point nor a comma"),
        ("delimiter = ';;'", "delimiter is not one character"),
        ("encoding = 'utf-99'", "unknown encoding: 'utf-99'"),
        ("encoding = 'base64'", "unknown encoding: 'base64'"),
        ("date = 3", "date is not a text: 3"),
        ("fields = 3", "fields is not a table: 3"),
        ("[fields]\na = 3", "fields.a is neither a column name nor a table: 3"),
        ("[fields]\na = ''", "fields.a is neither a column name nor a table"),
        ("[fields.a]\ncolum = 'x'", "unknown key fields.a.colum: known there are column, default, otherwise, words"),
        ("[fields.a]\nvalue = 'x'\ncolumn = 'y'", "unknown key fields.a.column: known there are value"),
        ("[fields.a]\nwords = {}", "fields.a names no column and no value"),
        ("[fields.a]\ncolumn = 'x'\nwords = 3", "fields.a.words is not a table: 3"),
        ("[fields.a]\ncolumn = 'x'\nwords = {x = true}", "fields.a.words.x is neither text nor number: True"),
        ("[fields.a]\ncolumn = 'x'\nwords = {otherwise = 3}", "belongs beside words"),
        ("[fields]\nid = 'x'\nuid = 'y'", "the field uid is mapped twice"),
        ("a = ", "is no TOML: "),
    ],
)
def test_a_mistake_is_named_with_file_and_key(write: Write, text: str, why: str) -> None:
    with pytest.raises(BadMapping) as caught:
        FieldMap.load(write(text, "mapping.toml"))
    assert why in caught.value.why
    assert caught.value.where.endswith("mapping.toml")


def test_a_mapping_that_is_not_there_or_not_text_is_bad(write: Write) -> None:
    path = write(b"\xff\xfe", "mapping.toml")
    with pytest.raises(BadMapping, match="is no TOML"):
        FieldMap.load(path)
    with pytest.raises(BadMapping, match="no such file"):
        FieldMap.load(path.with_name("other.toml"))
