"""The core of an engine: one log, the methods that are installed, the columns, and runs of methods over them."""

import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, TypeVar

from attrs import evolve, frozen

from ratingcore._version import __version__
from ratingcore.columns import FOREVER, View
from ratingcore.columns.slices import pool_of
from ratingcore.corrections.results import pools_in_use
from ratingcore.engine.answer_cache import Recent
from ratingcore.engine.arguments import checked_top
from ratingcore.engine.official import Official, list_of_cut, own_question
from ratingcore.errors import BadValue, Conflict, ListError, LogError, PlanOutdated, PluginFails, PoolNotNamed
from ratingcore.events import Event, Instant, PoolDeclared, When
from ratingcore.events.values import Key, player_key
from ratingcore.lists import ListPolicy, RatingList, rating_list
from ratingcore.lists.compilation import Form
from ratingcore.lists.cuts import KnownAt, played_through, position
from ratingcore.lists.policy import policy_of
from ratingcore.lists.published import Published, find_published, method_of
from ratingcore.log import Head, Log, Receipt, verify
from ratingcore.log.contract import Look
from ratingcore.log.overlay import TrialLog
from ratingcore.log.validation import UNREADABLE
from ratingcore.methods import Method
from ratingcore.methods.wrapped import failing
from ratingcore.readers import Note
from ratingcore.registry import Registry
from ratingcore.replay import Columns, Replay, Standing, SupposedColumns, Watch, replayed, stand
from ratingcore.replay.caches import CheckedCaches
from ratingcore.replay.contract_check import check_all_fit
from ratingcore.replay.declared import Declarations, check_taken, declared, official, unlisted
from ratingcore.replay.steps import in_force

if TYPE_CHECKING:  # lists need no plans
    from ratingcore.plans import Plan

T = TypeVar("T")


