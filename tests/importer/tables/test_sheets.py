"""Rows of cells: delimiters, quotes, line numbers, and objects instead of rows."""

import json
import re

import pytest

from ratingcore.errors import BadFile, ColumnNotFound
from ratingcore.events import GamePlayed
from ratingcore.importer.tables import FieldMap
from ratingcore.readers import Refused, Unrated

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
    with pytest.raises(BadFile, match="the quote opened on line 3"):
        read(HEADER + games + '"ann,bo,1,2024-03-02\n' + games + rest)


def test_quotes_inside_a_cell_are_letters(read: Read) -> None:
    (line,) = read(HEADER + 'Joe "Ace" Doe,bo,1,2024-03-02')
    assert line.event.a == 'Joe "Ace" Doe'


def test_a_text_that_a_program_wrote_as_a_formula_is_the_text(read: Read) -> None:
    """`="ann"` was another player than `ann`."""
    rows = 'played,a,b,score\n2024-03-02,"=""ann""",="bo",="1-0"\n="2024-03-09",ann,bo,0-1\n'
    games = [made.event for made in read(rows)]
    assert [(game.a, game.b, game.score) for game in games] == [("ann", "bo", 1), ("ann", "bo", 0)]


def test_a_header_alone_yields_nothing(read: Read) -> None:
    assert read(HEADER) == []


def test_a_wrong_column_names_the_file_what_it_was_for_and_what_there_is(read: Read) -> None:
    with pytest.raises(ColumnNotFound) as caught:
        read(HEADER, "a=white")
    error = caught.value
    assert (error.column, error.wanted_for, error.found) == ("white", "a", ("a", "b", "score", "played"))
    assert error.path.endswith("games.csv")


def test_two_columns_of_one_name_are_refused_when_they_matter(read: Read) -> None:
    with pytest.raises(BadFile, match="two columns are named a") as caught:
        read("a,a,b,score,played\n")
    assert caught.value.advice == "map both: the second one is called a 2"
    assert read("a,x,x,b,score,played\n") == []


@pytest.mark.parametrize(
    ("text", "mapped"),
    [
        ("Player,Player,Result,Date\nann,bo,1-0,2024-03-02\n", "a=Player,b=Player 2,score=Result,played=Date"),
        (
            "Name,Result,Name,Result,Date\nann,3,bo,1,2024-03-02\n",
            "a=Name,b=Name 2,points_a=Result,points_b=Result 2,played=Date",
        ),
        (
            "Home,PTS,Away,PTS,Date\nann,99,bo,90,2024-03-02\n",
            "a=Home,b=Away,points_a=PTS,points_b=PTS 2,played=Date",
        ),
    ],
)
def test_columns_of_one_name_are_mapped_by_their_number(read: Read, text: str, mapped: str) -> None:
    """No mapping could name the second one."""
    (made,) = read(text, mapped)
    assert (made.event.a, made.event.b, made.event.score) == ("ann", "bo", 1.0)


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
    assert (bad.line, bad.reason) == (2, "the key 'score' occurs twice in one object")


def test_a_truth_value_is_no_name_of_a_player(read: Read) -> None:
    """Players called true and false came into being."""
    lines = OBJECT + OBJECT.replace('"ann"', '"true"') + OBJECT.replace('"ann"', "true") + OBJECT
    _, named, bad, _ = read(lines, name="games.jsonl")
    assert named.event.a == "true"
    assert (bad.line, bad.reason) == (3, "a must be a name, not true or false: 'true'")
    rows = '{"session": "s", "played": "2024-03-02", "player": false, "score": 1}\n'
    (seat,) = read(rows, name="seats.jsonl")
    assert "player must be a name, not true or false: 'false'" in seat.reason
    (side,) = read('{"played": "2024-03-02", "sides": [{"players": [true], "score": 1}]}\n', name="s.jsonl")
    assert side.reason == "players must be names: '[True]'"
    (pool,) = read(OBJECT.replace('"a"', '"pool": true, "a"'), name="games.jsonl")
    assert pool.reason == "pool must be a name, not true or false: 'true'"


def test_a_line_that_is_no_object_is_refused_with_its_number(read: Read) -> None:
    lines = read(OBJECT + "\n{oops\n[1]\n" + OBJECT.replace('"bo"', '["bo"]') + OBJECT)
    assert [line.line for line in lines] == [1, 3, 4, 5, 6]
    assert [type(line).__name__ for line in lines] == ["Made", *["Refused"] * 3, "Made"]
    assert "not JSON" in lines[1].reason
    assert lines[3].reason == "b is not a single value"


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


