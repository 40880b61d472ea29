"""`ratingcore show`: what is published stays, and comes out in every format."""

import json
from pathlib import Path

from .conftest import Run

MARCH = ("2024-03", "--through", "2024-03-31")


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


def test_the_list_of_a_pool_is_meant_where_several_have_the_name(run: Run, club: Path) -> None:
    run("record", "club.db", "--pool", "blitz", "--played", "2024-03-01", "ann", "bo", "1-0")
    for pool in ("rapid", "blitz"):
        assert run("publish", "club.db", *MARCH, "--pool", pool).code == 0
    code, _, err = run("show", "club.db", "2024-03")
    assert (code, err.splitlines()[0]) == (2, "error: lists of several pools were published as 2024-03: rapid, blitz")
    assert "# pool: blitz\n" in run("show", "club.db", "2024-03", "--pool", "blitz").out
    assert run("list", "club.db", "--pool", "blitz", "--known-at", "2024-03").code == 0


def test_exact_numbers_come_on_request_and_are_not_what_was_published(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    plain = json.loads(run("show", "club.db", "2024-03", "-f", "json").out)
    assert "rating_exact" not in plain["columns"]
    run("show", "club.db", "2024-03", "--exact", "--to", "full.json")
    full = json.loads(Path("full.json").read_text())
    assert full["columns"] == [*plain["columns"], "rating_exact"]
    assert (full["digest"], full["seal"]) == (plain["digest"], plain["seal"])
    assert [row[:-1] for row in full["rows"]] == plain["rows"]
    proved = run("prove", "full.json", "club.db")
    assert (proved.code, "rating_exact" in proved.err + proved.out) == (0, True)


def test_only_json_is_signed(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    for words in (("--format", "csv"), ("--to", "list.md")):
        code, out, err = run("show", "club.db", "2024-03", "--sign", "key.pem", *words)
        assert (code, out) == (2, "")
        assert "carries no signature" in err
