"""Computes losses of forecasts: of a share of the point, of win, draw and loss, of places in sessions."""

from typing import NamedTuple

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints
from ratingcore.compare.places import MANY, places
from ratingcore.errors import BadValue
from ratingcore.methods.strengths import Strengths

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
    """Returns 1 where the favourite won, 0 where they lost, and one half without a favourite or a winner."""
    return 0.5 + 0.5 * np.sign(p - 0.5) * np.sign(y - 0.5)


def checked(p: Floats, y: Floats | None, what: str) -> tuple[Floats, Floats, int]:
    """Returns forecasts and scores of the games that have a forecast, and the number of games without one.

    Raises
    ------
    BadValue
        If a forecast or a score is not from 0 to 1; `what` names the forecasts.
    """
    p = np.asarray(p, dtype=np.float64)
    y = p if y is None else np.asarray(y, dtype=np.float64)
    if p.shape != y.shape or p.ndim != 1:
        raise BadValue(what, p.shape, f"must be the shape of the scores, {y.shape}")
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
"""Amount by which the sum of the three chances of a game may differ from 1."""


class OutcomeScores(NamedTuple):
    """Scores of forecasts of win, draw and loss; None if no game was scored.

    Attributes
    ----------
    n, unrated : int
        As in `Scores`.
    log_loss : float, nats a game
    brier : float
        Mean over games of the sum of squared errors over the three outcomes.
    rps : float
        Ranked probability score.
    """

    n: int
    unrated: int
    log_loss: float | None
    brier: float | None
    rps: float | None


