"""A report for a meeting: its pages are those of the commands, it is the same each time, and mistakes are named."""

import re
import sys
from html import unescape
from pathlib import Path

import pytest
from ratingcore_pages.report import report
from ratingcore_pages.report_plan import BadPlan, ReportPlan

import ratingcore as rc
from tests.cli.conftest import Run
from tests.plugins.ratingcore_pages.leagues import league
from tests.plugins.ratingcore_pages.test_pages import cells

PLAN = """
title = "Spring meeting"
pool = "rapid"

[[list]]
title = "All players"
show = ["won", "lost"]

[[list]]
title = "The first two"
top = 2

[comparison]
methods = ["elo", "elo:k=40"]
against = "elo:k=40"

[health]

[backdating]
old = "elo"
new = "elo:k=40"
start = ["today", 2024-03-05]
"""


def test_a_report_is_a_folder_of_pages_and_the_same_each_time(run: Run, tmp_path: Path) -> None:
    league(str(tmp_path / "club.db")).close()
    (tmp_path / "meeting.toml").write_text(PLAN)
    for folder in ("one", "two"):
        ran = run("report", "club.db", "meeting.toml", "--to", folder)
        assert ran.code == 0, ran.err
    assert ran.out == "two: index.html, list-1.html, list-2.html, comparison.html, health.html, backdating.html\n"
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name
    index = (tmp_path / "one" / "index.html").read_text()
    for file in re.findall(r'href="([^"]+)"', index):
        assert (tmp_path / "one" / file).is_file()
    assert "there is no clear difference between elo:k=40 and elo" in unescape(index)
    again = run("report", "club.db", "meeting.toml", "--to", "one")
    assert "this path exists already" in again.err


def test_the_numbers_of_a_report_are_those_of_the_commands(run: Run, tmp_path: Path) -> None:
    league(str(tmp_path / "club.db")).close()
    (tmp_path / "meeting.toml").write_text(PLAN)
    assert run("report", "club.db", "meeting.toml", "--to", "made").code == 0
    listed = run("list", "club.db", "--show", "won,lost", "--format", "csv").out.splitlines()[1:]
    shown = cells((tmp_path / "made" / "list-1.html").read_text())[1:]
    for line, texts in zip(listed, shown, strict=True):
        place, player, rating, games, won, lost = line.split(",")
        assert texts == [place, player, f"{float(rating):.1f}", won, lost, games]
    compared = run("compare", "club.db", "-m", "elo", "-m", "elo:k=40", "--against", "elo:k=40", "-f", "csv")
    page = (tmp_path / "made" / "comparison.html").read_text()
    for line in compared.out.splitlines()[1:]:
        _, method, games, log_loss, *_ = line.split(",")
        row = next(row for row in cells(page) if row[0] == method)
        assert (row[1], row[2]) == (games, f"{float(log_loss):.5f}")
    (tmp_path / "plan.toml").write_text(PLAN.partition("[backdating]")[2].strip() + '\npool = "rapid"\n')
    backdated = run("backdate", "club.db", "plan.toml", "-f", "table").out.splitlines()[0]
    assert backdated in unescape((tmp_path / "made" / "backdating.html").read_text())


def test_a_comparison_may_be_held_against_a_label() -> None:
    plan = '[comparison]\nmethods = ["Old rule=elo", "New rule=elo:k=40"]\nagainst = "Old rule"'
    assert "Compared with Old rule." in report(league(), ReportPlan.parse(plan))["comparison.html"]


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ("[comparison]", "[comparison] methods: is missing"),
        ('[comparison]\nmethods = "elo"', "[comparison] methods: is not a list of texts: 'elo'"),
        ('[comparison]\nmethods = ["eloo"]', "[comparison] methods: no method named eloo: "),
        ('[comparison]\nmethods = ["elo"]\nplayers = ["zed"]', "[comparison] players: "),
        ("[list]\nrows = 3", "[list] rows: is not a key of a plan; keys are title, "),
        ('[list]\npolicy = "games>3"', "[list] policy: "),
        ('[list]\nsince = "May"', "[list] since: "),
        ('through = "sometime"\n[health]', "through: "),
        ('pool = "blitz"\n[health]', "pool: "),
        ("health = 3", "health: is not a table: 3"),
        ('[backdating]\nold = "elo"', "[backdating]: plan must have the key: 'new'"),
        ("title = ", "it is not TOML: "),
        ('title = "x"', "it has none of the tables of a report: list, comparison, health, backdating"),
    ],
)
def test_a_mistake_in_a_plan_is_named_by_table_key_and_value(plan: str, said: str) -> None:
    with pytest.raises(BadPlan) as error:
        report(league(), ReportPlan.parse(plan))
    assert said in str(error.value)
    assert str(error.value).startswith("plan.toml")


def test_a_plan_that_is_not_there_is_named(run: Run, tmp_path: Path) -> None:
    league(str(tmp_path / "club.db")).close()
    ran = run("report", "club.db", "none.toml")
    assert (ran.code, ran.out) == (2, "")  # as for any path that is wrong
    assert ran.err.startswith("error: none.toml: it cannot be read (there is no such file)\n\nhint: a plan is a TOML")


def test_a_report_without_pool_is_that_of_the_only_one() -> None:
    engine = rc.open(":memory:")
    engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    assert "1 new" not in report(engine, ReportPlan.parse("[health]"))["index.html"].partition("<dl")[0]
    assert "2 active players" in report(engine, ReportPlan.parse("[health]"))["index.html"]


@pytest.mark.parametrize("table", ["comparison", "backdating"])
def test_charts_that_cannot_be_drawn_are_known_before_any_work(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fixed bug: lists and the whole comparison were made first."""
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    begins, _, _ = PLAN.partition("[comparison]")
    given = {"comparison": 'methods = ["elo", "glicko"]', "backdating": PLAN.partition("[backdating]\n")[2]}[table]
    done: list[int] = []
    with league() as engine, pytest.raises(BadPlan) as raised:
        report(engine, ReportPlan.parse(f"{begins}[{table}]\n{given}"), done.append)
    assert (raised.value.table, done) == (table, [])
    assert "pip install" in raised.value.hint
