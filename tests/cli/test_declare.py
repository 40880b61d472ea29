"""`ratingcore declare`: what a pool takes."""

from pathlib import Path

from .conftest import Run, last_text


def test_a_pool_is_declared_listed_and_opened_again(run: Run, tmp_path: Path) -> None:
    log = str(tmp_path / "goals.db")
    code, out, err = run("declare", log, "--pool", "cup", "--fits", "elo-margin", "--uid", "first")
    assert (code, out) == (0, "first\n")
    assert err == "recorded at position 1: pool cup takes what elo-margin can read\n"
    assert run("declare", log, "--format", "csv").out == "pool,fits\ncup,elo-margin\n"
    assert run("list", log, "--method", "elo-margin").out == "rank,player,rating,games\n"
    code, out, err = run("record", log, "--played", "2024-03-02", "ann", "bo", "1-0", "--uid", "g")
    assert (code, out) == (1, "")
    assert "g is not that: no points" in err
    assert run("declare", log, "--fits", "elo-margin").err == "pool cup takes that already\n"
    assert run("declare", log, "--any").err.endswith("pool cup takes every result\n")
    assert run("record", log, "--played", "2024-03-02", "ann", "bo", "1-0", "--uid", "g").code == 0


def test_what_is_missing_is_said(run: Run, club: Path) -> None:
    assert run("declare", "club.db", "--fits", "elo", "--any").code == 2
    assert run("declare", "none.db", "--fits", "elo").code == 2
    assert run("declare", "club.db", "--fits", "eloo").code == 2
    run("declare", "club.db", "--fits", "elo")
    assert last_text(run) == "the pool takes what elo can read"
