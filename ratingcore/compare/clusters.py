"""Clusters of games that are not independent: those of one player, of one pair of players, of one calendar month."""

from functools import cached_property

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints
from ratingcore.compare.played_games import Bools, Played
from ratingcore.errors import BadValue
from ratingcore.methods.kernels import kernel


@frozen(eq=False)
class ClusterSums:
    """Sums of one number a game over the finest clusters; all others are sums of these.

    The sums of a difference are the difference of the sums.

    Parameters
    ----------
    seat : (seats,) float64
        Over the games of one player in one month.
    match : (matches,) float64
        Over the games of one pair of players in one month.
    coarse : tuple of (clusters,) float64
        Over those of each player, each pair and each month, where they have been added up; else empty.
    """

    seat: Floats
    match: Floats
    coarse: tuple[Floats, ...] = ()

    def __sub__(self, other: "ClusterSums") -> "ClusterSums":
        both = zip(self.coarse, other.coarse, strict=True) if self.coarse and other.coarse else ()
        return ClusterSums(
            self.seat - other.seat, self.match - other.match, tuple(mine - theirs for mine, theirs in both)
        )


@frozen(eq=False)
class Parts:
    """Clusters parted by month: the number of the part that each game is in, and the cluster and month of each part."""

    number: Ints
    cluster: Ints
    period: Ints

    def __len__(self) -> int:
        return len(self.cluster)


@frozen(eq=False)
class Clusters:
    """The clusters of the games that are scored.

    Parameters
    ----------
    a, b, pair, period : (n,) int
        Numbers of the clusters of each game, counted from 0. A game belongs to the clusters of both of its players.
    """

    a: Ints
    b: Ints
    pair: Ints
    period: Ints

    @classmethod
    def of(cls, played: Played, which: Bools | None = None) -> "Clusters":
        """Builds the clusters of all games, or of those in `which`."""
        some = slice(None) if which is None else which
        return cls(played.a[some], played.b[some], played.pair[some], played.month[some])

    def __len__(self) -> int:
        return len(self.a)

    def take(self, games: Ints) -> "Clusters":
        """The clusters of the games of these indices."""
        return Clusters(self.a[games], self.b[games], self.pair[games], self.period[games])

    @cached_property
    def seats(self) -> Parts:
        """The players, parted by month; two numbers a game, that of `a` first."""
        both = np.column_stack([self.a, self.b]).ravel()
        return _parted(both, np.repeat(self.period, 2))

    @cached_property
    def matches(self) -> Parts:
        """The pairs of players, parted by month."""
        return _parted(self.pair, self.period)

    def sums(self, values: Floats) -> ClusterSums:
        """Sums of one number a game over each seat and match."""
        if len(values) != len(self):
            raise BadValue("values", len(values), f"are not one for each of {len(self)} games")
        return ClusterSums(
            _added(self.seats.number, np.repeat(values, 2), len(self.seats)),
            _added(self.matches.number, values, len(self.matches)),
        )

    def by_player(self, sums: ClusterSums) -> Floats:
        """Sums over the games of each player."""
        return sums.coarse[0] if sums.coarse else _added(self.seats.cluster, sums.seat)

    def by_pair(self, sums: ClusterSums) -> Floats:
        """Sums over the games of each pair of players."""
        return sums.coarse[1] if sums.coarse else _added(self.matches.cluster, sums.match)

    def by_period(self, sums: ClusterSums) -> Floats:
        """Sums over the games of each month."""
        return sums.coarse[2] if sums.coarse else _added(self.matches.period, sums.match)

    def added_up(self, sums: ClusterSums) -> ClusterSums:
        """The same sums with those over each player, pair and month beside them, for many differences of them."""
        return ClusterSums(sums.seat, sums.match, (self.by_player(sums), self.by_pair(sums), self.by_period(sums)))

    @cached_property
    def sizes(self) -> ClusterSums:
        """Number of games in each seat and match."""
        return self.sums(np.ones(len(self)))

    @cached_property
    def player_size(self) -> Floats:
        """Number of games of each player."""
        return self.by_player(self.sizes)

    @cached_property
    def pair_size(self) -> Floats:
        """Number of games of each pair of players."""
        return self.by_pair(self.sizes)

    @cached_property
    def period_size(self) -> Floats:
        """Number of games of each month."""
        return self.by_period(self.sizes)


def _parted(cluster: Ints, period: Ints) -> Parts:
    """Parts clusters by month, numbered in order of first appearance."""
    if (np.diff(period) < 0).any():
        order = np.argsort(period, kind="stable")
        in_order = _parted(cluster[order], period[order])
        number = np.empty_like(in_order.number)
        number[order] = in_order.number
        return Parts(number, in_order.cluster, in_order.period)
    n, clusters = len(cluster), int(cluster.max(initial=-1)) + 1
    number, owner, when = (np.empty(n, dtype=np.int32) for _ in range(3))
    latest, part = np.full(clusters, -1, dtype=np.int64), np.zeros(clusters, dtype=np.int32)
    parts = _part(cluster, period, latest, part, owner, when, number)
    return Parts(number, owner[:parts], when[:parts])


def _added(cluster: Ints, values: Floats, clusters: int = 0) -> Floats:
    total: Floats = np.bincount(cluster, values, clusters).astype(np.float64, copy=False)
    return total


@kernel
def _part(cluster: Ints, period: Ints, latest: Ints, part: Ints, owner: Ints, when: Ints, number: Ints) -> int:
    """Games come month by month, so a cluster is met again in a new month only after its part of the last one."""
    parts = 0
    for g in range(len(cluster)):
        i = cluster[g]
        if latest[i] != period[g]:
            latest[i] = period[g]
            part[i] = parts
            owner[parts] = i
            when[parts] = period[g]
            parts += 1
        number[g] = part[i]
    return parts
