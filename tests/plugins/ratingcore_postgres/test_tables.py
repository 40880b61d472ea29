"""Derived tables in PostgreSQL say what those in a SQLite file say, to the last bit."""

from pathlib import Path
from typing import Any

import pytest
from ratingcore_postgres.log import PostgresLog
from ratingcore_sql_tables.tables import CURRENT, HISTORY, KEPT, RatingTables

from ratingcore.engine import Engine
from ratingcore.errors import LogUnavailable
from ratingcore.log import SqliteLog, export_lines, load_lines
from ratingcore.log.sqlite.connection import sqlite3
from tests.log.making import EVERY_KIND, START, fails, game
from tests.plugins.ratingcore_postgres.server import Hand

catch_up = pytest.importorskip("ratingcore_sql_tables.catch_up").catch_up


@pytest.fixture
def engine(log: PostgresLog) -> Engine:
    log.append([event for event in EVERY_KIND if event.kind not in ("list", "period")], source="march.csv")
    log.append([game(f"n{n}", f"p{n % 9}", f"p{(n * 5 + 1) % 9 + 1}", n % 3 / 2, played=f"2024-04-{n % 28 + 1:02}")
                for n in range(60) if n % 9 != (n * 5 + 1) % 9 + 1])  # fmt: skip
    return Engine(log)


def test_they_are_those_of_a_file(engine: Engine, hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteLog(tmp_path / "club.db") as file:
        for log in (engine.log, file):
            monkeypatch.setattr(log, "now", lambda: 2 * START)
        load_lines(file, export_lines(engine.log))
        other = Engine(file)
        for step in range(3):
            for one in (engine, other):
                (done,) = catch_up(one, "rapid", "elo")
                assert (done.done == "made") == (step == 0)
            db = sqlite3.connect(tmp_path / "club.db")
            for table in (KEPT, CURRENT, HISTORY):
                assert sorted(map(_plain, hand(f"SELECT * FROM {table}"))) == sorted(
                    map(_plain, db.execute(f"SELECT * FROM {table}"))
                )
            db.close()
            late = game(f"late {step}", "p1", "p2", played="2024-04-20")
            engine.record(late)
            file.append([late])


def _plain(row: tuple[Any, ...]) -> str:
    # SQLite keeps no sign of a zero
    return repr(tuple(value + 0.0 if isinstance(value, float) else value for value in row))


@pytest.mark.parametrize(
    "sql", ["UPDATE ratings_current SET rating = 1500.0000001", "DELETE FROM rating_history WHERE line = 2",
            "DROP TABLE rating_history"],
)  # fmt: skip
def test_rows_that_somebody_changed_are_made_again(engine: Engine, hand: Hand, sql: str) -> None:
    catch_up(engine, "rapid", "elo")
    before = hand("SELECT * FROM ratings_current ORDER BY player_id")
    hand(sql)
    (done,) = catch_up(engine, "rapid", "elo")
    assert done.done == "made again: rows were changed"
    assert hand("SELECT * FROM ratings_current ORDER BY player_id") == before


def test_tables_of_somebody_else_are_left_alone(engine: Engine, hand: Hand) -> None:
    hand("CREATE TABLE ratings_current (mine integer)")
    with pytest.raises(LogUnavailable, match="its table ratings_current has other columns"):
        catch_up(engine, "rapid", "elo")
    assert hand("SELECT count(*) FROM ratings_current") == [(0,)]


def test_tables_in_a_file_beside_are_made_from_a_log_in_postgres_too(
    engine: Engine, hand: Hand, tmp_path: Path
) -> None:
    catch_up(engine, "rapid", "elo")
    catch_up(engine, "rapid", "elo", tmp_path / "tables.db")
    db = sqlite3.connect(tmp_path / "tables.db")
    sql = "SELECT player, rank, rating FROM ratings_current ORDER BY player_id"
    assert db.execute(sql).fetchall() == hand(sql)
    db.close()


def test_a_failure_leaves_the_tables_as_they_were(engine: Engine, hand: Hand) -> None:
    catch_up(engine, "rapid", "elo")
    before = hand("SELECT * FROM ratings_current ORDER BY player_id")
    tables = engine.log.tables
    assert tables is not None
    fails(ZeroDivisionError, lambda: _half_written(RatingTables(tables)))
    assert hand("SELECT * FROM ratings_current ORDER BY player_id") == before


def _half_written(tables: RatingTables) -> None:
    with tables.writing():
        tables.forget_ratings(("rapid", "elo"))
        raise ZeroDivisionError
