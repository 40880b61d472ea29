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


def test_a_file_of_merges_is_one_batch(run: Run, club: Path) -> None:
    before = ratings(run)
    Path("merges.csv").write_text("keep,other\nbo,bo (guest)\n", encoding="utf-8")
    assert run("merge", "club.db", "--file", "merges.csv", "--dry-run").err.endswith("nothing was recorded\n")
    code, out, err = run("merge", "club.db", "--file", "merges.csv", "--why", "one person")
    assert (code, out) == (0, "")
    assert err == "recorded at position 6; to take it back, void --positions 6\n"
    assert "bo (guest)" not in ratings(run)
    run("void", "club.db", "--positions", 6)
    assert ratings(run) == before


def test_of_a_file_of_merges_all_or_none_are_recorded(run: Run, club: Path) -> None:
    for text, why in (
        ("keep,other\nbo,bo (guest)\nann,bo\n", "ann and bo would be one, and have met in pool rapid"),
        ("keep,other\nbo,bo (guest)\nbo (guest),bo\n", "bo (guest) and bo count as one player already"),
        ("keep,other\ncy,bo (guest)\nbo (guest),bo\n", "would be one, and have met in pool rapid"),
        ("keep,other\nbo,\n", "line 2 names no two players"),
        ("keep,other\nbo,nobody\n", "no player named: nobody"),
        ("one,other\nbo,cy\n", "keep"),
    ):
        Path("merges.csv").write_text(text, encoding="utf-8")
        ran = run("merge", "club.db", "--file", "merges.csv")
        assert (ran.code, why in ran.err) == (2, True), (text, ran)
    assert run("merge", "club.db", "bo").code == 2
    assert run("verify", "club.db").err.startswith("5 events")
