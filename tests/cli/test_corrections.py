"""`ratingcore void`, `amend`, `merge` and `unmerge`: corrections from the command line."""

from pathlib import Path

import pytest

from ratingcore import open as open_log

from .conftest import Run


def ratings(run: Run, *words: object) -> str:
    return run("list", "club.db", *words).out


def text(run: Run) -> str:
    return run("log", "club.db", "--last", 1, "--format", "csv").out.splitlines()[-1].split(",", 6)[-1]


def test_voiding_and_voiding_the_void(run: Run, club: Path) -> None:
    before = ratings(run)
    code, out, err = run("void", "club.db", "g-1", "--why", "default, not played", "--by", "Zoë")
    assert code == 0
    assert err == f"recorded at position 6; to take it back, void {out.strip()}\n"
    assert text(run) == (
        '"ann beat bo on 2024-03-02 (g-1) counts as never recorded; why: default, not played; by: Zoë"'
    )
    assert ratings(run) != before
    assert ratings(run, "--known-at", 5) == before
    again = run("void", "club.db", out.strip())
    assert ratings(run) == before
    assert text(run).endswith("is taken back")
    assert again.code == 0


def test_voiding_twice_is_told(run: Run, club: Path) -> None:
    run("void", "club.db", "g-1")
    assert run("void", "club.db", "g-1").err.startswith("note: g-1 counted as never recorded before")


def test_amending_reads_every_field_by_its_kind(run: Run, club: Path) -> None:
    code, _, err = run("amend", "club.db", "g-1", "score=1/2", "played=2024-03-03", "home=", "points_b=3", "a=di")
    assert (code, "warning" in err) == (0, False)
    with open_log(club) as engine:
        changes = dict(next(engine.events(5))[1].changes)  # type: ignore[attr-defined]  # an amendment
    played = changes.pop("played")
    assert changes == {"score": 0.5, "home": None, "points_b": 3, "a": "di"}
    assert text(run).endswith('now reads a di, home (none), played 2024-03-03, points_b 3, score 0.5"')
    assert isinstance(played, int)


def test_amending_points_alone_warns_that_the_score_stays(run: Run, club: Path) -> None:
    _, _, err = run("amend", "club.db", "g-1", "points_a=1", "points_b=3")
    assert "warning: the points are 1-3 but the score is 1" in err


def test_amending_a_field_that_was_not_there_is_told(run: Run, club: Path) -> None:
    assert "note: g-1 had no field socre: it is a new one" in run("amend", "club.db", "g-1", "socre=1/2").err
    assert "note" not in run("amend", "club.db", "g-1", "season=2024", "points_a=4").err


def test_amending_a_seed_changes_its_values(run: Run, club: Path) -> None:
    run("amend", "club.db", "s-1", "deviation=50")
    run("amend", "club.db", "s-1", "rating=1700")
    with open_log(club) as engine:
        changes = [dict(event.changes["values"]) for _, event in engine.events(5)]  # type: ignore[attr-defined]  # amendments
    assert changes == [{"rating": 1600.0, "deviation": 50.0}, {"rating": 1700.0, "deviation": 50.0}]
    assert run("amend", "club.db", "s-1", "rating=1700").code == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("void", "nobody"), "no event has the uid: nobody"),
        (("amend", "nobody", "score=1"), "no event has the uid: nobody"),
        (("amend", "g-1", "score=2"), "score is neither a score word nor a number from 0 to 1: '2'"),
        (("amend", "g-1", "score="), "score cannot be empty"),
        (("amend", "g-1", "played=yesterday"), "played is not an ISO date or time"),
        (("amend", "g-1", "b=ann"), "a player cannot meet himself: ann"),
        (("amend", "g-1", "score"), "expected FIELD=VALUE, found: score"),
        (("amend", "g-1", "score=1", "score=0"), "the field score is given twice"),
        (("amend", "g-1", "sides=x"), "sides cannot be typed here"),
        (("amend", "s-1", "rating=many"), "rating is not a finite number: 'many'"),
        (("merge", "bo", "bob"), "the log knows no player named: bob"),
        (("merge", "bo", "bo"), "other is the record that is kept: 'bo'"),
        (("merge", "ann", "bo"), "cannot merge bo: ann and bo have met in pool rapid"),
        (("unmerge", "bo", "cy"), "cy is not merged into bo"),
        (("unmerge", "g-1"), "cannot unmerge g-1: it is a game"),
        (("unmerge", "a", "b", "c"), "expected a uid or two players, found 3 names"),
    ],
)
def test_bad_corrections_are_refused_and_leave_the_log_alone(
    run: Run, club: Path, words: tuple[str, ...], told: str
) -> None:
    code, out, err = run(words[0], "club.db", *words[1:])
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {told}")
    assert run("verify", "club.db").err.startswith("5 events")


def test_a_merge_is_taken_back_by_names_or_by_uid(run: Run, club: Path) -> None:
    before = ratings(run)
    uid = run("merge", "club.db", "bo", "bo (guest)", "--why", "the same").out.strip()
    assert text(run) == "every result of bo (guest) counts as one of bo; why: the same"
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


def test_a_revived_game_counts_again(run: Run, club: Path) -> None:
    before = ratings(run)
    run("void", "club.db", "g-1", "--uid", "v-1")
    run("void", "club.db", "g-1", "--uid", "v-2")
    code, out, err = run("revive", "club.db", "g-1", "--why", "played after all", "--by", "Zoë", "--uid", "r")
    assert (code, out, err) == (0, "r\nr-2\n", "recorded at positions 8 to 9; g-1 counts again\n")
    assert text(run).endswith("is taken back; why: played after all; by: Zoë")
    assert ratings(run) == before
    assert run("revive", "club.db", "g-1").code == 2


def test_several_events_are_voided_together(run: Run, club: Path) -> None:
    code, out, err = run("void", "club.db", "g-1", "g-2", "--uid", "v")
    assert (code, out) == (0, "v\nv-2\n")
    assert err == "recorded at positions 6 to 7; to take it back, void v v-2\n"
    assert run("void", "club.db", "g-3", "nobody").code == 2
    assert run("verify", "club.db").err.startswith("7 events")


@pytest.mark.parametrize(
    "words",
    [
        ("void", "g-1"),
        ("amend", "g-1", "score=0", "b=dee"),
        ("amend", "s-1", "rating=1700"),
        ("merge", "bo", "bo (guest)"),
        ("unmerge", "m-0"),
        ("unmerge", "cy", "bo (guest)"),
        ("revive", "g-2"),
    ],
    ids=" ".join,
)
def test_a_correction_said_again_under_its_uid_changes_nothing(run: Run, club: Path, words: tuple[str, ...]) -> None:
    run("void", "club.db", "g-2", "--uid", "v-0")
    if words[0] == "unmerge":
        run("merge", "club.db", "cy", "bo (guest)", "--uid", "m-0")
    command = (words[0], "club.db", *words[1:], "--uid", "once", "--why", "a reason")
    first = run(*command)
    assert (first.code, first.out) == (0, "once\n")
    head = run("verify", "club.db").err
    again = run(*command)
    assert (again.code, again.out) == (0, "once\n")
    assert "in the log already" in again.err
    assert run("verify", "club.db").err == head
    other = run(*command[:-1], "another reason")
    assert other.code == 1
    assert other.err.startswith("error: uid once is already at position")


def test_unmerging_twice_is_told(run: Run, club: Path) -> None:
    run("merge", "club.db", "bo", "bo (guest)", "--uid", "m")
    run("unmerge", "club.db", "m")
    assert run("unmerge", "club.db", "m").err.startswith("note: m counted as never recorded before")
