"""What a report says of rows that are taken as they are, and may still be mistakes."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.engine import Engine, open_engine
from ratingcore.errors import BadFile
from ratingcore.importer.day_notes import FarFromPool, NewestFirst
from ratingcore.importer.doubtful_names import PairsAsPlayers
from ratingcore.importer.name_notes import NearNames, ToldApart
from ratingcore.importer.notes import DoubtfulGames, MaybePools
from ratingcore.importer.report import ImportReport
from ratingcore.importer.tables import FieldMap
from ratingcore.readers import Reason, Refused, Warning

HEADER = "played,a,b,score"


@pytest.fixture
def engine() -> Iterator[Engine]:
    with open_engine(":memory:") as engine:
        yield engine


def take(engine: Engine, *lines: str, **said: Any) -> ImportReport:
    report = engine.import_file(io.BytesIO("\n".join([*lines, ""]).encode()), "club", reader="csv", **said)
    assert report.adds_up
    return report


def test_columns_that_are_not_used_are_named(engine: Engine) -> None:
    report = take(engine, f"{HEADER},Eco,Link", "2024-03-02,ann,bo,1,C20,x")
    assert report.unused_columns == ["Eco", "Link"]
    assert "  columns not used: Eco, Link" in report.lines()


def test_a_dry_run_shows_the_first_three_games_as_understood(engine: Engine) -> None:
    rows = [f"2024-03-0{day},ann,bo,1/2,Open" for day in range(1, 6)]
    report = take(engine, f"{HEADER},event", *rows, dry_run=True)
    assert report.understood[0] == "line 2: club, 2024-03-01, ann - bo 0.5 (event Open)"
    assert len(report.understood) == 3
    assert not take(engine, f"{HEADER},event", *rows).understood


def test_equal_rows_are_noted_and_count(engine: Engine) -> None:
    report = take(engine, HEADER, "2024-03-02,ann,bo,1", "2024-03-02,ann,bo,1", "2024-03-02,bo,ann,1")
    assert report.accepted == 3
    assert report.warnings == ["1 row equals an earlier row of the file, and counts as a second result: line 3"]


def test_days_that_are_far_off_are_noted(engine: Engine) -> None:
    report = take(engine, HEADER, "1824-03-02,ann,bo,1", "2124-03-02,ann,bo,1", "1850-01-01,ann,bo,1")
    assert report.accepted == 3
    assert report.warnings[0].startswith("2 rows are of a day before 1850 or after tomorrow: line 2, 1824-03-02")


def test_new_names_that_differ_in_spelling_only_are_noted(engine: Engine) -> None:
    take(engine, HEADER, "2024-03-02,José Ruiz,bo,1")
    report = take(engine, HEADER, "2024-03-03,Jose Ruiz,BO,1", "2024-03-03,JoséRuiz,cy,1")
    (note,) = report.warnings
    assert "BO like bo, Jose Ruiz like José Ruiz, JoséRuiz like José Ruiz" in note


@pytest.mark.parametrize("way", ["columns", "rows"])
def test_a_new_name_with_a_slip_is_noted(way: str, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Magnus Carlson became a second player without a word."""
    if way == "rows":
        monkeypatch.setattr("ratingcore.importer.files.import_by_columns", lambda *given: False)
    assert take(engine, HEADER, "2024-03-02,Magnus Carlsen,Bo Lund,1").warnings == []
    rows = ("2024-03-03,Magnus Carlson,Bo Lund,1", "2024-03-04,Cy Hart,Bo Lund,1")
    said = "new name Magnus Carlson is spelt nearly like Magnus Carlsen"
    assert take(engine, HEADER, *rows, dry_run=True).warnings == [said]
    report = take(engine, HEADER, *rows)
    assert (report.warnings, report.notes) == ([said], [NearNames((("Magnus Carlson", "Magnus Carlsen"),))])
    assert take(engine, HEADER, *rows).warnings == []  # it is known by now
    report = take(engine, HEADER, "2024-03-05,Carlsen Magnus,Lund Bo,1", "2024-03-05,Lundt Bo,Di Hart,1")
    assert report.warnings == [
        "new names are spelt nearly like others: Carlsen Magnus like Magnus Carlsen, Lund Bo like Bo Lund"
    ]


