"""Input of one pass over many settings of Elo, in units that suit its loops."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Self

import numpy as np

from ratingcore.plugin import Floats
from ratingcore_elo.parameters import Parameters

OCTAVE = 0.30102999566398120
"""A gap of this share of the scale doubles the odds: the decimal logarithm of 2."""


class SweptSettings(NamedTuple):
    """The parameters that differ between settings, one number per setting, in rating points."""

    k: Floats
    first_move: Floats
    scale: Floats
    initial: Floats

    @classmethod
    def of(cls, methods: Iterable[Parameters]) -> Self:
        """Makes the settings of methods that one pass can rate."""
        rows = [(one.number, one.first_move, one.scale, one.initial) for one in methods]
        return cls(*np.array(rows, dtype=np.float64).T.copy())

    def groups(self, most: int) -> Iterator["SweptSettings"]:
        """Splits the settings into groups, each rated in its own pass."""
        for start in range(0, len(self.k), most):
            yield SweptSettings(*(column[start : start + most] for column in self))

    def started(self, given: Floats, kind: type[Any] = np.float64) -> Any:
        """Rating of every player under every setting before the first game, less the initial rating, in octaves."""
        table = np.zeros((len(given), len(self.k)), dtype=kind)
        seeded = np.flatnonzero(~np.isnan(given))
        table[seeded] = (given[seeded, None] - self.initial) / (self.scale * OCTAVE)
        return table
