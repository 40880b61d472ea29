"""`ratingcore predict`: what to expect of games to come, by command line."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from ratingcore import SessionPlayed, Side
from ratingcore import open as open_log

from .conftest import Run


def rows(run: Run, *words: object) -> list[dict[str, Any]]:
    ran = run("predict", "club.db", *words, "--format", "json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)  # type: ignore[no-any-return]  # rows as they were written


def test_a_row_a_player_says_what_to_expect_and_what_follows(run: Run, club: Path) -> None:
    ann, bo = rows(run, "ann", "bo", "--method", "elo:k=24")
    assert list(ann) == [
        "side", "player", "rating", "expected", "win", "draw", "loss", "rating_win", "rating_draw", "rating_loss",
    ]  # fmt: skip
    assert ann["expected"] + bo["expected"] == pytest.approx(1.0)
    assert ann["rating_win"] - ann["rating"] == pytest.approx(24 * (1 - ann["expected"]))
    assert bo["rating_win"] - bo["rating"] == pytest.approx(24 * (1 - bo["expected"]))
    assert bo["rating_loss"] - bo["rating"] == pytest.approx(-24 * bo["expected"])
    assert run("log", "club.db").out.count("\n") == 6, "nothing is recorded"


def test_a_result_that_is_recorded_later_gives_the_rating_that_was_told(run: Run, club: Path) -> None:
    """A story: the secretary asks before the game, the game is played, and the list says what was told."""
    method = "glicko2:preset=lichess"
    ann, bo = rows(run, "ann", "bo", "--method", method, "--at", "2024-05-01")
    assert ann["win"] is None
    assert "no chance of a draw" in run("predict", "club.db", "ann", "bo", "--method", method).err
    dry = run("record", "club.db", "ann", "bo", "--played", "2024-05-01", "--dry-run", "--method", method, "-f", "json")
    assert json.loads(dry.out) == [ann, bo]
    assert dry.err.endswith("nothing was recorded\n")
    assert run("record", "club.db", "ann", "bo", "1-0", "--played", "2024-05-01").code == 0
    listed = json.loads(
        run("list", "club.db", "--method", method, "--through", "2024-05-01T00:00", "--exact", "-f", "json").out
    )
    now = {row["player"]: row for row in listed}
    assert now["ann"]["rating_exact"] == pytest.approx(ann["rating_win"], abs=1e-9)
    assert now["bo"]["rating_exact"] == pytest.approx(bo["rating_loss"], abs=1e-9)
    assert now["ann"]["deviation_exact"] == pytest.approx(ann["deviation_win"], abs=1e-9)


def test_a_score_is_still_asked_for_where_something_is_recorded(run: Run, club: Path) -> None:
    code, out, err = run("record", "club.db", "ann", "bo", "--played", "2024-05-01")
    assert (code, out) == (2, "")
    assert err.startswith("error: no SCORE is given\n\nhint: write 1-0")


def test_home_and_chances_of_a_draw(run: Run, club: Path) -> None:
    home, away = (rows(run, "ann", "bo", "-m", "elo:curve=normal,draw_band=20,first_move=50", "--home", side)[0]
                  for side in ("a", "b"))  # fmt: skip
    assert home["win"] > away["win"]
    assert home["win"] + home["draw"] + home["loss"] == pytest.approx(1.0)


def test_sides_of_several_players(run: Run, tmp_path: Path) -> None:
    with open_log(tmp_path / "club.db") as engine:
        for day in range(1, 6):
            pairs = [Side(["ann", "a+b"], 1.0), Side(["cy", "di"], 0.0)]
            engine.record(SessionPlayed(pool="club", played=f"2024-03-0{day}", sides=pairs))
    found = rows(run, "ann+cy", "a+b", "di", "--method", "weng-lin")
    assert [(row["side"], row["player"]) for row in found] == [(1, "ann"), (1, "cy"), (2, "a+b"), (3, "di")]
    assert "rating_places_2-1-3" in found[0]
    pairs = rows(run, "ann+di", "cy", "--method", "weng-lin")
    assert pairs[0]["rating_win"] > pairs[0]["rating"] > pairs[0]["rating_loss"]
    code, _, err = run("predict", "club.db", "ann+di", "cy", "--method", "elo")
    assert code != 0
    assert "elo cannot say what to expect of a meeting: it rates games of two players" in err


def test_a_table_of_fixtures_is_a_row_a_game(run: Run, club: Path) -> None:
    Path("fixtures.csv").write_text("a,b,played,home\nann,bo,2024-06-01,a\nbo,cy,2024-06-02,\nann,bo,2024-06-01,b\n")
    ran = run("predict", "club.db", "--file", "fixtures.csv", "--method", "elo:first_move=50", "--format", "csv")
    assert ran.code == 0, ran.err
    told = list(csv.DictReader(ran.out.splitlines()))
    assert list(told[0]) == ["a", "b", "played", "expected", "win", "draw", "loss", "rating_a", "rating_b"]
    assert [(row["a"], row["played"]) for row in told] == [
        ("ann", "2024-06-01"), ("bo", "2024-06-02"), ("ann", "2024-06-01"),
    ]  # fmt: skip
    assert float(told[0]["expected"]) > float(told[2]["expected"])
    (alone, _) = rows(run, "ann", "bo", "-m", "elo:first_move=50", "--home", "a", "--at", "2024-06-01")
    assert float(told[0]["expected"]) == alone["expected"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "expected two or more SIDEs, or --file FILE"),
        (("ann",), "only one SIDE is given"),
        (("ann", "bo", "--file", "x.csv"), "expected two or more SIDEs, or --file FILE"),
        (("ann", "bo+"), "a player is missing before or after the +: bo+"),
        (("ann", "bo", "--result", "1-0-0"), "--result needs one score for each of 2 sides: 1-0-0\n\nhint: write"),
        (("ann", "bo", "--at", "2024-13-01"), "--at must be an ISO date or time"),
        (("--file", "none.csv"), ""),
    ],
)
def test_mistakes_are_named(run: Run, club: Path, words: tuple[str, ...], told: str) -> None:
    code, out, err = run("predict", "club.db", *words)
    assert (code != 0, out) == (True, "")
    assert err.startswith(f"error: {told}")


def test_unknown_players_are_named_with_those_that_are_near(run: Run, club: Path) -> None:
    code, _, err = run("predict", "club.db", "ann", "boo")
    assert code != 0
    assert err.startswith("error: the log has no player named: boo\n\nhint: did you mean bo")
    assert err.endswith("? --newcomers allows players who have not played yet\n")
    assert "\nhint: --newcomers allows players who have not played yet" in run("predict", "club.db", "ann", "zoe").err
    assert rows(run, "ann", "zoe", "--newcomers")[1]["rating"] == 1500.0


def test_every_row_has_every_column_where_the_points_say_how_it_ends(run: Run, club: Path) -> None:
    words = ("ann", "bo", "-m", "elo-margin:margin=none", "--set", "points_a=2", "--set", "points_b=1")
    ran = run("predict", "club.db", *words, "--format", "csv")
    assert ran.code == 0, ran.err
    ann, bo = csv.DictReader(ran.out.splitlines())
    assert list(ann) == ["side", "player", "rating", "expected", "win", "draw", "loss", "rating_win", "rating_loss"]
    assert (ann["rating_loss"], bo["rating_win"]) == ("", "")
    assert float(ann["rating_win"]) > float(ann["rating"])
    assert float(bo["rating_loss"]) < float(bo["rating"])
    assert rows(run, *words)[0].keys() == ann.keys()
    dry = ("record", "club.db", "ann", "bo", "--played", "2024-05-01", "--dry-run", *words[2:], "-f", "table")
    assert "rating_loss" in run(*dry).out


def test_a_score_that_is_no_share_of_the_point_is_named(run: Run, club: Path) -> None:
    code, _, err = run("predict", "club.db", "ann", "bo", "-m", "elo-margin", "--result", "2-1")
    assert code != 0
    assert "by shares of one point, not by 2-1" in err
    assert "--set points_a=2 --set points_b=1" in err
    shares = rows(run, "ann", "bo", "--result", "1-0")
    assert shares[0]["rating_scores_1-0"] == rows(run, "ann", "bo")[0]["rating_win"]


def test_columns_of_fixtures_may_be_called_otherwise(run: Run, club: Path) -> None:
    Path("fx.csv").write_text("home_team,away_team,played\nann,bo,2024-06-01\n")
    code, _, err = run("predict", "club.db", "--file", "fx.csv")
    assert code != 0
    assert "--map a=home_team,b=away_team" in err
    assert "--skip" not in err
    ran = run("predict", "club.db", "--file", "fx.csv", "--map", "a=home_team, b=away_team", "--format", "json")
    assert ran.code == 0, ran.err
    (row,) = json.loads(ran.out)
    assert (row["a"], row["b"], row["played"]) == ("ann", "bo", "2024-06-01")
    assert run("predict", "club.db", "ann", "bo", "--map", "a=x").err.startswith("error: --map is only for files")
    refused = run("predict", "club.db", "ann", "bo", "--encoding", "cp1252")
    assert refused.err.startswith("error: --encoding is only for files")


def test_the_mapping_of_an_import_reads_the_fixtures(run: Run, club: Path) -> None:
    """The mapping with which results were imported could not be used for games to come."""
    Path("map.toml").write_text(
        'date = "%d.%m.%Y"\ndelimiter = ";"\n[fields]\na = "Home"\nb = "Guest"\nscore = "Result"\nplayed = "Date"\n'
        'home = {column = "Neutral", words = {TRUE = "", FALSE = "a"}}\n'
    )
    Path("fx.csv").write_text("Home;Guest;Date;Neutral\nann;bo;01.06.2024;FALSE\nann;bo;02.06.2024;TRUE\n")
    words = ("--file", "fx.csv", "--mapping", "map.toml", "--method", "elo:first_move=50")
    ran = run("predict", "club.db", *words, "--format", "json")
    assert ran.code == 0, ran.err
    own, neutral = json.loads(ran.out)
    assert (own["a"], own["played"], neutral["played"]) == ("ann", "2024-06-01", "2024-06-02")
    assert own["expected"] > neutral["expected"]
    Path("fx.csv").write_text("Home;Guest;Date;Neutral\nann;bo;2024-06-01;FALSE\n")
    assert "line 2: played is not of the form %d.%m.%Y: 2024-06-01" in run("predict", "club.db", *words).err


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("anne,bo,2024-06-01,", "line 4: the log has no player named: anne"),
        ("ann,bo,soon,", "line 4: "),
        ("ann+,bo,2024-06-01,", "line 4: a player is missing before or after the +: ann+"),
        ("ann,bo,2024-06-01,left", "line 4: "),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(run: Run, club: Path, row: str, told: str) -> None:
    """Of a hundred fixtures the error named the player, and not the line."""
    good = ["ann,bo,2024-06-01,a", "bo,ann,2024-06-01,"]
    Path("fx.csv").write_text("\n".join(["a,b,played,home", *good, row, *good, ""]))
    code, out, err = run("predict", "club.db", "--file", "fx.csv", "--method", "elo:first_move=50")
    assert (code, out) == (2, "")
    assert err.startswith(f"error: cannot read fx.csv: {told}")
    Path("fx.csv").write_text("\n".join(["a,b,played,home", *good, *good, ""]))
    assert len(run("predict", "club.db", "--file", "fx.csv", "-f", "csv").out.splitlines()) == 5
