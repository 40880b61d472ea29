"""Caches of a log: the timeline and the checkpoints of each pool, in memory or in a folder."""

import hashlib
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from ratingcore.columns import FOREVER, TimelineCache, View
from ratingcore.columns.cache import say
from ratingcore.columns.history import Zones, zoned
from ratingcore.columns.knowledge import Latest
from ratingcore.columns.player_fields import PlayerBook
from ratingcore.columns.sealed_file import CacheKey
from ratingcore.columns.timeline import Timeline
from ratingcore.errors import NotInstalled
from ratingcore.events import Instant, clock
from ratingcore.log import Head, Log
from ratingcore.log.contract import Look
from ratingcore.log.overlay import OverlayLog
from ratingcore.methods.contract import Method
from ratingcore.replay.cache_check import CheckedCaches, check_caches
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.replay.checkpoint_store import Checkpoints, StateFolder

Zoned = tuple[int, str]
"""A pool, by id, on the clock of a zone: each has a timeline and checkpoints of its own."""


class Columns:
    """Timelines and checkpoints of the pools of one log, which threads share.

    Parameters
    ----------
    log : Log
    folder : path or None
        Where they are kept; None keeps them in memory only. A link in the place of the folder is not followed.
    tell : callable
        Called with a line of text when something damaged is dropped.
    """

    def __init__(self, log: Log, folder: Path | None = None, tell: Callable[[str], object] = say) -> None:
        self._log = log
        self._folder = None if folder is None or folder.is_symlink() else folder
        self._tell = tell
        self._caches: dict[Zoned, TimelineCache] = {}
        self._checkpoints: dict[Zoned, Checkpoints] = {}
        self._players: defaultdict[str, PlayerBook] = defaultdict(PlayerBook)
        """Descriptions of all players, by the zone on whose clock their times are."""
        self._zones: dict[int, tuple[Head, Zones]] = {}
        """The zones of each pool as they were read, and the head that had been looked at before."""
        self._seen = log.head
        """Head of the log when it was last asked for."""
        self._lock = threading.RLock()

    def latest(self, pool: int, look: Look | None = None, zone: str = "") -> Latest:
        """The timeline of a pool, by id, at the head of the log; at a later one than was looked at, if there is one.

        Its times are those on the clock of a zone.
        """
        head = self._log.head if look is None else look.head
        with self._lock:
            self._follow(head)
            if (pool, zone) not in self._caches:
                self._caches[pool, zone] = self._cache(pool, zone)
            cache = self._caches[pool, zone]
        return cache.latest(zoned(self._log, zone), head)

    def view(self, pool: int, through: Instant, position: int | None = None, look: Look | None = None) -> View:
        """What a reader of the events up to a position believes was played in a pool through an instant.

        It is on the clock of the zone that the pool had been declared to have by then.

        Parameters
        ----------
        pool : int
            Id of the pool.
        through : int
            What the clock shows then, or a `Timed` instant.
        position : int or None
            The newest that is known, for None: the head that was looked at, or a later one.
        look : Look or None
            A look at the log; one is taken if it is None.
        """
        look = look or self._log.look()
        zones = self._zones_of(pool, look.head)
        zone = zones.at(look.head.position if position is None else position)
        latest = self.latest(pool, look, zone)
        if position is None and latest.timeline.known_at > look.head.position:
            # another thread has read on: a zone that was declared meanwhile counts too
            return self.view(pool, through, latest.timeline.known_at)
        timeline = latest.timeline if position is None else latest.at(position)
        cut = clock(zone).cut(through)
        return View(zoned(self._log, zone), timeline, look.book.key(pool), cut, look.book, latest, zone=zone)

    def zone_at(self, pool: int, position: int) -> str:
        """The zone that a pool, by id, had been declared to have by a position; empty for UTC."""
        return Zones(self._log, pool).at(position)

    def _zones_of(self, pool: int, head: Head) -> Zones:
        """The zones of a pool that were declared up to a head, and perhaps later ones; read once a head."""
        kept = self._zones.get(pool)
        if kept is None or kept[0] != head:
            kept = self._zones[pool] = (head, Zones(self._log, pool))
        return kept[1]

    def _follow(self, head: Head) -> None:
        """Begins afresh if the log has another history than when it was last asked: a backup may have replaced it."""
        if head != self._seen and self._log.digest_at(self._seen.position) != self._seen.digest:
            self._forget()
        self._seen = head

    def _forget(self) -> None:
        """Forgets what is in memory."""
        for held in (self._caches, self._checkpoints, self._players):
            held.clear()

    def checkpoints(self, pool: int, zone: str = "") -> Checkpoints:
        """The checkpoints of a pool, by id, on the clock of a zone."""
        with self._lock:
            if (pool, zone) not in self._checkpoints:
                self._checkpoints[pool, zone] = self._store(pool, zone)
            return self._checkpoints[pool, zone]

    def checkpoints_of(self, view: View) -> Checkpoints:
        """The checkpoints that may serve a view of these columns."""
        return self.checkpoints(view.timeline.pool, view.zone)

    @property
    def stored(self) -> bool:
        """Whether anything in them comes from files."""
        return self._folder is not None

    def checked(self, method_of: Callable[[str], Method | None]) -> CheckedCaches:
        """Recomputes from the rows of the log what is in files, drops what differs, and forgets what is in memory.

        Parameters
        ----------
        method_of : callable
            The installed method of an identity; None if there is none.
        """
        if self._folder is None:
            return CheckedCaches()
        rows = Columns(self._log)

        def view(pool: int, zone: str, at: int) -> View:
            latest, look = rows.latest(pool, None, zone), self._log.look()
            log, name = zoned(self._log, zone), look.book.key(pool)
            return View(log, latest.at(at), name, FOREVER, look.book, latest, zone=zone)

        def places(pool: int) -> Iterable[tuple[str, Path, Path]]:
            zones = sorted(Zones(self._log, pool).all())
            return [(zone, self._place(pool, zone), self._place(pool, zone, ".checkpoints")) for zone in zones]

        checked = check_caches(self._log, places, view, method_of)
        with self._lock:
            self._forget()
        return checked

    def drop(self, pool: int) -> None:
        """Deletes everything that is kept of a pool, so that it is made again from the log."""
        with self._lock:
            for zone in sorted(Zones(self._log, pool).all()):
                log = zoned(self._log, zone)
                self._caches.pop((pool, zone), self._cache(pool, zone)).drop(log)
                self._checkpoints.pop((pool, zone), self._store(pool, zone)).drop()

    def _cache(self, pool: int, zone: str) -> TimelineCache:
        folder = None if self._folder is None else self._place(pool, zone)
        return TimelineCache(folder, pool, tell=self._tell, players=self._players[zone])

    def _store(self, pool: int, zone: str) -> Checkpoints:
        files = None
        if self._folder is not None:
            files = StateFolder(self._place(pool, zone, ".checkpoints"), CacheKey(zoned(self._log, zone).key))
        return Checkpoints(files, self._log.digest_at, self._tell)

    def _place(self, pool: int, zone: str, ending: str = "") -> Path:
        """The folder of a pool: one of a zone has a digest of its name, which any text may be."""
        assert self._folder is not None, "only what is kept has a place"
        called = f"-{hashlib.sha256(zone.encode()).hexdigest()[:12]}" if zone else ""
        return self._folder / f"{pool}{called}{ending}"


