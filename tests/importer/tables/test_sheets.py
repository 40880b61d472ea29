"""Rows of cells: delimiters, quotes, line numbers, and objects instead of rows."""

import pytest

from ratingcore.errors import BadFile, ColumnNotFound
from ratingcore.events import GamePlayed
from ratingcore.importer.tables import FieldMap
from ratingcore.readers import Refused

from .conftest import HEADER, Read


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_in_the_header(read: Read, delimiter: str) -> None:
    (line,) = read("a,b,score,played\nann,bo,1-0,2024-03-02\n".replace(",", delimiter))
    assert (line.line, line.event.a, line.event.b) == (2, "ann", "bo")


def test_delimiters_in_quotes_do_not_count(read: Read) -> None:
    (line,) = read('"a,first,last";b;score;played\nann;bo;1;2024-03-02', 'a="a,first,last"')
    assert line.event.a == "ann"


def test_a_given_delimiter_stands(read: Read) -> None:
    (line,) = read("a~b~score~played\nann~bo~1~2024-03-02", FieldMap(delimiter="~"))
    assert line.event.b == "bo"


def test_line_numbers_stay_right_after_line_ends_in_cells_and_blank_lines(read: Read) -> None:
    lines = read(
        "\n" + HEADER.replace("a,b", 'a,b,"the\nnote"')
        + 'ann,bo,"two\r\nlines",1,2024-03-02\n\ncy,di,one,0,2024-03-02\r\n   \ned,flo,,9,2024-03-02'
    )  # fmt: skip
    assert [line.line for line in lines] == [4, 7, 9]
    assert isinstance(lines[2], Refused)


@pytest.mark.parametrize(("row", "cells"), [("ann,bo,1", 3), ("ann,bo,1,2024-03-02,x", 5), ("ann,", 2)])
def test_a_row_of_another_width_is_refused(read: Read, row: str, cells: int) -> None:
    first, second = read(f"{HEADER}{row}\nann,bo,1,2024-03-02\n")
    assert first == Refused(2, f"{cells} cells where the header has 4", row)
    assert isinstance(second.event, GamePlayed)


def test_a_refused_row_says_how_far_it_runs(read: Read) -> None:
    (line,) = read(HEADER + 'ann,"bo\nby",1')
    assert line.reason == "3 cells where the header has 4, the row runs to line 3"


def test_a_quote_in_the_wrong_place_refuses_its_row_only(read: Read) -> None:
    first, second = read(HEADER + '"ann"y,bo,1,2024-03-02\ncy,di,1,2024-03-02\n')
    assert "cannot be read" in first.reason
    assert (second.line, second.event.a) == (3, "cy")


@pytest.mark.parametrize("rest", ["", 'cy,"di,1,2024-03-02\n'])
def test_an_open_quote_swallows_no_rows_in_silence(read: Read, rest: str) -> None:
    games = "ann,bo,1,2024-03-02\n"
    with pytest.raises(BadFile, match="a quote is opened on line 3"):
        read(HEADER + games + '"ann,bo,1,2024-03-02\n' + games + rest)


def test_quotes_inside_a_cell_are_letters(read: Read) -> None:
    (line,) = read(HEADER + 'Joe "Ace" Doe,bo,1,2024-03-02')
    assert line.event.a == 'Joe "Ace" Doe'


def test_a_header_alone_yields_nothing(read: Read) -> None:
    assert read(HEADER) == []


def test_a_wrong_column_names_the_file_what_it_was_for_and_what_there_is(read: Read) -> None:
    with pytest.raises(ColumnNotFound) as caught:
        read(HEADER, "a=white")
    error = caught.value
    assert (error.column, error.wanted_for, error.found) == ("white", "a", ("a", "b", "score", "played"))
    assert error.path.endswith("games.csv")


def test_two_columns_of_one_name_are_refused_when_they_matter(read: Read) -> None:
    with pytest.raises(BadFile, match="two columns are named a"):
        read("a,a,b,score,played\n")
    assert read("a,x,x,b,score,played\n") == []


OBJECT = '{"a": "ann", "b": "bo", "score": 0.5, "played": "2024-03-02", "points_a": 12, "home": null}\n'


@pytest.mark.parametrize("name", ["games.jsonl", "games.ndjson", "GAMES.JSONL", "games.txt"])
def test_objects_are_rows_by_name_or_by_their_first_byte(read: Read, name: str) -> None:
    (line,) = read(OBJECT, name=name)
    assert (line.line, line.event.score, dict(line.event.data)) == (1, 0.5, {"points_a": 12})


def test_an_object_with_a_key_twice_is_refused(read: Read) -> None:
    """The second score counted, and nobody told."""
    twice = OBJECT.replace('"a"', '"score": 0, "a"')
    first, bad, last = read(OBJECT + twice + OBJECT, name="games.jsonl")
    assert (first.line, last.line) == (1, 3)
    assert (bad.line, bad.reason) == (2, "the key 'score' stands twice in one object")


def test_a_truth_value_is_no_name_of_a_player(read: Read) -> None:
    """Players called true and false came into being."""
    lines = OBJECT + OBJECT.replace('"ann"', '"true"') + OBJECT.replace('"ann"', "true") + OBJECT
    _, named, bad, _ = read(lines, name="games.jsonl")
    assert named.event.a == "true"
    assert (bad.line, bad.reason) == (3, "a is a truth value, and no name: 'true'")
    rows = '{"session": "s", "played": "2024-03-02", "player": false, "score": 1}\n'
    (seat,) = read(rows, name="seats.jsonl")
    assert "player is a truth value, and no name: 'false'" in seat.reason
    (side,) = read('{"played": "2024-03-02", "sides": [{"players": [true], "score": 1}]}\n', name="s.jsonl")
    assert side.reason == "players are no names: '[True]'"
    (pool,) = read(OBJECT.replace('"a"', '"pool": true, "a"'), name="games.jsonl")
    assert pool.reason == "pool is a truth value, and no name: 'true'"


def test_a_line_that_is_no_object_is_refused_with_its_number(read: Read) -> None:
    lines = read(OBJECT + "\n{oops\n[1]\n" + OBJECT.replace('"bo"', '["bo"]') + OBJECT)
    assert [line.line for line in lines] == [1, 3, 4, 5, 6]
    assert [type(line).__name__ for line in lines] == ["Made", *["Refused"] * 3, "Made"]
    assert "no JSON" in lines[1].reason
    assert lines[3].reason == "b is no single value"


def test_a_known_field_that_comes_late_is_not_lost(read: Read) -> None:
    late = OBJECT.replace('"home": null', '"home": "a", "round": 7, "note": ["no", "matter"]')
    *_, line = read(OBJECT * 1001 + late)
    assert dict(line.event.data) == {"home": "a", "points_a": 12, "round": 7}


def test_a_column_that_no_object_has_is_not_found(read: Read) -> None:
    with pytest.raises(ColumnNotFound, match="no column 'white' for a"):
        read(OBJECT, "a=white")


def test_half_a_character_is_refused(read: Read) -> None:
    first, second = read(OBJECT.replace("ann", "\\ud83d") + OBJECT.replace("null", '"a", "event": "\\ud83d"'))
    assert isinstance(first, Refused)
    assert isinstance(second, Refused)
