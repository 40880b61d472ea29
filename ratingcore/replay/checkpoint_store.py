"""Store of the checkpoints of a pool: where a replay may begin, and which checkpoints are kept."""

import hashlib
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from attrs import define, field

from ratingcore.columns.cache import warn
from ratingcore.columns.sealed_file import Array, CacheKey, Damaged, is_folder, read_sealed, remove, write_sealed
from ratingcore.columns.view import View
from ratingcore.methods.contract import Coefficient, Method
from ratingcore.methods.state import State
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.replay.contract_check import Remarks

FORMAT = 3
"""Version of the files; files of other versions are ignored until they are cleared away."""

ROOM = 256 * 2**20
"""Bytes that the files of a pool's checkpoints may take; methods unused for longest are dropped first."""

WORTH = 20_000
"""Number of results above which a replay costs more than the search for a checkpoint."""

FILE_SECONDS = 0.05
"""Duration, in seconds, above which a replay is worth a file."""

BYTES_A_SECOND = 200 * 2**20
"""Largest number of bytes of a file for each second of replay that it saves: writing takes half of that time."""

TELLING = 100
"""Least number of results by which the time of a run is divided: most of a shorter run's time is fixed cost."""

PARTS = 20
"""Largest number of parts into which checkpoints divide the history, approximately."""

CLOSEST = 4096
"""Least number of results between two checkpoints."""

MANY = 100
"""Largest number of checkpoints of a method that are kept after a replay for a reader of an earlier head."""

MEMORY = 128 * 2**20
"""Bytes of a pool's checkpoints in memory. Beyond that, a method drops every second one; then methods are dropped."""

A_RESULT = 8
"""Bytes in memory per result of the pool, if that makes more. With three times as many, a list of a new rule took half
as long again, to copy states."""


_GAMES = "games of each player"
"""Name of the column of games in a file; no column of a method has it, since their names are single words."""

_FOLDER = r"[0-9a-f]{24}"
_NAME = r"(-?[0-9]{1,19})_([0-9]{1,19})_([0-9]{1,19})_([sw])(p?)\.sealed"


class StateFile(NamedTuple):
    """File of a checkpoint, with the facts in its name."""

    through: int
    known_at: int
    results: int
    whole: bool
    pinned: bool
    path: Path


