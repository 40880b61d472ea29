"""`ratingcore versus`: the results of two players, seen from the first."""

import json
from pathlib import Path

import pytest

import ratingcore as rc
from tests.cli.conftest import Run, club, run

__all__ = ["club", "run"]


@pytest.fixture
def rivals(tmp_path: Path) -> Path:
    """Three games of two years, one of them against a third player."""
    path = tmp_path / "rivals.db"
    with rc.open(path) as engine:
        for day, a, b, score in (
            ("2023-03-02", "ann", "bo", 1.0), ("2024-03-09", "bo", "cy", 1.0), ("2024-03-16", "bo", "ann", 0.75)
        ):  # fmt: skip
            engine.record(rc.GamePlayed(pool="p", played=day, a=a, b=b, score=score, uid=day))
    return path


def test_results_are_seen_from_the_first_player(run: Run, rivals: Path) -> None:
    done = run("versus", rivals, "ann", "bo", "--method", "elo:k=40", "-f", "json")
    first, second = json.loads(done.out)
    assert first == {
        "played": "2023-03-02", "uid": "2023-03-02", "score": 1.0, "other_score": 0.0, "expected": 0.5,
        "rating": 1500.0, "other_rating": 1500.0, "change": 20.0,
    }  # fmt: skip
    assert (second["score"], second["other_score"], second["rating"]) == (0.25, 0.75, 1520.0)
    assert second["change"] == pytest.approx(40.0 * (0.25 - second["expected"]))
    assert done.err.splitlines()[:3] == [
        "2023: 1 won, 0 drawn, 0 lost",
        "2024: 0 won, 0 drawn, 1 lost",
        "ann against bo: 1 won, 0 drawn, 1 lost",
    ]
    assert done.err.splitlines()[3].startswith("expected of their next game: 0.")
    assert run("versus", rivals, "ann", "cy", "-f", "csv").err.startswith("ann and cy have not met\n")


def test_a_merged_name_is_seen_as_the_player_it_counts_for(run: Run, rivals: Path) -> None:
    with rc.open(rivals) as engine:
        engine.record(rc.GamePlayed(pool="p", played="2024-04-01", a="bo", b="anna", score=0.0, uid="late"))
        engine.merge("ann", "anna")
    plain, merged = (run("versus", rivals, name, "bo", "-f", "csv") for name in ("ann", "anna"))
    assert plain.out == merged.out
    assert plain.out.splitlines()[-1].startswith("2024-04-01,late,1.0,0.0,")


def test_a_session_in_which_two_sat_together_is_no_meeting() -> None:
    with rc.open(":memory:") as engine:
        for day, pairs in ((1, (("ann", "bo"), ("cy", "di"))), (2, (("ann", "cy"), ("bo", "di")))):
            sides = [rc.Side(players, score) for players, score in zip(pairs, (60.0, 40.0), strict=True)]
            engine.record(rc.SessionPlayed(pool="b", played=f"2024-03-0{day}", sides=sides, uid=f"s-{day}"))
        met = engine.forecasts("b", "weng-lin", between=("bo", "ann"))
    assert [(row["uid"], row["player"], row["score"]) for row in met] == [("s-2", "ann", 60.0), ("s-2", "bo", 40.0)]


def test_a_session_is_seen_from_the_first_player_too(run: Run, tmp_path: Path) -> None:
    with rc.open(tmp_path / "b.db") as engine:
        sides = [rc.Side(["cy", "bo"], 40.0), rc.Side(["ann", "di"], 60.0)]
        engine.record(rc.SessionPlayed(pool="b", played="2024-03-01", sides=sides, uid="s"))
    done = run("versus", tmp_path / "b.db", "ann", "bo", "-m", "weng-lin", "-f", "csv")
    assert done.out.splitlines()[1].startswith("2024-03-01,s,60.0,40.0,0.5,")
    assert done.err.startswith("ann against bo: 1 won, 0 drawn, 0 lost\n")
