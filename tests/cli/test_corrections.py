"""Corrections on the command line: void, revive, merge, unmerge, split, and what they share."""

from pathlib import Path

import pytest

from .conftest import Run, last_text, ratings


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("void", "nobody"), "no event has the uid: nobody"),
        (("amend", "nobody", "score=1"), "no event has the uid: nobody"),
        (("amend", "g-1", "score=2"), "score must be a score word or a number from 0 to 1: '2'"),
        (("amend", "g-1", "score="), "score cannot be empty"),
        (("amend", "g-1", "played=yesterday"), "played must be an ISO date or time"),
        (("amend", "g-1", "score"), "expected FIELD=VALUE, found: score"),
        (("amend", "g-1", "score=1", "score=0"), "the field score is given twice"),
        (("amend", "g-1", "sides=x"), "sides cannot be amended on the command line"),
        (("amend", "s-1", "rating=many"), "rating must be a finite number: 'many'"),
        (("merge", "bo", "bob"), "the log has no player named: bob"),
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


def test_voiding_and_voiding_the_void(run: Run, club: Path) -> None:
    before = ratings(run)
    code, out, err = run("void", "club.db", "g-1", "--why", "default, not played", "--by", "Zoë")
    assert code == 0
    assert err == f"recorded at position 6; to take it back: ratingcore void club.db {out.strip()}\n"
    assert last_text(run) == (
        '"ann beat bo on 2024-03-02 (g-1) counts as never recorded; why: default, not played; by: Zoë"'
    )
    assert ratings(run) != before
    assert ratings(run, "--known-at", 5) == before
    again = run("void", "club.db", out.strip())
    assert ratings(run) == before
    assert last_text(run).endswith("is taken back")
    assert again.code == 0


def test_taking_back_twice_is_told(run: Run, club: Path) -> None:
    run("void", "club.db", "g-1")
    assert run("void", "club.db", "g-1").err.startswith("note: g-1 counts as never recorded already")
    run("merge", "club.db", "bo", "bo (guest)", "--uid", "m")
    run("unmerge", "club.db", "m")
    assert run("unmerge", "club.db", "m").err.startswith("note: m is taken back already")


def test_several_events_are_voided_together(run: Run, club: Path) -> None:
    code, out, err = run("void", "club.db", "g-1", "g-2", "--uid", "v")
    assert (code, out) == (0, "v\nv-2\n")
    assert err == "recorded at positions 6 to 7; to take it back: ratingcore void club.db v v-2\n"
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
    assert err.splitlines()[0] == "chosen: 15 of kind game"
    assert err.endswith("at positions 36 to 50; to take it back: ratingcore void club.db --positions 36-50\n")
    assert run("void", "club.db", "--source", "bad.csv").err == (
        "chosen: nothing; 15 count as never recorded already\n"
    )
    assert run("void", "club.db", "--positions", "36-50").err.startswith("chosen: 15 of kind void\n")
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
    assert run("void", "club.db", "--positions", "6").err.startswith("chosen: 1 of kind merge\n")
    assert ratings(run) == before


def test_hundreds_of_voids_are_told_in_few_words(run: Run, club: Path) -> None:
    rows = [f"2024-05-01,p{n},q{n},1-0" for n in range(150)]
    Path("games.csv").write_text("\n".join(["played,a,b,score", *rows]), encoding="utf-8")
    run("import", "club.db", "games.csv")
    uids = [line.split(",")[5] for line in run("log", "club.db", "--last", 150, "--format", "csv").out.splitlines()[1:]]
    code, out, err = run("void", "club.db", *uids)
    assert (code, out) == (0, "")
    assert err == "recorded at positions 156 to 305; to take it back: ratingcore void club.db --positions 156-305\n"


def test_what_cannot_be_chosen_is_said(run: Run, club: Path) -> None:
    assert "no source named: nothing.csv" in run("void", "club.db", "--source", "nothing.csv").err
    for words in ((), ("g-1", "--source", "x"), ("--positions", "x"), ("--positions", "5-99"), ("--positions", "0")):
        assert run("void", "club.db", *words).code == 2, words


def test_a_revived_game_counts_again(run: Run, club: Path) -> None:
    before = ratings(run)
    run("void", "club.db", "g-1", "--uid", "v-1")
    run("void", "club.db", "g-1", "--uid", "v-2")
    code, out, err = run("revive", "club.db", "g-1", "--why", "played after all", "--by", "Zoë", "--uid", "r")
    assert (code, out, err) == (0, "r\nr-2\n", "recorded at positions 8 to 9; g-1 counts again\n")
    assert last_text(run).endswith("is taken back; why: played after all; by: Zoë")
    assert ratings(run) == before
    assert run("revive", "club.db", "g-1").code == 2


