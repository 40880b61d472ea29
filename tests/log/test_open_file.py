"""A log that is replaced while it is open: lists are those of the new history, or it is said that it was replaced."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import LogUnavailable
from ratingcore.log.connection import sqlite3
from ratingcore.replay import checkpoint_store
from ratingcore.tables import cache


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep columns and checkpoints of everything, however little it is."""
    monkeypatch.setattr(cache, "NEWS", 1)
    monkeypatch.setattr(checkpoint_store, "WORTH", 0)
    monkeypatch.setattr(checkpoint_store, "FILE_SECONDS", 0.0)


def game(number: int, *names: str) -> rc.GamePlayed:
    a, b = names or (f"a{number % 5}", f"b{number % 7}")
    return rc.GamePlayed(uid=f"g{number}", pool="p", played=f"2024-03-{number % 28 + 1:02d}", a=a, b=b, score=1.0)


def listed(engine: Engine) -> tuple[Any, ...]:
    found = engine.rating_list("p", "elo")
    return found.provenance, list(found), engine.history("p", found.player[0], "elo")


@pytest.fixture
def older(tmp_path: Path) -> Path:
    return tmp_path / "older.db"


@pytest.fixture(params=["a prefix", "shorter", "as long", "longer"])
def engine(tmp_path: Path, older: Path, request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An engine that has made lists, beside a copy from earlier that went another way."""
    with rc.open(tmp_path / "club.db") as opened:
        opened.record(*(game(number) for number in range(20)))
        opened.backup(older)
        with rc.open(older) as other:
            for number in range({"a prefix": 0, "shorter": 5, "as long": 20, "longer": 40}[request.param]):
                other.record(game(100 + number, "xi", "yo"))
        for number in range(20, 40):
            opened.record(game(number, "new", "newer"))
            opened.rating_list("p", "elo")
        with rc.open(older) as other:
            request.node.true = listed(other)
        yield opened


def files(path: Path) -> list[Path]:
    return [path.with_name(path.name + end) for end in ("", "-wal", "-shm")]


def test_a_backup_that_is_read_back_in_is_what_lists_are_made_from(
    engine: Engine, older: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    source, target = sqlite3.connect(older), sqlite3.connect(tmp_path / "club.db")
    source.backup(target)
    target.close()
    source.close()
    assert listed(engine) == request.node.true
    engine.record(game(999))
    made = engine.rating_list("p", "elo")
    with rc.open(tmp_path / "club.db") as fresh:
        shutil.rmtree(tmp_path / "club.db.columns", ignore_errors=True)
        assert list(made) == list(fresh.rating_list("p", "elo"))


def test_a_file_that_is_overwritten_in_place_is_read_again(
    engine: Engine, older: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    other = sqlite3.connect(tmp_path / "club.db")
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    shutil.copyfile(older, tmp_path / "club.db")
    assert listed(engine) == request.node.true


@pytest.mark.parametrize("ends", [1, 3])
def test_a_file_that_takes_the_place_of_the_log_is_told_and_nothing_is_written_to_the_old_one(
    ends: int, engine: Engine, older: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    for file in files(tmp_path / "club.db")[1:ends]:
        file.unlink()
    os.replace(older, tmp_path / "club.db")
    for ask in (lambda: engine.rating_list("p", "elo"), lambda: engine.record(game(999)), lambda: engine.log.head):
        with pytest.raises(LogUnavailable, match="replaced"):
            ask()


def test_a_log_that_is_taken_away_is_told(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "club.db").rename(tmp_path / "moved.db")
    with pytest.raises(LogUnavailable, match="taken away") as caught:
        engine.rating_list("p", "elo")
    assert "open it again" in caught.value.hint


def test_the_process_may_change_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with rc.open("club.db") as engine:
        monkeypatch.chdir("/")
        assert engine.record(game(1)).accepted == 1
