"""The story of an archive that comes again with one more column: nothing is doubled, and --amend adds it."""

import csv
import gzip
import io
from collections import Counter
from pathlib import Path

import pytest

import ratingcore as rc
from tests.cli.conftest import Run, run

__all__ = ["run"]

FOOTBALL = Path(__file__).parents[2] / "fixtures" / "archives" / "football"
YEARS = ("1997", "1998")
"""Of the archive, so that the story is short."""


@pytest.fixture
def rows(run: Run) -> list[dict[str, str]]:
    """The rows of the story, written with their mapping to the folder in which commands run."""
    text = gzip.decompress((FOOTBALL / "results.csv.gz").read_bytes()).decode()
    found = [row for row in csv.DictReader(io.StringIO(text)) if row["date"].startswith(YEARS)]
    assert len(found) > 1_000
    write("results.csv", found)
    mapping = (FOOTBALL / "mapping.toml").read_text()
    Path("mapping.toml").write_text(mapping)
    more = mapping.replace('event = "tournament"\n', 'event = "tournament"\ncity = "city"\n')
    assert more != mapping
    Path("more.toml").write_text(more)
    return found


def write(name: str, rows: list[dict[str, str]]) -> None:
    with Path(name).open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def imported(run: Run, file: str, mapping: str, *options: str) -> tuple[int, str, str]:
    """Exit code, the line of the report, and what is said beside it."""
    code, out, err = run("import", "football.db", file, "--pool", "football", "--mapping", mapping, *options)
    return code, out.partition("\n")[0].partition(": ")[2], err


def games_of(team: str) -> int:
    """How many games a team has in the list."""
    with rc.open("football.db", read_only=True) as engine:
        return {row["player"]: row["games"] for row in engine.rating_list("football", "elo")}[team]


def cities() -> Counter[str]:
    """How many games were played where, as they read now."""
    with rc.open("football.db", read_only=True) as engine:
        text = b"".join(engine.written("results")).decode()
    return Counter(row.get("city", "") for row in csv.DictReader(io.StringIO(text)))


def test_one_more_column_doubles_nothing_and_amends_everything(run: Run, rows: list[dict[str, str]]) -> None:
    n, brazil = len(rows), sum("Brazil" in (row["home_team"], row["away_team"]) for row in rows)
    code, said, _ = imported(run, "results.csv", "mapping.toml")
    assert (code, said) == (0, f"{n} rows read, {n} accepted, 0 unrated, 0 refused, 0 duplicates")
    _, before, _ = run("list", "football.db")
    assert games_of("Brazil") == brazil

    code, said, err = imported(run, "results.csv", "more.toml")
    assert (code, said) == (1, f"{n} rows read, 0 accepted, 0 unrated, {n} refused, 0 duplicates")
    assert "--amend" in err
    assert (run("list", "football.db").out, games_of("Brazil")) == (before, brazil)

    code, said, _ = imported(run, "results.csv", "more.toml", "--amend", "--dry-run")
    assert (code, f"{n} amended" in said, cities()) == (0, True, {"": n})
    code, said, _ = imported(run, "results.csv", "more.toml", "--amend")
    assert (code, said) == (0, f"{n} rows read, 0 accepted, 0 unrated, 0 refused, 0 duplicates, {n} amended")
    assert (games_of("Brazil"), cities()) == (brazil, Counter(row["city"] for row in rows))
    _, after, _ = run("list", "football.db")
    assert after.splitlines()[1:] == before.splitlines()[1:], "a city moves no rating"

    mixed = rows[::-1]
    write("mixed.csv", mixed)
    for mapping in ("more.toml", "mapping.toml"):
        for file in ("results.csv", "mixed.csv"):
            code, said, _ = imported(run, file, mapping)
            assert (code, said) == (0, f"{n} rows read, 0 accepted, 0 unrated, 0 refused, {n} duplicates")
    assert cities() == Counter(row["city"] for row in rows)


def test_a_corrected_archive_corrects_the_log(run: Run, rows: list[dict[str, str]]) -> None:
    n = len(rows)
    imported(run, "results.csv", "mapping.toml")
    wrong = rows[10]
    corrected = [
        row | {"home_score": "9", "away_score": "0"} if row is wrong else row for row in rows if row is not rows[20]
    ]
    write("results.csv", corrected)
    code, said, _ = imported(run, "results.csv", "mapping.toml")
    assert (code, said) == (1, f"{n - 1} rows read, 0 accepted, 0 unrated, 1 refused, {n - 2} duplicates")
    code, said, err = imported(run, "results.csv", "more.toml", "--reissue")
    assert (code, f"{n - 1} rows read" in said) == (0, True), err
    assert run("import", "fresh.db", "results.csv", "--pool", "football", "--mapping", "more.toml").code == 0
    with rc.open("football.db", read_only=True) as engine, rc.open("fresh.db") as fresh:
        assert engine.rating_list("football", "elo").digest == fresh.rating_list("football", "elo").digest
