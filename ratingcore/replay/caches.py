"""Caches of a log: the timeline and the checkpoints of each pool, in memory or in a folder, and their verification."""

import hashlib
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
from attrs import frozen

from ratingcore.columns import FOREVER, TimelineCache
from ratingcore.columns.cache import ColumnFolder, check_columns, warn
from ratingcore.columns.log_history import Zones, zoned
from ratingcore.columns.player_fields import PlayerBook
from ratingcore.columns.sealed_file import CacheKey, Damaged
from ratingcore.columns.slices import Slice, conditions_of
from ratingcore.columns.time_travel import Latest
from ratingcore.columns.timeline import Timeline
from ratingcore.columns.view import LATER, View
from ratingcore.errors import BadValue, RatingCoreError
from ratingcore.events import Instant, clock
from ratingcore.log import Head, Log
from ratingcore.log.abilities import file_of
from ratingcore.log.contract import Look
from ratingcore.methods.contract import Method
from ratingcore.methods.state import State
from ratingcore.replay.checkpoint import Checkpoint, facts_of, of_finished, resumable, taken
from ratingcore.replay.checkpoint_store import Checkpoints, StateFile, StateFolder
from ratingcore.replay.contract_check import readable_view
from ratingcore.replay.declared import MethodOf
from ratingcore.replay.fold import fold, run_of
from ratingcore.replay.pool_ratings import PoolRatings

Zoned = tuple[int, str]
"""Id of a pool, and the time zone of its clock: each such pair has its own timeline and checkpoints."""


@frozen
class CheckedCaches:
    """Result of a check of caches.

    Parameters
    ----------
    pools : int
        Pools whose columns were recomputed.
    checkpoints : int
        Checkpoints that were recomputed.
    damaged : tuple of str
        Files that differed from the rows of the log, and were dropped.
    """

    pools: int = 0
    checkpoints: int = 0
    damaged: tuple[str, ...] = ()


class _States:
    """Checkpoints in the files of a pool, grouped by method and log position: a group is recomputed in one run."""

    def __init__(self, folder: StateFolder, log: Log) -> None:
        self._folder = folder
        self.damaged: list[str] = []
        self._alike: dict[tuple[str, int], list[tuple[StateFile, Checkpoint]]] = defaultdict(list)
        for file in folder.all():
            try:
                identity, checkpoint = folder.read(file)
                if log.digest_at(checkpoint.known_at) == checkpoint.digest:
                    self._alike[identity, checkpoint.known_at].append((file, checkpoint))
            except (Damaged, OSError) as damage:
                self._drop(file, str(damage))

    def _drop(self, file: StateFile, why: str) -> None:
        self.damaged.append(f"a checkpoint in {file.path.parent}: {why}")
        self._folder.drop(file)

    def check(self, view: Callable[[int], View], method_of: Callable[[str], Method | None]) -> int:
        """Recomputes the checkpoints of installed methods, drops those that differ, and returns how many there were."""
        count = 0
        for (identity, position), some in self._alike.items():
            method = method_of(identity)
            if method is None:  # no installed method can use it, so it need not be checked
                continue
            count += len(some)
            true = _recomputed(method, view(position), [checkpoint for _, checkpoint in some])
            for (file, checkpoint), made in zip(some, true, strict=True):
                if made is None or not _same(checkpoint, made):
                    self._drop(file, f"{file.path.name} is not what the rows of the log give")
        return count


def _recomputed(method: Method, known: View, some: list[Checkpoint]) -> list[Checkpoint | None]:
    """Checkpoints of a method, recomputed from the rows of the log; None where the rows give none."""
    known = readable_view(method, known)
    cuts = [known.cut(checkpoint.through) for checkpoint in some]
    if not resumable(method):
        return [_whole(method, cut) for cut in cuts]
    # one run over the whole view covers every checkpoint whose facts of players are still those of the whole view; each
    # other checkpoint takes a run of its own, over the view cut at its instant
    at_end = [facts_of(method, known, checkpoint.through) == checkpoint.facts for checkpoint in some]
    ends = _ends(method, known, sorted({c.through for c, there in zip(some, at_end, strict=True) if there}))
    return [
        ends.get(cut.through) if there else _ends(method, cut, [cut.through]).get(cut.through)
        for cut, there in zip(cuts, at_end, strict=True)
    ]


