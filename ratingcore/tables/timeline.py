"""All results of a pool in order of play, corrections applied, as one reader of the log knows them."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.events import Row
from ratingcore.tables.arrays import Floats, Ints
from ratingcore.tables.corrections import Corrections


class GameTable(NamedTuple):
    """Games sorted by (played, order, position); `a` and `b` are ids of names or rows of players."""

    position: Ints
    played: Ints
    order: Ints
    a: Ints
    b: Ints
    score: Floats

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "GameTable":
        """Rows of games as columns, in the order they come."""
        table = np.array([(r.position, r.played, r.order, r.a, r.b, r.score) for r in rows], dtype=_GAME)
        return cls(*(np.ascontiguousarray(table[name]) for name in cls._fields))

    def take(self, which: Any) -> "GameTable":
        """Some of the games: an index, a mask or a slice."""
        return GameTable(*(column[which] for column in self))

    def then(self, other: "GameTable") -> "GameTable":
        """These games and the others after them."""
        if not len(self.a) or not len(other.a):
            return other if len(other.a) else self
        return GameTable(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))


_GAME = np.dtype([("position", "i8"), ("played", "i8"), ("order", "i4"), ("a", "i4"), ("b", "i4"), ("score", "f8")])


class SessionTable(NamedTuple):
    """Sessions sorted by (played, order, position): sides of each, members of each side."""

    position: Ints
    played: Ints
    order: Ints
    result: Ints
    side: Ints
    player: Ints
    score: Floats

    @classmethod
    def of(cls, rows: Iterable[Row], root: Any) -> "SessionTable":
        """Rows of sessions as columns, sorted; a session that merging made a player meet himself is left out."""
        head: list[tuple[int | None, int | None, int]] = []
        result, side = [0], [0]
        player: list[int] = []
        score: list[float] = []
        for row in sorted(rows, key=lambda row: (row.played, row.order, row.position)):
            sides = [([root(member) for member in members], points) for members, points in row.facts["sides"]]
            members = [member for members, _ in sides for member in members]
            if len(set(members)) < len(members):
                continue
            head.append((row.position, row.played, row.order))
            for seated, points in sides:
                player += seated
                side.append(len(player))
                score.append(points)
            result.append(len(score))
        columns = np.array(head, dtype=np.int64).reshape(-1, 3)
        return cls(
            np.ascontiguousarray(columns[:, 0]),
            np.ascontiguousarray(columns[:, 1]),
            columns[:, 2].astype(np.int32),
            np.array(result, dtype=np.int64),
            np.array(side, dtype=np.int64),
            np.array(player, dtype=np.int32),
            np.array(score, dtype=np.float64),
        )


class SeedTable(NamedTuple):
    """Seeds sorted by (played, order, position); a column no seed names is absent, NaN where one does not."""

    position: Ints
    played: Ints
    player: Ints
    values: Mapping[str, Floats]

    @classmethod
    def of(cls, rows: Iterable[Row], root: Any) -> "SeedTable":
        """Rows of seeds as columns, sorted."""
        sorted_rows = sorted(rows, key=lambda row: (row.played, row.order, row.position))
        values = [row.facts["values"] for row in sorted_rows]
        names = sorted({name for named in values for name in named})
        return cls(
            np.array([row.position for row in sorted_rows], dtype=np.int64),
            np.array([row.played for row in sorted_rows], dtype=np.int64),
            np.array([root(row.a) for row in sorted_rows], dtype=np.int32),
            {name: np.array([named.get(name, np.nan) for named in values], dtype=np.float64) for name in names},
        )


NEVER = 2**62
"""When a player who has no result played the first one."""


class Players(NamedTuple):
    """Rows of the state: the name behind each, when it first appeared (never decreasing), first played, how often."""

    id: Ints
    first: Ints
    debut: Ints
    results: Ints

    def rows(self, ids: int) -> NDArray[np.int32]:
        """Row of each id below `ids`; -1 for those who have not appeared."""
        row = np.full(ids, -1, dtype=np.int32)
        row[self.id] = np.arange(len(self.id), dtype=np.int32)
        return row


@frozen(eq=False)
class Timeline:
    """A pool as the reader of the log's first `known_at` events knows it; players are rows.

    Rows are numbered by first appearance in order of play, so whoever had appeared by some day is
    a leading part of them.
    """

    pool: int
    known_at: int
    digest: str
    corrections: Corrections
    games: GameTable
    sessions: SessionTable
    seeds: SeedTable
    players: Players
    alone: frozenset[int] = frozenset()
    """Positions of games left out because merging made both players one."""


def empty(pool: int, digest: str) -> Timeline:
    """The timeline of the empty log."""
    no_ints = np.empty(0, dtype=np.int64)
    return Timeline(
        pool, 0, digest, Corrections(), GameTable.of(()), SessionTable.of((), int), SeedTable.of((), int),
        Players(no_ints.astype(np.int32), no_ints, no_ints, no_ints),
    )  # fmt: skip
