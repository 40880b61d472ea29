"""`ratingcore compare`: the answer, the table, the files, and what is refused."""

import csv
import io
import json
from pathlib import Path

import pytest

from ratingcore import GamePlayed, SessionPlayed, Side
from ratingcore import open as open_log

from .conftest import Run


@pytest.fixture
def season(tmp_path: Path) -> Path:
    """A log of sixty games of four players; the stronger wins, but for every seventh game."""
    path = tmp_path / "season.db"
    names = ("ann", "bo", "cy", "Zoë")
    with open_log(path) as engine:
        for g in range(60):
            a, b = names[g % 4], names[(g + 1 + g % 3) % 4]
            score = float((a < b) != (g % 7 == 0))
            day = f"2024-{1 + g // 12:02d}-{1 + g % 12:02d}"
            engine.record(GamePlayed(uid=f"g-{g}", pool="rapid", played=day, a=a, b=b, score=score))
    return path


def test_the_answer_stands_above_the_table(run: Run, season: Path) -> None:
    ran = run("compare", season, "-m", "elo", "-m", "elo:k=40", "--format", "table")
    assert ran.code == 0, ran.err
    answer, blank, heading, first, second, *facts = ran.out.splitlines()
    assert answer.startswith("no difference can be told from 60 games: ")
    assert blank == ""
    assert heading.split()[:3] == ["method", "games", "log_loss"]
    assert f"{first.split()[0]} has the least log loss, 0." in answer
    assert "60" in second.split()
    assert any(fact.startswith("head: 60:") for fact in facts)


def test_csv_has_every_column_and_the_answer_is_talk(run: Run, season: Path) -> None:
    ran = run("compare", season, "-m", "elo", "-m", "elo:k=40", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [row["rank"] for row in rows] == ["1", "2"]
    assert float(rows[0]["log_loss"]) < float(rows[1]["log_loss"])
    assert "no difference can be told" in ran.err


def test_json_and_tables_go_to_files(run: Run, season: Path, tmp_path: Path) -> None:
    words = ("compare", season, "-m", "elo", "-m", "elo:k=40", "-c", "year", "--player", "Zoë")
    ran = run(*words, "--json", "all.json", "--csv", "tables")
    assert ran.code == 0, ran.err
    made = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert made["pool"] == "rapid"
    assert {row["by"] for row in made["tables"]["cohorts"]["rows"]} == {"year"}
    assert {row["player"] for row in made["tables"]["curves"]["rows"]} == {"Zoë"}
    assert {path.stem for path in (tmp_path / "tables").iterdir()} == set(made["tables"])
    assert "Zoë" in (tmp_path / "tables" / "ranks.csv").read_text("utf-8")


@pytest.mark.parametrize("option", ["--json", "--html"])
def test_a_file_that_is_there_already_is_kept(run: Run, season: Path, tmp_path: Path, option: str) -> None:
    (tmp_path / "mine").write_text("mine")
    ran = run("compare", season, "-m", "elo", option, "mine")
    assert ran.code == 2
    assert ran.err.startswith("error: there is something already: mine")
    assert ran.out == ""
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_folder_that_is_not_empty_is_kept(run: Run, season: Path, tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "scores.csv").write_text("mine")
    assert run("compare", season, "-m", "elo", "--csv", "tables").code == 2
    assert (tmp_path / "tables" / "scores.csv").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "missing option"),
        (("-m", "eloo"), "no method named eloo"),
        (("-m", "elo", "-m", "elo"), "a method is given twice: elo"),
        (("-m", "elo", "-m", "elo:k=20"), "two texts are the same method: elo and elo:k=20"),
        (("-m", "elo-margin"), "no method can forecast it"),
        (("-m", "elo", "-c", "shoe_size"), "shoe_size"),
        (("-m", "elo", "--since", "2031-01-01"), "every game lies before"),
        (("-m", "elo", "--since", "soon"), "--since"),
        (("-m", "elo", "--burn-in", "soon"), "burn-in"),
        (("-m", "elo", "--refit", "event"), "period"),
        (("-m", "elo", "--player", "nobody"), "nobody"),
        (("-m", "elo", "--reference", "periodic"), "none of the methods: elo"),
        (("-m", "elo", "--pool", "blitz"), "blitz"),
    ],
)
def test_what_cannot_be_compared_is_refused_as_a_mistake(
    run: Run, season: Path, words: tuple[str, ...], said: str
) -> None:
    ran = run("compare", season, *words)
    assert ran.code == 2, ran
    assert ran.err.startswith("error: ")
    assert said in ran.err
    assert ran.out == ""


