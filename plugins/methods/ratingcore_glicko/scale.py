"""The scale of Glickman's formulas, and the slopes and growth of variances, for compiled loops."""

from math import pi, sqrt

from ratingcore.plugin import kernel
from ratingcore.plugin.curves import LN10

Q = LN10 / 400.0
"""From rating points to the argument of the logistic curve, as Glicko has it."""
POINT2 = 173.7178
"""Rating points of a unit, as Glicko-2 prints it."""
Q2 = 1.0 / POINT2
"""From rating points to the argument of the logistic curve, as Glicko-2 has it."""
FLATTER = 3.0 / pi**2
"""Factor of a variance on the logistic scale in the slope of the curve; see `flattened`."""


@kernel
def flattened(variance: float) -> float:
    """Slope of the curve against an opponent of this variance on the logistic scale: g of the papers."""
    return 1.0 / sqrt(1.0 + FLATTER * variance)


@kernel
def aged(variance: float, last: float, now: float, growth: float, fresh: float, most: float) -> float:
    """Variance after the periods from `last` to `now`, `fresh` of them where `last` is NaN; at most `most`."""
    periods = fresh if last != last else now - last
    if periods > 0.0:
        variance += growth * periods
    return most if variance > most else variance
