"""`ratingcore diff`: what is known now against what was published."""

import json
from pathlib import Path

from .conftest import Run

MARCH = ("2024-03", "--through", "2024-03-31")


def test_diff_shows_what_is_known_otherwise_now(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    code, out, err = run("diff", "club.db", "2024-03")
    assert (code, out) == (0, "player,rank,new_rank,rating,new_rating,change\n")
    assert err == "2024-03, known at position 5, as known at position 6: the rating of 0 of 3 players differs\n"
    run("void", "club.db", "g-3")
    rows = json.loads(run("diff", "club.db", "2024-03", "-f", "json").out)
    assert {row["player"] for row in rows} == {"ann", "cy"}
    assert json.loads(run("diff", "club.db", "2024-03", "-f", "json", "--known-at", 6).out) == []
    assert json.loads(run("diff", "club.db", "2024-03", "-f", "json", "--known-at", "2024-03").out) == []


def test_diff_keeps_the_question_of_the_list(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH, "--method", "elo:k=24", "--min-games", 2, "--digits", 0)
    run("record", "club.db", "--pool", "rapid", "--played", "2024-03-30", "zoe", "ann", "1-0")
    run("record", "club.db", "--pool", "rapid", "--played", "2024-04-30", "bo", "cy", "1-0")
    rows = json.loads(run("diff", "club.db", "2024-03", "-f", "json").out)
    assert [row["player"] for row in rows] == ["ann"]
    assert rows[0]["rating"] == round(rows[0]["rating"])


def test_diff_of_two_published_lists(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    run("publish", "club.db", "2024-04", "--through", "2024-04-30")
    code, out, err = run("diff", "club.db", "2024-03", "2024-04", "-f", "json")
    assert code == 0
    assert {row["player"] for row in json.loads(out)} == {"ann", "bo (guest)"}
    assert err == "2024-03, known at position 5, against 2024-04: the rating of 2 of 4 players differs\n"
    code, _, err = run("diff", "club.db", "2024-03", "2024-04", "--known-at", 3)
    assert (code, err.splitlines()[0]) == (2, "error: --known-at and a second list are two things to compare with")
    assert run("diff", "club.db", "2024-03", "2024-05").code == 2