def test_a_merge_is_taken_back_by_names_or_by_uid(run: Run, club: Path) -> None:
    before = ratings(run)
    ran = run("merge", "club.db", "bo", "bo (guest)", "--why", "the same")
    uid, back = ran.out.strip(), f"to take it back: ratingcore unmerge club.db {ran.out}"
    assert ran.err == f"recorded at position 6; bo (guest) counts as bo, with 1 result; {back}"
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
    assert err == "recorded at position 6; to take it back: ratingcore void club.db --positions 6\n"
    assert "bo (guest)" not in ratings(run)
    run("void", "club.db", "--positions", 6)
    assert ratings(run) == before


def test_an_event_is_named_by_its_position_where_no_uid_reads_so(run: Run, club: Path) -> None:
    """The lists of events show positions, and every correction refused them."""
    for words, of in ((("void", "2"), "void"), (("revive", "2"), "void"), (("amend", "2", "score=1/2"), "amend")):
        ran = run(words[0], "club.db", *words[1:], "--uid", f"c-{words[0]}")
        assert (ran.code, "note: no event has the uid 2; position 2 is g-1\n" in ran.err) == (0, True)
        assert f"c-{words[0]}" in run("log", "club.db", "--kind", of, "--last", "1").out
    assert run("void", "club.db", "99").err.startswith("error: no event has the uid: 99")
    Path("numbered.csv").write_text("uid,played,a,b,score\n2,2024-03-02,ann,bo,1\n7,2024-03-02,bo,cy,1\n")
    run("import", "new.db", "numbered.csv", "--pool", "p")
    assert run("void", "new.db", "1").err.startswith("error: no event has the uid: 1"), "1 may be a mistyped 7"
    assert "position" not in run("void", "new.db", "2", "--dry-run").err


def test_merges_that_make_games_count_twice_warn(run: Run, club: Path) -> None:
    """They were recorded without a word, and the list counted every game of both spellings."""
    for number, row in enumerate(("Müller Jörg,Groß Ilse", "Jörg Müller,Ilse Groß")):
        Path(f"{number}.csv").write_text(f"played,a,b,score\n2024-09-06,{row},1\n", encoding="utf-8")
        run("import", "new.db", f"{number}.csv", "--pool", "p")
    Path("merges.csv").write_text("keep,other\nJörg Müller,Müller Jörg\nGroß Ilse,Ilse Groß\n", encoding="utf-8")
    said = (
        "warning: 1 game counts twice in p once these names are merged: the same players had the same score on that "
        "day, such as positions 2 and 1; if they are the same games: ratingcore void new.db --positions 2\n"
    )
    assert said in run("merge", "new.db", "--file", "merges.csv", "--dry-run").err
    assert said in run("merge", "new.db", "--file", "merges.csv").err


def test_of_a_file_of_merges_all_or_none_are_recorded(run: Run, club: Path) -> None:
    for text, why in (
        ("keep,other\nbo,bo (guest)\nann,bo\n", "ann and bo would become one player, but have met in pool rapid"),
        ("keep,other\nbo,bo (guest)\nbo (guest),bo\n", "bo (guest) and bo count as one player already"),
        ("keep,other\ncy,bo (guest)\nbo (guest),bo\n", "would become one player, but have met in pool rapid"),
        ("keep,other\nbo,\n", "line 2 must name two players"),
        ("keep,other\nbo,nobody\n", "no player named: nobody"),
    ):
        Path("merges.csv").write_text(text, encoding="utf-8")
        ran = run("merge", "club.db", "--file", "merges.csv")
        assert (ran.code, why in ran.err) == (2, True), (text, ran)
    assert run("merge", "club.db", "bo").code == 2
    assert run("verify", "club.db").err.startswith("5 events")


def players(run: Run) -> list[str]:
    return sorted(line.split(",")[1] for line in run("list", "club.db", "--format", "csv").out.splitlines()[1:])


