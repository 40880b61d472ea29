"""`ratingcore record`: one game from the command line."""

from pathlib import Path

import pytest

from ratingcore import GamePlayed
from ratingcore import open as open_log

from .conftest import Run

GAME = ("record", "club.db", "--pool", "rapid", "--played", "2024-03-02")


def test_the_first_game_makes_the_log_and_prints_its_uid(run: Run) -> None:
    code, out, err = run(*GAME, "ann", "bo", "1-0", "--home", "a", "--set", "points_a=3", "--set", "event=Open 2024")
    assert code == 0
    assert err == "recorded at position 1; new here: pool rapid, player ann, player bo\n"
    with open_log("club.db") as engine:
        ((_, game),) = engine.events()
    assert game.uid == out.strip()
    assert dict(game.data) == {"home": "a", "points_a": 3, "event": "Open 2024"}  # type: ignore[attr-defined]  # a game


def test_a_uid_with_the_name_of_a_player_is_noted(run: Run) -> None:
    ran = run(*GAME, "ann", "bo", "1-0", "--uid", "Ann-7")
    assert "the uid Ann-7 contains the name of a player, and a uid can never be erased\n" in ran.err
    assert "contains the name" not in run(*GAME, "ann", "bo", "1-0", "--uid", "annual-7").err


def test_a_result_that_the_declared_method_leaves_out_is_noted(run: Run) -> None:
    """Nothing was said, and the game was in no list."""
    left = "note: elo-margin, the method of pool rapid, leaves out of its lists: 1 result (no points)\n"
    assert left not in run(*GAME, "ann", "bo", "1-0").err
    run("declare", "club.db", "--pool", "rapid", "--method", "elo-margin")
    ran = run(*GAME, "ann", "cy", "1-0", "--uid", "g-2")
    assert (ran.code, left in ran.err) == (0, True)
    assert "leaves out" not in run(*GAME, "ann", "cy", "1-0", "--uid", "g-2").err
    assert "leaves out" not in run(*GAME, "ann", "cy", "1-0", "--set", "points_a=3", "--set", "points_b=1").err
    assert "leaves out" not in run(*GAME[:2], "--pool", "blitz", *GAME[4:], "ann", "cy", "1-0").err
    Path("games.csv").write_text(
        "a,b,score,played,points_a,points_b\nann,bo,1,2024-05-02,2,1\n" + 2 * "ann,bo,1,2024-05-03,,\n"
    )
    came = run("import", "club.db", "games.csv", "--pool", "rapid")
    told = "warning: elo-margin, the method of pool rapid, leaves out of its lists: 2 results (no points)\n"
    assert (came.code, told in came.out) == (0, True)
    assert "leaves out" not in run("import", "club.db", "games.csv", "--pool", "rapid").out


def test_what_the_declared_method_leaves_out_of_a_folder_is_noted_once(run: Run) -> None:
    """Each file looked at the whole pool: a folder of a hundred files cost five times as much."""
    Path("rounds").mkdir()
    for day in (2, 3, 4):
        Path(f"rounds/{day}.csv").write_text(f"a,b,score,played\nann,bo,1,2024-05-0{day}\n")
    run("declare", "club.db", "--pool", "rapid", "--method", "elo-margin")
    out = run("import", "club.db", "rounds", "--pool", "rapid").out
    assert out.count("leaves out of its lists") == 1
    assert "leaves out of its lists: 3 results (no points)\n" in out


def test_the_same_uid_twice_is_one_game(run: Run) -> None:
    first = run(*GAME, "ann", "bo", "1-0", "--uid", "g-1")
    again = run(*GAME, "ann", "bo", "1-0", "--uid", "g-1")
    assert first.out == again.out == "g-1\n"
    assert again.err == "in the log already\n"
    code, _, err = run(*GAME, "ann", "bo", "0-1", "--uid", "g-1")
    assert code == 1
    assert err.startswith("error: uid g-1 is already at position 1 with another score\n\nhint: ")


