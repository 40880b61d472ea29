"""Columns that change their kind far behind their beginning: they are read as a whole, or nothing of them is."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from ratingcore.engine import Engine, open_engine
from ratingcore.errors import BadFile
from ratingcore.events import GamePlayed
from ratingcore.importer import game_columns, item_columns, known_columns
from ratingcore.importer import row_import as rows_of_import
from ratingcore.importer.tables import FieldMap, word_meanings
from tests.guests import needs_tables

HEADINGS = ("played", "a", "b", "score")


@pytest.fixture(autouse=True)
def short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 500 rows, not of 5,000, so that a short table has several."""
    monkeypatch.setattr(word_meanings, "FIRST", 500)
    for module in (rows_of_import, item_columns, game_columns, known_columns):
        monkeypatch.setattr(module, "BATCH", 500)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with open_engine(":memory:") as engine:
        yield engine


def rows_of(first: str, then: str) -> list[tuple[str, ...]]:
    """1,200 rows: 600 with the words of `first` in turn, then 600 with those of `then`."""
    words = [part.split() for part in (first, then)]
    scores = [some[n % len(some)] for some in words for n in range(600)]
    start = date(1990, 1, 1)
    return [(str(start + timedelta(days=n)), "ann", f"bo {n % 7}", score) for n, score in enumerate(scores)]


def as_csv(rows: list[tuple[str, ...]], folder: Path) -> Path:
    path = folder / "games.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([HEADINGS, *rows])
    return path


def as_lines(rows: list[tuple[str, ...]], folder: Path) -> Path:
    path = folder / "games.jsonl"
    path.write_text("".join(json.dumps(dict(zip(HEADINGS, row, strict=True))) + "\n" for row in rows))
    return path


def as_parquet(rows: list[tuple[str, ...]], folder: Path) -> Path:
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(in_memory(rows), folder / "games.parquet")
    return folder / "games.parquet"


def as_workbook(rows: list[tuple[str, ...]], folder: Path) -> Path:
    book = pytest.importorskip("openpyxl").Workbook(write_only=True)
    sheet = book.create_sheet("games")
    for row in (HEADINGS, *rows):
        sheet.append(row)
    book.save(folder / "games.xlsx")
    return folder / "games.xlsx"


def in_memory(rows: list[tuple[str, ...]], folder: Path = Path()) -> Any:
    arrow = pytest.importorskip("pyarrow")
    return arrow.table(dict(zip(HEADINGS, map(list, zip(*rows, strict=True)), strict=True)))


SENSES = {
    ("1", "1 X 2"): {"1": 1.0, "X": 0.5, "2": 0.0},
    ("V D", "V N D"): {"V": 1.0, "N": 0.5, "D": 0.0},
    ("1-0 0-1", "3-1 2-2 0-4"): {"1-0": 1.0, "0-1": 0.0, "3-1": 1.0, "2-2": 0.5, "0-4": 0.0},
    ("1-0 0-1", "1/2-1/2 1-0"): {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5},
}
CONTRARY = [("1 0", "2"), ("1 0", "1 X 2"), ("1 2", "0"), ("H D A", "W L"), ("1-0 0-1", "5 7")]


def cases(kinds: Iterable[tuple[str, str]]) -> list[Any]:
    """Every kind as CSV, by columns and row by row; the first kind in all forms."""
    first, *others = kinds
    made = [pytest.param(as_csv, *kind, known) for kind in others for known in (False, True)]
    for form in (as_csv, as_lines, as_parquet, as_workbook, in_memory):
        marks = () if form in (as_csv, as_lines) else (needs_tables,)
        made += [pytest.param(form, *first, known, marks=marks) for known in (False, True)]
    return made


