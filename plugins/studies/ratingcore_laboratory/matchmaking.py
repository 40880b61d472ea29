"""Pairings of a round: within groups of similar ratings, by a quota of games for every player."""

from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore.plugin.analysis import frozen_array

LEAST = 256
"""Fewest random numbers to draw at once."""


class Pairings(NamedTuple):
    """Games of a round in the order of play.

    Attributes
    ----------
    a, b : (n,) int64
        Players of each game.
    before_a, before_b : (n,) int64
        Number of games each of them had played in the round before this one.
    """

    a: Ints
    b: Ints
    before_a: Ints
    before_b: Ints


def groups_of(estimated: Floats, width: float, groups: int) -> Ints:
    """Group of each rating; the lowest and the highest group are open.

    Examples
    --------
    >>> groups_of(np.array([-5.0, 99.9, 100.0, 9000.0]), 100.0, 24).tolist()
    [0, 0, 1, 23]
    """
    return np.clip(np.floor(estimated / width), 0, groups - 1).astype(np.int64)


def pairings(
    estimated: Floats, quota: Ints, random: np.random.Generator, *, width: float, groups: int, reach: int, tries: int
) -> Pairings:
    """Matches players within their groups and the neighbouring ones until every quota is used up [1]_.

    In random order each player meets others until their quota is used up. An opponent is drawn up to `tries` times to
    find one with quota left; the last draw counts even without.

    Parameters
    ----------
    estimated : (n,) float64, rating points
        Ratings at the start of the round.
    quota : (n,) int
        Games each player wants to play.
    width, groups, reach, tries
        As in `World`.

    References
    ----------
    .. [1] `README.md` here, "A round", step 3.

    Examples
    --------
    >>> met = pairings(np.full(2, 1100.0), np.array([2, 1]), np.random.default_rng(1), width=100.0, groups=24,
    ...                  reach=1, tries=6)
    >>> len(met.a), sorted({*met.a.tolist(), *met.b.tolist()})
    (2, [0, 1])
    """
    n, most = len(estimated), int(np.maximum(quota, 0).sum())
    order, group = random.permutation(n), groups_of(estimated, width, groups)
    by_group = np.argsort(group, kind="stable")
    place = np.empty(n, dtype=np.int64)
    place[by_group] = np.arange(n)
    start = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=groups))]).astype(np.int64)
    order, group, by_group, place, start = map(frozen_array, (order, group, by_group, place, start))
    left, count = quota.astype(np.int64), np.zeros(n, dtype=np.int64)
    a, b, before_a, before_b = (np.empty(most, dtype=np.int64) for _ in range(4))
    progress = np.zeros(3, dtype=np.int64)
    while progress[2] == 0 and n:
        draws = frozen_array(random.random(max(2 * most, LEAST, tries)))
        _match(
            order, group, by_group, place, start, draws, left, count, progress, a, b, before_a, before_b, reach, tries
        )
    return Pairings(*(column[: progress[1]] for column in (a, b, before_a, before_b)))


@kernel
def _match(
    order: Ints, group: Ints, by_group: Ints, place: Ints, start: Ints, draws: Floats,
    left: Ints, count: Ints, progress: Ints, a: Ints, b: Ints, before_a: Ints, before_b: Ints, reach: int, tries: int,
) -> None:  # fmt: skip
    """Continues until all quotas or the random numbers are used up.

    `progress` holds the place in the order, the games so far, and 1 at the end.
    """
    at, g, used = progress[0], progress[1], 0
    groups = len(start) - 1
    while at < len(order) and used + tries <= len(draws):
        i = order[at]
        low, high = max(group[i] - reach, 0), min(group[i] + reach + 1, groups)
        while start[high] - start[low] < 2 and (low > 0 or high < groups):
            low, high = max(low - 1, 0), min(high + 1, groups)
        first = start[low]
        others = start[high] - first - 1
        if others < 1:  # there is nobody else
            at += 1
            continue
        own = place[i] - first
        while left[i] > 0 and used + tries <= len(draws):
            j = i
            for _ in range(tries):
                drawn = int(draws[used] * others)
                used += 1
                if drawn >= own:
                    drawn += 1
                j = by_group[first + drawn]
                if left[j] > 0:
                    break
            a[g], b[g], before_a[g], before_b[g] = i, j, count[i], count[j]
            count[i] += 1
            count[j] += 1
            left[i] -= 1
            left[j] -= 1
            g += 1
        if left[i] <= 0:
            at += 1
    progress[0], progress[1] = at, g
    if at >= len(order):
        progress[2] = 1
