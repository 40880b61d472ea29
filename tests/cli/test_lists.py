"""`ratingcore lists`: what was published."""

import csv
import json
from pathlib import Path

from ratingcore.cli.lists import SHORT

from .conftest import Run

MARCH = ("2024-03", "--through", "2024-03-31")


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


def test_an_empty_list_that_was_published_is_of_no_day(run: Run, club: Path) -> None:
    run("void", "club.db", "--positions", "1-5")
    run("publish", "club.db", "none")
    run("publish", "club.db", "spring", "--through", "2024-05-31")
    first, second = json.loads(run("lists", "club.db", "-f", "json").out)
    assert (first["players"], first["as_of"], second["as_of"]) == (0, None, "2024-05-31")
    assert "1970" not in run("list", "club.db").err
