"""Many settings of Elo in one pass: the ratings of all of them move game by game, side by side in memory."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Games, Ints

OCTAVE = 0.30102999566398120
"""Scales to an octave: a gap of so much of the scale doubles the odds."""
LIMIT = 49.82892142331043
"""Octaves beyond which a gap counts no further: the odds are 1e15, where log losses are cut off."""
LIMIT_SINGLE = 15.0
"""The same in single precision, where products of eight odds have to stay finite: 1800 points on a scale of 400."""
ABREAST = 64
"""Settings in one pass: the ratings of a player under all of them fill a few lines of a cache."""
REPAYS_COMPILING = 10_000
"""Games that repay numba, which takes half a second to load where it has compiled the loop before."""


class Settings(NamedTuple):
    """What moves the loop: a number a setting, in rating points."""

    k: Floats
    first_move: Floats
    scale: Floats
    initial: Floats


Loop = Callable[["Settings", Games, Floats, Floats, Ints], Floats]


def losses(settings: Settings, games: Games, ahead: Floats, given: Floats, cuts: Ints, single: bool) -> Floats:
    """Sum of the log losses of each setting between each two cuts.

    Parameters
    ----------
    ahead : (n,) float64
        1 where `a` has the first move, -1 where `b` has it.
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
    loop = _compiled(single) if len(games) >= REPAYS_COMPILING else None
    if loop is None:
        loop = plain
    told = [loop(few, games, ahead, given, cuts) for few in _abreast(settings, 2 * ABREAST if single else ABREAST)]
    return np.concatenate(told)


def _abreast(settings: Settings, most: int) -> Iterable[Settings]:
    """The settings in groups of one pass each."""
    for start in range(0, len(settings.k), most):
        yield Settings(*(column[start : start + most] for column in settings))


def _compiled(single: bool) -> Loop | None:
    """The loop in machine code; None without numba."""
    try:
        from ratingcore_elo import sweep_compiled  # loads numba
    except ImportError:
        return None
    return sweep_compiled.single if single else sweep_compiled.double


def started(settings: Settings, given: Floats, kind: type[Any] = np.float64) -> Any:
    """Rating of every player under every setting before the first game, less the initial one, in octaves."""
    table = np.zeros((len(given), len(settings.k)), dtype=kind)
    seeded = np.flatnonzero(~np.isnan(given))
    table[seeded] = (given[seeded, None] - settings.initial) / (settings.scale * OCTAVE)
    return table


def plain(settings: Settings, games: Games, ahead: Floats, given: Floats, cuts: Ints) -> Floats:
    """The loop without a compiler: a row of settings at a time."""
    table = started(settings, given)
    told = np.zeros((len(settings.k), len(cuts) - 1))
    for piece, (start, stop) in enumerate(pairwise(cuts.tolist())):
        told[:, piece] = _played(settings, games.part(start, stop), ahead[start:stop], table)
    return told


def _played(settings: Settings, games: Games, ahead: Floats, table: Floats) -> Floats:
    """Sum of the log losses of some games; the ratings in the table move on."""
    octaves = settings.scale * OCTAVE
    k, first_move = settings.k / octaves, settings.first_move / octaves
    total = np.zeros(len(k))
    cells = (games.a, games.b, games.score, ahead)
    for i, j, score, side in zip(*(column.tolist() for column in cells), strict=True):
        x, y = table[i], table[j]
        behind = np.clip(y - x - side * first_move, -LIMIT, LIMIT)
        odds = 1.0 + np.exp2(behind)
        change = k * (score - 1.0 / odds)
        x += change
        y -= change
        total += np.log(odds) - (1.0 - score) * np.log(2.0) * behind
    return total