@pytest.mark.parametrize(("text", "score"), [("1-0", 1.0), ("½-½", 0.5), ("0:1", 0.0), ("0.75", 0.75), ("loss", 0.0)])
def test_scores_are_read_as_in_imports(run: Run, text: str, score: float) -> None:
    assert run(*GAME, "ann", "bo", text).code == 0
    with open_log("club.db") as engine:
        ((row, _),) = engine.events()
    assert row.score == score


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("ann", "bo", "1.5"), "score must be a score word or a number from 0 to 1: '1.5'"),
        (("ann", "bo", "nan"), "score must be a score word or a number from 0 to 1: 'nan'"),
        (("ann", "bo", "+"), "nothing to rate, forfeit: +"),
        (("ann", "ann", "1-0"), "a player cannot meet themselves: ann"),
        (("", "bo", "1-0"), "a must be a name: ''"),
        (("ann", "bo", "1-0", "--set", "home=c"), "home must be a, b or neutral: 'c'"),
        (("ann", "bo", "1-0", "--set", "points_a=three"), "points_a must be a finite number: 'three'"),
        (("ann", "bo", "1-0", "--set", "weight=nan"), "weight must be a finite number: 'nan'"),
        (("ann", "bo", "1-0", "--set", "home"), "expected FIELD=VALUE, found: home"),
        (("ann", "bo", "1-0", "--set", "score=0"), "data repeats a field of the event: 'score'"),
        (("ann", "bo", "1-0", "--played", "2024-13-01"), "--played must be an ISO date or time between"),
        (("ann", "bo", "1-0", "--played", "0000-01-01"), "--played must be an ISO date or time between"),
        (("ann", "bo", "1-0", "--played", "20240331"), "--played must be a day such as 2024-03-31, not digits alone"),
        (("ann", "bo", "1-0", "--order", "x"), "invalid value for '--order'"),
    ],
)
def test_what_cannot_be_is_refused_and_no_log_is_made(run: Run, words: tuple[str, ...], told: str) -> None:
    code, out, err = run(*GAME, *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {told}")
    assert not Path("club.db").exists()


def test_a_new_log_needs_a_pool(run: Run) -> None:
    code, _, err = run("record", "club.db", "--played", "2024-03-02", "ann", "bo", "1-0")
    assert code == 2
    assert err.startswith("error: no pool is named, and the log has none yet\n\nhint: ")
    run(*GAME, "ann", "bo", "1-0")
    assert run("record", "club.db", "--played", "2024-03-03", "ann", "bo", "1-0").code == 0


@pytest.mark.parametrize("day", ["0024-03-02", "1399-12-31", "2200-01-01", "9999-12-31T12:00"])
def test_a_day_far_off_is_a_slip_of_the_pen(run: Run, day: str) -> None:
    code, out, err = run("record", "club.db", "ann", "bo", "1-0", "--pool", "rapid", "--played", day)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: --played lies outside the years 1400 to 2199: '{day}'\n")
    assert not Path("club.db").exists()


def test_a_game_between_two_names_of_one_player_is_warned_of(run: Run, club: Path) -> None:
    run("merge", "club.db", "bo", "bo (guest)")
    told = run("record", "club.db", "--played", "2024-05-01", "bo", "bo (guest)", "1-0").err
    assert told.startswith(
        "warning: 1 result is between two names that are merged into one player, and counts in no list"
    )
    assert "left out 1 (game between two names of one player" in run("list", "club.db").err


def test_a_new_player_is_told_with_those_whose_names_are_near(run: Run, club: Path) -> None:
    asked = ("record", "club.db", "annn", "bo", "1-0", "--played", "2024-05-01")
    assert "new here: player annn (did you mean ann?)" in run(*asked, "--dry-run").err
    assert "(did you mean ann?)" in run(*asked).err
    assert (
        "new here: player zoe\n"
        in run("record", "club.db", "zoe", "bo", "1-0", "--played", "2024-05-02", "--dry-run").err
    )


def test_points_that_name_another_winner_are_warned_of(run: Run, club: Path) -> None:
    words = ("record", "club.db", "--pool", "rapid", "--played", "2024-05-02", "ann", "bo", "1-0")
    told = "points 1-3, score 1; the score counts: amend the points, or the score if that is wrong"
    for dry in ((), ("--dry-run",)):
        assert told in run(*words, "--set", "points_a=1", "--set", "points_b=3", *dry).err
        assert "warning" not in run(*words, "--set", "points_a=3", "--set", "points_b=1", *dry).err


def test_a_negative_number_is_an_argument(run: Run, club: Path) -> None:
    """A fixed bug: a score of -1 was "no such option '-1'", and nobody could be called -7 without a -- before."""
    ran = run("record", "club.db", "ann", "bo", "-1", "--pool", "rapid", "--played", "2024-05-01")
    assert (ran.code, ran.out) == (2, "")
    assert "score" in ran.err
    assert "option" not in ran.err
    ran = run("record", "club.db", "-7", "bo", "1", "--pool", "rapid", "--played", "2024-05-01", "--order", "-2")
    assert ran.code == 0, ran.err
    with open_log(club) as engine:
        (game,) = [event for _, event in engine.events() if event.uid == ran.out.strip()]
    assert isinstance(game, GamePlayed)
    assert (game.a, game.order) == ("-7", -2)


def test_a_name_that_is_nearly_another_is_pointed_out(run: Run) -> None:
    """It was "new", and that was all."""
    said = "warning: new name Magnus Carlson is spelt nearly like Magnus Carlsen\n"
    assert "warning" not in run(*GAME, "Magnus Carlsen", "Bo Lund", "1-0").err
    assert said in run(*GAME, "Magnus Carlson", "Bo Lund", "1-0", "--uid", "g-2").err
    assert said not in run(*GAME, "Magnus Carlson", "Bo Lund", "1-0", "--uid", "g-2").err
    assert "nearly" not in run(*GAME, "Magnus Carlson", "Cy Hart", "1-0").err
