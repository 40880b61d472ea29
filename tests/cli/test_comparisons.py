"""The right method, found on the command line: compare, tune and fit."""

import csv
import io
import json
from pathlib import Path
from random import Random

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
    sentence, answer, blank, heading, first, second, *facts = ran.out.splitlines()
    assert sentence == f"{first.split()[0]} and {second.split()[0]}: nothing to choose between them"
    assert answer.startswith("no difference can be seen in 60 games: ")
    assert blank == ""
    assert heading.split()[:3] == ["method", "games", "log_loss"]
    assert f"{first.split()[0]} has the least log loss, 0." in answer
    assert "60" in second.split()
    assert any(fact.startswith("head: 60:") for fact in facts)


TERMINAL = "click.testing._NamedTextIOWrapper.isatty"


def test_progress_is_shown_on_a_terminal_alone(run: Run, season: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparisons and sweeps of large archives were silent for minutes."""
    asked = {
        "\rforecasts: 2 of 2 methods": ("compare", season, "-m", "elo", "-m", "elo:k=40"),
        "\rscored: 4 settings": ("tune", season, "-m", "glicko2", "-g", "tau=0.3,0.5,0.7,0.9"),
    }
    for shown, words in asked.items():
        quiet = run(*words, "-f", "csv")
        assert "\r" not in quiet.err
        with monkeypatch.context() as on_terminal:
            on_terminal.setattr(TERMINAL, lambda self: True, raising=False)
            loud = run(*words, "-f", "csv")
        assert (loud.code, "\r" in loud.out) == (0, False)
        assert shown in loud.err


def test_csv_has_every_column_and_the_answer_is_talk(run: Run, season: Path) -> None:
    ran = run("compare", season, "-m", "elo", "-m", "elo:k=40", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [row["rank"] for row in rows] == ["1", "2"]
    assert float(rows[0]["log_loss"]) < float(rows[1]["log_loss"])
    assert "no difference can be seen in" in ran.err


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
    assert ran.err.startswith("error: this path exists already: mine")
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
        (("-m", "elo", "--since", "2031-01-01"), "every game was played before"),
        (("-m", "elo", "--since", "soon"), "--since"),
        (("-m", "elo", "--burn-in", "soon"), "burn-in"),
        (("-m", "elo", "--player", "nobody"), "nobody"),
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
    _, answer, blank, heading, first, second, *facts = ran.out.splitlines()
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


def test_rows_of_sessions_come_out_where_there_are_no_games(run: Run, evenings: Path) -> None:
    ran = run("compare", evenings, "-m", "weng-lin", "-m", "codeforces", "--format", "json")
    rows = json.loads(ran.out)
    assert [row["rank"] for row in rows] == [1, 2]
    assert rows[0]["log_loss"] < rows[1]["log_loss"]
    assert {"brier", "rps", "winner"} <= rows[0].keys()
    ran = run("compare", evenings, "-m", "weng-lin", "-m", "codeforces", "--csv", "tables", "--json", "all.json")
    assert ran.code == 0, ran.err
    assert (evenings.parent / "tables" / "sessions.csv").read_text("utf-8").startswith("rank,method,sessions,sides,")


@pytest.fixture
def season_of_tune(run: Run, tmp_path: Path) -> Path:
    """A log in which ann always beats bo, and cy loses every second game."""
    path = tmp_path / "season.db"
    with open_log(path) as engine:
        for day in range(1, 29):
            at = f"2024-02-{day:02d}"
            engine.record(GamePlayed(pool="rapid", played=at, a="ann", b="bo", score=1.0))
            engine.record(GamePlayed(pool="rapid", played=at, a="bo", b="cy", score=float(day % 2)))
    return path


def test_a_table_begins_with_what_was_found(run: Run, season_of_tune: Path) -> None:
    ran = run("tune", "season.db", "--grid", "k=8:64:8", "--format", "table")
    first, train, test, *_ = ran.out.splitlines()
    assert ran.code == 0
    assert first.startswith("best of 8 settings of elo in pool rapid: k=")
    assert train.startswith("train 2024-02-01 to 2024-02-21, 42 games: log_loss 0.")
    assert test.startswith("test  2024-02-22 to 2024-02-28, 14 games: log_loss 0.")
    assert ran.out.count("elo:k=") >= 8


def test_rows_alone_go_to_stdout_in_other_formats(run: Run, season_of_tune: Path) -> None:
    ran = run("tune", "season.db", "-m", "elo", "-g", "k=10,20", "-g", "scale=200,400", "--format", "json")
    rows = json.loads(ran.out)
    assert [(row["k"], row["scale"]) for row in rows] == [(10, 200), (10, 400), (20, 200), (20, 400)]
    assert ran.err.startswith("best of 4 settings")
    assert run("tune", "season.db", "-g", "k=10,20", "-f", "csv").out.splitlines()[0] == (
        "k,train_log_loss,test_log_loss,train_games,test_games,method"
    )


def test_spans_are_days_with_both_ends_included(run: Run, season_of_tune: Path) -> None:
    ran = run(
        "tune", "season.db", "-g", "k=10,20", "--train", ":2024-02-10", "--test", "2024-02-11:2024-02-12", "-f", "json"
    )
    row = json.loads(ran.out)[0]
    assert (row["train_games"], row["test_games"]) == (20, 4)


def test_random_optimise_and_jobs_are_asked_for(run: Run, season_of_tune: Path) -> None:
    for how in ("random", "optimise"):
        ran = run("tune", "season.db", "-g", "k=8:64", "--how", how, "-n", "7", "--seed", "3", "-f", "jsonl")
        assert ran.code == 0
        assert 1 < len(ran.out.splitlines()) <= 7
    ran = run("tune", "season.db", "-m", "elo:cap=300", "-g", "k=10,20", "--jobs", "1", "-f", "json")
    assert len(json.loads(ran.out)) == 2


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (("-g", "k"), "--grid must be PARAMETER=VALUES: 'k'", "write k=8:64:4 or home=0,50,100"),
        (("-g", "k=1,2", "-g", "k=3"), "--grid names a parameter twice: k", "write k=VALUE,VALUE,..."),
        (("-g", "k=1,2", "--train", "2024"), "--train must be a span of days: '2024'", "write FIRST:LAST"),
        (("-g", "k=1,2", "--test", "soon:"), "--test", "write days like 2024-03-31"),
        (("-g", "k=1,2", "--jobs", "0"), "--jobs must not be 0", ""),
    ],
)
def test_mistakes_are_told_and_end_with_two(
    run: Run, season_of_tune: Path, words: tuple[str, ...], error: str, hint: str
) -> None:
    ran = run("tune", "season.db", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {error}")
    assert hint in ran.err


def test_a_grid_is_required(run: Run, season_of_tune: Path) -> None:
    assert run("tune", "season.db").code == 2


@pytest.fixture
def season_of_fit(run: Run, tmp_path: Path) -> Path:
    """A log of 200 tables of eight players, of known strength, in percent."""
    path, rng = tmp_path / "season.db", Random(5)
    strength = {name: 1500.0 + 250.0 * number for number, name in enumerate("abcdefgh", -4)}
    events = []
    for number in range(200):
        seats = rng.sample("abcdefgh", 4)
        gap = strength[seats[0]] + strength[seats[1]] - strength[seats[2]] - strength[seats[3]]
        score = 50.0 + 4.0 / 1500.0 * gap + rng.gauss(0.0, 3.0)
        pairs = [Side(seats[:2], score), Side(seats[2:], 100.0 - score)]
        events.append(
            SessionPlayed(pool="club", played=f"2024-{number // 28 + 1:02d}-{number % 28 + 1:02d}", sides=pairs)
        )
    with open_log(path) as engine:
        engine.record(*events)
    return path


def test_a_table_ends_with_the_method_to_use(run: Run, season_of_fit: Path) -> None:
    ran = run("fit", "season.db", "--pool", "club", "--format", "table")
    header, sigma1, deviation, blank, summary, method = ran.out.splitlines()
    assert (ran.code, ran.err, blank) == (0, "", "")
    assert header.split() == ["parameter", "value", "error", "low", "high"]
    name, value, error, low, high = sigma1.split()
    assert name == "sigma1"
    assert float(low) < 3.0 < float(high)
    assert float(error) == pytest.approx(float(value) / 400.0**0.5, rel=0.1)
    assert deviation.startswith("deviation")
    assert summary.startswith("200 results of pool club, log-likelihood -")
    text = method.removeprefix("method ")
    assert text.startswith(f"bridge-bayes:sigma1={value[:4]}")
    listed = run("list", "season.db", "--method", text, "--format", "csv")
    assert listed.code == 0
    assert listed.out.splitlines()[1].startswith("1,h,")


def test_rows_alone_go_to_stdout_in_other_formats_of_fit(run: Run, season_of_fit: Path) -> None:
    ran = run("fit", "season.db", "-m", "bridge-bayes:tracking=full,deviation=150", "--what", "k, sigma1", "-f", "json")
    rows = json.loads(ran.out)
    assert [row["parameter"] for row in rows] == ["k", "sigma1"]
    assert "\nmethod bridge-bayes:tracking=full,deviation=150,k=0.0" in ran.err


def test_a_cut_is_kept_to(run: Run, season_of_fit: Path) -> None:
    ran = run("fit", "season.db", "-t", "2024-01-28", "-w", "sigma1")
    assert ran.err.startswith("28 results of pool club")
    assert run("fit", "season.db", "-k", "56", "-w", "sigma1").err.startswith("56 results of pool club")
    entering = run("fit", "season.db", "-m", "bridge-bayes:entry=at_start", "-w", "sigma1", "-f", "csv")
    assert entering.code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("-m", "dwz"), "dwz cannot estimate its parameters from results\n\nhint: these can: bridge-bayes, elo; "),
        (("-w", "tau"), "error: bridge-bayes: parameter tau cannot be fitted: sigma1, deviation, k, drift_var can"),
        (("-t", "2023-12-31"), "error: nothing in pool club can be scored: no result was played by then"),
    ],
)  # fmt: skip
def test_mistakes_are_told(run: Run, season_of_fit: Path, words: tuple[str, ...], told: str) -> None:
    ran = run("fit", "season.db", *words)
    assert ran.code == 2
    assert told in ran.err
    assert ran.out == ""
