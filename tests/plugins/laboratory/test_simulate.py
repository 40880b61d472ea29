"""`ratingcore simulate`: the answer, the tables, the files, and what is refused."""

import csv
import io
import json
from pathlib import Path

import pytest

import ratingcore as rc
from tests.cli.conftest import Run

WORLD = "thesis-1:players=40,joining_mean=3,joining_sd=1,leaving_mean=3,leaving_sd=1,rounds=6,games_mean=5"


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_answer_stands_over_a_table_of_rounds(run: Run) -> None:
    code, out, err = run("simulate", WORLD, "--format", "table")
    assert (code, err) == (0, "")
    assert "comes nearest to the truth" in out.splitlines()[0]
    assert [line.split()[:2] for line in out.splitlines()[3:12]] == [[n, who] for n in ("1", "5", "6") for who in "ABC"]
    assert "world: thesis-1:players=40,rounds=6,games_mean=5.0,joining_mean=3.0,joining_sd=1.0" in out


def test_other_formats_have_all_measures_and_the_answer_on_stderr(run: Run) -> None:
    code, out, err = run("simulate", WORLD, "--rounds", "--seeds", 2, "--format", "csv")
    assert code == 0
    assert "seeds" in err
    told = rows(out)
    assert len(told) == 18
    assert {"deviation_low", "spearman_high", "ppcc_true"} <= set(told[0])


def test_a_further_contender_changes_nothing_for_the_others(run: Run) -> None:
    alone = rows(run("simulate", WORLD, "--format", "csv").out)
    more = rows(run("simulate", WORLD, "-m", "elo:k=40", "-m", "elo:k=24,entry=trial(5)", "--format", "csv").out)
    assert [row for row in more if row["contender"] in "ABC"] == alone
    assert {row["contender"] for row in more} == {"A", "B", "C", "elo:k=40", "elo:k=24,entry=trial(5)"}


def test_players_are_told_one_by_one(run: Run) -> None:
    told = rows(run("simulate", WORLD, "--players", "--without", "B", "--format", "csv").out)
    assert {row["contender"] for row in told} == {"A", "C"}
    assert all(int(row["wins"]) + int(row["draws"]) + int(row["losses"]) == int(row["games"]) for row in told)


def test_further_methods_begin_where_they_are_told(run: Run) -> None:
    def first(*words: object) -> float:
        given = ("--without", "A", "--without", "B", "--without", "C", "--format", "csv")
        still = f"{WORLD.replace('games_mean=5', 'games_mean=0').replace('sd=1', 'sd=0')}"
        told = rows(run("simulate", still, *words, "--players", *given).out)
        return float(told[0]["estimated"])

    assert first("-m", "elo") == 1100.0
    assert first("-m", "elo", "--start", "own") == 1500.0
    assert first("-m", "elo", "--start", "900") == 900.0
    assert first("-m", "elo:initial=1300", "--start", "900") == 1300.0


def test_the_first_run_becomes_a_log_like_any_other(run: Run, tmp_path: Path) -> None:
    words = ("simulate", WORLD, "--without", "B", "--without", "C", "--players", "--format", "csv")
    code, out, err = run(*words, "--log", "world.db", "--seeds", 2)
    assert code == 0
    assert "world.db: " in err
    told = {f"player-{int(row['player']):02d}": float(row["estimated"]) for row in rows(out)}
    with rc.open(tmp_path / "world.db", read_only=True) as engine:
        for row in engine.rating_list("world", "elo:k=40,initial=1100,floor=0"):
            assert row["rating"] == round(told[row["player"]], 4)


def test_the_report_and_the_files_are_written_and_nothing_is_overwritten(run: Run, tmp_path: Path) -> None:
    files = ("--html", "lab.html", "--json", "all.json", "--csv", "tables")
    code, _, err = run("simulate", WORLD, "--seeds", 2, "--follow", "3,5", *files)
    assert code == 0
    assert [line.split(":")[0] for line in err.splitlines()[:3]] == ["lab.html", "all.json", "tables"]
    html = (tmp_path / "lab.html").read_text(encoding="utf-8")
    assert "--seeds 2 --seed 1 --follow 3,5 --html lab.html" in html
    told = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    assert {path.stem for path in (tmp_path / "tables").iterdir()} == set(told["tables"])
    assert {row["player"] for row in told["tables"]["curves"]["rows"]} == {3, 5}
    for word, name in zip(files[::2], files[1::2], strict=True):
        assert run("simulate", WORLD, word, name)[:2] == (2, "")


