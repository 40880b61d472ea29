"""Measures calibration: mean score against mean forecast in bins, for games and for pairs of sides in sessions."""

from collections.abc import Iterator
from statistics import NormalDist

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints
from ratingcore.compare.losses import PAIRS, alike, checked
from ratingcore.methods.strengths import Strengths

BINS = 10
SLACK = 1e-9
"""Distance from an edge, in widths of a bin, within which a forecast is compared with the edge itself."""


@frozen(eq=False)
class Reliability:
    """Mean forecast and mean score in each bin of the forecast; bins without games are left out.

    Attributes
    ----------
    low, high : (bins,) float64
        Edges of the bins; `high` belongs to the next bin, except 1.
    n : (bins,) int
    expected, scored : (bins,) float64
        Mean forecast, mean score.
    from_, to : (bins,) float64
        Wilson interval of the mean score.
    """

    low: Floats
    high: Floats
    n: Ints
    expected: Floats
    scored: Floats
    from_: Floats
    to: Floats

    @property
    def ece(self) -> float | None:
        """Expected calibration error over these bins."""
        games = int(self.n.sum())
        return float(self.n @ np.abs(self.expected - self.scored)) / games if games else None


def reliability(p: Floats, y: Floats, bins: int = BINS, level: float = 0.95) -> Reliability:
    """Computes mean forecast and mean score in equal bins of the forecast, with Wilson intervals [1]_.

    A draw counts as half a success, which makes the interval wider than necessary.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
       American Statistical Association 22 (1927), p. 209-212.

    Examples
    --------
    >>> table = reliability(np.array([0.05, 0.62, 0.68, 1.0]), np.array([0.0, 1.0, 0.0, 1.0]))
    >>> table.n.tolist(), table.expected.tolist(), table.scored.tolist()
    ([1, 2, 1], [0.05, 0.65, 1.0], [0.0, 0.5, 1.0])
    """
    p, y, _ = checked(p, y, "forecast")
    return binned(p, y, bins, level)


def binned(p: Floats, y: Floats, bins: int, level: float = 0.95) -> Reliability:
    edges, which = bin_of(p, bins)
    n = np.bincount(which, minlength=bins)
    some = np.flatnonzero(n)
    expected, scored = (np.bincount(which, x, minlength=bins)[some] / n[some] for x in (p, y))
    low, high = wilson(scored, n[some], level)
    return Reliability(edges[some], edges[some + 1], n[some], expected, scored, low, high)


def bin_of(p: Floats, bins: int) -> tuple[Floats, Ints]:
    """Returns the edges of bins of equal width from 0 to 1, and the bin of each forecast."""
    edges = np.arange(bins + 1) / bins
    place = p * bins
    which = np.minimum(place.astype(np.int64), bins - 1)
    near = np.flatnonzero(np.abs(place - np.rint(place)) < SLACK)  # the product may have been rounded over an edge
    which[near] = np.searchsorted(edges[1:-1], p[near], "right")
    return edges, which


def wilson(share: Floats, n: Ints | Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """Computes Wilson's interval for a share of successes in `n` trials.

    Examples
    --------
    >>> low, high = wilson(np.array([0.5]), np.array([100]))
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.4038], [0.5962])
    """
    z = NormalDist().inv_cdf((1.0 + level) / 2)
    spread = 1.0 + z * z / n
    middle = (share + z * z / (2 * n)) / spread
    half = z / spread * np.sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n))
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)


@frozen(eq=False)
class SessionReliability:
    """Mean chance of being ahead and mean score in each bin of that chance; bins without pairs are left out.

    Every session has the same total weight, shared equally by its pairs of sides. A pair is counted from both sides,
    each with half its weight, because the order in which sides are listed means nothing.

    Attributes
    ----------
    low, high : (bins,) float64
        Edges of the bins; `high` belongs to the next bin, except 1.
    pairs : (bins,) int
        Number of pairs of sides; a pair whose two views fall into the same bin counts twice.
    sessions : (bins,) int
        Number of sessions that have such a pair.
    expected, scored : (bins,) float64
        Weighted means; a tie scores one half.
    from_, to : (bins,) float64
        Wilson interval of the mean score. Its number of trials is the effective number of sessions, because pairs of
        one session are not independent.
    """

    low: Floats
    high: Floats
    pairs: Ints
    sessions: Ints
    expected: Floats
    scored: Floats
    from_: Floats
    to: Floats


def session_reliability(
    strengths: Strengths, result: Ints, score: Floats, bins: int = BINS, level: float = 0.95
) -> SessionReliability:
    """Computes mean chance and mean score of "one side finishes ahead of another" in bins of equal width.

    Parameters
    ----------
    strengths, result, score
        Sessions in which everybody was rated, as for `session_losses`.
    bins : int
    level : float
        Level of the intervals.

    Examples
    --------
    One session of two sides, of which the stronger, with 7.3 chances in 10, comes in behind.

    >>> field = Strengths(np.array([1.0, 0.0]), np.full(2, 0.5), "logistic")
    >>> made = session_reliability(field, np.array([0, 2]), np.array([0.0, 1.0]))
    >>> made.low.tolist(), made.expected.round(2).tolist(), made.scored.tolist()
    ([0.2, 0.7], [0.27, 0.73], [1.0, 0.0])
    """
    pairs, sessions, weight, squared, expected, scored = np.zeros((6, bins))
    edges = np.arange(bins + 1) / bins
    for p, y, share in _pairs(strengths, result, score):
        _, which = bin_of(p.ravel(), bins)
        n = len(p)
        cell = np.repeat(np.arange(n), p.shape[1]) * bins + which  # one number per session and bin
        held = np.bincount(cell, minlength=n * bins).reshape(n, bins)
        pairs += held.sum(axis=0)
        sessions += (held > 0).sum(axis=0)
        weight += held.sum(axis=0) * share
        squared += np.square(held * share).sum(axis=0)
        expected += np.bincount(which, p.ravel(), minlength=bins) * share
        scored += np.bincount(which, y.ravel(), minlength=bins) * share
    some = np.flatnonzero(pairs)
    weight, squared = weight[some], squared[some]
    mean = np.clip(scored[some] / weight, 0.0, 1.0)
    low, high = wilson(mean, np.square(weight) / squared, level)
    return SessionReliability(
        edges[some], edges[some + 1], pairs[some].astype(np.int64), sessions[some].astype(np.int64),
        expected[some] / weight, mean, low, high,
    )  # fmt: skip


def _pairs(strengths: Strengths, result: Ints, score: Floats) -> Iterator[tuple[Floats, Floats, float]]:
    """Yields chances and scores of all pairs of sides, from both sides, one row per session; and each pair's weight."""
    for _, sides in alike(result):
        k = sides.shape[1]
        i, j = np.nonzero(~np.eye(k, dtype=bool))
        most = max(1, PAIRS // len(i))
        for start in range(0, len(sides), most):
            some = sides[start : start + most]
            p = strengths.ahead(some[:, i].ravel(), some[:, j].ravel()).reshape(len(some), -1)
            y = 0.5 + 0.5 * np.sign(score[some[:, i]] - score[some[:, j]])
            yield p, y, 1.0 / (k * (k - 1))
