"""`ratingcore revive`: voided events that count again."""

from pathlib import Path

from .conftest import Run, last_text, ratings


def test_a_revived_game_counts_again(run: Run, club: Path) -> None:
    before = ratings(run)
    run("void", "club.db", "g-1", "--uid", "v-1")
    run("void", "club.db", "g-1", "--uid", "v-2")
    code, out, err = run("revive", "club.db", "g-1", "--why", "played after all", "--by", "Zoë", "--uid", "r")
    assert (code, out, err) == (0, "r\nr-2\n", "recorded at positions 8 to 9; g-1 counts again\n")
    assert last_text(run).endswith("is taken back; why: played after all; by: Zoë")
    assert ratings(run) == before
    assert run("revive", "club.db", "g-1").code == 2
