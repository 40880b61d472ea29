"""`ratingcore catch-up`: tables on request and from cron, with a report of what was done."""

import json
from pathlib import Path

import sqlite_utils

from ratingcore import open as open_log
from tests.cli.conftest import Run
from tests.registry.test_failing_plugins import Plug


def test_tables_are_kept_from_the_first_time_a_method_is_named(run: Run, club: Path) -> None:
    code, out, err = run("catch-up", "club.db", "--method", "elo:k=24", "--format", "csv")
    assert (code, err) == (0, "")
    assert out == "pool,method,known_at,players,lines,done\nrapid,elo:k=24,5,4,9,made\n"
    assert run("catch-up", "club.db", "--format", "csv").out.splitlines()[1] == "rapid,elo:k=24,5,4,9,nothing new"
    run("record", "club.db", "--played", "2024-05-01", "ann", "bo", "1-0")
    assert (
        run("catch-up", "club.db", "--format", "csv").out.splitlines()[1] == "rapid,elo:k=24,6,4,11,brought up to date"
    )
    database = sqlite_utils.Database(str(club))
    listed = json.loads(run("list", "club.db", "--method", "elo:k=24", "--format", "json").out)
    rows = database["ratings_current"].rows_where(order_by="rank", select="rank, player, rating, games")
    assert list(rows) == [{name: row[name] for name in ("rank", "player", "rating", "games")} for row in listed]
    database.close()
    assert run("verify", "club.db").code == 0


def test_tables_may_be_in_a_file_of_their_own_beside_a_log_that_is_only_read(run: Run, club: Path) -> None:
    before = club.read_bytes()
    assert run("catch-up", "club.db", "-m", "elo", "-m", "elo:k=10", "--to", "tables.db").code == 0
    assert club.read_bytes() == before
    rows = json.loads(run("catch-up", "club.db", "--to", "tables.db", "--format", "json").out)
    assert [(row["method"], row["done"]) for row in rows] == [("elo", "nothing new"), ("elo:k=10", "nothing new")]
    database = sqlite_utils.Database(str(club))
    assert "rating_tables" not in database.table_names()
    database.close()


def test_without_tables_and_without_a_method_there_is_nothing_to_do(run: Run, club: Path) -> None:
    assert run("catch-up", "club.db") == (
        2, "", "error: no tables are kept yet\n\nhint: name a method: ratingcore catch-up club.db --method elo\n",
    )  # fmt: skip


def test_of_a_log_without_results_that_is_said(run: Run, tmp_path: Path) -> None:
    """`no tables are kept yet; say of which method` was the answer to --method."""
    open_log(tmp_path / "new.db").close()
    for words in ((), ("-m", "elo"), ("-m", "elo", "--to", "tables.db")):
        code, out, err = run("catch-up", "new.db", *words)
        assert (code, out, err.splitlines()[0]) == (2, "", "error: the log has no results yet")


def test_mistakes_are_told_before_anything_is_written(run: Run, club: Path) -> None:
    assert run("catch-up", "none.db", "-m", "elo").code == 2
    assert run("catch-up", "none.db", "-m", "elo", "--to", "tables.db").code == 2
    assert run("catch-up", "club.db", "-m", "elo", "-m", "eloo", "--to", "tables.db").code == 2
    assert run("catch-up", "club.db", "-m", "elo", "-p", "blitz", "--to", "tables.db").code == 2
    assert [path.name for path in club.parent.iterdir() if path.suffix == ".db"] == ["club.db"]


def test_what_one_method_cannot_rate_does_not_stop_the_others(run: Run, club: Path) -> None:
    run("record", "club.db", "--pool", "blitz", "--uid", "only", "--played", "2024-05-01", "ann", "bo", "1-0")
    code, out, err = run("catch-up", "club.db", "-p", "blitz", "-m", "elo-margin", "-m", "elo", "--format", "csv")
    assert (code, out.splitlines()[1:]) == (1, ["blitz,elo,6,2,2,made"])
    assert err.startswith(
        "error: pool blitz by elo-margin is not brought up to date: "
        "elo-margin needs the result field points_a: missing at position"
    )


def test_a_pool_whose_last_result_is_voided_does_not_keep_those_behind_it_from_their_tables(
    run: Run, club: Path
) -> None:
    """It was `OverflowError: date value out of range`, and nothing behind it was brought up to date."""
    run("record", "club.db", "--pool", "blitz", "--uid", "only", "--played", "2024-05-01", "ann", "bo", "1-0")
    assert run("catch-up", "club.db", "-m", "periodic").code == 0
    run("void", "club.db", "only")
    code, out, err = run("catch-up", "club.db", "--format", "csv")
    assert (code, err) == (0, "")
    assert out.splitlines()[1:] == [
        "blitz,periodic,7,0,0,brought up to date",
        "rapid,periodic,7,4,9,brought up to date",
    ]


def test_it_goes_on_after_a_method_that_ends_the_process(run: Run, club: Path, plug: Plug) -> None:
    plug("def rate(self, state, games): sys.exit(0)")
    code, out, err = run("catch-up", "club.db", "--method", "odd", "--method", "elo", "--format", "json")
    assert (code, [row["method"] for row in json.loads(out)]) == (1, ["elo"])
    assert "by odd is not brought up to date: SystemExit: 0" in err
