"""Groups games and sessions that are not independent into clusters: by player, by pair, by month."""

from functools import cached_property
from typing import Protocol

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints
from ratingcore.compare.losses import Pairings
from ratingcore.compare.played import Played, PlayedSessions
from ratingcore.errors import BadValue
from ratingcore.methods.contract import Bools
from ratingcore.methods.kernels import kernel

_FAR = 2**31 - 1


@frozen(eq=False)
class MonthlyClusters:
    """Clusters split by month into parts, in order of months.

    `number` is the part of each game; `cluster`, `period` and `size` are the cluster, month and games of each part.
    """

    number: Ints
    cluster: Ints
    period: Ints
    size: Floats

    def __len__(self) -> int:
        return len(self.cluster)

    @cached_property
    def _months(self) -> tuple[Ints, Ints]:
        """The months that have parts, and the first part of each."""
        first = np.flatnonzero(np.diff(self.period, prepend=-1))
        return self.period[first], first

    def by_period(self, sums: Floats) -> Floats:
        """Adds up sums over parts, month by month."""
        months, first = self._months
        total = np.zeros(int(months.max(initial=-1)) + 1)
        if len(first):
            total[months] = np.add.reduceat(sums, first)
        return total


@frozen(eq=False)
class ClusterSums:
    """Sums of one number per game over the finest clusters; all other sums are made from these on request.

    The sums of a difference of two numbers are the differences of their sums.

    Parameters
    ----------
    seat : (seats,) float64
        Sum over the games of one player in one month.
    match : (matches,) float64
        Sum over the games of one pair of players in one month.
    seats, matches : MonthlyClusters
    """

    seat: Floats
    match: Floats
    seats: MonthlyClusters
    matches: MonthlyClusters

    @cached_property
    def player(self) -> Floats:
        """Sums over the games of each player."""
        return _added(self.seats.cluster, self.seat)

    @cached_property
    def pair(self) -> Floats:
        """Sums over the games of each pair of players."""
        return _added(self.matches.cluster, self.match)

    @cached_property
    def period(self) -> Floats:
        """Sums over the games of each month."""
        return self.matches.by_period(self.match)


class Product(Protocol):
    """A sparse matrix, used only for its products with a column."""

    def __matmul__(self, column: Floats) -> Floats:
        """Returns the product with a column."""


@frozen(eq=False)
class Clusters:
    """The clusters of the games that are scored, or of the pairs of sides that met in sessions.

    Parameters
    ----------
    a, b, pair, period : (n,) int
        Numbers of the clusters of each game, from 0. A game belongs to the clusters of both of its players. In
        sessions, every pair of sides counts as a game, and every different set of members as a player.
    weight : (n,) float64 or None
        Weight of each game; the weights of a session add up to 1. None if every game counts as one.
    members : tuple of two (seats,) int, or None
        Number of a set of members and row of a player, for every player of every set; None if every side is one player.
    named : str
        The field whose values `period` numbers; empty where they are months.
    """

    a: Ints
    b: Ints
    pair: Ints
    period: Ints
    weight: Floats | None = None
    members: tuple[Ints, Ints] | None = None
    named: str = ""

    @classmethod
    def of(cls, played: Played, which: Bools | None = None) -> "Clusters":
        """Builds the clusters of all games, or of those in `which`."""
        a, b, block = (column if which is None else column[which] for column in (played.a, played.b, played.block))
        pair = numbered(np.minimum(a, b), np.maximum(a, b), played.view.n_players)
        return cls(a, b, pair, (block - block.min(initial=_FAR)).astype(np.int32), named=played.clusters)

    @classmethod
    def of_sessions(cls, played: PlayedSessions, pairings: Pairings) -> "Clusters":
        """Builds the clusters of the pairs of sides that met in sessions."""
        team, members = _teams(played)
        a, b = team[pairings.i], team[pairings.j]
        pair = numbered(np.minimum(a, b), np.maximum(a, b), int(team.max(initial=0)) + 1)
        period = (played.block - played.block.min(initial=_FAR))[pairings.session].astype(np.int32)
        return cls(a, b, pair, period, pairings.weight, members, played.clusters)

    def __len__(self) -> int:
        return len(self.a)

    def take(self, games: Ints) -> "Clusters":
        """Returns the clusters of the games with these indices."""
        weight = None if self.weight is None else self.weight[games]
        return Clusters(
            self.a[games], self.b[games], self.pair[games], self.period[games], weight, self.members, self.named
        )

    @property
    def n(self) -> int:
        """Number of games, or of sessions."""
        return len(self) if self.weight is None else round(float(self.weight.sum()))

    @cached_property
    def seats(self) -> MonthlyClusters:
        """Clusters of players, split by month; each game has two numbers, first that of `a`."""
        both = np.column_stack([self.a, self.b]).ravel()
        return _parted(both, np.repeat(self.period, 2))

    @cached_property
    def matches(self) -> MonthlyClusters:
        """Clusters of pairs of players, split by month."""
        return _parted(self.pair, self.period)

    def sums(self, values: Floats) -> ClusterSums:
        """Adds up one number per game over each seat and match."""
        if len(values) != len(self):
            raise BadValue("values", len(values), f"must be one for each of {len(self)} games")
        seat = _added(self.seats.number, np.repeat(values, 2), len(self.seats))
        return self.summed(seat, _added(self.matches.number, values, len(self.matches)))

    def summed(self, seat: Floats, match: Floats) -> ClusterSums:
        """Wraps sums over each seat and match that were already added up."""
        return ClusterSums(seat, match, self.seats, self.matches)

    @cached_property
    def sizes(self) -> ClusterSums:
        """Number of games in each seat and match, or their weight."""
        if self.weight is not None:
            return self.sums(self.weight)
        return self.summed(self.seats.size, self.matches.size)

    @cached_property
    def _person_size(self) -> Floats:
        """Number of games of each person, over all sides to which they belonged."""
        if self.members is None:
            return self.sizes.player
        team, player = self.members
        return _added(player, np.append(self.sizes.player, np.zeros(int(team.max()) + 1))[team])

    @property
    def person_sizes(self) -> Floats:
        """Number of games of each person with at least one game."""
        return self._person_size[self._person_size > 0.0]

    @cached_property
    def share(self) -> Floats:
        """Share of all games that each player has; for a set of members, the share of the member with most games."""
        if self.members is None:
            return self.sizes.player / self.n
        team, player = self.members
        most = np.zeros(len(self.sizes.player))
        some = team < len(most)
        np.maximum.at(most, team[some], self._person_size[player[some]])
        return np.minimum(most / self.n, 1.0)

    @cached_property
    def kin(self) -> Product | None:
        """Matrix of the sets with a common member; None if every side is one player."""
        return None if self.members is None else self._sharing(np.arange(len(self.sizes.player)), None)

    @cached_property
    def kin_seats(self) -> Product | None:
        """Matrix of the seats of one month with a common member; None if every side is one player."""
        return None if self.members is None else self._sharing(self.seats.cluster, self.seats.period)

    def _sharing(self, cluster: Ints, period: Ints | None) -> Product:
        """Returns a matrix: 1 where two clusters (of one month, if months are given) share a member, else 0."""
        from scipy import sparse  # type: ignore[import-untyped]  # scipy has no types; a tenth of a second no list needs

        assert self.members is not None
        team, player = self.members
        shape = (max(int(team.max()), int(cluster.max(initial=0))) + 1, int(player.max()) + 1)
        seats = sparse.csr_matrix((np.ones(len(team)), (team, player)), shape)[cluster].tocoo()
        persons = seats.col.astype(np.int64)
        if period is not None:
            persons = np.unique(period[seats.row] * shape[1] + persons, return_inverse=True)[1]
        who = sparse.csr_matrix((np.ones(len(persons)), (seats.row, persons)))
        shared: Product = (who @ who.T > 0.0).astype(np.float64)
        return shared


