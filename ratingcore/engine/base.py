"""What every part of the engine stands on: one log, the registry, the columns, and names turned into ids."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from ratingcore.errors import BadCut, UnknownName
from ratingcore.events import Event, Row, When, decode, last_instant
from ratingcore.events.values import name as spelt
from ratingcore.log import Head, MemoryLog, SqliteLog, Verified, verify
from ratingcore.registry import Registry
from ratingcore.tables import FOREVER, TimelineCache, View
from ratingcore.tables import known_at as timeline_at

KnownAt = int | When | Head | None
"""A cut in the log: a position, an instant, a head, or None for now."""


class Base:
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

    def _row(self, view: View, player: str) -> int:
        timeline = view.timeline
        root = timeline.corrections.root(self.player_id(player))
        rows = timeline.players.rows(max(root, int(timeline.players.id.max(initial=0))) + 1)
        row = int(rows[root])
        if not 0 <= row < view.n_players:
            raise UnknownName("player", f"{player} in pool {view.pool} at this cut")
        return row

    def events(self, after: int = 0, kinds: Iterable[str] = ()) -> Iterator[tuple[Row, Event]]:
        """Rows and events of the log after a position, in order."""
        names = _Names(self.log)
        for row in self.log.rows(after, None, tuple(kinds)):
            yield row, decode(row, names)

    def verify(self, anchors: Iterable[Head | str] = ()) -> Verified:
        """Recompute the chain of digests, and see that older heads are prefixes of it."""
        return verify(self.log, [Head.parse(anchor) if isinstance(anchor, str) else anchor for anchor in anchors])


class _Names:
    """Names and uids of a log, for decoding its rows."""

    def __init__(self, log: MemoryLog | SqliteLog) -> None:
        self.key = log.names_book.key
        self.uid = log.uid
