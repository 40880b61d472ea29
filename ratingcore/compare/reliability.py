"""Calibration: what was expected and what was scored, in bins of the forecast."""

from statistics import NormalDist

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints
from ratingcore.compare.losses import checked

BINS = 10
SLACK = 1e-9
"""A forecast this close to an edge, in widths of a bin, is compared with the edge itself."""


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
    """Mean forecast and mean score in equal bins of the forecast, with Wilson intervals [1]_.

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
    """Edges of bins of equal width from 0 to 1, and the bin of each forecast."""
    edges = np.arange(bins + 1) / bins
    place = p * bins
    which = np.minimum(place.astype(np.int64), bins - 1)
    near = np.flatnonzero(np.abs(place - np.rint(place)) < SLACK)  # the product may have been rounded over an edge
    which[near] = np.searchsorted(edges[1:-1], p[near], "right")
    return edges, which


def wilson(share: Floats, n: Ints | Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's interval of a share of `n` trials.

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
