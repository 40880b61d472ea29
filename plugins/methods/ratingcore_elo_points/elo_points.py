"""Elo on points: a match moves ratings by the points won less the points expected, whichever side won."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import (
    Bools,
    Cadence,
    Column,
    Floats,
    Forecast,
    Games,
    Ints,
    Method,
    Need,
    Rated,
    State,
    kernel,
    opposed,
    significant_digits,
)
from ratingcore.plugin.curves import LN10, logistic, ndtr
from ratingcore.validators import finite, not_negative, one_of, positive

POINTS = (Need("points_a", least=0.0), Need("points_b", least=0.0))
FAR = 100.0
"""Log odds beyond which a favourite is practically certain to win every point."""


@kernel
def play(
    rating: Floats, a: Ints, b: Ints, share: Floats, weight: Floats, slope: float,
    gap: Floats, expected: Floats, change: Floats,
) -> None:  # fmt: skip
    """Rates the matches; `gap` is the log odds of a point, `share` the part of the points that `a` won."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        gap[g] = slope * (rating[i] - rating[j])
        expected[g] = logistic(gap[g])
        change[g] = weight[g] * (share[g] - expected[g])
        rating[i] += change[g]
        rating[j] -= change[g]


@frozen
class EloPoints(Method):
    """Elo whose score is the share of the points of a match [1]_.

    `R' = R + k (w / n - E)` for w points won of n, E the expected share.

    Parameters
    ----------
    k : float >= 0, rating points
        Points gained by winning all points of a match when none was expected, or by one such point.
    per : {"match", "point"}
        Whether k is for a match of any length, or for each point of it: `R' = R + k (w - n E)`.
    scale : float > 0, rating points
        Width of the logistic curve.
    length : float > 0, points
        Points of a usual match; only forecasts read it.
    initial : float, rating points
        Rating of a newcomer.

    References
    ----------
    .. [1] D. Sabo, "Pickleball ELO Rating System", 2026, for k of 32 and a scale of 400; "PickIndex", digiturnuva.com,
       for the same score as half of 1 + (w - l) / n.

    Examples
    --------
    Equals play 11-9: the winner has 55 % of the points, 5 more than expected.

    >>> elo, one = EloPoints(), np.array([1])
    >>> facts = {"points_a": np.array([11.0]), "points_b": np.array([9.0])}
    >>> match = Games(one * 0, one, np.array([1.0]), one, one, span=(0, 2), facts=facts)
    >>> elo.rate(State.start(elo.columns(), players=2), match).state["rating"].round(6).tolist()
    [1501.6, 1498.4]
    """

    name = "elo-points"
    cadence = Cadence.CONTINUOUS
    k: float = field(default=32.0, validator=not_negative)
    per: Literal["match", "point"] = field(default="match", validator=one_of("match", "point"))
    scale: float = field(default=400.0, validator=positive)
    length: float = field(default=40.0, validator=positive)
    initial: float = field(default=1500.0, validator=finite)

    @property
    def needs(self) -> tuple[Need, ...]:
        return POINTS

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", self.initial, unit="points", significant=significant_digits(self.scale)),)

    def refuses(self, games: Games) -> Mapping[str, Bools]:
        return {"no points": games["points_a"] + games["points_b"] <= 0.0}

    def rate(self, state: State, games: Games) -> Rated:
        rating, gap, expected, change = state.copy("rating"), games.blank(), games.blank(), games.blank()
        total = games["points_a"] + games["points_b"]
        share = games["points_a"] / total
        weight = self.k * (total if self.per == "point" else np.ones(len(games)))
        play(rating, games.a, games.b, share, weight, LN10 / self.scale, gap, expected, change)
        notes = {"share_of_points": share, "expected_share": expected}
        return Rated(state.replace(rating=rating), self._won(gap), opposed(change), notes=notes)

    def expected(self, state: State, games: Games) -> Forecast:
        """Chance to win more than half of the points of a usual match, with independent points."""
        return Forecast(self._won((state["rating"][games.a] - state["rating"][games.b]) * (LN10 / self.scale)))

    def _won(self, gap: Floats) -> Floats:
        """The normal limit: (p - 1/2) / sqrt(p (1 - p)) is the hyperbolic sine of half the logarithm of the odds."""
        return ndtr(np.sqrt(self.length) * np.sinh(0.5 * np.clip(gap, -FAR, FAR)))
