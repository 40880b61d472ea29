"""`ratingcore export`: a whole file or none, and never over another."""

from pathlib import Path

from .conftest import Run


def test_an_export_replaces_nothing_and_leaves_no_part(run: Run, club: Path) -> None:
    Path("club.jsonl").write_text("precious")
    assert run("export", "club.db", "club.jsonl").code == 2
    assert Path("club.jsonl").read_text() == "precious"
    code, _, err = run("export", "club.db", "nowhere/club.jsonl")
    assert (code, err) == (1, "error: no such file or directory: nowhere/club.jsonl.part\n")
