"""Derived tables for readers with SQL or Datasette: current ratings and their history, with the log or beside it."""

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from ratingcore.errors import LogUnavailable
from ratingcore.events import canonical

KEPT, CURRENT, HISTORY = "rating_tables", "ratings_current", "rating_history"

COLUMNS: Mapping[str, Mapping[str, type]] = {
    KEPT: {
        "pool": str, "method": str, "identity": str, "known_at": int, "head": str, "as_of": str,
        "players": int, "lines": int, "erased": int, "digest": str,
    },
    CURRENT: {
        "pool": str, "method": str, "player_id": int, "player": str, "rank": int, "rating": float, "games": int,
        "further": str, "known_at": int, "head": str,
    },
    HISTORY: {
        "pool": str, "method": str, "player_id": int, "line": int, "player": str, "played": str, "uid": str,
        "opponent": str, "score": float, "expected": float, "change": float, "rating": float,
        "further": str,
    },
}  # fmt: skip

KEYS = {
    KEPT: ("pool", "method"),
    CURRENT: ("pool", "method", "player_id"),
    HISTORY: ("pool", "method", "player_id", "line"),
}

INDEXES = {
    CURRENT: (("pool", "method", "rank"), ("player",)),
    HISTORY: (("player", "played"), ("pool", "method", "played")),
}

ADDED = {HISTORY: ("further",)}
"""Last columns of tables that earlier versions made without them."""
OLDER = "older"
"""Digest of an entry whose lines were written without these columns: they are made again."""

_PAIR = "WHERE pool = ? AND method = ?"


class Kept(NamedTuple):
    """Entry for one pool and method in the tables: what its rows were made from.

    `erased` counts the names of players that were erased by then; `digest` covers the rows of ratings.
    """

    pool: str
    method: str
    identity: str
    known_at: int
    head: str
    as_of: str | None
    players: int
    lines: int
    erased: int
    digest: str


class End(NamedTuple):
    """Last line of a player: its number, the rating after it, and the sum of changes that wait for a first rating."""

    line: int
    rating: float | None
    waiting: float