def test_a_split_prints_the_uids_that_take_it_back(run: Run, club: Path) -> None:
    before = run("list", "club.db").out
    code, out, err = run("split", "club.db", "ann", "anna", "--since", "2024-03-05", "--uid", "x", "--why", "two")
    assert (code, out) == (0, "x\nx-2\n")
    back = f"to take it back: ratingcore void club.db {' '.join(out.split())}\n"
    assert err == f"recorded at positions 6 to 7; {back}"
    assert players(run) == ["ann", "anna", "bo", "bo (guest)", "cy"]
    told = run("log", "club.db", "--last", 1, "--format", "csv").out
    assert "ann beat bo (guest) on 2024-04-01 (g-4) now reads a anna; why: two" in told
    again = run("split", "club.db", "ann", "anna", "--since", "2024-03-05", "--uid", "x", "--why", "two")
    assert (again.out, again.err) == (out, f"in the log already; {back}")
    assert run("void", "club.db", *out.split()).err.startswith("recorded at positions 8 to 9; to take it back: ")
    assert run("list", "club.db").out == before


def test_games_of_a_namesake_are_split_by_their_uids(run: Run, club: Path) -> None:
    assert run("split", "club.db", "ann", "anna", "--games", "g-1,g-4", "--uid", "x").out == "x\nx-2\n"
    games = {row.split(",")[1]: row.split(",")[-1] for row in run("list", "club.db").out.splitlines()}
    assert (games["ann"], games["anna"]) == ("1", "2")


def test_games_of_a_namesake_are_split_by_lines_of_their_file(run: Run) -> None:
    days = [f"0{day}/03/2024,ann,{other},1-0" for day, other in enumerate(("bo", "cy", "di", "bo"), 2)]
    Path("games.csv").write_text("\n".join(["day,white,black,score", *days]) + "\n")
    how = ("--map", "a=white,b=black,played=day", "--date-format", "%d/%m/%Y")
    assert run("import", "new.db", "games.csv", "--pool", "rapid", *how).code == 0
    lines = ("split", "new.db", "ann", "anna", "--file", "games.csv", "--lines", "3-4,5", *how)
    dry = run(*lines, "--dry-run")
    assert (dry.code, run("verify", "new.db").err[:8]) == (0, "4 events")
    assert run(*lines, "--uid", "x").out == "x\nx-2\nx-3\n"
    games = {row.split(",")[1]: row.split(",")[-1] for row in run("list", "new.db").out.splitlines()}
    assert (games["ann"], games["anna"]) == ("1", "3")
    again = run(*lines, "--why", "more")
    assert (again.code, again.out) == (2, "")
    assert again.err.startswith("error: games.csv: none of the lines 3 to 4 has a result of ann\n\nhint: lines count")


def test_a_split_that_cannot_be_is_refused(run: Run, club: Path) -> None:
    for words, told in (
        (("zoe", "bo", "--since", "2024-01-01"), "the log has no player named: zoe"),
        (("ann", "anna", "--since", "0024-03-05"), "--since lies outside the years 1400 to 2199: '0024-03-05'"),
        (("ann", "anna", "--since", "soon"), "--since must be an ISO date or time"),
        (("ann", "anna"), "expected one choice of the results to move"),
        (("ann", "anna", "--since", "2024-01-01", "--games", "g-1"), "expected one choice of the results to move"),
        (("ann", "anna", "--games", "g-9"), "no event has the uid: g-9"),
        (("ann", "anna", "--file", "games.csv"), "expected one choice of the results to move"),
        (("ann", "anna", "--games", "g-1", "--lines", "3"), "expected one choice of the results to move"),
        (("ann", "anna", "--file", "games.csv", "--lines", "x"), "--lines must be numbers and spans: x"),
        (("ann", "", "--since", "2024-01-01"), "player must be a name: ''"),
    ):
        code, out, err = run("split", "club.db", *words)
        assert (code, out) == (2, "")
        assert err.startswith(f"error: {told}"), err
    assert run("verify", "club.db").err.startswith("5 events")


def test_voids_that_are_taken_back_after_the_file_came_again_warn_of_both_versions(run: Run) -> None:
    """Both versions counted, without a word."""
    Path("games.csv").write_text("a,b,score,played\nann,bo,1-0,2024-05-02\nbo,cy,1-0,2024-05-03\n")
    for words in (("import",), ("void", "--source"), ("import",)):
        rest = ("--pool", "rapid") if words == ("import",) else ()
        assert run(words[0], "oct.db", *words[1:], "games.csv", *rest).code == 0
    assert "warning: 2 results that count again are in the log a second time" in (
        run("void", "oct.db", "--positions", "3-4").err
    )
