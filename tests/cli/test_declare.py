"""`ratingcore declare`: what a pool takes."""

from pathlib import Path

from .conftest import Run, last_text


def test_a_pool_is_declared_listed_and_opened_again(run: Run, tmp_path: Path) -> None:
    log = str(tmp_path / "goals.db")
    code, out, err = run("declare", log, "--pool", "cup", "--fits", "elo-margin", "--uid", "first")
    assert (code, out) == (0, "first\n")
    assert err == "recorded at position 1: pool cup takes what elo-margin can read\n"
    assert run("declare", log, "--format", "csv").out == "pool,fits,zone\ncup,elo-margin,\n"
    assert run("list", log, "--method", "elo-margin").out == "rank,player,rating,games\n"
    code, out, err = run("record", log, "--played", "2024-03-02", "ann", "bo", "1-0", "--uid", "g")
    assert (code, out) == (1, "")
    assert "g is not that: no points" in err
    assert run("declare", log, "--fits", "elo-margin").err == "that is declared of pool cup already\n"
    assert run("declare", log, "--any").err.endswith("pool cup takes every result\n")
    assert run("record", log, "--played", "2024-03-02", "ann", "bo", "1-0", "--uid", "g").code == 0


def test_what_is_missing_is_said(run: Run, club: Path) -> None:
    assert run("declare", "club.db", "--fits", "elo", "--any").code == 2
    assert run("declare", "none.db", "--fits", "elo").code == 2
    assert run("declare", "club.db", "--fits", "eloo").code == 2
    run("declare", "club.db", "--fits", "elo")
    assert last_text(run) == "the pool takes what elo can read"


def test_an_empty_zone_is_a_mistake(run: Run, club: Path) -> None:
    code, _, err = run("declare", club, "--zone", "")
    assert (code, "--zone UTC takes the zone of a pool back" in err) == (2, True)


def test_a_zone_is_declared_beside_what_the_pool_takes_and_its_days_are_those_of_the_zone(
    run: Run, tmp_path: Path
) -> None:
    log = str(tmp_path / "club.db")
    run("record", log, "--pool", "club", "--played", "2023-12-31T23:30Z", "ann", "bo", "1-0", "--uid", "g")
    assert run("list", log, "--through", "2023-12-31", "--format", "csv").out.count("\n") == 3
    code, out, err = run("declare", log, "--zone", "Europe/Prague", "--uid", "z")
    assert (code, out) == (0, "z\n")
    assert err.endswith("pool club takes every result, and its days are those of Europe/Prague\n")
    assert run("declare", log, "--fits", "elo").err.endswith(
        "what elo can read, and its days are those of Europe/Prague\n"
    )
    assert run("declare", log, "--format", "csv").out == "pool,fits,zone\nclub,elo,Europe/Prague\n"
    assert run("list", log, "--through", "2023-12-31", "--format", "csv").out.count("\n") == 1
    assert run("player", log, "ann", "--format", "csv").out.splitlines()[1].startswith("2024-01-01T00:30:00+01:00,g,")
    shown = run("list", log, "--through", "2024-01-01T00:30", "--format", "csv").out
    assert shown.count("\n") == 3
    code, out, err = run("declare", log, "--zone", "Europe/Prag")
    assert (code, out) == (2, "")
    assert "no time zone is named: 'Europe/Prag'" in err
    assert "did you mean Europe/Prague" in err
    run("declare", log, "--zone", "UTC", "--any")
    assert run("list", log, "--through", "2023-12-31", "--format", "csv").out.count("\n") == 3
