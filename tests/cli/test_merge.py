"""`ratingcore merge`: two names as one player, until it is taken back."""

from pathlib import Path

from .conftest import Run, last_text, ratings


def test_a_merge_is_taken_back_by_names_or_by_uid(run: Run, club: Path) -> None:
    before = ratings(run)
    uid = run("merge", "club.db", "bo", "bo (guest)", "--why", "the same").out.strip()
    assert last_text(run) == "every result of bo (guest) counts as one of bo; why: the same"
    assert "bo (guest)" not in ratings(run)
    code, _, err = run("void", "club.db", uid)
    assert code == 2
    assert err.endswith(f"hint: use unmerge {uid}\n")
    assert run("unmerge", "club.db", "bo", "bo (guest)").code == 0
    assert ratings(run) == before
    assert run("unmerge", "club.db", "bo", "bo (guest)").code == 2
    uid = run("merge", "club.db", "bo", "bo (guest)").out.strip()
    assert run("unmerge", "club.db", uid).code == 0
    assert ratings(run) == before
