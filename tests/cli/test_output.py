"""Rows come out strictly, so that other programs can read them."""

import csv
import io
import json
import math
from itertools import count
from pathlib import Path

import pytest

from ratingcore import open as open_log
from ratingcore.cli.output import write

from .conftest import Run

COLUMNS = ("player", "rating", "games")
ROWS = [
    {"player": 'Ann "A", of\nBonn', "rating": 1 / 3, "games": 3},
    {"player": "王", "rating": math.nan, "games": 0},
    {"player": "bo", "rating": -0.0, "games": None},
]


def written(form: str, capsys: pytest.CaptureFixture[str], rows: list[dict[str, object]] = ROWS) -> str:
    write(iter(rows), COLUMNS, form, digits=2)
    return capsys.readouterr().out


def test_csv_has_the_names_as_header_and_numbers_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.reader(io.StringIO(written("csv", capsys), newline="")))
    assert rows == [[*COLUMNS], ['Ann "A", of\nBonn', "0.3333333333333333", "3"], ["王", "", "0"], ["bo", "0.0", ""]]


def test_csv_for_spreadsheets_has_no_formula_and_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["=1+1", "+1", "-1", "@sum", "\tx", "\uff1dx", "ann", "a=b", ""]
    rows = [{"player": name, "rating": -1.5, "games": -2} for name in names]
    read = list(csv.reader(io.StringIO(written("csv-spreadsheet", capsys, rows), newline="")))
    assert read[0] == ["\ufeffplayer", *COLUMNS[1:]], "without the mark Excel garbles every letter beyond ASCII"
    assert [row[0] for row in read[1:]] == [*(f"'{name}" for name in names[:6]), "ann", "a=b", ""]
    assert {tuple(row[1:]) for row in read[1:]} == {("-1.5", "-2")}
    assert [row[0] for row in csv.reader(io.StringIO(written("csv", capsys, rows), newline=""))][1:] == names


def test_what_nobody_sees_is_shown_in_a_table_and_exact_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    rows: list[dict[str, object]] = [{"player": "ann\u202e\u200b\x1b[31m", "rating": 1.0, "games": 1}]
    assert r"ann\u202e\u200b\x1b[31m" in written("table", capsys, rows)
    for form in ("csv", "json", "jsonl"):
        assert "ann\u202e\u200b" in written(form, capsys, rows)


def test_json_is_an_array_and_jsonl_an_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    expected = [ROWS[0], {"player": "王", "rating": None, "games": 0}, {"player": "bo", "rating": 0.0, "games": None}]
    assert json.loads(written("json", capsys)) == expected
    assert [json.loads(line) for line in written("jsonl", capsys).splitlines()] == expected


def test_a_table_is_rounded_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    plain = [{"player": "ann", "rating": 1 / 3, "games": 3}, {"player": "bo", "rating": -0.001, "games": 12}]
    assert written("table", capsys, plain).splitlines() == [
        "player  rating  games",
        "ann       0.33      3",
        "bo        0.00     12",
    ]


def test_no_rows_are_still_of_their_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert written("csv", capsys, []) == "player,rating,games\n"
    assert json.loads(written("json", capsys, [])) == []
    assert written("jsonl", capsys, []) == ""
    assert written("table", capsys, []) == "player  rating  games\n"


def test_rows_are_written_as_they_come(capsys: pytest.CaptureFixture[str]) -> None:
    def endless() -> object:
        while True:
            yield ROWS[2]
            if len(capsys.readouterr().out) > 0:
                raise StopAsyncIteration

    with pytest.raises(StopAsyncIteration):
        write(endless(), COLUMNS, "jsonl")  # type: ignore[arg-type]  # rows that never end


def test_tables_fit_the_terminal_and_say_what_had_no_room(
    run: Run, club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    ran = run("list", "club.db", "--show", "won,drawn,lost,share,opposition,last,peak")
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "no room for last, peak, peak_at: make the window wider, or use --format csv" in ran.err
    run("amend", "club.db", "g-1", "score=0.5", "--why", "the scoresheet of board 12 says so")
    ran = run("explain", "club.db", "ann")
    assert max(map(len, ran.out.partition("\n\n")[0].splitlines())) <= 80
    monkeypatch.setenv("COLUMNS", "200")
    assert "peak_at" in run("list", "club.db", "--show", "peak").out


def test_a_narrow_terminal_shows_what_happened_rather_than_where_it_came_from(
    run: Run, club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log had no room for the text beside times and sources; explain --against none for the difference."""
    Path("may.csv").write_text("played,a,b,score\n2024-03-03,ann,bo,1-0\n", encoding="utf-8")
    run("import", "club.db", "may.csv", "--pool", "rapid")
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    ran = run("log", "club.db", "--last", "1")
    assert ran.out.splitlines()[1].endswith("  ann beat bo")
    assert "no room for recorded, pool, source:" in ran.err
    assert "  table-" in ran.out  # corrections ask for it
    head, *_ = run("explain", "club.db", "ann", "--against", "5").out.splitlines()
    assert head.split() == ["change", "played", "opponent", "score", "new_score", "contribution", "difference"]
    assert (
        "ann in pool rapid, everything played, as known at 5 and at 6"
        in run("explain", "club.db", "ann", "-a", "5").out
    )


def test_digests_have_twelve_digits_on_a_terminal_and_all_in_data(
    run: Run, club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_log(club) as engine:
        digest, head = engine.rating_list("rapid").digest, engine.log.head.digest
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True, raising=False)
    out = run("list", "club.db").out
    assert f"digest of the list {digest[:12]}\n" in out
    assert head not in out
    assert head in run("verify", "club.db").out
    assert run("list", "club.db", "--known-at", f"5:{head[:12]}").code == 0


def test_an_import_shows_its_rate_on_a_terminal(run: Run, club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("may.csv").write_text("played,a,b,score\n2024-05-03,ann,bo,1-0\n2024-05-04,ann,bo,1-0\n", encoding="utf-8")
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True, raising=False)
    monkeypatch.setattr("ratingcore.cli.console.monotonic", count().__next__)
    err = run("import", "club.db", "may.csv", "--pool", "rapid").err
    assert "\rrows: 2 rows, 2 a second" in err
    monkeypatch.setattr("ratingcore.cli.console.monotonic", lambda: 0.0)
    assert "a second" not in run("import", "club.db", "may.csv", "--pool", "rapid").err
