"""Scores of forecasts of win, draw and loss: log loss, Brier and ranked probability score."""

from typing import NamedTuple

import numpy as np

from ratingcore.columns import Floats
from ratingcore.compare.losses import TINY, checked
from ratingcore.errors import BadValue

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
