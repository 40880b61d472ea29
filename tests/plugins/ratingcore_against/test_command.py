"""`ratingcore against`: which ratings of a list differ from those of somebody else."""

import csv
import json
from pathlib import Path

from tests.cli.conftest import Run, club, run

__all__ = ["club", "run"]


def test_a_table_of_others_is_compared_by_player(run: Run, club: Path) -> None:
    run("publish", "club.db", "2024-03", "--through", "2024-03-31")
    ours = {
        row["player"]: float(row["rating"])
        for row in csv.DictReader(run("list", "club.db", "--through", "2024-03-31", "-f", "csv").out.splitlines())
    }
    table = f"name;elo\nann;{ours['ann'] + 0.25}\nbo;{ours['bo']}\nzoe;1800\nyan;?\n"
    Path("theirs.csv").write_text(table)
    asked = ("against", "club.db", "2024-03", "theirs.csv", "--map", "player=name,rating=elo", "-f", "json")
    code, out, err = run(*asked)
    rows = json.loads(out)
    assert code == 1
    assert [(row["player"], row["difference"]) for row in rows] == [("ann", -0.25), ("cy", None), ("zoe", None)]
    assert (rows[1]["theirs"], rows[2]["ours"]) == (None, None)
    assert "not read: line 5: " in err
    assert err.endswith("the rating of 1 of 2 players differs; only in ours 1, only in theirs 1\n")
    assert run(*asked, "--tolerance", 0.25).code == 0
    assert run(*asked, "--tolerance", 0.2).code == 1


def test_a_file_of_strangers_proves_nothing(run: Run, club: Path) -> None:
    run("publish", "club.db", "2024-03", "--through", "2024-03-31")
    Path("theirs.csv").write_text("player,rating\nAnn,1600\n")
    code, _, err = run("against", "club.db", "2024-03", "theirs.csv")
    assert (code, "no player is on both lists" in err) == (1, True)
    Path("games.csv").write_text("a,b,score\nann,bo,1\n")
    assert run("against", "club.db", "2024-03", "games.csv").code == 2
