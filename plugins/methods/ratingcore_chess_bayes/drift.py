"""Growth of deviations between games: a variance a day, up to that of a newcomer."""

import numpy as np

from ratingcore.plugin import Floats, kernel


@kernel
def drifted(deviation: float, last: float, now: float, drift_var: float, top: float) -> float:
    """Variance on day `now` of a player last seen on day `last`, NaN if never."""
    variance = deviation * deviation
    if now > last:
        return min(variance + drift_var * (now - last), max(variance, top))
    return variance


def drifted_columns(deviation: Floats, last: Floats, now: Floats | float, drift_var: float, top: float) -> Floats:
    """`drifted` for columns.

    Examples
    --------
    >>> deviation, last = np.array([50.0, 50.0, 50.0]), np.array([100.0, np.nan, 0.0])
    >>> drifted_columns(deviation, last, 200.0, 10.0, 60.0**2).tolist()
    [3500.0, 2500.0, 3600.0]
    """
    variance = deviation**2
    days = np.where(now > last, now - last, 0.0)
    return np.minimum(variance + drift_var * days, np.maximum(variance, top))
