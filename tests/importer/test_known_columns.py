"""A table with ids that the log has comes again by columns, and all is as if each row had been read by itself."""

import io
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.importer import files
from ratingcore.importer.game_writer import SEALED
from ratingcore.importer.known_columns import import_into_known
from ratingcore.importer.row_import import BATCH

GAMES = [
    (f"g{at}", f"2024-03-{at % 28 + 1:02}", f"p{at % 5}", f"q{at % 7}", (0.0, 0.5, 1.0)[at % 3], str(at % 4 + 1))
    for at in range(60)
]
HEADER = ["id", "played", "a", "b", "score", "round"]
Rows = list[tuple[Any, ...]]


def as_text(rows: Rows) -> Any:
    file = io.BytesIO("\n".join([",".join(HEADER), *(",".join(map(str, row)) for row in rows), ""]).encode())
    file.name = "season.csv"
    return file


def as_frame(rows: Rows) -> Any:
    return pl.DataFrame([row[:5] for row in rows], HEADER[:5], orient="row").with_columns(
        pl.col("played").str.to_date()
    )


def row(at: int, **new: Any) -> tuple[Any, ...]:
    return tuple((dict(zip(HEADER, GAMES[at], strict=True)) | new).values())


AGAIN = {
    "as it was": GAMES,
    "grown": [*GAMES, row(3, id="g60"), row(4, id="g61", a="new")],
    "grown at its beginning": [row(3, id="g60", b="new"), *GAMES],
    "with another score and another day": [row(0, score=1.0), *GAMES[1:5], row(5, played="2024-04-01"), *GAMES[6:]],
    "from the other side": [row(0, a="q0", b="p0", score=1.0), *GAMES[1:]],
    "with a row that is none": [*GAMES[:9], row(9, b="bye"), *GAMES[10:]],
    "with an id that comes twice": [*GAMES, GAMES[0]],
    "with a row without an id": [*GAMES, row(3, id="")],
    "anew": [row(at, id=f"h{at}", played=f"2024-05-{at % 28 + 1:02}") for at in range(60)],
}


def imported(table: Callable[[Rows], Any], again: Rows, before: Callable[[Engine], Any], **said: Any) -> Any:
    engine = rc.open(":memory:")
    engine.import_file(table(GAMES), "club")
    before(engine)
    report = engine.import_file(table(again), "club", **said)
    # corrections have ids by chance
    content = [(row.kind, row.uid * (row.kind == "game"), row[3:]) for row in engine.log.rows()]
    return content, [*report.rows], report.refused, report.warnings, report.positions


BEFORE: dict[str, Callable[[Engine], Any]] = {
    "": lambda engine: None,
    "void and amended": lambda engine: (engine.void("g7"), engine.amend("g8", {"score": 0.25})),
    "declared": lambda engine: engine.declare("club", fits="elo"),
    "taken back": lambda engine: engine.apply(engine.plan.void_all(engine.plan.chosen(positions=[(1, 60)]))),
    "partly taken back": lambda engine: engine.apply(engine.plan.void_all(engine.plan.chosen(positions=[(9, 40)]))),
    "merged": lambda engine: engine.merge("p0", "p1"),
}


@pytest.mark.parametrize("again", AGAIN)
@pytest.mark.parametrize("table", [as_text, as_frame])
@pytest.mark.parametrize("amend", [False, True])
def test_a_table_that_comes_again(monkeypatch: pytest.MonkeyPatch, table: Any, again: str, amend: bool) -> None:
    by_columns = imported(table, AGAIN[again], BEFORE[""], amend=amend)
    monkeypatch.setattr(files, "import_into_known", lambda *_: False)
    assert by_columns == imported(table, AGAIN[again], BEFORE[""], amend=amend)


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("again", ["grown", "with another score and another day"])
def test_after_corrections(monkeypatch: pytest.MonkeyPatch, before: str, again: str) -> None:
    by_columns = imported(as_frame, AGAIN[again], BEFORE[before])
    monkeypatch.setattr(files, "import_into_known", lambda *_: False)
    assert by_columns == imported(as_frame, AGAIN[again], BEFORE[before])


def test_no_event_is_made_of_a_known_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """200,000 sealed games that came again took thirty times as long as the first import."""
    ways = []

    def watched(*given: Any) -> bool:
        ways.append(import_into_known(*given))
        return ways[-1]

    monkeypatch.setattr(files, "import_into_known", watched)
    imported(as_frame, GAMES, BEFORE[""])
    imported(as_text, AGAIN["grown"], BEFORE[""])
    imported(as_frame, AGAIN["grown"], BEFORE["partly taken back"])
    assert ways == [True, True, True]


@pytest.mark.parametrize("amend", [False, True])
def test_a_row_is_not_settled_by_columns_while_rows_are_left(tmp_path: Path, amend: bool) -> None:
    """A further meeting of a day reversed the recorded one, whose row came after one that columns cannot read."""
    many = [(date(1990, 1, 1) + timedelta(n // 40), f"p{n % 97}", f"q{n * 7 % 89}", 0.5) for n in range(SEALED + BATCH)]
    day, odd = date(2024, 1, 1), (date(2024, 1, 1), "x\u202ey", "dee", 1.0)
    with rc.open(str(tmp_path / "log.db")) as engine:
        for rows in (
            [*many, (day, "ann", "dee", 1.0)],
            [(day, "ann", "dee", 0.0), *many, odd, (day, "ann", "dee", 1.0)],
        ):
            frame = pl.DataFrame(rows, ["played", "a", "b", "score"], orient="row")
            report = engine.import_file(frame, "club", name="games", amend=amend)
        assert (report.accepted, report.duplicates, report.amended) == (1, len(many) + 1, 0)
        assert [line for line, _, _ in report.refused] == [len(rows) - 1]
        scores = [row.score for row in engine.log.rows(len(many))]
        assert scores == [1.0, 0.0]
