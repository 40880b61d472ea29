"""The cache of a pool's timeline beside the log, so that opening a log need not read its rows again."""

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ratingcore.columns import columnfiles
from ratingcore.columns.cache_key import CacheKey, Damaged
from ratingcore.columns.columnfiles import ColumnFolder, Files, prefixed
from ratingcore.columns.fields import FieldBook
from ratingcore.columns.history import History, Point
from ratingcore.columns.knowledge import SAME, Latest, difference, known_at
from ratingcore.columns.manifest import Manifest
from ratingcore.columns.mapped import Mapped
from ratingcore.columns.pieces import GameTable, Spliced
from ratingcore.columns.player_fields import PlayerBook
from ratingcore.columns.soundness import see_sound
from ratingcore.columns.timeline import Players, SeedTable, SessionTable, Timeline, empty
from ratingcore.events import Instant

Table = TypeVar("Table", GameTable, SessionTable, Players)

NEWS = 1000
"""Events from which on it pays to write what has come since: fewer are read again by whoever opens the log."""

LONG = 65_536
"""Games a tail may have, however short the body is, before both are written as one."""

_SEEDED = "seed.value."
"""Begins the name of a column of seeds, which ends as the seed has it."""


_TRIES = 3
"""Looks at files that another process is replacing, before they count as damaged."""


say = logging.getLogger("ratingcore").warning
"""Tells a line of talk: on stderr, unless a host has set its logging up otherwise."""


