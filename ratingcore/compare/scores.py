"""Scores of forecasts of a share of the point: log loss, Brier, accuracy, deviance, calibration error."""

from typing import NamedTuple

import numpy as np

from ratingcore.columns import Floats
from ratingcore.compare.forecasts import Forecasts
from ratingcore.compare.losses import checked, hits, losses
from ratingcore.compare.played_games import Bools, Played
from ratingcore.compare.reliability import BINS, binned

LEAST = 0.01
"""The deviance clips chances to this distance from 0 and 1, as chess forecasting contests do."""


class Scores(NamedTuple):
    """Scores of forecasts of a share of the point; None if no game was scored.

    Attributes
    ----------
    n : int
        Games scored.
    unrated : int
        Games without a forecast, for a player who was unrated.
    left_out : int
        Games that have a forecast and are not scored: burn-in.
    log_loss : float, nats a game
    brier : float
        Mean square of the surprise.
    accuracy : float in [0, 1]
        Share of games that the favourite won; a draw, or a forecast of one half, counts one half.
    deviance : float
        Log loss to base 10 with chances between 0.01 and 0.99.
    ece : float in [0, 1]
        Expected calibration error over ten equal bins; biased upward for few games.
    """

    n: int
    unrated: int
    left_out: int
    log_loss: float | None
    brier: float | None
    accuracy: float | None
    deviance: float | None
    ece: float | None


def binary(p: Floats, y: Floats, left_out: int = 0, what: str = "forecast") -> Scores:
    """Scores forecasts of the share of the point. Games without a forecast are counted, not scored.

    Parameters
    ----------
    p : (n,) float64 in [0, 1]
        Forecasts; NaN if a player was unrated.
    y : (n,) float64 in [0, 1]
        Scores: 1, 0.5, 0.
    left_out : int
        Number of rated games that are not scored, handed on to the result.
    what : str
        What an error message calls the forecasts.

    Raises
    ------
    BadValue
        If a forecast or a score is not from 0 to 1.

    Examples
    --------
    >>> scores = binary(np.array([0.9, 0.6, 0.3, 0.55, 0.8]), np.array([1.0, 0, 0, 1, 1]))
    >>> scores.n, round(scores.log_loss, 6), round(scores.brier, 4), scores.accuracy, round(scores.deviance, 6)
    (5, 0.439861, 0.1405, 0.8, 0.191029)
    """
    p, y, unrated = checked(p, y, what)
    n = len(p)
    if not n:
        return Scores(0, unrated, left_out, None, None, None, None, None)
    loss = losses(p, y)
    return Scores(
        n,
        unrated,
        left_out,
        float(loss.mean()),
        float(np.square(p - y).mean()),
        float(hits(p, y).mean()),
        _deviance(p, y, loss),
        binned(p, y, BINS).ece,
    )


def _deviance(p: Floats, y: Floats, loss: Floats) -> float:
    """Mean log loss to base 10 of clipped forecasts. Only those outside the clips are worked out anew."""
    outside = np.flatnonzero((p < LEAST) | (p > 1.0 - LEAST))
    inside = float(loss.sum()) - float(loss[outside].sum())
    return (inside + float(losses(p[outside], y[outside], LEAST).sum())) / len(p) / float(np.log(10.0))


def scores(forecasts: Forecasts, played: Played, which: Bools | None = None) -> Scores:
    """Scores of a method on all games, or on some of them.

    Parameters
    ----------
    which : (n,) bool or None
        The games to score; other games with a forecast are counted as left out. None for all.
    """
    some = slice(None) if which is None else which
    left_out = 0 if which is None else int((forecasts.rated & ~which).sum())
    return binary(forecasts.expected[some], played.score[some], left_out, f"forecast of {forecasts.text}")
