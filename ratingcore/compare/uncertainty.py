"""Computes standard errors and intervals of means over games and sessions that are not independent."""

from collections.abc import Sequence
from math import exp, inf, sqrt

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats
from ratingcore.compare.clusters import Clusters, ClusterSums, Product
from ratingcore.safe_text import counted

ROUNDS = 2000
_CELLS = 1_000_000
"""Largest number of drawn blocks held in memory at once."""
_PIECE = 32_768
"""Number of sums that are squared at a time."""


@frozen
class Interval:
    """A bootstrap interval of a mean.

    Attributes
    ----------
    low, high : float
    rounds : int
    seed : int
    blocks : int
        Number of blocks drawn, with replacement, in each round.
    """

    low: float
    high: float
    rounds: int
    seed: int
    blocks: int


def bootstrap(total: Floats, size: Floats, seed: int = 0, rounds: int = ROUNDS, level: float = 0.95) -> Interval | None:
    """Computes the bootstrap interval of a mean over games; None if there are fewer than two blocks to draw.

    Parameters
    ----------
    total : (blocks,) float64
        Sum of the number over the games of each block.
    size : (blocks,) float64
        Number of games of each block; empty blocks are not drawn.
    seed : int
        The same seed gives the same interval.

    Examples
    --------
    >>> interval = bootstrap(np.array([1.0, 5.0, 3.0, 4.0]), np.array([2.0, 4.0, 3.0, 2.0]), seed=1)
    >>> interval == bootstrap(np.array([1.0, 5.0, 3.0, 4.0]), np.array([2.0, 4.0, 3.0, 2.0]), seed=1)
    True
    """
    drawn = Drawn.of([total], size, seed, rounds)
    return None if drawn is None else drawn.interval(drawn.mean[0], level)


