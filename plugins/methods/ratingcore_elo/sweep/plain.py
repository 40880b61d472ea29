"""The loop of a sweep without a compiler: numpy on a row of settings, game by game."""

from itertools import pairwise

import numpy as np

from ratingcore.plugin import Floats, Games, Ints
from ratingcore_elo.sweep.settings import OCTAVE, SweptSettings

LIMIT = 49.82892142331043
"""Largest gap that counts, in octaves: there the odds are 1e15, at which log losses are cut off."""


def plain(settings: SweptSettings, games: Games, ahead: Floats, given: Floats, cuts: Ints) -> Floats:
    """Runs a pass in double precision, for few games or without numba."""
    table = settings.started(given)
    totals = np.zeros((len(settings.k), len(cuts) - 1))
    for piece, (start, stop) in enumerate(pairwise(cuts.tolist())):
        totals[:, piece] = _played(settings, games.part(start, stop), ahead[start:stop], table)
    return totals


def _played(settings: SweptSettings, games: Games, ahead: Floats, table: Floats) -> Floats:
    """Rates some games in place in `table`; returns the sum of their log losses."""
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
