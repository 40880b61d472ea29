"""A page holds what an eye can see: long curves are thinned to their ends, peaks and troughs before they are drawn."""

import numpy as np

from ratingcore.tables.arrays import Floats, Ints


def thinned(y: Floats, most: int) -> Ints:
    """Which points of a curve to draw so that it looks as all of them do.

    The curve is cut into spans of equally many points, and of each the highest and the lowest stay; so do
    the first and the last point of all. Peaks are never lost, as every n-th point would lose them.

    Parameters
    ----------
    y : (n,) float64
        Heights in order; NaN counts as neither high nor low.
    most : int >= 4
        How many points may stay.

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
    kept = {0, n - 1}
    for first, last in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        kept |= {first + int(np.argmax(high[first:last])), first + int(np.argmin(low[first:last]))}
    return np.array(sorted(kept), dtype=np.int64)


def spread(n: int, most: int) -> Ints:
    """Indices of at most so many rows of a table, evenly over it, the first and the last among them.

    Examples
    --------
    >>> spread(10, 4).tolist(), spread(3, 4).tolist()
    ([0, 3, 6, 9], [0, 1, 2])
    """
    return np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(np.int64)
