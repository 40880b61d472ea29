"""Rating points for a share of the points: the inverse curve, bounded, and split over games."""

from collections.abc import Callable, Mapping
from math import log, pi, sqrt

import numpy as np
from attrs import frozen

from ratingcore.plugin import Floats
from ratingcore.plugin.curves import logistic_gap, normal_gap, table_gap


@frozen
class InverseCurve:
    """The inverse of a curve.

    Parameters
    ----------
    gap : callable
        From shares of the points to gaps in rating points.
    steepness : float, rating points
        Gap over share where the share is a half: what a whole point is worth between equals.
    """

    gap: Callable[[Floats], Floats]
    steepness: float

    def bounded(self, share: Floats, cap: float) -> Floats:
        """D(P) at each share, no more than `cap` either way."""
        return np.clip(self.gap(share), -cap, cap)

    def slope(self, share: Floats, gap: Floats) -> Floats:
        """Rating points per point scored, such that the games of a share add up to its gap.

        Examples
        --------
        Three of four points are worth 190.77; the wins and the loss split it.

        >>> share = np.array([0.75])
        >>> slope = WORTHS["normal"].slope(share, WORTHS["normal"].bounded(share, 800.0))
        >>> ((np.array([1.0, 1.0, 1.0, 0.0]) - 0.5) * slope / 4.0).round(2).tolist()
        [95.39, 95.39, 95.39, -95.39]
        """
        level = share == 0.5
        return np.where(level, self.steepness, gap / np.where(level, 1.0, share - 0.5))


WORTHS: Mapping[str, InverseCurve] = {
    "normal": InverseCurve(normal_gap, 400.0 * sqrt(pi)),
    "logistic": InverseCurve(logistic_gap, 1600.0 / log(10.0)),
    "table": InverseCurve(table_gap, 700.0),
}
