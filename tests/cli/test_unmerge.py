"""`ratingcore unmerge`: a merge taken back."""

from pathlib import Path

from .conftest import Run


def test_unmerging_twice_is_told(run: Run, club: Path) -> None:
    run("merge", "club.db", "bo", "bo (guest)", "--uid", "m")
    run("unmerge", "club.db", "m")
    assert run("unmerge", "club.db", "m").err.startswith("note: m counted as never recorded before")
