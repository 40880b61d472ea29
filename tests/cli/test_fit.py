"""`ratingcore fit`: estimates with their errors, the method text to use, and what it says of mistakes."""

import json
from pathlib import Path
from random import Random

import pytest

from ratingcore import RatingSeeded, SessionPlayed, Side
from ratingcore import open as open_log

from .conftest import Run


@pytest.fixture
def season(run: Run, tmp_path: Path) -> Path:
    """A log of 200 tables of eight players, of known strength, in percent."""
    path, rng = tmp_path / "season.db", Random(5)
    strength = {name: 1500.0 + 250.0 * number for number, name in enumerate("abcdefgh", -4)}
    events = []
    for number in range(200):
        seats = rng.sample("abcdefgh", 4)
        gap = strength[seats[0]] + strength[seats[1]] - strength[seats[2]] - strength[seats[3]]
        score = 50.0 + 4.0 / 1500.0 * gap + rng.gauss(0.0, 3.0)
        pairs = [Side(seats[:2], score), Side(seats[2:], 100.0 - score)]
        events.append(
            SessionPlayed(pool="club", played=f"2024-{number // 28 + 1:02d}-{number % 28 + 1:02d}", sides=pairs)
        )
    with open_log(path) as engine:
        engine.record(*events)
    return path


def test_a_table_ends_with_the_method_to_use(run: Run, season: Path) -> None:
    ran = run("fit", "season.db", "--pool", "club", "--format", "table")
    header, sigma1, deviation, blank, summary, method = ran.out.splitlines()
    assert (ran.code, ran.err, blank) == (0, "", "")
    assert header.split() == ["parameter", "value", "error", "low", "high"]
    name, value, error, low, high = sigma1.split()
    assert name == "sigma1"
    assert float(low) < 3.0 < float(high)
    assert float(error) == pytest.approx(float(value) / 400.0**0.5, rel=0.1)
    assert deviation.startswith("deviation")
    assert summary.startswith("200 results of pool club, log-likelihood -")
    text = method.removeprefix("method ")
    assert text.startswith(f"bridge-bayes:sigma1={value[:4]}")
    listed = run("list", "season.db", "--method", text, "--format", "csv")
    assert listed.code == 0
    assert listed.out.splitlines()[1].startswith("1,h,")


def test_rows_alone_go_to_stdout_in_other_formats(run: Run, season: Path) -> None:
    ran = run("fit", "season.db", "-m", "bridge-bayes:tracking=full,deviation=150", "--what", "k, sigma1", "-f", "json")
    rows = json.loads(ran.out)
    assert [row["parameter"] for row in rows] == ["k", "sigma1"]
    assert "\nmethod bridge-bayes:tracking=full,deviation=150,k=0.0" in ran.err


def test_seeds_count_as_on_a_list(run: Run, season: Path) -> None:
    """A rating that is given from outside, with a deviation, is predicted with."""
    before = run("fit", "season.db", "-w", "sigma1", "-f", "csv")
    with open_log(season) as engine:
        for number, name in enumerate("abcdefgh", -4):
            values = {"rating": 1500.0 + 250.0 * number, "deviation": 1.0}
            engine.record(RatingSeeded(pool="club", played="2024-01-01", player=name, values=values))
    after = run("fit", "season.db", "-w", "sigma1", "-f", "csv")
    assert before.out != after.out
    (one, other) = (float(ran.err.split("log-likelihood ")[1].split(",")[0]) for ran in (before, after))
    assert other > one + 10.0  # their strengths need not be learnt
    both = run("fit", "season.db", "-w", "sigma1,k", "-f", "json")
    k = json.loads(both.out)[1]
    assert k["low"] < 4.0 / 1500.0 < k["high"]


def test_a_cut_is_kept_to(run: Run, season: Path) -> None:
    ran = run("fit", "season.db", "-t", "2024-01-28", "-w", "sigma1")
    assert ran.err.startswith("28 results of pool club")
    assert run("fit", "season.db", "-k", "56", "-w", "sigma1").err.startswith("56 results of pool club")
    entering = run("fit", "season.db", "-m", "bridge-bayes:entry=at_start", "-w", "sigma1", "-f", "csv")
    assert entering.code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("-m", "dwz"), "dwz cannot estimate its parameters from results\n\nhint: these can: bridge-bayes, elo; "),
        (("-w", "tau"), "error: bridge-bayes: parameter tau cannot be fitted: sigma1, deviation, k, drift_var can"),
        (("-w", "k,deviation"), "parameter k cannot be told from deviation: scores show only their product; fit one"),
        (("-t", "2023-12-31"), "error: nothing in pool club can be scored: no result was played by then"),
        (("-m", "bridge-bayes:preset=imp"), "parameter k must be given where unit=imp"),
    ],
)  # fmt: skip
def test_mistakes_are_told(run: Run, season: Path, words: tuple[str, ...], told: str) -> None:
    ran = run("fit", "season.db", *words)
    assert ran.code == 2
    assert told in ran.err
    assert ran.out == ""
