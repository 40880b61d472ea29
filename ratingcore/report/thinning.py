"""Thinning of long curves and tables to what a picture can show; peaks and troughs of curves stay."""

import numpy as np

from ratingcore.columns.arrays import Floats, Ints


def thinned(y: Floats, most: int) -> Ints:
    """Indices of the points of a curve to draw, such that it looks the same.

    The curve is split into spans of equally many points, of which the highest and the lowest stay, and so do the first
    and the last point of all. Unlike every n-th point, this loses no peak.

    Parameters
    ----------
    y : (n,) float64
        Heights in order; NaN counts as neither high nor low.
    most : int >= 4
        Points to draw at most.

    Returns
    -------
    (m,) int64, m <= max(most, 4), ascending indices

    Examples
    --------
    >>> thinned(np.array([0.0, 1.0, 9.0, 1.0, 0.0, 1.0, -9.0, 1.0, 0.0, 1.0]), 6).tolist()
    [0, 2, 5, 6, 9]
    """
    n = len(y)
    if n <= most:
        return np.arange(n)
    spans = max((most - 2) // 2, 1)
    ends = np.linspace(0, n, spans + 1).astype(np.int64)
    high, low = np.nan_to_num(y, nan=-np.inf), np.nan_to_num(y, nan=np.inf)
    drawn = {0, n - 1}
    for first, last in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        drawn |= {first + int(np.argmax(high[first:last])), first + int(np.argmin(low[first:last]))}
    return np.array(sorted(drawn), dtype=np.int64)


def spread(n: int, most: int) -> Ints:
    """Indices of at most `most` rows of a table, evenly spread, including the first and the last.

    Examples
    --------
    >>> spread(10, 4).tolist(), spread(3, 4).tolist()
    ([0, 3, 6, 9], [0, 1, 2])
    """
    return np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(np.int64)
