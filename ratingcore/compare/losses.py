"""Losses of forecasts: of a share of the point, of win, draw and loss, of the places in sessions."""

from typing import NamedTuple

import numpy as np
from attrs import frozen

from ratingcore.columns import Floats, Ints
from ratingcore.errors import BadValue
from ratingcore.methods.curves import ndtr
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
    n, unrated : int
        As in `Scores`.
    log_loss : float, nats a game
    brier : float
        Mean over games of the sum of squares over outcomes.
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


EXACT = 6
"""Sides up to which places by the model of Plackett and Luce are summed over all orders of arrival."""
MANY = 64
"""Sides beyond which only some places are worked out, by a normal approximation of how many are ahead."""
BANDS = 32
"""Places that are worked out then."""
STEP, FINE = 0.32, 1.05
"""Step of the sums over performances in widths of the narrowest, at most, and times the root of the number of sides:
chances are off by less than 1e-9."""
FAR = 2**13
"""Steps beyond which only those near a side are taken."""
POINTS = 1025
"""Performances of a side in the sums over very many sides, at most."""
CELLS = 2**21
"""Numbers held in memory at once."""
REACH = {"normal": (-7.5, 7.5), "logistic": (-4.0, 36.0)}
"""Performances, in widths from the mean, beyond which nothing is left to find."""


