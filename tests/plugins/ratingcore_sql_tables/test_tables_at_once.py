"""Tables for SQL while other processes bring them up to date, append and read."""

import time
from pathlib import Path

import pytest
from ratingcore_sql_tables.catch_up import catch_up

import ratingcore as rc
from ratingcore.log.sqlite.connection import sqlite3
from tests.log import conftest
from tests.log.making import game, games
from tests.log.workers import Workers
from tests.plugins.ratingcore_sql_tables.club import dump

forking, workers = conftest.forking, conftest.workers


@pytest.mark.parametrize("to", [None, "tables.db"])
def test_many_may_catch_up_at_once_while_another_appends(workers: Workers, tmp_path: Path, to: str | None) -> None:
    path = tmp_path / "club.db"
    with rc.open(path) as engine:
        engine.record(*games(1, 50))
        target = None if to is None else str(tmp_path / to)
        at = time.time() + 1.0
        catching = [workers.start("catch_up", str(path), target, at, 6) for _ in range(3)]
        while time.time() < at:
            time.sleep(0.01)
        for number in range(51, 120):
            engine.record(game(number, f"p{number % 9}", f"q{number % 4}"))
            time.sleep(0.005)
        said = [list(worker) for worker in catching]
        assert [len(lines) for lines in said] == [6, 6, 6]
        for lines in said:
            assert [line[0] for line in lines] == sorted(line[0] for line in lines)
            assert {line[1] for line in lines} <= {"made", "brought up to date", "nothing new"}
        assert sum(line[1] == "made" for lines in said for line in lines) == 1
        catch_up(engine, "rapid", "elo", target)
        catch_up(engine, "rapid", "elo", tmp_path / "fresh.db")
    assert dump(tmp_path / (to or "club.db")) == dump(tmp_path / "fresh.db")


def test_whoever_reads_sees_the_rows_of_one_head(workers: Workers, tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with rc.open(path) as engine:
        engine.record(*games(1, 50))
        catch_up(engine, "rapid", "elo")
        worker = workers.start("catch_up", str(path), None, time.time(), 1000)
        db, heads = sqlite3.connect(path, isolation_level=None), set()
        number, deadline = 51, time.monotonic() + 30
        while len(heads) < 4 and time.monotonic() < deadline:
            engine.record(game(number, f"p{number % 9}", f"q{number % 4}"))
            db.execute("BEGIN")
            ((known_at, lines),) = db.execute("SELECT known_at, lines FROM rating_tables").fetchall()
            assert db.execute("SELECT DISTINCT known_at FROM ratings_current").fetchall() == [(known_at,)]
            assert db.execute("SELECT count(*) FROM rating_history").fetchone() == (lines,) == (2 * known_at,)
            db.execute("COMMIT")
            heads.add(known_at)
            number += 1
        worker.stop()
        db.close()
        assert len(heads) == 4