@pytest.mark.parametrize("form", ["{} ({})", "{} [{}]", "{} {}", "{}({})"])
def test_names_that_differ_by_the_rating_behind_them_are_noted(form: str, engine: Engine) -> None:
    """Ann (1800) and Ann (1810) became two players without a word."""
    first, second = form.format("Ann", 1800), form.format("Ann", 1810)
    take(engine, HEADER, f"2024-03-02,{first},{form.format('Bo', 1700)},1")
    report = take(engine, HEADER, f"2024-03-09,{form.format('Bo', 1700)},{second},1")
    assert report.notes == [NearNames(((second, first),))]


def test_pairs_and_rounded_numbers_as_players_are_noted(engine: Engine) -> None:
    """Ann / Bo and 1.23457E+11 became players without a word."""
    rows = "2024-03-02,Ann / Bo,Cy / Di,1", "2024-03-03,1.23457E+11,SG Alder/Birch,0", "2024-03-03,Hill & Dale,Ed,0"
    assert take(engine, HEADER, *rows).warnings == [
        "2 names are probably of two people each, but count as one player: Ann / Bo; Cy / Di",
        "1 name is a number that a spreadsheet has rounded, and may be of several people: 1.23457E+11",
    ]
    assert take(engine, HEADER, *rows).warnings == []
    (note,) = take(engine, HEADER, "2024-03-02,Flo/Gil,Hal/Ida,1").notes
    assert note == PairsAsPlayers(2, ("Flo/Gil", "Hal/Ida"))


