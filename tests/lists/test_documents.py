"""Documents of a list: what they tell can be read back, whatever the names are."""

import csv
import io
import json
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ratingcore_elo import Elo

from ratingcore.errors import BadValue
from ratingcore.events import DAY, exact, last_instant
from ratingcore.events.times import FIRST, LAST
from ratingcore.lists import RatingList
from tests.columns.making import POOL, engine, game, seed
from tests.replay.toys import Unrated

ODD = ("a|b", "c,d", '"e"', "*f*", "_g_", "h\\", "<b>i</b>", "李", "é", "# j", "=k()", "[l](m)", "`n`", "o & p")


def odd() -> RatingList:
    """A list of players whose names mean something in some format."""
    return engine(*(seed(1, player, 1500.0 + n) for n, player in enumerate(ODD))).rating_list(POOL, Elo())


@given(st.integers(FIRST // DAY, LAST // DAY - 1), st.sampled_from([0, 1, DAY - 1, DAY // 2, 1_000_000]))
def test_an_instant_is_spelt_so_that_the_same_is_read_again(days: int, rest: int) -> None:
    assert last_instant(exact(days * DAY + rest)) == days * DAY + rest


def test_json_tells_everything_the_list_was_made_from() -> None:
    eng = engine(game(1, "ann", "bo"), game(40, "ann", "bo"), seed(1, "cy"))
    found = eng.rating_list(POOL, Elo(), through="1970-02-03", policy="min_games=1,active=100 days")
    read = json.loads(found.document("json", "2024-03"))
    assert read == {
        "list": "2024-03",
        "provenance": {
            "pool": POOL,
            "method": found.provenance.method,
            "head": str(eng.log.head),
            "through": "1970-02-03",
            "as_of": "1970-02-03",
            "policy": "min_games=1,active=days(100)",
            "left_off": {"fewer than 1 game": 1, "no game in 100 days": 0},
            "ratingcore": found.provenance.version,
        },
        "digest": found.digest,
        "seal": found.seal,
        "columns": ["rank", "player", "rating", "games"],
        "rows": [[1, "ann", 1510.0, 1], [2, "bo", 1490.0, 1]],
    }


def test_json_of_a_list_without_cut_name_or_policy() -> None:
    read = json.loads(engine(game(1, "ann", "bo")).rating_list(POOL, Elo()).document("json"))
    assert "list" not in read
    assert (read["provenance"]["through"], read["provenance"]["as_of"]) == (None, "1970-01-02T00:00:00Z")
    assert (read["provenance"]["policy"], read["provenance"]["left_off"]) == ("", {})


def test_csv_has_the_provenance_in_lines_of_remarks_and_then_the_rows() -> None:
    found = odd()
    lines = found.document("csv", "2024-03").splitlines(keepends=True)
    remarks = [line for line in lines if line.startswith("# ")]
    assert lines[: len(remarks)] == remarks
    told = dict(line[2:].rstrip("\n").split(": ", 1) for line in remarks)
    made = found.provenance
    assert told == {
        "list": "2024-03", "pool": POOL, "played through": "everything", "as of": "1970-01-02", "method": made.method,
        "head": f"{made.known_at}:{made.digest}", "ratingcore": made.version, "digest": found.digest,
        "seal": found.seal,
    }  # fmt: skip
    rows = list(csv.DictReader(io.StringIO("".join(lines[len(remarks) :]))))
    assert [row["player"] for row in rows] == list(found.player) == list(reversed(ODD))
    assert [float(row["rating"]) for row in rows] == [row["rating"] for row in found]


def test_no_row_of_csv_can_be_taken_for_a_remark() -> None:
    eng = engine(game(1, "# ann", "#bo"), seed(2, "#bo", 900.0))
    text = eng.rating_list(POOL, Unrated()).document("csv")
    assert [line for line in text.splitlines() if "ann" in line] == [",# ann,,1,350.0,new"]


def test_csv_for_spreadsheets_has_no_formula() -> None:
    found = odd()
    exact, protected = found.document("csv"), found.document("csv-spreadsheet")
    assert "'=k()" in protected
    remarks = [line for line in exact.splitlines() if line.startswith("# ")]
    assert protected.startswith("\ufeff"), "else Excel garbles every letter beyond ASCII"
    cells = list(csv.reader(io.StringIO(protected.removeprefix("\ufeff"))))
    assert cells[: len(remarks)] == [[remark] for remark in remarks], "a fact is one cell, commas included"
    rows = list(csv.reader(exact.splitlines(keepends=True)[len(remarks) :]))
    bare = [["=k()" if cell == "'=k()" else cell for cell in row] for row in cells[len(remarks) :]]
    assert bare == rows


def test_markdown_stays_on_its_line() -> None:
    eng = engine(game(1, "ann", "bo"))
    text = eng.rating_list(POOL, Elo()).document("markdown", "a\n# b\u202e")
    assert text.splitlines()[0] == r"# a\\n\# b\\u202e"


def test_markdown_shows_every_name_as_it_is() -> None:
    found = odd()
    lines = found.document("markdown", "Winter *2024*").splitlines()
    assert lines[0] == r"# Winter \*2024\*"
    table = [line for line in lines if line.startswith("|")]
    assert table[:2] == ["| rank | player | rating | games |", "| ---: | --- | ---: | ---: |"]
    shown = [re.split(r"(?<!\\) ?\| ?", line)[2].strip() for line in table[2:] if "h" not in line]
    assert [unescape(re.sub(r"\\(.)", r"\1", name)) for name in shown] == [
        name for name in found.player if "h" not in name
    ]
    assert "<" not in "".join(table), "readers of Markdown that do not escape it take it for HTML"
    assert r"h\\ |" in next(line for line in table if "h" in line), "a backslash at the end leaves the bar alone"
    assert f"- seal: {found.seal}" in lines


@pytest.mark.parametrize("form", ["csv", "csv-spreadsheet", "json", "markdown"])
def test_an_empty_list_and_the_unrated_have_documents(form: str) -> None:
    eng = engine(game(1, "ann", "bo"))
    for found in (eng.rating_list(POOL, Elo(), known_at=0), eng.rating_list(POOL, Unrated())):
        text = found.document(form)
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        assert not re.search(r"\bnan\b", text.lower())
    rows = [[None, "ann", None, 1, 350.0, "new"], [None, "bo", None, 1, 350.0, "new"]]
    assert json.loads(found.document("json"))["rows"] == rows


def test_added_columns_are_in_the_rows_but_not_in_digest_and_seal() -> None:
    found = odd()
    read = json.loads(found.with_grades(str).document("json"))
    assert read["columns"][-1] == "grade"
    assert (read["digest"], read["seal"]) == (found.digest, found.seal)


def test_a_format_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadValue, match="format must be one of csv, csv-spreadsheet, json, markdown: 'html'"):
        odd().document("html")
