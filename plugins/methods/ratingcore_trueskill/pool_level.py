"""The level of a whole pool through time, which games do not show: it follows from the prior and the drift.

A game shows how far apart its players are, but not where both are. So sweeps find gaps quickly, but the level of the
whole pool only step by step along the chains. A curve that is added to the past of all players changes no gap in a
game; the most likely curve solves a small system of equations.
"""

from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Ints, kernel
from ratingcore_trueskill.messages import from_before, from_behind

RAMPS = 32
"""Number of straight pieces of the curve."""
LEAST = 1e-200
"""Variances of steps of time that are all below this count as none."""
FREE = 1e-12
"""Precision of a rise, in units of a newcomer's, at or below which the rise is set to 0."""


@kernel(passes=5)
def _links(time: Floats, before: Ints, gap: Floats, ramps: int, curvature: Floats, rise: Floats) -> None:
    """Adds to `curvature`, for each pair of ramps, the precision with which steps of time link a player's places."""
    for k in range(len(time)):
        if gap[k] > 0.0:
            since = time[before[k]]
            low, high = int(since), min(int(time[k]), ramps - 1)
            for n in range(low, high + 1):
                rise[n] = min(time[k] - n, 1.0) - max(since - n, 0.0)
            for n in range(low, high + 1):
                for m in range(low, high + 1):
                    curvature[n * ramps + m] += rise[n] * rise[m] / gap[k]


@kernel(passes=5)
def _pulls(
    time: Floats, before: Ints, gap: Floats, start: float, front: Floats, back: Floats, game: Floats, bins: Floats
) -> None:
    """Adds up the pulls of all games on their players by time, split between the neighbouring whole units of time."""
    for k in range(len(time)):
        from_before(k, before, gap, start, front, game)
        i = 2 * k
        mean = (front[i + 1] + back[i + 1] + game[i + 1]) / (front[i] + back[i] + game[i])
        pull = game[i + 1] - game[i] * mean
        n = int(time[k])
        bins[n] += pull * (1.0 - (time[k] - n))
        bins[n + 1] += pull * (time[k] - n)


@kernel(passes=5)
def _lifted(time: Floats, behind: Ints, gap: Floats, level: Floats, back: Floats, game: Floats) -> None:
    """Raises the messages of games by a curve, and with them the messages from later games."""
    places = len(time)
    for turn in range(places):
        k = places - 1 - turn
        n = int(time[k])
        game[2 * k + 1] += game[2 * k] * (level[n] + (time[k] - n) * (level[n + 1] - level[n]))
        from_behind(k, behind, gap, back, game)


class PoolLevel(NamedTuple):
    """The curve of straight pieces that makes the past of all players together most likely.

    Parameters
    ----------
    time : (places,) float64
        Time of each place, in pieces since the first one.
    before, behind : (places,) int
        The player's neighbouring places, -1 if none.
    gap : (places,) float64
        Variance since the place before.
    curvature : (pieces + 1, pieces + 1) float64
        Precisions of the level at the beginning and of the rise along each piece.
    """

    time: Floats
    before: Ints
    behind: Ints
    gap: Floats
    curvature: Floats
    start: float

    @classmethod
    def of(cls, played: Floats, before: Ints, behind: Ints, gap: Floats, start: float) -> "PoolLevel":
        """Makes the curve for places at these times, in days; `start` is the precision of a newcomer."""
        began, span = float(played.min()), float(np.ptp(played))
        drifts = float(gap.max()) > LEAST
        time = (played - began) * (RAMPS / span) if drifts else np.zeros(len(played))
        ramps = RAMPS if drifts else 0
        curvature = start * _newcomers(time[before < 0], ramps)
        tied = np.zeros(ramps * ramps)
        if ramps:
            _links(time, before, gap, ramps, tied, np.zeros(ramps))
        curvature[1:, 1:] += tied.reshape(ramps, ramps)
        return cls(time, before, behind, gap, curvature, start)

    def settle(self, front: Floats, back: Floats, game: Floats) -> None:
        """Raises the messages of games, and those from later games, to the most likely level given prior and drift."""
        n = len(self.curvature)
        pulls = np.zeros(n + 1)
        _pulls(self.time, self.before, self.gap, self.start, front, back, game, pulls)
        pulls[n - 1] += pulls[n]
        whole = np.cumsum(pulls[n - 1 :: -1])[::-1]  # a ramp raises everything after it
        known = np.diag(self.curvature)
        size = np.where(known > FREE, 1.0 / np.sqrt(np.maximum(known, FREE)), 0.0)
        rise = -size * np.linalg.lstsq(self.curvature * size * size[:, None], whole * size, rcond=1e-12)[0]
        level = np.cumsum(rise)
        _lifted(self.time, self.behind, self.gap, np.append(level, level[-1]), back, game)


def _newcomers(time: Floats, ramps: int) -> Floats:
    """Precision with which first places tie the first level, and the rise along each ramp, to a newcomer's level.

    For each place, the first level and all earlier ramps count in full, its own ramp in part, later ramps not at all.
    """
    n = np.minimum(time.astype(np.int64), max(ramps - 1, 0))
    part = time - n
    behind = np.cumsum(np.bincount(n, minlength=ramps + 1)[::-1])[::-1].astype(np.float64)
    share, square = behind.copy(), behind.copy()
    share[1:] += np.bincount(n, part, ramps + 1)[:-1]
    square[1:] += np.bincount(n, part * part, ramps + 1)[:-1]
    later = np.maximum.outer(np.arange(ramps + 1), np.arange(ramps + 1))
    tied = share[later]
    np.fill_diagonal(tied, square)
    return np.asarray(tied)
