"""The impact of events: whose ratings differ between a log with and without them, and by how much."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from math import fsum
from typing import NamedTuple

import numpy as np
from attrs import field, frozen

from ratingcore.columns import FOREVER
from ratingcore.columns.games import Floats, Ints, same_value
from ratingcore.columns.slices import pool_of
from ratingcore.errors import SeveralPools, UnknownName
from ratingcore.events import Instant, Row, clock
from ratingcore.events.corrections import Corrections
from ratingcore.lists.policy import ranked, rounded
from ratingcore.log import Log
from ratingcore.log.lookup import bases_of, corrections_of
from ratingcore.methods import Method
from ratingcore.methods.text import identity
from ratingcore.replay import Columns, stand
from ratingcore.replay.contract_check import shown_by
from ratingcore.replay.fold import Standing
from ratingcore.replay.replay import Replay
from ratingcore.report.aligned_text import aligned
from ratingcore.report.table import AsTable, Table
from ratingcore.safe_text import counted

COLUMNS = ("player", "rank_without", "rank_with", "rating_without", "rating_with", "change")
"""Cells of a row: both ratings as listed, and their unrounded difference."""


class _Ratings(NamedTuple):
    """Ratings by player id, exact and listed, and ranks; NaN and 0 for the unrated."""

    player: Ints
    exact: Floats
    listed: Floats
    rank: Ints

    @classmethod
    def of(cls, standing: Replay | Standing | None, at: Instant) -> "_Ratings":
        """Returns the ratings on a list of an instant; empty for None."""
        if standing is None:
            nothing = np.empty(0)
            return cls(np.empty(0, dtype=np.int32), nothing, nothing, np.empty(0, dtype=np.int64))
        method = standing.method
        column = next(column for column in method.columns() if column.name == "rating")
        exact = np.asarray(shown_by(method, standing.state, at)["rating"], dtype=np.float64)
        listed = rounded(exact, 4 if column.digits is None else column.digits, column.significant)
        key = np.where(np.isnan(listed), np.inf, -listed)
        rank = np.searchsorted(np.sort(key), key) + 1  # equal ratings share one
        rank[np.isnan(listed)] = 0
        return cls(standing.view.timeline.players.id[: len(exact)], exact, listed, rank)

    def among(self, players: Ints) -> "_Ratings":
        """Returns the ratings of these players; missing players are unrated."""
        row = np.full(int(max(self.player.max(initial=0), players.max(initial=0))) + 1, -1)
        row[self.player] = np.arange(len(self.player))
        where = row[players]
        columns = zip(self[1:], (np.nan, np.nan, 0), strict=True)
        exact, listed, rank = (np.append(column, nothing)[where] for column, nothing in columns)  # row -1 is empty
        return _Ratings(players, exact, listed, rank)

    def take(self, which: Ints) -> "_Ratings":
        """Returns some of the ratings."""
        return _Ratings(self.player[which], self.exact[which], self.listed[which], self.rank[which])


@frozen(eq=False, repr=False)
class Impact(AsTable):
    """The players whose rating an event changed, however little, largest change first.

    Iterating gives rows as dictionaries, with both ratings as listed. `change` is unrounded: the rating with the event
    minus the one without it. It is None for players who are rated only with or only without the event; they come first.

    Parameters
    ----------
    what : str
        Name of the event in sentences.
    pool : str
    method : str
        Identity of the method.
    at : int or None
        Instant of both ratings: that of the later list. None if nothing was rated.
    player : tuple of str
        Players whose rating changed.
    rank_without, rank_with : (n,) int
        0 for those without a rating.
    rating_without, rating_with : (n,) float64
        As listed; NaN without a rating.
    change : (n,) float64
        Unrounded.
    same : int
        Number of players whose rating did not change.
    why : str
        Reason why the event can move nobody; empty if it can.
    zone : str
        Time zone of `at`; empty for UTC.
    """

    what: str
    pool: str
    method: str
    at: Instant | None
    player: tuple[str, ...]
    rank_without: Ints
    rank_with: Ints
    rating_without: Floats
    rating_with: Floats
    change: Floats
    same: int
    why: str = ""
    zone: str = ""

    @classmethod
    def between(
        cls,
        what: str,
        pool: str,
        without: Replay | Standing | None,
        with_it: Replay | Standing | None,
        names: Callable[[Ints], Sequence[str]],
    ) -> "Impact":
        """Compares the ratings without and with an event; None stands for a pool that does not exist yet.

        Parameters
        ----------
        names : callable
            Returns the names of players by id.
        """
        both = [standing for standing in (without, with_it) if standing is not None]
        at = max(standing.at for standing in both)
        before, after = (_Ratings.of(standing, at) for standing in (without, with_it))
        everyone = np.union1d(before.player, after.player)
        before, after = before.among(everyone), after.among(everyone)
        moved = np.flatnonzero((before.exact != after.exact) & ~(np.isnan(before.exact) & np.isnan(after.exact)))
        before, after = before.take(moved), after.take(moved)
        change = after.exact - before.exact
        size = np.where(np.isnan(change), np.inf, np.abs(change))
        order, _ = ranked(size, after.rank, lambda rows: names(before.player[rows]), "shared")
        before, after = before.take(order), after.take(order)
        return cls(
            what, pool, identity(both[-1].method), at, tuple(names(before.player)), before.rank, after.rank,
            before.listed, after.listed, change[order], len(everyone) - len(moved), zone=both[-1].view.zone,
        )  # fmt: skip

    @classmethod
    def none(cls, what: str, pool: str, method: str, why: str) -> "Impact":
        """Returns the impact of an event that cannot change any rating, with the reason."""
        nobody, nothing = np.empty(0, dtype=np.int64), np.empty(0)
        return cls(what, pool, method, None, (), nobody, nobody, nothing, nothing, nothing, 0, why)

    def __eq__(self, other: object) -> bool:
        return same_value(self, other)

    def __hash__(self) -> int:
        return hash((self.what, self.pool, self.method, self.player))

    def __len__(self) -> int:
        return len(self.player)

    def as_table(self) -> Table:
        """The rows as a table."""
        ranks = (tuple(rank or None for rank in column.tolist()) for column in (self.rank_without, self.rank_with))
        columns = (self.player, *ranks, self.rating_without, self.rating_with, self.change)
        title = f"{self.what}: impact on {self.pool} by {self.method}"
        return Table("impact", title, dict(zip(COLUMNS, columns, strict=True)))

    @property
    def listed(self) -> int:
        """Number of players whose listed ratings changed."""
        both = np.isnan(self.rating_without) & np.isnan(self.rating_with)
        return int(((self.rating_without != self.rating_with) & ~both).sum())

    @property
    def total(self) -> float:
        """Sum of the changes of all players who are rated both with and without the event."""
        return fsum(self.change[~np.isnan(self.change)])

    @property
    def mean(self) -> float:
        """Mean change of the players whose rating changed and who are rated in both cases; 0 without any."""
        return self.total / self._rated if self._rated else 0.0

    @property
    def mean_size(self) -> float:
        """Mean absolute change of the same players; 0 without any."""
        return fsum(np.abs(self.change[~np.isnan(self.change)])) / self._rated if self._rated else 0.0

    @property
    def _rated(self) -> int:
        return int((~np.isnan(self.change)).sum())

    def lines(self, brief: Callable[[str], str] = str) -> list[str]:
        """A summary in words; `brief` shortens the identity of the method."""
        if self.why:
            where = f" in pool {self.pool}" if self.pool else ""
            return [f"{self.what} moves nobody{where}: {self.why}"]
        everyone = len(self) + self.same
        of_all = f"of {counted(everyone, 'player')}"
        if not len(self):
            return [f"{self.what} moves nobody {of_all} in pool {self.pool}", f"method {brief(self.method)}"]
        sums = f"sum {_shown(self.total)}, mean {_shown(self.mean)}, mean size {_shown(self.mean_size)}"
        at = "" if self.at is None else f", as of {clock(self.zone).day(self.at)}"
        return [
            f"{self.what} moves {len(self)} {of_all} in pool {self.pool}{at}, {self.listed} of them as listed",
            sums,
            f"method {brief(self.method)}",
        ]

    def __str__(self) -> str:
        shown = [{**row, "change": _rounded(row["change"])} for row in islice(self, 10)]
        left = len(self) - len(shown)
        more = [f"... and {left} more"] if left else []
        return "\n".join([*(aligned(COLUMNS, shown) if shown else []), *more, *self.lines()])

    __repr__ = __str__


def _rounded(change: float | None) -> float | None:
    return None if change is None else round(change, 4) + 0.0


def _shown(number: float) -> str:
    return f"{number:z.4f}".rstrip("0").rstrip(".")


@frozen
class Knowledge:
    """A log, its columns, and the number of its known events."""

    log: Log
    columns: Columns
    known_at: int
    corrections: Corrections = field()

    @corrections.default
    def _resolved(self) -> Corrections:
        return corrections_of(self.log, self.known_at)

    def standing(self, pool: str, method: Method, through: Instant) -> Standing | None:
        """Returns the state of a pool after its replay; None if the log does not know the pool."""
        try:
            number, part = pool_of(self.log.book, pool)
        except UnknownName:
            return None
        view = self.columns.view(number, through, self.known_at, part=part)
        return stand(method, view, self.columns.checkpoints_of(view))

    def pools_of(self, row: Row) -> set[int]:
        """Returns the ids of the pools in which a row counts: for a merge, those where the merged player has played."""
        if row.kind != "merge":
            read = self.corrections.read(row) if row.position <= self.known_at else None
            return set() if read is None or read.pool is None else {read.pool}
        assert row.a is not None, row
        assert row.b is not None, row
        other = self.corrections.root(row.b)
        if other == self.corrections.root(row.a):
            return set()
        numbers = (self.log.book.number("pool", pool) for pool in self.log.book.keys_of("pool"))
        known = ((pool, self.columns.view(pool, FOREVER, self.known_at)) for pool in numbers)
        return {pool for pool, view in known if (view.timeline.players.id == other).any()}


@frozen
class Effect:
    """The question of how some events change the ratings of a method.

    Parameters
    ----------
    what : str
        Name of the events in sentences.
    pool : str or None
        The pool in question; None for the only pool that the events concern.
    method : callable
        Returns the method of a pool; an empty name stands for no pool.
    through : int
        Last instant of played time that counts.
    then : callable or None
        Returns the method of a pool with the events, if these may declare another one.
    """

    what: str
    pool: str | None
    method: Callable[[str], Method]
    through: Instant
    then: Callable[[str], Method] | None = None

    def none(self, log: Log, why: str) -> Impact:
        """Returns the impact of events that change no rating; raises `UnknownName` for a pool not in the log."""
        if self.pool is not None:
            pool_of(log.book, self.pool)
        return Impact.none(self.what, self.pool or "", identity(self.method(self.pool or "")), why)

    def between(self, rows: Iterable[Row], without: Knowledge, with_it: Knowledge) -> Impact:
        """Compares the ratings without and with the rows.

        Raises
        ------
        SeveralPools
            If the rows concern several pools and no pool is given.
        """
        log, keys = with_it.log, concerned(rows, without, with_it)
        if not keys:
            return self.none(log, "it changes no result that counts; the event that it corrects may be void already")
        if self.pool is None and len(keys) > 1:
            raise SeveralPools(self.what, tuple(keys))
        chosen, within = keys[0], keys[0]
        if self.pool is not None:
            number, part = pool_of(log.book, self.pool)
            view = with_it.columns.view(number, FOREVER, with_it.known_at, part=part)
            chosen, within = view.pool, view.recorded_in
        if within not in keys:
            return self.none(log, f"it concerns pool {', '.join(keys)}")
        before = without.standing(chosen, self.method(chosen), self.through)
        after = with_it.standing(chosen, (self.then or self.method)(chosen), self.through)
        return Impact.between(self.what, chosen, before, after, lambda ids: log.book.keys(ids.tolist()))


def concerned(rows: Iterable[Row], without: Knowledge, with_it: Knowledge) -> list[str]:
    """Returns the pools in which some events, or the events they correct, count in either of two logs."""
    log, readers = with_it.log, (without, with_it)
    touched = [some for reader in readers for some in (reader.corrections.void, reader.corrections.changes)]
    pools, others = set[int](), list[Row]()
    for row in rows:
        if row.kind == "game" and row.pool is not None and not any(row.position in some for some in touched):
            pools.add(row.pool)  # true of nearly all rows of a file
        else:
            others.append(row)
    about = {row.position: row for row in bases_of(log, others).values()}.values()
    pools |= {pool for row in about for reader in readers for pool in reader.pools_of(row)}
    return [log.book.key(number) for number in sorted(pools)]
