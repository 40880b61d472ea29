"""Columns kept beside the log: raw little-endian files and a manifest that says what they were made from."""

import hashlib
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratingcore.events import CORRECTIONS, canonical
from ratingcore.tables.building import known_at
from ratingcore.tables.corrections import Corrections
from ratingcore.tables.source import Source
from ratingcore.tables.timeline import GameTable, Players, SeedTable, SessionTable, Timeline, empty

FORMAT = 1
"""Version of the files; another one is rebuilt."""

_REWRITTEN = ("player.results",)
"""Columns that change where they stand when games are added; the others only grow."""

_SEEDED = "seed.value."
"""Begins the name of a column of seeds, which ends as the seed has it."""

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows has no flock: there a cache is always written anew
    fcntl = None  # type: ignore[assignment]  # stands for "not available"


class TimelineCache:
    """The timeline of one pool in a folder, brought up to the head of the log when it is opened.

    A cache is valid when the digest it was made from is the log's digest at that length. Whatever
    is wrong with it, it is made anew; where it cannot be written, it is done without.

    Parameters
    ----------
    folder : path or None
        Where the files are; None keeps nothing.
    """

    def __init__(self, folder: Path | None, pool: int) -> None:
        self._folder = folder
        self._pool = pool
        self._held: Timeline | None = None

    def at_head(self, log: Source) -> Timeline:
        """The timeline at the head of the log."""
        head = log.head
        held = self._held or self._open(log)
        if held is not None and held.known_at == head.position and held.digest == head.digest:
            self._held = held
            return held
        known = held if held is not None and held.known_at <= head.position else empty(self._pool, log.digest_at(0))
        self._held = known
        timeline = known_at(known, log, head.position)
        if self._folder is not None:
            self._save(timeline)
        self._held = timeline
        return timeline

    # reading

    def _manifest(self) -> dict[str, Any] | None:
        assert self._folder is not None
        try:
            manifest = json.loads((self._folder / "manifest.json").read_text())
            if not isinstance(manifest, dict) or manifest.pop("check", None) != _check(manifest):
                return None
        except (OSError, ValueError, RecursionError):
            return None
        return manifest if manifest["format"] == FORMAT and manifest["pool"] == self._pool else None

    def _open(self, log: Source) -> Timeline | None:
        if self._folder is None:
            return None
        manifest = self._manifest()
        if manifest is None or manifest["position"] > log.head.position:
            return None
        if log.digest_at(manifest["position"]) != manifest["digest"]:
            return None
        try:
            place = self._folder / manifest["generation"]
            columns = {name: _mapped(place / how[2], *how[:2]) for name, how in manifest["columns"].items()}
        except (OSError, ValueError):
            return None
        corrections = Corrections.of(log.rows(0, manifest["position"], CORRECTIONS))
        values = {name[len(_SEEDED) :]: column for name, column in columns.items() if name.startswith(_SEEDED)}
        return Timeline(
            self._pool, manifest["position"], manifest["digest"], corrections,
            GameTable(*(columns[f"game.{name}"] for name in GameTable._fields)),
            SessionTable(*(columns[f"session.{name}"] for name in SessionTable._fields)),
            SeedTable(columns["seed.position"], columns["seed.played"], columns["seed.player"], values),
            Players(*(columns[f"player.{name}"] for name in Players._fields)),
            frozenset(manifest["alone"]),
        )  # fmt: skip

    # writing

    def _save(self, timeline: Timeline) -> None:
        assert self._folder is not None
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with _locked(self._folder / "lock") as mine:
                if mine and not (fcntl and self._append(timeline)):
                    self._write(timeline)
        except OSError:  # a read-only folder, a full disk: only time is lost
            return

    def _append(self, timeline: Timeline) -> bool:
        """Add to the files that are there what has come since; False if they must be written anew."""
        assert self._folder is not None
        manifest, held = self._manifest(), self._held
        if manifest is None or held is None or manifest["digest"] != held.digest:
            return False
        columns = _columns(timeline)
        if columns.keys() != manifest["columns"].keys() or not _continues(held, timeline):
            return False
        place = self._folder / manifest["generation"]
        for name, column in columns.items():
            kind, length, file = manifest["columns"][name]
            if name not in _REWRITTEN and len(column) > length:
                _extend(place / file, np.ascontiguousarray(column[length:], dtype=kind), length * column.itemsize)
        self._publish(manifest["generation"], timeline, columns)
        for name in _REWRITTEN:
            (place / manifest["columns"][name][2]).unlink(missing_ok=True)
        return True

    def _write(self, timeline: Timeline) -> None:
        assert self._folder is not None
        generation = uuid.uuid4().hex[:12]
        place = self._folder / generation
        place.mkdir()
        columns = _columns(timeline)
        try:
            for name, file in _files(columns).items():
                if name not in _REWRITTEN:
                    _fill(place / file, columns[name])
            self._publish(generation, timeline, columns)
        except OSError:
            shutil.rmtree(place, ignore_errors=True)
            raise
        for old in self._folder.iterdir():
            if old.is_dir() and old.name != generation:
                shutil.rmtree(old, ignore_errors=True)
            elif old.name.startswith("manifest.") and old.suffix != ".json":  # of a process that was killed
                old.unlink(missing_ok=True)

    def _publish(self, generation: str, timeline: Timeline, columns: dict[str, NDArray[Any]]) -> None:
        assert self._folder is not None
        files = _files(columns)
        for name in _REWRITTEN:
            files[name] = f"{name}-{timeline.known_at}"
            _fill(self._folder / generation / files[name], columns[name])
        manifest = {
            "format": FORMAT,
            "pool": self._pool,
            "position": timeline.known_at,
            "digest": timeline.digest,
            "generation": generation,
            "alone": sorted(timeline.alone),
            "columns": {
                name: [column.dtype.newbyteorder("<").str, len(column), files[name]] for name, column in columns.items()
            },
        }
        fresh = self._folder / f"manifest.{generation}.{os.getpid()}"
        fresh.write_text(json.dumps(manifest | {"check": _check(manifest)}))
        fresh.replace(self._folder / "manifest.json")