class Tried(Protocol):
    """The plan of a file, which was tried upon the log."""

    @property
    def trial(self) -> "Core": ...


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
        self.declarations = Declarations(log)
        self.columns = columns if isinstance(columns, Columns) else Columns(log, columns)
        self.proven = Columns(log) if self.columns.stored else self.columns
        """Columns made from the rows of the log alone: no file of a cache is read for them."""
        self.recent = Recent(log)
        self.columns.method_of = self.proven.method_of = self.method
        self._registry = registry
        self._lock = threading.Lock()

    @property
    def registry(self) -> Registry:
        """The methods and readers at hand; looked for when they are first asked for."""
        with self._lock:
            if self._registry is None:
                self._registry = Registry.installed()
            return self._registry

    def method(self, text: str | Method) -> Method:
        """The method of a text."""
        return self.registry.method(text)

    def needed(self) -> set[str]:
        """Fields of results that an installed method reads, or that files have by these names."""
        from ratingcore.importer.tables.rows import DATA_FIELDS  # files are not there for lists

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
        """The pool that is named, or the only one of the log; `PoolNotNamed` if there is not just one."""
        pools = [pool] if pool is not None else pools_in_use(self.log)
        if len(pools) != 1:
            raise PoolNotNamed(tuple(pools))
        return pools[0]

    def pool_id(self, pool: str) -> int:
        """Id of a pool, under which rows of the log know it; 0 for a slice, of which no row knows."""
        number, part = pool_of(self.log.book, pool)
        return number if part is None else 0

    def player_id(self, player: Key) -> int:
        """Id of a player, under which rows of the log know them."""
        return self.log.book.number("player", player_key(player))

    def position(self, known_at: KnownAt = None, pool: int | None = None) -> int:
        """The position that a cut in the log names; the head for None. The rules are those of `lists.cuts.position`."""
        return position(self.log, known_at, pool)

    def view(self, pool: str, through: When | None = None, known_at: KnownAt = None) -> View:
        """Returns what a reader of the log's first events believes was played in a pool through a day.

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
        """What a question asks: a method, the pool's own for None, and what it is to rate.

        Of a rule with a history it is the rule with the steps that have begun.
        """
        named = None if method is None else self.registry.method(method)
        view = _view(self.log, self.columns, pool, through, known_at, look)
        return in_force(self.official(view, known_at).method if named is None else named, view), view

    def official(self, view: View, known_at: KnownAt = None) -> Official:
        """The pool's own question: what answers it where no method is named."""
        return own_question(self.log, self.registry, view, known_at)

    def declared(self, pool: str, known_at: KnownAt = None) -> PoolDeclared | None:
        """Returns what a pool was declared to take, its zone and its question, as known at a cut; None if nothing was.

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
            If the log knows no such pool.
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
        """The published list of a pool by which the log is cut, if the cut names one."""
        return list_of_cut(self.log, known_at, pool)

    def published(self, name: str | Published, pool: str | None = None) -> Published:
        """What was published under a name; the pool is needed where lists of several have this name."""
        if isinstance(name, Published):
            return self.published(name.name, name.pool)
        return find_published(self.log, name, None if pool is None else self.pool_id(pool))

    def blamed(self, error: BaseException) -> PluginFails | None:
        """The failure of a plugin, if an error came out of the code of one."""
        return None if self._registry is None else self._registry.blamed(error)

    def damage(self, error: BaseException) -> LogError | None:
        """What `verify` finds wrong with the log, if an error may have come of rows that hold what no event does."""
        if not isinstance(error, UNREADABLE) or not _of_rows(error):
            return None
        try:
            verify(self.log)
        except LogError as found:
            return found
        return None

    def apply(self, plan: "Plan", expect: Head | int | None = None) -> Receipt:
        """Appends the events of a plan, if nothing that it rests on has changed; see `Plans.apply`."""
        log, uids = self.log, [event.uid for event in plan.events]
        with log.writing():
            there = log.find(uids)
            if len(there) < len(uids) or not uids:  # a plan of nothing says that the log reads so already
                plan.check(log)
                check_taken(log, plan.events, plan.head.position, plan.verb, self.method)
                if there:  # a plan is applied whole: others have taken one of its uids
                    row = min(there.values(), key=lambda row: row.position)
                    raise PlanOutdated(plan.verb, plan.head.position, row.position, row.kind, row.uid)
            try:
                return self.declarations.append(plan.events, self.method, source=plan.source, expect=expect)
            except Conflict:  # of an event whose uid follows from what it is of
                plan.check(log)
                raise

    def applied(self, plan: "Callable[[], Plan]") -> Receipt:
        """Applies a plan, as `planned` says."""
        return planned(lambda: self.apply(plan()))

    def unlisted(self, events: Sequence[Event]) -> list[Note]:
        """Sentences about results that the methods declared for their pools leave out of lists."""
        return unlisted(self.log, events, self.method)

    def trial(self) -> "Core":
        """The core of a trial: the log with whatever is appended to it, which nobody else sees; itself if it is one."""
        if isinstance(self.log, TrialLog) and not self.log.sealed:
            return self
        return self.over(TrialLog(self.log))

    def supposing(self, events: "Iterable[Event] | Tried") -> "Core":
        """The core of a what-if: the log with further events, which are never stored, or with what a file brings."""
        if isinstance(events, Iterable):
            return self.over(TrialLog.supposing(self.log, events))
        if not hasattr(events, "trial"):
            raise BadValue("events", events, "are no events")
        return events.trial

    def over(self, log: TrialLog) -> "Core":
        """The core of a log that holds further events upon this one's."""
        return Core(log, self.registry, SupposedColumns(log, log.upon, self.columns))

    def standing(self, method: Method, view: View, *, pinned: bool = False) -> Standing:
        """Runs a method over a view from the nearest checkpoint on; keeps the final state only.

        With `pinned`, the end stays a checkpoint for good.
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
        """Runs a method over all that is known of a pool, from the first result on.

        Parameters
        ----------
        pool : str
        method : str, Method or None
            The pool's own for None.
        through, known_at
            Cuts, as for `view`.
        keep : bool
            Keep what every result was expected to be and moved; else only the state.
        since : int or None
            Begin where a list stood just before this instant, if that can be had: `Replay.since` tells from where.
        watch : Watch or None
            With `keep`, whose further columns are kept too, line by line.

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
        """The rating list that the rows of the log give; no cache is read, neither columns nor checkpoints.

        The `form` is that of an older list, if one is made again.
        The rows are read once: a later list of this engine reads only what has come since.
        """
        view = _view(self.log, self.proven, pool, through, known_at)
        standing = stand(method, view, self.proven.checkpoints_of(view))
        return self.listed(standing, policy, version, form=form)

    def forget(self) -> None:
        """Gives back the memory of answers, columns and checkpoints; they are read or made again when needed."""
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
            `elo`, `elo:k=24`, or a method value. None asks the pool's own question: the method and the policy that are
            declared for the day of the list; `elo` where none is declared. Where `known_at` is a published list, it
            asks as that list did.
        through : str, date, datetime, int or None
            Last day of played time that counts, the day included, or a time; None for all. A day is written with
            dashes: `2024-03-31`.
        known_at : int, str, date, datetime, Head, Published, RatingList or None
            Cut in the log: a position, a head, a time by which events were recorded, a published list or its
            name; None for now. `ratingcore.lists.cuts.position` says how texts are read.
        policy : ListPolicy, str or None
            Who is listed and how: `min_games=5,active=months(12)`; None for everybody, or for what is declared
            where no method is named.
        top : int or None
            List so many players from the top, with the ranks they have among all; None for all. Of a large pool this
            takes a fraction of the time. Such a list has no digest and cannot be published.
        strict : bool
            Refuse a pool with results that the method cannot read; else they are left out, and `RatingList.left_out`
            counts them by reason.

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
            asked = self.official(view, known_at) if named is None else Official(named)
            if strict:
                check_all_fit(asked.method, view, self.log)
            standing = self.standing(asked.method, view)
            read = (asked.policy if policy is None else policy_of(policy)).of_method(standing.method)
            return self.listed(standing, read, top=checked_top(top), undeclared=asked.undeclared), view.known_at

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
        """The rating list of where players stand, with the digits that the policy says; the method's for None."""
        read = ListPolicy().of_method(standing.method) if policy is None else policy_of(policy)
        with failing(standing.method):
            made = rating_list(standing, version, read, top, form=form)
        return evolve(made, provenance=evolve(made.provenance, undeclared=True)) if undeclared else made


