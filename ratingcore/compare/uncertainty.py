"""Clusters of games and sessions that are not independent, and standard errors and intervals of means over them."""

from functools import cached_property
from math import exp, sqrt
from typing import Protocol

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints
from ratingcore.compare.losses import Pairings
from ratingcore.compare.played import Played, PlayedSessions
from ratingcore.errors import BadValue
from ratingcore.methods.contract import Bools
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
class MonthlyClusters:
    """Clusters split by month: the part that each game is in; the cluster, the month and the games of each part."""

    number: Ints
    cluster: Ints
    period: Ints
    size: Floats

    def __len__(self) -> int:
        return len(self.cluster)


class Product(Protocol):
    """A sparse matrix, of which only products with a column are needed."""

    def __matmul__(self, column: Floats) -> Floats:
        """The product with a column."""


@frozen(eq=False)
class Clusters:
    """The clusters of the games that are scored, or of the pairs of sides that met in sessions.

    Parameters
    ----------
    a, b, pair, period : (n,) int
        Numbers of the clusters of each game, counted from 0. A game belongs to the clusters of both of its players; of
        a session every pair of sides is a game, and every different set of members a player.
    weight : (n,) float64 or None
        Weight of each game: those of a session add up to 1. None if every game counts as one.
    members : tuple of two (seats,) int, or None
        Number of a set of members and row of a player, for every player of every set; None if every side is one player.
    """

    a: Ints
    b: Ints
    pair: Ints
    period: Ints
    weight: Floats | None = None
    members: tuple[Ints, Ints] | None = None

    @classmethod
    def of(cls, played: Played, which: Bools | None = None) -> "Clusters":
        """Builds the clusters of all games, or of those in `which`."""
        a, b, month = (column if which is None else column[which] for column in (played.a, played.b, played.month))
        pair = numbered(np.minimum(a, b), np.maximum(a, b), played.view.n_players)
        return cls(a, b, pair, (month - month[:1]).astype(np.int32))

    @classmethod
    def of_sessions(cls, played: PlayedSessions, pairings: Pairings) -> "Clusters":
        """Builds the clusters of pairs of sides of sessions."""
        team, members = _teams(played)
        a, b = team[pairings.i], team[pairings.j]
        pair = numbered(np.minimum(a, b), np.maximum(a, b), int(team.max(initial=0)) + 1)
        period = (played.month - played.month[:1])[pairings.session].astype(np.int32)
        return cls(a, b, pair, period, pairings.weight, members)

    def __len__(self) -> int:
        return len(self.a)

    def take(self, games: Ints) -> "Clusters":
        """The clusters of the games of these indices."""
        weight = None if self.weight is None else self.weight[games]
        return Clusters(self.a[games], self.b[games], self.pair[games], self.period[games], weight, self.members)

    @property
    def n(self) -> int:
        """Number of games, or of sessions."""
        return len(self) if self.weight is None else round(float(self.weight.sum()))

    @cached_property
    def seats(self) -> MonthlyClusters:
        """The players, split by month; two numbers a game, that of `a` first."""
        both = np.column_stack([self.a, self.b]).ravel()
        return _parted(both, np.repeat(self.period, 2))

    @cached_property
    def matches(self) -> MonthlyClusters:
        """The pairs of players, split by month."""
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
        """Adds the sums over each player, pair and month, for many differences of them."""
        return ClusterSums(sums.seat, sums.match, (self.by_player(sums), self.by_pair(sums), self.by_period(sums)))

    @cached_property
    def sizes(self) -> ClusterSums:
        """Number of games in each seat and match, or their weight."""
        if self.weight is not None:
            return self.sums(self.weight)
        return ClusterSums(self.seats.size, self.matches.size)

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

    @cached_property
    def _person_size(self) -> Floats:
        """Number of games of each person, whatever the side they were members of."""
        if self.members is None:
            return self.player_size
        team, player = self.members
        return _added(player, np.append(self.player_size, np.zeros(int(team.max()) + 1))[team])

    @property
    def person_sizes(self) -> Floats:
        """Number of games of each person who has played any."""
        return self._person_size[self._person_size > 0.0]

    @cached_property
    def share(self) -> Floats:
        """Share of all games that each player has; of a set of members, that of the member who has most."""
        if self.members is None:
            return self.player_size / self.n
        team, player = self.members
        most = np.zeros(len(self.player_size))
        some = team < len(most)
        np.maximum.at(most, team[some], self._person_size[player[some]])
        return np.minimum(most / self.n, 1.0)

    @cached_property
    def kin(self) -> Product | None:
        """Which sets have a member in common; None where every side is one player."""
        return None if self.members is None else self._sharing(np.arange(len(self.player_size)), None)

    @cached_property
    def kin_seats(self) -> Product | None:
        """Which seats of one month have a member in common."""
        return None if self.members is None else self._sharing(self.seats.cluster, self.seats.period)

    def _sharing(self, cluster: Ints, period: Ints | None) -> Product:
        """A matrix with 1 where two clusters, of one month if months are given, have a member in common, else 0."""
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
    """Splits clusters by month, in parts numbered by first appearance."""
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
    """The number of the set of members of each side; and set and player of every member of a set."""
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
    """A number for each pair, in order of first appearance, so that sums of games near in time are near in memory.

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
    """A hash table with open addressing: `places` holds 1 + the number of a pair, 0 where empty."""
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
        size[part[i]] += 1.0
    return parts


ROUNDS = 2000
_CELLS = 1_000_000
"""Drawn blocks held in memory at once."""
_PIECE = 32_768
"""Sums that are squared at a time."""


@frozen
class Interval:
    """A bootstrap interval of a mean.

    Attributes
    ----------
    low, high : float
    rounds : int
    seed : int
    blocks : int
        How many blocks were drawn, with replacement, in each round.
    """

    low: float
    high: float
    rounds: int
    seed: int
    blocks: int


def bootstrap(total: Floats, size: Floats, seed: int = 0, rounds: int = ROUNDS, level: float = 0.95) -> Interval | None:
    """Interval of a mean over games, or None if there are fewer than two blocks to draw.

    Parameters
    ----------
    total : (blocks,) float64
        Sum of the number over the games of each block.
    size : (blocks,) float64
        Games of each block; empty blocks are not drawn.
    seed : int
        The same seed gives the same interval.

    Examples
    --------
    >>> interval = bootstrap(np.array([1.0, 5.0, 3.0, 4.0]), np.array([2.0, 4.0, 3.0, 2.0]), seed=1)
    >>> interval == bootstrap(np.array([1.0, 5.0, 3.0, 4.0]), np.array([2.0, 4.0, 3.0, 2.0]), seed=1)
    True
    """
    some = size > 0
    total, size = total[some], size[some]
    blocks = len(size)
    if blocks < 2:
        return None
    # Rounds are drawn in pieces that fit into memory; the stream of random numbers is the same however it is cut.
    random, means, at_once = np.random.default_rng(seed), [], max(1, _CELLS // blocks)
    for done in range(0, rounds, at_once):
        drawn = random.integers(blocks, size=(min(at_once, rounds - done), blocks))
        means.append(total[drawn].sum(axis=1) / size[drawn].sum(axis=1))
    low, high = np.quantile(np.concatenate(means), [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(low, high, rounds, seed, blocks)


LEVEL = 0.95
FEWEST = 10
"""Players, and months, below which there is no standard error: it would mean nothing."""


@frozen
class Estimate:
    """A mean over games, with standard errors that allow for what games have in common.

    Attributes
    ----------
    n : int
        Games.
    mean : float or None
        None if there are no games.
    by_players, by_periods, by_both : float or None
        Standard errors by clusters of players, of calendar months, and of both at once; None if there are fewer than
        ten players or ten months.
    players, periods : int
        Number of clusters of each kind.
    players_like, periods_like : float
        How many clusters of equal size carry as much information: fewer, where some players or months have most of the
        games.
    """

    n: int
    mean: float | None
    by_players: float | None
    by_periods: float | None
    by_both: float | None
    players: int
    periods: int
    players_like: float
    periods_like: float

    @property
    def standard_error(self) -> float | None:
        """Standard error by players and months at once."""
        return self.by_both

    @property
    def margin(self) -> float | None:
        """Half the width of the 95 % interval: by players and months at once, and never below either alone."""
        return _margin(self.by_both, min(self.players_like, self.periods_like))

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval; None where there are too few players or months for one."""
        return self._around(self.margin)

    @property
    def interval_by_players(self) -> tuple[float, float] | None:
        """The 95 % interval that allows for players alone."""
        return self._around(_margin(self.by_players, self.players_like))

    @property
    def interval_by_periods(self) -> tuple[float, float] | None:
        """The 95 % interval that allows for months alone."""
        return self._around(_margin(self.by_periods, self.periods_like))

    @property
    def interval_above_zero(self) -> tuple[float, float] | None:
        """The 95 % interval of a mean that cannot be negative, such as a log loss: made on the log scale."""
        if self.mean is None or self.margin is None or self.mean <= 0.0:
            return None
        factor = exp(min(self.margin / self.mean, 700.0))
        return self.mean / factor, self.mean * factor

    @property
    def p_value(self) -> float | None:
        """Chance of a mean at least as far from zero if the truth is zero; None where there is no interval."""
        if self.mean is None or self.by_both is None:
            return None
        if self.by_both == 0.0:
            return 1.0 if self.mean == 0.0 else 0.0
        from scipy.special import stdtr  # type: ignore[import-untyped]  # scipy has no types

        return 2.0 * float(stdtr(_degrees(min(self.players_like, self.periods_like)), -abs(self.mean) / self.by_both))

    def _around(self, margin: float | None) -> tuple[float, float] | None:
        return None if self.mean is None or margin is None else (self.mean - margin, self.mean + margin)


