"""Tables for SQL that strangers changed, dropped or took elsewhere are made again."""

from pathlib import Path

import pytest

import ratingcore as rc
from tests.engine import derived_rows
from tests.engine.derived_rows import TABLES, done, dump, stranger
from tests.log.making import game

engine = derived_rows.engine


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE ratings_current SET rating = 3000 WHERE rank = 1", "DELETE FROM ratings_current WHERE rank = 2",
        "DELETE FROM rating_history WHERE line = 2", "DROP TABLE rating_history", "DROP TABLE ratings_current",
        "UPDATE ratings_current SET player = x'00'", "UPDATE ratings_current SET player = 'me'",
    ],
)  # fmt: skip
def test_what_a_stranger_did_to_the_rows_is_made_good(engine: rc.Engine, tmp_path: Path, sql: str) -> None:
    engine.catch_up("rapid", "elo")
    before = dump(tmp_path / "club.db")
    stranger(tmp_path / "club.db", sql)
    assert done(engine.catch_up()) == ["made again: rows were changed"]
    assert dump(tmp_path / "club.db") == before
    assert done(engine.catch_up()) == ["nothing new"]


def test_tables_that_were_dropped_are_made_when_they_are_asked_for(engine: rc.Engine, tmp_path: Path) -> None:
    engine.catch_up("rapid", "elo")
    before = dump(tmp_path / "club.db")
    stranger(tmp_path / "club.db", *(f"DROP TABLE {name}" for name in TABLES))
    assert engine.catch_up() == []
    engine.catch_up("rapid", "elo")
    assert dump(tmp_path / "club.db") == before


def test_tables_of_another_history_are_made_again(engine: rc.Engine, tmp_path: Path) -> None:
    engine.backup(tmp_path / "old.db")
    engine.record(game("lost", "ann", "bo", played="2024-06-01"))
    engine.catch_up("rapid", "elo", tmp_path / "tables.db")
    with rc.open(tmp_path / "old.db") as restored:
        assert done(restored.catch_up(to=tmp_path / "tables.db")) == ["made again: the log has another history"]
        restored.record(game("other", "cy", "bo", played="2024-06-01"))
        restored.catch_up("rapid", "elo", tmp_path / "fresh.db")
        restored.catch_up(to=tmp_path / "tables.db")
    assert dump(tmp_path / "tables.db") == dump(tmp_path / "fresh.db")


def test_a_method_whose_formula_changed_is_made_again(engine: rc.Engine, tmp_path: Path) -> None:
    engine.catch_up("rapid", "elo")
    before = dump(tmp_path / "club.db")
    stranger(tmp_path / "club.db", "UPDATE rating_tables SET identity = replace(identity, 'elo@1', 'elo@0')")
    assert done(engine.catch_up()) == ["made again: the method has changed"]
    assert dump(tmp_path / "club.db") == before
