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


def imported(run: Run) -> None:
    """Two files: thirty games of the club and of others, from positions 6 on."""
    for name, first in (("good.csv", 0), ("bad.csv", 15)):
        rows = [f"2024-05-{n % 28 + 1:02},p{n},q{n % 4},1-0" for n in range(first, first + 15)]
        Path(name).write_text("\n".join(["played,a,b,score", *rows]), encoding="utf-8")
        assert run("import", "club.db", name).code == 0


def test_a_bad_import_is_taken_back_by_its_source_and_brought_back_by_positions(run: Run, club: Path) -> None:
    before = ratings(run)
    imported(run)
    both = ratings(run)
    code, out, err = run("void", "club.db", "--source", "bad*", "--why", "the wrong season")
    assert (code, out) == (0, "")
    assert err == "chosen: 15 game\nrecorded at positions 36 to 50; to take it back, void --positions 36-50\n"
    assert run("void", "club.db", "--source", "bad.csv").err == (
        "chosen: nothing; 15 count as never recorded already\n"
    )
    assert run("void", "club.db", "--positions", "36-50").err.startswith("chosen: 15 void\n")
    assert ratings(run) == both
    run("void", "club.db", "--positions", "6-20,21-35")
    assert ratings(run) == before


def test_who_would_move_is_told_first(run: Run, club: Path) -> None:
    imported(run)
    dry = run("void", "club.db", "--source", "bad.csv", "--dry-run")
    assert "... and 5 more\n" in dry.err
    assert dry.err.endswith("nothing was recorded\n")
    assert "p20" in dry.out
    assert len(max(dry.err.splitlines(), key=len)) < 200


def test_positions_of_a_merge_take_it_back(run: Run, club: Path) -> None:
    before = ratings(run)
    run("merge", "club.db", "bo", "bo (guest)")
    assert run("void", "club.db", "--positions", "6").err.startswith("chosen: 1 merge\n")
    assert ratings(run) == before


def test_hundreds_of_voids_are_told_in_few_words(run: Run, club: Path) -> None:
    rows = [f"2024-05-01,p{n},q{n},1-0" for n in range(150)]
    Path("games.csv").write_text("\n".join(["played,a,b,score", *rows]), encoding="utf-8")
    run("import", "club.db", "games.csv")
    uids = [line.split(",")[5] for line in run("log", "club.db", "--last", 150, "--format", "csv").out.splitlines()[1:]]
    code, out, err = run("void", "club.db", *uids)
    assert (code, out) == (0, "")
    assert err == "recorded at positions 156 to 305; to take it back, void --positions 156-305\n"


def test_what_cannot_be_chosen_is_said(run: Run, club: Path) -> None:
    assert "no source named: nothing.csv" in run("void", "club.db", "--source", "nothing.csv").err
    for words in ((), ("g-1", "--source", "x"), ("--positions", "x"), ("--positions", "5-99"), ("--positions", "0")):
        assert run("void", "club.db", *words).code == 2, words
