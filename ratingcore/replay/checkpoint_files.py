"""Files of checkpoints: one each, written whole or not at all, within the room a folder may take."""

import hashlib
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.atomic_file import atomic_file
from ratingcore.methods.state import State
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.tables.arrays import frozen_array

FORMAT = 1
"""Version of the files; others are left alone until they are cleared away."""

ROOM = 256 * 2**20
"""Bytes that the checkpoints of a pool may take; those of methods not asked for longest go first."""


_GAMES = "games of each player"
"""Name of a column that no method has: those are single words."""


class StateFile(NamedTuple):
    """A file of a checkpoint, with what its name says of it."""

    through: int
    known_at: int
    results: int
    whole: bool
    pinned: bool
    path: Path


class StateFolder:
    """Checkpoints of a pool on disk: a folder a method, a file a checkpoint, named by what it holds.

    A file is written beside its place and then moved there, and carries a digest of itself, so whatever a killed
    process or a failing disk leaves behind is noticed. Where nothing can be written, only time is lost.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def _of(self, identity: str) -> Path:
        return self._path / hashlib.sha256(f"{FORMAT} {identity}".encode()).hexdigest()[:24]

    def files(self, identity: str) -> list[StateFile]:
        """The files of a method's checkpoints."""
        try:
            return [file for path in self._of(identity).iterdir() if (file := _parsed(path)) is not None]
        except OSError:
            return []

    def read(self, file: StateFile, identity: str) -> Checkpoint | None:
        """The checkpoint in a file; None if the file is damaged."""
        try:
            content = file.path.read_bytes()
            head, _, body = content.partition(b"\n")
            facts = json.loads(head)
            if facts["identity"] != identity or hashlib.sha256(body).hexdigest() != facts["sha256"]:
                return None
            columns, at = {}, 0
            for name, kind, shape in facts["columns"]:
                size = int(np.prod(shape)) * np.dtype(kind).itemsize
                column = np.frombuffer(body, dtype=kind, count=int(np.prod(shape)), offset=at)
                columns[name] = frozen_array(column.reshape(shape))
                at += size
            os.utime(file.path.parent)  # the folder of a method is as old as the last look at it
        except (OSError, ValueError, LookupError, TypeError):
            return None
        games = columns.pop(_GAMES, None)
        return Checkpoint(
            file.known_at, facts["digest"], file.through, file.results, State(columns), games, facts["facts"],
            facts["date"],
        )  # fmt: skip

    def write(self, checkpoint: Checkpoint, identity: str, pinned: bool = False) -> None:
        """Write a checkpoint; does nothing if that is not possible."""
        columns: dict[str, NDArray[Any]] = {} if checkpoint.games is None else {_GAMES: checkpoint.games}
        columns |= {name: checkpoint.state[name] for name in checkpoint.state.names}
        body = b"".join(np.ascontiguousarray(c, dtype=c.dtype.newbyteorder("<")).tobytes() for c in columns.values())
        head = {
            "identity": identity,
            "digest": checkpoint.digest,
            "facts": checkpoint.facts,
            "date": checkpoint.date,
            "sha256": hashlib.sha256(body).hexdigest(),
            "columns": [[n, c.dtype.newbyteorder("<").str, list(c.shape)] for n, c in columns.items()],
        }
        kind = ("s" if checkpoint.date is None else "w") + ("p" if pinned else "")
        name = f"{checkpoint.through}_{checkpoint.known_at}_{checkpoint.results}_{kind}"
        try:
            folder = self._of(identity)
            folder.mkdir(parents=True, exist_ok=True)
            with atomic_file(folder / f"{name}.state", f"{uuid.uuid4().hex}.part") as fresh:
                fresh.write_bytes(json.dumps(head).encode() + b"\n" + body)
        except OSError:
            return

    def drop(self, file: StateFile) -> None:
        """Delete a file."""
        try:
            file.path.unlink(missing_ok=True)
        except OSError:
            return

    def tidy(self) -> None:
        """Make room: the folders that were read longest ago go first."""
        try:
            folders = sorted((path for path in self._path.iterdir() if path.is_dir()), key=lambda p: p.stat().st_mtime)
            sizes = {folder: sum(file.stat().st_size for file in _files(folder)) for folder in folders}
        except OSError:  # another process is tidying
            return
        taken = sum(sizes.values())
        for folder in folders[:-1]:
            if taken <= ROOM:
                return
            shutil.rmtree(folder, ignore_errors=True)
            taken -= sizes[folder]
        if folders and taken > ROOM:  # one method alone: its oldest files go
            for file in sorted(_files(folders[-1]), key=lambda path: path.stat().st_mtime):
                if taken <= ROOM:
                    return
                taken -= file.stat().st_size
                file.unlink(missing_ok=True)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.is_file())


def _parsed(path: Path) -> StateFile | None:
    """A file by what its name says; None if it is no checkpoint."""
    words = path.stem.split("_")
    if path.suffix != ".state" or len(words) != 4:
        return None
    try:
        through, known_at, results = map(int, words[:3])
    except ValueError:
        return None
    return StateFile(through, known_at, results, "w" in words[3], "p" in words[3], path)
