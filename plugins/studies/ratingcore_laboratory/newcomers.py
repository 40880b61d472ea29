"""Newcomers who enter by their results: unrated until enough of their games against rated players are recent enough."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ratingcore.plugin import Floats, Ints
from ratingcore.plugin.analysis import RULES


class Newcomers:
    """Games of unrated players against rated ones, kept until they make a first rating.

    A replay with `entry=pooled(games,months,rule)` does the same with the log of a simulation: a round is a month.

    Parameters
    ----------
    games : int
        Games that make a first rating.
    months : int
        Rounds in which they lie, the one that ends included.
    rule : str
        Rule that makes a rating of them, one of `RULES`.

    Examples
    --------
    >>> waiting = Newcomers(2, 3, "periodic")
    >>> waiting.add(1, np.array([7, 7, 9]), np.array([1100.0, 1100.0, 1300.0]), np.array([1.0, 0.0, 1.0]))
    >>> who, rating = waiting.admitted(1)
    >>> who.tolist(), rating.tolist()
    ([7], [1100.0])
    """

    __slots__ = ("_faced", "_games", "_months", "_player", "_round", "_rule", "_score")

    def __init__(self, games: int, months: int, rule: str) -> None:
        self._games, self._months = games, months
        self._rule: Callable[[Floats, Floats], float] = RULES[rule]
        self._round: Ints = np.empty(0, dtype=np.int64)
        self._player: Ints = np.empty(0, dtype=np.int64)
        self._faced: Floats = np.empty(0)
        self._score: Floats = np.empty(0)

    def add(self, round_: int, player: Ints, faced: Floats, score: Floats) -> None:
        """Keeps games of unrated players in the order of play.

        Parameters
        ----------
        player : (n,) int
            The unrated player of each game.
        faced : (n,) float64, rating points
            Rating of their opponent when it was played.
        score : (n,) float64 in [0, 1]
            Score of the unrated player.
        """
        self._round = np.concatenate([self._round, np.full(len(player), round_, dtype=np.int64)])
        self._player = np.concatenate([self._player, player])
        self._faced = np.concatenate([self._faced, faced])
        self._score = np.concatenate([self._score, score])

    def admitted(self, round_: int) -> tuple[Ints, Floats]:
        """The players whose games make a first rating at the end of a round, and these ratings."""
        self._keep(round_ - self._round < self._months)
        players, counts = np.unique(self._player, return_counts=True)
        ready = players[counts >= self._games]
        made = np.array([self._made(player) for player in ready.tolist()])
        some = np.isfinite(made)  # a rule may publish none: those games go on waiting
        self._keep(~np.isin(self._player, ready[some]))
        return ready[some], made[some]

    def _made(self, player: int) -> float:
        mine = self._player == player
        return self._rule(self._faced[mine], self._score[mine])

    def _keep(self, which: NDArray[np.bool_]) -> None:
        self._round, self._player = self._round[which], self._player[which]
        self._faced, self._score = self._faced[which], self._score[which]
