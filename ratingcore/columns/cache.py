"""Cache of a pool's timeline in files, so that opening a log need not read its rows again."""

import os
import re
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ratingcore.columns.games import Ints
from ratingcore.columns.games_in_order import GameTable, Spliced, joined
from ratingcore.columns.log_history import LogHistory, Point
from ratingcore.columns.player_fields import PlayerBook
from ratingcore.columns.result_fields import FieldBook
from ratingcore.columns.sealed_file import (
    Array,
    CacheKey,
    Damaged,
    Mapped,
    Sealed,
    is_folder,
    opened,
    read_sealed,
    remove,
    write_sealed,
)
from ratingcore.columns.streamed import Stream, StreamedParts, rows_of
from ratingcore.columns.time_travel import Latest, difference, known_at, with_sealed
from ratingcore.columns.timeline import NEVER, Players, SeedTable, SessionTable, Timeline, empty
from ratingcore.events import CORRECTIONS, Instant
from ratingcore.events.corrections import Corrections
from ratingcore.events.times import FIRST, LAST

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows has no flock: there two writers may undo each other's work
    fcntl = None  # type: ignore[assignment]  # means "not available"

Table = TypeVar("Table", GameTable, SessionTable, Players)

FORMAT = 6
"""Version of the file format; files of another version are replaced."""

NEWS = 1000
"""Smallest number of new events that is worth writing; fewer are read again each time the log is opened."""

SMALL = 2**18
"""Size in bytes up to which games get no file of their own: opening a second file costs more than reading them."""

LONG = 65_536
"""Number of games up to which a tail is written without the body, however short the body is."""

_SEEDED = "seed.value."
"""Prefix of columns of seeds; the rest is the name of the column in the seed."""

_BODY = re.compile(r"games-[0-9a-f]{12}")
_DIGEST = re.compile(r"[0-9a-f]{64}")

_TRIES = 3
"""Number of attempts at files that another process is replacing, before they count as damaged."""


def warn(line: str) -> None:
    """Logs a line as a warning: on stderr, unless the host program has configured logging."""
    import logging  # most processes log nothing

    logging.getLogger("ratingcore").warning(line)


class ColumnFolder:
    """The files of a pool: the games up to some day, in a mapped file that never changes, and the rest, read whole.

    No link is followed, and names come from patterns, so nothing outside the folder is opened or deleted, even if a
    file was tampered with.

    Parameters
    ----------
    path : path
    key : CacheKey
    """

    def __init__(self, path: Path, key: CacheKey) -> None:
        self.path = path
        self._key = key

    def rest(self) -> Sealed | None:
        """Reads the file of everything but the body of the games; None if it is missing or of another format."""
        try:
            rest = read_sealed(self.path / "rest", self._key) if is_folder(self.path) else None
        except OSError:
            return None
        return rest if rest is not None and rest.facts.get("format") == FORMAT else None

    def mapped(self, name: str, *, stamped: bool = True) -> Mapped:
        """Maps the body of the games; reads and checks it whole unless a trusted stamp vouches for it."""
        return Mapped(self.path / name, self._key, self.path / "stamp" if stamped else None)

    def write_games(self, games: GameTable) -> tuple[str, str]:
        """Writes games into a new file, under a name that no reader can have open; returns its name and check."""
        name = f"games-{uuid.uuid4().hex[:12]}"
        return name, write_sealed(self.path / name, self._key, {}, _prefixed("game", games._asdict().items()))

    def write_rest(self, facts: Mapping[str, Any], columns: Mapping[str, Array], body: str) -> None:
        """Replaces the rest, and deletes the files to which it does not refer."""
        write_sealed(self.path / "rest", self._key, facts, columns, stored=bool(body))
        for old in self.path.iterdir():
            if old.name not in {"rest", "stamp", "lock", body}:
                remove(old)

    def drop(self) -> None:
        """Deletes the rest; without it the other files are ignored."""
        with suppress(OSError), self.locked() as mine:
            if mine:  # otherwise another process is writing one
                remove(self.path / "rest")

    @contextmanager
    def locked(self) -> Iterator[bool]:
        """Locks the folder for writing; False if another process holds it, or if it cannot be written to."""
        if not is_folder(self.path):
            yield False
            return
        with ExitStack() as stack:
            try:
                file = stack.enter_context(opened(self.path / "lock", os.O_RDWR | os.O_CREAT))
                if fcntl is not None:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                mine = True
            except (BlockingIOError, Damaged):
                mine = False
            yield mine


