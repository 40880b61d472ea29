"""The curvature of the likelihood: matrices for small pools, conjugate gradients for large ones."""

from typing import Any, NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Ints
from ratingcore_bradley_terry.field import Field
from ratingcore_bradley_terry.models import conjugate

Root = Any
"""Square root of the scatter of the results: a sparse matrix with a row for each independent source of variation, such
as a cluster of results. `root.T @ root` is the scatter, the middle of the sandwich estimate of the covariance."""
DENSE = 1200
"""Largest number of players for which all covariances are computed, as a matrix."""
SMALL = 150
"""Largest number of players for which a matrix is solved faster than by conjugate gradients."""
DRAWS = 16, 256
"""Least and most draws from the posterior by which deviations of large pools are estimated."""
SURE = 0.01
"""Median relative standard error of the estimated deviations at which no further draws are made."""


class Curvature(NamedTuple):
    """Negative second derivatives of the log-likelihood.

    The parameters are the strengths of the players, the coefficients of the terms of rows, and the draw parameter.

    Parameters
    ----------
    field : Field
    by_gap, by_both, by_draw : (m,) float64
        Second derivatives of each row: by the gap in strength, by gap and draw parameter, by the draw parameter.
    diagonal : (n + c + 1,) float64
    free : (n + c + 1,) float64
        1 for parameters that are estimated, 0 for given ones.
    part : (n,) int
        Number of the connected part of the pool to which each player belongs.
    floating : (n,) float64
        1 for players of a part without a given rating, whose level the results leave open; else 0.
    """

    field: Field
    by_gap: Floats
    by_both: Floats
    by_draw: Floats
    diagonal: Floats
    free: Floats
    part: Ints
    floating: Floats

    @property
    def steepness(self) -> tuple[Floats, Floats, Floats]:
        """Square root of the curvature of each row: by the gap, by gap and draw parameter, by draw parameter alone."""
        steep = np.sqrt(self.by_gap)
        cross = np.divide(self.by_both, steep, out=np.zeros_like(steep), where=steep > 0.0)
        return steep, cross, np.sqrt(np.maximum(self.by_draw - cross * cross, 0.0))

    def centred(self, v: Floats) -> Floats:
        """The vector, shifted to a mean of 0 in every floating part."""
        n = len(self.part)
        size = np.bincount(self.part, self.floating)
        mean = np.bincount(self.part, self.floating * v[:n]) / np.where(size > 0.0, size, 1.0)
        return np.concatenate([v[:n] - self.floating * mean[self.part], v[n:]])

    def solved(self, right: Floats, tolerance: float = 1e-12) -> Floats:
        """The solution of `curvature @ x = right`."""
        if len(self.part) <= SMALL:
            which = np.flatnonzero(self.free)
            found = np.zeros_like(right)
            matrix = self.dense(which)
            try:
                found[which] = np.linalg.solve(matrix, right[which])
            except np.linalg.LinAlgError:  # anchors are so far apart that the likelihood is flat in between
                found[which] = np.linalg.lstsq(matrix, right[which], rcond=None)[0]
            return found
        return self.centred(self._by_gradients(right, tolerance))

    def dense(self, which: Ints) -> Floats:
        """The matrix of some free parameters, with a weight on the level of every floating part."""
        f, n, numbers = self.field, len(self.part), len(self.free)
        matrix = np.zeros((numbers, numbers))
        np.add.at(matrix, (f.i, f.j), -self.by_gap)
        np.add.at(matrix, (f.j, f.i), -self.by_gap)
        for column, pull in enumerate((*(self.by_gap * f.terms.T), self.by_both), n):
            matrix[:n, column] = np.bincount(f.i, pull, n) - np.bincount(f.j, pull, n)
        matrix[n:-1, n:-1] = (self.by_gap * f.terms.T) @ f.terms
        matrix[n:-1, -1] = matrix[-1, n:-1] = self.by_both @ f.terms
        matrix[n:, :n] = matrix[:n, n:].T
        matrix[np.diag_indices(numbers)] = self.diagonal
        size = np.bincount(self.part, self.floating)
        weight = self.diagonal[:n] * self.floating
        mean = np.bincount(self.part, weight) / np.where(size > 0.0, size * size, 1.0)
        same = self.part[:, None] == self.part[None, :]
        matrix[:n, :n] += same * np.outer(self.floating, self.floating) * mean[self.part][:, None]
        return np.asarray(matrix[np.ix_(which, which)], dtype=np.float64)

    def covariance(self, root: Root | None) -> Floats:
        """Covariances of all parameters, about the mean in floating parts; NaN if singular. For small pools only.

        `root` is the root of the scatter of the results; None if the scatter equals the curvature.
        """
        which = np.flatnonzero(self.free)
        whole = np.zeros((len(self.free), len(self.free)))
        try:
            whole[np.ix_(which, which)] = np.linalg.inv(self.dense(which))
        except np.linalg.LinAlgError:
            whole[np.ix_(which, which)] = np.nan
        if root is not None:
            whole = whole @ (root.T @ root).toarray() @ whole
        for part in np.unique(self.part[self.floating > 0.0]):
            players = np.flatnonzero(self.part == part)
            whole[players] -= whole[players].mean(axis=0)
            whole[:, players] -= whole[:, players].mean(axis=1, keepdims=True)
        return whole

    def covariances_of(self, i: int, root: Root | None) -> Floats:
        """Covariances of one player with all parameters, from one solution."""
        unit = np.zeros_like(self.free)
        unit[i] = self.free[i]
        known = self.centred(self._by_gradients(self.centred(unit) * self.free, 1e-10))
        return known if root is None else self.centred(self._by_gradients(root.T @ (root @ known), 1e-10))

    def variance_of(self, k: int, root: Root | None) -> float:
        """Variance of one parameter while all others are estimated too."""
        unit = np.zeros_like(self.free)
        unit[k] = self.free[k]
        known = self.solved(unit)
        return float(known[k] if root is None else ((root @ known) ** 2).sum())

    def variances(self, root: Root | None) -> Floats:
        """Estimates the variances of the players of a large pool.

        The variance of a player has two parts. The variance with all other strengths known is exact; the part due to
        the uncertainty of others is estimated from draws with a fixed seed. If the scatter of the results differs from
        the curvature, the first part is multiplied by their ratio, which is exact; for the second, the difference is
        estimated from two draws with the same noise.
        """
        if root is not None and root.shape[0] != len(self.by_gap):
            return self._of_clusters(root)
        rng = np.random.default_rng(15)
        f, n = self.field, len(self.part)
        steep, cross, rest = self.steepness
        spread, apart = np.zeros(n), np.zeros(n)
        own = self.diagonal[:n]
        known = np.divide(self.free[:n], own, out=np.zeros(n), where=own > 0.0)
        ratio = np.ones(n) if root is None else known * root.multiply(root).sum(axis=0).A1[:n]
        for draws in range(1, DRAWS[1] + 1):
            one, other = rng.standard_normal(len(steep)), rng.standard_normal(len(steep)) if rest.any() else 0.0
            pull = steep * one
            right = np.zeros(len(self.free))
            right[:n] = np.bincount(f.i, pull, n) - np.bincount(f.j, pull, n)
            right[n:-1] = pull @ f.terms
            right[-1] = float((cross * one + rest * other).sum())
            right *= self.free
            drawn = self.centred(self._by_gradients(right, 1e-3))
            spread += (right - self.diagonal * drawn)[:n] ** 2
            if root is not None:
                pulled, moved = self._drawn(root, one)
                apart += moved[:n] ** 2 - (known * pulled[:n]) ** 2
                apart -= ratio * (drawn[:n] ** 2 - (known * right[:n]) ** 2)
            learnt = spread / draws * known
            if draws >= DRAWS[0] and np.median(learnt / (1.0 + learnt)) / np.sqrt(2.0 * draws) < SURE:
                break
        return np.asarray(known * (1.0 + learnt) * ratio + apart / draws, dtype=np.float64)

    def _of_clusters(self, root: Root) -> Floats:
        """Variances in a large pool if results vary by clusters: exact for few clusters, from draws for many."""
        rng, few = np.random.default_rng(15), root.shape[0] <= DRAWS[1]
        weights = np.eye(root.shape[0]) if few else rng.standard_normal((DRAWS[1], root.shape[0]))
        total = np.zeros(len(self.part))
        for weight in weights:
            total += self._drawn(root, weight)[1][: len(total)] ** 2
        return np.asarray(total if few else total / DRAWS[1], dtype=np.float64)

    def _drawn(self, root: Root, noise: Floats) -> tuple[Floats, Floats]:
        """Pull of the noise on each parameter, and the move of all parameters that it causes."""
        pull = (root.T @ noise) * self.free
        return pull, self.centred(self._by_gradients(pull, 1e-3))

    def _by_gradients(self, right: Floats, tolerance: float) -> Floats:
        scale = np.divide(self.free, self.diagonal, out=np.zeros_like(right), where=self.diagonal > 0.0)
        left = self.centred(right * self.free)  # rounding errors in the level of a floating part have no solution
        found, step, over = (np.empty_like(right) for _ in range(3))
        f = self.field
        conjugate(
            f.i,
            f.j,
            f.terms,
            self.by_gap,
            self.by_both,
            self.by_draw,
            self.free,
            scale,
            tolerance,
            left,
            found,
            step,
            over,
        )
        return found
