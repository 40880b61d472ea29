"""`ratingcore names`: keys of players, and those that may be one person."""

from pathlib import Path

from .conftest import Run, ratings


def test_names_are_listed_with_what_players_are_called(run: Run, club: Path) -> None:
    run("name", "club.db", "bo", "Bo Lund")
    assert run("names", "club.db").out.splitlines() == ["player,called", "ann,", "bo,Bo Lund", "cy,", "bo (guest),"]


def test_similar_names_become_a_table_of_merges(run: Run, club: Path) -> None:
    assert run("names", "club.db", "--similar").err == "no two names differ in their spelling only\n"
    rows = ["2024-05-01,Ann,di,1-0", "2024-05-02,BO,di,1-0", "2024-05-03,  ánn,di,1-0"]
    Path("may.csv").write_text("\n".join(["played,a,b,score", *rows]), encoding="utf-8")
    run("import", "club.db", "may.csv")
    out = run("names", "club.db", "--similar", "--format", "csv").out
    assert out.splitlines() == ["keep,other,results,other_results", "ann,Ann,3,1", "ann,ánn,3,1", "bo,BO,2,1"]
    Path("merges.csv").write_text(out, encoding="utf-8")
    assert run("merge", "club.db", "--file", "merges.csv").code == 0
    assert run("names", "club.db", "--similar").out.splitlines() == ["keep,other,results,other_results"]
    assert len(ratings(run).splitlines()) == 6