@pytest.mark.parametrize("way", ["columns", "rows"])
def test_a_no_break_space_makes_no_second_player(way: str, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two names that looked the same on the screen were two players."""
    if way == "rows":
        monkeypatch.setattr("ratingcore.importer.files.import_by_columns", lambda *given: False)
    rows = "2024-03-02,Ann Lee,Bo,1", "2024-03-09,Ann\u00a0Lee,Bo\u2009,0"
    assert take(engine, HEADER, *rows).warnings == []
    assert sorted(engine.log.book.keys_of("player")) == ["Ann Lee", "Bo"]


def test_a_winner_with_a_no_break_space_is_the_side_with_a_space(engine: Engine) -> None:
    table = "played,a,b,winner", "2024-03-02,Ann Lee,Bo,Ann\u00a0Lee"
    assert take(engine, *table, fields=FieldMap.parse("score=winner")).accepted == 1


def test_numbers_that_tell_players_apart_are_no_ratings(engine: Engine) -> None:
    rows = [f"2024-03-02,Guest {1000 + n},Team {2000 + n},1" for n in range(5)]
    assert take(engine, HEADER, *rows).warnings == []


def test_new_names_of_a_document_are_compared_too(engine: Engine, tmp_path: Path) -> None:
    """Only tables were looked at."""
    take(engine, HEADER, "2024-03-02,Magnus Carlsen,Bo Lund,1")
    file = tmp_path / "games.pgn"
    tags = {"Event": "Open", "Date": "2024.03.05", "White": "Carlson, Magnus", "Black": "Bo Lund", "Result": "1-0"}
    file.write_text("\n".join([*(f'[{tag} "{value}"]' for tag, value in tags.items()), "", "1. e4 1-0", ""]))
    assert NearNames((("Carlson, Magnus", "Magnus Carlsen"),)) in engine.import_file(file, "club").notes


def test_a_date_format_that_fails_on_a_row_takes_none_of_an_ambiguous_file(engine: Engine) -> None:
    rows = ("03/04/2024,ann,bo,1", "03/14/2024,ann,bo,1")
    with pytest.raises(BadFile, match=r"03/14/2024.*1 other row cannot be trusted, and nothing is imported"):
        take(engine, HEADER, *rows, fields=FieldMap(date="%d/%m/%Y"))
    assert engine.log.head.position == 0
    assert take(engine, HEADER, *rows, fields=FieldMap(date="%m/%d/%Y")).accepted == 2
    report = take(engine, HEADER, "31/12/2023,ann,bo,1", "14/03,ann,bo,1", fields=FieldMap(date="%d/%m/%Y"))
    assert (report.accepted, len(report.refused)) == (1, 1)


def test_a_row_without_a_day_does_not_put_the_days_of_others_in_doubt(engine: Engine) -> None:
    rows = ("03.10.2024,ann,bo,1", ",ann,bo,1", "soon,ann,bo,0")
    report = take(engine, HEADER, *rows, fields=FieldMap(date="%d.%m.%Y"))
    assert (report.accepted, len(report.refused)) == (1, 2)


def test_a_day_that_its_month_does_not_have_is_refused_alone_and_the_format_of_the_others_is_named(
    engine: Engine,
) -> None:
    rows = ("06.09.2024,ann,bo,1", "21.02.2025,ann,bo,1", "31.02.2025,ann,bo,1", "30.02.2025,ann,bo,1")
    (note,) = take(engine, HEADER, *rows).warnings
    assert note.endswith(": the format %d.%m.%Y reads them, by which 30.02.2025 (and 1 more like it) is not a day")
    report = take(engine, HEADER, *rows, fields=FieldMap(date="%d.%m.%Y"))
    assert (report.accepted, [line for line, _, _ in report.refused]) == (2, [4, 5])
    (note,) = report.warnings
    assert note.endswith("others like 21.02.2025: no format reads this as a day, so correct the file")


def test_lines_before_the_header_are_skipped_and_counted(engine: Engine) -> None:
    report = take(engine, '# a "list', "", "# made today", HEADER, "2024-03-02,ann,bo,1", "2024-03-02,ann,bo,xyz")
    assert (report.accepted, report.refused[0][0]) == (1, 6)
    report = take(engine, "Club, of chess", HEADER, "2024-03-03,ann,bo,1", fields=FieldMap(skip=1))
    assert report.accepted == 1
    report = take(engine, f"#,{HEADER}", "1,2024-03-04,ann,bo,1")
    assert (report.accepted, report.unused_columns) == (1, ["#"])


def test_the_encoding_that_is_named_is_that_of_tables_too(engine: Engine) -> None:
    file = io.BytesIO(f"{HEADER}\n2024-03-02,José,bo,1\n".encode("cp1252"))
    with pytest.raises(BadFile) as told:
        engine.import_file(file, "club", reader="csv")
    assert told.value.setting == "encoding"
    file.seek(0)
    assert engine.import_file(file, "club", reader="csv", encoding="cp1252").accepted == 1
    assert "José" in engine.log.book.keys_of("player")


@pytest.mark.parametrize("way", ["columns", "rows"])
def test_a_name_that_plays_two_opponents_at_one_time_is_noted_with_its_lines(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "rows":
        monkeypatch.setattr("ratingcore.importer.files.import_by_columns", lambda *given: False)
    file = tmp_path / "games.csv"
    pairs = ["ann,bo,1,1", "ann,bo,1,1", "ann,cy,1,2", "di,ann,1,2", "ann,eve,1,"]
    rows = [*(f"2024-03-02,{pair}" for pair in pairs), "2024-03-02T19:00Z,bo,cy,1,", "2024-03-02T19:00Z,bo,di,1,"]
    file.write_text("\n".join(["played,a,b,score,round", *rows]) + "\n")
    with open_engine(":memory:") as engine:
        (note,) = [text for text in engine.import_file(file, "club").warnings if "opponents" in text]
    assert note == (
        "2 times a name plays two opponents at one time or in one round: ann, lines 4 and 5; bo, lines 7 and 8"
    )


def test_warnings_that_say_the_same_of_many_lines_are_one_unless_its_rows_are_refused_for_it() -> None:
    """A league of 159 players, the file of which had no day, gave 337 lines."""
    report = ImportReport("open.trf")
    report.note(Refused(9, Reason("played is not known", ""), "ann - bo"))
    report.note(Refused(9, Reason("played is not a day", "soon"), "ann - bo"))  # the record of the day is named too
    report.notes = [
        *(Warning(line, "played is not known", "") for line in range(8, 20)),
        *(Warning(line, "it has no grade", f"x{line}", where=f"row {line}") for line in range(20, 30)),
        *(Warning(n, "played is not a day", text, where=f"record 0{n}2") for n, text in ((4, "soon"), (5, "later"))),
        *(Warning(0, f"file: {n}") for n in range(6)),
    ]  # fmt: skip
    report.merge_notes()
    assert report.warnings == [
        "line 20 and 9 more: row 20: it has no grade: 'x20'",
        "line 4: record 042: played is not a day: 'soon'", "line 5: record 052: played is not a day: 'later'",
        *(f"file: {n}" for n in range(6)),
    ]  # fmt: skip


def test_near_names_of_a_file_that_was_taken_back_are_told_again(engine: Engine) -> None:
    """The second import said nothing, though both names came back with it."""
    rows = HEADER, "2024-03-02,Müller Jörg,ann,1", "2024-03-09,Jörg Müller,bo,1"
    near = NearNames((("Jörg Müller", "Müller Jörg"),))
    first = take(engine, *rows)
    assert near in first.notes
    assert near not in take(engine, HEADER, "2024-03-16,Müller Jörg,Jörg Müller,1", dry_run=True).notes
    engine.apply(engine.plan.void_all(engine.plan.chosen(positions=first.positions)))
    assert near in take(engine, *rows).notes
    assert near not in take(engine, HEADER, "2024-03-16,Müller Jörg,Jörg Müller,1").notes


@pytest.mark.parametrize(
    "heading",
    ["Gruppe", "Liga", "League", "Groupe", "Grupo", "Girone", "Klasa", "Série", "Soutěž", "Группа", "Time control"],
)
def test_groups_that_go_to_one_pool_are_noted(tmp_path: Path, heading: str) -> None:
    """Games of the groups Nord and Süd went to one pool, and only an unread column was listed."""
    path = tmp_path / "games.csv"
    path.write_text(f"played,a,b,score,{heading}\n2024-03-02,ann,bo,1,Nord\n2024-03-02,cy,di,1,Süd\n", "utf-8")
    with rc.open(":memory:") as engine:
        (note,) = [note for note in engine.import_file(path, "p", dry_run=True).notes if isinstance(note, MaybePools)]
        assert (note.column, note.values) == (heading, ("Nord", "Süd"))
        assert f"if these are pools, map pool to {heading}" in str(note)
        report = engine.import_file(path, None, {"pool": heading})
        assert sorted(report.new_pools) == ["Nord", "Süd"]
        assert not any(isinstance(note, MaybePools) for note in report.notes)


@pytest.mark.parametrize(("played", "far"), [("2005-11-30", True), ("2023-01-01", False), ("2025-11-30", False)])
def test_a_few_results_from_years_before_all_others_are_noted(engine: Engine, played: str, far: bool) -> None:
    """A score sheet of 30.11.2005 in a pool of 2025 was taken without a question."""
    take(engine, HEADER, *(f"2024-09-{day:02},ann,bo,1" for day in range(10, 20)))
    typed = take(engine, HEADER, f"{played},ann,bo,1")
    notes = [note for note in typed.notes if isinstance(note, FarFromPool)]
    assert notes == ([FarFromPool("club", played, "2024-09-10")] if far else [])
    archive = take(engine, HEADER, *(f"{1950 + n}-01-01,ann,bo,1" for n in range(60)))
    assert not any(isinstance(note, FarFromPool) for note in archive.notes)


@pytest.mark.parametrize(
    ("heading", "other", "apart"),
    [
        ("White Club", "Black Club", True), ("White born", "Black born", True), ("Club", "Club", True),
        ("White first name", "Black first name", True), ("White title", "Black title", False),
    ],
)  # fmt: skip
def test_names_that_their_columns_tell_apart_are_noted(engine: Engine, heading: str, other: str, apart: bool) -> None:
    """John Smith of Leeds and John Smith of York became one player without a word."""
    rows = ("02,John Smith,Leeds,bo,York,1", "09,bo,York,John Smith,York,1", "16,cy,York,bo,York,1")
    header = f"played,White,{heading},Black,{other},score"
    notes = take(engine, header, *(f"2024-03-{row}" for row in rows), fields=SIDES).notes
    found = [note.cases for note in notes if isinstance(note, ToldApart)]
    assert found == ([(("John Smith", "Leeds", 2, "York", 3),)] if apart else [])


SIDES = {"a": "White", "b": "Black"}


def test_a_column_with_several_values_for_most_names_tells_none_apart(engine: Engine) -> None:
    rows = [f"2024-03-{day:02},ann,{day},bo,{day + 1},1" for day in range(1, 9)]
    notes = take(engine, "played,White,White no,Black,Black no,score", *rows, fields=SIDES).notes
    assert not any(isinstance(note, ToldApart) for note in notes)


@pytest.mark.parametrize(
    ("heading", "remark"), [("Remarks", "tiebreak (blitz)"), ("Type", "Exhibition"), ("Bemerkung", "Ergebnis falsch!")]
)
def test_a_remark_by_which_a_game_may_not_count_is_noted(engine: Engine, heading: str, remark: str) -> None:
    """A blitz tiebreak and an exhibition were rated like all games, without a word."""
    rows = ("2024-03-02,ann,bo,1,fine game", f"2024-03-02,ann,bo,0,{remark}")
    taken = take(engine, f"played,a,b,score,{heading}", *rows)
    assert taken.accepted == 2
    assert [note.cases for note in taken.notes if isinstance(note, DoubtfulGames)] == [((3, remark),)]


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("Corrected score", ("", "0-1")), ("Result after appeal", ("", "0-1")), ("home_score_et", ("", "3")),
        ("status", ("4", "2")), ("Rated", ("R", "U")),
    ],
)  # fmt: skip
def test_another_result_or_code_in_a_row_is_noted(engine: Engine, heading: str, cells: tuple[str, str]) -> None:
    rows = [f"2024-03-02,ann,{b},1,{cell}" for b, cell in zip("bcd", (cells[0], *cells), strict=True)]
    notes = [note.cases for note in take(engine, f"played,a,b,score,{heading}", *rows).notes]  # type: ignore[attr-defined]
    assert notes == [((4, f"{heading} {cells[1]}"),)]


@pytest.mark.parametrize(
    ("heading", "word"), [("Note", "draw"), ("Result type", "Draw"), ("Method", "draw (majority)")]
)
def test_a_draw_in_a_table_of_winners_is_noted(engine: Engine, heading: str, word: str) -> None:
    """It counted as a win, without a word."""
    fields = {"a": "winner", "b": "loser", "score": "winner"}
    taken = take(engine, f"played,winner,loser,{heading}", f"2024-03-02,ann,bo,{word}", fields=fields)
    assert [note.cases for note in taken.notes if isinstance(note, DoubtfulGames)] == [((2, word),)]
    taken = take(engine, "played,a,b,score,Note", "2024-03-09,ann,bo,1/2,draw")
    assert not any(isinstance(note, DoubtfulGames) for note in taken.notes)


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize(
    ("days", "order", "noted"),
    [
        ("16 16 09 02", "", True), ("16 16 09 02", "2 1 1 1", False), ("16 16 09 09", "", False),
        ("02 09 16 16", "", False),
    ],
)  # fmt: skip
def test_rows_with_the_newest_first_are_noted(engine: Engine, known: bool, days: str, order: str, noted: bool) -> None:
    """Two games of one day were rated in the wrong order, without a word."""
    if known:
        take(engine, HEADER, "2023-03-02,ann,bo,1")
    places = [f",{place}" for place in order.split()] or [""] * 4
    rows = [f"2024-03-{day},ann,{who},1{place}" for day, who, place in zip(days.split(), "bcde", places, strict=True)]
    notes = take(engine, HEADER.strip() + ",order" * bool(order), *rows).notes
    assert [note for note in notes if isinstance(note, NewestFirst)] == ([NewestFirst("ann", (2, 3))] if noted else [])
