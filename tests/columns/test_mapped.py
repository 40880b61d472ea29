"""Columns in files: a flipped bit, a forged index or a file changed under an open engine never reaches a list."""

import mmap
import os
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from ratingcore.columns import cache, columnfiles, stamp
from ratingcore.columns.cache_key import CacheKey
from ratingcore.columns.columnfiles import ColumnFolder
from ratingcore.engine import Engine, open_engine
from ratingcore.registry import Registry
from tests.columns.making import POOL, columns, game, scratch, seed, session

HISTORY = [
    game(1, "a", "b"), game(2, "c", "a"), seed(1, "c"), session(2, ("de", 50.0), ("f", 40.0)), game(3, "b", "f"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write every event's news, each column into a file of its own, so that few events are enough for a test."""
    monkeypatch.setattr(cache, "NEWS", 1)
    monkeypatch.setattr(columnfiles, "SMALL", -1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log whose columns have been written."""
    with open_engine(tmp_path / "club.db", registry=Registry()) as engine:
        engine.record(*HISTORY)
        engine.view(POOL)
    return tmp_path / "club.db"


@pytest.fixture
def engine(path: Path) -> Iterator[Engine]:
    with open_engine(path, registry=Registry()) as opened:
        yield opened


def pool_folder(path: Path) -> Path:
    return path.with_name("club.db.columns") / "1"


def column_files(path: Path) -> list[Path]:
    """The files that hold something, in one order."""
    return sorted(file for file in pool_folder(path).glob("*/*-*") if file.stat().st_size)


def flip(file: Path, bit: int) -> None:
    octets = bytearray(file.read_bytes())
    octets[bit // 8 % len(octets)] ^= 1 << bit % 8
    file.write_bytes(octets)


def right(engine: Engine) -> bool:
    return columns(engine.view(POOL).timeline) == columns(scratch(engine.log))


def aged(path: Path) -> None:
    """Let the files become old enough for a stamp."""
    time.sleep(2 * stamp.YOUNG / 1e9)
    with open_engine(path, registry=Registry()) as engine:
        engine.view(POOL)


@pytest.mark.parametrize("stamped", [False, True])
def test_a_flipped_bit_in_any_column_is_noticed_and_told_in_one_line(
    stamped: bool, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(len(column_files(path))):
        if stamped:
            aged(path)
        flip(column_files(path)[number], 7 * number)
        with open_engine(path, registry=Registry()) as engine:
            assert right(engine)
        assert [line.split(":")[0] for line in caplog.messages] == ["note"]
        caplog.clear()
        with open_engine(path, registry=Registry()) as engine:
            assert right(engine)
        assert caplog.messages == []


def test_a_stamped_file_is_not_read_again_until_it_is_written_to(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aged(path)
    hashed: list[int] = []
    chunks = CacheKey.chunks
    monkeypatch.setattr(CacheKey, "chunks", lambda key, data: hashed.append(len(data)) or chunks(key, data))
    with open_engine(path, registry=Registry()) as engine:
        assert right(engine)
        assert not any(hashed), "only the file of short columns, which are none here"
    os.utime(column_files(path)[0])
    with open_engine(path, registry=Registry()) as engine:
        assert right(engine)
    assert sum(map(bool, hashed)) == 1


def test_a_stamp_of_another_boot_or_another_key_counts_for_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aged(path)
    file, key = pool_folder(path) / "stamp.json", CacheKey("key")
    assert stamp.Stamp(file, key).read() == {}
    with open_engine(path, registry=Registry()) as engine:
        key = CacheKey(engine.log.key)
    assert stamp.Stamp(file, key).read()
    monkeypatch.setattr(stamp, "boot", lambda: "another boot")
    assert stamp.Stamp(file, key).read() == {}


def test_an_open_engine_notices_that_its_files_are_changed(
    engine: Engine, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert right(engine)
    (score,) = (file for file in column_files(path) if file.name.startswith("game.score"))
    with score.open("r+b") as file:
        file.write(struct.pack("<d", 0.5))
    assert right(engine)
    (player,) = (file for file in column_files(path) if file.name.startswith("game.a"))
    os.truncate(player, 4)
    assert right(engine)
    assert len(caplog.messages) == 2


def test_what_was_mapped_is_not_written_again_once_it_is_changed(engine: Engine, path: Path) -> None:
    """A late game splits the body, and its end is written to files of the tail, under new digests."""
    assert right(engine)
    (score,) = (file for file in column_files(path) if file.name.startswith("game.score"))
    engine.record(game(2.5, "a", "b"))
    with score.open("r+b") as file:
        file.seek(16)
        file.write(struct.pack("<d", 0.25))
    assert right(engine)
    with open_engine(path, registry=Registry()) as again:
        assert right(again)


@pytest.mark.parametrize("column", ["game.a", "game.b", "session.player", "seed.player", "player.id", "session.side",
                                    "session.result", "game.played", "player.first"])  # fmt: skip
@pytest.mark.parametrize(("index", "old"), [(2**30, False), (-1, False), (-(2**31), False), (-1, True)])
def test_who_has_the_key_cannot_forge_an_index_that_leads_outside(
    column: str, index: int, old: bool, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_engine(path, registry=Registry()) as engine:
        folder = ColumnFolder(pool_folder(path), CacheKey(engine.log.key))
    manifest = folder.manifest(1)
    assert manifest is not None
    known = manifest.files[column]
    file = folder.path / manifest.generation / known.name
    forged = np.fromfile(file, dtype=known.kind)
    forged[len(forged) // 2] = index if known.kind == "<i4" else index * 2**31
    file.write_bytes(forged.tobytes())
    told = evolve(known, digests=folder.key.chunks(forged.data))
    folder.publish(evolve(manifest, files={**manifest.files, column: told}))
    if old:  # enough to be stamped at the first look, which the second one believed
        time.sleep(2 * stamp.YOUNG / 1e9)
    with open_engine(path, registry=Registry()) as engine:
        assert right(engine)
    assert "do not fit" in caplog.text


def write_through(file: Path, held: mmap.mmap, content: bytes) -> bool:
    """Writes through a shared mapping of a file; returns whether the times of the file tell."""
    before = file.stat().st_ctime_ns
    held[:] = content
    return file.stat().st_ctime_ns != before


def test_a_write_through_a_mapping_that_was_made_before_the_stamp_is_found(path: Path) -> None:
    (file,) = pool_folder(path).glob("*/game.score-*")
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as held:
        held[:] = held[:]  # every page is dirty, so that no later write would change the times of the file
        time.sleep(0.1)
        with open_engine(path, registry=Registry()) as engine:
            right = columns(engine.view(POOL).timeline)["games.score"]  # checked and stamped
        tells = write_through(file, held, bytes(len(held)))
        with open_engine(path, registry=Registry()) as engine:
            found = columns(engine.view(POOL).timeline)["games.score"]
    assert found == right or not tells  # a file system in memory keeps no such times
    scratch = path.with_name("scratch")
    scratch.write_bytes(bytes(4096))
    with scratch.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as held:
        os.fsync(opened.fileno())
        time.sleep(0.1)
        assert write_through(scratch, held, bytes([1]) * 4096) == tells


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log whose columns are short, and so have been written into one file."""
    monkeypatch.setattr(columnfiles, "SMALL", 2**18)
    with open_engine(tmp_path / "short.db", registry=Registry()) as engine:
        engine.record(*HISTORY)
        engine.view(POOL)
    return tmp_path / "short.db"


def packs(path: Path) -> list[Path]:
    return list((path.with_name("short.db.columns") / "1").glob("*/*"))


def test_short_columns_lie_in_one_file_and_read_as_in_files_of_their_own(packed: Path) -> None:
    (file,) = packs(packed)
    assert file.name.startswith("pack-")
    with open_engine(packed, registry=Registry()) as engine:
        assert right(engine)
        assert not engine.view(POOL).timeline.games.score.flags.writeable
    assert packs(packed) == [file], "what is valid is not written again"


@pytest.mark.parametrize("aged_first", [False, True])
def test_any_change_of_the_file_of_short_columns_is_noticed(
    aged_first: bool, packed: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """However old it is: no stamp is ever asked about it."""
    size = packs(packed)[0].stat().st_size
    changes = [lambda file, at=at: flip(file, at) for at in range(0, 8 * size, 61)]
    changes += [lambda file: os.truncate(file, size - 8), lambda file: file.write_bytes(file.read_bytes() + bytes(8))]
    for change in changes:
        (file,) = packs(packed)
        if aged_first:
            os.utime(file, (0, 0))
        change(file)
        with open_engine(packed, registry=Registry()) as engine:
            assert right(engine)
        assert [line.split(":")[0] for line in caplog.messages] == ["note"]
        caplog.clear()


def test_what_is_written_to_the_file_of_short_columns_later_reaches_no_open_engine(packed: Path) -> None:
    with open_engine(packed, registry=Registry()) as engine:
        assert right(engine)
        (file,) = packs(packed)
        file.write_bytes(bytes(file.stat().st_size))
        assert right(engine)
    with open_engine(packed, registry=Registry()) as engine:
        assert right(engine)


@pytest.mark.parametrize("day", [9, 2.5])
def test_columns_that_outgrow_the_file_of_short_ones_get_files_of_their_own(
    day: float, packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In order and late, and columns of one player beside them are still short."""
    monkeypatch.setattr(columnfiles, "SMALL", 300)
    for number in range(6):
        with open_engine(packed, registry=Registry()) as engine:
            engine.record(*(game(day + number + at / 10, "ab"[at % 2], "fc"[at % 2]) for at in range(3)))
            assert right(engine)
        with open_engine(packed, registry=Registry()) as engine:
            assert right(engine)
    names = sorted(file.name.partition("-")[0] for file in packs(packed))
    assert names == ["game.a", "game.b", "game.order", "game.played", "game.position", "game.score", "pack"]
