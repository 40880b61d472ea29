"""Core of an engine: one log, the installed methods, the cached columns, and runs of methods over the log."""

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from attrs import evolve, frozen

from ratingcore._version import __version__
from ratingcore.columns import FOREVER, View
from ratingcore.columns.slices import pool_of
from ratingcore.corrections.results import pools_in_use
from ratingcore.engine.answer_cache import Recent
from ratingcore.engine.arguments import checked_top
from ratingcore.engine.damage import damage_of
from ratingcore.engine.official import Official, list_of_cut, own_question
from ratingcore.errors import BadValue, Conflict, ListError, LogError, PlanOutdated, PluginFails, PoolNotNamed
from ratingcore.events import Event, Instant, PoolDeclared, When
from ratingcore.events.values import Key, player_key
from ratingcore.lists import ListPolicy, RatingList, rating_list
from ratingcore.lists.compilation import Form
from ratingcore.lists.cuts import KnownAt, played_through, position
from ratingcore.lists.policy import policy_of
from ratingcore.lists.published import Published, find_published, method_of
from ratingcore.log import Head, Log, Receipt
from ratingcore.log.contract import Look
from ratingcore.log.overlay import TrialLog
from ratingcore.methods import Method
from ratingcore.methods.wrapped import failing
from ratingcore.plans.doubts import Doubt, doubts
from ratingcore.readers import Note
from ratingcore.registry import Registry
from ratingcore.replay import Columns, Replay, Standing, SupposedColumns, Watch, replayed, stand
from ratingcore.replay.caches import CheckedCaches
from ratingcore.replay.contract_check import check_all_readable
from ratingcore.replay.declared import (
    Declarations,
    check_board_declared,
    check_later_results,
    declared,
    official,
    unlisted,
)
from ratingcore.replay.steps import in_force

if TYPE_CHECKING:  # lists need no plans
    from ratingcore.plans import Plan

T = TypeVar("T")


class Tried(Protocol):
    """Plan of a file that has been imported into a trial of the log."""

    @property
    def trial(self) -> "Core": ...


