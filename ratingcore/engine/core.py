"""The core of an engine: one log, the methods that are installed, the columns, and what each part asks of them."""

from pathlib import Path

from attrs import frozen

from ratingcore._version import __version__
from ratingcore.corrections.propose import Propose
from ratingcore.errors import PoolNotNamed, UnknownName
from ratingcore.events import Event, Instant, When
from ratingcore.lists import ListPolicy, RatingList, rating_list
from ratingcore.lists.cuts import KnownAt, played_through, position
from ratingcore.lists.people import People
from ratingcore.lists.policy import policy_of
from ratingcore.log import Log
from ratingcore.log.overlay import OverlayLog
from ratingcore.methods import Method
from ratingcore.registry import Registry
from ratingcore.replay import Checkpoints, Columns, Replay, Standing, SupposedColumns, replayed, stand
from ratingcore.tables import SAME, View


class Core:
    """One log, the methods that are installed, and the columns kept beside the log.

    Parameters
    ----------
    log : Log
    registry : Registry or None
        The installed plugins if None.
    columns : Columns, path or None
        Columns of the log, or the folder of their cache; None keeps them in memory only.
    """

    def __init__(self, log: Log, registry: Registry | None = None, columns: Columns | Path | None = None) -> None:
        self.log = log
        self.columns = columns if isinstance(columns, Columns) else Columns(log, columns)
        self._registry = registry

    @property
    def registry(self) -> Registry:
        """The methods and readers at hand; looked for when they are first asked for."""
        if self._registry is None:
            self._registry = Registry.installed()
        return self._registry

    @property
    def propose(self) -> Propose:
        """Corrections as events, checked against the log and not appended: for `what_if` and `foresee`."""
        return Propose(self.log, self.view)

    def supposing(self, *events: Event) -> "Core":
        """The core of a what-if: the log with further events, which are never stored."""
        log = OverlayLog(self.log, events)
        return Core(log, self.registry, SupposedColumns(log, self.columns))

    # names

    def pools(self) -> list[str]:
        """Returns the names of the pools of the log, in the order in which they appeared.

        Returns
        -------
        list of str

        Raises
        ------
        LogUnavailable
            If the file of the log cannot be read.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.pools()
        ['rapid']
        """
        return self.log.keys_of("pool")

    def one_pool(self, pool: str | None = None) -> str:
        """Returns the pool that is named, or the only one of the log.

        Parameters
        ----------
        pool : str or None

        Returns
        -------
        str

        Raises
        ------
        PoolNotNamed
            If none is named and the log has several, or none yet.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.one_pool(), engine.one_pool("blitz")
        ('rapid', 'blitz')
        """
        pools = [pool] if pool is not None else self.pools()
        if len(pools) != 1:
            raise PoolNotNamed(tuple(pools))
        return pools[0]

    def player_id(self, player: str) -> int:
        """Returns the id of a player, under which rows of the log know them.

        Parameters
        ----------
        player : str
            In any Unicode form.

        Returns
        -------
        int

        Raises
        ------
        UnknownName
            If the log knows no player of this name.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.pool_id("rapid"), engine.player_id("ann"), engine.player_id("bo")
        (1, 2, 3)
        """
        return self.log.number_of("player", player)

    def pool_id(self, pool: str) -> int:
        """Returns the id of a pool, under which rows of the log know it.

        Parameters
        ----------
        pool : str
            In any Unicode form.

        Returns
        -------
        int

        Raises
        ------
        UnknownName
            If the log knows no pool of this name.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.pool_id("rapid")
        1
        """
        return self.log.number_of("pool", pool)

    def row(self, view: View, player: str) -> int:
        """Row of a player in a view; `UnknownName` if they are not in the pool at its cuts."""
        row = view.row_of(self.player_id(player))
        if not 0 <= row < view.n_players:
            raise UnknownName("player", f"{player} in pool {view.pool} at this cut")
        return row

    # cuts

    def position(self, known_at: KnownAt = None, pool: int | None = None) -> int:
        """Returns the position that a cut in the log names; the head for None.

        Parameters
        ----------
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            A position, a head, a time by which events were recorded, or a list. A text of digits alone is a position,
            also one that looks like a day: days are written `2024-03-31`. `POSITION:DIGEST` is a head, whose digest is
            checked; then come times; everything else is the name of a published list. `list:NAME` is always a name.
        pool : int or None
            Id of the pool whose published lists are meant.

        Returns
        -------
        int

        Raises
        ------
        BadCut
            If it names no point of this log.
        UnknownList, SeveralLists

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
        """Returns what a reader of the log's first events believes was played in a pool through a day.

        Parameters
        ----------
        pool : str
        through : str, date, datetime, int or None
            Last day of played time that counts, the day included; None for all.
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            Cut in the log; see `position`.

        Returns
        -------
        View

        Raises
        ------
        UnknownName, BadCut, BadValue

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> view = engine.view("p", through="2024-03-31")
        >>> view.n_games, view.names()
        (1, ['ann', 'bo'])
        """
        number = self.pool_id(pool)
        # the position first: the columns may learn of later events meanwhile, never of fewer
        known = self.position(known_at, number)
        return self.columns.view(number, played_through(through), known)

    def touched_since(self, pool: str, position: int) -> Instant | None:
        """Returns the earliest played time at which the pool now differs from what was known at a position.

        Parameters
        ----------
        pool : str
        position : int

        Returns
        -------
        int or None
            None if nothing differs.

        Raises
        ------
        UnknownName

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(uid="g", pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> receipt = engine.amend("g", {"score": 0.5})
        >>> rc.events.iso(engine.touched_since("p", 1)), engine.touched_since("p", 2)
        ('2024-03-02', None)
        """
        same = self.view(pool).same_before(position)
        return None if same == SAME else same

    # methods

    def checkpoints(self, pool: int) -> Checkpoints:
        """Returns the saved states of a pool, from which lists of it begin.

        Parameters
        ----------
        pool : int
            Id of the pool.

        Returns
        -------
        Checkpoints

        Raises
        ------
        LogUnavailable
            If the file of the log cannot be read.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.checkpoints(1) is engine.checkpoints(1)
        True
        """
        return self.columns.checkpoints(pool)

    def standing(self, method: Method, view: View, *, pinned: bool = False) -> Standing:
        """Runs a method over a view from the nearest checkpoint on; keeps the final state only.

        Parameters
        ----------
        method : Method
        view : View
        pinned : bool
            Keep the end as a checkpoint for good.

        Returns
        -------
        Standing

        Raises
        ------
        MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.standing(engine.registry.method("elo:k=24"), engine.view("p")).state["rating"].tolist()
        [1512.0, 1488.0]
        """
        return stand(method, view, self.checkpoints(view.timeline.pool), pinned=pinned)

    def replay(
        self,
        pool: str,
        method: str | Method,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        keep: bool = False,
        since: Instant | None = None,
    ) -> Replay:
        """Runs a method over all that is known of a pool, from the first result on.

        Parameters
        ----------
        pool : str
        method : str or Method
        through, known_at
            Cuts, as for `view`.
        keep : bool
            Keep what every result was expected to be and moved; else only the state.
        since : int or None
            Begin where a list stood just before this instant, if the method can and nothing it reads of players
            was said since: `Replay.since` tells. The replay then holds what counts from there on.

        Returns
        -------
        Replay

        Raises
        ------
        UnknownName, MethodNotFound, BadParameter, BadCut, MethodError

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.replay("p", "elo:k=24", keep=True).moves.expected.tolist()
        [0.5]
        """
        rated, view = self.registry.method(method), self.view(pool, through, known_at)
        return replayed(rated, view, self.checkpoints(view.timeline.pool), keep=keep, since=since)

    def listed(
        self, standing: Replay | Standing, policy: ListPolicy | str | None = None, version: str = __version__
    ) -> RatingList:
        """The rating list of where players stand, with the digits that the policy says; the method's for None."""
        read = ListPolicy().of_method(standing.method) if policy is None else policy_of(policy)
        return rating_list(standing, version, People(self.log.names_book), read)


@frozen
class Part:
    """A part of the engine, which knows the core and no other part."""

    core: Core