def _ends(method: Method, view: View, ends: list[Instant]) -> dict[Instant, Checkpoint]:
    """Checkpoints of a run after everything played through some instants; none if the method fails."""
    made: dict[Instant, Checkpoint] = {}

    def see(at: Instant, state: State) -> None:
        made[at] = taken(method, view, at, state, view.cut(at).played_counts())

    if ends:
        with suppress(RatingCoreError):  # the method can no longer rate this
            run_of(method, view).stand(ends, see)
    return made


def _whole(method: Method, cut: View) -> Checkpoint | None:
    with suppress(RatingCoreError):
        replay = fold(method, cut)
        return of_finished(method, replay)
    return None


def _same(one: Checkpoint, other: Checkpoint) -> bool:
    shapes = [{name: c.state[name].shape for name in c.state.names} for c in (one, other)]
    if shapes[0] != shapes[1] or (one.results, one.date, one.facts) != (other.results, other.date, other.facts):
        return False
    counted = one.games is None or other.games is None or np.array_equal(one.games, other.games)
    return counted and all(one.state[name].tobytes() == other.state[name].tobytes() for name in one.state.names)


def unknown_method(text: str) -> Method:
    """Refuses to look up the method of another pool: used until a registry is set in its place."""
    raise BadValue("entry", text, "is the rule of another pool, which needs a registry of methods")