class Core:
    """One log, the installed methods, and the columns that are cached for the log.

    Parameters
    ----------
    log : Log
    registry : Registry or None
        Methods and readers to use; None for the installed plugins.
    columns : Columns, path or None
        Columns of the log, or the folder of their cache; None keeps them in memory only.
    """

    def __init__(self, log: Log, registry: Registry | None = None, columns: Columns | Path | None = None) -> None:
        self.log = log
        self.declarations = Declarations(log)
        self.columns = columns if isinstance(columns, Columns) else Columns(log, columns)
        self.proven = Columns(log) if self.columns.stored else self.columns
        """Columns made only from the rows of the log, without files of a cache."""
        self.recent = Recent(log)
        self.columns.method_of = self.proven.method_of = self.method
        self._registry = registry
        self._lock = threading.Lock()

    @property
    def registry(self) -> Registry:
        """The installed methods and readers, loaded on first use."""
        with self._lock:
            if self._registry is None:
                self._registry = Registry.installed()
            return self._registry

    def method(self, text: str | Method) -> Method:
        return self.registry.method(text)

    def needed(self) -> set[str]:
        """Returns the fields of results that an installed method reads, or that importers know by name."""
        from ratingcore.importer.tables.cells import DATA_FIELDS  # lists need no file formats

        return {*DATA_FIELDS, *self.registry.result_fields()}

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
        return self.log.book.keys_of("pool")

    def one_pool(self, pool: str | None = None) -> str:
        """Returns the given pool, or the only pool of the log; raises `PoolNotNamed` unless there is exactly one."""
        pools = [pool] if pool is not None else pools_in_use(self.log)
        if len(pools) != 1:
            raise PoolNotNamed(tuple(pools))
        return pools[0]

    def pool_id(self, pool: str) -> int:
        """Returns the id of a pool in the rows of the log; 0 for a slice, which has no id."""
        number, part = pool_of(self.log.book, pool)
        return number if part is None else 0

    def player_id(self, player: Key) -> int:
        """Returns the id of a player in the rows of the log."""
        return self.log.book.number("player", player_key(player))

    def position(self, known_at: KnownAt = None, pool: int | None = None) -> int:
        """Returns the position of a cut in the log; the head for None. See `lists.cuts.position` for the rules."""
        return position(self.log, known_at, pool)

    def view(self, pool: str, through: When | None = None, known_at: KnownAt = None) -> View:
        """Returns a view of a pool through a day, for a reader who knows the log up to a cut.

        Parameters
        ----------
        pool : str
        through : str, date, datetime, int or None
            Last day of played time that counts, the day included; None for all.
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            Cut in the log; see `ratingcore.lists.cuts.position`.

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
        >>> view = engine.core.view("p", through="2024-03-31")
        >>> view.n_games, view.names()
        (1, ['ann', 'bo'])
        """
        return _view(self.log, self.columns, pool, through, known_at)

    def question(
        self,
        pool: str,
        method: str | Method | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        look: Look | None = None,
    ) -> tuple[Method, View]:
        """Returns a method (None takes the one that the pool declares) and the view that it is to rate.

        A rule with a history has only the steps that have begun by the cut of the view.
        """
        named = None if method is None else self.registry.method(method)
        view = _view(self.log, self.columns, pool, through, known_at, look)
        return in_force(self.official(view, known_at).method if named is None else named, view), view

    def official(self, view: View, known_at: KnownAt = None) -> Official:
        """Returns the method and policy that a pool declares, which apply if no method is named."""
        return own_question(self.log, self.registry, view, known_at)

    def declared(self, pool: str, known_at: KnownAt = None) -> PoolDeclared | None:
        """Returns the declaration of a pool (accepted results, zone, question) as known at a cut; None without one.

        Parameters
        ----------
        pool : str
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            Cut in the log; see `ratingcore.lists.cuts.position`.

        Returns
        -------
        PoolDeclared or None

        Raises
        ------
        UnknownName
            If the log has no such pool.
        BadCut

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.declare("cup", fits="elo-margin")
        >>> receipt = engine.declare("cup", fits="elo")
        >>> engine.core.declared("cup").fits, engine.core.declared("cup", known_at=1).fits
        ('elo', 'elo-margin')
        """
        cut = self.position(known_at, self.pool_id(pool))
        last, asks = declared(self.log, pool, cut), official(self.log, pool, FOREVER, cut)
        if last is None or asks is None:
            return last
        return evolve(last, method=asks.method, policy=asks.policy, starting=asks.starting)

    def list_of(self, known_at: KnownAt, pool: str) -> Published | None:
        """Returns the published list that a cut names; None if the cut names none."""
        return list_of_cut(self.log, known_at, pool)

    def published(self, name: str | Published, pool: str | None = None) -> Published:
        """Returns the list published under a name; the pool is needed if lists of several pools have this name."""
        if isinstance(name, Published):
            return self.published(name.name, name.pool)
        return find_published(self.log, name, None if pool is None else self.pool_id(pool))

    def blamed(self, error: BaseException) -> PluginFails | None:
        """Returns an error that names the plugin, if an error came from the code of a plugin; else None."""
        return None if self._registry is None else self._registry.blamed(error)

    def damage(self, error: BaseException) -> LogError | None:
        """Returns the error that `verify` finds, if an error may come from rows with values that no event has."""
        return damage_of(self.log, error)

    def apply(self, plan: "Plan", expect: Head | int | None = None) -> Receipt:
        """Appends the events of a plan, if nothing it depends on has changed; see `Plans.apply`."""
        log, uids = self.log, [event.uid for event in plan.events]
        with log.writing():
            there = log.find(uids)
            if len(there) < len(uids) or not uids:  # else the log has all events already
                plan.check(log)
                check_later_results(log, plan.events, plan.head.position, plan.verb, self.method)
                if there:  # a plan is applied as a whole, and somebody else has used one of its uids
                    row = min(there.values(), key=lambda row: row.position)
                    raise PlanOutdated(plan.verb, plan.head.position, row.position, row.kind, row.uid)
            try:
                return self.declarations.append(plan.events, self.method, source=plan.source, expect=expect)
            except Conflict:  # an event whose uid comes from its content is in the log already
                plan.check(log)
                raise

    def applied(self, plan: "Callable[[], Plan]") -> Receipt:
        """Makes and applies a plan; see `planned`."""
        return planned(lambda: self.apply(plan()))

    def doubts(self, events: Sequence[Event]) -> list[Doubt]:
        """Returns notes on those of some events that are doubtful results; see `ratingcore.plans.doubts`."""
        return doubts(events, self.log.now())

    def unlisted(self, events: Sequence[Event]) -> list[Note]:
        """Returns notes on results that the method declared for their pool leaves out of lists."""
        return [] if self.declarations.none_at(self.log.head) else unlisted(self.log, events, self.method)

    def trial(self) -> "Core":
        """Returns the core of a trial, which keeps appends to itself; this core if it is one already."""
        if isinstance(self.log, TrialLog) and not self.log.sealed:
            return self
        return self.over(TrialLog(self.log))

    def supposing(self, events: "Iterable[Event] | Tried") -> "Core":
        """Returns the core of a what-if: the log with further events, or those of a file, which are never stored."""
        if isinstance(events, Iterable):
            return self.over(TrialLog.supposing(self.log, events))
        if not hasattr(events, "trial"):
            raise BadValue("events", events, "must be a list of events, or a plan to import a file")
        return events.trial

    def over(self, log: TrialLog) -> "Core":
        """Returns the core of a log that has further events after those of this log."""
        return Core(log, self.registry, SupposedColumns(log, log.upon, self.columns))

    def standing(self, method: Method, view: View, *, pinned: bool = False) -> Standing:
        """Runs a method over a view from the nearest checkpoint, and returns the final state.

        With `pinned`, the final state is kept in a file as long as there is room.
        """
        with failing(method):
            return stand(method, view, self.columns.checkpoints_of(view), pinned=pinned)

    def replay(
        self,
        pool: str,
        method: str | Method | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        keep: bool = False,
        since: Instant | None = None,
        watch: Watch | None = None,
    ) -> Replay:
        """Runs a method over all known results of a pool, and returns the replay.

        Parameters
        ----------
        pool : str
        method : str, Method or None
            None for the method that the pool declares.
        through, known_at
            Cuts, as for `view`.
        keep : bool
            Whether to keep the expectation and the changes of every result; else only the state.
        since : int or None
            Instant just before which the replay begins, if possible; `Replay.since` is its actual beginning.
        watch : Watch or None
            Players whose further columns are kept, line by line, if `keep` is set.

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
        >>> engine.core.replay("p", "elo:k=24", keep=True).moves.expected.tolist()
        [0.5]
        """
        rated, view = self.question(pool, method, through, known_at)
        with failing(rated):
            return replayed(rated, view, self.columns.checkpoints_of(view), keep=keep, since=since, watch=watch)

    def proven_list(
        self,
        pool: str,
        method: Method,
        through: When | None,
        known_at: KnownAt,
        policy: ListPolicy,
        version: str = __version__,
        *,
        form: Form = "present",
    ) -> RatingList:
        """Returns the rating list made only from the rows of the log, without files of caches.

        To rebuild an older list, give its `form`. The rows are read once: a later list of this engine reads only newer
        rows.
        """
        view = _view(self.log, self.proven, pool, through, known_at)
        standing = stand(method, view, self.proven.checkpoints_of(view))
        return self.listed(standing, policy, version, form=form)

    def forget(self) -> None:
        """Frees the memory of answers, columns and checkpoints; they are read or made again when needed."""
        self.recent.forget()
        self.columns.forget()
        self.proven.forget()

    def check_caches(self) -> CheckedCaches:
        """Recomputes all columns and checkpoints beside the log, and drops those that differ."""
        self.recent.forget()
        return self.columns.checked(self._installed)

    def _installed(self, text: str) -> Method | None:
        try:
            return method_of(self.registry, "", text)
        except ListError:
            return None

    def rating_list(
        self,
        pool: str,
        method: str | Method | None = None,
        through: When | None = None,
        known_at: KnownAt = None,
        *,
        policy: ListPolicy | str | None = None,
        top: int | None = None,
        strict: bool = False,
    ) -> RatingList:
        """Returns the rating list of a pool, with its provenance.

        Parameters
        ----------
        pool : str
        method : str, Method or None
            `elo`, `elo:k=24`, or a method value. None takes the method and policy that the pool declares for the day of
            the list, or `elo` without a declaration; if `known_at` is a published list, those of that list.
        through : str, date, datetime, int or None
            Last day or instant of played time that counts; None for all. A day is written with dashes: `2024-03-31`.
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            Cut in the log: a position, a head, a time by which events were recorded, a published list or its
            name; None for now. See `ratingcore.lists.cuts.position` for texts.
        policy : ListPolicy, str or None
            Rules for who is listed and how: `min_games=5,active=months(12)`. None lists everybody, or by the declared
            policy if no method is named.
        top : int or None
            Number of players to list from the top, with their ranks among all; None for all. For a large pool this
            takes a fraction of the time. Such a list has no digest and cannot be published.
        strict : bool
            Whether to refuse a pool with results that the method cannot read; else they are left out, and
            `RatingList.left_out` counts them by reason.

        Returns
        -------
        RatingList

        Raises
        ------
        UnknownName, MethodNotFound, BadParameter, BadCut, BadValue, MethodError
        OddResults
            If `strict` and the method cannot read some results.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> march = engine.rating_list("rapid", "elo:k=24", through="2024-03-31")
        >>> [(row["rank"], row["player"], row["rating"]) for row in march]
        [(1, 'ann', 1512.0), (2, 'bo', 1488.0)]
        """

        def make(look: Look) -> tuple[RatingList, int]:
            named = None if method is None else self.registry.method(method)
            view = _view(self.log, self.columns, pool, through, known_at, look)
            chosen = self.official(view, known_at) if named is None else Official(named)
            if strict:
                check_all_readable(chosen.method, view, self.log)
            standing = self.standing(chosen.method, view)
            read = (chosen.policy if policy is None else policy_of(policy)).of_method(standing.method)
            return self.listed(standing, read, top=checked_top(top), undeclared=chosen.undeclared), view.known_at

        return self.recent.answer(("list", pool, method, through, known_at, policy, top, strict), make)

    def listed(
        self,
        standing: Replay | Standing,
        policy: ListPolicy | str | None = None,
        version: str = __version__,
        top: int | None = None,
        undeclared: bool = False,
        form: Form = "present",
    ) -> RatingList:
        """Returns the list of a final state by a policy; None lists everybody, with the digits of the method."""
        read = ListPolicy().of_method(standing.method) if policy is None else policy_of(policy)
        with failing(standing.method):
            made = rating_list(standing, version, read, top, form=form)
        return evolve(made, provenance=evolve(made.provenance, undeclared=True)) if undeclared else made


def planned(apply: Callable[[], T]) -> T:
    """Calls a function that makes and applies a plan, again and again until nothing changes in between."""
    while True:
        with suppress(PlanOutdated):
            return apply()


def _view(
    log: Log, columns: Columns, pool: str, through: When | None, known_at: KnownAt, look: Look | None = None
) -> View:
    """Returns a view of a pool from these columns, cut in played time and in the log."""
    look = look or log.look()
    number, part = pool_of(look.book, pool)
    # the columns may know later events by now, but never fewer
    to = None if known_at is None else position(log, known_at, number if part is None else 0, look.head)
    if to is not None:
        check_board_declared(log, look.book.key(number), to)
    return columns.view(number, played_through(through), to, look, part=part)


@frozen
class Part:
    """Base of the parts of the engine, which share its core."""

    core: Core
