"""What would be: the log with events that are never stored, and what one event does to the ratings."""

from collections.abc import Iterable
from typing import Self

from ratingcore.engine.ratings import Rating
from ratingcore.errors import SeveralPools
from ratingcore.events import CORRECTIONS, Event, MergeUndone, ResultVoided, Row, When
from ratingcore.events.corrections import Corrections
from ratingcore.events.values import name as spelt
from ratingcore.explain.impact import Impact
from ratingcore.lists.cuts import KnownAt
from ratingcore.lists.people import People
from ratingcore.log.overlay import OverlayLog
from ratingcore.methods import Method
from ratingcore.methods.text import identity
from ratingcore.replay import Checkpoints, Standing
from ratingcore.replay.checkpoint import Checkpoint
from ratingcore.tables import TimelineCache, View


class Supposing(Rating):
    """Events that are supposed, and their impact."""

    supposed: int = 0
    """Events that this engine supposes and no log has recorded; 0 of every engine but a what-if."""

    _upon: "Supposing | None" = None
    """The engine whose log is supposed upon."""

    def what_if(self, events: Iterable[Event]) -> Self:
        """The engine as it would answer with further events, as if they were recorded now.

        All questions work: lists, histories, forecasts, explanations, events. Nothing is written, and to record or
        to publish is refused. What is recorded meanwhile does not show. Lists name a head that begins with `what-if:`,
        which no log has.

        Parameters
        ----------
        events : iterable of Event
            Checked as an append checks them; those the log has already change nothing.

        Raises
        ------
        UnknownUid, BadCorrection, Conflict

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> drawn = rc.GamePlayed(pool="rapid", played="2024-03-09", a="ann", b="cy", score=0.0)
        >>> engine.what_if([drawn]).rating_list("rapid", "elo").player
        ('cy', 'ann', 'bo')
        >>> engine.rating_list("rapid", "elo").player
        ('ann', 'bo')
        """
        log = OverlayLog(self.log, events)
        made = type(self)(log, self.registry)  # type: ignore[arg-type]  # a log to read; what would write is refused
        made.supposed = log.supposed
        made._upon = self
        return made

    def view(self, pool: str, through: When | None = None, known_at: KnownAt = None) -> View:
        if self._upon is not None:
            self._bring_forward(self._upon, pool)
        return super().view(pool, through, known_at)

    def checkpoints(self, pool: int) -> Checkpoints:
        if pool not in self._checkpoints and self._upon is not None:
            assert isinstance(self.log, OverlayLog)
            if self.log.names()[pool - 1].batch <= self.log.upon.position:
                self._checkpoints[pool] = _CheckpointsBelow(self._upon.checkpoints(pool), self.log)
        return super().checkpoints(pool)

    def _bring_forward(self, upon: "Supposing", pool: str) -> None:
        """Begin with the columns of the log below: what it holds is not read again."""
        number = self.pool_id(pool)
        assert isinstance(self.log, OverlayLog)
        if number not in self._caches and upon.log.id_of("pool", spelt(pool)) == number:
            held = upon.view(pool, None, self.log.upon.position).timeline
            self._caches[number] = TimelineCache(None, number, held)

    def foresee(
        self,
        events: Iterable[Event],
        pool: str | None = None,
        method: str | Method = "elo",
        through: When | None = None,
        *,
        what: str = "",
    ) -> Impact:
        """Who would move, and by how much, were these events recorded now; nothing is.

        Parameters
        ----------
        events : iterable of Event
        pool : str or None
            The one that the events concern if None.
        method : str or Method
        through : str, date, datetime or None
            Last day of played time that counts, as for a list.
        what : str
            What the events are called; their uid if empty.

        Raises
        ------
        SeveralPools
            If the events concern several and none is named.
        UnknownUid, BadCorrection, Conflict, UnknownName, MethodNotFound, BadParameter, MethodError
        """
        trial = self.what_if(events)
        assert isinstance(trial.log, OverlayLog)
        upon = trial.log.upon.position
        rows = list(trial.log.rows(upon))
        what = what or (rows[0].uid if len(rows) == 1 else f"{len(rows)} events")
        rated = _Rated(trial, self.registry.method(method), through)
        if not rows:
            return rated.none(what, pool, "it is recorded already")
        return rated.impact(what, rows, pool, (self, upon), (trial, trial.position()))

    def impact(
        self, uid: str, pool: str | None = None, method: str | Method = "elo", through: When | None = None
    ) -> Impact:
        """Who moved, and by how much, because of one event: ratings as known now against those without it.

        An event that counts as never recorded moves nobody, nor does one that corrects nothing.

        Parameters
        ----------
        uid : str
            A result, a seed, a description, or a correction.
        pool : str or None
            The one that the event concerns if None.
        method : str or Method
        through : str, date, datetime or None
            Last day of played time that counts, as for a list.

        Raises
        ------
        SeveralPools
            If the event concerns several pools, as a merge does, and none is named.
        UnknownUid, UnknownName, MethodNotFound, BadParameter, MethodError
        """
        row = self.log.row_of(uid)
        rated = _Rated(self, self.registry.method(method), through)
        if row.kind in ("period", "list"):
            told = "a published list" if row.kind == "list" else "a closed period"
            return rated.none(uid, pool, f"{told} says nothing of a result")
        trial = self.what_if([(MergeUndone if row.kind == "merge" else ResultVoided)(of=uid)])
        assert isinstance(trial.log, OverlayLog)
        upon = trial.log.upon.position
        if row.position in Corrections.of(self.log.rows(0, upon, CORRECTIONS)).void:
            return rated.none(uid, pool, "it counts as never recorded")
        return rated.impact(uid, [row], pool, (trial, trial.position()), (self, upon))


