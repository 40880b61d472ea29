"""US Chess' formulas for one player and one event."""

from math import floor, isnan, sqrt
from typing import NamedTuple

import numpy as np

from ratingcore.plugin import LN10, Floats, expit

PROVISIONAL = 8
"""Games up to which a rating is a mean, or a special one."""


class Step(NamedTuple):
    """A new rating, the bonus in it, the K with which it was made (None for means), and the part of each game."""

    rating: float
    bonus: float
    k: float | None
    parts: Floats


def effective(rating: float, games: float) -> float:
    """Games that a rating is worth: the less, the lower it is."""
    worth = 50.0 if rating > 2355.0 else 50.0 / sqrt(0.662 + 7.39e-6 * (2569.0 - rating) ** 2)
    return min(games, worth)


def standard(
    rating: float, games: float, opponents: Floats, scores: Floats, bonus: float, repeated: bool, dual: bool
) -> Step:
    """The standard formula; `repeated` if somebody was met more than twice, `dual` if the time control is short."""
    m = len(scores)
    factor = 800.0
    if dual and rating > 2200.0:
        factor = 200.0 if rating >= 2500.0 else 800.0 * (6.5 - 0.0025 * rating)
    k = factor / (effective(rating, games) + m)
    parts = k * (scores - expit((rating - opponents) * (LN10 / 400.0)))
    gain = float(parts.sum())
    extra = max(0.0, gain - bonus * sqrt(max(m, 4))) if m >= 3 and not repeated else 0.0
    return Step(rating + gain + extra, extra, k, parts)


def short(
    rating: float, games: float, opponents: Floats, scores: Floats, bonus: float, repeated: bool, dual: bool = False
) -> Step:
    """The short form of the federation's leaflet.

    Examples
    --------
    >>> step = short(1500.0, 6.0, np.array([1400.0, 1550.0, 1650.0]), np.array([1.0, 0.0, 0.5]), 14.0, False)
    >>> round(step.rating, 3)
    1511.111
    """
    if games > PROVISIONAL:
        return standard(rating, games, opponents, scores, bonus, repeated, dual)
    worth = opponents + 400.0 * (2.0 * scores - 1.0)
    parts = (worth - rating) / (games + len(scores))
    new = (games * rating + float(worth.sum())) / (games + len(scores))
    return Step(new, 0.0, None, parts)


def special(rating: float, games: float, opponents: Floats, scores: Floats, record: float) -> float:
    """The special rating of newcomers and of perfect records: where a curve of straight lines expects the points made.

    `record` is 1 if all games so far were won, -1 if all were lost, 0 if neither, NaN if there was none.
    """
    n = effective(rating, games)
    won, lost = bool((scores == 1.0).all()), bool((scores == 0.0).all())
    perfect = (
        1.0 if won and (isnan(record) or record > 0.0) else (-1.0 if lost and (isnan(record) or record < 0.0) else 0.0)
    )
    start = rating - 400.0 * record if abs(record) == 1.0 else rating
    points = float(scores.sum()) + n * (0.5 if abs(record) != 1.0 else 0.5 + 0.5 * record)
    knots = np.sort(np.concatenate([opponents - 400.0, opponents + 400.0, [start - 400.0, start + 400.0]]))

    def excess(x: float) -> float:
        share = np.clip(0.5 + (x - opponents) / 800.0, 0.0, 1.0)
        return float(share.sum()) + n * min(max(0.5 + (x - start) / 800.0, 0.0), 1.0) - points

    values = [excess(float(x)) for x in knots]
    if perfect:
        low = [float(x) for x, value in zip(knots, values, strict=True) if abs(value) < 1e-9]
        found = (min(low) if perfect > 0.0 else max(low)) if low else rating
        return max(found, rating) if perfect > 0.0 and games > 0.0 else min(found, rating) if games > 0.0 else found
    flat = [float(x) for x, value in zip(knots, values, strict=True) if abs(value) < 1e-9]
    if flat:
        return min(max(rating, min(flat)), max(flat))
    for (x, below), (y, above) in zip(
        zip(knots[:-1], values[:-1], strict=True), zip(knots[1:], values[1:], strict=True), strict=True
    ):
        if below < 0.0 < above:
            return float(x - below * (y - x) / (above - below))
    return rating


def initial(age: float, unknown: float) -> float:
    """First rating by age: 50 points a year, from 100 to 1300.

    Examples
    --------
    >>> initial(12.0, 750.0), initial(40.0, 750.0), initial(float("nan"), 750.0)
    (600.0, 1300.0, 750.0)
    """
    return unknown if isnan(age) else min(max(50.0 * age, 100.0), 1300.0)


def floor_of(wins: float, draws: float, events: float, peak: float) -> float:
    """The floor of a player: by what they have played, and 200 points below the best established rating."""
    least = min(100.0 + 4.0 * wins + 2.0 * draws + events, 150.0)
    return max(least, min(floor((peak - 200.0) / 100.0) * 100.0, 2100.0)) if peak >= 1400.0 else least
