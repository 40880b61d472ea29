"""Losses of forecasts of sessions: of who came in ahead of whom, of places, and of the winner."""

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints
from ratingcore.compare.losses import TINY, losses
from ratingcore.compare.places import places
from ratingcore.methods.strengths import Strengths

PAIRS = 2**20
"""Pairs of sides held in memory at once."""
MEASURES = ("log_loss", "brier", "rps", "winner")
"""Measures of sessions; less is better."""


@frozen(eq=False)
class SessionLosses:
    """Losses of one method, one number a session; NaN where a side is unrated.

    Every pair of sides of a session counts the same in `log_loss` and `brier`, and every side in `rps`, so that a
    session counts as one whatever the number of its sides.

    Attributes
    ----------
    log_loss : (n,) float64, nats
        Mean over pairs of sides of the log loss of "the first comes in ahead of the second", a tie being one half.
    brier : (n,) float64
        Mean over pairs of the squared error of the same forecast [1]_.
    rps : (n,) float64
        Ranked probability score [2]_ of the places: mean, over sides and over the places but the last, of the squared
        error of the chance to be among the first so many. Tied sides share the places they take. Of two sides it is
        the Brier score.
    winner : (n,) float64, nats
        Log loss of who comes in first; of tied winners the mean.

    References
    ----------
    .. [1] G. W. Brier, "Verification of Forecasts Expressed in Terms of Probability", Monthly Weather Review 78 (1950),
       p. 1-3.
    .. [2] E. S. Epstein, "A Scoring System for Probability Forecasts of Ranked Categories", Journal of Applied
       Meteorology 8 (1969), p. 985-987.
    """

    log_loss: Floats
    brier: Floats
    rps: Floats
    winner: Floats

    def __len__(self) -> int:
        return len(self.log_loss)


def session_losses(strengths: Strengths, result: Ints, score: Floats) -> SessionLosses:
    """Losses of forecasts of sessions.

    Parameters
    ----------
    strengths : Strengths
        Of the sides before each session.
    result : (n + 1,) int
        `result[r]` to before `result[r + 1]` are the sides of session `r`.
    score : (sides,) float64
        A higher score is ahead, equal scores are a tie.

    Examples
    --------
    Three equal sides, one after the other: each pair is even, and each side is first with chance 1/3.

    >>> field = Strengths(np.zeros(3), np.ones(3), "normal")
    >>> made = session_losses(field, np.array([0, 3]), np.array([2.0, 1.0, 0.0]))
    >>> [round(float(loss[0]), 6) for loss in (made.log_loss, made.brier, made.rps, made.winner)]
    [0.693147, 0.25, 0.222222, 1.098612]
    """
    log_loss, brier = pair_losses(strengths, result, score)
    rps, winner = place_losses(strengths, result, score)
    return SessionLosses(log_loss, brier, rps, winner)


def pair_losses(strengths: Strengths, result: Ints, score: Floats) -> tuple[Floats, Floats]:
    """Mean log loss and mean squared error over the pairs of sides of each session."""
    log_loss, brier = np.full((2, len(result) - 1), np.nan)
    for which, sides in alike(result):
        k = sides.shape[1]
        i, j = np.triu_indices(k, 1)
        most = max(1, PAIRS // len(i))
        for low in range(0, len(sides), most):
            some = sides[low : low + most]
            p = strengths.ahead(some[:, i].ravel(), some[:, j].ravel())
            y = 0.5 + 0.5 * np.sign(score[some[:, i]] - score[some[:, j]]).ravel()
            at = which[low : low + most]
            log_loss[at] = losses(p, y).reshape(len(some), -1).mean(axis=1)
            brier[at] = np.square(p - y).reshape(len(some), -1).mean(axis=1)
    return log_loss, brier


def place_losses(strengths: Strengths, result: Ints, score: Floats) -> tuple[Floats, Floats]:
    """Ranked probability score of the places of each session, and log loss of its winner."""
    rps, winner = np.full((2, len(result) - 1), np.nan)
    for which, sides in alike(result):
        most = max(1, PAIRS // sides.shape[1] ** 2)
        for low in range(0, len(sides), most):
            some, at = sides[low : low + most], which[low : low + most]
            chance, place = places(strengths, some)
            rps[at] = np.square(chance - _came(score[some], place)).mean(axis=(1, 2))
            top = score[some] == score[some].max(axis=1, keepdims=True)
            lost = -np.log(np.clip(chance[:, :, 0], TINY, 1.0 - TINY))
            winner[at] = (top * lost).sum(axis=1) / top.sum(axis=1)
    return rps, winner


def alike(result: Ints) -> list[tuple[Ints, Ints]]:
    """Sessions of equally many sides, at least two: which they are, and their sides in rows."""
    size = np.diff(result)
    groups = [(np.flatnonzero(size == k), int(k)) for k in np.unique(size) if k > 1]
    return [(which, result[which][:, None] + np.arange(k)) for which, k in groups]


def _came(score: Floats, place: Ints) -> Floats:
    """Which part of each side came in among the first so many: tied sides share the places they take."""
    better = (score[:, None, :] > score[:, :, None]).sum(axis=2)
    tied = (score[:, None, :] == score[:, :, None]).sum(axis=2)
    return np.asarray(np.clip((place - better[:, :, None]) / tied[:, :, None], 0.0, 1.0))
