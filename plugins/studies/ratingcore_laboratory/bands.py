"""Bands: a measure over runs with several seeds, as a mean with the lowest and the highest."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from attrs import frozen

from ratingcore.plugin import Floats
from ratingcore_laboratory.trial import Trial


@frozen(eq=False)
class Band:
    """A measure by round, over several seeds; NaN if it is undefined for one of them.

    Parameters
    ----------
    mean, lowest, highest : (rounds,) float64
    """

    mean: Floats
    lowest: Floats
    highest: Floats

    @classmethod
    def of(cls, trials: Sequence[Trial], contender: str, measure: str) -> Self:
        """The band of a measure of one contender; as long as the shortest of the runs."""
        curves = [trial.series(contender, measure) for trial in trials]
        rounds = min(map(len, curves), default=0)
        table = np.array([curve[:rounds] for curve in curves]).reshape(len(curves), rounds)
        if not len(table):
            return cls(np.empty(0), np.empty(0), np.empty(0))
        return cls(table.mean(axis=0), table.min(axis=0), table.max(axis=0))
