"""Columns kept beside a log: the timeline and the checkpoints of each pool, in memory or in a folder."""

from pathlib import Path

from ratingcore.events import Instant
from ratingcore.log import Log
from ratingcore.log.overlay import OverlayLog
from ratingcore.methods.contract import Method
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.replay.checkpoint_store import Checkpoints
from ratingcore.tables import TimelineCache, View
from ratingcore.tables.latest import Latest


class Columns:
    """Timelines and checkpoints of the pools of one log.

    Parameters
    ----------
    log : Log
    folder : path or None
        Where they are kept; None keeps them in memory only.
    """

    def __init__(self, log: Log, folder: Path | None = None) -> None:
        self._log = log
        self._folder = folder
        self._caches: dict[int, TimelineCache] = {}
        self._checkpoints: dict[int, Checkpoints] = {}

    def latest(self, pool: int) -> Latest:
        """The timeline of a pool, by id, at the head of the log."""
        if pool not in self._caches:
            self._caches[pool] = self._cache(pool)
        return self._caches[pool].latest(self._log)

    def view(self, pool: int, through: Instant, position: int) -> View:
        """What a reader of the events up to a position believes was played in a pool through an instant."""
        key, latest = self._log.names_book.key, self.latest(pool)
        return View(self._log, latest.at(position), key(pool), through, key, latest)

    def checkpoints(self, pool: int) -> Checkpoints:
        """The checkpoints of a pool, by id."""
        if pool not in self._checkpoints:
            self._checkpoints[pool] = self._store(pool)
        return self._checkpoints[pool]

    def _cache(self, pool: int) -> TimelineCache:
        return TimelineCache(None if self._folder is None else self._folder / str(pool), pool)

    def _store(self, pool: int) -> Checkpoints:
        folder = None if self._folder is None else self._folder / f"{pool}.checkpoints"
        return Checkpoints(folder, self._log.digest_at)


class SupposedColumns(Columns):
    """Columns of a what-if, begun with those of the log below: what that holds is not read again."""

    def __init__(self, log: OverlayLog, below: Columns) -> None:
        super().__init__(log)
        self._upon = log.upon.position
        self._below = below

    def _cache(self, pool: int) -> TimelineCache:
        held = self._below.latest(pool).at(self._upon) if self._is_below(pool) else None
        return TimelineCache(None, pool, held)

    def _store(self, pool: int) -> Checkpoints:
        if not self._is_below(pool):
            return super()._store(pool)
        return _CheckpointsUpon(self._below.checkpoints(pool), self._upon, self._log)

    def _is_below(self, pool: int) -> bool:
        """Whether the log below knew the pool when the what-if began."""
        return self._log.names()[pool - 1].batch <= self._upon


class _CheckpointsUpon(Checkpoints):
    """The checkpoints of the log below, which are only read, and those of what is supposed, in memory."""

    def __init__(self, below: Checkpoints, upon: int, log: Log) -> None:
        super().__init__(None, log.digest_at)
        self._below = below
        self._upon = upon

    def nearest(self, method: Method, view: View) -> Checkpoint | None:
        own, below = super().nearest(method, view), self._below.nearest(method, view)
        if below is None or below.known_at > self._upon:  # what the log below has learnt since is another history
            return own
        return below if own is None or own.through < below.through else own


def beside(path: str | Path) -> Path:
    """The folder of the columns of a log in a file."""
    return Path(path).with_name(Path(path).name + ".columns")