@frozen(eq=False)
class Drawn:
    """Bootstrap means of several numbers over games, in blocks drawn with replacement; all use the same draws.

    Parameters
    ----------
    mean : (numbers, rounds) float64
    seed : int
    blocks : int
    """

    mean: Floats
    seed: int
    blocks: int

    @classmethod
    def of(cls, totals: Sequence[Floats], size: Floats, seed: int = 0, rounds: int = ROUNDS) -> "Drawn | None":
        """Draws blocks and averages each number, given its sum in each block; None for fewer than two blocks."""
        some = size > 0
        size, blocks = size[some], int(np.count_nonzero(some))
        if blocks < 2:
            return None
        # Rounds are drawn in pieces that fit into memory; the random numbers do not depend on the size of pieces.
        random, means, at_once = np.random.default_rng(seed), [], max(1, _CELLS // blocks)
        for done in range(0, rounds, at_once):
            drawn = random.integers(blocks, size=(min(at_once, rounds - done), blocks))
            sums = np.array([total[some][drawn].sum(axis=1) for total in totals])
            means.append(sums / size[drawn].sum(axis=1))
        return cls(np.concatenate(means, axis=1), seed, blocks)

    def interval(self, mean: Floats, level: float = 0.95) -> Interval:
        """Returns the interval of a number from its mean in each round."""
        low, high = np.quantile(mean, [(1 - level) / 2, (1 + level) / 2]).tolist()
        return Interval(low, high, len(mean), self.seed, self.blocks)


LEVEL = 0.95
FEWEST = 10
"""Number of players, and of months, below which there is no standard error, because it would mean nothing."""


@frozen
class MeanEstimate:
    """A mean over games, with standard errors that allow for common players and months of games.

    Attributes
    ----------
    n : int
        Number of games.
    mean : float or None
        None if there are no games.
    by_players, by_periods, by_both : float or None
        Standard errors by clusters of players, of calendar months, and of both together; None if there are fewer than
        ten players or ten months.
    players, periods : int
        Number of clusters of each kind.
    players_like, periods_like : float
        Effective number of clusters: how many of equal size carry as much information. It is lower if a few players or
        months have most of the games.
    named : str
        The field of results whose values are the clusters, in place of players and months; empty without one.
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
    named: str = ""

    @property
    def clusters(self) -> str:
        """The clusters that the intervals allow for, and their numbers, in words."""
        if self.named:
            return f"{counted(self.periods, 'cluster')} of {self.named}"
        return f"{counted(self.players, 'player')} and {counted(self.periods, 'month')}"

    @property
    def standard_error(self) -> float | None:
        """Standard error by players and months together."""
        return self.by_both

    @property
    def margin(self) -> float | None:
        """Half the width of the 95 % interval by players and months together."""
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
        """The 95 % interval of a mean that cannot be negative, such as a log loss, computed on the log scale."""
        if self.mean is None or self.margin is None or self.mean <= 0.0:
            return None
        factor = exp(min(self.margin / self.mean, 700.0))
        return self.mean / factor, self.mean * factor

    @property
    def p_value(self) -> float | None:
        """Chance of a mean at least this far from zero if the true mean is zero; None if there is no interval."""
        if self.mean is None or self.by_both is None:
            return None
        if self.by_both == 0.0:
            return 1.0 if self.mean == 0.0 else 0.0
        from scipy.special import stdtr  # type: ignore[import-untyped]  # scipy has no types

        return 2.0 * float(stdtr(_degrees(min(self.players_like, self.periods_like)), -abs(self.mean) / self.by_both))

    def _around(self, margin: float | None) -> tuple[float, float] | None:
        return None if self.mean is None or margin is None else (self.mean - margin, self.mean + margin)


NO_GAMES = MeanEstimate(0, None, None, None, None, 0, 0, 0.0, 0.0)


def _margin(error: float | None, like: float) -> float | None:
    """Returns half the width of an interval by Student's t."""
    if error is None:
        return None
    from scipy.special import stdtrit

    return float(stdtrit(_degrees(like), (1 + LEVEL) / 2)) * error


def _degrees(like: float) -> float:
    return max(like - 1.0, 1.0)


def estimate(values: Floats, clusters: Clusters) -> MeanEstimate:
    """Returns the mean of one number per game, with its standard errors."""
    return estimate_of(clusters.sums(values), clusters)


def estimate_of(sums: ClusterSums, clusters: Clusters, less: ClusterSums | None = None) -> MeanEstimate:
    """Returns the mean of one number per game with its standard errors, from its sums over clusters, minus `less`.

    Let u be the number of a game minus the mean; n the number of all games, n_i of those of player i, and n_t of those
    in month t; and S_i, S_ij, S_t, S_it, S_ijt the sums of u over the games of a player, a pair, a month, a player in
    a month, a pair in a month::

        players   V_P = sum (S_i / (1 - n_i / n))^2 - sum S_ij^2     never below sum S_ij^2
        months    V_T = sum (S_t / (1 - n_t / n))^2
        both      V   = V_P + V_T - (sum S_it^2 - sum S_ijt^2)       never below V_P or V_T

    The standard error is the square root of the variance, divided by n. `V_P` adds up the products of all pairs of
    games that share a player [1]_, on any side. `V` adds the pairs that share a month and subtracts, once, those that
    share both [2]_. Dividing by one minus the share of a cluster gives the sum of squares of the jackknife that leaves
    out one cluster at a time [3]_; without it errors are too small if a few players have many of the games. Clusters of
    a field take the place of months, and V is V_T.

    In a session, every pair of sides counts as a game; the weights of these games add up to one. A side of several
    members counts as a player of its own, and S_i^2 becomes the sum of S_i S_j over all sides j that share a member
    with side i.

    Intervals use Student's t. Its degrees of freedom are one less than the effective number of clusters,
    (sum n_i)^2 / sum n_i^2 [4]_, of players or of months, whichever is lower.

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
    of_period, persons = sizes.period, clusters.person_sizes
    period = sums.period if less is None else sums.period - less.period
    mean = float(period.sum()) / n
    players, periods = len(persons), int(np.count_nonzero(of_period))
    players_like, periods_like = _like(persons), _like(of_period)
    if clusters.named:
        error = sqrt(_squares(_left_out(period - mean * of_period, of_period / n))) / n if periods >= FEWEST else None
        return MeanEstimate(n, mean, None, error, error, players, periods, inf, periods_like, clusters.named)
    if players < FEWEST or periods < FEWEST:
        return MeanEstimate(n, mean, None, None, None, players, periods, players_like, periods_like)
    seat, match, pair = (None, None, None) if less is None else (less.seat, less.match, less.pair)
    pairs = _about(sums.pair, mean, sizes.pair, pair)
    shared = _about(sums.seat, mean, sizes.seat, seat, clusters.kin_seats) - _about(
        sums.match, mean, sizes.match, match
    )
    player = sums.player if less is None else sums.player - less.player
    rest = _left_out(player - mean * sizes.player, clusters.share)
    by_players = max(_squares(rest, clusters.kin) - pairs, pairs)
    by_periods = _squares(_left_out(period - mean * of_period, of_period / n))
    both = max(by_players + by_periods - shared, by_players, by_periods)
    errors = [sqrt(variance) / n for variance in (by_players, by_periods, both)]
    return MeanEstimate(n, mean, errors[0], errors[1], errors[2], players, periods, players_like, periods_like)


def _about(sums: Floats, mean: float, size: Floats, less: Floats | None = None, kin: Product | None = None) -> float:
    """Adds up the squares of sums, or of their differences, after subtracting the mean times the size of each."""
    if kin is not None:
        return _squares((sums if less is None else sums - less) - mean * size, kin)
    total = 0.0
    for start in range(0, len(sums), _PIECE):  # intermediate columns of this length stay in the cache of a core
        piece = slice(start, start + _PIECE)
        rest = mean * size[piece]
        np.subtract(sums[piece], rest, out=rest)
        if less is not None:
            rest -= less[piece]
        total += float(np.square(rest, out=rest).sum())  # not `rest @ rest`, which starts threads
    return total


def _squares(sums: Floats, kin: Product | None = None) -> float:
    """Adds up the squares; with `kin`, the products of all clusters that have a member in common."""
    return float(np.square(sums).sum()) if kin is None else float((sums * (kin @ sums)).sum())


def _left_out(residual: Floats, share: Floats) -> Floats:
    """Divides the residual of each cluster by the share of the other games; 0 for a cluster that has all games."""
    return np.divide(residual, 1.0 - share, out=np.zeros_like(residual), where=share < 1.0)


def _like(size: Floats) -> float:
    return float(size.sum()) ** 2 / float(np.square(size).sum())
