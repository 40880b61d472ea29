"""`ratingcore player` and `ratingcore forecasts`: histories and forecasts as rows."""

import csv
import io
import json
from itertools import pairwise
from pathlib import Path

import pytest

from ratingcore import SessionPlayed, Side
from ratingcore import open as open_log

from .conftest import Run


def test_a_history_has_the_promised_rows(run: Run, club: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("player", "club.db", "ann").out)))
    assert list(rows[0]) == ["played", "uid", "opponent", "score", "expected", "change", "rating"]
    assert [row["uid"] for row in rows] == ["s-1", "g-1", "g-3", "g-4"]
    assert rows[0] == {
        "played": "2024-01-01", "uid": "s-1", "opponent": "seed", "score": "", "expected": "",
        "change": "100.0", "rating": "1600.0",
    }  # fmt: skip
    ratings = [float(row["rating"]) for row in rows]
    changes = [float(row["change"]) for row in rows]
    assert [after - before for before, after in pairwise(ratings)] == pytest.approx(changes[1:])


def test_lines_without_an_event_have_their_label_and_no_uid(run: Run) -> None:
    Path("games.csv").write_text(
        "a,b,points_a,points_b,season,played\nann,bo,3,1,1,2023-05-01\nann,bo,0,2,2,2023-10-01\n"
    )
    run("import", "club.db", "games.csv", "--pool", "league")
    method = "elo-margin:carry=0.75,margin=log"
    rows = json.loads(run("player", "club.db", "ann", "--method", method, "-f", "json").out)
    assert [row["opponent"] for row in rows] == ["bo", "season carry-over", "bo"]
    assert rows[1]["uid"] is None
    assert rows[1]["score"] is None


def test_since_and_last_show_less_but_count_all(run: Run, club: Path) -> None:
    whole = run("player", "club.db", "ann").out.splitlines()
    assert run("player", "club.db", "ann", "--since", "2024-03-09").out.splitlines() == [whole[0], *whole[3:]]
    assert run("player", "club.db", "ann", "--last", 1).out.splitlines() == [whole[0], whole[-1]]


def test_the_peak_of_all_days_is_told_beside_the_rows(run: Run, club: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("player", "club.db", "bo").out)))
    top = max(rows, key=lambda row: float(row["rating"]))
    told = f"peak {float(top['rating']):.4f} on {top['played']}\n"
    assert run("player", "club.db", "bo").err == told
    assert run("player", "club.db", "bo", "--last", 1, "--since", "2024-03-06").err == told
    assert run("player", "club.db", "bo", "--method", "berkin:prior_draws=1").err == ""


def test_an_unknown_player_gets_a_hint(run: Run, club: Path) -> None:
    assert run("player", "club.db", "anne") == (
        2, "", "error: the log knows no player named: anne\n\nhint: did you mean ann?\n",
    )  # fmt: skip
    code, _, err = run("player", "club.db", "bo (guest)", "--through", "2024-03-31")
    assert code == 2
    assert err.startswith("error: the log knows no player named: bo (guest) in pool rapid")


def test_forecasts_have_the_promised_rows(run: Run, club: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("forecasts", "club.db").out)))
    assert list(rows[0]) == [
        "uid", "played", "a", "b", "score", "rating_a", "rating_b", "expected", "change_a", "change_b",
    ]  # fmt: skip
    assert [row["uid"] for row in rows] == ["g-1", "g-2", "g-3", "g-4"]
    assert float(rows[0]["expected"]) == pytest.approx(1 / (1 + 10 ** (-100 / 400)))
    drawn = run("forecasts", "club.db", "--method", "elo:curve=normal,draw_band=50").out.splitlines()
    assert drawn[0].endswith(",change_b,draw")


def test_a_method_of_games_refuses_sessions(run: Run) -> None:
    with open_log("bridge.db") as engine:
        sides = [Side(["ann", "bo"], 54.2), Side(["cy", "di"], 45.8)]
        engine.record(SessionPlayed(pool="club", played="2024-03-02", sides=sides))
    code, out, err = run("list", "bridge.db")
    assert (code, out) == (2, "")
    assert err.startswith("error: elo reads games of two players, pool club holds 1 sessions")
    assert "2 sides: ann + bo 54.2, cy + di 45.8" in run("log", "bridge.db").out
