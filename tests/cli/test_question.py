"""The log, the pool and the cuts that a command line names."""

import csv
import io
import json
import os
import sqlite3
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from ratingcore import GamePlayed
from ratingcore import open as open_log
from ratingcore.cli.main import cli
from ratingcore.log.sqlite import connection

from .conftest import APART, Run, publish_as_older_versions


def test_files_that_are_no_log_are_named(run: Run, tmp_path: Path) -> None:
    Path("notes.txt").write_text("not a database, but long enough to be looked at" * 100)
    with sqlite3.connect("other.db") as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    for path, found in (
        ("notes.txt", "not a SQLite file"),
        ("other.db", "a SQLite file of another program"),
        (".", "a folder"),
    ):
        before = sorted(tmp_path.iterdir())
        for command in (("list",), ("record", "--pool", "p", "--played", "2024-01-01", "ann", "bo", "1-0")):
            code, out, err = run(command[0], path, *command[1:])
            assert (code, out) == (2, "")
            advice = "give the file of a log; to take results from this one, import it" if path == "other.db" else ""
            hint = f"\nhint: {advice}\n" if advice else ""
            assert err == f"error: not a ratingcore log: {path} is {found}\n{hint}"
        assert sorted(tmp_path.iterdir()) == before


def test_a_newer_log_says_what_to_install(run: Run, club: Path) -> None:
    with sqlite3.connect(club) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    for command in ("list", "verify"):
        code, out, err = run(command, "club.db")
        assert (code, out) == (1, "")
        assert err.startswith("error: club.db has log schema 99, this ratingcore reads up to ")
        assert "hint: install a newer ratingcore" in err


def test_a_locked_log_says_who_is_in_the_way(run: Run, club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.05)
    other = sqlite3.connect(club, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    code, out, err = run("void", "club.db", "g-1")
    assert (code, out) == (1, "")
    why = "another process has been writing for more than 0.05 s"
    assert err == f"error: cannot use club.db: {why}\n\nhint: try again when it has finished\n"
    assert run("list", "club.db").code == 0  # readers do not wait for a writer
    other.execute("ROLLBACK")
    other.close()
    assert run("void", "club.db", "g-1").code == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_can_be_read_and_not_written(run: Run, club: Path) -> None:
    wanted = run("list", "club.db").out
    club.parent.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert run("list", "club.db").out == wanted
        code, _, err = run("void", "club.db", "g-1")
        assert code == 1
        assert err.startswith("error: cannot use club.db: it is read-only")
    finally:
        club.parent.chmod(stat.S_IRWXU)


def test_a_folder_that_is_not_there_is_told(run: Run) -> None:
    code, _, err = run("record", "no/club.db", "--pool", "p", "--played", "2024-01-01", "ann", "bo", "1-0")
    assert code == 1
    assert err.startswith("error: cannot use no/club.db: it cannot be opened\n\nhint: ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--through", "soon"), "--through must be an ISO date or time between years 1 and 9999: 'soon'"),
        (("--through", "0000-12-31"), "--through must be an ISO date or time between years 1 and 9999: '0000-12-31'"),
        (("--through", "20240331"), "--through must be a day such as 2024-03-31, not digits alone: '20240331'"),
        (("--known-at", "soon"), "--known-at must be a position, a time or the name of a published list: 'soon'"),
        (("--known-at", "6"), "known_at is not a position from 0 to 5: 6"),
        (("--known-at", "20240331"), "known_at is not a position from 0 to 5: 20240331"),
        (("--pool", "rapids"), "the log has no pool named: rapids"),
        (("--top", "0"), "invalid value for '--top'"),
        (("--format", "xml"), "invalid value for '--format'"),
    ],
)
def test_bad_cuts_and_options_are_mistakes(run: Run, club: Path, words: tuple[str, ...], told: str) -> None:
    code, out, err = run("list", "club.db", *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {told}")


def test_it_is_said_where_a_position_or_a_day_is_the_name_of_a_list_as_well(run: Run, club: Path) -> None:
    """`explain --against 2000` silently compared with position 2000 and not with the list of the year 2000."""
    publish_as_older_versions(club, "3", known_at=2)
    publish_as_older_versions(club, "2024-03-31", known_at=2)
    then = run("list", "club.db", "--known-at", "list:3")
    assert (then.out, "note: " in then.err) == (run("list", "club.db", "--known-at", 2).out, False)
    for option, text, what in (
        ("--known-at", "3", "a position"), ("--known-at", "2024-03-31", "a time"), ("--since", "2024-03-31", "a day"),
    ):  # fmt: skip
        told = f"note: {text} is read as {what}; write list:{text} for the list that was published as {text}\n"
        code, _, err = run("list", "club.db", option, text)
        before = (option, text) == ("--known-at", "2024-03-31")  # the log was not there yet
        assert (code, err.startswith(told)) == (2 if before else 0, True), err
        assert not run("list", "club.db", option, f"list:{text}").err.startswith("note: ")


ADDRESSES = (
    "postgresql://ann:s3@cretPW@127.0.0.1:1/league", "postgresql+psycopg://ann:s3cretPW@127.0.0.1:1/league",
    "PostgreSQL://ann:s3cretPW@127.0.0.1:1/league", "postgresql:ann:s3cretPW@127.0.0.1:1/league",
    "postgresql://127.0.0.1:1/league?PASSWORD=s3cretPW", "host=127.0.0.1 port=1 password=s3cretPW",
    "postgresql://ann:s3cretPW@127.0.0.1:1/league?log=\udcff",
)  # fmt: skip
"""Addresses, right and wrong, that hold a password."""


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    "words",
    [
        "list {}", "import {} games.csv", "import club.db {}", "load {} club.jsonl", "load new.db {}",
        "backup club.db {}", "export club.db {}", "simulate thesis-1:rounds=1 --log {}", "plot {}", "list club.db {}",
        "verify club.db --anchor {}", "record {} --pool p --played 2024-01-01 ann bo 1-0", "{}",
    ],
)  # fmt: skip
def test_no_address_is_taken_for_a_file_or_shows_its_password(
    run: Run, club: Path, tmp_path: Path, words: str, address: str
) -> None:
    (tmp_path / "games.csv").write_text("played,a,b,score\n2024-03-02,ann,bo,1\n")
    (tmp_path / "club.jsonl").write_text("{}\n")
    before = sorted(tmp_path.iterdir())
    code, out, err = run(*(address if word == "{}" else word for word in words.split()))
    assert (code != 0, out) == (True, "")
    assert "error: " in err
    assert "cretPW" not in err
    assert sorted(tmp_path.iterdir()) == before


