"""`ratingcore tune`: what it finds, how it is asked, and what it says of mistakes."""

import json
from pathlib import Path

import pytest

from ratingcore import GamePlayed
from ratingcore import open as open_log

from .conftest import Run


@pytest.fixture
def season(run: Run, tmp_path: Path) -> Path:
    """A log in which ann always beats bo, and cy loses every second game."""
    path = tmp_path / "season.db"
    with open_log(path) as engine:
        for day in range(1, 29):
            at = f"2024-02-{day:02d}"
            engine.record(GamePlayed(pool="rapid", played=at, a="ann", b="bo", score=1.0))
            engine.record(GamePlayed(pool="rapid", played=at, a="bo", b="cy", score=float(day % 2)))
    return path


def test_a_table_begins_with_what_was_found(run: Run, season: Path) -> None:
    ran = run("tune", "season.db", "--grid", "k=8:64:8", "--format", "table")
    first, train, test, *_ = ran.out.splitlines()
    assert ran.code == 0
    assert first.startswith("best of 8 settings of elo in pool rapid: k=")
    assert train.startswith("train 2024-02-01 to 2024-02-21, 42 games: log_loss 0.")
    assert test.startswith("test  2024-02-22 to 2024-02-28, 14 games: log_loss 0.")
    assert ran.out.count("elo:k=") >= 8


def test_rows_alone_go_to_stdout_in_other_formats(run: Run, season: Path) -> None:
    ran = run("tune", "season.db", "-g", "k=10,20", "-g", "scale=200,400", "--format", "json")
    rows = json.loads(ran.out)
    assert [(row["k"], row["scale"]) for row in rows] == [(10, 200), (10, 400), (20, 200), (20, 400)]
    assert ran.err.startswith("best of 4 settings")
    assert run("tune", "season.db", "-g", "k=10,20", "-f", "csv").out.splitlines()[0] == (
        "k,train_log_loss,test_log_loss,train_games,test_games,method"
    )


def test_spans_are_days_with_both_ends_included(run: Run, season: Path) -> None:
    ran = run(
        "tune", "season.db", "-g", "k=10,20", "--train", ":2024-02-10", "--test", "2024-02-11:2024-02-12", "-f", "json"
    )
    row = json.loads(ran.out)[0]
    assert (row["train_games"], row["test_games"]) == (20, 4)


def test_random_optimise_and_jobs_are_asked_for(run: Run, season: Path) -> None:
    for how in ("random", "optimise"):
        ran = run("tune", "season.db", "-g", "k=8:64", "--how", how, "-n", "7", "--seed", "3", "-f", "jsonl")
        assert ran.code == 0
        assert 1 < len(ran.out.splitlines()) <= 7
    ran = run("tune", "season.db", "-m", "elo:cap=300", "-g", "k=10,20", "--jobs", "1", "-f", "json")
    assert len(json.loads(ran.out)) == 2


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (("-g", "k"), "--grid is not spelt PARAMETER=VALUES: 'k'", "write k=8:64:4 or home=0,50,100"),
        (("-g", "k=1,2", "-g", "k=3"), "--grid names a parameter twice: k", "write k=VALUE,VALUE,..."),
        (("-g", "k=64:8"), "grid: k goes from 64 to 8", "the lower end comes first"),
        (("-g", "home=1,2"), "elo: parameter home is unknown", "elo takes k, curve"),
        (("-g", "k=-1,2"), "elo: parameter k must be zero or more: -1.0", ""),
        (("-g", "k=1,2", "--train", "2024"), "--train is no span of days: '2024'", "write FIRST:LAST"),
        (("-g", "k=1,2", "--test", "soon:"), "--test", "write days like 2024-03-31"),
        (("-g", "k=1,2", "--jobs", "0"), "--jobs is no number of workers: 0", ""),
        (("-g", "k=1,2", "-o", "luck"), "no score named luck: there are log_loss", ""),
        (("-g", "k=1,2", "--refit", "often"), "period is none of month", ""),
    ],
)
def test_mistakes_are_told_and_end_with_two(
    run: Run, season: Path, words: tuple[str, ...], error: str, hint: str
) -> None:
    ran = run("tune", "season.db", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {error}")
    assert hint in ran.err


def test_a_grid_is_required(run: Run, season: Path) -> None:
    assert run("tune", "season.db").code == 2
