"""`ratingcore void`: events that count as never recorded."""

from pathlib import Path

from .conftest import Run, last_text, ratings


def test_voiding_and_voiding_the_void(run: Run, club: Path) -> None:
    before = ratings(run)
    code, out, err = run("void", "club.db", "g-1", "--why", "default, not played", "--by", "Zoë")
    assert code == 0
    assert err == f"recorded at position 6; to take it back, void {out.strip()}\n"
    assert last_text(run) == (
        '"ann beat bo on 2024-03-02 (g-1) counts as never recorded; why: default, not played; by: Zoë"'
    )
    assert ratings(run) != before
    assert ratings(run, "--known-at", 5) == before
    again = run("void", "club.db", out.strip())
    assert ratings(run) == before
    assert last_text(run).endswith("is taken back")
    assert again.code == 0


def test_voiding_twice_is_told(run: Run, club: Path) -> None:
    run("void", "club.db", "g-1")
    assert run("void", "club.db", "g-1").err.startswith("note: g-1 counted as never recorded before")


def test_several_events_are_voided_together(run: Run, club: Path) -> None:
    code, out, err = run("void", "club.db", "g-1", "g-2", "--uid", "v")
    assert (code, out) == (0, "v\nv-2\n")
    assert err == "recorded at positions 6 to 7; to take it back, void v v-2\n"
    assert run("void", "club.db", "g-3", "nobody").code == 2
    assert run("verify", "club.db").err.startswith("7 events")