def places(strengths: Strengths, sides: Ints) -> tuple[Floats, Ints]:
    """How likely each side is to be among the first so many of its session.

    Performances are independent, as `Strengths` has them; a performance is compared with all others, and who is ahead
    of it is counted. Draw margins are of no account: two performances are never equal.

    Parameters
    ----------
    strengths : Strengths
    sides : (sessions, k) int
        Sides of sessions of `k` sides each.

    Returns
    -------
    (sessions, k, m) float64 in [0, 1]
        Chance of each side to be among the first `place`; NaN where a side is unrated.
    (m,) int
        The places: 1 to k - 1; of more than 64 sides 32 of them, evenly spread, the first included.
    """
    mean, spread = strengths.mean[sides], strengths.spread[sides]
    k = sides.shape[1]
    if k == 2:
        first = strengths.ahead(sides[:, 0], sides[:, 1])
        return np.stack([first, 1.0 - first], axis=1)[:, :, None], np.ones(1, dtype=np.int64)
    if k > MANY:
        place = np.unique(np.concatenate([[1], np.linspace(1, k - 1, BANDS).astype(np.int64)]))
        rows = [_of_many(mean[r], spread[r], strengths.curve, place) for r in range(len(sides))]
        return np.stack(rows) if rows else np.empty((0, k, len(place))), place
    if strengths.curve == "logistic" and k <= EXACT and bool((spread == spread[:, :1]).all()):
        parts = range(0, max(len(mean), 1), CELLS // 2**k)
        width = np.sqrt(2.0 * spread[:, :1])
        found = [_by_arrival(mean[low : low + parts.step], width[low : low + parts.step]) for low in parts]
        return np.concatenate(found), np.arange(1, k)
    return _in_steps(mean, _widths(spread, strengths.curve), strengths.curve), np.arange(1, k)


def _widths(spread: Floats, curve: str) -> Floats:
    """Deviations of performances, or scales; at least a twentieth of the widest, so that sums do not miss them."""
    width = np.sqrt(spread if curve == "normal" else 2.0 * spread)
    widest = width.max(axis=-1, keepdims=True)
    return np.maximum(width, np.where(widest > 0.0, 0.05 * widest, 1e-9))


def _by_arrival(mean: Floats, width: Floats) -> Floats:
    """By the model of Plackett and Luce: the next to arrive is drawn from those still away, by their worth."""
    sessions, k = mean.shape
    worth = np.exp((mean - mean.max(axis=1, keepdims=True)) / np.where(width > 0.0, width, 1e-9))
    worth = np.maximum(worth, 1e-300)
    arrived = np.zeros((2**k, sessions))
    arrived[0] = 1.0
    among = np.zeros((k, k, sessions))
    for group in range(2**k - 1):
        here = [i for i in range(k) if group >> i & 1]
        away = [i for i in range(k) if not group >> i & 1]
        share = arrived[group] / worth[:, away].sum(axis=1)
        for i in away:
            arrived[group | 1 << i] += share * worth[:, i]
        for i in here:
            among[i, len(here) - 1] += arrived[group]
    return among[:, : k - 1].transpose(2, 0, 1)


def _in_steps(mean: Floats, width: Floats, curve: str) -> Floats:
    """By sums over performances in even steps, which are as exact for such curves as their numbers [1]_.

    References
    ----------
    .. [1] Trefethen and Weideman, "The Exponentially Convergent Trapezoidal Rule", SIAM Review 56 (2014), section 5.
    """
    sessions, k = mean.shape
    mean = mean - mean.min(axis=1, keepdims=True)
    width = np.maximum(width, 1e-9 * mean.max(axis=1, keepdims=True))
    low, high = REACH[curve]
    start, end = mean + low * width, mean + high * width
    step = min(STEP, FINE / np.sqrt(k)) * width.min(axis=1)
    size = np.exp2(np.ceil(np.log2((end.max(axis=1) - start.min(axis=1)) / step + 2.0)))
    found = np.full((sessions, k, k), np.nan)
    for points in np.unique(size[~np.isnan(size)]).tolist():
        alike = np.flatnonzero(size == points)
        most = 1 if points > FAR else max(1, CELLS // (int(points) * k))
        for some in (alike[first : first + most] for first in range(0, len(alike), most)):
            if points > FAR:
                at = _near_somebody(start[some[0]], end[some[0]], float(step[some[0]]))[None]
            else:
                at = start[some].min(axis=1)[:, None] + step[some][:, None] * np.arange(points)
            pieces = range(0, at.shape[1], max(1, CELLS // k))
            parts = (at[:, piece : piece + pieces.step] for piece in pieces)
            found[some] = sum(_by_count(mean[some], width[some], step[some], part, curve) for part in parts)
    return np.asarray(np.clip(np.cumsum(found, axis=2)[:, :, :-1], 0.0, 1.0))


def _near_somebody(start: Floats, end: Floats, step: float) -> Floats:
    """Performances of a session whose sides are far apart: those that one of the sides may have."""
    order = np.argsort(start)
    start, end = start[order], np.maximum.accumulate(end[order])
    gap = np.flatnonzero(start[1:] > end[:-1] + step)
    spans = zip(start[np.concatenate([[0], gap + 1])], end[np.concatenate([gap, [len(end) - 1]])], strict=True)
    return np.concatenate([np.arange(first, last + step, step) for first, last in spans])


def _by_count(mean: Floats, width: Floats, step: Floats, at: Floats, curve: str) -> Floats:
    """Chance of each side to perform as at some points while so many others are ahead.

    All sides of a session share the points. How many of them all are ahead is counted once for each, side after side;
    then each side is taken out by dividing by its factor, from the end at which no error grows.
    """
    k, z = mean.shape[1], (at[:, :, None] - mean[:, None, :]) / width[:, None, :]
    behind = _below(z, curve)
    weight = _density(z, curve) * (step[:, None] / width)[:, None, :]
    count = np.zeros((k + 1, *at.shape))
    count[0] = 1.0
    for p in np.moveaxis(behind, 2, 0):
        further = count[:-1] * (1.0 - p)
        count *= p
        count[1:] += further
    near = behind >= 0.5
    over, under = np.where(near, behind, 1.0), np.where(near, 1.0, 1.0 - behind)
    up, down = weight * near, weight * ~near
    ahead, found = np.zeros_like(behind), np.empty((*mean.shape, k))
    for c in range(k):
        ahead = (count[c][:, :, None] - ahead * (1.0 - over)) / over
        found[:, :, c] = np.einsum("sgi,sgi->si", up, ahead)
    ahead = np.zeros_like(behind)
    for c in range(k, 0, -1):
        ahead = (count[c][:, :, None] - ahead * (1.0 - under)) / under
        found[:, :, c - 1] += np.einsum("sgi,sgi->si", down, ahead)
    return found


def _density(x: Floats, curve: str) -> Floats:
    x = np.maximum(x, -700.0)  # nothing there, and no number for it
    density = np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi) if curve == "normal" else np.exp(-x - np.exp(-x))
    return np.asarray(density, dtype=np.float64)


def _below(x: Floats, curve: str) -> Floats:
    """Chance of a performance below some value, in widths from its mean."""
    return np.asarray(ndtr(x) if curve == "normal" else np.exp(-np.exp(np.minimum(-x, 700.0))))


def _of_many(mean: Floats, spread: Floats, curve: str, place: Ints) -> Floats:
    """As `_by_count` for one session of many sides, whose performances are summed together.

    That nobody is ahead of a performance is exact. How many are is nearly normal, with a term for the skewness [1]_:
    chances are right to about 0.01.

    References
    ----------
    .. [1] A. Y. Volkova, "A Refinement of the Central Limit Theorem for Sums of Independent Random Indicators", Theory
       of Probability and Its Applications 40 (1996), p. 791-794.
    """
    if np.isnan(mean).any():
        return np.full((len(mean), len(place)), np.nan)
    width = np.maximum(_widths(spread, curve), (mean.max() - mean.min()) / POINTS)
    low, high = REACH[curve]
    start, end = float((mean + low * width).min()), float((mean + min(high, 18.0) * width).max())
    at = np.linspace(start, end, min(int((end - start) / (0.25 * float(width.min()))) + 2, 8 * POINTS))
    z = (at[:, None] - mean) / width
    behind, weight = np.maximum(_below(z, curve), 1e-300), _density(z, curve)
    weight = weight / weight.sum(axis=0)
    ahead, nobody = (1.0 - behind).sum(axis=1), np.log(behind).sum(axis=1)
    own = 1.0 - behind
    found = np.empty((len(mean), len(place)))
    found[:, 0] = (weight * np.exp(nobody[:, None] - np.log(behind))).sum(axis=0)
    each = own * behind
    ahead = ahead[:, None] - own  # of the others
    deviation = np.sqrt(np.maximum(each.sum(axis=1)[:, None] - each, 1e-9))
    skew = each * (behind - own)
    lean = (skew.sum(axis=1)[:, None] - skew) / (6.0 * deviation**3)
    for n, first in enumerate(place[1:].tolist(), 1):
        z = (first - 0.5 - ahead) / deviation
        below = np.clip(ndtr(z) - lean * (z * z - 1.0) * _density(z, "normal"), 0.0, 1.0)
        found[:, n] = (weight * below).sum(axis=0)
    return np.clip(found, 0.0, 1.0)


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


MEETINGS = 16
"""How many others each side is paired with in a session of more than `MANY` sides."""


@frozen(eq=False)
class Pairings:
    """Pairs of sides of sessions, which together stand for the session in sums over players.

    Attributes
    ----------
    session : (n,) int
        Session of each pair.
    i, j : (n,) int
        Its sides.
    weight : (n,) float64
        One over the number of pairs of its session.
    """

    session: Ints
    i: Ints
    j: Ints
    weight: Floats

    @classmethod
    def of(cls, result: Ints) -> "Pairings":
        """All pairs of sides of each session; in one of more than `MANY` sides, as many for every side, evenly spread.

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
        """Weighed log loss of each pair; those of a session add up to its `mean` over all of its pairs."""
        loss = losses(strengths.ahead(self.i, self.j), 0.5 + 0.5 * np.sign(score[self.i] - score[self.j]))
        rest = mean - np.bincount(self.session, loss * self.weight, len(mean))
        return np.asarray((loss + rest[self.session]) * self.weight)


def _meetings(k: int) -> tuple[Ints, Ints]:
    """The pairs of `k` sides; of more than `MANY` those at some distances around a table, so that all meet as many."""
    if k <= MANY:
        return np.triu_indices(k, 1)
    gaps = np.unique(np.linspace(1, (k - 1) // 2, MEETINGS // 2).astype(np.int64))
    i = np.tile(np.arange(k), len(gaps))
    return i, (i + np.repeat(gaps, k)) % k


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
