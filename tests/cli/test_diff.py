"""`ratingcore diff`: what is known now against what was published."""

import csv
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


def test_diff_against_a_table_of_others(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    ours = {
        row["player"]: float(row["rating"])
        for row in csv.DictReader(run("list", "club.db", "--through", "2024-03-31", "-f", "csv").out.splitlines())
    }
    table = f"name;elo\nann;{ours['ann'] + 0.25}\nbo;{ours['bo']}\nzoe;1800\nyan;?\n"
    Path("theirs.csv").write_text(table)
    asked = ("diff", "club.db", "2024-03", "--against", "theirs.csv", "--map", "player=name,rating=elo", "-f", "json")
    code, out, err = run(*asked)
    rows = json.loads(out)
    assert code == 1
    assert [(row["player"], row["difference"]) for row in rows] == [("ann", -0.25), ("cy", None), ("zoe", None)]
    assert (rows[1]["theirs"], rows[2]["ours"]) == (None, None)
    assert "not read: line 5: " in err
    assert err.endswith("the rating of 1 of 2 players differs; only in ours 1, only in theirs 1\n")
    assert run(*asked, "--tolerance", 0.25).code == 0
    assert run(*asked, "--tolerance", 0.2).code == 1


def test_diff_against_our_own_list_finds_nothing(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    Path("list.csv").write_text(run("list", "club.db", "--through", "2024-03-31", "-f", "csv").out)
    code, out, _ = run("diff", "club.db", "2024-03", "--against", "list.csv")
    assert (code, out) == (0, "player,ours,theirs,difference\n")


def test_diff_against_a_list_of_fide(run: Run) -> None:
    ids = "17000017", "4100018"
    run("record", "fide.db", "--pool", "p", "--played", "2011-02-01", *(f"fide:{one}" for one in ids), "1-0")
    run("publish", "fide.db", "2011-03")
    head = "ID number Name                              Titl Fed  Mar11 Games Born  Flag"
    rows = [
        f"{one:<10}{'Somebody, ' + one:<34}{'':4} {'RUS':<5}{rating:<6}{0:<6}1970  "
        for one, rating in zip(ids, (1510, 1488), strict=True)
    ]
    Path("list.txt").write_text("\r\n".join([head, *rows, ""]))
    code, out, err = run("diff", "fide.db", "2011-03", "--against", "list.txt", "--reader", "fide-list", "-f", "csv")
    assert (code, out.splitlines()[1:]) == (1, [f"fide:{ids[1]},1490.0,1488.0,2.0"]), err


def test_diff_against_a_file_of_strangers_proves_nothing(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    Path("theirs.csv").write_text("player,rating\nAnn,1600\n")
    code, _, err = run("diff", "club.db", "2024-03", "--against", "theirs.csv")
    assert (code, "no player is on both lists" in err) == (1, True)
    Path("games.csv").write_text("a,b,score\nann,bo,1\n")
    assert run("diff", "club.db", "2024-03", "--against", "games.csv").code == 2
    assert run("diff", "club.db", "2024-03", "2024-03", "--against", "theirs.csv").code == 2
    assert run("diff", "club.db", "2024-03", "--tolerance", 1).code == 2