def planned(apply: Callable[[], T]) -> T:
    """What comes of making a plan and applying it; once more if what it rests on changes in between."""
    while True:
        with suppress(PlanOutdated):
            return apply()


def _view(
    log: Log, columns: Columns, pool: str, through: When | None, known_at: KnownAt, look: Look | None = None
) -> View:
    """What these columns of a log hold of a pool, at two cuts."""
    look = look or log.look()
    number, part = pool_of(look.book, pool)
    # the columns may know of later events meanwhile, never of fewer
    to = None if known_at is None else position(log, known_at, number if part is None else 0, look.head)
    return columns.view(number, played_through(through), to, look, part=part)


_ROWS = (
    "ratingcore.columns", "ratingcore.corrections", "ratingcore.erasure", "ratingcore.events",
    "ratingcore.lists.published", "ratingcore.log", "ratingcore.replay.declared",
)  # fmt: skip
"""Where rows become events, columns and names: what they hold is not looked at again after that."""

_DECODED = "ratingcore.corrections", "ratingcore.events"
"""Where what a row holds is looked up by its place: an `IndexError` anywhere else is a mistake of ours."""


def _of_rows(error: BaseException) -> bool:
    """Whether an error was raised where rows are read, and not in code of others, such as a function of a user.

    A mistake of ours anywhere else must show at once: to verify a log of millions takes minutes.
    """
    module = ""
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        here = str(trace.tb_frame.f_globals.get("__name__"))
        top = here.partition(".")[0]
        if top.startswith("ratingcore"):
            module = here
        elif top != "numpy" and top not in sys.stdlib_module_names:
            return False
        trace = trace.tb_next
    return module.startswith(_DECODED if isinstance(error, IndexError) else _ROWS)


@frozen
class Part:
    """A part of the engine, which knows the core and no other part."""

    core: Core
