"""Codeforces' formula for one contest: seeds, needed ratings, changes, and two corrections of all changes."""

from functools import lru_cache
from math import floor, sqrt

import numpy as np

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.curves import LN10

LEAST, MOST = 1, 6000
"""Range in which the rating needed for a place is searched."""


@kernel(passes=50)
def seed_table(levels: Ints, count: Floats, loss: Floats, room: Floats, table: Floats) -> None:
    """Fills in how many of the field are expected to beat a player, for every whole rating.

    `levels` are the distinct ratings of the field less the first rating of the table, and `count` is the number of
    players with each. `loss` comes from `losses`, with a reach of the length of the table. Four levels are added at a
    time, to a piece of the table that fits into the nearest cache.
    """
    middle = (len(loss) - 1) // 2
    for piece in range(0, len(table), len(room)):
        size = min(len(room), len(table) - piece)
        for x in range(size):
            room[x] = 0.0
        for k in range(0, len(levels) - 3, 4):
            p, q, r, s = count[k], count[k + 1], count[k + 2], count[k + 3]
            at = piece + middle - levels[k]
            a = loss[at : at + size]
            at = piece + middle - levels[k + 1]
            b = loss[at : at + size]
            at = piece + middle - levels[k + 2]
            c = loss[at : at + size]
            at = piece + middle - levels[k + 3]
            d = loss[at : at + size]
            for x in range(size):  # nothing else, so that the compiler vectorises it
                room[x] = room[x] + p * a[x] + q * b[x] + r * c[x] + s * d[x]
        for k in range(len(levels) // 4 * 4, len(levels)):
            at = piece + middle - levels[k]
            a = loss[at : at + size]
            for x in range(size):
                room[x] += count[k] * a[x]
        for x in range(size):
            table[piece + x] = room[x]


@kernel(passes=15)
def changes(rating: Floats, place: Floats, table: Floats, loss: Floats, first: int, change: Floats) -> None:
    """Fills in half the way from each rating to the one whose seed is the geometric mean of seed and place."""
    middle = (len(loss) - 1) // 2
    for i in range(len(rating)):
        own = int(rating[i])
        expected = 1.0 + table[own - first] - 0.5
        goal = sqrt(place[i] * expected)
        low, high = 1, 6001
        while high - low > 1:
            at = (low + high) // 2
            seed = 1.0 + table[at - first] - loss[at - own + middle]
            if seed < goal:
                high = at
            else:
                low = at
        half = 0.5 * (low - own)
        change[i] = floor(half) if half >= 0.0 else -floor(-half)


@lru_cache(maxsize=4)
def losses(reach: int) -> Floats:
    """Chance of being beaten, for own ratings from `reach` below the opponent's to `reach` above it; read-only."""
    gap = np.arange(reach, -reach - 1, -1)
    chance = np.asarray(1.0 / (1.0 + np.exp(-gap * (LN10 / 400.0))))
    chance.flags.writeable = False
    return chance


def seeds(rating: Floats, first: int, last: int) -> Floats:
    """Returns how many of the field are expected to beat a player, by whole rating from `first` to `last`."""
    levels, count = np.unique(rating, return_counts=True)
    table = np.zeros(last - first + 1)
    seed_table(
        levels.astype(np.int64) - first, count.astype(np.float64), losses(last - first + 1), np.empty(1024), table
    )
    return table


def contest(rating: Floats, score: Floats) -> tuple[Floats, Floats]:
    """Returns how many others are expected to beat each player, and the changes of ratings in whole points.

    Examples
    --------
    >>> contest(np.array([2000.0, 1500.0, 1700.0, 1400.0]), np.array([3.0, 4.0, 2.0, 1.0]))[1].tolist()
    [-96.0, 233.0, -66.0, -75.0]
    """
    n = len(rating)
    place = n - np.searchsorted(np.sort(score), score).astype(np.float64)
    first, last = min(int(rating.min()), LEAST), max(int(rating.max()), MOST)
    table, change = seeds(rating, first, last), np.empty(n)
    changes(rating, place, table, losses(last - first + 1), first, change)
    change += np.trunc(-change.sum() / n) - 1.0
    top = min(n, 4 * int(sqrt(n) + 0.5))
    best = np.lexsort((-score, -rating))[:top]  # best results first among equal ratings, as the site sorts
    change += np.clip(np.trunc(-change[best].sum() / top), -10.0, 0.0)
    return table[(rating - first).astype(np.int64)] - 0.5, change


def beaten(rating: Floats) -> Floats:
    """Returns how many of the others are expected to beat each player."""
    low = int(rating.min())
    return np.asarray(seeds(rating, low, int(rating.max()))[(rating - low).astype(np.int64)] - 0.5)