class Columns:
    """Timelines and checkpoints of the pools of one log, which threads share.

    Parameters
    ----------
    log : Log
    folder : path or None
        Folder of the files; None keeps them in memory only. A link in its place is not followed.
    notify : callable
        Called with a line of text when something damaged is dropped.
    """

    def __init__(self, log: Log, folder: Path | None = None, notify: Callable[[str], object] = warn) -> None:
        self._log = log
        self._folder = None if folder is None or folder.is_symlink() else folder
        self._notify = notify
        self._caches: dict[Zoned, TimelineCache] = {}
        self._checkpoints: dict[Zoned, Checkpoints] = {}
        self._players: defaultdict[str, PlayerBook] = defaultdict(PlayerBook)
        """Descriptions of all players, by the time zone of their times."""
        self._zones: dict[int, tuple[Head, Zones]] = {}
        """The zones of each pool, and the head at which they were read."""
        self._seen = log.head
        """Head of the log at the last look."""
        self._lock = threading.RLock()
        self.method_of: MethodOf = unknown_method
        """Returns the method of a text; called for pools whose newcomers begin with ratings of another pool."""

    def latest(self, pool: int, look: Look | None = None, zone: str = "") -> Latest:
        """Returns the timeline of a pool, by id, at the given head or a later one, on the clock of a zone."""
        head = self._log.head if look is None else look.head
        with self._lock:
            self._follow(head)
            if (pool, zone) not in self._caches:
                self._caches[pool, zone] = self._cache(pool, zone)
            cache = self._caches[pool, zone]
        return cache.latest(zoned(self._log, zone), head)

    def view(
        self, pool: int, through: Instant, position: int | None = None, look: Look | None = None,
        chain: tuple[str, ...] = (),
        part: Slice | None = None, later: int = LATER,
    ) -> View:  # fmt: skip
        """Returns a view of a pool through an instant, for a reader who knows the events up to a position.

        Its clock is in the time zone that these events declare for the pool.

        Parameters
        ----------
        pool : int
            Id of the pool.
        through : int
            The clock's reading, or a `Timed` instant.
        position : int or None
            None means the newest: the given head, or a later one.
        look : Look or None
            A snapshot of the log; None takes a new one.
        chain : tuple of str
            Pools whose newcomers begin, directly or through others, with the ratings of this one.
        part : Slice or None
            The slice of the pool to view; None for the whole pool.
        later : int
            Results recorded after this position belong to a slice regardless of their fields.
        """
        look = look or self._log.look()
        zones = self._zones_of(pool, look.head)
        at = look.head.position if position is None else position
        board, requested = zones.board(at), (pool, part)
        if part is not None:
            return self.view(pool, through, position, look, chain, None, later).sliced(
                part, str(part), requested, later
            )
        if board is not None:
            whole = self.view(look.book.number("pool", board[0]), through, position, look, chain)
            return whole.sliced(Slice(board[0], conditions_of(board[1])), look.book.key(pool), requested, later)
        zone = zones.at(at)
        latest = self.latest(pool, look, zone)
        if position is None and latest.timeline.known_at > look.head.position:
            # another thread has read on: a zone declared meanwhile counts too
            return self.view(pool, through, latest.timeline.known_at, chain=chain)
        timeline = latest.timeline if position is None else latest.at(position)
        cut = clock(zone).cut(through)
        name = look.book.key(pool)
        others = self.others(timeline.known_at, look, (*chain, name))
        return View(zoned(self._log, zone), timeline, name, cut, look.book, latest, zone=zone, others=others)

    def others(self, position: int, look: Look, chain: tuple[str, ...]) -> PoolRatings:
        """Returns the other pools for the last pool of `chain`, as seen by a reader of the events up to a position."""

        def view_of(pool: str, through: Instant) -> View:
            return self.view(self._log.book.number("pool", pool), through, position, look, chain)

        return PoolRatings(self._log, self.method_of, position, chain, view_of)

    def again(self, view: View, through: Instant, later: int = LATER) -> View:
        """Returns the newest view of the same pool, board or slice; the given view may be of other `Columns`."""
        pool, part = (view.timeline.pool, None) if view.origin is None else view.origin.requested
        return self.view(pool, through, part=part, later=later)

    def _zones_of(self, pool: int, head: Head) -> Zones:
        """Returns the time zones declared for a pool, read from the log once for each head."""
        cached = self._zones.get(pool)
        if cached is None or cached[0] != head:
            cached = self._zones[pool] = (head, Zones(self._log, pool))
        return cached[1]

    def _follow(self, head: Head) -> None:
        """Clears the memory if the history of the log has changed, as when a backup replaced the file."""
        if head != self._seen and self._log.digest_at(self._seen.position) != self._seen.digest:
            self.forget()
        self._seen = head

    def forget(self) -> None:
        """Clears the memory; files stay."""
        with self._lock:
            for held in (self._caches, self._checkpoints, self._players):
                held.clear()

    def checkpoints(self, pool: int, zone: str = "") -> Checkpoints:
        """The checkpoints of a pool, by id, on the clock of a zone."""
        with self._lock:
            if (pool, zone) not in self._checkpoints:
                self._checkpoints[pool, zone] = self._store(pool, zone)
            return self._checkpoints[pool, zone]

    def checkpoints_of(self, view: View) -> Checkpoints:
        """Returns the checkpoints of the pool or slice of a view; those of slices are never written to files."""
        if view.origin is None:
            return self.checkpoints(view.timeline.pool, view.zone)
        key = view.timeline.pool, f"{view.zone}[{view.origin.slice.results}]"
        with self._lock:
            return self._checkpoints.setdefault(key, Checkpoints(None, self._log.digest_at, self._notify))

    @property
    def stored(self) -> bool:
        """True if the columns are kept in files."""
        return self._folder is not None

    def checked(self, method_of: Callable[[str], Method | None]) -> CheckedCaches:
        """Recomputes the content of all files from the rows of the log, drops files that differ, and clears the memory.

        Parameters
        ----------
        method_of : callable
            Returns the method with an identity; None if it is not installed.
        """
        if self._folder is None:
            return CheckedCaches()
        rows, pools, count, damaged = Columns(self._log), 0, 0, list[str]()
        rows.method_of = self.method_of

        def view(pool: int, zone: str, at: int) -> View:
            latest, look = rows.latest(pool, None, zone), self._log.look()
            log, name = zoned(self._log, zone), look.book.key(pool)
            others = rows.others(at, look, (name,))
            return View(log, latest.at(at), name, FOREVER, look.book, latest, zone=zone, others=others)

        for pool, zone in self._pools():
            source = zoned(self._log, zone)
            columns = ColumnFolder(self._place(pool, zone), CacheKey(source.key))
            try:
                pools += check_columns(columns, pool, source)
            except Damaged as damage:
                damaged.append(f"the columns in {columns.path}: {damage}")
                columns.drop()
            states = _States(StateFolder(self._place(pool, zone, ".checkpoints"), CacheKey(source.key)), self._log)
            count += states.check(partial(view, pool, zone), method_of)
            damaged += states.damaged
        self.forget()
        return CheckedCaches(pools, count, tuple(damaged))

    def _pools(self) -> Iterator[Zoned]:
        """Every pool, by id, with each time zone that it has had."""
        for pool in (self._log.book.number("pool", name) for name in self._log.book.keys_of("pool")):
            yield from ((pool, zone) for zone in sorted(Zones(self._log, pool).all()))

    def drop(self, pool: int) -> None:
        """Deletes all files of a pool, so that they are made again from the log."""
        with self._lock:
            for zone in sorted(Zones(self._log, pool).all()):
                log = zoned(self._log, zone)
                self._caches.pop((pool, zone), self._cache(pool, zone)).drop(log)
                self._checkpoints.pop((pool, zone), self._store(pool, zone)).drop()

    def _cache(self, pool: int, zone: str) -> TimelineCache:
        folder = None if self._folder is None else self._place(pool, zone)
        return TimelineCache(folder, pool, notify=self._notify, players=self._players[zone])

    def _store(self, pool: int, zone: str) -> Checkpoints:
        files = None
        if self._folder is not None:
            files = StateFolder(self._place(pool, zone, ".checkpoints"), CacheKey(zoned(self._log, zone).key))
        return Checkpoints(files, self._log.digest_at, self._notify)

    def _place(self, pool: int, zone: str, ending: str = "") -> Path:
        """Returns the folder of a pool; the zone is part of its name as a digest, since a zone may be any text."""
        assert self._folder is not None, "only what is kept has a place"
        called = f"-{hashlib.sha256(zone.encode()).hexdigest()[:12]}" if zone else ""
        return self._folder / f"{pool}{called}{ending}"


