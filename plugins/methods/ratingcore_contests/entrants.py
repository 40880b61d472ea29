"""The field of a contest: everybody alone, in the order of their scores."""

import numpy as np

from ratingcore.plugin import BadResult, Bools, Floats, Sides


def teams(contests: Sides) -> Bools:
    """Which contests have somebody who is no side of their own."""
    return contests.with_side(np.diff(contests.side) != 1)


def refuse_teams(method: str, contests: Sides) -> None:
    """Refuses a contest in which somebody is no side of their own."""
    for s in np.flatnonzero(np.diff(contests.side) != 1)[:1]:
        result = int(np.searchsorted(contests.result, s, "right")) - 1
        why = f"everybody must be a side of their own: one has {int(np.diff(contests.side)[s])} players"
        raise BadResult(method, f"position {contests.position[result]}", why)


def shares(contests: Sides, chance: Floats) -> Floats:
    """Result expected of each side, from the sum of its chances to be ahead of each of the others."""
    sides = np.diff(contests.result)
    return np.asarray(chance / np.repeat(np.maximum(sides - 1, 1), sides), dtype=np.float64)
