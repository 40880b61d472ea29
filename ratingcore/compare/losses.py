"""Losses of single games, and the check that every forecast and score is in its range."""

import numpy as np

from ratingcore.columns import Floats
from ratingcore.errors import BadValue

TINY = 1e-15
"""Log losses clip chances to this distance from 0 and 1."""


def losses(p: Floats, y: Floats, least: float = TINY) -> Floats:
    """Log loss of each game, in nats.

    Parameters
    ----------
    p : (n,) float64 in [0, 1]
        Forecast; NaN gives NaN.
    y : (n,) float64 in [0, 1]
        Score.
    least : float
        Forecasts are clipped to this distance from 0 and 1.

    Examples
    --------
    >>> losses(np.array([0.9, 0.5, 1.0]), np.array([1.0, 0.5, 0.0])).round(4).tolist()
    [0.1054, 0.6931, 34.5396]
    """
    p = np.clip(p, least, 1.0 - least)
    if ((y == 0.0) | (y == 1.0)).all():  # one logarithm is enough
        came: Floats = np.log(np.where(y == 1.0, p, 1.0 - p))
        return -came
    total: Floats = y * np.log(p) + (1.0 - y) * np.log1p(-p)
    return -total


def hits(p: Floats, y: Floats) -> Floats:
    """1 where the favourite won, 0 where they lost, one half where there was no favourite or no winner."""
    return 0.5 + 0.5 * np.sign(p - 0.5) * np.sign(y - 0.5)


def checked(p: Floats, y: Floats | None, what: str) -> tuple[Floats, Floats, int]:
    """Forecasts and scores of the games that have a forecast, and how many have none.

    Raises
    ------
    BadValue
        If a forecast or a score is not from 0 to 1; `what` names the forecasts.
    """
    p = np.asarray(p, dtype=np.float64)
    y = p if y is None else np.asarray(y, dtype=np.float64)
    if p.shape != y.shape or p.ndim != 1:
        raise BadValue(what, p.shape, f"is not one a game of {y.shape}")
    inside = (p >= 0.0) & (p <= 1.0)
    if not inside.all():
        unrated = np.isnan(p)
        if not (inside | unrated).all():
            at = int(np.argmin(inside | unrated))
            raise BadValue(what, float(p[at]), f"of game {at + 1} is not from 0 to 1")
        p, y = p[inside], y[inside]
    wrong = ~((y >= 0.0) & (y <= 1.0))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise BadValue("score", float(y[at]), f"of game {at + 1} is not from 0 to 1")
    return p, y, len(inside) - len(p)
