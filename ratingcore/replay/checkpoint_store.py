"""The checkpoints of a pool: finds one where a replay may begin, and decides which of them to keep."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import TypeVar

from attrs import define, field

from ratingcore.columns.cache import say
from ratingcore.columns.cache_key import Damaged
from ratingcore.columns.view import View
from ratingcore.methods.contract import Method
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.replay.checkpoint_files import StateFile, StateFolder

WORTH = 20_000
"""Results from which on a replay costs more than the search for a checkpoint."""

FILE_SECONDS = 0.05
"""Time of a replay from which on it costs more than a file."""

TELLING = 100
"""Results as which a shorter run counts: most of its time is what every run costs, and tells little of a result."""

PARTS = 20
"""Checkpoints divide the whole history into at least this many parts."""

CLOSEST = 4096
"""Distance, in results, of the checkpoint next to the newest one."""

MANY = 100
"""Checkpoints of a method that are held for readers of earlier heads."""

MEMORY = 128 * 2**20
"""Bytes of checkpoints held in memory, at least. A method with more loses every second one; then other methods go."""

A_RESULT = 8
"""Bytes of checkpoints for each result, where that is more: a fraction of what the columns of a result take."""


@define
class _Of:
    """The checkpoints of one method, in memory and on disk by name, and its longest run: results, seconds of each."""

    held: list[Checkpoint] = field(factory=list)
    files: list[StateFile] = field(factory=list)
    longest: tuple[int, float] = (0, 0.0)


class Checkpoints:
    """Checkpoints of a pool by method, in memory and, if there is a folder, on disk.

    They lie a twentieth of the history apart, and closer and closer near its end, where the next correction most often
    falls. That makes about forty for a method, however long the log. Threads may share them.

    Parameters
    ----------
    folder : StateFolder or None
        None keeps them in memory only.
    digest_at : callable
        Digest of the first events of the log, up to a position: a checkpoint of another history does not count.
    tell : callable
        Called with a line of text when a damaged file is dropped.
    """

    def __init__(
        self, folder: StateFolder | None, digest_at: Callable[[int], str], tell: Callable[[str], object] = say
    ) -> None:
        self._folder = folder
        self._digest_at = digest_at
        self._tell = tell
        self._methods: OrderedDict[str, _Of] = OrderedDict()
        self._lock = threading.RLock()
        """Held while checkpoints are looked for or sorted out, never while a replay runs."""

    def _of(self, name: str) -> _Of:
        if name not in self._methods:
            files = self._folder.files(name) if self._folder else []
            self._methods[name] = _Of(files=files)
        self._methods.move_to_end(name)
        return self._methods[name]

    def nearest(self, method: Method, view: View, name: str) -> Checkpoint | None:
        """The latest checkpoint from which a replay of a view may begin; `name` is the identity of the method."""
        with self._lock:
            return self._nearest(method, view, self._of(name))

    def _nearest(self, method: Method, view: View, of: _Of) -> Checkpoint | None:
        # by place, and a checkpoint in memory overrules its own file, which would have to be read
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
        """The checkpoint in a file; a damaged file, or one of another history, is deleted."""
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
            self._tell(f"note: a checkpoint in {file.path.parent} is dropped: {damage}")
        except OSError:  # another process has made room
            pass
        if checkpoint is None:
            of.files.remove(file)
            self._folder.drop(file)
            return None
        of.held.append(checkpoint)
        return checkpoint

    def drop(self) -> None:
        """Delete all files, and forget what is held in memory."""
        self._methods.clear()
        if self._folder is not None:
            self._folder.clear()

    def pin(self, name: str, checkpoint: Checkpoint | None) -> None:
        """Keep a file of a checkpoint as long as there is room: a published list is made from it.

        `name` is the identity of its method.
        """
        if self._folder is not None and checkpoint is not None:
            with self._lock:
                self._folder.write(checkpoint, name, pinned=True)
                self._folder.tidy()
                self._of(name).files = self._folder.files(name)

    def keep(self, name: str, view: View, made: Iterable[Checkpoint], results: int, seconds: float) -> None:
        """Keep those checkpoints of a replay that are worth it.

        Parameters
        ----------
        name : str
            Identity of the method.
        results : int
            How many results the replay went through.
        seconds : float
            Time it took. Only what takes long to reach gets a file, as the longest replay tells.
        """
        with self._lock:
            self._keep(name, view, list(made), (results, seconds / max(results, TELLING)))

    def _keep(self, name: str, view: View, fresh: list[Checkpoint], run: tuple[int, float]) -> None:
        of = self._of(name)
        of.held += fresh
        of.longest = max(of.longest, run)
        cost = of.longest[1]
        if view.newest:
            of.held = _worth(of.held, view)
            if self._folder is not None:
                self._write(self._folder, of, name, view, FILE_SECONDS / max(cost, 1e-9))
        else:
            of.held = of.held[-MANY:]
        most = memory(view)
        while len(of.held) > 1 and sum(c.size for c in of.held) > most:
            of.held = of.held[::2]
        while len(self._methods) > 1 and sum(c.size for m in self._methods.values() for c in m.held) > most:
            self._methods.popitem(last=False)

    def _write(self, folder: StateFolder, of: _Of, name: str, view: View, far: float) -> None:
        """Write checkpoints that are far behind the nearest file, and delete files no longer worth their room."""
        there = [0, *(file.results for file in of.files)]
        wrote = False
        for checkpoint in sorted(of.held, key=lambda c: c.results):
            if not any(0 <= checkpoint.results - results < far for results in there):
                folder.write(checkpoint, name)
                there.append(checkpoint.results)
                wrote = True
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
    """Bytes of checkpoints that are held for views of so many results."""
    return max(MEMORY, A_RESULT * (view.n_games + view.n_sessions))


def _may_serve(file: StateFile, view: View) -> bool:
    """Whether a file is worth reading, by its name."""
    return view.same_before(file.known_at) > file.through and (not file.whole or file.through == view.through)


Some = TypeVar("Some", Checkpoint, StateFile)


def _worth(some: list[Some], view: View) -> list[Some]:
    """Those that are still valid for the newest reader, without those that lie closer to others than they need."""
    n = view.n_games + view.n_sessions
    valid = [c for c in some if c.known_at == view.known_at or view.same_before(c.known_at) > c.through]
    return [valid[at] for at in spread([c.results for c in valid], n)]


def spread(results: list[int], n: int) -> list[int]:
    """Indices of the places to keep in a history of `n` results, the newest first.

    A place is dropped where its neighbours are close enough without it.

    Examples
    --------
    >>> spread([100_000, 99_999, 99_990, 60_000, 59_000, 58_000], 100_000)
    [0, 2, 3, 5]
    """
    order = sorted(range(len(results)), key=lambda at: -results[at])
    spaced: list[int] = order[:1]
    for at, further in zip_longest(order[1:], order[2:]):
        if further is None or results[spaced[-1]] - results[further] > gap(n - results[at], n):
            spaced.append(at)
    return spaced


def gap(distance: int, n: int) -> float:
    """How far apart checkpoints may lie at a distance from the end, both in results."""
    return max(CLOSEST, min(distance / 2, n / PARTS))


def stops(start: int, n: int, newest: bool = True) -> list[int]:
    """Places, in results, at which a replay from one place to the end leaves checkpoints.

    Parameters
    ----------
    start, n : int
    newest : bool
        Whether the reader knows the whole log: what earlier ones knew is not corrected any more, so near the end of
        theirs no place is closer than elsewhere.

    Examples
    --------
    >>> stops(0, 100_000)[:3], stops(0, 100_000)[-3:], stops(99_000, 100_000)
    ([5000, 10000, 15000], [95000, 95904, 99999], [99999])
    >>> stops(0, 100_000, newest=False)[-3:]
    [90000, 95000, 99999]
    """
    places, distance = [n - 1], CLOSEST
    while newest and n - distance > start and distance < n / PARTS:
        places.append(n - distance)
        distance += max(distance, 1)
    part = max(CLOSEST, n // PARTS)
    places += range(part, n, part)
    return sorted({at for at in places if start < at < n})
