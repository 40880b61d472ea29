"""`--dry-run` of every correction: what would be recorded and who would move, and nothing written."""

from pathlib import Path

import pytest

from ratingcore import open as open_log

from .conftest import Run

COMMANDS = (
    ("void", "g-1"),
    ("void", "g-1", "g-2"),
    ("revive", "g-3"),
    ("amend", "g-1", "score=0"),
    ("amend", "s-1", "rating=1500"),
    ("merge", "bo", "bo (guest)"),
    ("unmerge", "m-1"),
    ("unmerge", "cy", "cyril"),
    ("split", "ann", "ann junior", "--since", "2024-03-05"),
    ("record", "cy", "dee", "1-0", "--played", "2024-04-05"),
)


@pytest.fixture
def more(run: Run, club: Path) -> Path:
    """The club with a voided game and a merge."""
    run("void", "club.db", "g-3", "--uid", "v-3")
    run("record", "club.db", "cyril", "bo", "1-0", "--played", "2024-03-20", "--uid", "g-6")
    run("merge", "club.db", "cy", "cyril", "--uid", "m-1")
    return club


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_dry_run_writes_nothing_and_foretells_what_is_then_done(run: Run, more: Path, words: tuple[str, ...]) -> None:
    with open_log(more, read_only=True) as engine:
        before, head = engine.rating_list("rapid", "elo:k=24"), engine.log.head
    more.chmod(0o444)
    contents = more.read_bytes()
    code, out, err = run(words[0], "club.db", *words[1:], "--dry-run", "--method", "elo:k=24", "--format", "csv")
    assert code == 0, err
    assert more.read_bytes() == contents
    assert "would be recorded: " in err
    assert err.endswith("nothing was recorded\n")
    assert "moves nobody" not in err
    more.chmod(0o644)
    assert run(words[0], "club.db", *words[1:]).code == 0
    with open_log(more) as engine:
        assert engine.log.head.position > head.position
        after = engine.rating_list("rapid", "elo:k=24")
    heading, *rows = [line.split(",") for line in out.splitlines()]
    assert heading == ["player", "rank_without", "rank_with", "rating_without", "rating_with", "change"]
    foretold = {player: (was, now) for player, _, _, was, now, _ in rows}
    listed = {
        player: tuple(str(made.rating(player)) if player in made else "" for made in (before, after))
        for player in {*before.player, *after.player}
    }
    assert {player: pair for player, pair in listed.items() if pair[0] != pair[1]}.items() <= foretold.items()
    assert foretold.items() <= listed.items()


def test_a_dry_run_needs_no_right_to_write(run: Run, more: Path) -> None:
    more.chmod(0o444)
    more.parent.chmod(0o555)
    try:
        code, out, err = run("void", "club.db", "g-1", "--dry-run", "--format", "table")
    finally:
        more.parent.chmod(0o755)
    assert code == 0, err
    assert out.splitlines()[0].split() == [
        "player", "rank_without", "rank_with", "rating_without", "rating_with", "change",
    ]  # fmt: skip
    assert err.splitlines()[0] == "would be recorded: ann beat bo on 2024-03-02 (g-1) counts as never recorded"


def test_the_reason_and_who_decided_are_shown(run: Run, club: Path) -> None:
    err = run("void", "club.db", "g-1", "--dry-run", "--why", "not played", "--by", "Zoë").err
    assert "counts as never recorded; why: not played; by: Zoë\n" in err


def test_what_cannot_be_done_cannot_be_tried(run: Run, club: Path) -> None:
    for words, told in (
        (("void", "nobody"), "no event has the uid: nobody"),
        (("revive", "g-1"), "cannot revive g-1: it counts already: it was not taken back"),
        (("amend", "g-1", "b=ann"), "a player cannot meet themselves: ann"),
        (("merge", "ann", "bo"), "cannot merge bo: ann and bo have met in pool rapid"),
        (("unmerge", "g-1"), "cannot unmerge g-1: it is a game"),
        (("split", "ann", "bo", "--since", "2024-03-01"), "cannot split g-1: bo plays in it, too"),
        (("void", "g-1", "--pool", "nowhere"), "the log has no pool named: nowhere"),
        (("void", "g-1", "--method", "eloo"), "no method named eloo"),
    ):
        code, out, err = run(words[0], "club.db", *words[1:], "--dry-run")
        assert (code, out) == (2, "")
        assert f"error: {told}" in err


def test_a_dry_run_without_a_log_makes_none(run: Run) -> None:
    for words in (("void", "g-1"), ("record", "a", "b", "1-0", "--played", "2024-01-01", "--pool", "rapid")):
        code, _, err = run(words[0], "new.db", *words[1:], "--dry-run")
        assert (code, err.startswith("error: no such log: new.db")) == (2, True)
    assert not Path("new.db").exists()


def test_a_dry_run_of_what_was_done_says_so(run: Run, club: Path) -> None:
    run("void", "club.db", "g-1", "--uid", "v")
    err = run("void", "club.db", "g-1", "--uid", "v", "--dry-run").err
    assert err == "the void of g-1 moves nobody: it is recorded already\nnothing was recorded\n"


def test_names_that_are_new_are_told(run: Run, club: Path) -> None:
    err = run("record", "club.db", "ann", "zoe", "1-0", "--played", "2024-05-01", "--dry-run").err
    assert err.startswith("new here: player zoe\nwould be recorded: ann beat zoe\n")


def test_of_many_events_a_few_are_shown(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        from ratingcore import GamePlayed

        engine.record(*(
            GamePlayed(pool="rapid", played=f"2024-05-{day:02}", a="ann", b="dee", score=1.0) for day in range(1, 16)
        ))  # fmt: skip
    err = run("split", "club.db", "dee", "eve", "--since", "2024-01-01", "--dry-run").err
    assert err.count("would be recorded: ") == 10
    assert "... and 5 more\n" in err


def test_several_pools_have_to_be_told_apart(run: Run, club: Path) -> None:
    run("record", "club.db", "bo (guest)", "ann", "1-0", "--played", "2024-04-05", "--pool", "blitz")
    code, _, err = run("merge", "club.db", "cy", "bo (guest)", "--dry-run")
    assert code == 2
    assert "error: the merge of bo (guest) into cy concerns several pools: rapid, blitz\n" in err
    assert err.endswith("hint: choose one: --pool rapid\n")
    assert run("merge", "club.db", "cy", "bo (guest)", "--dry-run", "--pool", "blitz").code == 0


def test_made_again_after_it_was_taken_back_that_is_said(run: Run, club: Path) -> None:
    """The answer was how to take it back, as if it stood."""
    for words, back in ((("void", "club.db", "g-1"), "void"), (("merge", "club.db", "cy", "bo (guest)"), "unmerge")):
        uid = f"{back}-1"
        assert run(*words, "--uid", uid).code == 0
        joined = "bo (guest) counts as cy; " if back == "unmerge" else ""
        way = f"to take it back: ratingcore {back} club.db {uid}\n"
        assert run(*words, "--uid", uid).err == f"in the log already; {joined}{way}"
        assert run(back, "club.db", uid).code == 0
        assert run(*words, "--uid", uid) == (0, f"{uid}\n", f"in the log already; taken back since: {uid}\n")


def test_a_uid_that_is_given_twice_is_voided_once(run: Run, club: Path) -> None:
    assert run("void", "club.db", "g-1", "g-1", "--uid", "x").out == "x\n"