class StateFolder:
    """Checkpoints of a pool on disk: a folder per method, and in it a sealed file per checkpoint.

    If nothing can be written, replays only take longer. Links are not followed.

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
        """The files of all methods."""
        return [file for folder in self._folders() for file in _state_files(folder)]

    def _folders(self) -> list[Path]:
        if not is_folder(self._path):
            return []
        return [path for path in self._path.iterdir() if re.fullmatch(_FOLDER, path.name) and is_folder(path)]

    def read(self, file: StateFile) -> tuple[str, Checkpoint]:
        """Reads the checkpoint in a file, and the identity of its method.

        Raises
        ------
        Damaged
            If the file was not written with the key of this log, or was changed.
        OSError
            If the file cannot be read.
        """
        sealed = read_sealed(file.path, self._key)
        facts, columns = sealed.facts, dict(sealed.columns)
        try:
            place = (facts["through"], facts["known_at"], facts["results"], facts["date"] is not None)
            fits = place == file[:4] and file.path.parent == self._of(facts["identity"])
            identity, digest, described, date = (facts[name] for name in ("identity", "digest", "facts", "date"))
            coefficients = tuple(Coefficient.of_row(one) for one in facts.get("coefficients", ()))
            remarks = Remarks(tuple(facts.get("left_out", {}).items()), facts.get("stopped", ""), coefficients)
        except (AttributeError, LookupError, TypeError, ValueError):
            fits = False
        if not fits:
            raise Damaged(f"{file.path.name} is not of this log, or was changed")
        with suppress(OSError):
            os.utime(file.path.parent)  # the time of a method's folder records its last use
        games = columns.pop(_GAMES, None)
        state = State(columns)
        return identity, Checkpoint(
            file.known_at, digest, file.through, file.results, state, games, described, date, remarks=remarks
        )  # fmt: skip

    def write(self, checkpoint: Checkpoint, identity: str, pinned: bool = False) -> None:
        """Writes a checkpoint; does nothing if that is impossible."""
        games = checkpoint.games
        columns: dict[str, Array] = {} if games is None else {_GAMES: games.astype(np.int64, copy=False)}
        columns |= {name: checkpoint.state[name] for name in checkpoint.state.names}
        named = ("digest", "through", "known_at", "results", "facts", "date")
        facts = {"identity": identity, **{name: getattr(checkpoint, name) for name in named}}
        facts |= {"left_out": dict(checkpoint.remarks.left_out)} if checkpoint.remarks.left_out else {}
        facts |= {"stopped": checkpoint.remarks.stopped} if checkpoint.remarks.stopped else {}
        coefficients = [one.as_row for one in checkpoint.remarks.coefficients]
        facts |= {"coefficients": coefficients} if coefficients else {}
        kind = ("s" if checkpoint.date is None else "w") + ("p" if pinned else "")
        name = f"{checkpoint.through}_{checkpoint.known_at}_{checkpoint.results}_{kind}.sealed"
        folder = self._of(identity)
        with suppress(OSError):
            self._path.mkdir(parents=True, exist_ok=True)
            if is_folder(self._path):
                folder.mkdir(exist_ok=True)
            if is_folder(self._path) and is_folder(folder):
                write_sealed(folder / name, self._key, facts, columns, stored=False)

    def drop(self, file: StateFile) -> None:
        """Deletes a file."""
        remove(file.path)

    def clear(self) -> None:
        """Deletes all files."""
        for folder in self._folders():
            remove(folder)

    def tidy(self) -> None:
        """Deletes files until the rest fit in `ROOM`: first the folders of methods unused for longest."""
        try:
            folders = sorted(self._folders(), key=lambda path: path.lstat().st_mtime)
            sizes = {folder: sum(file.lstat().st_size for file in folder.iterdir()) for folder in folders}
        except OSError:  # another process is tidying
            return
        taken = sum(sizes.values())
        for folder in folders[:-1]:
            if taken <= ROOM:
                return
            remove(folder)
            taken -= sizes[folder]
        if folders and taken > ROOM:  # one method is left: delete its oldest files
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
    """Returns the files of checkpoints in a folder, with the facts in their names."""
    try:
        return [file for path in folder.iterdir() if (file := _parsed(path))] if is_folder(folder) else []
    except OSError:
        return []


def _parsed(path: Path) -> StateFile | None:
    """Parses the name of a file; None if it is not a checkpoint."""
    words = re.fullmatch(_NAME, path.name)
    if words is None:
        return None
    through, known_at, results = (int(words[at]) for at in (1, 2, 3))
    if max(abs(through), known_at, results) >= 2**63:  # more than a log can hold
        return None
    return StateFile(through, known_at, results, words[4] == "w", bool(words[5]), path)


@define
class _Of:
    """Checkpoints of one method in memory, names of those on disk, and its longest run: results, seconds per result."""

    held: list[Checkpoint] = field(factory=list)
    files: list[StateFile] = field(factory=list)
    longest: tuple[int, float] = (0, 0.0)


class Checkpoints:
    """Checkpoints of a pool by method, in memory and, if there is a folder, on disk.

    They are a twentieth of the history apart, but at least `CLOSEST` results, with one at the end. Threads may share
    them.

    Parameters
    ----------
    folder : StateFolder or None
        None keeps them in memory only.
    digest_at : callable
        Returns the digest of the events of the log up to a position: a checkpoint with another digest is dropped.
    notify : callable
        Called with a line of text when a damaged file is dropped.
    """

    def __init__(
        self, folder: StateFolder | None, digest_at: Callable[[int], str], notify: Callable[[str], object] = warn
    ) -> None:
        self._folder = folder
        self._digest_at = digest_at
        self._notify = notify
        self._methods: OrderedDict[str, _Of] = OrderedDict()
        self._lock = threading.RLock()
        """Held while checkpoints are searched or sorted out, never while a replay runs."""

    def _of(self, name: str) -> _Of:
        if name not in self._methods:
            files = self._folder.files(name) if self._folder else []
            self._methods[name] = _Of(files=files)
        self._methods.move_to_end(name)
        return self._methods[name]

    def nearest(self, method: Method, view: View, name: str) -> Checkpoint | None:
        """Returns the latest checkpoint from which a replay of a view may begin; `name` is the method's identity."""
        with self._lock:
            of = self._of(name)
            # by place; a checkpoint in memory takes precedence over its own file, which need not be read then
            candidates: list[Checkpoint | StateFile] = [*of.files, *of.held]
            here = {(c.through, c.known_at): c for c in candidates if c.through <= view.through}
            for place in sorted(here, reverse=True):
                candidate = here[place]
                if isinstance(candidate, StateFile):
                    checkpoint = self._read(of, candidate, method, view) if _may_serve(candidate, view) else None
                else:
                    checkpoint = candidate
                if checkpoint is not None and checkpoint.serves(view, method):
                    return checkpoint
            return None

    def _read(self, of: _Of, file: StateFile, method: Method, view: View) -> Checkpoint | None:
        """Reads the checkpoint in a file; deletes the file if it is damaged or of another history."""
        assert self._folder is not None
        checkpoint = None
        try:
            _, checkpoint = self._folder.read(file)
            if self._digest_at(checkpoint.known_at) != checkpoint.digest:
                checkpoint = None
            elif not checkpoint.fits(method, view):
                raise Damaged(f"{file.path.name} has other columns than its method")
        except Damaged as damage:
            checkpoint = None
            self._notify(f"note: a checkpoint in {file.path.parent} is dropped: {damage}")
        except OSError:  # another process has made room
            pass
        if checkpoint is None:
            of.files.remove(file)
            self._folder.drop(file)
            return None
        of.held.append(checkpoint)
        return checkpoint

    def drop(self) -> None:
        """Deletes all files, and clears the memory."""
        self._methods.clear()
        if self._folder is not None:
            self._folder.clear()

    def pin(self, name: str, checkpoint: Checkpoint | None) -> None:
        """Keeps a checkpoint in a file as long as there is room, because a published list is made from it.

        `name` is the identity of its method.
        """
        if self._folder is not None and checkpoint is not None:
            with self._lock:
                self._folder.write(checkpoint, name, pinned=True)
                self._folder.tidy()
                self._of(name).files = self._folder.files(name)

    def keep(self, name: str, view: View, made: Iterable[Checkpoint], results: int, seconds: float) -> None:
        """Keeps the checkpoints of a replay that are worth their room.

        Parameters
        ----------
        name : str
            Identity of the method.
        results : int
            Number of results in the replay.
        seconds : float
            Duration of the replay. A state gets a file only if it takes long to reach, at the speed of the longest
            replay.
        """
        with self._lock:
            of = self._of(name)
            of.held += made
            of.longest = max(of.longest, (results, seconds / max(results, TELLING)))
            if view.newest:
                of.held = _worth(of.held, view)
                if self._folder is not None:
                    self._write(self._folder, of, name, view)
            else:
                of.held = of.held[-MANY:]
            most = memory(view)
            while len(of.held) > 1 and sum(c.size for c in of.held) > most:
                of.held = of.held[::2]
            while len(self._methods) > 1 and sum(c.size for m in self._methods.values() for c in m.held) > most:
                self._methods.popitem(last=False)

    def _write(self, folder: StateFolder, of: _Of, name: str, view: View) -> None:
        """Writes checkpoints that save a long replay, newest first, until they take all the room.

        Files are ever farther from each other towards the beginning, since most late games are near the end. Files not
        worth their room are deleted.
        """
        there = [0, *(file.results for file in of.files)]
        wrote, room, apart, a_result = False, ROOM, 0.0, max(of.longest[1], 1e-9)
        for checkpoint in sorted(of.held, key=lambda c: -c.results):
            far = max(apart, FILE_SECONDS / a_result, checkpoint.size / BYTES_A_SECOND / a_result)
            if checkpoint.size <= room and all(abs(checkpoint.results - results) >= far for results in there):
                folder.write(checkpoint, name)
                there.append(checkpoint.results)
                room, apart, wrote = room - checkpoint.size, max(2 * apart, checkpoint.results / PARTS), True
        if not wrote:
            return
        files = [file for file in folder.files(name) if not file.pinned]
        worth = {file.path for file in _worth(files, view)}
        for file in files:
            if file.path not in worth:
                folder.drop(file)
        folder.tidy()
        of.files = folder.files(name)


