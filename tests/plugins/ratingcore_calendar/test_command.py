"""`ratingcore calendar`: what is due is published, what exists is named."""

from pathlib import Path

from tests.cli.conftest import Run, club, run

__all__ = ["club", "run"]


def test_a_calendar_publishes_what_is_due_and_says_what_exists(run: Run, club: Path) -> None:
    asked = "calendar", "club.db", "monthly", "--from", "2024-02"
    trial = run(*asked, "--dry-run")
    assert (trial.code, "list 3" in run("lists", "club.db").out) == (0, False)
    assert [line.split(",")[2] for line in trial.out.splitlines()[1:]] == ["due"] * 3
    made = run(*asked)
    assert made.out.splitlines() == [
        "name,day,state,players", "2024-02,2024-02-29,published,1", "2024-03,2024-03-31,published,3",
        "2024-04,2024-04-30,published,4",
    ]  # fmt: skip
    assert "3 published" in made.err
    again = run(*asked)
    assert "3 exists" in again.err
    assert run("calendar", "club.db", "monthly").code == 2
