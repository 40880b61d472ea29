"""Columns kept beside the log: whatever is wrong with them, the answer is right."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import numpy as np
import pytest

from ratingcore.columns import cache, columnfiles, plain_files
from ratingcore.columns import manifest as manifests
from ratingcore.engine import Engine, open_engine
from ratingcore.events import Event, RatingSeeded
from ratingcore.registry import Registry
from tests.columns.making import POOL, columns, game, kinds, scratch, seed, session
from tests.laws.histories import League

HISTORY = [
    game(1, "a", "b"), game(2, "c", "a"), seed(1, "c"), session(2, ("de", 50.0), ("f", 40.0)), game(3, "b", "f"),
]  # fmt: skip
Open = Callable[[], Engine]


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write every event's news, each column into a file of its own, so that few events are enough for a test."""
    monkeypatch.setattr(cache, "NEWS", 1)
    monkeypatch.setattr(columnfiles, "SMALL", -1)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens the one log of a test again, with whatever is kept beside it."""
    with ExitStack() as engines:
        yield lambda: engines.enter_context(open_engine(tmp_path / "club.db", registry=Registry()))


@pytest.fixture
def folder(opened: Open, tmp_path: Path) -> Path:
    """The cache of a pool, filled."""
    engine = opened()
    engine.record(*HISTORY)
    engine.view(POOL)
    (found,) = (tmp_path / "club.db.columns").iterdir()
    return found


def right(engine: Engine) -> bool:
    """Whether what is seen equals what is made from nothing."""
    timeline = engine.view(POOL).timeline
    assert columns(timeline) == columns(scratch(engine.log))
    assert kinds(timeline) == kinds(scratch(engine.log))
    return True


def manifest(folder: Path) -> dict[str, object]:
    read: dict[str, object] = json.loads((folder / "manifest.json").read_text())
    return read


def files(folder: Path) -> dict[str, list[object]]:
    return manifest(folder)["files"]  # type: ignore[return-value]  # as it is written


def test_opened_again_the_columns_are_the_same_and_mapped(opened: Open, folder: Path) -> None:
    before = manifest(folder)
    engine = opened()
    games = engine.view(POOL).timeline.games
    assert all(isinstance(column.base, np.memmap) for column in games)
    assert right(engine)
    assert manifest(folder) == before, "what is valid is not written again"


def test_mapped_columns_are_read_only(opened: Open, folder: Path) -> None:
    timeline = opened().view(POOL).timeline
    with pytest.raises(ValueError, match="read-only"):
        timeline.games.score[0] = 0.5


@pytest.mark.parametrize(
    "news",
    [
        [game(4, "a", "b")], [game(4, "x", "y"), game(5, "y", "a")], [game(0, "a", "b")], [seed(4, "a")],
        [session(4, ("a", 1.0), ("b", 0.0))], [game(4, "a", "b", pool="other")], [RatingSeeded(
            pool=POOL, played=0, player="a", values={"rating": 1.0, "deviation": 2.0})],
    ],
)  # fmt: skip
def test_a_stale_cache_is_brought_up_to_the_head(news: list[Event], opened: Open, folder: Path) -> None:
    opened().record(*news)
    assert right(opened())
    assert right(opened())
    assert manifest(folder)["position"] == len(HISTORY) + len(news)


def test_games_in_order_are_added_to_the_files_that_are_there(opened: Open, folder: Path) -> None:
    before = manifest(folder)["generation"]
    for day in range(4, 8):
        opened().record(game(day, "a", f"new {day}"))
        assert right(opened())
    assert manifest(folder)["generation"] == before
    named = {manifest(folder)["pack"][0], *(file for _, _, file in files(folder).values())}  # type: ignore[index]  # a list
    assert {path.name for path in (folder / str(before)).iterdir()} == named, "no file is left behind"


def test_a_late_game_makes_the_tail_anew_and_leaves_the_body(opened: Open, folder: Path) -> None:
    before, body = manifest(folder)["generation"], files(folder)["game.a"]
    opened().record(game(2.5, "a", "b"))
    assert right(opened())
    now = files(folder)
    assert manifest(folder)["generation"] == before
    assert (now["game.a"][1], now["tail.a"][1]) == (2, 2)
    assert now["game.a"][2] == body[2], "the file of the body is the same"
    for day in (4, 2.6, 5):
        opened().record(game(day, "b", f"new {day}"))
        assert right(opened())
        assert right(opened())


def test_a_tail_that_has_grown_long_is_written_as_one_with_the_body(
    opened: Open, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LONG", 2)
    before = manifest(folder)["generation"]
    opened().record(game(2.5, "a", "b"))
    assert right(opened())
    assert manifest(folder)["generation"] == before
    opened().record(game(0, "a", "b"))
    assert right(opened())
    assert files(folder)["tail.a"][1] == 0
    assert [path.name for path in folder.iterdir() if path.is_dir()] == [manifest(folder)["generation"]] != [before]


def test_few_events_are_read_again_rather_than_written(
    opened: Open, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "NEWS", 3)
    before = manifest(folder)
    opened().record(game(4, "a", "b"), game(0, "b", "c"))
    assert right(opened())
    assert manifest(folder) == before
    opened().record(game(5, "a", "b"))
    assert right(opened())
    assert manifest(folder)["position"] == len(HISTORY) + 3


def test_a_random_history_opened_after_every_batch_is_right_each_time(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_files.os, "fsync", lambda file: None)
    league = League(Random(5), sessions=True)
    for _ in range(40):
        engine = opened()
        engine.record(*league.batch())
        for pool in engine.pools():
            timeline = engine.view(pool).timeline
            assert columns(timeline) == columns(scratch(engine.log, pool=pool))
        engine.close()


def test_another_log_under_the_same_name_is_not_taken_for_this_one(opened: Open, folder: Path, tmp_path: Path) -> None:
    with open_engine(tmp_path / "other.db", registry=Registry()) as other:
        other.record(*HISTORY[::-1], game(5, "x", "y"))
    for path in tmp_path.glob("club.db*"):
        if path.is_file():
            path.unlink()
    shutil.move(tmp_path / "other.db", tmp_path / "club.db")
    assert right(opened())
    assert manifest(folder)["digest"] == opened().log.head.digest


def test_a_log_restored_to_an_earlier_day_is_not_shown_what_came_later(
    opened: Open, folder: Path, tmp_path: Path
) -> None:
    opened().backup(tmp_path / "then.db")
    opened().record(game(9, "a", "z"))
    assert right(opened())
    for path in tmp_path.glob("club.db*"):
        if path.is_file():
            path.unlink()
    shutil.move(tmp_path / "then.db", tmp_path / "club.db")
    engine = opened()
    assert "z" not in engine.view(POOL).names()
    assert right(engine)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "it is empty": lambda file: file.write_text(""),
    "it is cut off": lambda file: file.write_text(file.read_text()[:-20]),
    "it is not text": lambda file: file.write_bytes(b"\xff\xfe\x00"),
    "it is a list": lambda file: file.write_text("[]"),
    "it holds what no JSON holds": lambda file: file.write_text('{"check": "", "position": NaN, "pool": "\\ud800"}'),
    "it is deep": lambda file: file.write_text("[" * 100_000),
    "it says nothing": lambda file: file.write_text("{}"),
    "it is of another pool": lambda file: _said(file, pool=99),
    "it names no columns": lambda file: _said(file, files={}),
    "it lacks a column": lambda file: _said(file, files=_less(json.loads(file.read_text())["files"])),
    "it lacks all but the format": lambda file: file.write_text(
        json.dumps({name: json.loads(file.read_text())[name] for name in ("format", "pool")})
    ),
    "its columns are a list": lambda file: _said(file, files=[1, 2]),
    "its columns are numbers": lambda file: _said(file, files={"game.a": 3}),
    "a column has no such kind": lambda file: _said(file, files={"game.a": ["<z9", 1, "game.a"]}),
    "its position is a word": lambda file: _said(file, position="all"),
    "its position is beyond the log": lambda file: _said(file, position=10**9),
    "its position is below the log": lambda file: _said(file, position=-1),
    "its digest is another one": lambda file: _said(file, digest="0" * 64),
    "its generation is gone": lambda file: _said(file, generation="nowhere"),
    "its generation is a number": lambda file: _said(file, generation=7),
    "its games left out are a word": lambda file: _said(file, alone=7),
    "it is gone": lambda file: file.unlink(),
    "it is a folder": lambda file: (file.unlink(), file.mkdir()),
}


def _said(file: Path, **otherwise: object) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | otherwise))


def _less(columns: dict[str, object]) -> dict[str, object]:
    return {name: column for name, column in columns.items() if name != "game.score"}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_manifest_costs_only_time(damage: Callable[[Path], object], opened: Open, folder: Path) -> None:
    damage(folder / "manifest.json")
    assert right(opened())
    opened().record(game(4, "a", "new"))
    assert right(opened())
    damaged_again = folder / "manifest.json"
    if damaged_again.is_file():
        reader = opened()
        assert right(reader)
        damage(damaged_again)
        reader.record(game(5, "a", "newer"))
        assert right(reader), "an engine that holds the columns finds the manifest damaged when it adds to them"


def test_a_cache_of_another_format_is_made_anew(opened: Open, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as later:
        later.setattr(manifests, "FORMAT", manifests.FORMAT + 1)
        opened().record(game(0, "a", "new"))
        opened().view(POOL)
    assert manifest(folder)["format"] == manifests.FORMAT + 1
    assert right(opened())
    assert manifest(folder)["format"] == manifests.FORMAT


def test_what_a_killed_process_left_is_cleared_away(opened: Open, folder: Path) -> None:
    (folder / "abandoned").mkdir()
    (folder / "manifest.abandoned.123").write_text("{")
    opened().record(game(0, "a", "b"))
    assert right(opened())
    left = {path.name for path in folder.iterdir()} - {"stamp.json"}
    assert left == {"lock", "manifest.json", manifest(folder)["generation"]}


FILES = ("game.position", "game.score", "session.player", "seed.played", "player.id", "results")


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("harm", ["missing", "short", "empty", "long", "folder"])
def test_a_damaged_file_costs_only_time(file: str, harm: str, opened: Open, folder: Path) -> None:
    (path,) = (folder / str(manifest(folder)["generation"])).glob(f"{file}*")
    content = path.read_bytes()
    path.unlink()
    if harm == "folder":
        path.mkdir()
    elif harm != "missing":
        path.write_bytes(
            {"short": content[:-1], "empty": b"", "long": content + b"garbage of a process that was killed"}[harm]
        )
    assert right(opened())
    opened().record(game(4, "a", "new"))
    assert right(opened())
    assert right(opened())


def test_seed_columns_of_any_name_are_kept(opened: Open, tmp_path: Path) -> None:
    """Names of columns were names of files: one with a slash kept the cache from being written."""
    odd = {"a/b": 1.0, "long" * 99: 3.0, "..": 4.0, "rating": 5.0}
    opened().record(RatingSeeded(pool=POOL, played=0, player="a", values=odd), game(1, "a", "b"))
    assert right(opened())
    (folder,) = (tmp_path / "club.db.columns").iterdir()
    assert manifest(folder)["position"] == 2
    assert right(opened())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_in_a_read_only_folder_one_does_without(opened: Open, folder: Path) -> None:
    opened().record(game(4, "a", "new"))
    folder.chmod(0o500)
    try:
        assert right(opened())
    finally:
        folder.chmod(0o700)


def test_where_nothing_can_be_opened_to_write_one_does_without(
    opened: Open, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = os.open

    def closed(path: Path, flags: int, *args: int) -> int:
        if flags & os.O_RDWR and folder in Path(path).parents:
            raise PermissionError(13, "Permission denied")
        return plain(path, flags, *args)

    before = manifest(folder)
    opened().record(game(4, "a", "new"))
    monkeypatch.setattr(os, "open", closed)
    assert right(opened())
    assert manifest(folder) == before


def test_where_no_folder_can_be_one_does_without(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "club.db.columns").write_text("a file stands where the folder should be")
    engine = opened()
    engine.record(*HISTORY)
    assert right(engine)


def test_a_full_disk_costs_only_time(opened: Open, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(plain_files.os, "fsync", full)
        opened().record(game(4, "a", "new"))
        assert right(opened())
        opened().record(game(0, "a", "late"))
        assert right(opened())
    assert right(opened())
    assert manifest(folder)["position"] == len(HISTORY) + 2


def test_while_another_process_holds_the_folder_nothing_is_written(opened: Open, folder: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    before = manifest(folder)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        opened().record(game(4, "a", "new"))
        assert right(opened())
        assert manifest(folder) == before
    assert right(opened())
    assert manifest(folder)["position"] == len(HISTORY) + 1


def test_an_engine_goes_on_with_its_columns_when_others_replace_the_files(opened: Open, folder: Path) -> None:
    reader = opened()
    reader.view(POOL)
    for day in (0.1, 0.2):
        opened().record(game(day, "late", "a"))
        assert right(opened())
    assert right(reader)
    reader.record(game(9, "a", "b"))
    assert right(reader)
    assert right(opened())


WORKER = """
import sys
from pathlib import Path
from random import Random
from ratingcore.engine import open_engine
from ratingcore.registry import Registry
from tests.columns.making import POOL, columns, game, scratch