def test_the_header_is_the_first_of_fifty_lines_that_has_the_columns(read: Read) -> None:
    """Titles and notes above it had to be counted, and skipped by hand."""
    notes = "Club championship, 2024\n\nplayed by: all, in spring\n"
    for header, mapping in (
        ("date;white;black;result", "a=white,b=black,score=result,played=date"),
        ("played;a;b;score", ""),
    ):
        for above in (notes, notes + "x,y\n" * 45):
            bad, line = read(f"{above}{header}\n2024-03-02;ann;;1-0\n2024-03-02;ann;bo;1-0\n", mapping or None)
            assert bad.line == above.count("\n") + 2
            assert (line.event.a, line.event.b, line.event.score) == ("ann", "bo", 1.0)
    with pytest.raises(ColumnNotFound):
        read(notes + "x,y\n" * 50 + "played,a,b,score\n")
    assert len(read(notes + "x,y\n" * 50 + "played,a,b,score\n2024-03-02,ann,bo,1\n", FieldMap(skip=9))) == 1


def test_a_header_below_titles_is_found_by_its_headings_too(read: Read) -> None:
    with pytest.raises(ColumnNotFound) as caught:
        read("Vereinsmeisterschaft, Runde 1\n\nDatum,Weiß,Schwarz,Ergebnis\n2024-03-02,ann,bo,1-0\n")
    assert caught.value.found == ("Datum", "Weiß", "Schwarz", "Ergebnis")


def test_rows_that_end_early_are_whole_and_rows_of_separators_are_blank(read: Read) -> None:
    """Spreadsheet programs cut off empty cells at the end of a row, and add rows and columns of commas."""
    header = "a,b,played,score,event,round\n"
    rows = [
        "ann,bo,2024-03-02,1-0",
        "ann,cy,2024-03-02,1-0,Open",
        "ann,di,2024-03-02",
        "ann,ed",
        ",,,,,",
        " , ,,,,",
        ",,",
        "ann,flo,2024-03-02,1,Open,3,,",
    ]
    found = read(header + "".join(f"{row}\n" for row in rows))
    assert [line.line for line in found] == [2, 3, 4, 5, 9]
    assert [dict(found[at].event.data) for at in (0, 1, 4)] == [{}, {"event": "Open"}, {"event": "Open", "round": 3}]
    assert found[2] == Unrated(4, "no result yet")
    assert found[3].reason == "2 cells where the header has 6"


def test_a_heading_in_two_languages_is_named_by_either(read: Read) -> None:
    text = "White/Blancs,Black / Noirs,Résultat,Date/Datum\nann,bo,1-0,2024-03-02\n"
    for a, played in (("White", "Datum"), ("Blancs", "Date"), ("White/Blancs", "Date/Datum")):
        (line,) = read(text, f"a={a},b=Noirs,score=Résultat,played={played}")
        assert (line.event.a, line.event.b) == ("ann", "bo")
    with pytest.raises(ColumnNotFound):  # which of two is not said
        read("White/A,Black/A,score,played\n", "a=A,b=Black/A")


GAME = {"a": "ann", "b": "bo", "score": 0.5, "played": "2024-03-02"}
DEEP = {"players": {"black": {"name": "ann"}, "all": ["x", {"name": "bo"}]}, "score": 0.5, "played": "2024-03-02"}


