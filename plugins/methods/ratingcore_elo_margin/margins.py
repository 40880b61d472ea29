"""Multipliers of K by the margin of victory: the published forms, each a numerator over `base + tilt * d_w`."""

from collections.abc import Callable, Mapping

import numpy as np
from attrs import frozen

from ratingcore.plugin import Floats
from ratingcore.plugin.rules import goal_index


@frozen
class Margin:
    """A multiplier of K: `numerator(m) / (base + tilt * d_w)`, and for a tie `numerator(m) / 1`.

    `m` is the difference in points, `d_w` the winner's rating less the loser's, home advantage included:
    a favourite's win counts for less, or ratings of strong teams would drift upwards.

    Examples
    --------
    >>> MARGINS["goals"].numerator(np.array([0.0, 1.0, 2.0, 3.0, 5.0])).tolist()
    [1.0, 1.0, 1.5, 1.75, 2.0]
    """

    numerator: Callable[[Floats], Floats]
    base: float = 1.0
    tilt: float = 0.0
    ties: bool = True


def _power(m: Floats) -> Floats:
    return np.power(m + 3.0, 0.8)


def _log(m: Floats) -> Floats:
    return 2.2 * np.log(np.maximum(m, 1.0) + 1.0)


MARGINS: Mapping[str, Margin] = {
    "log": Margin(_log, base=2.2, tilt=0.001),
    "power": Margin(_power, base=7.5, tilt=0.006, ties=False),
    "goals": Margin(goal_index),
    "none": Margin(np.ones_like),
}
