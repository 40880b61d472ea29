"""Computes chances of places: how likely each side of a session is to finish in a place or better."""

import numpy as np

from ratingcore.columns import Floats, Ints
from ratingcore.methods.curves import ndtr
from ratingcore.methods.strengths import Strengths

EXACT = 6
"""Largest number of sides for which places in the Plackett-Luce model are summed over all orders of arrival."""
MANY = 64
"""Number of sides beyond which only some places are computed, by a normal approximation."""
BANDS = 32
"""Number of places that are computed beyond `MANY` sides."""
STEP, FINE = 0.32, 1.05
"""A step of the sums over performances is at most `STEP` and at most `FINE / sqrt(sides)`, in widths of the narrowest
side. With these steps chances are off by less than 1e-9."""
FAR = 2**13
"""If there would be more steps than this, those that are far from every side are skipped."""
POINTS = 1025
"""With very many sides, no side is taken as narrower than the range of their means divided by this number."""
CELLS = 2**21
"""Largest number of cells held in memory at once."""
REACH = {"normal": (-7.5, 7.5), "logistic": (-4.0, 36.0)}
"""Range of performances, in widths from the mean, outside which their chance is negligible."""


def places(strengths: Strengths, sides: Ints) -> tuple[Floats, Ints]:
    """Computes how likely each side is to finish in each place of its session or better.

    The performances of sides are independent, with the distributions in `Strengths`. A side's place follows from the
    number of performances above its own. Draw margins do not matter, because two performances are never equal.

    Parameters
    ----------
    strengths : Strengths
    sides : (sessions, k) int
        Sides of sessions of `k` sides each.

    Returns
    -------
    (sessions, k, m) float64 in [0, 1]
        Chance of each side to finish in each place or better; NaN where a side is unrated.
    (m,) int
        The places: 1 to k - 1; with more than 64 sides about 32 of these, evenly spread, with the first.
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
    """Returns deviations or scales of performances; at least 1/20 of the widest, so that sums do not step over them."""
    width = np.sqrt(spread if curve == "normal" else 2.0 * spread)
    widest = width.max(axis=-1, keepdims=True)
    return np.maximum(width, np.where(widest > 0.0, 0.05 * widest, 1e-9))


def _by_arrival(mean: Floats, width: Floats) -> Floats:
    """Computes chances of places in the Plackett-Luce model: the next to arrive is drawn from the rest by worth."""
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
    """Computes chances of places by sums over performances in even steps, which are very exact for such curves [1]_.

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
    """Returns the performances that at least one side may have, for a session whose sides are far apart."""
    order = np.argsort(start)
    start, end = start[order], np.maximum.accumulate(end[order])
    gap = np.flatnonzero(start[1:] > end[:-1] + step)
    spans = zip(start[np.concatenate([[0], gap + 1])], end[np.concatenate([gap, [len(end) - 1]])], strict=True)
    return np.concatenate([np.arange(first, last + step, step) for first, last in spans])


def _by_count(mean: Floats, width: Floats, step: Floats, at: Floats, curve: str) -> Floats:
    """Sums, over some performances, the chance that a side has that performance and 0, 1, ... other sides are above it.

    All sides of a session share these performances. For each, the distribution of the number of sides above it is
    computed once, by adding one side after the other. Then each side's own factor is divided out, from the end at
    which errors do not grow.
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
    x = np.maximum(x, -700.0)  # outside the range, where the formula overflows
    density = np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi) if curve == "normal" else np.exp(-x - np.exp(-x))
    return np.asarray(density, dtype=np.float64)


def _below(x: Floats, curve: str) -> Floats:
    """Returns the chance of a performance below a value, given in widths from its mean."""
    return np.asarray(ndtr(x) if curve == "normal" else np.exp(-np.exp(np.minimum(-x, 700.0))))


def _of_many(mean: Floats, spread: Floats, curve: str, place: Ints) -> Floats:
    """Computes chances of places for one session of many sides.

    The chance that nobody is above a performance is exact. The number of sides above it is taken as normal, with a
    correction for skewness [1]_; chances are right to about 0.01.

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
