"""The 400-point rule: how much of a difference of ratings counts, in each regime of the regulations."""

from collections.abc import Mapping
from math import inf

import numpy as np
from attrs import frozen

from ratingcore.plugin import Floats, Ints
from ratingcore.plugin.rules import ALWAYS, day, in_force
from ratingcore_elo.federation.views import Bools, Views


@frozen
class CapRegime:
    """How much of a difference one edition of the regulations counts.

    Parameters
    ----------
    cap : float, rating points
        A greater difference counts as this.
    free_from : float, rating points
        Players rated as high are always rated by the true difference.
    once : bool
        Whether only the greatest difference of each player in each event is capped. Games of one call that name no
        event are one event: the rule grants one capped game a tournament, and nothing says that they are of several.
    """

    cap: float = inf
    free_from: float = inf
    once: bool = False


Dated = tuple[tuple[int, CapRegime], ...]
"""Regimes, each with the instant from which it is in force."""

_PRE2009, _2014 = CapRegime(350.0), CapRegime(400.0)
_2022, _2025 = CapRegime(400.0, once=True), CapRegime(400.0, free_from=2650.0)

RULES: Mapping[str, Dated] = {
    "none": ((ALWAYS, CapRegime()),),
    "pre2009": ((ALWAYS, _PRE2009),),
    "2014": ((ALWAYS, _2014),),
    "2022": ((ALWAYS, _2022),),
    "2024": ((ALWAYS, _2014),),
    "2025": ((ALWAYS, _2025),),
    "by-date": (
        (ALWAYS, _PRE2009), (day("2009-07-01"), _2014), (day("2022-01-01"), _2022), (day("2024-03-01"), _2014),
        (day("2025-10-01"), _2025),
    ),
}  # fmt: skip
"""Regimes by the word of the parameter `rule`."""

_UNNAMED = -1.0
"""In place of the label of the event where a game names none; labels are never negative."""


def capped(regimes: Dated, views: Views, gap: Floats, own: Floats, counting: Bools) -> Floats:
    """The difference each side's own calculation uses.

    Parameters
    ----------
    regimes : tuple of (instant, CapRegime)
        Each regime from an instant on.
    views : Views
    gap : (m,) float64, rating points
        Own rating less the opponent's, of each view.
    own : (m,) float64, rating points
        Own rating.
    counting : (m,) bool
        Which views are rated; the others never are a player's greatest difference.
    """
    if len(regimes) == 1 and regimes[0][1].free_from == inf and not regimes[0][1].once:
        return np.clip(gap, -regimes[0][1].cap, regimes[0][1].cap)
    starts, each = zip(*regimes, strict=True)
    which = in_force(starts, views.played)
    most = np.array([regime.cap for regime in each])[which]
    over = (np.abs(gap) > most) & ~(own >= np.array([regime.free_from for regime in each])[which])
    rare = np.flatnonzero(over & counting & np.array([regime.once for regime in each])[which])
    if len(rare):
        over[rare] = _greatest(views, gap, rare)
    return np.where(over, np.copysign(most, gap), gap)


def _greatest(views: Views, gap: Floats, rare: Ints) -> Bools:
    """Which views have the greatest difference of their player in their event; the earliest among equals."""
    event, player = np.nan_to_num(views.event[rare], nan=_UNNAMED), views.player[rare]
    order = np.lexsort((views.position[rare], views.played[rare], -np.abs(gap[rare]), event, player))
    first = np.ones(len(rare), dtype=np.bool_)
    first[1:] = (np.diff(event[order]) != 0) | (np.diff(player[order]) != 0)
    greatest = np.zeros(len(rare), dtype=np.bool_)
    greatest[order[first]] = True
    return greatest
