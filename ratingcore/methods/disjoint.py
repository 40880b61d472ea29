"""Stretches of games without a player twice: what such games do to their players can be computed side by side."""

from ratingcore.columns.arrays import Ints
from ratingcore.methods.kernels import kernel

STRETCH = 64
"""Games of a stretch at the most: their columns stay in the nearest cache."""


@kernel
def disjoint(a: Ints, b: Ints, start: int, seen: Ints) -> int:
    """Index of the first game after `start` one of whose players has played since, or at which a stretch is full.

    Game by game a formula waits for itself: each division and each root for the one before. A loop that computes the
    games of a stretch one operation at a time, without looking anybody up, has several of them share an instruction,
    and the same bits come out as game by game.

    `seen` has a place for each player, 0 before the first call.
    """
    end = min(len(a), start + 64)
    for g in range(start, end):
        i, j = a[g], b[g]
        if seen[i] > start or seen[j] > start:
            return g
        seen[i] = seen[j] = start + 1
    return end
