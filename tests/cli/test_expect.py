"""`ratingcore expect`: one game or a series between two ratings, without a log."""

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run


def rows(run: Run, *words: object) -> list[dict[str, Any]]:
    ran = run("expect", *words, "--format", "json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)  # type: ignore[no-any-return]  # rows as they were written


def test_it_needs_no_log_and_makes_none(run: Run, tmp_path: Path) -> None:
    (row,) = rows(run, 1834, 2179, "--method", "elo:curve=normal")
    assert list(row) == ["method", "expected", "win", "draw", "loss"]
    assert round(row["expected"], 6) == 0.111278
    assert (row["win"], row["draw"], row["loss"]) == (None, None, None)
    assert list(tmp_path.iterdir()) == []


def test_every_method_is_a_row(run: Run) -> None:
    found = rows(run, 1834, 2179, "-m", "elo", "-m", "elo:curve=normal,draw_band=20", "-m", "elo")
    assert [row["method"] for row in found] == ["elo", "elo:curve=normal,draw_band=20"]
    assert found[1]["win"] + found[1]["draw"] + found[1]["loss"] == pytest.approx(1.0)


def test_three_wins_of_ten(run: Run) -> None:
    ran = run("expect", 1834, 2179, "-m", "elo:curve=normal", "--games", 10, "--wins", 3, "-f", "table")
    assert ran.out.split()[-4:] == ["10", "3", "0.072405", "0.090922"]
    assert (
        ran.err == "note: every game counts as won or lost, since these methods forecast no draws: elo:curve=normal\n"
    )


def test_without_a_count_every_number_of_wins_has_its_row(run: Run) -> None:
    found = rows(run, 1500, 1500, "--games", 2)
    assert [(row["wins"], row["exactly"], row["at_least"]) for row in found] == [
        (0, 0.25, 1.0), (1, 0.5, 0.75), (2, 0.25, 0.25),
    ]  # fmt: skip


def test_points_count_draws_as_halves(run: Run) -> None:
    words = [1500, 1500, "-m", "elo:curve=normal,draw_band=190.8", "-n", 2]
    (row,) = rows(run, *words, "--points", 1)  # a draw has an even chance: two draws, or a win each
    assert row["exactly"] == pytest.approx(0.25 + 2 * 0.25 * 0.25, abs=1e-4)
    (row,) = rows(run, *words, "--points", 1.5)
    assert row["exactly"] == pytest.approx(2 * 0.25 * 0.5, abs=1e-4)


def test_worth_is_what_a_table_of_points_makes_of_it(run: Run) -> None:
    (row,) = rows(run, 1834, 2179, "-m", "elo:curve=normal,draw_band=20", "--worth", "3,1,0")
    assert row["worth"] == pytest.approx(3 * row["win"] + row["draw"])


def test_fields_and_columns_are_read_as_they_are_typed(run: Run) -> None:
    (white,) = rows(run, 1834, 2179, "-m", "elo:first_move=35", "--field", "home=a")
    assert white["expected"] == pytest.approx(1 / (1 + 10 ** (310 / 400)))
    sure, vague = (
        rows(run, 1900, 1500, "-m", "chess-bayes", "--a", "deviation=0", "--b", f"deviation={deviation}")[0]
        for deviation in (0, 300)
    )
    assert sure["expected"] > vague["expected"] > 0.5
    capped, free = (
        rows(run, 2700, 1700, "-m", "elo:rule=by-date,period=month", "--played", day)[0]
        for day in ("2008-05-01", "2026-01-01")
    )
    assert capped["expected"] < free["expected"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((1, 2, "-m", "berkin"), "berkin cannot say what to expect of two ratings: it rates a whole pool at once"),
        ((1, 2, "-m", "bridge-bayes"), "bridge-bayes cannot say what to expect of two ratings: it reads sides"),
        ((1, 2, "-m", "eloo"), "no method named eloo"),
        ((1, 2, "--wins", 3), "--wins and --points need the number of games"),
        ((1, 2, "-n", 4, "--wins", 3, "--points", 2), "--wins and --points exclude each other"),
        ((1, 2, "-n", 3, "--wins", 4), "wins must be one of 0, 1, 2, ... 3: 4"),
        ((1, 2, "-n", 3, "--points", 1.3), "points must be one of 0, 0.5, 1, ... 3: 1.3"),
        ((1, 2, "-n", 0), "invalid value for '--games'"),
        ((1, 2, "--worth", "3,1"), "--worth must be three numbers: 3,1"),
        (("nan", 2), "rating must be a finite number: nan"),
        ((1, 2, "--field", "home=a"), "field is not read by elo, which reads none here: 'home'"),
        ((1, 2, "--field", "home"), "expected FIELD=VALUE, found: home"),
        ((1,), "missing argument 'OPPONENT'"),
    ],
)
def test_mistakes_are_told_before_anything_is_written(run: Run, words: tuple[object, ...], message: str) -> None:
    code, out, err = run("expect", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert "error: " in err


@pytest.mark.parametrize("words", [("-500", "200"), ("-500.0", "2e2")])
def test_a_rating_may_be_negative(words: tuple[str, ...], run: Run) -> None:
    """A fixed bug: the answer was "no such option '-5'", though ratings of the EGF go down to -900."""
    # EGF rating system, effective 2021, section 5: beta(r) = -7 ln(3300 - r), Se = 1 / (1 + e^(beta(r2) - beta(r1)))
    expected = 1 / (1 + (3800 / 3100) ** 7)
    (row,) = rows(run, "-m", "egf", *words)
    assert row["expected"] == pytest.approx(expected, abs=1e-12)
    (row,) = rows(run, "-m", "egf", "200", "-500")
    assert row["expected"] == pytest.approx(1 - expected, abs=1e-12)


@pytest.mark.parametrize("option", ["--metod", "-x"])
def test_a_misspelt_option_is_no_number(option: str, run: Run) -> None:
    ran = run("expect", "-500", "200", option, "egf")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: no such option '{option}'\n\nhint: ")
    assert "did you mean --method?" in ran.err or option == "-x"
