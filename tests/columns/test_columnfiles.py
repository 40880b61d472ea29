"""The folder of columns: whatever a manifest says and whatever links lie there, nothing outside it is touched."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ratingcore.columns import cache, columnfiles
from ratingcore.columns.cache_key import CacheKey
from ratingcore.engine import open_engine
from ratingcore.registry import Registry
from tests.columns.making import POOL, columns, game, scratch


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write every event's news, each column into a file of its own, so that few events are enough for a test."""
    monkeypatch.setattr(cache, "NEWS", 1)
    monkeypatch.setattr(columnfiles, "SMALL", -1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with open_engine(tmp_path / "club.db", registry=Registry()) as engine:
        engine.record(game(1, "a", "b"), game(2, "c", "a"))
        engine.view(POOL)
    return tmp_path / "club.db"


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A folder of somebody else's."""
    folder = tmp_path / "other"
    (folder / "within").mkdir(parents=True)
    (folder / "letter.txt").write_text("dear ann")
    (folder / "within" / "lock").write_text("of a door")
    return folder


def untouched(other: Path) -> bool:
    files = {path.relative_to(other).as_posix(): path.read_text() for path in other.rglob("*") if path.is_file()}
    return files == {"letter.txt": "dear ann", "within/lock": "of a door"}


def works(path: Path) -> bool:
    """Whether lists are right while the log grows, in order and late."""
    for day in (5.0, 0.5):
        with open_engine(path, registry=Registry()) as engine:
            engine.record(game(day, "a", f"new {day}"))
            assert columns(engine.view(POOL).timeline) == columns(scratch(engine.log))
    return True


def forged(path: Path, **otherwise: object) -> None:
    """A manifest that says something else, with the digest that belongs to it."""
    with open_engine(path, registry=Registry()) as engine:
        key = CacheKey(engine.log.key)
    file = path.with_name("club.db.columns") / "1" / "manifest.json"
    facts = json.loads(file.read_text()) | otherwise
    del facts["check"]
    file.write_text(json.dumps({**facts, "check": key.of_facts(facts)}))


@pytest.mark.parametrize(
    "generation", ["../../../other", "..", ".", "", "/etc", "0123456789ab/..", "0123456789ab\n", 7, None, ["x"]]
)
def test_a_generation_leads_nowhere_else(generation: object, path: Path, other: Path) -> None:
    forged(path, generation=generation)
    assert works(path)
    assert untouched(other)


@pytest.mark.parametrize("file", ["../../../../other/letter.txt", "/etc/passwd", "game.a", "", 3, None, {}])
def test_a_file_leads_nowhere_else(file: object, path: Path, other: Path) -> None:
    manifest = json.loads((path.with_name("club.db.columns") / "1" / "manifest.json").read_text())
    kind, length, name = manifest["files"]["game.a"]
    digests = manifest["digests"] | ({file: manifest["digests"][name]} if isinstance(file, str) else {})
    forged(path, files=manifest["files"] | {"game.a": [kind, length, file]}, digests=digests)
    assert works(path)
    assert untouched(other)


def _generation(pool: Path) -> Path:
    return next(entry for entry in pool.iterdir() if entry.is_dir())


def _link_to(place: Callable[[Path], Path], target: str) -> Callable[[Path, Path], None]:
    def put(path: Path, other: Path) -> None:
        folder = path.with_name("club.db.columns")
        link, end = place(folder), other / target
        aside = path.with_name("aside")
        if link.exists():
            link.rename(aside)
        link.symlink_to(end, target_is_directory=end.is_dir())

    return put


LINKS = {
    "the folder": _link_to(lambda folder: folder, "."),
    "the folder of the pool": _link_to(lambda folder: folder / "1", "within"),
    "the generation": _link_to(lambda folder: _generation(folder / "1"), "within"),
    "another generation": _link_to(lambda folder: folder / "1" / "0123456789ab", "within"),
    "the lock": _link_to(lambda folder: folder / "1" / "lock", "letter.txt"),
    "the manifest": _link_to(lambda folder: folder / "1" / "manifest.json", "letter.txt"),
    "the stamp": _link_to(lambda folder: folder / "1" / "stamp.json", "letter.txt"),
    "a column": _link_to(lambda folder: next((folder / "1").glob("*/game.a-*")), "letter.txt"),
    "a column to nothing": _link_to(lambda folder: next((folder / "1").glob("*/game.b-*")), "nothing"),
    "checkpoints": _link_to(lambda folder: folder / "1.checkpoints", "within"),
}


@pytest.mark.parametrize("put", LINKS.values(), ids=LINKS.keys())
def test_no_link_is_followed(put: Callable[[Path, Path], None], path: Path, other: Path) -> None:
    put(path, other)
    assert works(path)
    assert untouched(other)
    assert sorted(entry.name for entry in other.rglob("*")) == ["letter.txt", "lock", "within"]


def test_a_column_that_has_another_name_elsewhere_is_not_added_to(path: Path, other: Path) -> None:
    """A backup by hard links shares files with us: what is added here would appear there."""
    copies = {file: other / file.name for file in (path.with_name("club.db.columns") / "1").glob("*/game.*")}
    for file, copy in copies.items():
        os.link(file, copy)
    before = {copy: copy.read_bytes() for copy in copies.values()}
    assert works(path)
    assert {copy: copy.read_bytes() for copy in copies.values()} == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("name", ["manifest.json", "stamp.json", "lock", "column"])
def test_a_pipe_stops_nobody(name: str, path: Path) -> None:
    pool = path.with_name("club.db.columns") / "1"
    file = next(pool.glob("*/game.a-*")) if name == "column" else pool / name
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    assert works(path)


def test_a_generation_that_became_a_link_while_the_log_is_open_is_left_alone(tmp_path: Path) -> None:
    with open_engine(tmp_path / "club.db", registry=Registry()) as engine:
        engine.record(*(game(number, "a", "b") for number in range(1, 200)))
        engine.view(POOL)
        victim = tmp_path / "victim"
        victim.mkdir()
        (victim / "precious.txt").write_text("mine")
        (generation,) = (path for path in (tmp_path / "club.db.columns" / "1").iterdir() if path.is_dir())
        generation.rename(tmp_path / "moved")
        generation.symlink_to(victim)
        engine.record(*(game(number / 2, "b", "c") for number in range(1, 100)))
        assert engine.view(POOL).n_games == 298
    assert [path.name for path in victim.iterdir()] == ["precious.txt"]
