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
from typing import Any

import pytest

from ratingcore.columns import cache, sealed_file
from ratingcore.columns.sealed_file import CacheKey, read_sealed, write_sealed
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
    """Write every event's news, and games into a file of their own, so that few events are enough for a test."""
    monkeypatch.setattr(cache, "NEWS", 1)
    monkeypatch.setattr(cache, "SMALL", -1)


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
    engine.core.view(POOL)
    (found,) = (tmp_path / "club.db.columns").iterdir()
    return found


def right(engine: Engine) -> bool:
    """Whether what is seen equals what is made from nothing."""
    timeline = engine.core.view(POOL).timeline
    assert columns(timeline) == columns(scratch(engine.log))
    assert kinds(timeline) == kinds(scratch(engine.log))
    return True


def facts(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "rest").read_bytes().partition(b"\n")[0])["facts"]
    return read


def body(folder: Path) -> Path:
    return folder / str(facts(folder)["games"][0])


def key(engine: Engine) -> CacheKey:
    return CacheKey(engine.log.key)


def test_opened_again_the_columns_are_the_same_and_mapped(opened: Open, folder: Path) -> None:
    before = (folder / "rest").read_bytes()
    engine = opened()
    games = engine.core.view(POOL).timeline.games
    assert not any(column.flags.owndata or column.flags.writeable for column in games)
    assert right(engine)
    assert (folder / "rest").read_bytes() == before, "what is valid is not written again"


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
    assert facts(folder)["position"] == len(HISTORY) + len(news)


def test_new_games_leave_the_file_of_the_body_as_it_is(opened: Open, folder: Path) -> None:
    before = body(folder)
    for day in (4, 5, 2.5, 6, 2.6):
        opened().record(game(day, "a", f"new {day}"))
        assert right(opened())
        assert right(opened())
    assert body(folder) == before
    assert facts(folder)["body"] == 2, "a late game splits the body"
    assert {path.name for path in folder.iterdir()} - {"stamp"} == {"rest", "lock", before.name}