@pytest.mark.parametrize(("form", "first", "then", "known"), cases(SENSES))
def test_words_are_read_by_all_of_their_column(
    engine: Engine, tmp_path: Path, form: Any, first: str, then: str, known: bool
) -> None:
    if known:  # then rows are read one by one
        engine.record(GamePlayed(pool="p", played="1980-01-01", a="ann", b="bo", score=1.0))
    rows, senses = rows_of(first, then), SENSES[first, then]
    report = engine.import_file(form(rows, tmp_path), "p")
    assert (report.accepted, report.refused) == (1_200, [])
    read = [event for _, event in engine.events()][known:]
    assert [event.score for event in read] == [senses[row[3]] for row in rows]
    assert [dict(event.data) for event in read] == [
        {"points_a": int(row[3][0]), "points_b": int(row[3][2])} if "3-1" in then else {} for row in rows
    ]


@pytest.mark.parametrize(("form", "first", "then", "known"), cases(CONTRARY))
def test_a_column_that_contradicts_its_beginning_is_refused_before_anything_is_recorded(
    engine: Engine, tmp_path: Path, form: Any, first: str, then: str, known: bool
) -> None:
    if known:
        engine.record(GamePlayed(pool="p", played="1980-01-01", a="ann", b="bo", score=1.0))
    with pytest.raises(BadFile, match="so the others are in doubt: nothing was imported"):
        engine.import_file(form(rows_of(first, then), tmp_path), "p")
    assert engine.log.head.position == known


@pytest.mark.parametrize(
    ("first", "then", "why"),
    [
        (
            "1 0",
            "1 X 2",
            "of its scores cannot be read, such as 'x', so the others are in doubt: nothing after line 500",
        ),
        ("1 2", "0", "of its scores cannot be read, such as '2', so the others are in doubt: nothing after line 500"),
        ("1-0 0-1", "3-1 2-2 0-4", "after line 500, the word '1-0' gives its scores another meaning"),
        ("H", "H D A", "after line 500, the word 'h' gives its scores another meaning"),
    ],
)
def test_a_stream_ends_where_a_later_part_contradicts_what_was_recorded(
    engine: Engine, first: str, then: str, why: str
) -> None:
    stream = (dict(zip(HEADINGS, row, strict=True)) for row in rows_of(first, then))
    report = engine.import_file(stream, "p", keep_going=True)
    assert why in report.failed
    assert report.adds_up
    assert engine.log.head.position == report.accepted


@pytest.mark.parametrize("kind", ["1.0 2.0", "1.0 0.0", "1 2"])
def test_whole_numbers_with_decimals_are_whole_numbers(engine: Engine, kind: str) -> None:
    rows = "\n".join(f"2024-03-{day:02},ann,bo,{kind.split()[day % 2]}" for day in range(1, 9))
    report = engine.import_file(io.BytesIO(f"played,a,b,score\n{rows}\n".encode()), "p", reader="csv")
    assert (report.accepted, [event.score for _, event in engine.events()]) == (8, [0.0, 1.0] * 4)


@needs_tables
@pytest.mark.parametrize("numbers", [[1.0, 2.0], [1, 2]])
def test_numbers_of_typed_columns_mean_what_their_texts_do(engine: Engine, numbers: list[float]) -> None:
    arrow = pytest.importorskip("pyarrow")
    days = [f"2024-03-{day:02}" for day in range(1, 9)]
    table = arrow.table({"played": days, "a": ["ann"] * 8, "b": ["bo"] * 8, "score": numbers * 4})
    assert engine.import_file(table, "p").accepted == 8
    assert [event.score for _, event in engine.events()] == [1.0, 0.0] * 4


def test_points_beside_a_winner_are_the_winners_by_all_rows(engine: Engine, tmp_path: Path) -> None:
    lines = ["played,a,b,winner,points"]
    start = date(1990, 1, 1)
    for n in range(1_200):
        who, points = ("ann", "2-1") if n < 600 else ("bo", "3-1")
        lines.append(f"{start + timedelta(days=n)},ann,bo,{who},{points}")
    path = tmp_path / "games.csv"
    path.write_text("\n".join(lines) + "\n")
    report = engine.import_file(path, "p", FieldMap.parse("score=winner,points=points"))
    assert report.accepted == 1_200
    assert {(event.score, event.data["points_a"], event.data["points_b"]) for _, event in engine.events()} == {
        (1.0, 2, 1),
        (0.0, 1, 3),
    }
