"""Standard errors and intervals of a mean over games that are not independent."""

from math import sqrt

import numpy as np
from attrs import frozen

from ratingcore.compare.clusters import Clusters, ClusterSums
from ratingcore.tables import Floats

LEVEL = 0.95


@frozen
class Estimate:
    """A mean over games, with standard errors that allow for what games have in common.

    Attributes
    ----------
    n : int
        Games.
    mean : float or None
        None if there are no games.
    by_players, by_periods : float or None
        Standard errors by clusters of players and of calendar months; None if there are too few clusters.
    players, periods : int
        Number of clusters of each kind.
    """

    n: int
    mean: float | None
    by_players: float | None
    by_periods: float | None
    players: int
    periods: int

    @property
    def used(self) -> str | None:
        """The kind of clusters with the wider margin, `players` or `periods`; None if neither has one."""
        margins = {"players": self._margin(self.by_players, self.players)}
        margins["periods"] = self._margin(self.by_periods, self.periods)
        widths = {kind: margin for kind, margin in margins.items() if margin is not None}
        return max(widths, key=widths.__getitem__) if widths else None

    @property
    def standard_error(self) -> float | None:
        """Standard error by the clusters that are used."""
        return {"players": self.by_players, "periods": self.by_periods, None: None}[self.used]

    @property
    def margin(self) -> float | None:
        """Half the width of the 95 % interval, by the clusters that are used and Student's t for their number."""
        return self._margin(self.standard_error, self.players if self.used == "players" else self.periods)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval."""
        return None if self.mean is None or self.margin is None else (self.mean - self.margin, self.mean + self.margin)

    @staticmethod
    def _margin(error: float | None, clusters: int) -> float | None:
        if error is None:
            return None
        from scipy.special import stdtrit  # type: ignore[import-untyped]  # scipy has no types; wanted only where margins are

        return float(stdtrit(clusters - 1, (1 + LEVEL) / 2)) * error


NO_GAMES = Estimate(0, None, None, None, 0, 0)


def estimate(values: Floats, clusters: Clusters) -> Estimate:
    """The mean of one number a game, with its standard errors."""
    return estimate_of(clusters.sums(values), clusters)


def estimate_of(sums: ClusterSums, clusters: Clusters) -> Estimate:
    """The mean of one number a game, with its standard errors, from its sums over clusters.

    With u the number of a game less the mean, S_i the sum of u over the games of player i, S_ij over those of the
    pair, and S_t over those of month t, the variances of the mean of n games are::

        players   (sum S_i^2 - sum S_ij^2) / n^2 * P / (P - 1)
        periods   sum S_t^2 / n^2 * T / (T - 1)

    The first adds up the products of all pairs of games that share a player [1]_ [2]_: it is the two-way formula [3]_
    in which a player is the same on either side. It is never taken to be less than by clusters of pairs,
    sum S_ij^2 / n^2.

    References
    ----------
    .. [1] M. Fafchamps, F. Gubert, "The formation of risk sharing networks", Journal of Development Economics 83
       (2007), p. 326-350, formula (2.6).
    .. [2] P. M. Aronow, C. Samii, V. A. Assenova, "Cluster-Robust Variance Estimation for Dyadic Data", Political
       Analysis 23 (2015), p. 564-577.
    .. [3] A. C. Cameron, J. B. Gelbach, D. L. Miller, "Robust Inference With Multiway Clustering", Journal of
       Business & Economic Statistics 29 (2011), p. 238-249.
    """
    n, sizes = len(clusters), clusters.sizes
    if not n:
        return NO_GAMES
    players, pairs, periods = (int(np.count_nonzero(size)) for size in (sizes.player, sizes.pair, sizes.period))
    mean = float(sums.period.sum()) / n
    player, pair, period = (
        float(np.square(total - mean * size).sum())
        for total, size in ((sums.player, sizes.player), (sums.pair, sizes.pair), (sums.period, sizes.period))
    )
    # With a single pair the two players are one cluster: there is nothing to tell their effects from chance.
    by_players = sqrt(max(player - pair, pair) * players / (players - 1)) / n if pairs > 1 else None
    by_periods = sqrt(period * periods / (periods - 1)) / n if periods > 1 else None
    return Estimate(n, mean, by_players, by_periods, players, periods)
