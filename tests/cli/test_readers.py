"""`ratingcore readers`: formats, options of one, and which reader takes a file."""

import csv
from pathlib import Path

from .conftest import Run


def test_readers_are_listed_with_the_plugins_that_offer_them(run: Run) -> None:
    code, out, _ = run("readers")
    rows = {row["reader"]: row for row in csv.DictReader(out.splitlines())}
    assert (code, rows["csv"]["plugin"], rows["opengotha"]["unit"]) == (0, "", "document")


def test_the_options_of_a_reader_are_listed(run: Run) -> None:
    code, out, _ = run("readers", "opengotha")
    assert (code, "players,id,id name" in out) == (0, True)


def test_a_file_is_shown_with_the_readers_that_take_it(run: Run) -> None:
    Path("games.csv").write_text("played,a,b,score\n2024-03-02,ann,bo,1\n")
    Path("noise").write_bytes(b"\0")
    code, out, _ = run("readers", "games.csv", "noise")
    rows = list(csv.DictReader(out.splitlines()))
    assert (code, [(row["file"], row["reader"], row["sure"]) for row in rows[:1]]) == (0, [("games.csv", "csv", "80")])
    assert (rows[-1]["file"], rows[-1]["sure"]) == ("noise", "0")


def test_a_file_that_is_not_there_is_an_error(run: Run) -> None:
    assert run("readers", "none.csv").code == 2


def test_writers_are_listed_with_their_options(run: Run) -> None:
    code, out, _ = run("readers", "--writers")
    rows = {row["writer"]: row for row in csv.DictReader(out.splitlines())}
    assert (code, {"results", "ratings"} <= rows.keys(), rows["results"]["plugin"]) == (0, True, "")
    assert "form," in run("readers", "--writers", "results").out
    assert run("readers", "--writers", "nothing").code == 2
