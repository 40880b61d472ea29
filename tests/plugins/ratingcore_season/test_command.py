"""`ratingcore season`: the final table of the games to come, as rows, a page and a picture."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from ratingcore_season import season

from ratingcore import open as open_log
from tests.cli.conftest import Run, club, run

__all__ = ["club", "run"]


def test_a_season_is_the_final_table_of_fixtures(run: Run, club: Path) -> None:
    Path("left.csv").write_text("a,b\nann,bo\ncy,ann\nbo,cy\n", encoding="utf-8")
    asked = "season", "club.db", "left.csv", "--runs", 500, "--seed", 2
    code, out, err = run(*asked, "-f", "json")
    assert code == 0
    rows = json.loads(out)
    with open_log(club) as engine:
        pairs = [("ann", "bo"), ("cy", "ann"), ("bo", "cy")]
        found = season(engine, "rapid", None, pairs, "3,1,0", runs=500, seed=2)
    assert rows == list(found)
    assert sum(row["place 1"] for row in rows) == pytest.approx(1.0)
    assert "500 runs, seed 2; ratings are the same in all: the method has no deviations" in err
    assert run(*asked, "-f", "json").out == out
    table = run(*asked, "-f", "table").out.splitlines()
    assert table[0].split() == ["player", "points", "left", "expected", "place", "1.", "2.", "3.", "4."]
    later = json.loads(run(*asked, "-f", "json", "--from", "2024-04-01").out)
    assert {row["player"]: row["played"] for row in later} == {"ann": 1, "bo": 0, "bo (guest)": 1, "cy": 0}


def test_a_season_is_a_page_and_a_picture(run: Run, club: Path) -> None:
    Path("left.csv").write_text("a,b\nann,bo\ncy,ann\n", encoding="utf-8")
    asked = "season", "club.db", "left.csv", "--runs", 50
    assert run(*asked, "--to", "season.html", "--language", "de").code == 0
    assert "Chance auf jeden Platz, in Prozent" in Path("season.html").read_text("utf-8")
    assert run(*asked, "--to", "season.svg").code == 0
    picture = ElementTree.parse("season.svg").getroot()
    assert {"ann", "bo", "cy", "1", "4"} <= {text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")}
    wrong = run(*asked, "--to", "season.docx")
    assert (wrong.code, "hint: name it .html, .pdf or .svg" in wrong.err) == (2, True)