def test_the_command_in_the_report_makes_it_again(run: Run, tmp_path: Path) -> None:
    import shlex

    words = ("-m", "elo:k=24,entry=trial(15)", "--start", "1000", "--k", "20", "--without", "B", "--seed", "7")
    run("simulate", WORLD, *words, "--html", "first.html")
    first = (tmp_path / "first.html").read_text(encoding="utf-8")
    line = first[first.index("<pre>") + 5 : first.index("</pre>")].replace("&#x27;", "'")
    assert run(*shlex.split(line)[1:]).code == 0
    assert (tmp_path / "lab.html").read_text(encoding="utf-8") == first


def test_thresholds_are_compared_and_stand_in_the_files(run: Run, tmp_path: Path) -> None:
    code, out, err = run("simulate", WORLD, "--thresholds", "0.55,0.65", "--format", "csv", "--html", "lab.html")
    assert code == 0
    assert "the threshold 0." in err
    assert {row["threshold"] for row in rows(out)} == {"0.55", "0.65"}
    html = (tmp_path / "lab.html").read_text(encoding="utf-8")
    assert "--thresholds 0.55,0.65 --html lab.html" in html
    assert "C 65 %" in html
    table = run("simulate", WORLD, "--thresholds", "0.6", "--seeds", 2, "--format", "table").out
    assert table.splitlines()[2].split() == ["round", "threshold", "deviation", "over", "seeds", "published"]


def test_a_file_about_the_first_world_of_the_study_has_its_thresholds(run: Run, tmp_path: Path) -> None:
    first = "thesis-1:rounds=1"
    for number, (words, told) in enumerate([((), {0.55, 0.6, 0.65}), (("--thresholds", "none"), set())]):
        assert run("simulate", first, *words, "--json", f"{number}.json", "--format", "csv").code == 0
        made = json.loads((tmp_path / f"{number}.json").read_text(encoding="utf-8"))
        assert {row["threshold"] for row in made["tables"]["thresholds"]["rows"]} == told


def test_methods_that_read_points_and_newcomers_who_play_unrated_take_part(run: Run) -> None:
    texts = ("elo-margin", "elo-margin:margin=goals,entry=pooled(12,6)")
    code, out, _ = run("simulate", f"{WORLD},margin=3", "-m", texts[0], "-m", texts[1], "--format", "csv")
    assert code == 0
    told = [row for row in rows(out) if row["contender"] in texts]
    assert all(float(row["rated"]) > 0 for row in told)
    last = {row["contender"]: (float(row["rated"]), float(row["active"])) for row in told}
    assert last[texts[0]][0] == last[texts[0]][1]
    assert last[texts[1]][0] < last[texts[1]][1]


def test_sides_of_several_players_meet_without_the_combinations(run: Run) -> None:
    code, out, _ = run("simulate", f"{WORLD},seats=2", "-m", "bridge-bayes", "--format", "csv")
    assert code == 0
    assert {row["contender"] for row in rows(out)} == {"bridge-bayes"}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("thesis-4",), "thesis-4"),
        (("thesis-1:players=x",), "players"),
        (("thesis-1:people=3",), "people"),
        ((WORLD, "-m", "eloo"), "no method named eloo"),
        ((WORLD, "-m", "elo", "-m", "elo"), "must have different names"),
        ((WORLD, "-m", "bridge-bayes:k=0"), "bridge-bayes"),
        ((WORLD, "-m", "elo:entry=refuse"), "entry"),
        ((WORLD, "--k", "many"), "k"),
        ((f"{WORLD},k=15",), "is a parameter of methods, not of the world"),
        ((WORLD, "--thresholds", "high"), "must be shares"),
        ((WORLD, "--thresholds", "0.6,0.6"), "must be one or more different numbers"),
        ((WORLD, "--thresholds", "0.6", "--players"), "two different tables"),
        (
            (f"{WORLD},seats=2", "-m", "bridge-bayes", "--thresholds", "0.6"),
            "cannot take part where sides have several players",
        ),
        ((WORLD, "--start", "high"), "neither a rating nor own"),
        ((WORLD, "--start", "nan", "-m", "elo"), "must be a finite number"),
        ((WORLD, "--rounds", "--players"), "two different tables"),
        ((WORLD, "--jobs", "0"), "--jobs"),
        ((WORLD, "--follow", "99999"), "not a player of this world"),
        ((WORLD, "--follow", "3,x"), "--follow must be numbers of players: 'x'"),
        ((WORLD, "--extremes", "--players"), "two different tables"),
        ((WORLD, "--without", "A", "--without", "B", "--without", "C"), "no method takes part"),
        ((f"{WORLD},seats=2",), "no method takes part"),
        ((f"{WORLD},margin=0", "-m", "elo-margin"), "points_a"),
    ],
)
def test_mistakes_are_told(run: Run, asked: tuple[str, ...], told: str) -> None:
    code, out, err = run("simulate", *asked)
    assert (code == 2 or "points_a" in told, out) == (True, ""), err
    assert told in err
    assert "this is a bug in ratingcore" not in err