def _parted(cluster: Ints, period: Ints) -> MonthlyClusters:
    """Splits clusters by month into parts, numbered by first appearance."""
    if (np.diff(period) < 0).any():
        order = np.argsort(period, kind="stable")
        in_order = _parted(cluster[order], period[order])
        number = np.empty_like(in_order.number)
        number[order] = in_order.number
        return MonthlyClusters(number, in_order.cluster, in_order.period, in_order.size)
    n, clusters = len(cluster), int(cluster.max(initial=-1)) + 1
    number, owner, when, size = np.empty(n, dtype=np.int32), *np.empty((2, n), dtype=np.intp), np.zeros(n)
    latest, part = np.full(clusters, -1, dtype=np.int64), np.zeros(clusters, dtype=np.int32)
    parts = _part(cluster, period, latest, part, owner, when, number, size)
    return MonthlyClusters(number, owner[:parts], when[:parts], size[:parts])


def _teams(played: PlayedSessions) -> tuple[Ints, tuple[Ints, Ints] | None]:
    """Numbers the set of members of each side; also returns the set and the player of every membership, or None."""
    size = np.diff(played.side)
    if (size == 1).all():
        return played.player, None
    seated = np.full((len(size), int(size.max())), -1, dtype=np.int64)
    row = np.repeat(np.arange(len(size)), size)
    seated[row, np.arange(len(row)) - played.side[row]] = played.player
    sets, team = np.unique(np.sort(seated, axis=1), axis=0, return_inverse=True)
    which, place = np.nonzero(sets >= 0)
    return team.reshape(-1), (which, sets[which, place])


def _added(cluster: Ints, values: Floats, clusters: int = 0) -> Floats:
    total: Floats = np.bincount(cluster, values, clusters).astype(np.float64, copy=False)
    return total


def numbered(low: Ints, high: Ints, players: int) -> Ints:
    """Numbers pairs in order of first appearance, so that sums of games near in time are near in memory.

    Examples
    --------
    >>> numbered(np.array([3, 1, 3, 0]), np.array([4, 2, 4, 1]), players=5).tolist()
    [0, 1, 0, 2]
    """
    n = len(low)
    number, codes = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64)
    _number(low, high, players, np.zeros(2 ** (2 * n + 1).bit_length(), dtype=np.int32), codes, number)
    return number


@kernel
def _number(low: Ints, high: Ints, players: int, places: Ints, codes: Ints, number: Ints) -> None:
    """Numbers pairs by a hash table with open addressing; `places` holds 1 + the number of a pair, or 0 if empty."""
    room = len(places) - 1
    found = 0
    for g in range(len(low)):
        code = int(low[g]) * players + high[g]
        at = code * 40503
        at = (at ^ (at >> 17)) & room
        while places[at] and codes[places[at] - 1] != code:
            at = (at + 1) & room
        if not places[at]:
            codes[found] = code
            found += 1
            places[at] = found
        number[g] = places[at] - 1


@kernel
def _part(
    cluster: Ints, period: Ints, latest: Ints, part: Ints, owner: Ints, when: Ints, number: Ints, size: Floats
) -> int:
    """Numbers the parts; games come month by month, so that a cluster has one part in each month where it occurs."""
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
        size[part[i]] += 1.0
    return parts
