"""Growth of deviations between games: a variance per day, up to the variance of a newcomer."""

import numpy as np

from ratingcore.plugin import DAY, Floats, Ints, kernel


def days(at: Ints) -> Floats:
    """Converts instants to days since 1970, with fractions."""
    return at / DAY


@kernel
def drifted(deviation: float, last: float, now: float, drift_var: float, top: float) -> float:
    """Variance on day `now` of a player with this deviation on day `last`; it does not grow if `last` is NaN."""
    variance = deviation * deviation
    if now > last:
        return min(variance + drift_var * (now - last), max(variance, top))
    return variance


def drifted_columns(deviation: Floats, last: Floats, now: Floats | float, drift_var: float, top: float) -> Floats:
    """Variances of many players at a time, as `drifted` computes them.

    Examples
    --------
    >>> deviation, last = np.array([50.0, 50.0, 50.0]), np.array([100.0, np.nan, 0.0])
    >>> drifted_columns(deviation, last, 200.0, 10.0, 60.0**2).tolist()
    [3500.0, 2500.0, 3600.0]
    """
    variance = deviation**2
    days = np.where(now > last, now - last, 0.0)
    return np.minimum(variance + drift_var * days, np.maximum(variance, top))
