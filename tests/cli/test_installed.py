"""What is installed: methods, check, plugins and readers."""

import csv
import json
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ratingcore.registry import Registry
from ratingcore.testing import CheckReport, Verdict

from .conftest import Run


def test_methods_are_listed_with_parameters_and_presets(run: Run) -> None:
    rows = {row["name"]: row for row in json.loads(run("methods", "-f", "json").out)}
    assert rows["elo"]["parameters"].startswith("k=20.0,curve=logistic,")
    assert rows["elo-margin"]["presets"] == "nba538,nfl538,football"
    assert (rows["elo"]["cadence"], rows["elo"]["reads"], rows["elo"]["formula"]) == ("continuous", "games", 1)
    assert json.loads(run("methods", "elo", "-f", "json").out) == [rows["elo"]]


def test_a_table_of_methods_has_two_columns_and_fits_a_terminal(run: Run) -> None:
    lines = run("methods", "-f", "table").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.split()[:2] == ["elo", "Elo's"] for line in lines)
    assert "[1]" not in "".join(lines)


def test_a_method_is_explained_from_its_docstring(run: Run) -> None:
    code, out, _ = run("methods", "elo-margin")
    assert code == 0
    assert "Parameters\n----------\nk : float >= 0, rating points" in out
    assert (
        "preset=football: k=30,home=100,margin=goals,importance=true; reads points_a, points_b, home, importance" in out
    )
    assert ">>>" not in out
    assert "`" not in out


@pytest.mark.parametrize("text", ["elo:entry=mean", "elo:entry=trial(3) then glicko from 2024-03-05"])
def test_a_method_is_explained_whatever_is_around_it(run: Run, text: str) -> None:
    """It ended with `AttributeError: 'property' object has no attribute '__name__'`."""
    kind = "glicko" if "glicko" in text else "elo"
    assert run("methods", text) == run("methods", kind)
    assert run("methods", text, "--format", "json") == run("methods", kind, "--format", "json")


def test_an_unknown_method_gets_a_hint(run: Run) -> None:
    for command in ("methods", "check"):
        code, out, err = run(command, "eloo")
        assert (code, out) == (2, "")
        assert err.startswith("error: no method named eloo: installed are ")
        assert err.endswith("\n\nhint: did you mean elo?\n")


@pytest.mark.parametrize(
    ("method", "told"),
    [
        ("elo:q=1", "elo: parameter q is unknown\n\nhint: elo takes k, curve, "),
        ("elo:k=nan", "elo: parameter k must be a finite number: nan"),
        ("elo:scale=many", "elo: parameter scale must be a number: 'many'"),
        ("elo:k=many", "elo: parameter k must be a number, or one of fide2014, "),
        ("elo:k", "elo: parameter k must be written name=value"),
        ("elo-margin:preset=nba", "elo-margin: parameter preset must be one of nba538, nfl538, football: 'nba'"),
    ],
)
def test_bad_parameters_are_mistakes(run: Run, club: object, method: str, told: str) -> None:
    code, out, err = run("list", "club.db", "--method", method)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {told}")


def test_a_missing_field_names_the_mapping(run: Run, club: object) -> None:
    run("record", "plain.db", "--pool", "rapid", "--played", "2024-03-02", "ann", "bo", "1-0")
    code, out, err = run("list", "plain.db", "--method", "elo-margin")
    assert (code, out) == (1, "")
    assert err.startswith("error: elo-margin needs the result field points_a: missing at ")
    assert "hint: import with --map points_a=COLUMN" in err


def test_check_tells_a_line_a_law_and_fails_with_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def report(verdict: str) -> CheckReport:
        return CheckReport("elo", (Verdict("finite", "elo", verdict, "because"),))  # type: ignore[arg-type]  # a verdict

    monkeypatch.setattr("ratingcore.testing.check_method", lambda method: report("ok"))
    code, out, err = run("check", "elo:k=40")
    assert (code, err, len(out.splitlines())) == (0, "", 1)
    monkeypatch.setattr("ratingcore.testing.check_method", lambda method: report("FAILED"))
    code, out, err = run("check", "elo")
    assert (code, len(out.splitlines())) == (1, 1)
    assert err == "error: elo breaks laws of the method contract\n"


def test_a_reader_is_checked_on_files_of_its_format(run: Run) -> None:
    Path("games.csv").write_text("played,a,b,score\n2024-03-02,ann,bo,1\n2024-03-09,bo,ann,0.5\n")
    code, out, err = run("check", "--reader", "csv", "games.csv")
    assert (code, out.count("ok ")) == (0, 5), out + err
    assert run("check", "--reader", "nothing", "games.csv").code == 2
    assert run("check", "elo", "dwz").code == 2
    Path("none.csv").write_text("a,b\n")
    code, out, _ = run("check", "--reader", "csv", "none.csv")
    assert (code, "FAILED" in out) == (1, True)


def test_a_broken_plugin_is_listed_with_its_reason(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Registry.installed()
    broken.load(EntryPoint("trial", "no_such_module", "ratingcore"))
    monkeypatch.setattr(Registry, "installed", lambda: broken)
    code, out, _ = run("plugins", "-f", "json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert code == 0
    assert (rows["elo"]["methods"], rows["elo"]["broken"]) == ("elo", None)
    assert rows["postgresql"]["stores"] == "postgres postgresql"
    assert rows["trial"]["broken"] == "ModuleNotFoundError: No module named 'no_such_module'"
    code, _, err = run("methods", "trial")
    assert code == 2
    assert err.endswith("hint: plugins that did not load: trial (see: ratingcore plugins)\n")


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
