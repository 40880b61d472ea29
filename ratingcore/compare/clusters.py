"""Clusters of games that are not independent: those of one player, of one pair of players, of one calendar month."""

from functools import cached_property

import numpy as np
from attrs import frozen

from ratingcore.compare.played_games import Bools, Played
from ratingcore.errors import BadValue
from ratingcore.tables import Floats, Ints


@frozen(eq=False)
class ClusterSums:
    """Sums, over each cluster, of one number a game.

    The sums of a difference are the difference of the sums.

    Parameters
    ----------
    player, pair, period : (clusters,) float64
    """

    player: Floats
    pair: Floats
    period: Floats

    def __sub__(self, other: "ClusterSums") -> "ClusterSums":
        return ClusterSums(self.player - other.player, self.pair - other.pair, self.period - other.period)


@frozen(eq=False)
class Clusters:
    """The clusters of the games that are scored.

    Parameters
    ----------
    a, b, pair, period : (n,) int
        Numbers of the clusters of each game. A game belongs to the clusters of both of its players.
    """

    a: Ints
    b: Ints
    pair: Ints
    period: Ints

    @classmethod
    def of(cls, played: Played, which: Bools | None = None) -> "Clusters":
        """The clusters of all games, or of those in `which`."""
        some = slice(None) if which is None else which
        return cls(played.a[some], played.b[some], played.pair[some], played.month[some])

    def __len__(self) -> int:
        return len(self.a)

    def sums(self, values: Floats) -> ClusterSums:
        """Sums of one number a game over each cluster."""
        if len(values) != len(self):
            raise BadValue("values", len(values), f"are not one for each of {len(self)} games")
        a, b, pair, period = (_added(cluster, values) for cluster in (self.a, self.b, self.pair, self.period))
        by_player = np.zeros(max(len(a), len(b)))
        by_player[: len(a)] += a
        by_player[: len(b)] += b
        return ClusterSums(by_player, pair, period)

    @cached_property
    def sizes(self) -> ClusterSums:
        """Number of games in each cluster."""
        return self.sums(np.ones(len(self)))


def _added(cluster: Ints, values: Floats) -> Floats:
    total: Floats = np.bincount(cluster, values).astype(np.float64, copy=False)
    return total
