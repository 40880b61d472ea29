"""`ratingcore seed`: files of ratings in, a report out."""

from pathlib import Path

import pytest

from .conftest import Run


def test_seeds_are_imported_at_one_day_or_at_their_own(run: Run) -> None:
    Path("list.csv").write_text("team,elo,since\nreds,1480,2023-08-01\nblues,,2023-08-01\n")
    code, out, _ = run("seed", "club.db", "list.csv", "--pool", "p", "--map", "player=team,rating=elo,at=since")
    assert code == 1
    assert "refused, line 3: " in out
    code, _, _ = run(
        "seed", "club.db", "list.csv", "--pool", "p", "--map", "player=team,rating=elo", "--at", "2024-01-01"
    )
    assert code == 1
    log = run("log", "club.db", "--kind", "seed").out
    assert log.count("reds is given rating 1480") == 2
    assert ",2023-08-01," in log
    assert ",2024-01-01," in log


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--map", "player=team", "--at", "2024-01-01"), "list.csv has no column 'rating' for rating"),
        (("--map", "player=team,rating=elo", "--at", "soon"), "--at must be an ISO date or time"),
        (("--map", "player=team,rating=elo"), "--map: no time: map at to a column, or give one time for all rows"),
    ],
)
def test_seeds_that_cannot_be_read_make_no_log(run: Run, words: tuple[str, ...], told: str) -> None:
    Path("list.csv").write_text("team,elo\nreds,1480\n")
    code, out, err = run("seed", "club.db", "list.csv", "--pool", "p", *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {told}")
    assert not Path("club.db").exists()


def test_columns_that_are_no_ratings_are_told(run: Run, club: Path) -> None:
    Path("ratings.csv").write_text("player,rating,born,title\nbo,1600,1990,GM\n", encoding="utf-8")
    told = run("seed", "club.db", "ratings.csv", "--at", "2024-01-01").err
    assert told.startswith("ratings.csv: not used: born, title; ratingcore players records facts of players\n")


def test_the_pool_that_is_given_is_that_of_all_seeds_and_a_known_one_only_of_those_without(run: Run) -> None:
    Path("list.csv").write_text("player,rating,at,pool\nann,1600,2024-01-01,A\nbo,1500,2024-01-01,\n")
    run("seed", "club.db", "list.csv", "--pool", "p")
    assert [line.split(",")[3] for line in run("log", "club.db").out.splitlines()[1:]] == ["p", "p"]
    run("seed", "club.db", "list.csv")
    assert [line.split(",")[3] for line in run("log", "club.db").out.splitlines()[1:]] == ["p", "p", "A"]


@pytest.mark.parametrize(
    ("sign", "rating", "expected"),
    [
        (",", "1.650", "rating 1650"), (".", "1.650", "rating 1.65"), (".", "1,650", "rating 1650"),
        (",", "1612,5", "rating 1612.5"), ("", "1650", "rating 1650"), ("", "25.125", "rating 25.125"),
    ],
)  # fmt: skip
def test_a_point_among_thousands_is_read_by_the_decimal_sign(run: Run, sign: str, rating: str, expected: str) -> None:
    """`1.650` became a rating of 1.65, and the advice named an option that `seed` did not have."""
    Path("list.csv").write_text(f"player;rating\nann;{rating}\n")
    options = ("--decimal", sign) if sign else ()
    assert run("seed", "club.db", "list.csv", "--pool", "p", "--at", "2024-01-01", *options).code == 0
    assert f"ann is given {expected}" in run("log", "club.db").out


@pytest.mark.parametrize("rating", ["1.650", "1,650"])
def test_without_a_decimal_sign_a_point_among_thousands_is_in_doubt(run: Run, rating: str) -> None:
    Path("list.csv").write_text(f"player;rating\nann;{rating}\nbo;1700\n")
    code, out, err = run("seed", "club.db", "list.csv", "--pool", "p", "--at", "2024-01-01")
    assert code == 1
    assert "refused, line 2: rating may mean 1650 or 1.65" in out
    assert "--decimal" in err


def test_a_dry_run_of_seeds_shows_who_would_move(run: Run, club: Path) -> None:
    Path("seeds.csv").write_text("player,rating,at\nann,1800,2024-01-01\n", encoding="utf-8")
    tried = run("seed", "club.db", "seeds.csv", "--pool", "rapid", "--dry-run")
    assert tried.code == 0
    assert "ann" in tried.out
    assert "would be recorded: ann is given rating 1800" in tried.err
    assert tried.err.endswith("nothing was recorded\n")
    assert "1800" not in run("log", "club.db", "--kind", "seed", "--format", "csv").out