class SupposedColumns(Columns):
    """Columns of a log that continues another log from a head; they reuse the columns of that other log.

    Parameters
    ----------
    log : Log
        A what-if, or the log inside the transaction of a host.
    upon : Head
        Head up to which both logs are the same.
    below : Columns
        Columns of the other log.
    """

    def __init__(self, log: Log, upon: Head, below: Columns) -> None:
        super().__init__(log)
        self._upon = upon.position
        self._below = below
        self._begun: dict[Zoned, Timeline] = {}
        """The timeline in the columns below on which the timeline of each pool is built."""

    def latest(self, pool: int, look: Look | None = None, zone: str = "") -> Latest:
        """Returns the timeline of a pool, by id, at the hypothetical head, on the clock of a zone.

        Every call asks the columns below, which notice changed files.
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
        """True if the columns below are kept in files."""
        return self._below.stored

    def _store(self, pool: int, zone: str) -> Checkpoints:
        if not self._is_below(pool):
            return super()._store(pool, zone)
        return _CheckpointsUpon(self._below.checkpoints(pool, zone), self._upon, self._log)

    def _is_below(self, pool: int) -> bool:
        """True if the log below had the pool when the what-if began."""
        return pool <= self._log.book.count_at(self._upon)


class _CheckpointsUpon(Checkpoints):
    """Checkpoints of a hypothetical log: new ones stay in memory, and those of the log below are only read."""

    def __init__(self, below: Checkpoints, upon: int, log: Log) -> None:
        super().__init__(None, log.digest_at)
        self._below = below
        self._upon = upon

    def nearest(self, method: Method, view: View, name: str) -> Checkpoint | None:
        own, below = super().nearest(method, view, name), self._below.nearest(method, view, name)
        if below is None or below.known_at > self._upon:  # later events of the log below are another history
            return own
        return below if own is None or own.through < below.through else own


def folder_of(log: Log) -> Path | None:
    """Returns the folder for the columns of a log: beside its file, or in the user's cache for a log on a server.

    The folder in the cache is named by the key of the log, so the processes of a user share it. None for a log in
    memory.
    """
    if (file := file_of(log)) is not None:
        return columns_folder(file)
    if log.address is None:
        return None
    from platformdirs import user_cache_path  # slow to import, and not needed for logs in files

    key = hashlib.sha256(log.key.encode()).hexdigest()[:32]  # an export may contain any text as a key
    return user_cache_path("ratingcore") / "columns" / key


def columns_folder(path: str | Path) -> Path:
    """Returns the folder for the columns of a log in a file."""
    return Path(path).with_name(Path(path).name + ".columns")
