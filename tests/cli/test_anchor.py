"""`ratingcore anchor`: one line to keep elsewhere, which verify takes back."""

import json
import re
from pathlib import Path

from ratingcore import open as open_log

from .conftest import Run


def test_an_anchor_is_one_line_that_begins_with_the_head(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        head = engine.log.head
    code, out, err = run("anchor", "club.db")
    assert (code, err) == (0, "")
    assert re.fullmatch(rf"{head}  # club\.db, recorded 2\S+Z\n", out)
    assert run("verify", "club.db", "--anchor", out.split()[0]).code == 0


def test_an_anchor_as_json_says_the_same(run: Run, club: Path) -> None:
    line, facts = run("anchor", "club.db").out, json.loads(run("anchor", "club.db", "--format", "json").out)
    assert line == f"{facts['head']}  # {facts['log']}, recorded {facts['recorded']}\n"


def test_a_log_that_is_not_there_has_no_anchor_and_is_not_made(run: Run) -> None:
    code, out, err = run("anchor", "none.db")
    assert (code, out, err.splitlines()[0]) == (2, "", "error: no such log: none.db")
    assert not Path("none.db").exists()
