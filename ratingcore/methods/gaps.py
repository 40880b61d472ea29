"""Curves read backwards: the gap in rating points that a share of the points stands for."""

from math import sqrt

import numpy as np

from ratingcore.columns.arrays import Floats

# FIDE table 8.1.1: differences for the shares 0.50, 0.51, ..., 1.00; below a half the same, negative.
_GAPS = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
)  # fmt: skip
_GAP_TABLE = np.array([-gap for gap in _GAPS[:0:-1]] + list(_GAPS), dtype=np.float64)


def table_gap(share: Floats) -> Floats:
    """FIDE table 8.1.1: gap in rating points for each share of the points.

    Parameters
    ----------
    share : (n,) float64 in [0, 1]
        Rounded to two decimals, half up.

    Returns
    -------
    (n,) float64, rating points
        At most 800 either way, which is a convention: no finite gap follows from a share of 0 or 1.

    Examples
    --------
    >>> table_gap(np.array([0.0, 0.33, 0.5, 0.505, 1.0])).tolist()
    [-800.0, -125.0, 0.0, 7.0, 800.0]
    """
    unknown = np.isnan(share)
    hundredths = np.floor(np.round(np.where(unknown, 0.5, share) * 100.0, 10) + 0.5).astype(np.int64)
    return np.where(unknown, share, _GAP_TABLE[hundredths])


def normal_gap(share: Floats) -> Floats:
    """The normal curve read backwards: 282.84 times the quantile; infinite for a share of 0 or 1.

    Examples
    --------
    >>> normal_gap(np.array([0.5, 0.75, 1.0])).round(4).tolist()
    [0.0, 190.7745, inf]
    """
    from scipy.special import ndtri  # type: ignore[import-untyped]  # no types; a tenth of a second others do not need

    return np.asarray(200.0 * sqrt(2.0) * ndtri(share), dtype=np.float64)


def logistic_gap(share: Floats) -> Floats:
    """The logistic curve read backwards: 400 times the decimal logarithm of the odds; infinite for 0 or 1.

    Examples
    --------
    >>> logistic_gap(np.array([0.5, 10.0 / 11.0, 0.0])).round(4).tolist()
    [0.0, 400.0, -inf]
    """
    with np.errstate(divide="ignore"):
        return np.asarray(400.0 * (np.log10(share) - np.log10(1.0 - share)), dtype=np.float64)