class _Saved(NamedTuple):
    """The timeline in the files of a folder, and the file of the body of its games, if there is one."""

    timeline: Timeline
    body: Mapped | None
    name: str
    check: str


class TimelineCache:
    """Files of one pool's timeline, brought up to the head of the log when they are opened.

    The files are valid if they were written with the key of the log, and if the digest they were made from is the
    log's digest at that length. Invalid files are dropped and made again; if they cannot be written, the cache works
    without files. After a late game or a correction only the tail behind it is written again, not the whole pool.

    Threads may share a cache: while one of them reads the log, the others wait for its result.

    Parameters
    ----------
    folder : path or None
        Folder of the files; None to write no files.
    pool : int
        Id of the pool.
    held : Timeline or None
        A timeline of the same log to begin with.
    notify : callable
        Called with a line of text when damaged files are dropped.
    players : PlayerBook or None
        Descriptions of players, which the pools of a log share.
    """

    def __init__(
        self,
        folder: Path | None,
        pool: int,
        held: Timeline | None = None,
        notify: Callable[[str], object] = warn,
        players: PlayerBook | None = None,
    ) -> None:
        self._path = folder
        self._pool = pool
        self._held = held
        self._notify = notify
        self._latest: Latest | None = None
        self._since: dict[int, Instant] = {}
        """The earliest played time at which readers of earlier heads differ, by position, as far as computed."""
        self._fields = FieldBook()
        self._players = players or PlayerBook()
        self._saved: _Saved | None = None
        self._lock = threading.Lock()

    def latest(self, log: LogHistory, head: Point | None = None) -> Latest:
        """The timeline at the head of the log, with the data for readers of earlier heads.

        Parameters
        ----------
        log : LogHistory
        head : Point or None
            The head, if the caller has read it; a later head that another thread has read takes precedence.
        """
        with self._lock:
            timeline = self._at(head or log.head, log)
            if self._latest is None or self._latest.timeline is not timeline:
                self._latest = Latest(timeline, log, self._fields, self._since, self._players)
            return self._latest

    def at_head(self, log: LogHistory) -> Timeline:
        with self._lock:
            return self._at(log.head, log)

    def _at(self, head: Point, log: LogHistory) -> Timeline:
        if self._saved is not None and self._saved.body is not None:
            try:
                self._saved.body.check()
            except Damaged as damage:
                self._forget(log, damage)
        held = self._held or self._open(log)
        if held is not None and held.known_at > head.position:  # read by another thread, or the log was replaced
            head = log.head
        if held is not None and held.known_at == head.position and held.digest == head.digest:
            self._held = held
            return held
        start = held if held is not None and held.known_at <= head.position else empty(self._pool, log.digest_at(0))
        compared = self._latest is not None and self._latest.timeline is start
        begun, since = with_sealed(start, log, head.position)
        news = difference(begun, log, head.position)
        self._since = self._latest.grown(min(since, news.since)) if self._latest and compared else {}
        self._held = timeline = known_at(begun, log, head.position, news)
        if self._path is not None and self._worth_writing(timeline):
            self._save(log, timeline)
            saved = self._open(log)
            if saved is not None and saved.known_at >= head.position:  # otherwise nothing could be written
                self._held = timeline = saved  # mapped files need no memory of their own
        return timeline

    def _worth_writing(self, timeline: Timeline) -> bool:
        """True if there are enough new events to write; a long tail waits for more, since it is rewritten each time."""
        if self._saved is None:
            return timeline.known_at >= NEWS
        saved, in_memory = self._saved.timeline, timeline.table.in_memory
        tail = len(in_memory) - in_memory.body.size
        return timeline.known_at - saved.known_at >= max(NEWS, min(tail, len(saved.table.in_memory)) // 16)

    def drop(self, log: LogHistory) -> None:
        """Deletes the files, so that they are made again from the log."""
        with self._lock:
            if self._path is not None:
                self._folder(self._path, log).drop()
            self._held = self._latest = self._saved = None

    def _forget(self, log: LogHistory, damage: Damaged) -> None:
        """Drops damaged files, and everything that was made from them."""
        assert self._path is not None, "only files can be damaged"
        self._notify(f"note: the columns in {self._path} are dropped and made again: {damage}")
        self._folder(self._path, log).drop()
        self._held = self._latest = self._saved = None

    def _folder(self, path: Path, log: LogHistory) -> ColumnFolder:
        return ColumnFolder(path, CacheKey(log.key))

    def _open(self, log: LogHistory) -> Timeline | None:
        """The timeline in the files; None without files, or if they are of another history."""
        if self._path is None:
            return None
        for left in reversed(range(_TRIES)):
            try:
                saved = _read(self._folder(self._path, log), self._pool, log)
                if saved is not None:
                    self._saved = saved
                return None if saved is None else saved.timeline
            except Damaged as damage:
                if not left:
                    self._forget(log, damage)
            except PermissionError:
                return None
            except OSError as error:
                if not left:
                    self._forget(log, Damaged(f"a file cannot be read: {error.strerror}"))
        return None

    def _save(self, log: LogHistory, timeline: Timeline) -> None:
        assert self._path is not None, "without a folder, nothing is saved"
        folder = self._folder(self._path, log)
        # if the folder is read-only, the disk is full or files have just changed, only time is lost
        with suppress(OSError, Damaged):
            self._path.mkdir(parents=True, exist_ok=True)
            with folder.locked() as mine:
                if mine:
                    self._write(folder, timeline)

    def _write(self, folder: ColumnFolder, timeline: Timeline) -> None:
        """Writes only the rest if it continues the body in the files, else both."""
        table, saved = timeline.table.in_memory, self._saved
        try:
            rest = folder.rest()
        except Damaged as damage:
            self._notify(f"note: the columns in {folder.path} are made again: {damage}")
            rest = None
        continues = (
            rest is not None
            and saved is not None
            and saved.body is not None
            and rest.facts.get("games") == [saved.name, saved.check]
            and saved.timeline.table.origin is table.origin
            and len(table) - table.body.size <= max(LONG, table.body.size // 8)
        )
        if continues and saved is not None:
            body, check, games, tail = saved.name, saved.check, table.body.size, joined(table.pieces[1:])
        elif sum(column.nbytes for column in table.whole) > SMALL:
            body, check = folder.write_games(table.whole)
            games, tail = len(table), GameTable.of(())
        else:
            body, check, games, tail = "", "", 0, table.whole
        facts = {
            "format": FORMAT, "pool": self._pool, "position": timeline.known_at, "digest": timeline.digest,
            "alone": sorted(timeline.self_pairings), "games": [body, check] if body else None, "body": games,
        }  # fmt: skip
        folder.write_rest(facts, _prefixed("tail", tail._asdict().items()) | _others(timeline), body)


# what is in the files


def _read(folder: ColumnFolder, pool: int, log: LogHistory, *, stamped: bool = True) -> _Saved | None:
    """The timeline in the files of a folder; None without files, or if they are of another history.

    Raises
    ------
    Damaged
        If the files were not written with the key of this log, or are unsound.
    OSError
        If they cannot be read.
    """
    rest = folder.rest()
    if rest is None:
        return None
    facts = _checked(rest.facts, pool)
    if facts["position"] > log.head.position or log.digest_at(facts["position"]) != facts["digest"]:
        return None
    body, (name, check) = None, facts["games"] or ("", "")
    columns = _prefixed("game", GameTable.of(())._asdict().items()) | dict(rest.columns)
    if name:
        body = folder.mapped(name, stamped=stamped)
        if body.sealed.check != check:
            raise Damaged(f"{name} does not belong to this version of the files")
        columns |= {column: items[: facts["body"]] for column, items in body.sealed.columns.items()}
    if len(columns["game.a"]) != facts["body"]:
        raise Damaged("the number of its games has changed")
    timeline = _timeline_of(columns, facts, log)
    check_sound(timeline, log.look().names, in_order=body is not None and body.stamped)
    if body is not None:
        body.vouch()  # only after the checks: unsound files must be checked again at the next look
    return _Saved(timeline, body, name, check)


def _checked(facts: Mapping[str, Any], pool: int) -> Mapping[str, Any]:
    """Checks the form of facts, since anyone who can read the log can make files with the right digests."""
    try:
        name, check = facts["games"] or ("games-" + "0" * 12, "0" * 64)
        numbers = [facts["position"], facts["body"], *facts["alone"]]
        sound = all(type(number) is int and 0 <= number < 2**62 for number in numbers)
        if not (sound and _DIGEST.fullmatch(facts["digest"]) and _DIGEST.fullmatch(check) and _BODY.fullmatch(name)):
            raise ValueError(facts)
    except (ValueError, TypeError, LookupError):
        raise Damaged("its facts have an unknown form") from None
    if facts["pool"] != pool:
        raise Damaged("it belongs to another pool")
    return facts


def _columns_of(timeline: Timeline) -> dict[str, Array]:
    """Every column of a timeline, by the name under which the cache keeps it."""
    games = _prefixed("game", timeline.table.in_memory.whole._asdict().items())
    return games | _prefixed("tail", GameTable.of(())._asdict().items()) | _others(timeline)


def _others(timeline: Timeline, *, parts: bool = True) -> dict[str, Array]:
    """The columns of a timeline other than those of games; without the parts of streamed games if `parts` is False."""
    others: dict[str, Array] = {"results": timeline.result_counts()}
    if parts:
        others |= _prefixed("streamed", StreamedParts.of(timeline.table)._asdict().items())
    others |= _prefixed("session", timeline.sessions._asdict().items())
    others |= _prefixed("seed", zip(SeedTable._fields, timeline.seeds[:4], strict=False))
    others |= {_SEEDED + name: column for name, column in timeline.seeds.values.items()}
    return others | _prefixed("player", timeline.players._asdict().items())


def _prefixed(prefix: str, columns: Iterable[tuple[str, Array]]) -> dict[str, Array]:
    return {f"{prefix}.{name}": column for name, column in columns}


def _timeline_of(columns: Mapping[str, Array], facts: Mapping[str, Any], log: LogHistory) -> Timeline:
    """Builds a timeline from columns; `Damaged` if one is missing or of another type."""
    pool, position, digest = facts["pool"], facts["position"], facts["digest"]
    for name, like in _columns_of(empty(pool, digest)).items():
        if name not in columns or columns[name].dtype != like.dtype or columns[name].ndim != 1:
            raise Damaged(f"its column {name} is missing or has another type")
    values = {name[len(_SEEDED) :]: column for name, column in columns.items() if name.startswith(_SEEDED)}
    if any(column.dtype != np.float64 or column.ndim != 1 for column in values.values()):
        raise Damaged("a column of its seeds has another type")
    at, played, order, player = (columns[f"seed.{field}"] for field in SeedTable._fields[:4])
    seeds = SeedTable(at, played, order, player, values)
    corrections = Corrections.of(log.rows(0, position, CORRECTIONS))
    return Timeline(
        pool, position, digest, corrections,
        _spliced(columns, pool, position, log, corrections),
        _table(SessionTable, "session", columns), seeds, _table(Players, "player", columns),
        frozenset(facts["alone"]), columns["results"],
    )  # fmt: skip


def _spliced(
    columns: Mapping[str, Array], pool: int, position: int, log: LogHistory, corrections: Corrections
) -> Spliced:  # fmt: skip
    """The table of games: those in files, with the streamed games among them."""
    in_memory = Spliced((_table(GameTable, "game", columns), _table(GameTable, "tail", columns)))
    parts = StreamedParts(*(columns[f"streamed.{name}"] for name in StreamedParts._fields))
    if not len(parts.at):
        return in_memory
    players, names = _table(Players, "player", columns), log.look().names
    _check(_below(players.id - 1, names) and parts.are_sound(position), "parts of games")
    rows = rows_of(players.rows(names + 1), corrections)
    table = parts.among(in_memory, Stream(log, pool, parts.marks, rows, len(players.id)))
    _check(table is not None, "parts of games")
    return table or in_memory


def _table(kind: type[Table], name: str, columns: Mapping[str, Array]) -> Table:
    return kind(*(columns[f"{name}.{field}"] for field in kind._fields))


def check_columns(folder: ColumnFolder, pool: int, log: LogHistory) -> bool:
    """Compares columns in files with the rows of the log; False if there are no files of this history.

    All files are read, even if a stamp vouches for them.

    Raises
    ------
    Damaged
        If they differ from the rows of the log.
    """
    try:
        saved = _read(folder, pool, log, stamped=False)
    except OSError as error:
        raise Damaged(f"a file cannot be read: {error.strerror}") from None
    if saved is None:
        return False
    timeline = saved.timeline
    true = known_at(empty(pool, log.digest_at(0)), log, timeline.known_at)
    _compare(_others(timeline, parts=False), _others(true, parts=False))
    for start in range(0, max(len(timeline.table), len(true.table)), LONG):  # which of them are streamed may differ
        given, made = (some.table.part(start, start + LONG)._asdict().items() for some in (timeline, true))
        _compare(_prefixed("game", given), _prefixed("game", made))
    if timeline.self_pairings != true.self_pairings:
        raise Damaged("the games that it leaves out differ from the log")
    return True


def _compare(given: Mapping[str, Array], made: Mapping[str, Array]) -> None:
    for name in sorted(given.keys() | made.keys()):
        same = name in given and name in made and given[name].dtype == made[name].dtype
        if not same or not np.array_equal(given[name], made[name], equal_nan=given[name].dtype.kind == "f"):
            raise Damaged(f"its column {name} differs from the rows of the log")


# soundness: no index in columns from files leads outside another column


def check_sound(timeline: Timeline, names: int, *, in_order: bool = False) -> None:
    """Raises `Damaged` if a compiled loop over the columns could read or write beyond one of them.

    Digests do not make this superfluous: anyone who can read the log can make files with the right digests, and a loop
    without bounds must not be handed to them.

    Parameters
    ----------
    timeline : Timeline
    names : int
        Number of names in the log; ids of players are below it.
    in_order : bool
        Whether the games are known to be in order of time. Times are never used as an index, so a stamp may be
        trusted, which spares reading a column that a list may not need.
    """
    players, sessions, seeds = timeline.players, timeline.sessions, timeline.seeds
    n = len(players.id)
    for piece in timeline.table.in_memory.tables():  # players of streamed games are checked when these are read
        _check(_equally_long(piece._asdict()), "games")
        _check(_below(piece.a, n) and _below(piece.b, n), "players of games")
        _check(_timely(piece.played[[0, -1]]) if in_order and len(piece.a) else _in_order(piece.played), "games")
    _check(_equally_long(players._asdict()), "players")
    _check(_below(players.id - 1, names) and np.bincount(players.id).max(initial=0) <= 1, "ids of players")
    _check(_in_order(players.first) and _timely(players.debut[players.debut != NEVER]), "times of players")
    _check(len(sessions.position) == len(sessions.order) == len(sessions.played), "sessions")
    _check(_offsets(sessions.result, len(sessions.played), len(sessions.score)), "results of sessions")
    _check(_offsets(sessions.side, len(sessions.score), len(sessions.player)), "sides of sessions")
    _check(_below(sessions.player, n), "players of sessions")
    _check(_in_order(sessions.played), "times of sessions")
    _check(_equally_long({**dict(zip(SeedTable._fields, seeds[:4], strict=False)), **seeds.values}), "seeds")
    _check(_below(seeds.player, n), "players of seeds")
    _check(_in_order(seeds.played), "times of seeds")
    _check(timeline.results is not None and len(timeline.results) == n, "counts of results")


def _check(sound: bool, what: str) -> None:
    if not sound:
        raise Damaged(f"its {what} do not fit")


def _equally_long(columns: Mapping[str, Array]) -> bool:
    return len({len(column) for column in columns.values()}) == 1


def _below(rows: Ints, n: int) -> bool:
    """True if all numbers are from 0 to below `n`: one pass, since a negative number is huge if read as unsigned."""
    return not len(rows) or int(rows.view(rows.dtype.str.replace("i", "u")).max()) < n


def _in_order(played: Ints) -> bool:
    return bool((played[1:] >= played[:-1]).all()) and _timely(played[[0, -1]] if len(played) else played)


def _timely(times: Ints) -> bool:
    return bool(((times >= FIRST) & (times <= LAST)).all())


def _offsets(starts: Ints, groups: int, items: int) -> bool:
    """True if `starts` has the starts of `groups` groups in a column of `items` items, and the end of the column."""
    whole = len(starts) == groups + 1 and int(starts[0]) == 0 and int(starts[-1]) == items
    return whole and bool((starts[1:] >= starts[:-1]).all())
