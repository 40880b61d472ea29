"""`ratingcore backdate`: the answer, the table, the files, and what is refused."""

import csv
import io
import json
from pathlib import Path

import pytest

from ratingcore import GamePlayed, Side
from ratingcore import open as open_log
from ratingcore.events import SessionPlayed
from tests.cli.conftest import Run

PLAN = 'old = "elo"\nnew = "elo:k=40"\nstart = ["today", 2024-03-05, "beginning"]\nthresholds = [1500]\n'


@pytest.fixture
def season(tmp_path: Path) -> Path:
    """A log of sixty games of four players, and a plan beside it."""
    path = tmp_path / "season.db"
    names = ("ann", "bo", "cy", "Zoë")
    with open_log(path) as engine:
        for g in range(60):
            a, b = names[g % 4], names[(g + 1 + g % 3) % 4]
            score = float((a < b) != (g % 7 == 0))
            day = f"2024-{1 + g // 12:02d}-{1 + g % 12:02d}"
            engine.record(GamePlayed(uid=f"g-{g}", pool="rapid", played=day, a=a, b=b, score=score))
    (tmp_path / "plan.toml").write_text(PLAN, "utf-8")
    return path


def test_the_answer_stands_above_the_table(run: Run, season: Path) -> None:
    ran = run("backdate", season, "plan.toml", "--format", "table")
    assert ran.code == 0, ran.err
    verdict, answer, blank, heading, *lines = ran.out.splitlines()
    assert verdict.count(". ") == 1
    assert verdict.startswith("there is no clear difference between elo:k=40 and elo from 2024-03-05")
    assert answer.startswith("elo:k=40 instead of elo in rapid: from today, no rating moves yet")
    assert "from 2024-03-05, ratings move by " in answer
    assert blank == ""
    assert heading.split()[:3] == ["choice", "rated", "mean"]
    assert [line[:18].strip() for line in lines[:4]] == [
        "old rule", "from today", "from 2024-03-05", "from the beginning",
    ]  # fmt: skip
    assert "not scored: from today: nothing has been played since: its forecasts cannot be scored yet" in lines
    assert any(line.startswith("head: 60:") for line in lines)


def test_progress_is_shown_on_a_terminal(run: Run, season: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True, raising=False)
    assert "\rrated: 4 of 4 ways" in run("backdate", season, "plan.toml", "-f", "csv").err


def test_csv_has_the_lists_side_by_side_and_the_answer_is_talk(run: Run, season: Path) -> None:
    ran = run("backdate", season, "plan.toml", "--format", "csv")
    found = list(csv.DictReader(io.StringIO(ran.out)))
    assert {row["player"] for row in found} == {"ann", "bo", "cy", "Zoë"}
    assert {row["change from today"] for row in found} == {"0.0"}
    assert "instead of" in ran.err


def test_every_table_goes_to_files(run: Run, season: Path, tmp_path: Path) -> None:
    ran = run("backdate", season, "plan.toml", "--json", "all.json", "--csv", "tables")
    assert ran.code == 0, ran.err
    made = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert {path.stem for path in (tmp_path / "tables").iterdir()} == set(made["tables"])
    assert "Zoë" in (tmp_path / "tables" / "lists.csv").read_text("utf-8")


def test_the_report_is_one_page_that_asks_nobody_for_anything(run: Run, season: Path, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    with open_log(season) as engine:
        engine.record(GamePlayed(pool="rapid", played="2024-06-01", a="</script><b>", b="ann", score=0.0))
    ran = run("backdate", season, "plan.toml", "--html", "report.html")
    assert ran.code == 0, ran.err
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<h1>rapid: from when should the new rule hold?</h1>" in page
    assert "</script><b>" not in page
    assert page.count('data-picture="') >= 8
    assert "default-src &#x27;none&#x27;" in page
    assert "start = [&quot;today&quot;, &quot;2024-03-05&quot;, &quot;beginning&quot;]" in page


def test_the_plan_in_the_report_makes_the_same_numbers_after_more_was_recorded(
    run: Run, season: Path, tmp_path: Path
) -> None:
    before = run("backdate", season, "plan.toml", "--format", "csv")
    with open_log(season) as engine:
        head = str(engine.log.head)
        engine.record(GamePlayed(pool="rapid", played="2024-02-01", a="ann", b="bo", score=0.0))
    (tmp_path / "again.toml").write_text(f'{PLAN}known_at = "{head}"\n', "utf-8")
    assert run("backdate", season, "again.toml", "--format", "csv").out == before.out
    assert run("backdate", season, "plan.toml", "--format", "csv").out != before.out


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (PLAN + "treshold = 3\n", "plan.toml, line 5: key must be one of old, new, start"),
        (PLAN + 'pool = "blitz"\n', "blitz"),
        (PLAN.replace("elo:k=40", "eloo"), "no method named eloo"),
        (PLAN.replace("elo:k=40", "elo:q=40"), "parameter q is unknown"),
        (PLAN.replace("elo:k=40", "berkin"), "plan.toml, line 3: start is not a day that berkin can start from"),
        (PLAN.replace("elo:k=40", "elo-margin"), "elo-margin needs the result field points_a"),
        (PLAN.replace("2024-03-05", "2031-01-01"), "plan.toml, line 3: start is after the last result, of 2024-05-12"),
        (PLAN.replace("2024-03-05", "2023-01-01"), "write 'beginning'"),
        (PLAN.replace('"today"', "2024-03-05"), "plan.toml, line 3: start must hold different times"),
        (PLAN + 'known_at = "soon"\n', "plan.toml, line 5: known_at must be a position"),
        (PLAN + 'players = ["nobody"]\n', "nobody"),
        (PLAN + "start =\n", "must be TOML"),
    ],
)
def test_what_cannot_be_planned_is_refused(run: Run, season: Path, tmp_path: Path, plan: str, said: str) -> None:
    (tmp_path / "plan.toml").write_text(plan, "utf-8")
    ran = run("backdate", season, "plan.toml")
    assert ran.code == (1 if "needs the" in said else 2), ran
    assert ran.err.startswith("error: ")
    assert said in ran.err
    assert ran.out == ""


def test_a_plan_or_a_log_that_is_not_there_is_told(run: Run, season: Path) -> None:
    assert "cannot be read (there is no such file): 'none.toml'" in run("backdate", season, "none.toml").err
    assert run("backdate", "none.db", "plan.toml").code == 2


def test_a_file_that_is_there_already_is_kept(run: Run, season: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    ran = run("backdate", season, "plan.toml", "--json", "mine")
    assert ran.code == 2
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_rule_for_games_is_refused_for_sessions(run: Run, season: Path, tmp_path: Path) -> None:
    path = tmp_path / "bridge.db"
    with open_log(path) as engine:
        for day in (1, 9):
            sides = [Side(["ann", "bo"], 60.0), Side(["cy", "di"], 40.0)]
            engine.record(SessionPlayed(pool="pairs", played=f"2024-03-0{day}", sides=sides))
    ran = run("backdate", path, "plan.toml")
    assert ran.code == 2
    assert "session" in ran.err
