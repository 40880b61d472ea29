"""`ratingcore connect`: components, bridges and strong parts as rows."""

import csv
import io
import json
from pathlib import Path

from ratingcore import GamePlayed, RatingSeeded
from ratingcore import open as open_log
from tests.cli.conftest import Run, club, run

__all__ = ["club", "run"]


def test_the_parts_of_a_club(run: Run, club: Path) -> None:
    """Ann beat Bo, Cy and a guest; Bo and Cy drew."""
    code, out, err = run("connect", "club.db")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert (code, err) == (0, "connected, in 3 strong parts: ratio methods rate each by itself\n")
    assert list(rows[0]) == ["part", "component", "players", "results", "uid", "who", "remark"]
    assert [tuple(row.values()) for row in rows] == [
        ("component", "1", "4", "4", "", "ann, bo, cy, bo (guest)", ""),
        ("bridge", "1", "1", "1", "g-4", "ann - bo (guest)", "parts bo (guest)"),
        ("strong", "1", "2", "1", "", "bo, cy", "won nothing from the others"),
        ("strong", "1", "1", "0", "", "ann", "lost nothing to the others"),
        ("strong", "1", "1", "0", "", "bo (guest)", "won nothing from the others"),
    ]


def test_separate_components_are_said_to_be_incomparable(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        engine.record(GamePlayed(uid="g-9", pool="rapid", played="2024-04-03", a="xi", b="yu", score=0.5))
    code, out, err = run("connect", "club.db", "--format", "json")
    assert (code, err) == (0, "2 components: no method can compare players of two of them\n")
    assert [(row["who"], row["players"]) for row in json.loads(out) if row["part"] == "component"] == [
        ("ann, bo, cy, bo (guest)", 4), ("xi, yu", 2),
    ]  # fmt: skip


def test_small_bridges_can_be_left_out(run: Run, club: Path) -> None:
    assert "bridge" not in run("connect", "club.db", "--least", 2).out
    assert "bridge" in run("connect", "club.db", "--least", 1).out


def test_cuts_are_those_of_lists(run: Run, club: Path) -> None:
    assert "bo (guest)" not in run("connect", "club.db", "--through", "2024-03-31").out
    assert "cy" not in run("connect", "club.db", "--known-at", 2).out
    assert run("connect", "club.db", "--known-at", 99)[0] == 2


def test_every_player_has_a_row_on_request(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        engine.record(RatingSeeded(pool="rapid", played="2024-04-03", player="zoe", values={"rating": 1500.0}))
    rows = json.loads(run("connect", "club.db", "--players", "-f", "json").out)
    assert [(row["player"], row["component"], row["strong"]) for row in rows] == [
        ("ann", 1, 2), ("bo", 1, 1), ("cy", 1, 1), ("bo (guest)", 1, 3), ("zoe", None, None),
    ]  # fmt: skip


def test_many_players_are_named_in_part(run: Run, tmp_path: Path) -> None:
    with open_log(tmp_path / "big.db") as engine:
        for n in range(8):
            engine.record(GamePlayed(pool="p", played="2024-04-03", a=f"p{n}", b=f"p{(n + 1) % 8}", score=0.5))
    code, out, err = run("connect", "big.db", "-f", "table")
    assert code == 0
    assert "p0, p1, p2, p3, p4 and 3 more" in out
    assert err == "connected\n"


def test_a_log_without_that_pool_is_a_mistake(run: Run, club: Path) -> None:
    assert run("connect", "club.db", "--pool", "blitz")[0] == 2