class TimelineCache:
    """Files of one pool's timeline, brought up to the head of the log when they are opened.

    The files are valid if they were written with the key of the log, and if the digest they were made from is the
    log's digest at that length. Whatever else is wrong with them, they are dropped and made again; where they cannot be
    written, the cache does without. A late game or a correction writes the tail behind it, not the pool.

    Threads may share a cache: what one of them reads of the log, the others wait for and need not read.

    Parameters
    ----------
    folder : path or None
        Where the files are; None keeps nothing.
    pool : int
        Id of the pool.
    held : Timeline or None
        A timeline of the same log to begin with.
    tell : callable
        Called with a line of text when damaged files are dropped.
    players : PlayerBook or None
        Descriptions of players, which the pools of a log share.
    """

    def __init__(
        self,
        folder: Path | None,
        pool: int,
        held: Timeline | None = None,
        tell: Callable[[str], object] = say,
        players: PlayerBook | None = None,
    ) -> None:
        self._path = folder
        self._pool = pool
        self._held = held
        self._tell = tell
        self._latest: Latest | None = None
        self._grown: tuple[int, int, Instant] = (0, 0, SAME)
        """The two positions between which the timeline last grew, and the earliest played time that this changed."""
        self._fields = FieldBook()
        self._players = players or PlayerBook()
        self._mapped: Mapped | None = None
        """The files in which the columns that are held lie."""
        self._saved: tuple[str, Timeline] | None = None
        """Generation of the files, and the timeline they hold."""
        self._lock = threading.Lock()

    def latest(self, log: History, head: Point | None = None) -> Latest:
        """The timeline at the head of the log, with what readers of earlier heads are compared with.

        Parameters
        ----------
        log : History
        head : Point or None
            The head, where the caller has looked at it; another thread may have looked later, and then that one counts.
        """
        with self._lock:
            timeline = self._at(head or log.head, log)
            if self._latest is None or self._latest.timeline is not timeline:
                before = self._latest if self._latest and self._latest.timeline.known_at < timeline.known_at else None
                grown = before is not None and self._grown[:2] == (before.timeline.known_at, timeline.known_at)
                since = self._grown[2] if grown else None
                self._latest = Latest(timeline, log, self._fields, before, since, self._players)
            return self._latest

    def at_head(self, log: History) -> Timeline:
        """The timeline at the head of the log."""
        with self._lock:
            return self._at(log.head, log)

    def _at(self, head: Point, log: History) -> Timeline:
        folder = None if self._path is None else ColumnFolder(self._path, CacheKey(log.key))
        if folder is not None and self._mapped is not None:
            try:
                self._mapped.check()
            except Damaged as damage:
                self._forget(folder, damage)
        held = self._held or self._open(folder, log)
        if held is not None and held.known_at > head.position:  # somebody has looked later, or the log is another one
            head = log.head
        if held is not None and held.known_at == head.position and held.digest == head.digest:
            self._held = held
            return held
        start = held if held is not None and held.known_at <= head.position else empty(self._pool, log.digest_at(0))
        news = difference(start, log, head.position)
        self._grown = start.known_at, head.position, news.since
        self._held = timeline = known_at(start, log, head.position, news)
        if folder is not None and self._worth_writing(timeline):
            self._save(folder, timeline)
            saved = self._open(folder, log)
            if saved is not None and saved.known_at >= head.position:  # else nothing could be written
                self._held = timeline = saved  # mapped files need no memory of their own
        return timeline

    def _worth_writing(self, timeline: Timeline) -> bool:
        return timeline.known_at - (self._saved[1].known_at if self._saved else 0) >= NEWS

    def drop(self, log: History) -> None:
        """Delete the files, so that they are made again from the log."""
        with self._lock:
            if self._path is not None:
                ColumnFolder(self._path, CacheKey(log.key)).drop()
            self._held = self._latest = self._mapped = self._saved = None

    def _forget(self, folder: ColumnFolder, damage: Damaged) -> None:
        """Drop files that are damaged, and everything that was made of them."""
        self._tell(f"note: the columns in {folder.path} are dropped and made again: {damage}")
        folder.drop()
        self._held = self._latest = self._mapped = self._saved = None

    # reading

    def _open(self, folder: ColumnFolder | None, log: History) -> Timeline | None:
        """The timeline in the files; None if there is none or it is of another history."""
        if folder is None:
            return None
        for left in reversed(range(_TRIES)):
            try:
                return self._read(folder, log)
            except Damaged as damage:
                if not left:
                    self._forget(folder, damage)
            except PermissionError:
                return None
            except OSError as error:
                if not left:
                    self._forget(folder, Damaged(f"a file cannot be read: {error.strerror}"))
        return None

    def _read(self, folder: ColumnFolder, log: History) -> Timeline | None:
        manifest = folder.manifest(self._pool)
        if manifest is None or manifest.position > log.head.position:
            return None
        if log.digest_at(manifest.position) != manifest.digest:
            return None
        mapped = folder.mapped(manifest)
        timeline = timeline_of(mapped.columns, manifest, log)
        see_sound(timeline, log.look().names, in_order=mapped.stamped)
        mapped.vouch()  # now only: a second look at files that are not sound must doubt them as well
        self._mapped, self._saved = mapped, (manifest.generation, timeline)
        return timeline

    # writing

    def _save(self, folder: ColumnFolder, timeline: Timeline) -> None:
        try:
            folder.make()
            with folder.locked() as mine:
                if mine:
                    self._write(folder, timeline)
        except (
            OSError,
            Damaged,
        ):  # a read-only folder, a full disk, files that were changed just now: only time is lost
            return

    def _write(self, folder: ColumnFolder, timeline: Timeline) -> None:
        try:
            manifest = folder.manifest(self._pool)
        except Damaged as damage:
            self._tell(f"note: the columns in {folder.path} are made again: {damage}")
            manifest = None
        # Three ways, from the dearest to the cheapest: everything in fresh files; the tail added to the files of the
        # body, if it is all that is new; or the tail in files of its own, where it splits the body.
        grows = columnfiles.GROWS and manifest is not None and "game.position" in manifest.files
        if manifest is None or not grows or not self._continues(manifest.generation, timeline):
            generation = folder.fresh_generation()
            try:
                games, rest = _body(timeline.table.whole), _tail(None)
                if sum(column.nbytes for column in games.values()) <= columnfiles.SMALL:
                    games, rest = {}, games | rest
                self._publish(folder, generation, timeline, folder.fill(generation, games), rest)
            except OSError:
                folder.clear(generation)
                raise
            return
        body, tail = timeline.table.body, timeline.table.tail
        files = {name: manifest.files[name] for name in _body(body)}
        if len(body.a) == files["game.position"].written:
            files, rest = folder.extend(manifest.generation, files, _body(tail)), _tail(None)
        else:
            files = {name: evolve(file, length=len(body.a)) for name, file in files.items()}
            rest = _tail(tail)
        self._publish(folder, manifest.generation, timeline, files, rest)

    def _continues(self, generation: str, timeline: Timeline) -> bool:
        """Whether the body of a timeline is the one in the files, or its beginning, and the tail is short."""
        if (
            self._saved is None
            or self._saved[0] != generation
            or self._saved[1].table.origin is not timeline.table.origin
        ):
            return False
        body = len(timeline.table.body.a)
        return len(timeline.table) - body <= max(LONG, body // 4)

    def _publish(
        self, folder: ColumnFolder, generation: str, timeline: Timeline, files: Files, rest: columnfiles.Columns
    ) -> None:
        """Write the rest of the games, and what is not games, and let the manifest stand."""
        more, pack = folder.pack(generation, {**rest, **_others(timeline)})
        alone = tuple(sorted(timeline.alone))
        manifest = Manifest(self._pool, timeline.known_at, timeline.digest, generation, alone, {**files, **more}, pack)
        folder.publish(manifest)


def columns_of(timeline: Timeline) -> dict[str, NDArray[Any]]:
    """Every column of a timeline, by the name under which the cache keeps it."""
    return _body(timeline.table.whole) | _tail(None) | _others(timeline)


def _others(timeline: Timeline) -> dict[str, NDArray[Any]]:
    """The columns of a timeline that are not of games."""
    others: dict[str, NDArray[Any]] = {"results": timeline.result_counts()}
    others |= prefixed("session", timeline.sessions._asdict().items())
    others |= prefixed("seed", zip(SeedTable._fields, timeline.seeds[:4], strict=False))
    others |= {_SEEDED + name: column for name, column in timeline.seeds.values.items()}
    return others | prefixed("player", timeline.players._asdict().items())


def timeline_of(columns: dict[str, NDArray[Any]], manifest: Manifest, log: History) -> Timeline:
    """The timeline of columns; `Damaged` if one is missing or of another kind."""
    for name, like in columns_of(empty(manifest.pool, manifest.digest)).items():
        if name not in columns or columns[name].dtype != like.dtype:
            raise Damaged(f"its column {name} is missing or of another kind")
    values = {name[len(_SEEDED) :]: column for name, column in columns.items() if name.startswith(_SEEDED)}
    if any(column.dtype != np.float64 for column in values.values()):
        raise Damaged("a column of its seeds is of another kind")
    return Timeline(
        manifest.pool, manifest.position, manifest.digest,
        log.corrections(manifest.position),
        Spliced((_table(GameTable, "game", columns), _table(GameTable, "tail", columns))),
        _table(SessionTable, "session", columns),
        SeedTable(
            columns["seed.position"], columns["seed.played"], columns["seed.order"], columns["seed.player"], values,
        ),
        _table(Players, "player", columns),
        frozenset(manifest.alone), columns["results"],
    )  # fmt: skip


def _table(kind: type[Table], name: str, columns: dict[str, NDArray[Any]]) -> Table:
    return kind(*(columns[f"{name}.{field}"] for field in kind._fields))


def _body(games: GameTable) -> dict[str, NDArray[Any]]:
    return prefixed("game", games._asdict().items())


def _tail(games: GameTable | None) -> dict[str, NDArray[Any]]:
    return prefixed("tail", (games or GameTable.of(()))._asdict().items())
