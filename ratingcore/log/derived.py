"""Derived tables for readers with SQL or Datasette: current ratings and their history, beside or in the log file."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from sqlite_utils import Database

from ratingcore.errors import LogUnavailable
from ratingcore.events import canonical
from ratingcore.log.connection import BUSY_SECONDS, Connection, explained, sqlite3
from ratingcore.log.schema import APPLICATION

KEPT, CURRENT, HISTORY = "rating_tables", "ratings_current", "rating_history"

_COLUMNS: Mapping[str, Mapping[str, type]] = {
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
    },
}  # fmt: skip

_KEYS = {
    KEPT: ("pool", "method"),
    CURRENT: ("pool", "method", "player_id"),
    HISTORY: ("pool", "method", "player_id", "line"),
}

_INDEXES = {
    CURRENT: (("pool", "method", "rank"), ("player",)),
    HISTORY: (("player", "played"), ("pool", "method", "played")),
}

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


class DerivedTables:
    """The tables `rating_tables`, `ratings_current` and `rating_history` of one SQLite file.

    Parameters
    ----------
    connection : callable
        Returns the connection of the thread that asks.
    path : path
    writing : callable
        Returns a context in which all is written or nothing.
    alone : callable
        Returns a context with the connection that writes, in which nobody else of this process does.
    """

    def __init__(
        self,
        connection: Callable[[], Connection],
        path: Path,
        writing: Callable[[], AbstractContextManager[None]],
        alone: Callable[..., AbstractContextManager[Connection]],
    ) -> None:
        self._connection = connection
        self.path = path
        self.writing = writing
        self._alone = alone

    @property
    def _db(self) -> Connection:
        return self._connection()

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with explained(self.path):
            return self._db.execute(sql, values).fetchall()

    def _there(self, table: str) -> bool:
        """Whether a table exists; an error if it has columns of somebody else."""
        columns = [row[1] for row in self._all(f"PRAGMA table_info({table})")]
        if columns and columns != list(_COLUMNS[table]):
            raise LogUnavailable(
                str(self.path), f"its table {table} has other columns", "drop that table, or name another file"
            )
        return bool(columns)

    def make(self) -> None:
        """Creates missing tables; call it inside `writing`."""
        database = Database(self._db, recursive_triggers=False, execute_plugins=False)
        for name, columns in _COLUMNS.items():
            if self._there(name):
                continue
            table = database.table(name)
            table.create(dict(columns), pk=_KEYS[name], not_null=set(_KEYS[name]))
            for index in _INDEXES.get(name, ()):
                table.create_index(index)

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
        self._db.execute(f"DELETE FROM {CURRENT} {_PAIR}", pair)

    def forget_lines(self, pair: Sequence[str], since: str | None = None) -> None:
        """Deletes the lines of a pair: all, or those from a day on."""
        days = () if since is None else (since,)
        self._db.execute(f"DELETE FROM {HISTORY} {_PAIR} {'AND played >= ?' if days else ''}", (*pair, *days))

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

    def add(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Inserts rows of ratings or of lines."""
        marks = ", ".join("?" * len(_COLUMNS[table]))
        self._db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def keep(self, kept: Kept) -> Kept:
        """Writes the entry of a pair after its rows; counts and digest are taken from them."""
        ((players,),) = self._all(f"SELECT count(*) FROM {CURRENT} {_PAIR}", kept[:2])
        ((lines,),) = self._all(f"SELECT count(*) FROM {HISTORY} {_PAIR}", kept[:2])
        now = kept._replace(players=players, lines=lines, digest=self._digest(kept[:2]))
        self._db.execute(f"REPLACE INTO {KEPT} VALUES ({', '.join('?' * len(now))})", now)
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
                changed += self._db.execute(sql, (label, player, label)).rowcount
                changed += sum(self._opponents(name, label) for name in names) if table == HISTORY else 0
        for kept in self.kept():
            self._db.execute(
                f"UPDATE {KEPT} SET erased = ?, digest = ? {_PAIR}", (erased, self._digest(kept[:2]), *kept[:2])
            )
        return changed

    def _opponents(self, name: str, label: str) -> int:
        """Relabels an opponent, alone or among partners; lines without a score hold other labels and stay.

        Several opponents are one text, joined by ` + `. The pattern matches whole seats only, since one name may be
        part of another; SQL only narrows the search.
        """
        result = f"{HISTORY} WHERE score IS NOT NULL AND opponent"
        rows = self._all(f"SELECT DISTINCT opponent FROM {result} LIKE '% + %' AND instr(opponent, ?)", (name,))
        seat = re.compile(rf"(?:^|(?<= \+ )){re.escape(name)}(?=$| \+ )")
        shown = {text: seat.sub(lambda _: label, text) for (text,) in rows} | {name: label}
        sql = f"UPDATE {HISTORY} SET opponent = ? WHERE score IS NOT NULL AND opponent = ?"
        return sum(self._db.execute(sql, (new, old)).rowcount for old, new in shown.items() if old != new)

    def clear(self) -> None:
        """Rewrites the file, so that free pages hold nothing of what was relabelled."""
        with explained(self.path), self._alone(waiting=True) as db:
            db.execute("VACUUM")


@contextmanager
def derived_in(path: Path) -> Iterator[DerivedTables]:
    """Opens the tables in a file beside the log; the file is made if it is missing."""
    with explained(path):
        if path.is_dir():
            raise LogUnavailable(str(path), "it is a folder", "name a file")
        db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)

    @contextmanager
    def writing() -> Iterator[None]:
        with explained(path):
            db.execute("BEGIN IMMEDIATE")
            try:
                yield
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    try:
        with explained(path):
            db.execute("PRAGMA secure_delete = ON")
            if db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION:
                raise LogUnavailable(str(path), "it is another log", "name another file")
        yield DerivedTables(lambda: db, path, writing, lambda *, waiting: nullcontext(db))
    finally:
        db.close()
