"""`ratingcore forecasts`: what was expected of every game before it was played."""

import json
from pathlib import Path

import pytest

from ratingcore import SessionPlayed, Side
from ratingcore import open as open_log

from .conftest import Run


def test_a_row_a_game_in_order_of_play(run: Run, club: Path) -> None:
    code, out, err = run("forecasts", "club.db", "--method", "elo:k=24", "--format", "json")
    rows = json.loads(out)
    assert (code, err) == (0, "")
    assert list(rows[0]) == [
        "uid", "played", "a", "b", "score", "rating_a", "rating_b", "expected", "change_a", "change_b",
    ]  # fmt: skip
    assert [row["uid"] for row in rows] == ["g-1", "g-2", "g-3", "g-4"]
    assert all(row["change_a"] == pytest.approx(24 * (row["score"] - row["expected"])) for row in rows)


def test_both_cuts_are_taken(run: Run, club: Path) -> None:
    def uids(*words: object) -> list[str]:
        return [row["uid"] for row in json.loads(run("forecasts", "club.db", "-f", "json", *words).out)]

    assert uids("--through", "2024-03-05") == ["g-1", "g-2"]
    assert uids("--known-at", 2) == ["g-1"]


def test_of_sessions_there_is_a_row_a_player(run: Run) -> None:
    with open_log("club.db") as engine:
        sides = [Side(["ann", "bo"], 60.0), Side(["cy", "di"], 40.0)]
        engine.record(SessionPlayed(uid="t", pool="club", played="2024-03-02", sides=sides, data={"unit": "percent"}))
    rows = json.loads(run("forecasts", "club.db", "-m", "bridge-bayes", "-f", "json").out)
    assert [(row["player"], row["score"]) for row in rows] == [("ann", 60.0), ("bo", 60.0), ("cy", 40.0), ("di", 40.0)]