def test_a_tail_that_has_grown_long_is_written_as_one_with_the_body(
    opened: Open, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LONG", 2)
    before = body(folder)
    opened().record(game(2.5, "a", "b"))
    assert right(opened())
    assert body(folder) == before
    opened().record(game(0, "a", "b"))
    assert right(opened())
    assert facts(folder)["body"] == 5
    assert list(folder.glob("games-*")) == [body(folder)] != [before]


def test_few_events_are_read_again_rather_than_written(
    opened: Open, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "NEWS", 3)
    before = facts(folder)
    opened().record(game(4, "a", "b"), game(0, "b", "c"))
    assert right(opened())
    assert facts(folder) == before
    opened().record(game(5, "a", "b"))
    assert right(opened())
    assert facts(folder)["position"] == len(HISTORY) + 3


def test_columns_of_a_short_history_are_in_one_file(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "SMALL", 300)
    files = list[int]()
    for number in range(8):
        opened().record(*(game(number + at / 10, "ab"[at % 2], "fc"[at % 2]) for at in range(3)))
        assert right(opened())
        assert right(opened())
        files.append(len(list((tmp_path / "club.db.columns").glob("*/games-*"))))
    assert files == sorted(files)
    assert (files[0], files[-1]) == (0, 1)


@pytest.mark.parametrize("small", [-1, 400, 2**18])
def test_a_random_history_opened_after_every_batch_is_right_each_time(
    small: int, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed_file.os, "fsync", lambda file: None)
    monkeypatch.setattr(cache, "SMALL", small)
    monkeypatch.setattr(cache, "LONG", 10)
    league = League(Random(5), sessions=True)
    for _ in range(30):
        engine = opened()
        engine.record(*league.batch())
        for pool in engine.pools():
            timeline = engine.core.view(pool).timeline
            assert columns(timeline) == columns(scratch(engine.log, pool=pool))
        engine.close()


# other logs and other versions


@pytest.mark.parametrize("history", ["another", "an earlier day"])
def test_another_log_under_the_same_name_is_not_taken_for_this_one(
    history: str, opened: Open, folder: Path, tmp_path: Path
) -> None:
    if history == "another":
        with open_engine(tmp_path / "other.db", registry=Registry()) as other:
            other.record(*HISTORY[::-1], game(5, "x", "y"))
    else:
        opened().log.backup(tmp_path / "other.db")
    opened().record(game(9, "a", "z"))
    assert right(opened())
    for path in tmp_path.glob("club.db*"):
        if path.is_file():
            path.unlink()
    shutil.move(tmp_path / "other.db", tmp_path / "club.db")
    engine = opened()
    assert "z" not in engine.core.view(POOL).names()
    assert right(engine)
    assert facts(folder)["digest"] == engine.log.head.digest


def test_a_cache_of_another_format_is_made_anew(
    opened: Open, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as later:
        later.setattr(cache, "FORMAT", cache.FORMAT + 1)
        opened().record(game(0, "a", "new"))
        opened().core.view(POOL)
    assert facts(folder)["format"] == cache.FORMAT + 1
    assert right(opened())
    assert facts(folder)["format"] == cache.FORMAT
    assert caplog.messages == []


def test_what_an_older_version_or_a_killed_process_left_is_cleared_away(opened: Open, folder: Path) -> None:
    (folder / "0123456789ab").mkdir()
    (folder / "manifest.json").write_text("{")
    (folder / "abandoned.part").write_text("{")
    opened().record(game(0, "a", "b"))
    assert right(opened())
    left = {path.name for path in folder.iterdir()} - {"stamp"}
    assert left == {"lock", "rest", body(folder).name}


def test_seed_columns_of_any_name_are_kept(opened: Open, tmp_path: Path) -> None:
    """Names of columns were names of files: one with a slash kept the cache from being written."""
    odd = {"a/b": 1.0, "long" * 99: 3.0, "..": 4.0, "rating": 5.0}
    opened().record(RatingSeeded(pool=POOL, played=0, player="a", values=odd), game(1, "a", "b"))
    assert right(opened())
    (folder,) = (tmp_path / "club.db.columns").iterdir()
    assert facts(folder)["position"] == 2
    assert right(opened())


# damage


def _folder_instead(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _pipe_instead(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


HARM: dict[str, Callable[[Path], object]] = {
    "gone": lambda file: file.unlink(),
    "empty": lambda file: file.write_text(""),
    "cut off": lambda file: file.write_bytes(file.read_bytes()[:-20]),
    "longer": lambda file: file.write_bytes(file.read_bytes() + b"garbage of a process that was killed"),
    "not text": lambda file: file.write_bytes(b"\xff\xfe\x00"),
    "a list": lambda file: file.write_text("[]"),
    "what no JSON holds": lambda file: file.write_text('{"check": "", "position": NaN, "pool": "\\ud800"}'),
    "deep": lambda file: file.write_text("[" * 100_000),
    "a folder": _folder_instead,
    "a pipe": _pipe_instead,
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM.keys())
@pytest.mark.parametrize("name", ["rest", "games-*", "stamp"])
def test_a_damaged_file_costs_only_time(
    name: str, harm: Callable[[Path], object], opened: Open, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    time.sleep(2 * sealed_file.YOUNG / 1e9)
    assert right(opened())
    (file,) = folder.glob(name)
    harm(file)
    assert right(opened())
    silent = name == "stamp" or (name == "rest" and harm is HARM["gone"])  # the latter as if there had never been any
    assert [line.split(":")[0] for line in caplog.messages] == ([] if silent else ["note"])
    opened().record(game(4, "a", "new"))
    assert right(opened())
    assert right(opened())


@pytest.mark.parametrize("harm", ["changed", "cut off"])
def test_an_open_engine_notices_that_its_files_are_changed(
    harm: str, opened: Open, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    engine = opened()
    assert right(engine)
    with body(folder).open("r+b") as file:
        file.readline()
        file.write(b"1234") if harm == "changed" else file.truncate(400)
    assert right(engine)
    assert len(caplog.messages) == 1
    (folder / "rest").write_bytes(b"{}")
    engine.record(game(5, "a", "newer"))
    assert right(engine), "an engine that holds the columns finds the rest damaged when it adds to them"
    assert right(opened())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("games", [file, "0" * 64]) for file in ("../../../other/letter.txt", "/etc/passwd", "", 3, "games-\n")),
        ("games", 7), ("games", None), ("games", [1]), ("body", -1), ("body", "x"), ("body", 10**9), ("alone", 7),
        ("alone", [-1]), ("position", "all"), ("position", -1), ("position", 10**9), ("digest", 7),
        ("digest", "0" * 64), ("pool", 99), ("format", None),
    ],
)  # fmt: skip
def test_facts_that_no_cache_writes_lead_nowhere_even_under_a_right_digest(
    name: str, value: object, opened: Open, folder: Path
) -> None:
    rest = read_sealed(folder / "rest", key(opened()))
    write_sealed(folder / "rest", key(opened()), {**rest.facts, name: value}, rest.columns)
    assert right(opened())
    opened().record(game(4, "a", "new"))
    assert right(opened())


@pytest.mark.parametrize("column", ["game.a", "game.b", "session.player", "seed.player", "player.id", "session.side",
                                    "session.result", "game.played", "player.first"])  # fmt: skip
@pytest.mark.parametrize("index", [2**30, -1, -(2**31)])
def test_who_has_the_key_cannot_forge_an_index_that_leads_outside(
    column: str, index: int, opened: Open, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    games, mine = body(folder), key(opened())
    sealed = read_sealed(games if column.startswith("game.") else folder / "rest", mine)
    forged = sealed.columns[column].copy()
    forged[len(forged) // 2] = index if forged.dtype.itemsize == 4 else index * 2**31
    changed = {**sealed.columns, column: forged}
    if column.startswith("game."):
        rest = read_sealed(folder / "rest", mine)
        check = write_sealed(games, mine, {}, changed)
        write_sealed(folder / "rest", mine, {**rest.facts, "games": [games.name, check]}, rest.columns)
    else:
        write_sealed(folder / "rest", mine, sealed.facts, changed)
    time.sleep(2 * sealed_file.YOUNG / 1e9)  # enough to be stamped at the first look, which the second one believed
    assert right(opened())
    assert "do not fit" in caplog.text


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A folder of somebody else's."""
    folder = tmp_path / "other"
    (folder / "within").mkdir(parents=True)
    (folder / "letter.txt").write_text("dear ann")
    (folder / "within" / "lock").write_text("of a door")
    return folder


LINKS = {
    "the folder": (".", "."), "the folder of the pool": ("1", "within"), "the lock": ("1/lock", "letter.txt"),
    "the rest": ("1/rest", "letter.txt"), "the stamp": ("1/stamp", "letter.txt"),
    "the games": ("1/games-*", "letter.txt"), "the games to nothing": ("1/games-*", "nothing"),
    "checkpoints": ("1.checkpoints", "within"),
    "what is cleared away": ("1/0123456789ab", "within"),
}  # fmt: skip


@pytest.mark.parametrize(("place", "target"), LINKS.values(), ids=LINKS.keys())
def test_no_link_is_followed(place: str, target: str, opened: Open, folder: Path, other: Path) -> None:
    link = next(iter(sorted(folder.parent.glob(place))), folder.parent / place) if place != "." else folder.parent
    if link.exists():
        link.rename(folder.parent.with_name("aside"))
    link.symlink_to(other / target, target_is_directory=(other / target).is_dir())
    for day in (5.0, 0.5):
        opened().record(game(day, "a", f"new {day}"))
        assert right(opened())
    files = {path.relative_to(other).as_posix(): path.read_text() for path in other.rglob("*") if path.is_file()}
    assert files == {"letter.txt": "dear ann", "within/lock": "of a door"}


# where nothing can be written


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

    before = facts(folder)
    opened().record(game(4, "a", "new"))
    monkeypatch.setattr(os, "open", closed)
    assert right(opened())
    assert facts(folder) == before


def test_where_no_folder_can_be_one_does_without(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "club.db.columns").write_text("a file stands where the folder should be")
    engine = opened()
    engine.record(*HISTORY)
    assert right(engine)


def test_a_full_disk_costs_only_time(opened: Open, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(sealed_file.os, "fsync", full)
        opened().record(game(4, "a", "new"))
        assert right(opened())
        opened().record(game(0, "a", "late"))
        assert right(opened())
    assert right(opened())
    assert facts(folder)["position"] == len(HISTORY) + 2


# other processes


def test_while_another_process_holds_the_folder_nothing_is_written(opened: Open, folder: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    before = facts(folder)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        opened().record(game(4, "a", "new"))
        assert right(opened())
        assert facts(folder) == before
    assert right(opened())
    assert facts(folder)["position"] == len(HISTORY) + 1


def test_an_engine_goes_on_with_its_columns_when_others_replace_the_files(
    opened: Open, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LONG", 0)
    reader = opened()
    reader.core.view(POOL)
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
        timeline = engine.core.view(POOL).timeline
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
