"""The days of a pool, the most likely ratings on them, and how well they are known."""

from typing import NamedTuple

import numpy as np

from ratingcore.plugin import DAY, Floats, Games, Ints
from ratingcore_whr.newton import along_chains, factored, look, own_variances, solve

STEPS = 100
STILL = 1e-9
"""Step, in natural logarithms, after which the next one would be below rounding."""
DENSE = 1200
"""Days up to which joint deviations are computed by a matrix."""
DRAWS, SURE = (16, 256), 0.01
"""Draws from the posterior by which those of longer histories are estimated; standard error that is good enough."""


class History(NamedTuple):
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
    def of(cls, games: Games, variance: float, prior: float) -> "History":
        """The days of these games; `variance` is what a rating drifts by in a day."""
        day = games.played // DAY
        start = int(day.min())
        width = int(day.max()) - start + 1
        own = np.concatenate([games.a, games.b]).astype(np.int64) * width + np.concatenate([day, day]) - start
        key, place = np.unique(own, return_inverse=True)
        player, when = key // width, key % width + start
        same = np.append(player[1:] == player[:-1], False)
        gap = np.append(when[1:] - when[:-1], 1)
        link = np.where(same, 1.0 / (variance * np.where(same, gap, 1)), 0.0)
        first = np.where(np.append(True, ~same[:-1]), prior, 0.0)
        n = len(games)
        return cls(player, when, place[:n], place[n:], link, first, games.score)

    def climbed(self) -> "Peak":
        """The most likely ratings."""
        n = len(self.player)
        r, gradient, diagonal, weight, pivot = np.zeros(n), np.empty(n), np.empty(n), np.empty(len(self.a)), np.empty(n)
        now = look(r, self.a, self.b, self.score, self.link, self.first, gradient, weight, diagonal)
        moved = 1.0
        for _ in range(STEPS):
            factored(diagonal, self.link, pivot)
            peak = Peak(self, r, diagonal, weight, pivot)
            step = peak.solved(gradient, min(1e-2, max(moved * moved, 1e-8)))
            most = float(np.abs(step).max())
            taken = min(1.0, 5.0 / most) if most > 5.0 else 1.0
            while True:
                to = r + taken * step
                better = look(to, self.a, self.b, self.score, self.link, self.first, gradient, weight, diagonal)
                if better >= now - 1e-10 * abs(now) or taken < 1e-9:
                    break
                taken *= 0.5
            moved, r, now = taken * most, to, better
            if moved < STILL:
                break
        factored(diagonal, self.link, pivot)
        return Peak(self, r, diagonal, weight, pivot)


class Peak(NamedTuple):
    """The most likely ratings, and the curvature there."""

    history: History
    rating: Floats
    diagonal: Floats
    weight: Floats
    pivot: Floats

    def solved(self, right: Floats, tolerance: float) -> Floats:
        """The vector that the curvature takes to `right`."""
        found, step, over, near = (np.empty_like(right) for _ in range(4))
        h = self.history
        solve(
            h.a, h.b, self.weight, self.diagonal, h.link, self.pivot, tolerance, right.copy(), found, step, over, near
        )
        return found

    def own(self) -> Floats:
        """Variances where opponents stand still."""
        variance = np.empty_like(self.rating)
        own_variances(self.diagonal, self.history.link, self.pivot, variance)
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
        """Variances of all days, everything unknown at once.

        Of long histories they are estimated: the variance where opponents stand still is exact, and that of what the
        opponents make of it comes from draws of a fixed seed.
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
            along_chains(h.link, self.pivot, right, still)
            added += (self.solved(right, 1e-3) - still) ** 2
            share = added / draws
            if draws >= DRAWS[0] and np.median(share / (own + share)) / np.sqrt(2.0 * draws) < SURE:
                break
        return np.asarray(own + share, dtype=np.float64)
