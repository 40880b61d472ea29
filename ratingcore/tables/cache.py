"""The cache of a pool's timeline beside the log, so that opening a log need not read its rows again."""

from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import NDArray

from ratingcore.tables import columnfiles
from ratingcore.tables.columnfiles import ColumnFolder, Files, prefixed
from ratingcore.tables.fields import FieldBook
from ratingcore.tables.latest import Latest
from ratingcore.tables.pieces import GameTable, Spliced
from ratingcore.tables.rebuild import known_at
from ratingcore.tables.source import Source
from ratingcore.tables.timeline import Players, SeedTable, SessionTable, Timeline, empty

Table = TypeVar("Table", GameTable, SessionTable, Players)

NEWS = 1000
"""Events from which on it pays to write what has come since: fewer are read again by whoever opens the log."""

LONG = 65_536
"""Games a tail may have, however short the body is, before both are written as one."""

_SEEDED = "seed.value."
"""Begins the name of a column of seeds, which ends as the seed has it."""


class TimelineCache:
    """Files of one pool's timeline, brought up to the head of the log when they are opened.

    The files are valid if the digest they were made from is the log's digest at that length. Whatever else is wrong
    with them, they are made again; where they cannot be written, the cache does without. A late game or a correction
    writes the tail behind it, not the pool.

    Parameters
    ----------
    folder : path or None
        Where the files are; None keeps nothing.
    pool : int
        Id of the pool.
    held : Timeline or None
        A timeline of the same log to begin with.
    """

    def __init__(self, folder: Path | None, pool: int, held: Timeline | None = None) -> None:
        self._folder = None if folder is None else ColumnFolder(folder)
        self._pool = pool
        self._held = held
        self._latest: Latest | None = None
        self._fields = FieldBook()
        self._saved: tuple[str, Timeline] | None = None
        """Generation of the files, and the timeline they hold."""

    def latest(self, log: Source) -> Latest:
        """The timeline at the head of the log, with what readers of earlier heads are compared with."""
        timeline = self.at_head(log)
        if self._latest is None or self._latest.timeline is not timeline:
            self._latest = Latest(timeline, log, self._fields)
        return self._latest

    def at_head(self, log: Source) -> Timeline:
        """The timeline at the head of the log."""
        head = log.head
        held = self._held or self._open(log)
        if held is not None and held.known_at == head.position and held.digest == head.digest:
            self._held = held
            return held
        start = held if held is not None and held.known_at <= head.position else empty(self._pool, log.digest_at(0))
        self._held = timeline = known_at(start, log, head.position)
        if self._folder is not None and self._worth_writing(timeline):
            self._save(self._folder, timeline)
            self._held = timeline = self._open(log) or timeline  # mapped files need no memory of their own
        return timeline

    def _worth_writing(self, timeline: Timeline) -> bool:
        return timeline.known_at - (self._saved[1].known_at if self._saved else 0) >= NEWS

    # reading

    def _open(self, log: Source) -> Timeline | None:
        """The timeline in the files; None if there is none or it is of another log."""
        manifest = None if self._folder is None else self._folder.manifest(self._pool)
        if self._folder is None or manifest is None or manifest["position"] > log.head.position:
            return None
        if log.digest_at(manifest["position"]) != manifest["digest"]:
            return None
        try:
            columns = self._folder.columns(manifest)
        except (OSError, ValueError):
            return None
        values = {name[len(_SEEDED) :]: column for name, column in columns.items() if name.startswith(_SEEDED)}
        timeline = Timeline(
            self._pool, manifest["position"], manifest["digest"],
            log.corrections(manifest["position"]),
            Spliced((_table(GameTable, "game", columns), _table(GameTable, "tail", columns))),
            _table(SessionTable, "session", columns),
            SeedTable(
                columns["seed.position"], columns["seed.played"], columns["seed.order"], columns["seed.player"], values,
            ),
            _table(Players, "player", columns),
            frozenset(manifest["alone"]), columns["results"],
        )  # fmt: skip
        self._saved = manifest["generation"], timeline
        return timeline

    # writing

    def _save(self, folder: ColumnFolder, timeline: Timeline) -> None:
        try:
            folder.path.mkdir(parents=True, exist_ok=True)
            with folder.locked() as mine:
                if mine:
                    self._write(folder, timeline)
        except OSError:  # a read-only folder, a full disk: only time is lost
            return

    def _write(self, folder: ColumnFolder, timeline: Timeline) -> None:
        manifest = folder.manifest(self._pool)
        generation = manifest["generation"] if manifest else ""
        # Three ways, from the dearest to the cheapest: everything in fresh files; the tail added to the files of the
        # body, if it is all that is new; or the tail in files of its own, where it splits the body.
        if manifest is None or not self._continues(generation, timeline) or not columnfiles.GROWS:
            fresh = folder.fresh_generation()
            try:
                files = folder.fill(fresh, _body(timeline.table.whole)) | folder.fill(fresh, _tail(None))
                self._publish(folder, fresh, timeline, files)
            except OSError:
                folder.clear(fresh)
                raise
            return
        body, tail = timeline.table.body, timeline.table.tail
        files = {name: manifest["files"][name] for name in _body(body)}
        if len(body.a) == manifest["written"]:
            files = folder.extend(generation, files, _body(tail)) | folder.fill(generation, _tail(None))
            self._publish(folder, generation, timeline, files)
        else:
            files = {name: [kind, len(body.a), file] for name, (kind, _, file) in files.items()}
            files |= folder.fill(generation, _tail(tail))
            self._publish(folder, generation, timeline, files, manifest["written"])

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
        self, folder: ColumnFolder, generation: str, timeline: Timeline, files: Files, written: int | None = None
    ) -> None:
        """Write what is not games, and let the manifest stand; `written` is how far the files of the body go."""
        others: dict[str, NDArray[Any]] = {"results": timeline.result_counts()}
        others |= prefixed("session", timeline.sessions._asdict().items())
        others |= prefixed("seed", zip(SeedTable._fields, timeline.seeds[:4], strict=False))
        others |= {_SEEDED + name: column for name, column in timeline.seeds.values.items()}
        others |= prefixed("player", timeline.players._asdict().items())
        files = files | folder.fill(generation, others)
        manifest = {
            "format": columnfiles.FORMAT,
            "pool": self._pool,
            "position": timeline.known_at,
            "digest": timeline.digest,
            "generation": generation,
            "alone": sorted(timeline.alone),
            "written": files["game.position"][1] if written is None else written,
            "files": files,
        }
        folder.publish(manifest)


def _table(kind: type[Table], name: str, columns: dict[str, NDArray[Any]]) -> Table:
    return kind(*(columns[f"{name}.{field}"] for field in kind._fields))


def _body(games: GameTable) -> dict[str, NDArray[Any]]:
    return prefixed("game", games._asdict().items())


def _tail(games: GameTable | None) -> dict[str, NDArray[Any]]:
    return prefixed("tail", (games or GameTable.of(()))._asdict().items())
