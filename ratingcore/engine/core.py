"""What every part of the engine stands on: one log, the registry, the columns, and names turned into ids."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from ratingcore.errors import UnknownName
from ratingcore.events import Event, Instant, Row, When, decode
from ratingcore.events.values import name as spelt
from ratingcore.lists.cuts import KnownAt, played_through, position
from ratingcore.log import Head, MemoryLog, SqliteLog, Verified, verify
from ratingcore.methods import Method
from ratingcore.registry import Registry
from ratingcore.replay import Checkpoints, Standing, stand
from ratingcore.tables import SAME, TimelineCache, View


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
            A position, a head, a time by which events were recorded, or a list. A text of digits alone is a position,
            also one that looks like a day: days are written `2024-03-31`. `POSITION:DIGEST` is a head, whose digest is
            checked; then come times; everything else is the name of a published list. `list:NAME` is always a name.
        pool : int or None
            Id of the pool whose published lists are meant.

        Raises
        ------
        BadCut, UnknownList, SeveralLists

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> head = engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0)).head
        >>> engine.position(), engine.position(str(head)), engine.position("2024-03-31"), engine.position("0")
        (1, 1, 0, 0)
        """
        return position(self.log, known_at, pool)

    def view(self, pool: str, through: When | None = None, known_at: KnownAt = None) -> View:
        """What a reader of the log's first events believes was played in a pool through a day."""
        number = self.pool_id(pool)
        position = self.position(known_at, number)
        if number not in self._caches:
            folder = None if self._folder is None else self._folder / str(number)
            self._caches[number] = TimelineCache(folder, number)
        latest = self._caches[number].latest(self.log)
        cut = played_through(through)
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
