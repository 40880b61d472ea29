"""Sealed files: they hold what was written, or they are damaged; what was checked is not read again in vain."""

import json
import mmap
import os
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from ratingcore.columns import sealed_file
from ratingcore.columns.sealed_file import CacheKey, Damaged, Mapped, Sealed, read_sealed, write_sealed
from ratingcore.events import canonical

KEY = CacheKey("key of a log")
COLUMNS = {
    "score": np.linspace(0.0, 1.0, 100),
    "player": np.arange(33, dtype=np.int32),
    "": np.empty(0, dtype=np.int64),
    "a/b": np.arange(12.0).reshape(4, 3),
}


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A column has several digests, as one of many games has."""
    monkeypatch.setattr(sealed_file, "CHUNK", 256)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_sealed(tmp_path / "file", KEY, {"position": 7}, COLUMNS)
    return tmp_path / "file"


def mapped(path: Path, key: CacheKey = KEY) -> Sealed:
    return Mapped(path, key, None).sealed


def same(sealed: Sealed) -> bool:
    alike = (np.array_equal(sealed.columns[name], column) for name, column in COLUMNS.items())
    return sealed.facts == {"position": 7} and sealed.columns.keys() == COLUMNS.keys() and all(alike)


@pytest.mark.parametrize("way", [read_sealed, mapped])
def test_what_was_written_is_read_with_columns_that_loops_can_take(way: Callable[..., Sealed], path: Path) -> None:
    sealed = way(path, KEY)
    assert same(sealed)
    assert all(column.flags.aligned and not column.flags.writeable for column in sealed.columns.values())


@pytest.mark.parametrize("way", [read_sealed, mapped])
def test_whatever_is_changed_it_is_damaged_or_the_same(way: Callable[..., Sealed], path: Path) -> None:
    whole, random, noticed = path.read_bytes(), Random(1), 0
    for number in range(300):
        octets, at = bytearray(whole), random.randrange(len(whole))
        if number % 6 == 0:
            del octets[at:]
        elif number % 6 == 1:
            octets.extend(random.randbytes(random.randint(1, 40)))
        elif number % 6 == 2:
            octets[at : at + 8] = random.choice([b"\xff" * 8, b"\0" * 8, random.randbytes(8)])
        else:
            octets[at] ^= 1 << random.randrange(8)
        path.write_bytes(octets)
        try:
            assert same(way(path, KEY)), number
        except Damaged:
            noticed += 1
    assert noticed > 250, "what is not noticed is space between columns"
    path.write_bytes(whole)
    with pytest.raises(Damaged):
        way(path, CacheKey("key of another log"))


def forged(path: Path, **changes: object) -> None:
    """Writes another head, under a digest that is right."""
    line, _, body = path.read_bytes().partition(b"\n")
    head = json.loads(line) | changes
    del head["check"]
    head["check"] = KEY.digest(canonical(head).encode())
    path.write_bytes(json.dumps(head).encode() + b"\n" + body)


@pytest.mark.parametrize(
    "columns",
    [
        7, None, [7], [["a", "<f8", [1]]], [["a", "<z9", [1], ["x"]]], [["a", "|O8", [1], ["x"]]],
        [["a", "<f8", [1], 7]],
        *([["a", "<f8", shape, []]] for shape in ([10**30], [2**40, 2**40], [0, 2**70], [-1], ["x"], [True], None, 3)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("way", [read_sealed, mapped])
def test_a_head_that_fits_no_file_is_damage_under_a_right_digest(
    way: Callable[..., Sealed], columns: object, path: Path
) -> None:
    forged(path, columns=columns)
    with pytest.raises(Damaged):
        way(path, KEY)


def test_only_plain_files_are_opened(path: Path, tmp_path: Path) -> None:
    link, folder, other = tmp_path / "link", tmp_path / "folder", tmp_path / "other"
    link.symlink_to(path)
    folder.mkdir()
    places = [link, folder]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        places.append(tmp_path / "pipe")
    os.link(path, other)  # a backup by hard links shares files with us
    for place in (*places, path):
        with pytest.raises(Damaged, match="plain"):
            read_sealed(place, KEY)


def aged(path: Path) -> Path:
    """The stamp of a file that is old enough for one."""
    stamp = path.with_name("stamp")
    time.sleep(2 * sealed_file.YOUNG / 1e9)
    Mapped(path, KEY, stamp).vouch()
    return stamp


def test_a_stamped_file_is_not_read_again_until_it_is_written_to(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stamp = aged(path)
    assert Mapped(path, KEY, stamp).stamped
    assert not Mapped(path, CacheKey("key of a log"), None).stamped
    os.utime(path)
    assert not Mapped(path, KEY, stamp).stamped
    stamp = aged(path)
    assert Mapped(path, KEY, stamp).stamped
    monkeypatch.setattr(sealed_file, "boot", lambda: "another boot")
    assert not Mapped(path, KEY, stamp).stamped
    monkeypatch.setattr(sealed_file, "boot", lambda: "")
    assert not Mapped(path, KEY, stamp).stamped


@pytest.mark.parametrize("stamped", [True, False])
def test_a_file_that_is_changed_while_it_is_mapped_is_noticed(stamped: bool, path: Path) -> None:
    stamp = aged(path) if stamped else None
    held = Mapped(path, KEY, stamp)
    held.check()
    with path.open("r+b") as file:
        file.readline()
        file.write(bytes([1]) * 8)
    with pytest.raises(Damaged):
        held.check()
    path.unlink()
    held.check()  # nobody can change it any more


def write_through(file: Path, held: mmap.mmap, content: bytes) -> bool:
    """Writes through a shared mapping of a file; returns whether that changes the times of the file."""
    before = file.stat().st_ctime_ns
    held[:] = content
    return file.stat().st_ctime_ns != before


def test_a_write_through_a_mapping_that_was_made_before_the_stamp_is_found(path: Path) -> None:
    head, newline, body = path.read_bytes().partition(b"\n")
    with path.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as held:
        held[:] = held[:]  # every page is dirty, so that no later write would change the times of the file
        stamp = aged(path)
        shows = write_through(path, held, head + newline + bytes(len(body)))
    if shows:  # a file system in memory keeps no such times
        with pytest.raises(Damaged):
            Mapped(path, KEY, stamp)
