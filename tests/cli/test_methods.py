"""`ratingcore methods`: what can rate, and what is said of a bad method text."""

import json

import pytest

from .conftest import Run


def test_methods_are_listed_with_parameters_and_presets(run: Run) -> None:
    rows = {row["name"]: row for row in json.loads(run("methods", "-f", "json").out)}
    assert rows["elo"]["parameters"].startswith("k=20.0,curve=logistic,")
    assert rows["elo-margin"]["presets"] == "nba538,nfl538,football"
    assert (rows["elo"]["cadence"], rows["elo"]["reads"], rows["elo"]["formula"]) == ("continuous", "games", 1)
    assert json.loads(run("methods", "elo", "-f", "json").out) == [rows["elo"]]


def test_a_method_is_explained_from_its_docstring(run: Run) -> None:
    code, out, _ = run("methods", "elo-margin")
    assert code == 0
    assert "Parameters\n----------\nk : float >= 0, rating points" in out
    assert (
        "preset=football: k=30,home=100,margin=goals,importance=true; reads points_a, points_b, home, importance" in out
    )
    assert ">>>" not in out
    assert "`" not in out


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
        ("elo:k=nan", "elo: parameter k must be zero or more: nan"),
        ("elo:scale=many", "elo: parameter scale must be a number: 'many'"),
        ("elo:k=many", "elo: parameter k must be a number, or one of fide2014, "),
        ("elo:k", "elo: parameter k is not spelt name=value"),
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
