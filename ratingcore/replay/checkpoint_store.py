"""The checkpoints of a pool: where a replay may begin, and which of them are worth keeping."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from attrs import define, field

from ratingcore.methods.contract import Method
from ratingcore.methods.text import identity
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.replay.checkpoint_files import Kept, StateFolder
from ratingcore.tables.view import View

WORTH = 20_000
"""Results from which on a replay costs more than looking for a checkpoint."""

FILE_SECONDS = 0.05
"""Time of a replay from which on it costs more than a file."""

PARTS = 20
"""Checkpoints divide the whole history into so many parts at least."""

CLOSEST = 4096
"""Distance, in results, of the checkpoint next to the newest one."""

MANY = 100
"""Checkpoints of a method that are held for readers of earlier heads."""

MEMORY = 128 * 2**20
"""Bytes of checkpoints that are held in memory; of a method that has more every second goes, then other methods go."""


@define
class _Of:
    """The checkpoints of one method: in memory, and on disk by name."""

    held: list[Checkpoint] = field(factory=list)
    files: list[Kept] = field(factory=list)


class Checkpoints:
    """Checkpoints of a pool by method, in memory and, if there is a folder, on disk.

    They lie at growing distances behind the newest: a twentieth of the history apart, and near the end closer and
    closer. So there are some forty of a method, however long the log.

    Parameters
    ----------
    folder : path or None
        None keeps them in memory only.
    digest_at : callable
        Digest of the first events of the log, up to a position: a checkpoint of another history is none.
    """

    def __init__(self, folder: Path | None, digest_at: Callable[[int], str]) -> None:
        self._folder = None if folder is None else StateFolder(folder)
        self._digest_at = digest_at
        self._methods: OrderedDict[str, _Of] = OrderedDict()

    def _of(self, name: str) -> _Of:
        if name not in self._methods:
            files = self._folder.kept(name) if self._folder else []
            self._methods[name] = _Of(files=files)
        self._methods.move_to_end(name)
        return self._methods[name]

    def nearest(self, method: Method, view: View) -> Checkpoint | None:
        """The latest checkpoint from which a replay of a view may begin."""
        name = identity(method)
        of = self._of(name)
        candidates: list[Checkpoint | Kept] = [*of.files, *of.held]  # what is held stands before its file
        here = {(c.through, c.known_at): c for c in candidates if c.through <= view.through}
        for place in sorted(here, reverse=True):
            found = here[place]
            if isinstance(found, Kept):
                if view.same_before(found.known_at) <= found.through or (found.whole and found.through != view.through):
                    continue
                read = self._read(of, found, name)
                if read is None:
                    continue
                found = read
            if found.serves(view, method):
                return found
        return None

    def _read(self, of: _Of, kept: Kept, name: str) -> Checkpoint | None:
        """The checkpoint in a file; a damaged one, or one of another history, goes."""
        assert self._folder is not None
        found = self._folder.read(kept, name)
        if found is None or self._digest_at(found.known_at) != found.digest:
            of.files.remove(kept)
            self._folder.drop(kept)
            return None
        of.held.append(found)
        return found

    def pin(self, method: Method, checkpoint: Checkpoint | None) -> None:
        """Keep a file of a checkpoint for good, as far as there is room: a published list is made from it."""
        name = identity(method)
        if self._folder is not None and checkpoint is not None:
            self._folder.write(checkpoint, name, pinned=True)
            self._folder.tidy()
            self._of(name).files = self._folder.kept(name)

    def keep(self, method: Method, view: View, made: Iterable[Checkpoint], cost: float) -> None:
        """Keep checkpoints that a replay has made.

        Parameters
        ----------
        cost : float, seconds
            What a result took: there are files only of what took long to reach.
        """
        name, fresh = identity(method), list(made)
        of = self._of(name)
        of.held += fresh
        if view.newest:
            of.held = _worth(of.held, view)
            if self._folder is not None:
                self._write(self._folder, of, name, view, FILE_SECONDS / max(cost, 1e-9))
        else:
            of.held = of.held[-MANY:]
        while len(of.held) > 1 and sum(c.size for c in of.held) > MEMORY:
            of.held = of.held[::2]
        while len(self._methods) > 1 and sum(c.size for m in self._methods.values() for c in m.held) > MEMORY:
            self._methods.popitem(last=False)

    def _write(self, folder: StateFolder, of: _Of, name: str, view: View, far: float) -> None:
        """Write what is far from what is there already, and take away what is no longer worth a file."""
        there = [0, *(kept.results for kept in of.files)]
        wrote = False
        for checkpoint in sorted(of.held, key=lambda c: c.results):
            if not any(0 <= checkpoint.results - results < far for results in there):
                folder.write(checkpoint, name)
                there.append(checkpoint.results)
                wrote = True
        if not wrote:
            return
        files = [kept for kept in folder.kept(name) if not kept.pinned]
        worth = {kept.path for kept in _worth(files, view)}
        for file in files:
            if file.path not in worth:
                folder.drop(file)
        folder.tidy()
        of.files = folder.kept(name)


Some = TypeVar("Some", Checkpoint, Kept)


def _worth(some: list[Some], view: View) -> list[Some]:
    """What reads as it did, and does not lie closer to others than it need."""
    n = view.n_games + view.n_sessions
    valid = [c for c in some if c.known_at == view.known_at or view.same_before(c.known_at) > c.through]
    return [valid[at] for at in spread([c.results for c in valid], n)]


def spread(results: list[int], n: int) -> list[int]:
    """Which of some places in a history of `n` results to keep, the newest first.

    One is let go where its neighbours are close enough without it.

    Examples
    --------
    >>> spread([100_000, 99_999, 99_990, 60_000, 59_000, 58_000], 100_000)
    [0, 2, 3, 5]
    """
    order = sorted(range(len(results)), key=lambda at: -results[at])
    kept: list[int] = order[:1]
    for at, further in zip_longest(order[1:], order[2:]):
        if further is None or results[kept[-1]] - results[further] > gap(n - results[at], n):
            kept.append(at)
    return kept


def gap(distance: int, n: int) -> float:
    """How far apart checkpoints may lie at a distance from the end, both in results."""
    return max(CLOSEST, min(distance / 2, n / PARTS))


def stops(start: int, n: int) -> list[int]:
    """Places at which a replay from one place to the end leaves checkpoints, in results.

    Examples
    --------
    >>> stops(0, 100_000)[:3], stops(0, 100_000)[-3:], stops(99_000, 100_000)
    ([5000, 10000, 15000], [95000, 95904, 99999], [99999])
    """
    found, distance = [n - 1], CLOSEST
    while n - distance > start and distance < n / PARTS:
        found.append(n - distance)
        distance += max(distance // 2, 1)
    part = max(CLOSEST, n // PARTS)
    found += range(part, n, part)
    return sorted({at for at in found if start < at < n})
