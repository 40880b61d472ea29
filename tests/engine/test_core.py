"""The engine: methods, logs in memory and in files, and that it delegates the rest."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore.engine import Engine, open_engine
from ratingcore.errors import (
    BadParameter,
    LogUnavailable,
    MethodNotFound,
    UnknownName,
    UnknownUid,
    WrongForm,
)  # fmt: skip
from ratingcore.log import SqliteLog
from tests.columns.making import POOL, engine, game, seed, session


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Engine]:
    with rc.open(tmp_path / "club.db") as made:
        yield made


def test_a_method_is_a_text_or_a_value() -> None:
    eng = Engine(SqliteLog(":memory:"))
    eng.record(game(1, "ann", "bo"))
    assert eng.rating_list(POOL, "elo:k=24").digest == eng.rating_list(POOL, Elo(k=24.0)).digest
    with pytest.raises(MethodNotFound):
        eng.rating_list(POOL, "eloo")
    with pytest.raises(BadParameter):
        eng.rating_list(POOL, "elo:k=many")


def test_a_pool_of_sessions_alone_cannot_be_rated_by_a_method_of_games() -> None:
    eng = engine(session(1, ("ab", 1.0), ("cd", 2.0)))
    with pytest.raises(WrongForm):
        eng.rating_list(POOL, Elo())
    assert len(eng.rating_list(POOL, Elo(), through=0)) == 0
    assert eng.view(POOL).names() == ["a", "b", "c", "d"]


def test_a_pool_of_seeds_alone_is_a_list() -> None:
    eng = engine(seed(3, "ann", 1700.0), seed(4, "bo", 1600.0))
    found = eng.rating_list(POOL, Elo())
    assert [(row["player"], row["rating"], row["games"]) for row in found] == [("ann", 1700.0, 0), ("bo", 1600.0, 0)]
    assert [line.opponent for line in eng.history(POOL, "ann", Elo())] == ["seed"]


def test_a_log_in_memory_has_no_backup_and_a_file_has_one(opened: Engine, tmp_path: Path) -> None:
    with pytest.raises(LogUnavailable):
        engine(game(1, "ann", "bo")).backup(tmp_path / "copy.db")
    opened.record(game(1, "ann", "bo"))
    opened.backup(tmp_path / "copy.db")
    with rc.open(tmp_path / "copy.db") as copy:
        assert copy.log.head == opened.log.head
        assert copy.rating_list(POOL, "elo").digest == opened.rating_list(POOL, "elo").digest


def test_an_export_loads_into_the_same_lists(opened: Engine) -> None:
    opened.record(game(1, "ann", "bo", uid="g"), seed(0, "ann"), session(2, ("ab", 1.0), ("c", 2.0), pool="pairs"))
    opened.amend("g", {"score": 0.5})
    copy = Engine(SqliteLog(":memory:"))
    copy.load(opened.export())
    assert copy.log.head == opened.log.head == copy.verify([opened.log.head, str(opened.log.head)]).head
    for known_at in range(5):
        here, there = (e.rating_list(POOL, "elo", known_at=known_at) for e in (opened, copy))
        assert here.digest == there.digest
        assert here.provenance == there.provenance


def test_what_another_process_has_written_is_seen(opened: Engine, tmp_path: Path) -> None:
    opened.record(game(1, "ann", "bo"))
    assert len(opened.rating_list(POOL, "elo")) == 2
    with rc.open(tmp_path / "club.db") as other:
        other.record(game(2, "cy", "dee"), game(0, "eve", "ann"), game(1, "x", "y", pool="new"))
    assert len(opened.rating_list(POOL, "elo")) == 5
    assert len(opened.rating_list("new", "elo")) == 2


def test_a_log_opened_to_read_shows_the_same_lists(opened: Engine, tmp_path: Path) -> None:
    opened.record(game(1, "ann", "bo"))
    with open_engine(tmp_path / "club.db", read_only=True) as reader:
        assert reader.rating_list(POOL, "elo").digest == opened.rating_list(POOL, "elo").digest
    opened.record(game(2, "ann", "bo"))
    with open_engine(tmp_path / "club.db", read_only=True) as reader:
        assert reader.rating_list(POOL, "elo").digest == opened.rating_list(POOL, "elo").digest


def test_a_batch_that_was_refused_leaves_every_list_as_it_was(opened: Engine) -> None:
    opened.record(game(1, "ann", "bo", uid="g"))
    before = opened.rating_list(POOL, "elo")
    with pytest.raises(UnknownUid):
        opened.record(game(2, "cy", "dee"), rc.ResultVoided(of="missing"))
    after = opened.rating_list(POOL, "elo")
    assert (after.digest, after.provenance) == (before.digest, before.provenance)
    with pytest.raises(UnknownName):
        opened.player_id("cy")
    opened.record(game(2, "cy", "dee"))
    assert len(opened.rating_list(POOL, "elo")) == 4