def test_a_traceback_shows_no_password(run: Run) -> None:
    result = CliRunner(**APART).invoke(cli, ["--debug", "import", "club.db", ADDRESSES[0]])
    assert "Traceback" in result.stderr
    assert "cretPW" not in result.stderr


LEFT_OUT = "left out: 1 result (no points)"


@pytest.fixture
def goals(run: Run) -> Path:
    """A log of games with goals, of which one has none."""
    with open_log("goals.db") as engine:
        for day in range(1, 29):
            points = {"points_a": 3 - day % 3, "points_b": day % 3}
            game = GamePlayed(
                uid=f"g-{day}", pool="cup", played=f"2024-02-{day:02d}", a="ann", b="bo",
                score=1.0 if day % 3 < 2 else 0.0, data={} if day == 5 else points,
            )  # fmt: skip
            engine.record(game)
    return Path("goals.db")


@pytest.mark.parametrize(
    "words",
    [
        ("player", "goals.db", "ann", "-m", "elo-margin"),
        ("forecasts", "goals.db", "-m", "elo-margin"),
        ("tune", "goals.db", "-m", "elo-margin", "-g", "k=10,20"),
    ],
    ids=lambda words: words[0],
)
def test_rows_without_the_odd_result_come_with_a_note_of_it(run: Run, goals: Path, words: tuple[str, ...]) -> None:
    for form in ("csv", "json", "table"):
        ran = run(*words, "--format", form)
        assert ran.code == 0, ran.err
        place = ran.out if words[0] == "tune" and form == "table" else ran.err
        assert place.splitlines().count(LEFT_OUT) == 1


def test_nothing_is_told_where_nothing_is_left_out(run: Run, goals: Path) -> None:
    assert "left out" not in run("player", "goals.db", "ann", "-m", "elo").err
    assert run("forecasts", "goals.db", "-m", "elo").err == ""
    assert "left out" not in run("forecasts", "goals.db", "-m", "elo-margin", "--through", "2024-02-04").err
    assert "left out" not in run("tune", "goals.db", "-m", "elo", "-g", "k=10,20", "-f", "csv").err


def test_scores_as_csv_say_what_each_method_left_out(run: Run, goals: Path) -> None:
    ran = run("compare", "goals.db", "-m", "elo", "-m", "elo-margin", "--format", "csv")
    assert len(list(csv.DictReader(io.StringIO(ran.out)))) == 2
    assert "left out by elo-margin: 1 result (no points)" in ran.err.splitlines()
    assert "left out by elo:" not in ran.err
    rows = json.loads(run("compare", "goals.db", "-m", "elo", "-m", "elo-margin", "-f", "json").out)
    assert {row["games"] for row in rows} == {27}


def test_no_log_is_left_where_nothing_was_recorded(run: Run, tmp_path: Path) -> None:
    """A file that was refused left an empty log behind, and the next command found a log without a pool."""
    Path("columns.csv").write_text("x,y\n1,2\n")
    Path("rows.csv").write_text("player,a,b,score,played,rating\n,ann,bo,7,2024-01-01,high\n")
    Path("header.csv").write_text("a,b,score,played\n")
    before = sorted(tmp_path.iterdir())
    for refused in (
        ("players", "new.db", "columns.csv", "--pool", "club"),
        ("players", "new.db", "rows.csv", "--pool", "club"),
        ("players", "new.db", "missing.csv", "--pool", "club"),
        ("import", "new.db", "rows.csv", "--pool", "club"),
        ("import", "new.db", "rows.csv", "--pool", "club", "--strict"),
        ("import", "new.db", "header.csv", "--pool", "club"),
        ("seed", "new.db", "rows.csv", "--pool", "club", "--at", "2024-01-01"),
        ("declare", "new.db", "--pool", "club", "--method", "eloo"),
        ("declare", "new.db", "--pool", "club", "--fits", "eloo"),
        ("record", "new.db", "--pool", "club", "--played", "2024-01-01", "ann", "bo", "1-0", "--uid", ""),
    ):
        said = run(*refused)
        assert "head 0:" not in said.err
        assert sorted(tmp_path.iterdir()) == before, refused
    assert run("record", "new.db", "--pool", "club", "--played", "2024-01-01", "ann", "bo", "1-0").code == 0
    assert run("players", "new.db", "columns.csv").code != 0
    assert len(run("log", "new.db", "--format", "csv").out.splitlines()) == 2
