"""The days of a pool, the most likely ratings on them, and how well they are known."""

from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Games, Ints, unsigned
from ratingcore_whr.days import days
from ratingcore_whr.newton import STRETCH, along_chains, factored, look, own_variances, solve

STEPS = 100
STILL = 5e-12
"""A fit ends if solving the chain of one player alone moves no day by more, in natural logarithms: 1e-9 points."""
SHOWN = 1e-7
"""Largest such move that changes no number of a list: a fit that ends with a larger one has stopped short."""
ROUGH = 0.1
"""The tolerance when a starting point is searched."""
FINEST = 2e-14
"""Error of a step, in natural logarithms, below which it is not solved further."""
DENSE = 1200
"""Largest number of days for which joint deviations are computed by a matrix."""
DRAWS, SURE = (16, 256), 0.01
"""Least and most draws from the posterior that estimate those of longer histories; standard error that is enough."""


class PlayerDays(NamedTuple):
    """Days on which somebody played, those of a player together and in order.

    Parameters
    ----------
    player, day : (n,) int
    a, b : (games,) int
        The days of both players of each game.
    link : (n,) float64
        Precision of a day given the next one of the player, 0 for their last.
    first : (n,) float64
        Wins, and losses, of the prior on the first day of a player, else 0.
    """

    player: Ints
    day: Ints
    a: Ints
    b: Ints
    link: Floats
    first: Floats
    score: Floats

    @classmethod
    def of(cls, games: Games, variance: float, prior: float) -> "PlayerDays":
        """Makes the days of these games; `variance` is the variance that a rating gains in a day."""
        player, when, a, b = days(games)
        same = np.append(player[1:] == player[:-1], False)
        gap = np.append(when[1:] - when[:-1], 1)
        link = np.where(same, 1.0 / (variance * np.where(same, gap, 1)), 0.0)
        first = np.where(np.append(True, ~same[:-1]), prior, 0.0)
        return cls(player, when, a, b, link, first, np.asarray(games.score, dtype=np.float64))

    def climbed(self) -> "MostLikely":
        """The most likely ratings."""
        return self._climbed(self._level(), STILL)

    def _level(self) -> Floats:
        """Approximate ratings if strengths never changed, as a start: there are fewer players than days."""
        last = np.flatnonzero(self.link == 0.0)
        if 2 * len(last) > len(self.player):
            return np.zeros(len(self.player))
        row = np.empty(int(self.player[-1]) + 1, dtype=np.int32)
        row[self.player[last]] = np.arange(len(last))
        place = row[self.player]
        still = self._replace(
            player=self.player[last], day=self.day[last], a=place[self.a], b=place[self.b],
            link=np.zeros(len(last)), first=np.full(len(last), self.first[0]),
        )  # fmt: skip
        return np.asarray(still._climbed(np.zeros(len(last)), ROUGH).rating[place])

    def _climbed(self, r: Floats, still: float) -> "MostLikely":
        """Finds the most likely ratings, starting from `r`."""
        n = len(self.player)
        gradient, diagonal, weight, pivot, ahead = (np.empty(m) for m in (n, n, len(self.a), n, n))
        near, room = np.empty(n), np.empty(STRETCH)
        a, b = unsigned(self.a), unsigned(self.b)

        def seen(at: Floats) -> float:
            return look(at, a, b, self.score, self.link, self.first, gradient, weight, diagonal, room)

        now, moved, short = seen(r), 1.0, 0.0
        for _ in range(STEPS):
            factored(diagonal, self.link, pivot, ahead)
            along_chains(pivot, ahead, gradient, near)
            short = float(np.abs(near).max())
            if not short > still:
                break
            peak = MostLikely(self, r, diagonal, weight, pivot, ahead)
            step = peak.solved(gradient, max(min(0.1, moved * moved), min(0.1, FINEST / moved**2)))
            most = float(np.abs(step).max())
            taken = min(1.0, 5.0 / most) if most > 5.0 else 1.0
            while True:
                to = r + taken * step
                better = seen(to)
                if better >= now - 1e-10 * abs(now) or taken < 1e-9:
                    break
                taken *= 0.5
            moved, r, now = max(taken * most, 1e-12), to, better
        return MostLikely(self, r, diagonal, weight, pivot, ahead, short)


class MostLikely(NamedTuple):
    """The most likely ratings, and the curvature there; `short` is the largest move that a day still had to make."""

    history: PlayerDays
    rating: Floats
    diagonal: Floats
    weight: Floats
    pivot: Floats
    ahead: Floats
    short: float = 0.0

    def solved(self, right: Floats, tolerance: float) -> Floats:
        """The vector x with curvature times x = `right`."""
        found, step, over, near = (np.empty_like(right) for _ in range(4))
        h = self.history
        solve(
            unsigned(h.a), unsigned(h.b), self.weight, self.diagonal, h.link, self.pivot, self.ahead, tolerance,
            right.copy(), found, step, over, near,
        )  # fmt: skip
        return found

    def own(self) -> Floats:
        """Variances with the ratings of opponents held fixed."""
        variance = np.empty_like(self.rating)
        own_variances(self.pivot, self.ahead, variance)
        return variance

    def matrix(self) -> Floats:
        """The curvature as a matrix, for short histories."""
        h, n = self.history, len(self.rating)
        whole = np.zeros((n, n))
        np.add.at(whole, (h.a, h.b), -self.weight)
        np.add.at(whole, (h.b, h.a), -self.weight)
        chain = np.arange(n - 1)
        whole[chain, chain + 1] -= h.link[:-1]
        whole[chain + 1, chain] -= h.link[:-1]
        whole[np.arange(n), np.arange(n)] += self.diagonal
        return whole

    def joint(self) -> Floats:
        """Variances of all days, with all ratings unknown at once.

        For long histories they are estimated: the variance with opponents held fixed is exact, and the part due to the
        uncertainty of opponents comes from draws with a fixed seed.
        """
        n = len(self.rating)
        if n <= DENSE:
            return np.diag(np.linalg.inv(self.matrix())).copy()
        h, rng, own = self.history, np.random.default_rng(15), self.own()
        still = np.empty(n)
        added = np.zeros(n)
        bend = np.where(h.first > 0.0, h.first, 0.0) * 2.0
        chance = 1.0 / (1.0 + np.exp(-np.abs(self.rating)))
        prior, chain, game = np.sqrt(bend * chance * (1.0 - chance)), np.sqrt(h.link), np.sqrt(self.weight)
        for draws in range(1, DRAWS[1] + 1):
            met = game * rng.standard_normal(len(game))
            right = prior * rng.standard_normal(n) + np.bincount(h.a, met, n) - np.bincount(h.b, met, n)
            drift = chain * rng.standard_normal(n)
            right += drift
            right[1:] -= drift[:-1]
            along_chains(self.pivot, self.ahead, right, still)
            added += (self.solved(right, 1e-3) - still) ** 2
            share = added / draws
            if draws >= DRAWS[0] and np.median(share / (own + share)) / np.sqrt(2.0 * draws) < SURE:
                break
        return np.asarray(own + share, dtype=np.float64)