path, number, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random = Random(number)
with open_engine(path, registry=Registry()) as engine:
    print("ready", flush=True)
    for turn in range(rounds):
        day = 10 + turn if random.random() < 0.7 else 1
        engine.record(*(game(day, random.choice("abcdefgh") + str(number), "x") for _ in range(random.randint(1, 60))))
        timeline = engine.view(POOL).timeline
        if rounds < 1000:
            assert columns(timeline) == columns(scratch(engine.log, timeline.known_at)), turn
"""


def _worker(path: Path, number: int, rounds: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WORKER, str(path), str(number), str(rounds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_processes_at_once_both_see_what_is_right(opened: Open, folder: Path, tmp_path: Path) -> None:
    workers = [_worker(tmp_path / "club.db", number, 25) for number in range(2)]
    for worker in workers:
        worker.communicate(timeout=60)
    assert [worker.returncode for worker in workers] == [0, 0]
    assert right(opened())


def test_a_process_killed_while_it_writes_leaves_nothing_that_misleads(
    opened: Open, folder: Path, tmp_path: Path
) -> None:
    random = Random(7)
    for number in range(6):
        with _worker(tmp_path / "club.db", number, 10**6) as worker:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
            time.sleep(random.uniform(0.01, 0.25))
            worker.send_signal(signal.SIGKILL)
        assert worker.returncode == -signal.SIGKILL
        engine = opened()
        assert right(engine)
        engine.close()
