"""Results that a method cannot read are told by every command that rates, not by lists alone."""

import csv
import io
import json
from pathlib import Path

import pytest

from ratingcore import GamePlayed
from ratingcore import open as open_log

from .conftest import Run

LEFT_OUT = "left out: 1 result (no points)"


@pytest.fixture
def goals(run: Run) -> Path:
    """A log of games with goals, of which one has none."""
    with open_log("goals.db") as engine:
        for day in range(1, 29):
            points = {"points_a": 3 - day % 3, "points_b": day % 3}
            game = GamePlayed(
                uid=f"g-{day}", pool="cup", played=f"2024-02-{day:02d}", a="ann", b="bo",
                score=1.0 if day % 3 < 2 else 0.0, data={} if day == 5 else points,
            )  # fmt: skip
            engine.record(game)
    return Path("goals.db")


@pytest.mark.parametrize(
    "words",
    [
        ("player", "goals.db", "ann", "-m", "elo-margin"),
        ("forecasts", "goals.db", "-m", "elo-margin"),
        ("tune", "goals.db", "-m", "elo-margin", "-g", "k=10,20"),
    ],
    ids=lambda words: words[0],
)
def test_rows_without_the_odd_result_come_with_a_note_of_it(run: Run, goals: Path, words: tuple[str, ...]) -> None:
    for form in ("csv", "json", "table"):
        ran = run(*words, "--format", form)
        assert ran.code == 0, ran.err
        place = ran.out if words[0] == "tune" and form == "table" else ran.err
        assert place.splitlines().count(LEFT_OUT) == 1


def test_nothing_is_told_where_nothing_is_left_out(run: Run, goals: Path) -> None:
    assert "left out" not in run("player", "goals.db", "ann", "-m", "elo").err
    assert run("forecasts", "goals.db", "-m", "elo").err == ""
    assert "left out" not in run("forecasts", "goals.db", "-m", "elo-margin", "--through", "2024-02-04").err
    assert "left out" not in run("tune", "goals.db", "-m", "elo", "-g", "k=10,20", "-f", "csv").err


def test_scores_as_csv_say_what_each_method_left_out(run: Run, goals: Path) -> None:
    ran = run("compare", "goals.db", "-m", "elo", "-m", "elo-margin", "--format", "csv")
    assert len(list(csv.DictReader(io.StringIO(ran.out)))) == 2
    assert "left out by elo-margin: 1 result (no points)" in ran.err.splitlines()
    assert "left out by elo:" not in ran.err
    rows = json.loads(run("compare", "goals.db", "-m", "elo", "-m", "elo-margin", "-f", "json").out)
    assert {row["games"] for row in rows} == {27}
