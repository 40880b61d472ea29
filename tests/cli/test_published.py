"""`ratingcore publish`, `lists`, `show`: what is published stays, and comes out in every format."""

import csv
import json
from pathlib import Path

import pytest

from ratingcore import open as open_log
from ratingcore.cli.published import SHORT

from .conftest import Run

MARCH = ("2024-03", "--through", "2024-03-31")


def test_publishing_prints_the_seal_and_says_where_it_stands(run: Run, club: Path) -> None:
    code, out, err = run("publish", "club.db", *MARCH, "--method", "elo:k=24")
    assert code == 0
    assert err == "published as 2024-03 of pool rapid at position 6: 3 players\n"
    with open_log(club) as engine:
        made = engine.rating_list("rapid", "elo:k=24", through="2024-03-31")
        assert out == f"{made.seal}\n"
        assert engine.published_list("2024-03").digest == made.digest
    again = run("publish", "club.db", *MARCH, "--method", "elo:k=24")
    assert (again.code, again.out) == (0, out)
    assert again.err == "the same list was published before as 2024-03 of pool rapid at position 6: 3 players\n"


def test_another_list_under_the_name_is_refused(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    code, out, err = run("publish", "club.db", *MARCH, "--method", "elo:k=24")
    assert (code, out) == (1, "")
    assert err == (
        "error: another list of pool rapid was published as 2024-03, at position 6\n\n"
        "hint: a published list stays: choose another name, and diff 2024-03 to see what is known now\n"
    )


def test_what_is_shown_is_what_was_published_after_a_correction(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    shown = {form: run("show", "club.db", "2024-03", "-f", form).out for form in ("table", "csv", "json", "markdown")}
    run("void", "club.db", "g-1")
    run("record", "club.db", "--pool", "rapid", "--played", "2024-03-01", "zoe", "ann", "1-0")
    for form, out in shown.items():
        assert run("show", "club.db", "2024-03", "-f", form).out == out
    assert "zoe" in run("list", "club.db", "--through", "2024-03-31").out


def test_a_table_tells_what_the_list_was_made_from(run: Run, club: Path) -> None:
    seal = run("publish", "club.db", *MARCH, "--min-games", 2, "--digits", 0).out.strip()
    lines = run("show", "club.db", "2024-03", "-f", "table").out.splitlines()
    assert lines[0].split() == ["rank", "player", "rating", "games"]
    assert lines[5].startswith("published as 2024-03 of pool rapid at position 6, 2")
    assert lines[6] == "pool rapid, played through 2024-03-31, as of 2024-03-31"
    assert lines[8:10] == ["policy min_games=2,digits=0", "left off nobody"]
    assert lines[-1] == f"seal of the list {seal}"


def test_a_list_is_written_to_a_new_file_in_the_way_its_name_says(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    for file, form in (("a.csv", "csv"), ("a.json", "json"), ("a.md", "markdown"), ("a.JSON", "json")):
        code, out, err = run("show", "club.db", "2024-03", "--to", file)
        assert (code, out) == (0, "")
        assert err == f"{file}: the list published as 2024-03 of pool rapid at position 6\n"
        assert Path(file).read_bytes() == run("show", "club.db", "2024-03", "-f", form).out.encode()
    code, out, err = run("show", "club.db", "2024-03", "--to", "a.csv")
    assert (code, err.splitlines()[0]) == (2, "error: there is something already: a.csv")
    code, out, err = run("show", "club.db", "2024-03", "--to", "a.txt")
    assert (code, err.splitlines()[0]) == (2, "error: the name of the file does not say how to write it: a.txt")
    assert run("show", "club.db", "2024-03", "--to", "a.txt", "--format", "csv").code == 0
    assert json.loads(Path("a.json").read_text())["list"] == "2024-03"


def test_what_was_published_is_listed(run: Run, club: Path) -> None:
    seal = run("publish", "club.db", *MARCH, "--method", "elo:k=24").out.strip()
    run("publish", "club.db", "all", "--active", "1 month")
    first, second = csv.DictReader(run("lists", "club.db").out.splitlines())
    assert (first["name"], first["through"], first["players"], first["seal"]) == ("2024-03", "2024-03-31", "3", seal)
    assert first["method"].startswith("elo@1(k=24.0, ")
    assert (second["name"], second["through"], second["policy"]) == ("all", "", "active=months(1)")
    table = run("lists", "club.db", "--format", "table").out.splitlines()
    assert table[0].split() == list(SHORT)
    assert table[1].split()[:7] == ["2024-03", "rapid", "2024-03-31", "elo@1", "3", "5", "6"]
    assert table[1].split()[-1] == seal[:12]
    assert json.loads(run("lists", "club.db", "--pool", "rapid", "-f", "json").out)[1]["name"] == "all"


def test_where_nothing_was_published_there_is_nothing_to_list(run: Run, club: Path) -> None:
    assert run("lists", "club.db", "-f", "json").out == "[]\n"
    code, out, err = run("show", "club.db", "2024-03")
    assert (code, out) == (2, "")
    assert err.startswith("error: no list was published as: 2024-03\n\nhint: ")
    for words in (("lists",), ("show", "x"), ("diff", "x"), ("publish", "x")):
        name, *rest = words
        assert run(name, "none.db", *rest).code == 2
    assert not Path("none.db").exists()


def test_a_published_list_is_a_cut(run: Run, club: Path) -> None:
    run("publish", "club.db", "march", "--known-at", 3)
    for cut in ("march", "list:march"):
        assert run("list", "club.db", "--known-at", cut).out == run("list", "club.db", "--known-at", 3).out
        assert run("player", "club.db", "ann", "-k", cut).out == run("player", "club.db", "ann", "-k", 3).out
    code, _, err = run("list", "club.db", "--known-at", "april")
    assert code == 2
    assert "april" in err
    assert run("list", "club.db", "--known-at", "list:april").code == 2


def test_it_is_said_where_a_position_or_a_day_is_the_name_of_a_list_as_well(run: Run, club: Path) -> None:
    """`explain --against 2000` silently compared with position 2000 and not with the list of the year 2000."""
    run("publish", "club.db", "3", "--known-at", 2)
    run("publish", "club.db", "2024-03-31", "--known-at", 2)
    then = run("list", "club.db", "--known-at", "list:3")
    assert (then.out, "note: " in then.err) == (run("list", "club.db", "--known-at", 2).out, False)
    for option, text, what in (
        ("--known-at", "3", "a position"), ("--known-at", "2024-03-31", "a time"), ("--since", "2024-03-31", "a day"),
    ):  # fmt: skip
        told = f"note: {text} is taken for {what}; the list that was published as {text} is list:{text}\n"
        code, _, err = run("list", "club.db", option, text)
        assert (code, err.startswith(told)) == (0, True), err
        assert not run("list", "club.db", option, f"list:{text}").err.startswith("note: ")


def test_the_list_of_a_pool_is_meant_where_several_have_the_name(run: Run, club: Path) -> None:
    run("record", "club.db", "--pool", "blitz", "--played", "2024-03-01", "ann", "bo", "1-0")
    for pool in ("rapid", "blitz"):
        assert run("publish", "club.db", *MARCH, "--pool", pool).code == 0
    code, _, err = run("show", "club.db", "2024-03")
    assert (code, err.splitlines()[0]) == (2, "error: lists of several pools were published as 2024-03: rapid, blitz")
    assert "# pool: blitz\n" in run("show", "club.db", "2024-03", "--pool", "blitz").out
    assert run("list", "club.db", "--pool", "blitz", "--known-at", "2024-03").code == 0


@pytest.mark.parametrize("words", [["--active", "soon"], ["--digits", "10"], ["--ties", "none"], ["--min-games", "-1"]])
def test_a_policy_that_is_none_is_refused(run: Run, club: Path, words: list[str]) -> None:
    for name in (["list", "club.db"], ["publish", "club.db", "x"]):
        assert run(*name, *words).code == 2
    assert run("lists", "club.db", "-f", "json").out == "[]\n"
