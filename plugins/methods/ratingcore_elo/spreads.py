"""Players' own spreads: a curve whose width depends on how steadily the two players of a game perform."""

from typing import Self

import numpy as np
from attrs import frozen

from ratingcore.plugin import Bools, Floats, Games, Need
from ratingcore.plugin.curves import ndtr

SIGMA = Need("sigma", of="player", default=np.nan)
"""The player's field with the standard deviation of one performance, in rating points."""


def no_spread(sigma: Floats) -> Bools:
    """True for invalid spreads; NaN is valid and means that the log has none."""
    return np.asarray((sigma <= 0.0) | np.isinf(sigma))


@frozen(eq=False)
class OwnSpreads:
    """The normal curve of each game, whose width is the spread of the difference of two performances.

    Parameters
    ----------
    slope : (n,) float64, 1 / rating points
        One over `sqrt(sigma_a^2 + sigma_b^2)` of each game.
    band : float >= 0, rating points
        Performances that differ by no more make a draw.
    """

    slope: Floats
    band: float

    @classmethod
    def of(cls, games: Games, scale: float, band: float) -> Self:
        """Reads the spreads of the players of these games; players without one have half of the scale."""
        sigma = np.where(np.isnan(games["sigma"]), 0.5 * scale, games["sigma"])
        sigma = np.where(no_spread(sigma), np.nan, sigma)
        return cls(1.0 / np.hypot(sigma[games.a], sigma[games.b]), band)

    def share(self, gap: Floats) -> Floats:
        """Expected score of each game at its gap in rating points."""
        return 0.5 * (ndtr((gap + self.band) * self.slope) + ndtr((gap - self.band) * self.slope))

    def draw(self, gap: Floats) -> Floats:
        """Chance of a draw of each game at its gap."""
        return ndtr((gap + self.band) * self.slope) - ndtr((gap - self.band) * self.slope)
