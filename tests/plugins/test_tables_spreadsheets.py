"""Spreadsheets: which sheet, which header, what its cells say, and what a hostile one cannot do."""

import sys
import zipfile
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl  # type: ignore[import-untyped]  # no types
import pytest
from ratingcore_tables import spreadsheets

import ratingcore as rc
from ratingcore.errors import BadFile, BadParameter, CannotWrite, ColumnNotFound, NotInstalled
from ratingcore.events import GamePlayed, instant
from ratingcore.importer.notes import HiddenRows, SheetsNotRead
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.players import read_players, read_seeds
from ratingcore.readers import Note, Refused, Source
from tests.plugins.table_files import TABLES, outcomes, read_results, source

HEADER = ["played", "a", "b", "score"]
GAME = [date(2024, 3, 2), "ann", "bo", 1]


def written(path: Path, **sheets: list[list[Any]]) -> Path:
    """A workbook of sheets; those called like `_this` are hidden."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        page = book.create_sheet(name)
        page.sheet_state = "hidden" if name.startswith("_") else "visible"
        for row in rows:
            page.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize("name", ["games.xlsx", "games.xls", "games.ods"])
def test_a_sheet_says_what_the_csv_of_the_same_games_says(name: str) -> None:
    assert outcomes(TABLES / name) == outcomes(TABLES / "games.csv")


def test_lines_are_the_numbers_of_the_rows_in_the_sheet() -> None:
    rows = [line.line for line in read_results(TABLES / "games.xlsx", pool="p") if not isinstance(line, Note)]
    assert rows == [4, 5, 6, 7, 8, 9]


def test_a_second_header_with_other_order_reads_the_rows_below_it(tmp_path: Path) -> None:
    """The games below it were read by the first header, with the sides exchanged."""
    rows = [HEADER, GAME, [], ["played", "b", "a", "score"], GAME]
    first, header, second = outcomes(written(tmp_path / "games.xlsx", Games=rows))
    assert isinstance(header, Refused)
    assert (first.a, first.b, second.a, second.b) == ("ann", "bo", "bo", "ann")


def test_cells_are_read_as_people_mean_them(tmp_path: Path) -> None:
    rows = [
        [datetime(2024, 3, 2, 19, 30), 12345678, "007", "1/2"], ["2024-03-03", "ann", "bo", date(2024, 2, 1)],
        [], [date(2024, 3, 4), "ann", "bo", "=1-1"], [date(2024, 3, 5), "ann", "bo", "½-½"],
    ]  # fmt: skip
    first, turned, formula, half = outcomes(written(tmp_path / "games.xlsx", Games=[HEADER, *rows]))
    assert (first.a, first.b, first.score, first.played) == ("12345678", "007", 0.5, instant("2024-03-02T19:30:00Z"))
    assert isinstance(turned, Refused)
    assert "the cell is a date: the spreadsheet turned 1/2 or 2-1 into it" in turned.reason
    assert formula.reason == "no result yet"  # nobody computed it
    assert half.score == 0.5


def test_the_header_is_the_first_row_with_the_mapped_columns(tmp_path: Path) -> None:
    mapped = FieldMap.parse("a=white,b=black").fields
    notes = [["The league"], [], ["played", "white"], ["played", "white", "black", "score"], GAME]
    file = written(tmp_path / "games.xlsx", Games=notes)
    (game,) = outcomes(file, fields=mapped)
    assert game == GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0, uid=game.uid)
    far = written(tmp_path / "far.xlsx", Games=[["x"]] * 50 + [HEADER, GAME])
    with pytest.raises(ColumnNotFound, match="no column 'a'"):
        outcomes(far)
    assert len(outcomes(far, skip=1)) == 1


def test_one_visible_sheet_with_the_columns_is_chosen_and_several_are_asked_about(tmp_path: Path) -> None:
    file = written(tmp_path / "games.xlsx", Notes=[["hello"]], Games=[HEADER, GAME], _Old=[HEADER, GAME, GAME])
    assert len(outcomes(file)) == 1
    assert SheetsNotRead("Games", ("Notes",)) in read_results(file, pool="p")
    assert len(outcomes(file, sheet="_Old")) == 2
    with pytest.raises(BadFile, match="it has no sheet Blitz") as missing:
        outcomes(file, sheet="Blitz")
    assert "Notes, Games, _Old" in missing.value.hint
    with pytest.raises(ColumnNotFound):
        outcomes(file, sheet="Notes")
    twice = written(tmp_path / "twice.xlsx", Rapid=[HEADER, GAME], Blitz=[HEADER, GAME])
    with pytest.raises(BadFile, match="2 of its sheets have the columns: Rapid, Blitz") as several:
        outcomes(twice)
    assert several.value.setting == "sheet"
    none = written(tmp_path / "none.xlsx", One=[["x"]], Two=[["y"]])
    with pytest.raises(BadFile, match="none of its sheets has the columns a, b, played: One, Two"):
        outcomes(none)
    with pytest.raises(BadFile, match="it has no rows"):
        outcomes(written(tmp_path / "empty.xlsx", One=[]))


def opened_document(path: Path, rows: str) -> Path:
    """An ods file with the rows of one sheet."""
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr("META-INF/manifest.xml", "<manifest/>")
        packed.writestr(
            "content.xml",
            f"<office:document-content{spaces}><office:body><office:spreadsheet>"
            f'<table:table table:name="A &amp; B">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return path


def test_hidden_rows_are_read_like_all_others_and_counted_in_a_note(tmp_path: Path) -> None:
    """Rows that a filter hid counted without a word."""
    file = tmp_path / "games.xlsx"
    rows: list[list[Any]] = [[], HEADER, *([f"2024-03-{day:02}", "ann", "bo", 1] for day in range(2, 8))]
    book = openpyxl.load_workbook(written(file, Games=rows))
    for row in (1, 4, 7, 8, 11):
        book["Games"].row_dimensions[row].hidden = True
    book.save(file)
    cells = [["played", "a", "b", "score"], *[[f"2024-03-0{day}", "ann", "bo", "1"] for day in (2, 3, 4)]]
    texts = [
        "".join(
            f'<table:table-cell office:value-type="string"><text:p>{one}</text:p></table:table-cell>' for one in row
        )
        for row in cells
    ]
    hidden = ["", "", ' table:visibility="filter"', ' table:visibility="collapse"']
    blank = '<table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>'
    marked = "".join(
        f"<table:table-row{said}>{text}</table:table-row>{blank}" for said, text in zip(hidden, texts, strict=True)
    )
    for path, lines, count, first in ((file, 6, 3, 4), (opened_document(tmp_path / "games.ods", marked), 3, 2, 7)):
        with rc.open(":memory:") as engine:
            report = engine.import_file(path, pool="p")
            assert report.accepted == lines
            assert [note for note in report.notes if isinstance(note, HiddenRows)] == [HiddenRows(count, first)]


def test_seeds_and_facts_of_players_come_from_sheets_too(tmp_path: Path) -> None:
    file = written(
        tmp_path / "list.xlsx", List=[["player", "rating", "born"], ["ann", 1650, 1990], ["bo", 1500.5, None]]
    )
    assert [line.event.values for line in read_seeds(source(file), pool="p", at="2024-01-01")] == [
        {"rating": 1650.0}, {"rating": 1500.5},
    ]  # fmt: skip
    unused, lines = read_players(source(file), pool="p")
    assert unused == ("rating",)
    assert dict(next(lines).event.data) == {"born": 1990}


def test_a_spreadsheet_in_memory_is_read_once_however_often_it_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    piped = Source.of_bytes("games.xlsx", (TABLES / "games.xlsx").read_bytes())
    first = outcomes(piped)
    monkeypatch.setattr(spreadsheets, "get_executable", lambda: "/nowhere")
    assert outcomes(piped) == first
    with pytest.raises(BadFile, match="no process can be started"):
        outcomes(TABLES / "games.xlsx")


def hostile(name: str) -> bytes:
    """The workbook with a cell at the far end of its sheet."""
    workbook, made = zipfile.ZipFile(TABLES / "games.xlsx"), BytesIO()
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    with workbook, zipfile.ZipFile(made, "w") as target:
        for member in workbook.namelist():
            target.writestr(member, workbook.read(member).replace(b"</sheetData>", far))
    return made.getvalue()


@pytest.mark.skipif(sys.platform == "win32", reason="memory of a process is bounded on POSIX systems only")
def test_a_cell_far_away_takes_no_memory_of_this_process() -> None:
    with pytest.raises(BadFile, match="is damaged, or takes more memory to read than it may"):
        outcomes(Source.of_bytes("far.xlsx", hostile("far")))


@pytest.mark.parametrize("content", [b"PK\x03\x04\0xl/", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)])
def test_what_only_begins_like_a_spreadsheet_is_refused(content: bytes) -> None:
    with pytest.raises(BadFile, match="spreadsheet"):
        outcomes(Source.of_bytes("t.xlsx", content))


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheets, "find_spec", lambda name: None)
    with pytest.raises(NotInstalled) as refused:
        outcomes(TABLES / "games.xlsx")
    assert refused.value.hint == 'pip install "ratingcore[sheets]"'


# workbooks that are written


def test_cells_come_back() -> None:
    rows = [["ann", 1510.5, 3, None], ["=1+1", -1.0, 0, "@x"], ["007", 1.0, 1, "柯洁"]]
    book = openpyxl.load_workbook(
        BytesIO(spreadsheets.workbook({"ratings": (["player", "rating", "n", "note"], rows), "b": ((), [])}))
    )
    assert book.sheetnames == ["ratings", "b"]
    cells = [[cell.value for cell in row] for row in book["ratings"].iter_rows()]
    assert cells == [["player", "rating", "n", "note"], *rows]
    assert book["ratings"]["A3"].data_type == "s"


def test_what_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheets, "ROWS", 3)
    spreadsheets.workbook({"s": (["n"], [[1], [2]])})
    with pytest.raises(CannotWrite, match="more than 2 rows"):
        spreadsheets.workbook({"s": (["n"], [[1], [2], [3]])})
    with pytest.raises(CannotWrite, match="more than 32767 characters"):
        spreadsheets.workbook({"s": (["n"], [["x" * 40_000]])})


def test_a_list_is_a_sheet_to_work_with(tmp_path: Path) -> None:
    engine = rc.open(":memory:")
    engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="A player with a long name", score=1.0))
    engine.record(rc.PlayerDescribed(pool="p", player="ann", played="2024-01-01", data={"born": 1990}))
    for name, through in (("March", "2024-03-31"), ("April", "2024-04-30")):
        engine.publish(engine.rating_list("p", "elo", through), name)
    path = tmp_path / "list.xlsx"
    path.write_bytes(b"".join(engine.written("ratings", "list.xlsx", rating_list="April", show="change,born")))
    sheet = openpyxl.load_workbook(path)["ratings"]
    cells = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert cells[0] == ["rank", "player", "rating", "games", "rank_before", "rank_change", "rating_change", "born"]
    assert cells[1] == [1, "ann", 1510, 1, 1, 0, 0, 1990]
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", "A1:H3")
    assert sheet.column_dimensions["B"].width > len("A player with a long name")
    for wrong in ({"to": "results", "show": "won"}, {"to": "ratings", "show": "won", "rating_list": None}):
        with pytest.raises(BadParameter):
            list(engine.written(wrong.pop("to"), "x.csv", **wrong))  # type: ignore[arg-type]  # on purpose
