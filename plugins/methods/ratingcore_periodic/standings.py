"""Sums over the games of a period: number of games, opposition and share of the points of each player."""

from typing import Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.plugin import Floats, Games, Ints


@frozen(eq=False)
class Standings:
    """Sums over the games of a period, one row per player of the state.

    A game counts for a player whose opponent is rated at the start of the period. Sums are added in the order of the
    log.

    Parameters
    ----------
    games : (players,) float64
        Games that count.
    opposition : (players,) float64, rating points
        Mean rating of the opponents; NaN without a game.
    share : (players,) float64 in [0, 1]
        Points over games; NaN without a game.
    lone : (players,) bool
        Whether all games were played against one opponent.
    """

    games: Floats
    opposition: Floats
    share: Floats
    lone: NDArray[np.bool_]

    @classmethod
    def of(cls, games: Games, rating: Floats) -> Self:
        """Adds up the games of a period, by the ratings at its start."""
        order = np.argsort(games.position, kind="stable")
        a, b, score = games.a[order], games.b[order], games.score[order]
        player, opponent, points = np.concatenate([a, b]), np.concatenate([b, a]), np.concatenate([score, 1.0 - score])
        counts = ~np.isnan(rating)[opponent]
        player, opponent, points = player[counts], opponent[counts], points[counts]
        n = np.bincount(player, minlength=len(rating)).astype(np.float64)
        some = np.where(n > 0.0, n, np.nan)
        opposition = np.bincount(player, rating[opponent], len(rating)) / some
        return cls(n, opposition, np.bincount(player, points, len(rating)) / some, _lone(player, opponent, len(n)))

    def contributions(
        self, player: Ints, opponent: Ints, score: Floats, rating: Floats, slope: Floats, weight: Floats
    ) -> Floats:
        """Part of each game in the change of its player: its share of the performance, less that of the old rating.

        Parameters
        ----------
        player, opponent : (n,) int
            Rows of both in the state.
        score : (n,) float64 in [0, 1]
            Score of the player.
        rating, slope, weight : (players,) float64
            Rating at the start, rating points per point scored, and share of the performance in the next rating.
        """
        worth = rating[opponent] - rating[player] + slope[player] * (score - 0.5)
        games = np.maximum(self.games[player], 1.0)
        return np.where(np.isnan(worth), 0.0, weight[player] * worth / games)  # nothing if one was unrated


def _lone(player: Ints, opponent: Ints, players: int) -> NDArray[np.bool_]:
    """Players who met one opponent only: the lowest and the highest row they met are equal."""
    lowest, highest = np.full(players, players), np.full(players, -1)
    np.minimum.at(lowest, player, opponent)
    np.maximum.at(highest, player, opponent)
    return np.asarray(lowest == highest)
