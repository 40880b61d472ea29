"""How good forecasts were: log loss, Brier, accuracy, deviance, calibration, and what three outcomes are worth."""

from collections.abc import Iterable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from attrs import frozen

from ratingcore.compare.forecasts import Bools, Forecasts, Played
from ratingcore.errors import BadValue
from ratingcore.tables import Floats, Ints

TINY = 1e-15
"""No chance counts as less than this, and none as more than one less this, in a log loss."""
LEAST = 0.01
"""The same in a deviance, the form of chess forecasting contests."""
BINS = 10
SLACK = 1e-9


class Scores(NamedTuple):
    """Scores of forecasts of a share of the point; None where no game was scored.

    Attributes
    ----------
    n : int
        Games scored.
    unrated : int
        Games without a forecast, for a player who was unrated.
    left_out : int
        Games that were rated and are not among those asked about: burn-in.
    log_loss : float, nats a game
    brier : float
        Mean square of the surprise.
    accuracy : float in [0, 1]
        Share of games of which the favourite won; a draw, or a forecast of one half, counts one half.
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


class OutcomeScores(NamedTuple):
    """Scores of forecasts of win, draw and loss; None where no game was scored.

    Attributes
    ----------
    n, unrated, left_out : int
        As of `Scores`.
    log_loss : float, nats a game
    brier : float
        Sum over the outcomes of the squares.
    rps : float
        Ranked probability score.
    """

    n: int
    unrated: int
    left_out: int
    log_loss: float | None
    brier: float | None
    rps: float | None


@frozen(eq=False)
class Reliability:
    """What was expected and what came, bin by bin of the forecast; bins without a game are not among them.

    Attributes
    ----------
    low, high : (bins,) float64
        Edges of the bins: `low` belongs to the bin, `high` to the next, but for 1.
    n : (bins,) int
    expected, scored : (bins,) float64
        Mean forecast, mean score.
    from_, to : (bins,) float64
        Wilson interval of the mean score.
    """

    low: Floats
    high: Floats
    n: Ints
    expected: Floats
    scored: Floats
    from_: Floats
    to: Floats

    @property
    def ece(self) -> float | None:
        """Expected calibration error over these bins."""
        games = int(self.n.sum())
        return float(self.n @ np.abs(self.expected - self.scored)) / games if games else None


def losses(p: Floats, y: Floats) -> Floats:
    """Log loss of each game, in nats.

    Parameters
    ----------
    p : (n,) float64 in [0, 1]
        Forecast; NaN gives NaN.
    y : (n,) float64 in [0, 1]
        Score.

    Examples
    --------
    >>> losses(np.array([0.9, 0.5, 1.0]), np.array([1.0, 0.5, 0.0])).round(4).tolist()
    [0.1054, 0.6931, 34.5396]
    """
    return _losses(p, y, TINY)


def _losses(p: Floats, y: Floats, least: float) -> Floats:
    p = np.clip(p, least, 1.0 - least)
    if ((y == 0.0) | (y == 1.0)).all():  # one logarithm is enough
        came: Floats = np.log(np.where(y == 1.0, p, 1.0 - p))
        return -came
    total: Floats = y * np.log(p) + (1.0 - y) * np.log1p(-p)
    return -total


def binary(p: Floats, y: Floats, left_out: int = 0, what: str = "forecast") -> Scores:
    """Score forecasts of the share of the point; games without one are counted, not scored.

    Parameters
    ----------
    p : (n,) float64 in [0, 1]
        Forecasts; NaN where a player was unrated.
    y : (n,) float64 in [0, 1]
        Scores: 1, 0.5, 0.
    left_out : int
        How many rated games are left out, to be told with the scores.
    what : str
        What the forecasts are called where one is refused.

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
    p, y, unrated = _scored(p, y, what)
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
        float(_hits(p, y).mean()),
        _deviance(p, y, loss),
        _table(p, y, BINS).ece,
    )


def _hits(p: Floats, y: Floats) -> Floats:
    """1 where the favourite won, 0 where he lost, one half where there was no favourite or no winner."""
    return 0.5 + 0.5 * np.sign(p - 0.5) * np.sign(y - 0.5)


def _deviance(p: Floats, y: Floats, loss: Floats) -> float:
    """Mean log loss to base 10 of clipped forecasts: what was not clipped is known already."""
    clipped = np.flatnonzero((p < LEAST) | (p > 1.0 - LEAST))
    inside = float(loss.sum()) - float(loss[clipped].sum())
    return (inside + float(_losses(p[clipped], y[clipped], LEAST).sum())) / len(p) / float(np.log(10.0))


