"""`ratingcore name`: names that people see."""

from pathlib import Path

from .conftest import Run, last_text


def test_a_player_is_named_and_the_void_takes_it_back(run: Run, club: Path) -> None:
    code, out, err = run("name", "club.db", "ann", "Ann Lee")
    assert code == 0
    assert err == f"recorded at position 6; to take it back, void {out.strip()}\n"
    assert last_text(run) == "ann is described: called Ann Lee"
    heading, first, *_ = run("list", "club.db", "--format", "csv").out.splitlines()
    assert heading == "rank,player,called,rating,games"
    assert first.startswith("1,ann,Ann Lee,")
    assert run("player", "club.db", "bo").out.splitlines()[:2][0].startswith("played,uid,opponent,called,")
    assert "ann is called Ann Lee" in run("player", "club.db", "ann").err
    assert "ann (Ann Lee) in pool rapid" in run("explain", "club.db", "ann").err
    assert run("name", "club.db", "ann", "Ann Lee").err == "ann is called Ann Lee already\n"
    run("void", "club.db", out.strip())
    assert "called" not in run("list", "club.db", "--format", "csv").out


def test_a_dry_run_records_nothing(run: Run, club: Path) -> None:
    assert run("name", "club.db", "ann", "Ann Lee", "--dry-run").err.endswith("nothing was recorded\n")
    assert run("name", "club.db", "an", "Ann Lee", "--dry-run").code == 2
    assert run("verify", "club.db").err.startswith("5 events")


def test_a_file_of_names(run: Run, club: Path) -> None:
    Path("names.csv").write_text("player,called\nann,Ann Lee\nbo,Bo Lund\nnobody,No Body\n", encoding="utf-8")
    dry = run("name", "club.db", "--file", "names.csv", "--dry-run")
    assert dry.out.startswith("names.csv: 3 rows read, 2 would be accepted, 0 unrated, 1 refused")
    assert run("name", "club.db", "--file", "names.csv").code == 1
    assert "2 duplicates" in run("name", "club.db", "--file", "names.csv").out
    assert run("verify", "club.db").err.startswith("7 events")


def test_what_is_missing_is_said(run: Run, club: Path) -> None:
    for words in ((), ("ann",), ("ann", "Ann", "--file", "names.csv")):
        assert run("name", "club.db", *words).code == 2
