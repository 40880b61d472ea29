"""Brings the tables of ratings and histories to the head of a log."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
from attrs import frozen

from ratingcore import Engine, __version__
from ratingcore.plugin import DAY, Method, Period, RatingCoreError
from ratingcore.plugin.analysis import (
    FOREVER,
    SAME,
    Instant,
    MethodError,
    Replay,
    View,
    Watch,
    facts_of,
    file_of,
    identity,
    in_words,
    iso,
    plugin_tables,
    pool_name,
    rating_list,
    readable_view,
    replayed,
    resumable,
    text_of,
    uids_at,
)
from ratingcore.plugin.stores import Log, LogUnavailable, tables_in
from ratingcore_sql_tables.rows import current_rows, history_rows
from ratingcore_sql_tables.tables import CURRENT, HISTORY, RatingTables, TableEntry, erased_names, relabel


@frozen
class CaughtUp:
    """The outcome for one pool and method.

    Parameters
    ----------
    pool, method : str
    known_at : int
        Position of the log shown by the rows.
    players, lines : int
        Rows of ratings and of histories.
    done : str
        `made`, `made again` with the reason, `brought up to date`, or `nothing new`.
    """

    pool: str
    method: str
    known_at: int
    players: int
    lines: int
    done: str


class NotCaughtUp(MethodError):
    """The tables of one pool by one method stay unchanged; those of others are brought up to date."""

    pool: str
    method: str
    error: BaseException

    def __str__(self) -> str:
        named = isinstance(self.error, RatingCoreError)
        why = str(self.error) if named else in_words(self.error)
        return f"pool {self.pool} by {self.method} is not brought up to date: {why}"

    @property
    def hint(self) -> str:
        return getattr(self.error, "hint", "") or "the next catch-up tries it again"


def catch_up(
    engine: Engine,
    pool: str | None = None,
    method: str | Method | None = None,
    to: str | Path | None = None,
    *,
    failed: list[RatingCoreError] | None = None,
) -> list[CaughtUp]:
    """Brings the tables `ratings_current` and `rating_history` to the head of the log.

    The rows of a pool by a method are written in one transaction, so readers never see rows of different heads.
    `rating_tables` lists the pools and methods kept; if a row is deleted there, the next call removes its tables. Rows
    that someone else deleted or changed are made again, but of the lines of histories only the number is checked.

    Parameters
    ----------
    engine : Engine
    pool : str or None
        One pool; None for all kept ones or, with a method, all of the log.
    method : str, Method or None
        Method to keep from now on; None for those that are kept already.
    to : path or None
        The SQLite file of the tables, of one log only; the file of the log itself if None.
    failed : list or None
        A `NotCaughtUp` is appended for every pool and method that failed, whatever the error; the
        first is raised at the end if None. The others are up to date either way, and the next call
        tries again.

    Returns
    -------
    list of CaughtUp
        The outcomes, one for each pool and method.

    Raises
    ------
    UnknownName, MethodNotFound, BadParameter, MethodError, LogUnavailable

    Examples
    --------
    >>> import tempfile, ratingcore as rc
    >>> with tempfile.TemporaryDirectory() as folder, rc.open(Path(folder, "club.db")) as engine:
    ...     _ = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    ...     [(done.pool, done.players, done.done) for done in catch_up(engine, method="elo:k=24")]
    [('rapid', 2, 'made')]
    """
    if pool is not None:
        engine.core.pool_id(pool)
    with tables_of(engine.log, to) as tables:
        caught, errors = CatchUp(engine, tables).all(pool, method)
    if failed is not None:
        failed += errors
    elif errors:
        raise errors[0].error
    return caught


@contextmanager
def tables_of(log: Log, to: str | Path | None) -> Iterator[RatingTables]:
    """The tables in a file; in the database of the log itself if the file is that one, or None."""
    path, own, file = None if to is None else Path(to), plugin_tables(log), file_of(log)
    if own is not None and (path is None or (file is not None and path.exists() and path.samefile(file))):
        yield RatingTables(own)
    elif path is None:
        raise LogUnavailable(":memory:", "a log in memory has no file for tables", "name a file")
    else:
        with tables_in(path) as tables:
            yield RatingTables(tables)


class CatchUp:
    """The tables of one database brought up to date with one log."""

    def __init__(self, engine: Engine, tables: RatingTables) -> None:
        self._engine = engine
        self._log = engine.log
        self._tables = tables
        self._swept = False

    def all(self, pool: str | None, method: str | Method | None) -> tuple[list[CaughtUp], list[NotCaughtUp]]:
        """Brings pools and methods up to date; returns the outcomes, and the failures of others.

        The failure of one never stops the others; only a file that cannot be used ends the run.
        """
        self.relabel()
        caught: list[CaughtUp] = []
        errors: list[NotCaughtUp] = []
        for pair in self.wanted(pool, method):
            try:
                caught.append(self.catch_up(*pair))
            except (Exception, SystemExit, GeneratorExit) as error:  # a foreign method may raise anything
                errors.append(NotCaughtUp(*pair, error))
                if isinstance(error, LogUnavailable):
                    break
        return caught, errors

    def wanted(self, pool: str | None, method: str | Method | None) -> list[tuple[str, str]]:
        """Returns pools and method texts to bring up to date; a method already in the tables keeps its text there."""
        entries = self._tables.entries()
        if method is None:
            return [(pair.pool, pair.method) for pair in entries if pool is None or pair.pool == pool_name(pool)]
        found = self._engine.registry.method(method)
        text = method.strip() if isinstance(method, str) else text_of(found)
        pools = self._log.book.keys_of("pool") if pool is None else [pool_name(pool)]
        known = {(pair.pool, pair.identity): pair.method for pair in entries}
        return [(name, known.get((name, identity(found)), text)) for name in pools]

    def _erased(self) -> int:
        return erased_names(self._log)

    def relabel(self) -> None:
        """Removes names that were erased from the log since the tables were written."""
        if all(pair.erased == self._erased() for pair in self._tables.entries()):
            return
        with self._tables.writing():
            changed = relabel(self._log, self._tables, self._log.book.nameless("player"))
        if changed:
            self._tables.clear()

    def catch_up(self, pool: str, text: str) -> CaughtUp:
        method = self._engine.registry.method(text)
        while True:
            entry, erased, head = self._tables.find(pool, text), self._erased(), self._log.head.position
            again = self._anew(entry, method)
            if entry is not None and not again and entry.known_at == head:
                return CaughtUp(pool, text, head, entry.players, entry.lines, "nothing new")
            since = None if again or entry is None else self._since(pool, method, entry.known_at, head)
            replay = self._replayed(pool, method, head, since)
            with self._tables.writing():
                self._tables.make()
                if self._tables.find(pool, text) == entry and self._erased() == erased:  # nobody else wrote meanwhile
                    now = self._write(text, replay, erased, since)
                    return CaughtUp(pool, text, head, now.players, now.lines, again or "brought up to date")

    def _anew(self, entry: TableEntry | None, method: Method) -> str:
        """The reason why all rows have to be made again; empty if adding new ones is enough."""
        if entry is None:
            return "made"
        if entry.identity != identity(method):
            return "made again: the method has changed"
        if entry.known_at > self._log.head.position or self._log.digest_at(entry.known_at) != entry.head:
            return "made again: the log has another history"
        return "" if self._tables.whole(entry) else "made again: rows were changed"

    def _since(self, pool: str, method: Method, position: int, head: int) -> Instant | None:
        """Midnight of the day from which lines may differ, `FOREVER` if none do; None if all may."""
        if not resumable(method):
            return None
        was, now = (readable_view(method, self._view(pool, known_at)) for known_at in (position, head))
        if was.zone != now.zone:
            return None
        touched = self._view(pool, self._log.head.position).same_before(position)
        since = FOREVER if touched == SAME else _begin(method.period, touched, was)
        if since is None or facts_of(method, was, since - 1) != facts_of(method, now, since - 1):
            return None
        if since != FOREVER and facts_of(method, now.cut(since - 1), since - 1) != facts_of(method, now, since - 1):
            return None  # all their lines use later facts about players
        return since

    def _replayed(self, pool: str, method: Method, head: int, since: Instant | None) -> Replay:
        view = self._view(pool, head)
        checkpoints = self._engine.core.columns.checkpoints_of(view)
        if since == FOREVER:
            return replayed(method, view, checkpoints)
        return replayed(method, view, checkpoints, keep=True, since=since, watch=Watch())

    def _view(self, pool: str, known_at: int) -> View:
        return self._engine.core.view(pool, None, known_at)

    def _write(self, text: str, replay: Replay, erased: int, since: Instant | None) -> TableEntry:
        view, tables = replay.view, self._tables
        pair = view.pool, text
        listed = rating_list(replay, __version__)
        if not self._swept:  # it checks the rows of all pairs: once is enough
            tables.strays()
            self._swept = True
        tables.forget_ratings(pair)
        tables.add(CURRENT, current_rows(listed, text))
        if since != FOREVER:
            ledger = replay.ledger()
            tables.forget_lines(pair, None if since is None else iso(since))
            ids = view.timeline.players.id
            ends = {} if since is None else tables.ends(pair, ids[np.unique(ledger.player)].tolist())
            tables.add(HISTORY, history_rows(ledger, replay, text, ends, partial(uids_at, self._log)))
        return tables.keep(
            TableEntry(*pair, replay.identity, view.known_at, view.digest, view.clock.day(replay.at), 0, 0, erased, "")
        )


def _begin(period: Period | None, touched: Instant, was: View) -> Instant | None:
    """Start of the first day, or period, that may differ; None if a period does not start at midnight.

    After the last known result, periods without results begin to count as well.
    """
    if period is None:
        return touched // DAY * DAY
    ends = [] if was.last_played is None else [was.last_played]
    at = min(touched, max([*ends, *was.seeds.played[-1:].tolist()], default=touched))
    first = int(period.edges(at, at)[0])
    return None if first % DAY or (period.unit == "cuts" and first not in period.cuts) else first
