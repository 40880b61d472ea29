"""The engine: one log and one registry; everything else is delegated."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

from ratingcore._version import __version__
from ratingcore.errors import BadCorrection, BadCut, BadFile, LogUnavailable, UnknownName
from ratingcore.events import (
    Event,
    MergeUndone,
    PlayersMerged,
    ResultAmended,
    ResultVoided,
    Row,
    When,
    decode,
    last_instant,
)
from ratingcore.events.values import name as spelt
from ratingcore.lists import Line, RatingList, forecasts, history, rating_list
from ratingcore.log import Head, MemoryLog, Receipt, SqliteLog, Verified, export_lines, load_lines, verify
from ratingcore.methods import Method
from ratingcore.registry import Registry
from ratingcore.replay import Replay, fold, foretold
from ratingcore.tables import FOREVER, TimelineCache, View
from ratingcore.tables import known_at as timeline_at

if TYPE_CHECKING:
    from ratingcore.archives import FieldMap
    from ratingcore.importing import ImportReport, Options

KnownAt = int | When | Head | None
"""A cut in the log: a position, an instant, a head, or None for now."""


class Engine:
    """One log, the methods that are installed, and the columns kept beside the log.

    Parameters
    ----------
    log : MemoryLog or SqliteLog
    registry : Registry or None
        The installed plugins if None.
    columns : path or None
        Folder of the column cache; None keeps columns in memory only.
    """

    def __init__(
        self, log: MemoryLog | SqliteLog, registry: Registry | None = None, columns: Path | None = None
    ) -> None:
        self.log = log
        self._registry = registry
        self._folder = columns
        self._caches: dict[int, TimelineCache] = {}

    @property
    def registry(self) -> Registry:
        """The methods and readers at hand; looked for when they are first asked for."""
        if self._registry is None:
            self._registry = Registry.installed()
        return self._registry

    # recording

    def record(self, *events: Event, source: str = "", expect: Head | int | None = None) -> Receipt:
        """Append events as one batch, all or none; those already there are counted as duplicates."""
        return self.log.append(events, source=source, expect=expect)

    def void(self, uid: str, *, why: str = "", by: str = "") -> Receipt:
        """Count an event as never recorded; voiding a void or an amendment takes that back."""
        return self.record(ResultVoided(of=uid, why=why, by=by))

    def amend(self, uid: str, changes: Mapping[str, Any], *, why: str = "", by: str = "") -> Receipt:
        """Let fields of an event read otherwise; None takes a field of `data` away."""
        return self.record(ResultAmended(of=uid, changes=changes, why=why, by=by))

    def merge(self, keep: str, other: str, *, why: str = "", by: str = "") -> Receipt:
        """Count every result of `other` as one of `keep`, in every pool.

        Raises
        ------
        UnknownName
            If the log knows no such player.
        BadCorrection
            If the two have met: nobody plays against himself.
        """
        event = PlayersMerged(keep=keep, other=other, why=why, by=by)
        a, b = self.player_id(event.keep), self.player_id(event.other)
        for pool in self.pools():
            if self._met(self.view(pool), a, b):
                raise BadCorrection(event.other, "merge", f"{event.keep} and {event.other} have met in pool {pool}")
        return self.record(event)

    def unmerge(self, uid: str, *, why: str = "", by: str = "") -> Receipt:
        """Count a merge as never recorded."""
        return self.record(MergeUndone(of=uid, why=why, by=by))

    @staticmethod
    def _met(view: View, a: int, b: int) -> bool:
        timeline = view.timeline
        row = timeline.players.rows(max(a, b, int(timeline.players.id.max(initial=0))) + 1)
        root = timeline.corrections.root
        return view.met(int(row[root(a)]), int(row[root(b)]))

    # files

    def import_results(
        self, path: str | Path, pool: str | None = None, fields: "FieldMap | None" = None, **options: "Unpack[Options]"
    ) -> "ImportReport":
        """Append the games in a file; `ratingcore.archives.read_results` says what files it reads.

        Parameters
        ----------
        dry_run : bool
            Say what would happen; write nothing.
        strict : bool
            All rows or none.
        progress : callable
            Told the number of rows read, now and then.
        """
        from ratingcore.archives import read_results  # readers of files are not there for lists
        from ratingcore.importing import import_lines

        lines = partial(read_results, path, pool=pool, fields=fields, key=self.log.key)
        return import_lines(self.log, path, lines, **options)

    def import_seeds(
        self,
        path: str | Path,
        pool: str | None = None,
        fields: "FieldMap | None" = None,
        at: When | None = None,
        **options: "Unpack[Options]",
    ) -> "ImportReport":
        """Append the seeds in a file, at their own times or all at one; options as for results."""
        from ratingcore.archives import read_seeds  # as above
        from ratingcore.importing import import_lines

        lines = partial(read_seeds, path, pool=pool, fields=fields, key=self.log.key, at=at)
        return import_lines(self.log, path, lines, **options)

    def import_foreign(
        self, path: str | Path, reader: str, pool: str | None = None, *, dry_run: bool = False
    ) -> "ImportReport":
        """Append what a plugin's reader finds in a file; of what is issued again, only corrections.

        Parameters
        ----------
        reader : str
            Name of an installed reader: `usebio`.
        pool : str or None
            Where the events belong; None leaves them where the reader puts them.
        dry_run : bool
            Say what would happen; write nothing.
        """
        from ratingcore.resubmission import import_events  # as above

        readers = self.registry.readers
        if reader not in readers:
            raise BadFile(str(path), f"no reader is named {reader}: installed are {', '.join(readers) or 'none'}")
        read = partial(readers[reader], path)
        return import_events(self.log, path, read, by=f"reader {reader}", pool=pool, dry_run=dry_run)

    def backup(self, path: str | Path) -> None:
        """Copy the log to a new file, whole and consistent, while others may be writing."""
        if not isinstance(self.log, SqliteLog):
            raise LogUnavailable(str(path), "a log in memory has no backup", "export it")
        self.log.backup(path)

    def export(self) -> Iterator[str]:
        """The log as lines of JSON, from which `load` makes it again with every digest the same."""
        return export_lines(self.log)

    def load(self, lines: Iterable[str]) -> Verified:
        """Load an export into this log, which must be empty, checking every digest."""
        return load_lines(self.log, lines)

    # looking

    def pools(self) -> list[str]:
        """Names of the pools of the log."""
        return [name.key for name in self.log.names() if name.kind == "pool" and name.key is not None]

    def player_id(self, player: str) -> int:
        """Id of a player; `UnknownName` if the log knows none of this name."""
        return self._id("player", player)

    def pool_id(self, pool: str) -> int:
        """Id of a pool; `UnknownName` if the log knows none of this name."""
        return self._id("pool", pool)

    def _id(self, kind: str, key: str) -> int:
        number = self.log.id_of(kind, spelt(key))
        if number is None:
            known = [name.key for name in self.log.names() if name.kind == kind and name.key is not None]
            raise UnknownName(kind, key, tuple(get_close_matches(key, known, n=3)))
        return number

    def position(self, known_at: KnownAt = None) -> int:
        """Position that a cut in the log names; the head for None."""
        head = self.log.head.position
        if known_at is None:
            return head
        if isinstance(known_at, Head):
            if known_at.position > head or not self.log.digest_at(known_at.position).startswith(known_at.digest):
                raise BadCut("known_at", known_at, "is no head of this log")
            return known_at.position
        if isinstance(known_at, str) and known_at.strip().isdecimal() and len(known_at.strip()) < 8:
            known_at = int(known_at)
        if isinstance(known_at, int):
            if not 0 <= known_at <= head:
                raise BadCut("known_at", known_at, f"is not a position from 0 to {head}")
            return known_at
        return self.log.position_at(last_instant(known_at))

    def view(self, pool: str, through: When | None = None, known_at: KnownAt = None) -> View:
        """What a reader of the log's first events believes was played in a pool through a day."""
        number = self.pool_id(pool)
        position = self.position(known_at)
        if number not in self._caches:
            folder = None if self._folder is None else self._folder / str(number)
            self._caches[number] = TimelineCache(folder, number)
        timeline = self._caches[number].at_head(self.log)
        if position != timeline.known_at:
            timeline = timeline_at(timeline, self.log, position)
        cut = FOREVER if through is None else last_instant(through)
        return View(self.log, timeline, spelt(pool), cut, self.log.names_book.key)

    def replay(
        self,
        pool: str,
        method: str | Method,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        keep: bool = False,
    ) -> Replay:
        """A method run over a view; `keep` what every result was expected to be and moved."""
        return fold(self.registry.method(method), self.view(pool, through, known_at), keep=keep)

    def rating_list(
        self, pool: str, method: str | Method, through: When | None = None, known_at: KnownAt = None
    ) -> RatingList:
        """The rating list of a pool, with its provenance.

        Parameters
        ----------
        pool : str
        method : str or Method
            `elo`, `elo:k=24`, or a method value.
        through : str, date, datetime or None
            Last day of played time that counts, the day included; None for all.
        known_at : int, str, date, datetime, Head or None
            Cut in the log: a position, a time by which events were recorded, a head; None for now.

        Raises
        ------
        UnknownName, MethodNotFound, BadParameter, BadCut, MethodError
        """
        return rating_list(self.replay(pool, method, through, known_at), __version__)

    def history(
        self, pool: str, player: str, method: str | Method, through: When | None = None, known_at: KnownAt = None
    ) -> list[Line]:
        """Every result and line that moved a player's rating, in order of play."""
        replay = self.replay(pool, method, through, known_at, keep=True)
        return history(replay, self._row(replay.view, player))

    def _row(self, view: View, player: str) -> int:
        timeline = view.timeline
        root = timeline.corrections.root(self.player_id(player))
        rows = timeline.players.rows(max(root, int(timeline.players.id.max(initial=0))) + 1)
        row = int(rows[root])
        if not 0 <= row < view.n_players:
            raise UnknownName("player", f"{player} in pool {view.pool} at this cut")
        return row

    def forecasts(
        self, pool: str, method: str | Method, through: When | None = None, known_at: KnownAt = None
    ) -> Iterator[dict[str, Any]]:
        """A row a game in order of play: ratings before it, unrounded, what was expected, what it moved."""
        return forecasts(foretold(self.registry.method(method), self.view(pool, through, known_at)), self.log.uids)

    def events(self, after: int = 0, kinds: Iterable[str] = ()) -> Iterator[tuple[Row, Event]]:
        """Rows and events of the log after a position, in order."""
        names = _Names(self.log)
        for row in self.log.rows(after, None, tuple(kinds)):
            yield row, decode(row, names)

    def verify(self, anchors: Iterable[Head | str] = ()) -> Verified:
        """Recompute the chain of digests, and see that older heads are prefixes of it."""
        return verify(self.log, [Head.parse(anchor) if isinstance(anchor, str) else anchor for anchor in anchors])

    def close(self) -> None:
        """Close the log."""
        self.log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Names:
    """Names and uids of a log, for decoding its rows."""

    def __init__(self, log: MemoryLog | SqliteLog) -> None:
        self.key = log.names_book.key
        self.uid = log.uid


def open_engine(path: str | Path, *, read_only: bool = False, registry: Registry | None = None) -> Engine:
    """Open the log at a path, made if it is missing; `:memory:` is a log that ends with the process.

    Examples
    --------
    >>> with open_engine(":memory:") as engine:
    ...     engine.pools()
    []
    """
    if str(path) == ":memory:":
        return Engine(MemoryLog(), registry)
    log = SqliteLog(path, read_only=read_only)
    folder = Path(path).with_name(Path(path).name + ".columns")
    return Engine(log, registry, folder)
