"""`ratingcore split`: two persons under one name, from the command line."""

from pathlib import Path

from .conftest import Run


def players(run: Run) -> list[str]:
    return sorted(line.split(",")[1] for line in run("list", "club.db", "--format", "csv").out.splitlines()[1:])


def test_a_split_prints_the_uids_that_take_it_back(run: Run, club: Path) -> None:
    before = run("list", "club.db").out
    code, out, err = run("split", "club.db", "ann", "anna", "--since", "2024-03-05", "--uid", "x", "--why", "two")
    assert (code, out) == (0, "x\nx-2\n")
    assert err == "recorded at positions 6 to 7; to take it back, void what is printed\n"
    assert players(run) == ["ann", "anna", "bo", "bo (guest)", "cy"]
    told = run("log", "club.db", "--last", 1, "--format", "csv").out
    assert "ann beat bo (guest) on 2024-04-01 (g-4) now reads a anna; why: two" in told
    again = run("split", "club.db", "ann", "anna", "--since", "2024-03-05", "--uid", "x", "--why", "two")
    assert (again.out, again.err) == (out, "in the log already; to take it back, void what is printed\n")
    assert run("void", "club.db", *out.split()).err.startswith("recorded at positions 8 to 9; to take it back, void ")
    assert run("list", "club.db").out == before


def test_a_split_of_some_pools_only(run: Run, club: Path) -> None:
    run("record", "club.db", "ann", "bo", "1-0", "--played", "2024-04-05", "--pool", "blitz")
    run("split", "club.db", "ann", "anna", "--since", "2024-01-01", "--only", "blitz")
    assert "anna" in run("list", "club.db", "--pool", "blitz").out
    assert "anna" not in run("list", "club.db", "--pool", "rapid").out


def test_a_split_that_cannot_be_is_refused(run: Run, club: Path) -> None:
    for words, told in (
        (("ann", "bo", "--since", "2024-01-01"), "cannot split g-1: bo sits in it too"),
        (("zoe", "bo", "--since", "2024-01-01"), "the log knows no player named: zoe"),
        (("ann", "anna", "--since", "2030-01-01"), "cannot split ann: nothing was played from 2030-01-01 on"),
        (("ann", "anna", "--since", "0024-03-05"), "--since lies outside the years 1400 to 2199: '0024-03-05'"),
        (("ann", "anna", "--since", "soon"), "--since is not an ISO date or time"),
        (("ann", "anna"), "missing option '--since'"),
        (("ann", "", "--since", "2024-01-01"), "player is no name: ''"),
    ):
        code, out, err = run("split", "club.db", *words)
        assert (code, out) == (2, "")
        assert err.startswith(f"error: {told}"), err
    assert run("verify", "club.db").err.startswith("5 events")