NO_GAMES = Estimate(0, None, None, None, None, 0, 0, 0.0, 0.0)


def _margin(error: float | None, like: float) -> float | None:
    """Half the width of an interval by Student's t."""
    if error is None:
        return None
    from scipy.special import stdtrit

    return float(stdtrit(_degrees(like), (1 + LEVEL) / 2)) * error


def _degrees(like: float) -> float:
    return max(like - 1.0, 1.0)


def estimate(values: Floats, clusters: Clusters) -> Estimate:
    """The mean of one number a game, with its standard errors."""
    return estimate_of(clusters.sums(values), clusters)


def estimate_of(sums: ClusterSums, clusters: Clusters) -> Estimate:
    """The mean of one number a game, with its standard errors, from its sums over clusters.

    Let u be the number of a game less the mean, n the number of games, n_i that of player i and n_t that of month t;
    and S_i, S_ij, S_t, S_it, S_ijt the sums of u over the games of a player, a pair, a month, a player in a month, a
    pair in a month::

        players   V_P = sum (S_i / (1 - n_i / n))^2 - sum S_ij^2     never below sum S_ij^2
        months    V_T = sum (S_t / (1 - n_t / n))^2
        both      V   = V_P + V_T - (sum S_it^2 - sum S_ijt^2)       never below V_P or V_T

    and the standard error is the square root over n. `V_P` adds up the products of all pairs of games that share a
    player [1]_, a player being the same on either side; `V` adds those that share a month and takes off, once, those
    that share both [2]_. Dividing by one less the share of a cluster gives the sum of squares of the jackknife that
    leaves out one cluster at a time [3]_; without it errors are too small where a few players have many of the games.
    A session is as many games as it has pairs of sides, weighed so that they count as one together. A side of several
    members is a player of its own, and S_i^2 becomes the sum of S_i S_j over all sides j that share a member with it.

    Intervals are by Student's t. Its degrees of freedom are one less than the number of clusters of equal size that
    carry as much information, (sum n_i)^2 / sum n_i^2 [4]_, of the kind that has fewer.

    References
    ----------
    .. [1] P. M. Aronow, C. Samii, V. A. Assenova, "Cluster-Robust Variance Estimation for Dyadic Data", Political
       Analysis 23 (2015), p. 564-577.
    .. [2] A. C. Cameron, J. B. Gelbach, D. L. Miller, "Robust Inference With Multiway Clustering", Journal of
       Business & Economic Statistics 29 (2011), p. 238-249.
    .. [3] R. M. Bell, D. F. McCaffrey, "Bias Reduction in Standard Errors for Linear Regression with Multi-Stage
       Samples", Survey Methodology 28 (2002), p. 169-181.
    .. [4] A. V. Carter, K. T. Schnepel, D. G. Steigerwald, "Asymptotic Behavior of a t-Test Robust to Cluster
       Heterogeneity", Review of Economics and Statistics 99 (2017), p. 698-709.
    """
    n, sizes = clusters.n, clusters.sizes
    if not n:
        return NO_GAMES
    of_player, of_pair, of_period = clusters.player_size, clusters.pair_size, clusters.period_size
    period, persons = clusters.by_period(sums), clusters.person_sizes
    mean = float(period.sum()) / n
    players, periods = len(persons), int(np.count_nonzero(of_period))
    players_like, periods_like = _like(persons), _like(of_period)
    if players < FEWEST or periods < FEWEST:
        return Estimate(n, mean, None, None, None, players, periods, players_like, periods_like)
    pairs = _about(clusters.by_pair(sums), mean, of_pair)
    shared = _about(sums.seat, mean, sizes.seat, clusters.kin_seats) - _about(sums.match, mean, sizes.match)
    rest = _left_out(clusters.by_player(sums) - mean * of_player, clusters.share)
    by_players = max(_squares(rest, clusters.kin) - pairs, pairs)
    by_periods = _squares(_left_out(period - mean * of_period, of_period / n))
    both = max(by_players + by_periods - shared, by_players, by_periods)
    errors = [sqrt(variance) / n for variance in (by_players, by_periods, both)]
    return Estimate(n, mean, errors[0], errors[1], errors[2], players, periods, players_like, periods_like)


def _about(sums: Floats, mean: float, size: Floats, kin: Product | None = None) -> float:
    """Sum of squares of sums less what they would be with the mean."""
    if kin is not None:
        return _squares(sums - mean * size, kin)
    total = 0.0
    for start in range(0, len(sums), _PIECE):  # intermediate columns of this length stay in the cache of a core
        rest = mean * size[start : start + _PIECE]
        np.subtract(sums[start : start + _PIECE], rest, out=rest)
        total += float(np.square(rest, out=rest).sum())
    return total


def _squares(sums: Floats, kin: Product | None = None) -> float:
    """Sum of the squares, or of the products of all that have a member in common."""
    return float(np.square(sums).sum()) if kin is None else float(sums @ (kin @ sums))


def _left_out(residual: Floats, share: Floats) -> Floats:
    """Divides the residual of each cluster by the share of the others; that of a cluster of all games is 0."""
    return np.divide(residual, 1.0 - share, out=np.zeros_like(residual), where=share < 1.0)


def _like(size: Floats) -> float:
    return float(size.sum()) ** 2 / float(np.square(size).sum())