def _fill(path: Path, column: NDArray[Any]) -> None:
    with path.open("wb") as file:
        file.write(np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("<")).data)
        file.flush()
        os.fsync(file.fileno())


def _extend(path: Path, column: NDArray[Any], size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)  # a killed process may have left more
        file.seek(0, os.SEEK_END)
        file.write(column.data)
        file.flush()
        os.fsync(file.fileno())


def _check(manifest: dict[str, Any]) -> str:
    """What tells a manifest that was written from one that was damaged."""
    return hashlib.sha256(canonical(manifest).encode()).hexdigest()


def _files(columns: dict[str, NDArray[Any]]) -> dict[str, str]:
    """File of each column; a seed may name columns in a way no file can be named."""
    seeded = sorted(name for name in columns if name.startswith(_SEEDED))
    return {name: name for name in columns} | {name: f"{_SEEDED}{number}" for number, name in enumerate(seeded)}


def _columns(timeline: Timeline) -> dict[str, NDArray[Any]]:
    columns = {f"game.{name}": column for name, column in timeline.games._asdict().items()}
    columns |= {f"session.{name}": column for name, column in timeline.sessions._asdict().items()}
    columns |= {f"seed.{name}": getattr(timeline.seeds, name) for name in ("position", "played", "player")}
    columns |= {_SEEDED + name: column for name, column in timeline.seeds.values.items()}
    columns |= {f"player.{name}": column for name, column in timeline.players._asdict().items()}
    return columns


def _continues(held: Timeline, timeline: Timeline) -> bool:
    """Whether the one is the other with more games after it: growing shares the rest, rebuilding makes it anew."""
    return held.seeds is timeline.seeds and held.sessions is timeline.sessions


def _mapped(path: Path, kind: str, length: int) -> NDArray[Any]:
    if length == 0:
        return np.empty(0, dtype=kind)
    mapped = np.memmap(path, dtype=kind, mode="r", shape=(length,))
    return mapped.view(np.ndarray)


@contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Hold the folder while writing; False if another process does."""
    with path.open("w") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
                return
        yield True