def test_a_method_that_cannot_forecast_is_named_and_the_rest_is_compared(run: Run, season: Path) -> None:
    ran = run("compare", season, "-m", "elo", "-m", "elo-margin", "-m", "elo:k=40", "--format", "csv")
    assert ran.code == 0
    assert len(ran.out.splitlines()) == 3
    assert "left out: elo-margin: " in ran.err


@pytest.fixture
def evenings(tmp_path: Path) -> Path:
    """A log of forty sessions of four players, in which places go by the alphabet more often than not."""
    path = tmp_path / "evenings.db"
    names = ["ann", "bo", "cy", "di"]
    with open_log(path) as engine:
        for n in range(40):
            order = names if n % 3 else names[::-1]
            sides = [Side([name], float(-place)) for place, name in enumerate(order)]
            engine.record(SessionPlayed(uid=f"s-{n}", pool="riichi", played=f"2024-{1 + n // 4:02d}-03", sides=sides))
    return path


def test_sessions_have_a_table_of_their_own(run: Run, evenings: Path) -> None:
    ran = run("compare", evenings, "-m", "weng-lin", "-m", "codeforces", "-m", "elo", "--format", "table")
    assert ran.code == 0, ran.err
    answer, blank, heading, first, second, *facts = ran.out.splitlines()
    assert "40 sessions" in answer
    assert blank == ""
    assert heading.split() == [
        "method", "sessions", "sides", "log_loss", "95", "%", "better_by", "±", "95", "%", "brier", "rps", "winner",
        "unrated",
    ]  # fmt: skip
    assert {first.split()[0], second.split()[0]} == {"weng-lin", "codeforces"}
    assert first.split()[1:3] == ["40", "160"]
    assert any(fact.startswith("left out: elo:") for fact in facts)
    assert any(fact == "sessions scored: 40" for fact in facts)


def test_sessions_have_cohorts_and_calibration_of_their_own(run: Run, evenings: Path) -> None:
    ran = run("compare", evenings, "-m", "weng-lin", "-m", "codeforces", "--csv", "cells", "-c", "year", "-c", "gap")
    assert ran.code == 0, ran.err
    cohorts = Path("cells", "session_cohorts.csv").read_text().splitlines()
    assert cohorts[0].startswith("by,cohort,method,sessions,log_loss,brier,rps,winner,better_by,")
    assert {line.split(",")[0] for line in cohorts[1:]} == {"year", "gap"}
    bins = Path("cells", "session_reliability.csv").read_text().splitlines()
    assert bins[0] == "method,low,high,pairs,sessions,expected,scored,scored_low,scored_high"
    assert sum(int(line.split(",")[3]) for line in bins[1:] if line.startswith("weng-lin,")) == 40 * 4 * 3
    picture = run("plot", evenings, "calibration", "-m", "weng-lin").out
    assert "chance to come in ahead of another side" in picture


def test_rows_of_sessions_come_out_where_there_are_no_games(run: Run, evenings: Path) -> None:
    ran = run("compare", evenings, "-m", "weng-lin", "-m", "codeforces", "--format", "json")
    rows = json.loads(ran.out)
    assert [row["rank"] for row in rows] == [1, 2]
    assert rows[0]["log_loss"] < rows[1]["log_loss"]
    assert {"brier", "rps", "winner"} <= rows[0].keys()
    ran = run("compare", evenings, "-m", "weng-lin", "-m", "codeforces", "--csv", "tables", "--json", "all.json")
    assert ran.code == 0, ran.err
    assert (evenings.parent / "tables" / "sessions.csv").read_text("utf-8").startswith("rank,method,sessions,sides,")


def test_sessions_are_tuned_and_forecasts_have_the_share_left_behind(run: Run, evenings: Path) -> None:
    ran = run("tune", evenings, "-m", "weng-lin", "-g", "beta=2,4", "-o", "session_rps", "--format", "table")
    assert ran.code == 0, ran.err
    assert "28 sessions: session_rps 0." in ran.out
    rows = json.loads(run("forecasts", evenings, "-m", "weng-lin", "--format", "json").out)
    assert rows[0]["ahead"] == 0.5
    assert sum(row["ahead"] for row in rows[-4:]) == pytest.approx(2.0, abs=1e-3)