def reliability(p: Floats, y: Floats, bins: int = BINS, level: float = 0.95) -> Reliability:
    """What was expected and what came, in equal bins of the forecast, with Wilson intervals [1]_.

    A draw is half a success; the interval is then wider than it need be.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
       American Statistical Association 22 (1927), p. 209-212.

    Examples
    --------
    >>> table = reliability(np.array([0.05, 0.62, 0.68, 1.0]), np.array([0.0, 1.0, 0.0, 1.0]))
    >>> table.n.tolist(), table.expected.tolist(), table.scored.tolist()
    ([1, 2, 1], [0.05, 0.65, 1.0], [0.0, 0.5, 1.0])
    """
    p, y, _ = _scored(p, y, "forecast")
    return _table(p, y, bins, level)


def _table(p: Floats, y: Floats, bins: int, level: float = 0.95) -> Reliability:
    edges = np.arange(bins + 1) / bins
    place = p * bins
    which = np.minimum(place.astype(np.int64), bins - 1)
    near = np.flatnonzero(np.abs(place - np.rint(place)) < SLACK)  # the product may have been rounded over an edge
    which[near] = np.searchsorted(edges[1:-1], p[near], "right")
    n = np.bincount(which, minlength=bins)
    some = np.flatnonzero(n)
    expected, scored = (np.bincount(which, x, minlength=bins)[some] / n[some] for x in (p, y))
    low, high = wilson(scored, n[some], level)
    return Reliability(edges[some], edges[some + 1], n[some], expected, scored, low, high)


def wilson(share: Floats, n: Ints, level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's interval of a share of so many trials.

    Examples
    --------
    >>> low, high = wilson(np.array([0.5]), np.array([100]))
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.4038], [0.5962])
    """
    z = NormalDist().inv_cdf((1.0 + level) / 2)
    spread = 1.0 + z * z / n
    middle = (share + z * z / (2 * n)) / spread
    half = z / spread * np.sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n))
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)


def outcomes(win: Floats, draw: Floats, loss: Floats, y: Floats, left_out: int = 0) -> OutcomeScores:
    """Score forecasts of win, draw and loss: log loss, Brier, ranked probability score [1]_.

    Parameters
    ----------
    win, draw, loss : (n,) float64 in [0, 1]
        Chances that add up to 1; NaN where a player was unrated.
    y : (n,) float64
        1 for a win of the first side, 0 for a loss; anything between is a draw.
    left_out : int
        How many rated games are left out, to be told with the scores.

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
    win, y, unrated = _scored(win, y, "chance of a win")
    draw, _, _ = _scored(draw, None, "chance of a draw")
    loss, _, _ = _scored(loss, None, "chance of a loss")
    if not len(win) == len(draw) == len(loss):
        raise BadValue("chances", (len(win), len(draw), len(loss)), "are not known of the same games")
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


def _scored(p: Floats, y: Floats | None, what: str) -> tuple[Floats, Floats, int]:
    """Forecasts and scores of the games that have a forecast, and how many have none."""
    p = np.asarray(p, dtype=np.float64)
    y = p if y is None else np.asarray(y, dtype=np.float64)
    if p.shape != y.shape or p.ndim != 1:
        raise BadValue(what, p.shape, f"is not one a game of {y.shape}")
    known = (p >= 0.0) & (p <= 1.0)
    if not known.all():
        unrated = np.isnan(p)
        if not (known | unrated).all():
            at = int(np.argmin(known | unrated))
            raise BadValue(what, float(p[at]), f"of game {at + 1} is not from 0 to 1")
        p, y = p[known], y[known]
    wrong = ~((y >= 0.0) & (y <= 1.0))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise BadValue("score", float(y[at]), f"of game {at + 1} is not from 0 to 1")
    return p, y, len(known) - len(p)


def scores(forecasts: Forecasts, played: Played, which: Bools | None = None) -> Scores:
    """Scores of a method over the games, or over some of them.

    Parameters
    ----------
    which : (n,) bool or None
        The games to score; those of the rest that were rated are counted as left out. None for all.
    """
    some = slice(None) if which is None else which
    left_out = 0 if which is None else int((forecasts.rated & ~which).sum())
    return binary(forecasts.expected[some], played.score[some], left_out, f"forecast of {forecasts.text}")


def outcome_scores(forecasts: Forecasts, played: Played, which: Bools | None = None) -> OutcomeScores | None:
    """Scores of win, draw and loss over the games, or over some; None if the method says nothing of draws."""
    if forecasts.draw is None:
        return None
    some = slice(None) if which is None else which
    left_out = 0 if which is None else int((forecasts.rated & ~which).sum())
    win, draw, loss = (chance[some] for chance in forecasts.outcomes)
    return outcomes(win, np.where(np.isnan(win), np.nan, draw), loss, played.score[some], left_out)


def common(forecasts: Iterable[Forecasts], which: Bools | None = None) -> Bools | None:
    """The games that every one of the methods has a forecast of, of these; None if that is every game.

    A method that has no forecast of any of them does not count: the others can still be compared.
    """
    asked = which
    for each in forecasts:
        mine = each.rated if asked is None else each.rated & asked
        if mine.any() and not each.rated.all():
            which = mine if which is None else which & mine
    return which
