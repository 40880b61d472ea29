"""All results of a pool in order of play, corrections applied, as seen by one reader of the log."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints
from ratingcore.columns.games_in_order import GameTable, Spliced, play_order
from ratingcore.events import Instant, Row
from ratingcore.events.corrections import Corrections


class SessionTable(NamedTuple):
    """Sessions sorted by (played, order, position), with the sides of each session and the members of each side."""

    position: Ints
    played: Ints
    order: Ints
    result: Ints
    side: Ints
    player: Ints
    score: Floats

    @classmethod
    def of(cls, rows: Iterable[Row], root: Any) -> "SessionTable":
        """Rows of sessions as columns, sorted; a session in which a merge seats a player twice is left out."""
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

    def take(self, which: Ints) -> "SessionTable":
        """Sessions of these indices, in this order."""
        sides, result = _ragged(self.result, which)
        members, side = _ragged(self.side, sides)
        return SessionTable(
            self.position[which], self.played[which], self.order[which], result, side,
            self.player[members], self.score[sides],
        )  # fmt: skip

    def then(self, other: "SessionTable") -> "SessionTable":
        """These sessions and the others after them."""
        if not len(self.played) or not len(other.played):
            return other if len(other.played) else self
        moved = other._replace(result=other.result[1:] + self.result[-1], side=other.side[1:] + self.side[-1])
        return SessionTable(*(np.concatenate(pair) for pair in zip(self, moved, strict=True)))

    def sorted(self) -> "SessionTable":
        """The sessions sorted by (played, order, position)."""
        return self.take(play_order(self.played, self.order, self.position))


def _ragged(starts: Ints, which: Ints) -> tuple[Ints, Ints]:
    """Indices of all items in some groups of unequal size, and the new start of each group."""
    sizes = starts[which + 1] - starts[which]
    ends = np.cumsum(sizes)
    within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - sizes, sizes)
    return np.repeat(starts[which], sizes) + within, np.concatenate([[0], ends]).astype(np.int64)


class SeedTable(NamedTuple):
    """Seeds sorted by (played, order, position); `values` has a column per name, NaN for seeds without this name."""

    position: Ints
    played: Ints
    order: Ints
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
            np.array([row.order for row in sorted_rows], dtype=np.int32),
            np.array([root(row.a) for row in sorted_rows], dtype=np.int32),
            {name: np.array([named.get(name, np.nan) for named in values], dtype=np.float64) for name in names},
        )

    def take(self, which: Any) -> "SeedTable":
        """Some of the seeds (a slice, a mask or indices), without the columns that none of them names."""
        named = {name: column[which] for name, column in self.values.items() if not np.isnan(column[which]).all()}
        return SeedTable(self.position[which], self.played[which], self.order[which], self.player[which], named)

    def then(self, other: "SeedTable") -> "SeedTable":
        """These seeds and the others after them."""
        if not len(self.played) or not len(other.played):
            return other if len(other.played) else self
        both = (self, other)
        values = {
            name: np.concatenate([seeds.values.get(name, np.full(len(seeds.played), np.nan)) for seeds in both])
            for name in sorted(self.values.keys() | other.values.keys())
        }
        position, played, order, player = (np.concatenate(pair) for pair in zip(self[:4], other[:4], strict=True))
        return SeedTable(position, played, order, player, values)

    def sorted(self) -> "SeedTable":
        """The seeds sorted by (played, order, position)."""
        return self.take(play_order(self.played, self.order, self.position))


NEVER = 2**62
"""The debut of a player without results."""


class Players(NamedTuple):
    """Rows of the state: each player's id, time of first appearance (never decreasing), and time of first result."""

    id: Ints
    first: Ints
    debut: Ints

    @classmethod
    def of(cls, games: GameTable, sessions: SessionTable, seeds: SeedTable) -> "Players":
        """Players of tables with ids, numbered by first appearance.

        Within the same time, seeds come before results, and `a` before `b`.
        """
        limit = 1 + max(int(ids.max(initial=0)) for ids in (games.a, games.b, sessions.player, seeds.player))
        seat = np.minimum(2 * _first(games.a, limit), 2 * _first(games.b, limit) + 1)
        ids = np.flatnonzero(seat < 2 * len(games.a))
        parts = [_appearances(ids, seat[ids], seat[ids] // 2, 1, games)]
        if len(sessions.player):
            seat = _first(sessions.player, limit)
            ids = np.flatnonzero(seat < len(sessions.player))
            result = np.searchsorted(sessions.side[sessions.result], seat[ids], "right") - 1
            parts.append(_appearances(ids, seat[ids], result, 1, sessions))
        if len(seeds.player):
            seat = _first(seeds.player, limit)
            ids = np.flatnonzero(seat < len(seeds.player))
            parts.append(_appearances(ids, seat[ids], seat[ids], 0, seeds))
        known, *keys = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.lexsort(keys[::-1])
        _, first = np.unique(known[order], return_index=True)
        chosen = order[np.sort(first)]
        debut = np.full(limit, NEVER)
        results = order[keys[1][order] == 1][::-1]
        debut[known[results]] = keys[0][results]  # the last assignment wins: the earliest
        ids = known[chosen]
        return cls(ids.astype(np.int32), keys[0][chosen], debut[ids])

    def rows(self, ids: int) -> NDArray[np.int32]:
        """Row of each id below `ids`; -1 for those who have not appeared."""
        row = np.full(ids, -1, dtype=np.int32)
        row[self.id] = np.arange(len(self.id), dtype=np.int32)
        return row


def _first(ids: Ints, limit: int) -> NDArray[np.int64]:
    """First index of each id in a column; larger than any index for absent ids."""
    first = np.full(limit, np.iinfo(np.int64).max // 4)
    first[ids[::-1]] = np.arange(len(ids) - 1, -1, -1)  # the last assignment wins: the first appearance
    return first


def _appearances(
    ids: Ints, seat: Ints, result: Ints, phase: int, table: GameTable | SessionTable | SeedTable
) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints]:
    """Id, played, phase, order, position and seat of first appearances in one table."""
    order = result if isinstance(table, SeedTable) else table.order[result]
    return ids, table.played[result], np.full(len(ids), phase), order, table.position[result], seat


@frozen(eq=False)
class Timeline:
    """A pool as seen by the reader of the log's first `known_at` events; players are rows.

    Rows are numbered by first appearance in order of play, so the players who had appeared by some day are
    the leading rows.
    """

    pool: int
    known_at: int
    digest: str
    corrections: Corrections
    table: Spliced
    sessions: SessionTable
    seeds: SeedTable
    players: Players
    self_pairings: frozenset[int] = frozenset()
    """Positions of games left out because merging made both players one."""
    results: Ints | None = None
    """Number of results of each player, if it was counted."""

    @property
    def games(self) -> GameTable:
        """All games as columns of one piece."""
        return self.table.whole

    def in_order(self) -> tuple[Ints, Ints]:
        """Played time and position of all results, games and sessions, in order of play."""
        games, sessions = self.games, self.sessions
        if not len(sessions.played):
            return games.played, games.position
        tables = zip(games[:3], sessions[:3], strict=True)
        position, played, order = (np.concatenate(pair) for pair in tables)
        by = play_order(played, order, position)
        return played[by], position[by]

    def result_counts(self) -> Ints:
        """Number of results of each player, counted if necessary."""
        if self.results is not None:
            return self.results
        return self.counts(slice(0, len(self.table)), slice(None))

    def counts(self, games: slice, seats: slice) -> NDArray[np.int64]:
        """Number of these games plus these seats at sessions, for each player."""
        players = len(self.players.id)
        counts = self.table.counts(games.start, games.stop, players)
        seated = self.sessions.player[seats]
        return counts + np.bincount(seated, minlength=players) if len(seated) else counts

    @cached_property
    def first_of(self) -> Mapping[int, Instant]:
        """Time when each player, by id, first appeared."""
        return dict(zip(self.players.id.tolist(), self.players.first.tolist(), strict=True))


def empty(pool: int, digest: str) -> Timeline:
    """The timeline of the empty log."""
    no_ints = np.empty(0, dtype=np.int64)
    return Timeline(
        pool, 0, digest, Corrections(), Spliced(), SessionTable.of((), int), SeedTable.of((), int),
        Players(no_ints.astype(np.int32), no_ints, no_ints), results=no_ints,
    )  # fmt: skip
