"""The tables `rating_tables`, `ratings_current` and `rating_history`: their content, and checks of it."""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ratingcore.plugin.stores import ERASED, Log, LogUnavailable, Tables, canonical

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

_PAIR = "WHERE pool = ? AND method = ?"


class TableEntry(NamedTuple):
    """Entry for one pool and method in the tables: the origin of its rows.

    `erased` is the number of keys of players, and of names beside keys, that had been erased by then; `digest` covers
    the rows of ratings.
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


class RatingTables:
    """Current ratings and their history in one database.

    Parameters
    ----------
    tables : Tables
        The database.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._all = tables.all
        self._run = tables.run
        self.writing = tables.writing
        self.add = tables.add
        self.clear = tables.clear

    def _there(self, table: str) -> bool:
        """True if a table exists; an error if it has foreign columns."""
        columns = self._tables.columns(table)
        if columns and columns != list(COLUMNS[table]):
            why = f"its table {table} has other columns"
            raise LogUnavailable(self._tables.where, why, "drop that table, or name another file")
        return bool(columns)

    def make(self) -> None:
        """Creates missing tables; call it inside `writing`."""
        for table in COLUMNS:
            if not self._there(table):
                self._tables.create(table, COLUMNS[table], KEYS[table], INDEXES.get(table, ()))

    def entries(self) -> list[TableEntry]:
        """Entries of all pools and methods."""
        if not self._there(KEPT):
            return []
        return [TableEntry._make(row) for row in self._all(f"SELECT * FROM {KEPT} ORDER BY pool, method")]

    def find(self, pool: str, method: str) -> TableEntry | None:
        if not self._there(KEPT):
            return None
        rows = self._all(f"SELECT * FROM {KEPT} {_PAIR}", (pool, method))
        return TableEntry._make(rows[0]) if rows else None

    def whole(self, entry: TableEntry) -> bool:
        """True if the rows are as written: ratings by digest, lines of history only by count.

        Lines run into millions and are added to, so that a digest of them would cost more than extending them.
        """
        if not (self._there(CURRENT) and self._there(HISTORY)):
            return False
        ((lines,),) = self._all(f"SELECT count(*) FROM {HISTORY} {_PAIR}", entry[:2])
        return bool(lines == entry.lines) and self._digest(entry[:2]) == entry.digest

    def _digest(self, pair: Sequence[str]) -> str:
        sql = f"SELECT player_id, player, rank, rating, games, further FROM {CURRENT} {_PAIR} ORDER BY player_id"
        try:
            return hashlib.sha256(canonical(self._all(sql, pair)).encode()).hexdigest()
        except (TypeError, ValueError):  # somebody wrote a value here that JSON cannot represent
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
        """Deletes the rows of pairs that no longer have an entry."""
        rows = {tuple(pair) for pair in self._all(f"SELECT DISTINCT pool, method FROM {CURRENT}")}
        for pair in rows - {entry[:2] for entry in self.entries()}:
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

    def keep(self, entry: TableEntry) -> TableEntry:
        """Writes the entry of a pair after its rows; counts and digest are taken from them."""
        ((players,),) = self._all(f"SELECT count(*) FROM {CURRENT} {_PAIR}", entry[:2])
        ((lines,),) = self._all(f"SELECT count(*) FROM {HISTORY} {_PAIR}", entry[:2])
        now = entry._replace(players=players, lines=lines, digest=self._digest(entry[:2]))
        self._run(f"DELETE FROM {KEPT} {_PAIR}", entry[:2])
        self._run(f"INSERT INTO {KEPT} VALUES ({', '.join('?' * len(now))})", now)
        return now

    # erasing

    def relabel(self, labels: Mapping[int, str], erased: int, known: Callable[[list[str]], Container[str]]) -> int:
        """Replaces the names of players by labels, and removes their visible names; returns the number of rows changed.

        Parameters
        ----------
        labels : mapping of int to str
            By id of the player.
        erased : int
            Number of names of the log erased so far.
        known : callable
            Returns which of the given names the log still shows beside keys.
        """
        changed = self._uncalled(known) if self._there(CURRENT) else 0
        for table in (CURRENT, HISTORY):
            if not self._there(table):
                continue
            for player, label in labels.items():
                other = f"FROM {table} WHERE player_id = ? AND player <> ?"
                names = [name for (name,) in self._all(f"SELECT DISTINCT player {other}", (player, label))]
                sql = f"UPDATE {table} SET player = ? WHERE player_id = ? AND player <> ?"
                changed += self._run(sql, (label, player, label))
                changed += sum(self._opponents(name, label) for name in names) if table == HISTORY else 0
        for entry in self.entries():
            self._run(
                f"UPDATE {KEPT} SET erased = ?, digest = ? {_PAIR}",
                (erased, self._digest(entry[:2]), *entry[:2]),
            )
        return changed

    def _uncalled(self, known: Callable[[list[str]], Container[str]]) -> int:
        """Removes from the further cells the names beside keys that the log no longer has."""
        called = f"FROM {CURRENT} WHERE {self._tables.position}(further, ?) > 0"
        pairs: defaultdict[tuple[str, str], dict[str, dict[str, Any]]] = defaultdict(dict)
        for pool, method, text in self._all(f"SELECT DISTINCT pool, method, further {called}", ('"called":',)):
            pairs[pool, method][text] = json.loads(text)
        changed = 0
        for pair, cells in pairs.items():
            names = [name for further in cells.values() if isinstance(name := further["called"], str)]
            there = known(names)
            left = any(name in there for name in names)
            for text, further in cells.items():
                if left and further["called"] is not None and further["called"] not in there:
                    further["called"] = None
                elif not left:  # a list without visible names has no such column
                    del further["called"]
                else:
                    continue
                sql = f"UPDATE {CURRENT} SET further = ? {_PAIR} AND further = ?"
                changed += self._run(sql, (canonical(further) if further else None, *pair, text))
        return changed

    def _opponents(self, name: str, label: str) -> int:
        """Relabels an opponent, alone or among partners; lines without a score hold other labels and stay.

        Several opponents are one text, joined by ` + `. The pattern matches whole seats only, since one name may be
        part of another; SQL only narrows the search.
        """
        result = f"{HISTORY} WHERE score IS NOT NULL AND opponent"
        rows = self._all(
            f"SELECT DISTINCT opponent FROM {result} LIKE ? AND {self._tables.position}(opponent, ?) > 0",
            ("% + %", name),
        )
        seat = re.compile(rf"(?:^|(?<= \+ )){re.escape(name)}(?=$| \+ )")
        shown = {text: seat.sub(lambda _: label, text) for (text,) in rows} | {name: label}
        sql = f"UPDATE {HISTORY} SET opponent = ? WHERE score IS NOT NULL AND opponent = ?"
        return sum(self._run(sql, (new, old)) for old, new in shown.items() if old != new)


def erased_names(log: Log) -> int:
    """Number of keys of players, and of names beside keys, that were erased from a log."""
    return len(log.book.nameless("player")) + len(log.book.nameless("called"))


def relabel(log: Log, tables: RatingTables, players: Iterable[int]) -> int:
    """Writes labels in place of erased players, by id; returns the number of rows changed."""
    labels = {number: ERASED.format(number) for number in players}
    return tables.relabel(labels, erased_names(log), lambda names: log.book.known("called", names))
