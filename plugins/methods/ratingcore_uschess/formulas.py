"""US Chess' formulas for one player and one event."""

from collections.abc import Callable
from math import floor, isnan, sqrt
from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats
from ratingcore.plugin.curves import LN10, expit

FLOOR = 100.0
"""The lowest rating."""

PROVISIONAL = 8
"""Games up to which a rating is a mean, or a special one."""

TOLERANCE = 1e-7
"""Tolerance of the search for a special rating, in points of a game or of a rating."""


class Step(NamedTuple):
    """A new rating, the bonus in it, the K with which it was made (None for means), and the part of each game."""

    rating: float
    bonus: float
    k: float | None
    parts: Floats


def effective(rating: float, games: float) -> float:
    """Effective number of games behind a rating: fewer for lower ratings."""
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
    rating: float, games: float, opponents: Floats, scores: Floats, bonus: float, repeated: bool, floor: float = FLOOR
) -> Step:
    """The short form of the federation's leaflet; no rating ends below the floor.

    Examples
    --------
    >>> step = short(1500.0, 6.0, np.array([1400.0, 1550.0, 1650.0]), np.array([1.0, 0.0, 0.5]), 14.0, False)
    >>> round(step.rating, 3)
    1511.111
    """
    if games > PROVISIONAL:
        step = standard(rating, games, opponents, scores, bonus, repeated, dual=False)
        return step._replace(rating=max(step.rating, floor))
    worth = opponents + 400.0 * (2.0 * scores - 1.0)
    parts = (worth - rating) / (games + len(scores))
    new = (games * rating + float(worth.sum())) / (games + len(scores))
    return Step(max(new, floor), 0.0, None, parts)


def special(rating: float, worth: float, opponents: Floats, scores: Floats, record: float = 0.0) -> float:
    """The special rating: expected points, linear from 0 at 400 below an opponent to 1 at 400 above, equal those made.

    The rating before the event counts as `worth` games drawn against an equal. If all earlier games were won (`record`
    1), it counts as `worth` wins against 400 points less; if all were lost (-1), as `worth` losses against 400 points
    more. The search starts from the mean of the leaflet and goes from bend to bend of the expectation. If it ends more
    than 400 points from every opponent, all ratings between the two nearest bends fit, and the one nearest to the
    rating before is taken. The result is at most 2700.

    Examples
    --------
    A player who beats 1000 and loses to 2600 may have any rating from 1400 to 2200; the rating before narrows that.

    >>> won_and_lost = np.array([1.0, 0.0])
    >>> [special(before, 0.0, np.array([1000.0, 2600.0]), won_and_lost) for before in (1300.0, 2400.0, 1750.0)]
    [1700.0, 2000.0, 1800.0]
    """
    start = rating - 400.0 * record
    points = float(scores.sum()) + worth * (1.0 + record) / 2.0
    middles, weights = np.append(opponents, start), np.append(np.ones(len(opponents)), worth)
    bends = np.unique(np.concatenate([middles - 400.0, middles + 400.0]))

    def excess(x: float) -> float:
        """Points expected of a rating `x`, minus the points scored."""
        return float(weights @ np.clip(0.5 + (x - middles) / 800.0, 0.0, 1.0)) - points

    gained = 400.0 * (2.0 * float(scores.sum()) - len(scores))
    found = (worth * start + float(opponents.sum()) + gained) / (worth + len(scores))
    while (over := excess(found)) > TOLERANCE:
        found = _toward(found, over, float(bends[bends < found].max()), excess)
    while (under := excess(found)) < -TOLERANCE:
        found = _toward(found, under, float(bends[bends > found].min()), excess)
    if not (np.abs(found - middles) <= 400.0 + TOLERANCE).any():
        found = min(max(rating, float(bends[bends < found].max())), float(bends[bends > found].min()))
    return min(found, 2700.0)


def _toward(found: float, excess_found: float, bend: float, excess: Callable[[float], float]) -> float:
    """The zero of the straight line through `found` and the next bend, or the bend if the zero lies beyond it."""
    slope = excess_found - excess(bend)
    if abs(slope) < TOLERANCE:
        return bend
    zero = found - excess_found * (found - bend) / slope
    return max(zero, bend) if bend < found else min(zero, bend)


def initial(age: float, unknown: float) -> float:
    """First rating by age: 50 points a year, from 100 to 1300.

    Examples
    --------
    >>> initial(12.0, 750.0), initial(40.0, 750.0), initial(float("nan"), 750.0)
    (600.0, 1300.0, 750.0)
    """
    return unknown if isnan(age) else min(max(50.0 * age, 100.0), 1300.0)


def floor_of(wins: float, draws: float, events: float, peak: float) -> float:
    """The floor of a player: by their record, and at 200 points below their best established rating."""
    least = min(FLOOR + 4.0 * wins + 2.0 * draws + events, 150.0)
    return max(least, min(floor((peak - 200.0) / 100.0) * 100.0, 2100.0)) if peak >= 1400.0 else least
