"""What every correction on the command line keeps to: refusals write nothing, and the same uid does it once."""

from pathlib import Path

import pytest

from .conftest import Run


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("void", "nobody"), "no event has the uid: nobody"),
        (("amend", "nobody", "score=1"), "no event has the uid: nobody"),
        (("amend", "g-1", "score=2"), "score is neither a score word nor a number from 0 to 1: '2'"),
        (("amend", "g-1", "score="), "score cannot be empty"),
        (("amend", "g-1", "played=yesterday"), "played is not an ISO date or time"),
        (("amend", "g-1", "b=ann"), "a player cannot meet themselves: ann"),
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
