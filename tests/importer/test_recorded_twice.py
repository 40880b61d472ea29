"""Games that come in again under another name, zone or tournament are pointed out, and ordinary ones are not."""

import io
from collections.abc import Sequence
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.importer.recorded_notes import RecordedTwice
from ratingcore.importer.report import ImportReport

SEASON = [f"2024-03-{day:02} 23:30,p{day % 5},q{day % 7},{day % 2}" for day in range(1, 29)]


def take(engine: Engine, rows: Sequence[str], name: str, header: str = "played,a,b,score", **said: Any) -> ImportReport:
    file = io.BytesIO("\n".join([header, *rows, ""]).encode())
    file.name = name
    return engine.import_file(file, pool="club", **said)


def twice(report: ImportReport) -> list[tuple[int, int, bool]]:
    return [(note.results, note.of, note.same_day) for note in report.notes if isinstance(note, RecordedTwice)]


@pytest.fixture
def engine() -> Engine:
    return rc.open(":memory:")


def test_the_games_of_another_file_in_another_zone(engine: Engine) -> None:
    """All of them were counted twice without a word."""
    assert twice(take(engine, SEASON, "a.csv", zone="Europe/Berlin")) == []
    report = take(engine, SEASON, "b.csv", zone="America/New_York")
    assert twice(report) == [(28, 28, False)]
    assert "the day before or after, such as positions 29 and 1" in " ".join(report.warnings)
    assert twice(take(engine, SEASON, "b.csv", zone="America/New_York")) == [], "known rows are no new games"


def test_a_game_that_was_recorded_by_hand(engine: Engine) -> None:
    engine.record(rc.GamePlayed(pool="club", played="2024-03-02", a="ann", b="bo", score=1.0))
    assert twice(take(engine, ["2024-03-02,bo,ann,0", "2024-03-09,ann,bo,1"], "a.csv")) == [(1, 2, True)]


def test_the_other_spelling_after_a_merge(engine: Engine) -> None:
    take(engine, ["2024-01-01,ann,bo,1", "2024-01-02,ann,bo2,1"], "a.csv")
    engine.merge("bo", "bo2")
    assert twice(take(engine, ["2024-01-02,ann,bo,1", "2024-01-01,ann,bo2,1"], "b.csv")) == [(2, 2, True)]


def test_a_game_whose_day_was_amended(engine: Engine) -> None:
    take(engine, ["2024-01-01,ann,bo,1"], "a.csv")
    (uid,) = (row.uid for row, _ in engine.events())
    engine.amend(uid, {"played": "2024-01-05"})
    assert twice(take(engine, ["2024-01-05,ann,bo,1"], "b.csv")) == [(1, 1, True)]
    engine.void(uid)
    assert twice(take(engine, ["2024-01-05,bo,ann,0"], "c.csv")) == [], "the row is known, and the other is void"


def test_a_tournament_whose_first_day_was_corrected(engine: Engine) -> None:
    take(engine, ["2024-03-02,ann,bo,1,1,Open (2024-03-02)"], "a.csv", "played,a,b,score,round,event")
    report = take(engine, ["2024-03-01,ann,bo,1,1,Open (2024-03-01)"], "b.csv", "played,a,b,score,round,event")
    assert twice(report) == [(1, 1, False)]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        pytest.param(["02,ann,bo,1,1"], ["02,ann,bo,1,2"], id="another round"),
        pytest.param(["02,ann,bo,1,", "02,ann,bo,1,"], ["02,ann,bo,1,"] * 3, id="the file has grown"),
        pytest.param(["02,ann,bo,1,"], ["03,ann,bo,1,", "03,cy,di,1,"], id="the day after"),
        pytest.param(["02,ann,bo,1,"], ["02,ann,bo,0,"], id="another score"),
        pytest.param(["02,ann,bo,1,QF"], ["03,ann,bo,1,QF"], id="a round of several games"),
        pytest.param([f"{day:02},ann,bo,1," for day in range(2, 9)], ["09,ann,bo,1,", "12,ann,bo,1,"], id="a match"),
    ],
)
def test_ordinary_games_are_not_pointed_out(engine: Engine, first: list[str], then: list[str]) -> None:
    for name, rows in (("a.csv", first), ("b.csv", then)):
        report = take(engine, [f"2024-03-{row}" for row in rows], name, "played,a,b,score,round")
        assert twice(report) == []


@pytest.mark.parametrize(
    ("row", "expected"),
    [("bo,ann,1,3,cup", 1), ("ann,bo,3,1,", 1), ("ann,bo,3,2,cup", 0), ("bo,ann,1,3,league", 0)],
)
def test_other_points_and_other_events_are_other_games(engine: Engine, row: str, expected: int) -> None:
    facts: dict[str, Any] = {"points_a": 3, "points_b": 1, "event": "cup"}
    for data in (facts | {"points_a": 9}, facts):
        engine.record(rc.GamePlayed(pool="club", played="2024-03-02", a="ann", b="bo", score=1.0, data=data))
    report = take(engine, [f"2024-03-02,{row}"], "a.csv", "played,a,b,points_a,points_b,event")
    assert twice(report) == [(1, 1, True)] * expected
    assert [note.first for note in report.notes if isinstance(note, RecordedTwice)] == [(3, 2)] * expected