class DerivedTables(ABC):
    """The tables `rating_tables`, `ratings_current` and `rating_history` of one database; a subclass speaks its SQL.

    Parameters
    ----------
    where : str
        The database, as errors name it.
    writing : callable
        Returns a context in which all is written or nothing.
    """

    position: str = "instr"
    """The function that says where in a text another one begins; 0 if it is not there."""

    def __init__(self, where: str, writing: Callable[[], AbstractContextManager[None]]) -> None:
        self.where = where
        self.writing = writing

    @abstractmethod
    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Rows of a statement, whose values are marked by `?`."""

    @abstractmethod
    def _run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """How many rows a statement changed."""

    @abstractmethod
    def add(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Inserts rows of ratings or of lines."""

    @abstractmethod
    def clear(self) -> None:
        """Writes the tables anew, so that no free page holds what was relabelled."""

    @abstractmethod
    def _columns(self, table: str) -> list[str]:
        """Names of the columns of a table; none if it is not there."""

    @abstractmethod
    def _create(self, table: str) -> None:
        """Creates a table with its keys and indexes."""

    def _there(self, table: str) -> bool:
        """Whether a table exists; an error if it has columns of somebody else."""
        columns, older = self._columns(table), [name for name in COLUMNS[table] if name not in ADDED.get(table, ())]
        if columns and columns != list(COLUMNS[table]) and columns != older:
            why = f"its table {table} has other columns"
            raise LogUnavailable(self.where, why, "drop that table, or name another file")
        return bool(columns)

    def make(self) -> None:
        """Creates missing tables; call it inside `writing`."""
        for table in COLUMNS:
            if not self._there(table):
                self._create(table)
        for table in ADDED:
            if missing := self._missing(table):
                for name in missing:
                    self._widen(table, name)
                self._run(f"UPDATE {KEPT} SET digest = ?", (OLDER,))

    def older(self, kept: Kept) -> bool:
        """Whether the lines of an entry were written by an earlier version, without columns that they have now."""
        return kept.digest == OLDER or any(map(self._missing, ADDED))

    def _missing(self, table: str) -> list[str]:
        """Columns that a table of an earlier version lacks; none of a table that is not there."""
        columns = self._columns(table)
        return [name for name in ADDED[table] if columns and name not in columns]

    @abstractmethod
    def _widen(self, table: str, column: str) -> None:
        """Adds a column of texts to a table."""

    def kept(self) -> list[Kept]:
        """Entries of all pools and methods."""
        if not self._there(KEPT):
            return []
        return [Kept._make(row) for row in self._all(f"SELECT * FROM {KEPT} ORDER BY pool, method")]

    def find(self, pool: str, method: str) -> Kept | None:
        """Entry of a pool and method."""
        if not self._there(KEPT):
            return None
        rows = self._all(f"SELECT * FROM {KEPT} {_PAIR}", (pool, method))
        return Kept._make(rows[0]) if rows else None

    def whole(self, kept: Kept) -> bool:
        """Whether the rows are as they were written: ratings by digest, lines of history only by count.

        Lines run into millions and are added to, so that a digest of them would cost more than extending them.
        """
        if not (self._there(CURRENT) and self._there(HISTORY)):
            return False
        ((lines,),) = self._all(f"SELECT count(*) FROM {HISTORY} {_PAIR}", kept[:2])
        return bool(lines == kept.lines) and self._digest(kept[:2]) == kept.digest

    def _digest(self, pair: Sequence[str]) -> str:
        sql = f"SELECT player_id, player, rank, rating, games, further FROM {CURRENT} {_PAIR} ORDER BY player_id"
        try:
            return hashlib.sha256(canonical(self._all(sql, pair)).encode()).hexdigest()
        except (TypeError, ValueError):  # somebody wrote a value here that JSON has no form for
            return ""

    # writing

    def forget_ratings(self, pair: Sequence[str]) -> None:
        """Deletes the ratings of a pair of pool and method."""
        self._run(f"DELETE FROM {CURRENT} {_PAIR}", pair)

    def forget_lines(self, pair: Sequence[str], since: str | None = None) -> None:
        """Deletes the lines of a pair: all, or those from a day on."""
        days = () if since is None else (since,)
        self._run(f"DELETE FROM {HISTORY} {_PAIR} {'AND played >= ?' if days else ''}", (*pair, *days))

    def strays(self) -> None:
        """Deletes the rows of pairs that have no entry any more."""
        rows = {tuple(pair) for pair in self._all(f"SELECT DISTINCT pool, method FROM {CURRENT}")}
        for pair in rows - {kept[:2] for kept in self.kept()}:
            self.forget_ratings(pair)
            self.forget_lines(pair)

    def ends(self, pair: Sequence[str], players: Iterable[int]) -> dict[int, End]:
        """Last lines of players, without players that have none."""
        ends: dict[int, End] = {}
        mine = f"FROM {HISTORY} {_PAIR} AND player_id = ?"
        for player in players:
            for line, rating in self._all(f"SELECT line, rating {mine} ORDER BY line DESC LIMIT 1", (*pair, player)):
                ends[player] = End(line, rating, 0.0 if rating is not None else self._waiting(pair, player))
        return ends

    def _waiting(self, pair: Sequence[str], player: int) -> float:
        """Sum of the changes since the player last had a rating, in the order of a full rebuild, to the last bit."""
        sql = f"""SELECT change FROM {HISTORY} {_PAIR} AND player_id = ? AND change IS NOT NULL AND line > (
            SELECT coalesce(max(line), 0) FROM {HISTORY} {_PAIR} AND player_id = ? AND rating IS NOT NULL
        ) ORDER BY line"""
        waiting = 0.0
        for (change,) in self._all(sql, (*pair, player, *pair, player)):
            waiting += change
        return waiting

    def keep(self, kept: Kept) -> Kept:
        """Writes the entry of a pair after its rows; counts and digest are taken from them."""
        ((players,),) = self._all(f"SELECT count(*) FROM {CURRENT} {_PAIR}", kept[:2])
        ((lines,),) = self._all(f"SELECT count(*) FROM {HISTORY} {_PAIR}", kept[:2])
        now = kept._replace(players=players, lines=lines, digest=self._digest(kept[:2]))
        self._run(f"DELETE FROM {KEPT} {_PAIR}", kept[:2])
        self._run(f"INSERT INTO {KEPT} VALUES ({', '.join('?' * len(now))})", now)
        return now

    # erasing

    def relabel(self, labels: Mapping[int, str], erased: int) -> int:
        """Replaces the names of players by labels; returns how many rows changed."""
        changed = 0
        for table in (CURRENT, HISTORY):
            if not self._there(table):
                continue
            for player, label in labels.items():
                other = f"FROM {table} WHERE player_id = ? AND player <> ?"
                names = [name for (name,) in self._all(f"SELECT DISTINCT player {other}", (player, label))]
                sql = f"UPDATE {table} SET player = ? WHERE player_id = ? AND player <> ?"
                changed += self._run(sql, (label, player, label))
                changed += sum(self._opponents(name, label) for name in names) if table == HISTORY else 0
        for kept in self.kept():
            self._run(
                f"UPDATE {KEPT} SET erased = ?, digest = ? {_PAIR}",
                (erased, OLDER if kept.digest == OLDER else self._digest(kept[:2]), *kept[:2]),
            )
        return changed

    def _opponents(self, name: str, label: str) -> int:
        """Relabels an opponent, alone or among partners; lines without a score hold other labels and stay.

        Several opponents are one text, joined by ` + `. The pattern matches whole seats only, since one name may be
        part of another; SQL only narrows the search.
        """
        result = f"{HISTORY} WHERE score IS NOT NULL AND opponent"
        rows = self._all(
            f"SELECT DISTINCT opponent FROM {result} LIKE ? AND {self.position}(opponent, ?) > 0", ("% + %", name)
        )
        seat = re.compile(rf"(?:^|(?<= \+ )){re.escape(name)}(?=$| \+ )")
        shown = {text: seat.sub(lambda _: label, text) for (text,) in rows} | {name: label}
        sql = f"UPDATE {HISTORY} SET opponent = ? WHERE score IS NOT NULL AND opponent = ?"
        return sum(self._run(sql, (new, old)) for old, new in shown.items() if old != new)
