"""The engine, which opens a log and answers questions about it; each module here is one of its parts."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import GeneratorType, TracebackType
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar

from ratingcore.engine.arguments import mistyped
from ratingcore.engine.core import Core
from ratingcore.errors import RatingCoreError
from ratingcore.errors.plugin import from_outside
from ratingcore.events import Event
from ratingcore.lazy_imports import Later
from ratingcore.lists.cuts import KnownAt
from ratingcore.log import Log, SqliteLog
from ratingcore.log.abilities import hosted
from ratingcore.registry import Registry
from ratingcore.registry.stores import address_of, open_log
from ratingcore.replay.caches import Columns, SupposedColumns, folder_of

if TYPE_CHECKING:
    from ratingcore.engine.comparisons import Comparisons
    from ratingcore.engine.corrections import Corrections
    from ratingcore.engine.events import Events
    from ratingcore.engine.exchange import Exchange
    from ratingcore.engine.explanations import Explanations
    from ratingcore.engine.file_plans import FilePlan
    from ratingcore.engine.forecasts import Forecasts
    from ratingcore.engine.imports import Imports
    from ratingcore.engine.lists import Lists
    from ratingcore.engine.outboxes import Outboxes
    from ratingcore.engine.plans import Plans
    from ratingcore.engine.players import Players
    from ratingcore.engine.publications import Publications

__all__ = ["Engine", "KnownAt", "open_engine"]

Part = TypeVar("Part")
Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


if not TYPE_CHECKING:  # importing the engine is most of the cost of a first list: each part waits for its first call
    (
        Comparisons, Corrections, Events, Exchange, Explanations, Forecasts, Imports, Lists, Outboxes, Plans, Players,
        Publications,
    ) = (
        Later(f"ratingcore.engine.{name.lower()}", name)
        for name in (
            "Comparisons", "Corrections", "Events", "Exchange", "Explanations", "Forecasts", "Imports",
            "Lists", "Outboxes", "Plans", "Players", "Publications",
        )
    )  # fmt: skip


class _Lookup:
    """Placeholder for a method of the engine; it is replaced by the method on first access."""

    def __init__(self, part: Callable[[Core], object], method: Later) -> None:
        self._part, self._method = part, method

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._name = owner, name

    def __get__(self, engine: object, kind: type) -> object:
        part = self._part.imported() if isinstance(self._part, Later) else self._part
        called = _asking(part, self._method.imported())
        setattr(self._owner, self._name, called)
        return getattr(kind if engine is None else engine, self._name)


def _of(
    part: Callable[[Core], Part], method: Callable[Concatenate[Part, Arguments], Answer]
) -> "Callable[Concatenate[Engine, Arguments], Answer]":
    """Makes a method of the engine that calls a method of one of its parts, with the same signature and docstring."""
    return _Lookup(part, method) if isinstance(method, Later) else _asking(part, method)  # type: ignore[return-value]  # it becomes the method


def _asking(
    part: Callable[[Core], Part], method: Callable[Concatenate[Part, Arguments], Answer]
) -> "Callable[Concatenate[Engine, Arguments], Answer]":
    @wraps(method)
    def called(engine: "Engine", /, *args: Arguments.args, **options: Arguments.kwargs) -> Answer:
        core = engine.core

        def cause(error: BaseException) -> BaseException:
            """Returns the error to raise in place of one that ratingcore did not raise: a plugin may raise anything."""
            if type(error) is GeneratorExit or from_outside(error):
                return error
            return core.blamed(error) or mistyped(method, core, args, options) or core.damage(error) or error

        with _explained(cause):
            answer = method(part(core), *args, **options)
        return _each(answer, cause) if isinstance(answer, GeneratorType) else answer  # type: ignore[return-value]  # the same items

    return called


@contextmanager
def _explained(cause: Callable[[BaseException], BaseException]) -> Iterator[None]:
    """Replaces an error that ratingcore did not raise by one that names its cause."""
    try:
        yield
    except RatingCoreError:
        raise
    except BaseException as error:
        found = cause(error)
        if found is error:
            raise
        raise found from error


def _each(answers: Iterator[Answer], cause: Callable[[BaseException], BaseException]) -> Iterator[Answer]:
    """Yields the items of a generator, and explains errors, which arise only while it is read."""
    with _explained(cause):
        yield from answers


def _itself(core: Core) -> Core:
    return core


class Engine:
    """One log, the installed methods, and the columns that are cached for the log.

    Parameters
    ----------
    log : Log
    registry : Registry or None
        Methods and readers to use; None for the installed plugins.
    columns : Columns, path or None
        Columns of the log, or the folder of their cache; None keeps them in memory only.

    Examples
    --------
    >>> from ratingcore import Engine, GamePlayed, SqliteLog
    >>> with Engine(SqliteLog(":memory:")) as engine:
    ...     _ = engine.record(GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    ...     engine.rating_list("rapid", "elo:k=24").player
    ('ann', 'bo')
    """

    def __init__(self, log: Log, registry: Registry | None = None, columns: Columns | Path | None = None) -> None:
        self.core = Core(log, registry, columns)
        """Shared by all parts: looks up names and cuts, runs methods, and appends checked events."""

    @property
    def log(self) -> Log:
        """The log."""
        return self.core.log

    @property
    def registry(self) -> Registry:
        """The installed methods and readers, loaded on first use."""
        return self.core.registry

    @property
    def plan(self) -> Plans:
        """Plans of changes, for `what_if`, `impact` and `apply`."""
        return Plans(self.core)

    apply = _of(Plans, Plans.apply)

    pools = _of(_itself, Core.pools)

    record = _of(Events, Events.record)
    events = _of(Events, Events.events)
    follow = _of(Events, Events.follow)
    verify = _of(Events, Events.verify)
    deliver = _of(Outboxes, Outboxes.deliver)

    void = _of(Corrections, Corrections.void)
    revive = _of(Corrections, Corrections.revive)
    amend = _of(Corrections, Corrections.amend)
    merge = _of(Corrections, Corrections.merge)
    split = _of(Corrections, Corrections.split)

    rating_list = _of(_itself, Core.rating_list)
    replay_pools = _of(Lists, Lists.replay_pools)
    tournament = _of(Lists, Lists.tournament)
    publish = _of(Publications, Publications.publish)
    published = _of(Publications, Publications.published)
    published_list = _of(Publications, Publications.published_list)
    restated = _of(Publications, Publications.restated)
    prove = _of(Publications, Publications.prove)

    history = _of(Explanations, Explanations.history)
    peaks = _of(Explanations, Explanations.peaks)
    with_columns = _of(Explanations, Explanations.with_columns)
    explain = _of(Explanations, Explanations.explain)
    impact = _of(Explanations, Explanations.impact)
    moves = _of(Explanations, Explanations.moves)

    compare = _of(Comparisons, Comparisons.compare)
    tune = _of(Comparisons, Comparisons.tune)
    fit = _of(Comparisons, Comparisons.fit)
    forecasts = _of(Forecasts, Forecasts.forecasts)
    predict = _of(Forecasts, Forecasts.predict)

    player = _of(Players, Players.player)
    players = _of(Players, Players.players)
    rename = _of(Players, Players.rename)
    declare = _of(Players, Players.declare)
    erase = _of(Players, Players.erase)

    import_file = _of(Imports, Imports.import_file)
    games_on_lines = _of(Imports, Imports.games_on_lines)
    import_players = _of(Imports, Imports.import_players)
    import_seeds = _of(Imports, Imports.import_seeds)
    written = _of(Exchange, Exchange.written)
    export = _of(Exchange, Exchange.export)
    load = _of(Exchange, Exchange.load)

    def what_if(self, events: "Iterable[Event] | FilePlan") -> Self:
        """Returns an engine that answers as if further events were recorded now.

        All questions work: lists, histories, forecasts, explanations, events. Nothing is written, and recording or
        publishing is refused. The engine does not see what is recorded meanwhile. Its lists name a head whose digest
        begins with `what-if:`, which no log has.

        Parameters
        ----------
        events : iterable of Event, Plan or FilePlan
            Events, checked as in an append; events that the log has already change nothing.

        Returns
        -------
        Engine

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
        trial = self.core.supposing(events)
        return type(self)(trial.log, trial.registry, trial.columns)

    @contextmanager
    def within(self, connection: object) -> Iterator[Self]:
        """Gives an engine inside an open transaction of a host, so that the changes of both are committed together.

        It reuses names, columns and methods that this engine has read, and cannot be used after the transaction. Others
        who append wait until the host commits, so record last.

        Parameters
        ----------
        connection : connection of the database
            For a log in PostgreSQL, a connection of psycopg 3, or of Django or SQLAlchemy that uses psycopg 3.

        Returns
        -------
        context manager that gives an Engine

        Raises
        ------
        LogUnavailable
            If no transaction is open, or the store of the log cannot take part in one, such as a file.

        Examples
        --------
        >>> import sqlite3, ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> with engine.within(sqlite3.connect(":memory:")):
        ...     pass
        Traceback (most recent call last):
        ratingcore.errors.log.LogUnavailable: cannot use this log: its store cannot join the transaction of a host
        """
        with hosted(self.log, connection) as (log, upon):
            yield type(self)(log, self.registry, SupposedColumns(log, upon, self.core.columns))

    def close(self) -> None:
        """Closes the log.

        Returns
        -------
        None

        Raises
        ------
        LogUnavailable
            If the file of the log cannot be closed.

        Examples
        --------
        >>> engine = open_engine(":memory:")
        >>> engine.close()
        """
        self.log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_engine(
    path: str | Path,
    *,
    read_only: bool = False,
    registry: Registry | None = None,
    timeout: float | None = None,
    columns: str | Path | None = None,
) -> Engine:
    """Opens the log at a path or an address, and creates it if it is missing; `:memory:` ends with the process.

    Any thread may use the engine at any time, so a web application needs one per process, made when a module is loaded.
    A forked process has to open its own engine: there, this one raises `LogUnavailable`.

    Parameters
    ----------
    path : path or address
        A file, or an address with the scheme of an installed store: `postgresql://USER@HOST/DATABASE?log=NAME` for a
        log in a database, with the extra `postgres`.
    read_only : bool
        Whether to open for reading only, which needs no permission to write to the file or its folder.
    registry : Registry or None
        Methods and readers to use; None for the installed plugins.
    timeout : float or None, seconds
        Time to wait while others write to the file, from 0 to a day; None for half a minute.
    columns : path or None
        Folder in which columns and checkpoints are cached; None for one beside the file, or for a log in a database in
        the user's cache folder.

    Returns
    -------
    Engine

    Raises
    ------
    NotALog, NewerLog, NoSuchLog, LogUnavailable
    BadValue
        If the timeout is out of range.
    StoreNotFound
        If no plugin offers a store for the scheme of the address.
    NotInstalled
        If the store needs an extra that is not installed.

    Examples
    --------
    >>> with open_engine(":memory:") as engine:
    ...     engine.pools()
    []
    """
    if str(path) == ":memory:":
        return Engine(SqliteLog(":memory:"), registry, None if columns is None else Path(columns))
    log = open_log(address_of(path, registry), registry, read_only=read_only, timeout=timeout)
    return Engine(log, registry, folder_of(log) if columns is None else Path(columns))