def outcomes(win: Floats, draw: Floats, loss: Floats, y: Floats) -> OutcomeScores:
    """Scores forecasts of win, draw and loss: log loss, Brier, ranked probability score [1]_.

    Parameters
    ----------
    win, draw, loss : (n,) float64 in [0, 1]
        Chances that add up to 1; NaN if a player was unrated.
    y : (n,) float64
        1 for a win of the first side, 0 for a loss; anything between is a draw.

    Raises
    ------
    BadValue
        If a chance is not from 0 to 1, or the chances of a game do not add up to 1.

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
        raise BadValue("chances", (len(win), len(draw), len(loss)), "must be equally many wins, draws and losses, not")
    if not len(win):
        return OutcomeScores(0, unrated, None, None, None)
    off = np.abs(win + draw + loss - 1.0) > SLACK
    if off.any():
        at = int(np.argmax(off))
        raise BadValue("chances", (win[at], draw[at], loss[at]), f"of game {at + 1} do not add up to 1")
    won, lost = y == 1.0, y == 0.0
    came = np.where(won, win, np.where(lost, loss, draw))
    brier = np.square(win - won) + np.square(loss - lost) + np.square(draw - ~(won | lost))
    rps = (np.square(win - won) + np.square(loss - lost)) / 2
    log_loss = -np.log(np.clip(came, TINY, 1.0 - TINY))
    return OutcomeScores(len(win), unrated, float(log_loss.mean()), float(brier.mean()), float(rps.mean()))


PAIRS = 2**20
"""Largest number of pairs of sides held in memory at once."""
MEASURES = ("log_loss", "brier", "rps", "winner")
"""Measures of sessions; less is better."""


@frozen(eq=False)
class SessionLosses:
    """Losses of one method, one number per session; NaN where a side is unrated.

    All pairs of sides of a session have the same weight in `log_loss` and `brier`, and all sides in `rps`. A session
    has the same weight whatever its number of sides.

    Attributes
    ----------
    log_loss : (n,) float64, nats
        Mean over pairs of sides of the log loss of "the first finishes ahead of the second"; a tie is one half.
    brier : (n,) float64
        Mean over pairs of the squared error of the same forecast [1]_.
    rps : (n,) float64
        Ranked probability score [2]_ of the places: the squared error of each side's chance to finish in a place or
        better, averaged over sides and over all places but the last. Tied sides share their places. With two sides it
        is the Brier score.
    winner : (n,) float64, nats
        Log loss of the winner; the mean over tied winners.

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
    """Computes the losses of forecasts of sessions.

    Parameters
    ----------
    strengths : Strengths
        Strengths of the sides before each session.
    result : (n + 1,) int
        `result[r]` to before `result[r + 1]` are the sides of session `r`.
    score : (sides,) float64
        A higher score is ahead; equal scores are a tie.

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
    """Computes the mean log loss and mean squared error over the pairs of sides of each session."""
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


MEETINGS = 16
"""Number of opponents that each side is paired with in a session of more than `MANY` sides."""


@frozen(eq=False)
class Pairings:
    """Pairs of sides. Sums over players use a session's pairs in its place; their weights add up to 1.

    Attributes
    ----------
    session : (n,) int
        Session of each pair.
    i, j : (n,) int
        The two sides of each pair.
    weight : (n,) float64
        One divided by the number of pairs of the same session.
    """

    session: Ints
    i: Ints
    j: Ints
    weight: Floats

    @classmethod
    def of(cls, result: Ints) -> "Pairings":
        """Builds all pairs of sides of each session; above `MANY` sides, some pairs, with equally many for every side.

        Examples
        --------
        >>> made = Pairings.of(np.array([0, 2, 5]))
        >>> made.session.tolist(), made.i.tolist(), made.j.tolist()
        ([0, 1, 1, 1], [0, 2, 2, 3], [1, 3, 4, 4])
        """
        found = []
        for which, sides in alike(result):
            k = sides.shape[1]
            i, j = _meetings(k)
            one, other = sides[:, i], sides[:, j]
            found.append((np.repeat(which, len(i)), one.ravel(), other.ravel(), np.full(one.size, 1.0 / len(i))))
        if not found:
            none = np.empty(0, dtype=np.int64)
            return cls(none, none, none, np.empty(0))
        return cls(*(np.concatenate(column) for column in zip(*found, strict=True)))

    def losses(self, strengths: Strengths, score: Floats, mean: Floats) -> Floats:
        """Returns the weighted log loss of each pair; in a session they add up to `mean`, its loss over all pairs."""
        loss = losses(strengths.ahead(self.i, self.j), 0.5 + 0.5 * np.sign(score[self.i] - score[self.j]))
        rest = mean - np.bincount(self.session, loss * self.weight, len(mean))
        return np.asarray((loss + rest[self.session]) * self.weight)


def _meetings(k: int) -> tuple[Ints, Ints]:
    """Pairs up `k` sides; above `MANY`, only those at some distances around a table, so that all meet equally often."""
    if k <= MANY:
        return np.triu_indices(k, 1)
    gaps = np.unique(np.linspace(1, (k - 1) // 2, MEETINGS // 2).astype(np.int64))
    i = np.tile(np.arange(k), len(gaps))
    return i, (i + np.repeat(gaps, k)) % k


def place_losses(strengths: Strengths, result: Ints, score: Floats) -> tuple[Floats, Floats]:
    """Computes the ranked probability score of the places of each session, and the log loss of its winner."""
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
    """Groups sessions by number of sides, two or more; a group has the sessions, and their sides as rows."""
    size = np.diff(result)
    groups = [(np.flatnonzero(size == k), int(k)) for k in np.unique(size) if k > 1]
    return [(which, result[which][:, None] + np.arange(k)) for which, k in groups]


def _came(score: Floats, place: Ints) -> Floats:
    """Returns the fraction of each side that finished in each place or better; tied sides share their places."""
    better = (score[:, None, :] > score[:, :, None]).sum(axis=2)
    tied = (score[:, None, :] == score[:, :, None]).sum(axis=2)
    return np.asarray(np.clip((place - better[:, :, None]) / tied[:, :, None], 0.0, 1.0))
