"""Files of checkpoints: one each, written whole or not at all, within the room a folder may take."""

import hashlib
import json
import math
import os
import re
import shutil
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.atomic_file import atomic_file
from ratingcore.columns.arrays import frozen_array
from ratingcore.columns.cache_key import CacheKey, Damaged
from ratingcore.columns.plain_files import content, fresh, is_folder
from ratingcore.methods.state import State
from ratingcore.replay.checkpoint import Checkpoint

FORMAT = 2
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

    A file is written beside its place and then moved there, and carries a digest of all that it and its name say, keyed
    with the key of the log. So whatever a killed process, a failing disk or a stranger leaves behind is noticed. Where
    nothing can be written, only time is lost. No link is followed.

    Parameters
    ----------
    path : path
    key : CacheKey
    """

    def __init__(self, path: Path, key: CacheKey) -> None:
        self._path = path
        self._key = key

    def _of(self, identity: str) -> Path:
        return self._path / hashlib.sha256(f"{FORMAT} {identity}".encode()).hexdigest()[:24]

    def files(self, identity: str) -> list[StateFile]:
        """The files of a method's checkpoints."""
        return _state_files(self._of(identity)) if is_folder(self._path) else []

    def all(self) -> list[StateFile]:
        """The files of all methods, those of other versions too."""
        return [file for folder in self._folders() for file in _state_files(folder)]

    def _folders(self) -> list[Path]:
        if not is_folder(self._path):
            return []
        return [path for path in self._path.iterdir() if _FOLDER.fullmatch(path.name) and is_folder(path)]

    def read(self, file: StateFile) -> tuple[str, Checkpoint]:
        """The checkpoint in a file, and the identity of its method.

        Raises
        ------
        Damaged
            If it is not what was written with the key of this log.
        OSError
            If the file cannot be read.
        """
        head, _, body = content(file.path, ROOM).partition(b"\n")
        try:
            facts = json.loads(head)
            check = facts.pop("check")
            genuine = facts["body"] == self._key.digest(body) and check == self._key.of_facts(facts)
            place = (facts["through"], facts["known_at"], facts["results"], facts["date"] is not None)
            genuine = genuine and place == file[:4] and file.path.parent == self._of(facts["identity"])
            columns = _columns(facts["columns"], body) if genuine else {}
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
            genuine = False
        if not genuine:
            raise Damaged(f"{file.path.name} is not of this log, or was changed")
        with suppress(OSError):
            os.utime(file.path.parent)  # the folder of a method is as old as the last look at it
        games = columns.pop(_GAMES, None)
        return facts["identity"], Checkpoint(
            file.known_at, facts["digest"], file.through, file.results, State(columns), games, facts["facts"],
            facts["date"],
        )  # fmt: skip

    def write(self, checkpoint: Checkpoint, identity: str, pinned: bool = False) -> None:
        """Write a checkpoint; does nothing if that is not possible."""
        columns: dict[str, NDArray[Any]] = {} if checkpoint.games is None else {_GAMES: checkpoint.games}
        columns |= {name: checkpoint.state[name] for name in checkpoint.state.names}
        body = b"".join(np.ascontiguousarray(c, dtype=c.dtype.newbyteorder("<")).tobytes() for c in columns.values())
        facts = {
            "identity": identity,
            "digest": checkpoint.digest,
            "through": checkpoint.through,
            "known_at": checkpoint.known_at,
            "results": checkpoint.results,
            "facts": checkpoint.facts,
            "date": checkpoint.date,
            "body": self._key.digest(body),
            "columns": [[n, c.dtype.newbyteorder("<").str, list(c.shape)] for n, c in columns.items()],
        }
        head = {**facts, "check": self._key.of_facts(facts)}
        kind = ("s" if checkpoint.date is None else "w") + ("p" if pinned else "")
        name = f"{checkpoint.through}_{checkpoint.known_at}_{checkpoint.results}_{kind}"
        try:
            folder = self._of(identity)
            self._path.mkdir(parents=True, exist_ok=True)
            if not is_folder(self._path):
                return
            folder.mkdir(exist_ok=True)
            if not is_folder(self._path) or not is_folder(folder):
                return
            with (
                atomic_file(folder / f"{name}.state", f"{uuid.uuid4().hex}.part") as unfinished,
                fresh(unfinished) as new,
            ):
                new.write(json.dumps(head).encode() + b"\n" + body)
        except OSError:
            return

    def drop(self, file: StateFile) -> None:
        """Delete a file."""
        try:
            file.path.unlink(missing_ok=True)
        except OSError:
            return

    def clear(self) -> None:
        """Delete all files."""
        for folder in self._folders():
            shutil.rmtree(folder, ignore_errors=True)

    def tidy(self) -> None:
        """Make room: the folders that were read longest ago go first."""
        try:
            folders = sorted(self._folders(), key=lambda path: path.lstat().st_mtime)
            sizes = {folder: sum(file.lstat().st_size for file in folder.iterdir()) for folder in folders}
        except OSError:  # another process is tidying
            return
        taken = sum(sizes.values())
        for folder in folders[:-1]:
            if taken <= ROOM:
                return
            shutil.rmtree(folder, ignore_errors=True)
            taken -= sizes[folder]
        if folders and taken > ROOM:  # one method alone: its oldest files go
            for file in sorted(_state_files(folders[-1]), key=lambda file: _age(file.path)):
                if taken <= ROOM:
                    return
                taken -= file.path.lstat().st_size
                self.drop(file)


def _age(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


def _state_files(folder: Path) -> list[StateFile]:
    """The files of checkpoints in a folder, by what their names say."""
    try:
        return [file for path in folder.iterdir() if (file := _parsed(path))] if is_folder(folder) else []
    except OSError:
        return []


def _columns(named: list[Any], body: bytes) -> dict[str, NDArray[Any]]:
    """Columns by name, from what says their kinds and shapes; `ValueError` or `TypeError` if the bytes do not fit."""
    columns, at = {}, 0
    for name, kind, shape in named:
        count = math.prod(shape)
        column = np.frombuffer(body, dtype=_KINDS[kind], count=count, offset=at) if count else np.empty(0, _KINDS[kind])
        columns[str(name)] = frozen_array(column.reshape(shape))
        at += column.nbytes
    if at != len(body):
        raise ValueError("more than its columns")
    return columns


_KINDS = {"<i8": np.dtype("<i8"), "<f8": np.dtype("<f8")}
_FOLDER = re.compile(r"[0-9a-f]{24}")
_NAME = re.compile(r"(-?[0-9]{1,19})_([0-9]{1,19})_([0-9]{1,19})_([sw])(p?)\.state")


def _parsed(path: Path) -> StateFile | None:
    """A file by what its name says; None if it is no checkpoint."""
    words = _NAME.fullmatch(path.name)
    if words is None:
        return None
    through, known_at, results = (int(words[at]) for at in (1, 2, 3))
    if max(abs(through), known_at, results) >= 2**63:  # more than a log can hold
        return None
    return StateFile(through, known_at, results, words[4] == "w", bool(words[5]), path)
