"""A file that takes the place of a log that is open, and a history that takes the place of the one that was read."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.columns import cache
from ratingcore.engine import Engine
from ratingcore.errors import BadTransfer, LogUnavailable
from ratingcore.log import Head, load_lines
from ratingcore.log.sqlite.connection import sqlite3
from ratingcore.replay import checkpoint_store


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep columns and checkpoints of everything, however little it is."""
    monkeypatch.setattr(cache, "NEWS", 1)
    monkeypatch.setattr(checkpoint_store, "WORTH", 0)
    monkeypatch.setattr(checkpoint_store, "FILE_SECONDS", 0.0)


def meeting(number: int, *names: str) -> rc.GamePlayed:
    a, b = names or (f"a{number % 5}", f"b{number % 7}")
    return rc.GamePlayed(uid=f"g{number}", pool="p", played=f"2024-03-{number % 28 + 1:02d}", a=a, b=b, score=1.0)


def listed(engine: Engine) -> tuple[Any, ...]:
    found = engine.rating_list("p", "elo")
    return found.provenance, list(found), engine.history("p", found.player[0], "elo")


@pytest.fixture
def older(tmp_path: Path) -> Path:
    return tmp_path / "older.db"


Ask = Callable[[Engine], object]
ASKED: tuple[Ask, ...] = (
    lambda engine: engine.rating_list("p", "elo"),
    lambda engine: engine.record(meeting(999)),
    lambda engine: engine.log.head,
    lambda engine: engine.verify(),
)


@pytest.fixture(params=["a prefix", "shorter", "as long", "longer"])
def engine(tmp_path: Path, older: Path, request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An engine that has made lists, beside a copy from earlier that went another way."""
    with rc.open(tmp_path / "club.db") as opened:
        opened.record(*(meeting(number) for number in range(20)))
        opened.log.backup(older)
        with rc.open(older) as other:
            for number in range({"a prefix": 0, "shorter": 5, "as long": 20, "longer": 40}[request.param]):
                other.record(meeting(100 + number, "xi", "yo"))
        for number in range(20, 40):
            opened.record(meeting(number, "new", "newer"))
            opened.rating_list("p", "elo")
        with rc.open(older) as other:
            request.node.true = listed(other)
        yield opened


def files(path: Path) -> list[Path]:
    return [path.with_name(path.name + end) for end in ("", "-wal", "-shm")]


def read_back(source: Path, target: Path) -> None:
    """Writes a backup into the file with SQLite's own means."""
    ours, theirs = sqlite3.connect(source), sqlite3.connect(target)
    ours.backup(theirs)
    theirs.close()
    ours.close()


def overwrite(source: Path, target: Path) -> None:
    """Writes other bytes into the same file."""
    other = sqlite3.connect(target)
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    shutil.copyfile(source, target)


@pytest.mark.parametrize("ask", ASKED)
@pytest.mark.parametrize("put", [read_back, overwrite])
def test_a_history_that_takes_the_place_of_the_one_that_was_read_is_told(
    put: Callable[[Path, Path], None], ask: Ask, engine: Engine, older: Path, tmp_path: Path
) -> None:
    """A fixed bug: lists went back to an older head, and what was recorded then was appended to another history."""
    held = engine.log.head
    put(older, tmp_path / "club.db")
    with rc.open(tmp_path / "club.db") as fresh:
        head = fresh.log.head
    for _ in range(2):  # not only once
        with pytest.raises(LogUnavailable, match=f"it was at {held}, and now ends at {head}") as caught:
            ask(engine)
    assert "open it again" in caught.value.hint
    with rc.open(tmp_path / "club.db") as fresh:
        assert fresh.log.head == head


@pytest.mark.parametrize("put", [read_back, overwrite])
def test_who_opens_it_again_gets_the_lists_of_the_new_history(
    put: Callable[[Path, Path], None],
    engine: Engine,
    older: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    engine.close()
    put(older, tmp_path / "club.db")
    with rc.open(tmp_path / "club.db") as fresh:
        assert listed(fresh) == request.node.true


def test_others_may_append_and_what_is_undone_was_never_held(tmp_path: Path) -> None:
    with rc.open(tmp_path / "club.db") as one, rc.open(tmp_path / "club.db") as other:
        for number in range(3):
            one.record(meeting(number))
            other.record(meeting(10 + number))
        assert one.verify().head == other.verify().head == Head(6, other.log.head.digest)
        empty = one.log.head
        with pytest.raises(BadTransfer):
            load_lines(one.log, other.export())
        assert one.log.head == empty


@pytest.mark.parametrize("ends", [1, 3])
def test_a_file_that_takes_the_place_of_the_log_is_told_and_nothing_is_written_to_the_old_one(
    ends: int, engine: Engine, older: Path, tmp_path: Path
) -> None:
    for file in files(tmp_path / "club.db")[1:ends]:
        file.unlink()
    os.replace(older, tmp_path / "club.db")
    for ask in ASKED:
        with pytest.raises(LogUnavailable, match="replaced"):
            ask(engine)


def test_a_log_that_is_taken_away_is_told(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "club.db").rename(tmp_path / "moved.db")
    with pytest.raises(LogUnavailable, match="replaced or removed") as caught:
        engine.rating_list("p", "elo")
    assert "open it again" in caught.value.hint


def test_the_process_may_change_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with rc.open("club.db") as engine:
        monkeypatch.chdir("/")
        assert engine.record(meeting(1)).accepted == 1
