"""What every part of the engine stands on: one log, the registry, the columns, and names turned into ids."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from ratingcore.errors import BadCut, BadValue, UnknownList, UnknownName
from ratingcore.events import Event, Instant, Row, When, decode, last_instant
from ratingcore.events.values import name as spelt
from ratingcore.lists import RatingList
from ratingcore.lists.published import Published, find_published
from ratingcore.log import Head, MemoryLog, SqliteLog, Verified, verify
from ratingcore.methods import Method
from ratingcore.registry import Registry
from ratingcore.replay import Checkpoints, Standing, stand
from ratingcore.tables import FOREVER, SAME, TimelineCache, View

KnownAt = int | When | Head | Published | RatingList | None
"""A cut in the log: a position, an instant, a head, a published list or its name, or None for now."""


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
        self._checkpoints: dict[int, Checkpoints] = {}

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

    def position(self, known_at: KnownAt = None, pool: int | None = None) -> int:
        """Position that a cut in the log names; the head for None.

        Parameters
        ----------
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            A text is a position, a time, or the name of a published list; `list:NAME` is always a name.
        pool : int or None
            Id of the pool whose published lists are meant.
        """
        head = self.log.head.position
        if known_at is None:
            return head
        if isinstance(known_at, RatingList):
            known_at = Head(known_at.known_at, known_at.provenance.digest)
        if isinstance(known_at, Published):
            known_at = known_at.head
        if isinstance(known_at, Head):
            if known_at.position > head or not self.log.digest_at(known_at.position).startswith(known_at.digest):
                raise BadCut("known_at", known_at, "is no head of this log")
            return known_at.position
        if isinstance(known_at, str):
            text = known_at.strip()
            if text.startswith("list:"):
                return find_published(self.log, text.removeprefix("list:"), pool).known_at
            if text.isdecimal() and len(text) < 8:
                known_at = int(text)
        if isinstance(known_at, int):
            if not 0 <= known_at <= head:
                raise BadCut("known_at", known_at, f"is not a position from 0 to {head}")
            return known_at
        try:
            return self.log.position_at(last_instant(known_at))
        except BadValue:
            if not isinstance(known_at, str):
                raise
        try:
            return find_published(self.log, known_at.strip(), pool).known_at
        except UnknownList:
            raise BadCut("known_at", known_at, "is no position, no time and no published list") from None

    def view(self, pool: str, through: When | None = None, known_at: KnownAt = None) -> View:
        """What a reader of the log's first events believes was played in a pool through a day."""
        number = self.pool_id(pool)
        position = self.position(known_at, number)
        if number not in self._caches:
            folder = None if self._folder is None else self._folder / str(number)
            self._caches[number] = TimelineCache(folder, number)
        latest = self._caches[number].latest(self.log)
        cut = FOREVER if through is None else last_instant(through)
        return View(self.log, latest.at(position), spelt(pool), cut, self.log.names_book.key, latest)

    def standing(self, method: Method, view: View, *, pinned: bool = False) -> Standing:
        """A method run over a view, from the nearest checkpoint on; `pinned` keeps the end of it for good."""
        return stand(method, view, self.checkpoints(view.timeline.pool), pinned=pinned)

    def checkpoints(self, pool: int) -> Checkpoints:
        """The checkpoints of a pool, by id."""
        if pool not in self._checkpoints:
            folder = None if self._folder is None else self._folder / f"{pool}.checkpoints"
            self._checkpoints[pool] = Checkpoints(folder, self.log.digest_at)
        return self._checkpoints[pool]

    def touched_since(self, pool: str, position: int) -> Instant | None:
        """From when on, in played time, something reads otherwise than it did at a position; None if nothing does."""
        same = self.view(pool).same_before(position)
        return None if same == SAME else same

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