class _CheckpointsBelow(Checkpoints):
    """The checkpoints of the log below, which are only read, and those of what is supposed, in memory."""

    def __init__(self, below: Checkpoints, log: OverlayLog) -> None:
        super().__init__(None, log.digest_at)
        self._below = below
        self._limit = log.upon.position

    def nearest(self, method: Method, view: View) -> Checkpoint | None:
        found, below = super().nearest(method, view), self._below.nearest(method, view)
        if below is None or below.known_at > self._limit:  # what the log below has learnt since is another history
            return found
        return below if found is None or found.through < below.through else found


Reader = tuple[Supposing, int]
"""An engine, and how many events of its log are known."""


class _Rated:
    """One method asked of two readers."""

    def __init__(self, engine: Supposing, method: Method, through: When | None) -> None:
        self._engine = engine
        self._method = method
        self._through = through

    def none(self, what: str, pool: str | None, why: str) -> Impact:
        """Nobody can have moved, and why."""
        if pool is not None:
            self._engine.pool_id(pool)
        return Impact.none(what, pool or "", identity(self._method), why)

    def impact(self, what: str, rows: list[Row], pool: str | None, without: Reader, with_it: Reader) -> Impact:
        """What the rows do: the ratings of a reader who knows them beside those of one who does not."""
        pools = _concerned(self._engine, rows, (without, with_it))
        if pool is not None and self._engine.pool_id(pool) not in pools:
            said = [self._engine.log.names_book.key(number) for number in sorted(pools)]
            where = f"it concerns pool {', '.join(said)}" if said else "it concerns no result that counts"
            return self.none(what, pool, where)
        if not pools:
            return self.none(what, pool, "it concerns no result that counts")
        keys = [self._engine.log.names_book.key(number) for number in sorted(pools)]
        if pool is None and len(keys) > 1:
            raise SeveralPools(what, tuple(keys))
        chosen = spelt(pool or keys[0])
        before, after = (self._standing(chosen, *reader) for reader in (without, with_it))
        return Impact.between(what, chosen, before, after, People(self._engine.log.names_book).keys)

    def _standing(self, pool: str, engine: Supposing, known_at: int) -> Standing | None:
        if engine.log.id_of("pool", pool) is None:
            return None
        return engine.standing(self._method, engine.view(pool, self._through, known_at))


def _concerned(engine: Supposing, rows: Iterable[Row], readers: tuple[Reader, Reader]) -> set[int]:
    """Pools in which a result, a seed or a description reads otherwise to one reader than to the other, by id."""
    known = [(reader, Corrections.of(reader[0].log.rows(0, reader[1], CORRECTIONS))) for reader in readers]
    pools: set[int] = set()
    for row in rows:
        while row.ref is not None:
            row = next(iter(engine.log.rows_at([row.ref])))
        for reader, corrections in known:
            if row.kind == "merge":
                pools |= _merging(*reader, corrections, row)
                continue
            read = corrections.read(row) if row.position <= reader[1] else None
            if read is not None and read.pool is not None:
                pools.add(read.pool)
    return pools


def _merging(engine: Supposing, known_at: int, corrections: Corrections, merge: Row) -> set[int]:
    """Pools in which the record that is merged has results, to a reader for whom it is not merged."""
    assert merge.a is not None, merge
    assert merge.b is not None, merge
    other = corrections.root(merge.b)
    if other == corrections.root(merge.a):
        return set()
    timelines = (engine.view(pool, None, known_at).timeline for pool in engine.pools())
    return {timeline.pool for timeline in timelines if (timeline.players.id == other).any()}
