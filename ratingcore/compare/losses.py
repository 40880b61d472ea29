"""Losses of forecasts of games: of a share of the point, and of win, draw and loss."""

from typing import NamedTuple

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


SLACK = 1e-9
"""How far the three chances of a game may be from adding up to 1."""


class OutcomeScores(NamedTuple):
    """Scores of forecasts of win, draw and loss; None if no game was scored.

    Attributes
    ----------
    n, unrated, left_out : int
        As in `Scores`.
    log_loss : float, nats a game
    brier : float
        Mean over games of the sum of squares over outcomes.
    rps : float
        Ranked probability score.
    """

    n: int
    unrated: int
    left_out: int
    log_loss: float | None
    brier: float | None
    rps: float | None


def outcomes(win: Floats, draw: Floats, loss: Floats, y: Floats, left_out: int = 0) -> OutcomeScores:
    """Scores forecasts of win, draw and loss: log loss, Brier, ranked probability score [1]_.

    Parameters
    ----------
    win, draw, loss : (n,) float64 in [0, 1]
        Chances that add up to 1; NaN if a player was unrated.
    y : (n,) float64
        1 for a win of the first side, 0 for a loss; anything between is a draw.
    left_out : int
        Number of rated games that are not scored, handed on to the result.

    Raises
    ------
    BadValue
        If a chance is not from 0 to 1, or those of a game do not add up to 1.

    References
    ----------
    .. [1] E. S. Epstein, "A Scoring System for Probability Forecasts of Ranked Categories", Journal of Applied
       Meteorology 8 (1969), p. 985-987.

    Examples
    --------
    >>> first, second = (0.5, 0.3, 0.2), (0.2, 0.3, 0.5)
    >>> scores = outcomes(*(np.array(pair) for pair in zip(first, second)), np.array([1.0, 0.5]))
    >>> round(scores.rps, 6), round(scores.log_loss, 6), round(scores.brier, 6)
    (0.145, 0.94856, 0.58)
    """
    win, y, unrated = checked(win, y, "chance of a win")
    draw, _, _ = checked(draw, None, "chance of a draw")
    loss, _, _ = checked(loss, None, "chance of a loss")
    if not len(win) == len(draw) == len(loss):
        raise BadValue("chances", (len(win), len(draw), len(loss)), "are not of the same games")
    if not len(win):
        return OutcomeScores(0, unrated, left_out, None, None, None)
    off = np.abs(win + draw + loss - 1.0) > SLACK
    if off.any():
        at = int(np.argmax(off))
        raise BadValue("chances", (win[at], draw[at], loss[at]), f"of game {at + 1} do not add up to 1")
    won, lost = y == 1.0, y == 0.0
    came = np.where(won, win, np.where(lost, loss, draw))
    brier = np.square(win - won) + np.square(loss - lost) + np.square(draw - ~(won | lost))
    rps = (np.square(win - won) + np.square(loss - lost)) / 2
    log_loss = -np.log(np.clip(came, TINY, 1.0 - TINY))
    return OutcomeScores(len(win), unrated, left_out, float(log_loss.mean()), float(brier.mean()), float(rps.mean()))
