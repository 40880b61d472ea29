"""Many settings of Elo in one pass: the ratings of all of them move game by game, side by side in memory."""

from collections.abc import Callable

import numpy as np

from ratingcore.plugin import Floats, Games, Ints
from ratingcore_elo.sweep.plain import plain
from ratingcore_elo.sweep.settings import SweptSettings

ABREAST = 64
"""Number of settings in one pass: the ratings of a player under all of them fill a few lines of a cache."""
REPAYS_COMPILING = 10_000
"""Number of games from which on numba pays: it takes half a second to load, even if the loop is compiled already."""

Loop = Callable[[SweptSettings, Games, Floats, Floats, Ints], Floats]


def losses(settings: SweptSettings, games: Games, given: Floats, cuts: Ints, single: bool) -> Floats:
    """Returns the sum of the log losses of each setting between neighbouring cuts.

    Parameters
    ----------
    given : (players,) float64, rating points
        First ratings given from outside; NaN where there is none.
    cuts : (m + 1,) int
        Indices of games, from 0 on, never decreasing.
    single : bool
        In single precision, if the loop is compiled.

    Returns
    -------
    (settings, m) float64, nats
    """
    ahead = games["home"] if settings.first_move.any() else np.zeros(len(games))
    loop = _compiled(single) if len(games) >= REPAYS_COMPILING else None
    if loop is None:
        loop = plain
    groups = settings.groups(2 * ABREAST if single else ABREAST)
    return np.concatenate([loop(group, games, ahead, given, cuts) for group in groups])


def _compiled(single: bool) -> Loop | None:
    """The loop in machine code; None without numba."""
    try:
        from ratingcore_elo.sweep import compiled  # here, since it loads numba, which is slow and may be missing
    except ImportError:
        return None
    return compiled.single if single else compiled.double