class SupposedColumns(Columns):
    """Columns of a what-if, begun with those of the log below: what that holds is not read again."""

    def __init__(self, log: OverlayLog, below: Columns) -> None:
        super().__init__(log)
        self._upon = log.upon.position
        self._below = below
        self._begun: dict[Zoned, Timeline] = {}
        """The timeline of the log below from which that of a pool was begun."""

    def latest(self, pool: int, look: Look | None = None, zone: str = "") -> Latest:
        """The timeline of a pool, by id, at the head of what is supposed, on the clock of a zone.

        The log below is asked every time, so that files which were changed since are noticed as it notices them.
        """
        if self._is_below(pool):
            held = self._below.latest(pool, None, zone).at(self._upon)
            with self._lock:
                if self._begun.get((pool, zone)) is not held:
                    self._begun[pool, zone] = held
                    self._caches[pool, zone] = TimelineCache(None, pool, held, players=self._players[zone])
        return super().latest(pool, look, zone)

    @property
    def stored(self) -> bool:
        """Whether anything in them comes from files."""
        return self._below.stored

    def _store(self, pool: int, zone: str) -> Checkpoints:
        if not self._is_below(pool):
            return super()._store(pool, zone)
        return _CheckpointsUpon(self._below.checkpoints(pool, zone), self._upon, self._log)

    def _is_below(self, pool: int) -> bool:
        """Whether the log below knew the pool when the what-if began."""
        return pool <= self._log.names_book.count_at(self._upon)


class _CheckpointsUpon(Checkpoints):
    """The checkpoints of the log below, which are only read, and those of what is supposed, in memory."""

    def __init__(self, below: Checkpoints, upon: int, log: Log) -> None:
        super().__init__(None, log.digest_at)
        self._below = below
        self._upon = upon

    def nearest(self, method: Method, view: View, name: str) -> Checkpoint | None:
        own, below = super().nearest(method, view, name), self._below.nearest(method, view, name)
        if below is None or below.known_at > self._upon:  # what the log below has learnt since is another history
            return own
        return below if own is None or own.through < below.through else own


def folder_of(log: Log) -> Path | None:
    """The folder of the columns of a log: beside its file, or in the user's cache for one on a server.

    There it is found by the key of the log, so the processes of a machine share it.
    """
    if log.path is not None:
        return beside(log.path)
    if log.address is None:
        return None
    try:
        from platformdirs import user_cache_path
    except ImportError:
        raise NotInstalled("platformdirs", "the columns of a log that is no file", "postgres") from None
    key = hashlib.sha256(log.key.encode()).hexdigest()[:32]  # an export may bring any text as a key
    return user_cache_path("ratingcore") / "columns" / key


def beside(path: str | Path) -> Path:
    """The folder of the columns of a log in a file."""
    return Path(path).with_name(Path(path).name + ".columns")