def memory(view: View) -> int:
    """Returns how many bytes the checkpoints of a pool may take in memory."""
    return max(MEMORY, A_RESULT * (view.n_games + view.n_sessions))


def _may_serve(file: StateFile, view: View) -> bool:
    """True if, by the name of a file, its checkpoint may serve a view."""
    return view.same_before(file.known_at) > file.through and (not file.whole or file.through == view.through)


Some = TypeVar("Some", Checkpoint, StateFile)


def _worth(some: list[Some], view: View) -> list[Some]:
    """Returns the checkpoints that are valid for the newest reader, without those between two that are close enough."""
    apart = _apart(view.n_games + view.n_sessions, view.n_players)
    valid = [c for c in some if c.known_at == view.known_at or view.same_before(c.known_at) > c.through]
    newest = sorted(valid, key=lambda c: -c.results)
    worth = newest[:2]  # the second serves when further results of the last moment arrive
    for one, further in zip_longest(newest[2:], newest[3:]):
        if further is None or worth[-1].results - further.results > apart:
            worth.append(one)
    return worth


def _apart(n: int, players: int) -> int:
    """Returns the number of results between two checkpoints in a history of `n` results.

    A state has a row for each player: to copy it costs about as much as to rate a quarter as many results.
    """
    return max(CLOSEST, n // PARTS, players // 4)


def stops(start: int, n: int, players: int) -> list[int]:
    """Returns the numbers of results after which a replay, from `start` to the end, leaves checkpoints.

    Examples
    --------
    >>> stops(0, 100_000, 50)[:2], stops(0, 100_000, 50)[-2:], stops(99_000, 100_000, 50)
    ([5000, 10000], [95000, 99999], [99999])
    """
    return sorted({at for at in (*range(0, n, _apart(n, players)), n - 1) if start < at < n})
