"""Tables for SQL that strangers changed, dropped or took elsewhere are made again."""

from pathlib import Path

import pytest
from ratingcore_sql_tables.catch_up import catch_up

import ratingcore as rc
from ratingcore.log.sqlite.connection import sqlite3
from tests.log.making import game
from tests.plugins.ratingcore_sql_tables import club as made_club
from tests.plugins.ratingcore_sql_tables.club import TABLES, done, dump, stranger

engine = made_club.engine


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE ratings_current SET rating = 3000 WHERE rank = 1", "DELETE FROM ratings_current WHERE rank = 2",
        "DELETE FROM rating_history WHERE line = 2", "DROP TABLE rating_history", "DROP TABLE ratings_current",
        "UPDATE ratings_current SET player = x'00'", "UPDATE ratings_current SET player = 'me'",
    ],
)  # fmt: skip
def test_what_a_stranger_did_to_the_rows_is_made_good(engine: rc.Engine, tmp_path: Path, sql: str) -> None:
    catch_up(engine, "rapid", "elo")
    before = dump(tmp_path / "club.db")
    stranger(tmp_path / "club.db", sql)
    assert done(catch_up(engine)) == ["made again: rows were changed"]
    assert dump(tmp_path / "club.db") == before
    assert done(catch_up(engine)) == ["nothing new"]


def test_tables_that_were_dropped_are_made_when_they_are_asked_for(engine: rc.Engine, tmp_path: Path) -> None:
    catch_up(engine, "rapid", "elo")
    before = dump(tmp_path / "club.db")
    stranger(tmp_path / "club.db", *(f"DROP TABLE {name}" for name in TABLES))
    assert catch_up(engine) == []
    catch_up(engine, "rapid", "elo")
    assert dump(tmp_path / "club.db") == before


def test_tables_of_another_history_are_made_again(engine: rc.Engine, tmp_path: Path) -> None:
    engine.log.backup(tmp_path / "old.db")
    engine.record(game("lost", "ann", "bo", played="2024-06-01"))
    catch_up(engine, "rapid", "elo", tmp_path / "tables.db")
    with rc.open(tmp_path / "old.db") as restored:
        assert done(catch_up(restored, to=tmp_path / "tables.db")) == ["made again: the log has another history"]
        restored.record(game("other", "cy", "bo", played="2024-06-01"))
        catch_up(restored, "rapid", "elo", tmp_path / "fresh.db")
        catch_up(restored, to=tmp_path / "tables.db")
    assert dump(tmp_path / "tables.db") == dump(tmp_path / "fresh.db")


def test_a_method_whose_formula_changed_is_made_again(engine: rc.Engine, tmp_path: Path) -> None:
    catch_up(engine, "rapid", "elo")
    before = dump(tmp_path / "club.db")
    stranger(tmp_path / "club.db", "UPDATE rating_tables SET identity = replace(identity, 'elo@1', 'elo@0')")
    assert done(catch_up(engine)) == ["made again: the method has changed"]
    assert dump(tmp_path / "club.db") == before


def test_tables_for_sql_are_made_again_when_the_zone_changes(tmp_path: Path) -> None:
    with rc.open(tmp_path / "club.db") as engine:
        engine.record(
            game("midnight", played="2024-01-01T00:30+01:00", pool="club"),
            game("eve", "cy", "di", played="2023-12-31", pool="club"),
        )

        def played() -> list[str]:
            catch_up(engine, "club", "elo")
            with sqlite3.connect(engine.log.path) as db:  # type: ignore[arg-type]  # it is a file
                return [row[0] for row in db.execute("SELECT played FROM rating_history WHERE player = 'ann'")]

        assert played() == ["2023-12-31T23:30:00Z"]
        engine.declare("club", zone="Europe/Prague")
        assert played() == ["2024-01-01T00:30:00+01:00"]
        engine.record(game("later", played="2024-01-02T00:30+01:00", pool="club"))
        assert played() == ["2024-01-01T00:30:00+01:00", "2024-01-02T00:30:00+01:00"]
        assert played() == played()
