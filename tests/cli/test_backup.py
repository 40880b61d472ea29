"""`ratingcore backup`: the same log in another file."""

from pathlib import Path

from .conftest import Run


def test_a_backup_is_the_same_log_and_replaces_nothing(run: Run, club: Path) -> None:
    assert run("backup", "club.db", "copy.db").code == 0
    assert run("verify", "copy.db").out == run("verify", "club.db").out
    code, out, err = run("backup", "club.db", "copy.db")
    assert (code, out) == (2, "")
    assert err.startswith("error: there is something already: copy.db\n\nhint: ")
