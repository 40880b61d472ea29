"""Published lists on the command line: publish, lists, show and diff."""

import csv
import json
from pathlib import Path

import pytest

from ratingcore import open as open_log
from ratingcore.cli.published import SHORT
from tests.lists.keys import write_keys

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


def test_a_dry_run_of_publishing_shows_what_has_changed_and_writes_nothing(run: Run, club: Path) -> None:
    """A fixed lack: of all commands that record, publishing alone could not be tried."""
    run("publish", "club.db", *MARCH, "--method", "elo:k=24")
    tried = run("publish", "club.db", "2024-04", "--method", "elo:k=24", "--dry-run")
    said, changed, nothing = tried.err.splitlines()
    assert said.startswith("would be published as 2024-04 of pool rapid: ")
    assert changed.endswith("another rating than in the list 2024-03")
    assert nothing == "nothing was recorded"
    assert len(run("lists", "club.db", "-f", "csv").out.splitlines()) == 2
    assert run("publish", "club.db", "2024-04", "--method", "elo:k=24").out == tried.out
    again = run("publish", "club.db", "2024-04", "--method", "elo:k=24", "--dry-run")
    assert again.err.startswith("the same list was published before as 2024-04")


@pytest.mark.parametrize("words", [["--active", "soon"], ["--digits", "10"], ["--ties", "none"], ["--min-games", "-1"]])
def test_a_policy_that_is_none_is_refused(run: Run, club: Path, words: list[str]) -> None:
    for name in (["list", "club.db"], ["publish", "club.db", "x"]):
        assert run(*name, *words).code == 2
    assert run("lists", "club.db", "-f", "json").out == "[]\n"


def test_a_list_is_signed_in_its_document_and_never_in_the_log(run: Run, club: Path) -> None:
    write_keys(club.parent)
    code, out, err = run("publish", "club.db", *MARCH, "--sign", "key.pem", "--to", "list.json")
    assert code == 0
    assert err.splitlines()[1] == "list.json: the list as a document, signed"
    signed = Path("list.json").read_text(encoding="utf-8")
    assert run("show", "club.db", "2024-03", "--sign", "key.pem").out == signed
    with open_log(club) as engine:
        assert engine.published()[0].seal == out.strip()
        assert "ed25519" not in "".join(engine.export())


def test_nothing_is_published_where_the_document_cannot_be_signed_or_written(run: Run, club: Path) -> None:
    write_keys(club.parent)
    Path("taken.json").write_text("precious")
    for words, why in (
        (("--sign", "key.pem"), "error: --sign needs --to"),
        (("--sign", "public.pem", "--to", "list.json"), "error: cannot use the key public.pem: it holds no private"),
        (("--sign", "key.pem", "--to", "taken.json"), "error: this path exists already: taken.json"),
    ):
        code, out, err = run("publish", "club.db", *MARCH, *words)
        assert (code, out) == (2, "")
        assert err.startswith(why)
    with open_log(club) as engine:
        assert not engine.published()


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
    assert (code, err.splitlines()[0]) == (2, "error: this path exists already: a.csv")
    code, out, err = run("show", "club.db", "2024-03", "--to", "a.txt")
    assert (code, err.splitlines()[0]) == (2, "error: the file has none of the endings .csv, .json, .md: a.txt")
    assert run("show", "club.db", "2024-03", "--to", "a.txt", "--format", "csv").code == 0
    assert json.loads(Path("a.json").read_text())["list"] == "2024-03"


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
        assert "can be signed only as JSON" in err


def test_diff_shows_what_is_known_otherwise_now(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    code, out, err = run("diff", "club.db", "2024-03")
    assert (code, out) == (0, "player,rank,new_rank,rating,new_rating,change\n")
    assert err == "2024-03, known at position 5, as known at position 6: the rating of 0 of 3 players differs\n"
    run("void", "club.db", "g-3")
    rows = json.loads(run("diff", "club.db", "2024-03", "-f", "json").out)
    assert {row["player"] for row in rows} == {"ann", "cy"}
    assert json.loads(run("diff", "club.db", "2024-03", "-f", "json", "--known-at", 6).out) == []
    assert json.loads(run("diff", "club.db", "2024-03", "-f", "json", "--known-at", "2024-03").out) == []


def test_diff_of_two_published_lists(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    run("publish", "club.db", "2024-04", "--through", "2024-04-30")
    code, out, err = run("diff", "club.db", "2024-03", "2024-04", "-f", "json")
    assert code == 0
    assert {row["player"] for row in json.loads(out)} == {"ann", "bo (guest)"}
    assert err == "2024-03, known at position 5, against 2024-04: the rating of 2 of 4 players differs\n"
    code, _, err = run("diff", "club.db", "2024-03", "2024-04", "--known-at", 3)
    assert (code, err.splitlines()[0]) == (2, "error: --known-at and OTHER exclude each other")
    assert run("diff", "club.db", "2024-03", "2024-05").code == 2
