"""Elo period by period: all games use the ratings at the start, and are applied together at the end."""

import numpy as np

from ratingcore.plugin import Floats, Games


def lifted(games: Games, rating: Floats, floor: float) -> Floats:
    """What lifts each player of the period who would end it below the floor back to the floor."""
    below = np.zeros(len(rating), dtype=np.bool_)
    below[games.a] = below[games.b] = True
    below &= rating < floor
    return np.where(below, floor - rating, 0.0)
