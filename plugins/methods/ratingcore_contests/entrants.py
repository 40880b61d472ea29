"""Checks that all sides of a contest are single players, and computes their expected results."""

import numpy as np

from ratingcore.plugin import BadResult, Bools, Floats, Sides


def teams(contests: Sides) -> Bools:
    """True for contests in which a side is not a single player."""
    return contests.with_side(np.diff(contests.side) != 1)


def refuse_teams(method: str, contests: Sides) -> None:
    """Refuses a contest in which a side is not a single player."""
    for s in np.flatnonzero(np.diff(contests.side) != 1)[:1]:
        result = int(np.searchsorted(contests.result, s, "right")) - 1
        why = f"each side must be a single player, and one has {int(np.diff(contests.side)[s])}"
        raise BadResult(method, f"position {contests.position[result]}", why)


def shares(contests: Sides, chance: Floats) -> Floats:
    """Expected result of each side: its mean chance to be ahead of another side."""
    sides = np.diff(contests.result)
    return np.asarray(chance / np.repeat(np.maximum(sides - 1, 1), sides), dtype=np.float64)
