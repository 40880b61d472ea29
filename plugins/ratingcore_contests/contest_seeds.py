"""Codeforces' formula of one contest: seeds, needed ratings, changes, and two corrections of all of them."""

from math import floor, sqrt

import numpy as np

from ratingcore.plugin import LN10, Floats, kernel

LEAST, MOST = 1, 6000
"""Ratings among which the needed one is sought."""


@kernel
def seed_table(low: int, count: Floats, win: Floats, table: Floats) -> None:
    """For every whole rating, by how many of the field it is expected to be beaten; `win` is the curve by whole gap.

    `count` is how many have the rating `low`, `low + 1`, ...
    """
    middle = (len(win) - 1) // 2
    for k in range(len(count)):
        if count[k] > 0.0:
            for x in range(len(table)):
                table[x] += count[k] * win[low + k - x + middle]


@kernel
def changes(rating: Floats, place: Floats, table: Floats, win: Floats, first: int, change: Floats) -> None:
    """Half of the way from the rating to the one whose seed is the geometric mean of seed and place."""
    middle = (len(win) - 1) // 2
    for i in range(len(rating)):
        own = int(rating[i])
        expected = 1.0 + table[own - first] - 0.5
        goal = sqrt(place[i] * expected)
        low, high = 1, 6001
        while high - low > 1:
            at = (low + high) // 2
            seed = 1.0 + table[at - first] - win[own - at + middle]
            if seed < goal:
                high = at
            else:
                low = at
        half = 0.5 * (low - own)
        change[i] = floor(half) if half >= 0.0 else -floor(-half)


def curve(reach: int) -> Floats:
    """Chance to be ahead of somebody, by whole gap of ratings from `-reach` to `reach`."""
    gap = np.arange(-reach, reach + 1)
    return np.asarray(1.0 / (1.0 + np.exp(-gap * (LN10 / 400.0))))


def contest(rating: Floats, score: Floats) -> tuple[Floats, Floats]:
    """By how many everybody is expected to be beaten, and the changes; ratings are whole numbers.

    Examples
    --------
    >>> contest(np.array([2000.0, 1500.0, 1700.0, 1400.0]), np.array([3.0, 4.0, 2.0, 1.0]))[1].tolist()
    [-96.0, 233.0, -66.0, -75.0]
    """
    n = len(rating)
    place = n - np.searchsorted(np.sort(score), score).astype(np.float64)
    low, high = int(rating.min()), int(rating.max())
    first, last = min(low, LEAST), max(high, MOST)
    win = curve(last - first + 1)
    count = np.bincount((rating - low).astype(np.int64), minlength=high - low + 1).astype(np.float64)
    table = np.zeros(last - first + 1)
    seed_table(low - first, count, win, table)
    change = np.empty(n)
    changes(rating, place, table, win, first, change)
    change += np.trunc(-change.sum() / n) - 1.0
    top = min(n, 4 * int(sqrt(n) + 0.5))
    best = np.lexsort((change, -rating))[:top]
    change += np.clip(np.trunc(-change[best].sum() / top), -10.0, 0.0)
    return table[(rating - first).astype(np.int64)] - 0.5, change


def beaten(rating: Floats) -> Floats:
    """By how many of the others everybody is expected to be beaten."""
    low, high = int(rating.min()), int(rating.max())
    count = np.bincount((rating - low).astype(np.int64), minlength=high - low + 1).astype(np.float64)
    table = np.zeros(high - low + 1)
    seed_table(0, count, curve(high - low + 1), table)
    return np.asarray(table[(rating - low).astype(np.int64)] - 0.5)
