"""Databases: the rows of a query are a table, and a query may do nothing but read."""

from itertools import islice
from pathlib import Path

import pytest
from ratingcore_tables import databases

from ratingcore import open as open_log
from ratingcore.errors import BadFile
from ratingcore.events import GamePlayed
from ratingcore.importer.tables import FieldMap
from ratingcore.readers import Source
from ratingcore.readers.sheets import Refused, Wanted
from ratingcore.sqlite_library import sqlite3
from tests.plugins.table_files import read_results, source

QUERY = "SELECT day AS played, white AS a, black AS b, score FROM game ORDER BY day"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "league.sqlite"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE game (day TEXT, white TEXT, black TEXT, score REAL)")
    db.executemany(
        "INSERT INTO game VALUES (?,?,?,?)", [("2024-03-02", "ann", "bo", 1.0), ("2024-03-09", "bo", b"cy", 0.5)]
    )
    db.commit()
    db.close()
    return path


def test_the_rows_of_a_query_are_rows_of_a_table(database: Path) -> None:
    first, second = read_results(database, pool="p", fields=FieldMap(query=QUERY))
    assert isinstance(first.event, GamePlayed)
    assert (first.line, first.event.a, first.event.score) == (1, "ann", 1.0)
    assert second == Refused(2, "b is not a single value", "b'cy'")


@pytest.mark.parametrize(
    "query",
    ["DELETE FROM game", "DROP TABLE game", "ATTACH 'other.db' AS other", "PRAGMA user_version = 3",
     "INSERT INTO game VALUES (1,2,3,4) RETURNING day", "SELECT load_extension('x')", "VACUUM INTO 'copy.db'"],
)  # fmt: skip
def test_a_query_may_only_read(database: Path, query: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = database.read_bytes()
    with pytest.raises(BadFile, match="the query may only read"):
        read_results(database, pool="p", fields=FieldMap(query=query))
    assert database.read_bytes() == before
    assert list(tmp_path.iterdir()) == [database]


@pytest.mark.parametrize(
    ("query", "why"),
    [(None, "it is a database"), (" ", "it is a database"), ("SELECT 1; SELECT 2", "one statement"),
     ("SELECT * FROM missing", "no such table"), ("SELEKT", "syntax error"), ("-- nothing", "gives no rows")],
)  # fmt: skip
def test_a_query_that_gives_nothing_is_refused(database: Path, query: str | None, why: str) -> None:
    with pytest.raises(BadFile, match=why):
        read_results(database, pool="p", fields=FieldMap(query=query))


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "


@pytest.mark.parametrize(
    ("limit", "query", "told"),
    [
        ("NEXT", "SELECT max(i) AS a FROM n", "took more than 0 seconds to its next row"),
        ("NEXT", "SELECT i AS a FROM n WHERE i < 0", "took more than 0 seconds to its next row"),
        ("TOTAL", "SELECT max(i) AS a FROM n", "took more than 0 seconds$"),
    ],
)
def test_a_query_that_takes_too_long_is_ended(
    database: Path, monkeypatch: pytest.MonkeyPatch, limit: str, query: str, told: str
) -> None:
    """A query that gives no rows could run for five minutes."""
    monkeypatch.setattr(databases, limit, 0.0)
    with pytest.raises(BadFile, match=told):
        databases.open_database(source(database), Wanted(selection=ENDLESS + query))


def test_rows_of_a_query_are_bounded_together(database: Path) -> None:
    """Rows of 200 columns of 4 MB each took 800 MB."""
    wide = ", ".join(f"zeroblob(300000) AS c{number}" for number in range(190))
    sheet = databases.open_database(source(database), Wanted(selection=f"{ENDLESS} SELECT {wide} FROM n"))
    with pytest.raises(BadFile, match="gives rows of more than 64 MB together"):
        list(sheet.rows(frozenset()))
    long = databases.open_database(source(database), Wanted(selection=f"{ENDLESS} SELECT zeroblob(14096) AS c FROM n"))
    rows = long.rows(frozenset())
    assert len(list(islice(rows, 2**26 // 10_000))) == 2**26 // 10_000
    with pytest.raises(BadFile, match="gives rows of more than 64 MB together"):
        next(rows)


def test_a_log_is_no_database_to_import_from(tmp_path: Path) -> None:
    with open_log(tmp_path / "club.db") as engine:
        engine.record(GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
    with pytest.raises(BadFile, match="it is a log of ratingcore"):
        read_results(tmp_path / "club.db", pool="p", fields=FieldMap(query="SELECT * FROM event"))


def test_a_database_is_read_from_a_file_on_disk(database: Path) -> None:
    source = Source.of_bytes("league.sqlite", database.read_bytes())
    with pytest.raises(BadFile, match="must be a file of its own on disk"):
        read_results(source, pool="p", fields=FieldMap(query=QUERY))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT zeroblob(2000000000) AS a", "SELECT randomblob(5000000) AS a",
        "SELECT " + ", ".join(f"{n} AS c{n}" for n in range(1000)),
    ],
)  # fmt: skip
def test_a_query_that_asks_for_any_amount_of_memory_is_refused(database: Path, query: str) -> None:
    with pytest.raises(BadFile, match=r"of more than 327 kB|too many columns"):
        list(read_results(database, pool="p", fields=FieldMap(query=query)))


def test_nothing_is_left_beside_a_database_that_is_read(database: Path) -> None:
    db = sqlite3.connect(database)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("UPDATE game SET score = 0.5")
    db.commit()
    db.close()
    assert len(list(read_results(database, pool="p", fields=FieldMap(query=QUERY)))) == 2
    assert [path.name for path in database.parent.iterdir()] == [database.name]


def test_a_database_that_another_program_has_open_is_read_as_it_is(database: Path) -> None:
    other = sqlite3.connect(database)
    other.execute("PRAGMA journal_mode=WAL")
    other.execute("INSERT INTO game VALUES ('2024-03-16', 'di', 'eve', 1.0)")
    other.commit()
    assert len(list(read_results(database, pool="p", fields=FieldMap(query=QUERY)))) == 3
    other.close()