def test_fields_within_objects_are_named_by_their_paths(read: Read) -> None:
    mapping = "a=players.black.name,b=players.all.1.name"
    for text in (json.dumps(DEEP), json.dumps([DEEP]), json.dumps({"data": {"games": [DEEP]}}, indent=2)):
        (line,) = read(text, mapping, name="games.json")
        assert (line.event.a, line.event.b, line.event.score) == ("ann", "bo", 0.5)
    first, second = read(json.dumps(DEEP) + "\n" + json.dumps(GAME) + "\n", mapping)
    assert (first.event.b, second.reason) == ("bo", "a must be a name: ''")
    (line,) = read(json.dumps(DEEP | {"players.black.name": "cy"}), mapping)
    assert line.event.a == "cy"
    with pytest.raises(ColumnNotFound, match=r"no column 'players\.white\.name' for a"):
        read(json.dumps(DEEP), "a=players.white.name,b=players.all.1.name")
    with pytest.raises(ColumnNotFound):
        read(json.dumps(DEEP), "a=players.black.name,b=players.all.7.name")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([GAME, GAME]), json.dumps([GAME, GAME], indent=1), json.dumps({"rows": [GAME, GAME], "next": None}),
        json.dumps({"count": 2, "data": {"people": [{"name": "ann"}], "games": [GAME, GAME]}}, indent=4),
        f"[\n{json.dumps(GAME)},\n{json.dumps(GAME)}\n]\n", 2 * f"{json.dumps(GAME, indent=1)}\n",
    ],
)  # fmt: skip
def test_a_json_document_is_a_table_of_the_objects_that_have_the_columns(read: Read, text: str) -> None:
    found = read(text, name="games.json")
    assert [(line.event.a, line.event.score) for line in found] == [("ann", 0.5)] * 2
    where = [text[: place.start()].count("\n") + 1 for place in re.finditer(r'\{\s*"a"', text)]
    assert [line.line for line in found] == where


def test_of_several_arrays_one_is_chosen_by_its_columns_or_named(read: Read) -> None:
    text = json.dumps({"spring": [GAME], "summer": {"games": [GAME, GAME]}})
    with pytest.raises(BadFile, match=r"it holds 2 lists of objects: spring, summer\.games"):
        read(text, name="games.json")
    assert len(read(text, FieldMap(sheet="summer.games"), name="games.json")) == 2
    with pytest.raises(BadFile, match="it has no list of objects autumn"):
        read(text, FieldMap(sheet="autumn"), name="games.json")


@pytest.mark.parametrize(
    "text", ['{"games": [{"a": 1 "b": 2}]}', '[{"a": 1},', '{"games": [{"a": 1}', '[\n{"a": 1}\n{"a": 2}\n]']
)
def test_a_damaged_document_is_a_bad_file(read: Read, text: str) -> None:
    with pytest.raises(BadFile, match="it is not JSON"):
        read(text, name="games.json")


def test_an_object_with_sides_or_a_list_of_moves_is_a_row_and_no_document(read: Read) -> None:
    session = {"played": "2024-03-02", "sides": [{"players": ["ann"], "score": 1}, {"players": ["bo"], "score": 0}]}
    (line,) = read(json.dumps(session))
    assert len(line.event.sides) == 2
    (line,) = read(json.dumps(session, indent=2))
    assert (line.line, len(line.event.sides)) == (1, 2)
    (line,) = read(json.dumps(GAME | {"moves": [{"san": "e4"}]}))
    assert line.event.a == "ann"


def test_a_title_is_no_header_though_nobody_knows_the_headings(read: Read) -> None:
    """The error named the cells of the title as columns."""
    with pytest.raises(ColumnNotFound) as caught:
        read("Spring cup;;;\n;;;\nwho;whom;how;when\nann;bo;1;2024-03-02\n")
    assert caught.value.found == ("who", "whom", "how", "when")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_header_that_comes_again_is_no_row(read: Read, mark: str) -> None:
    """Files that were put behind each other repeat the header, and it was refused as a score."""
    header, row = "played,a,b,score\n", "2024-03-02,ann,bo,1\n"
    assert len(read(f"{header}{row}{mark}{header}{row}")) == 2
    table = "| played | a | b | score |\n|---|:-:|---|---|\n| 2024-03-02 | ann | bo | 1 |\n"
    assert len(read(table)) == 1


def test_a_second_header_with_other_order_reads_the_rows_below_it(read: Read) -> None:
    """The games below it were read by the first header, with white and black exchanged."""
    table = "Date,White,Black,Result\n{},Ann,Bo,1-0\n\nDate,Black,White,Result\n{},Cy,Di,0-1\n"
    again = "Date,White,Black,Result\n{},Ed,Flo,1-0\n"
    found = read((table + again).replace("{}", "2024-03-02"), "a=White,b=Black,score=Result,played=Date")
    games = [(line.event.a, line.event.b, line.event.score) for line in found if not isinstance(line, Refused)]
    assert games == [("Ann", "Bo", 1.0), ("Di", "Cy", 0.0), ("Ed", "Flo", 1.0)]
    moved, same = (line for line in found if isinstance(line, Refused))
    assert (moved.line, moved.reason) == (
        4, "is a header with the columns in another order: the rows below it are read in this order",
    )  # fmt: skip
    assert same.line == 6
