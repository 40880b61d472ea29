"""Order of play: by time, at one time by the order that was given, then as the log learnt of it."""

import numpy as np

from ratingcore.columns.arrays import Ints
from ratingcore.columns.pieces import GameTable

_FEW = 0.02
"""Share of late games up to which placing each of them beats sorting everything."""


def play_order(played: Ints, order: Ints, position: Ints) -> Ints:
    """Indices that put results or seeds in order of play."""
    return np.lexsort((position, order, played))


def in_order(games: GameTable) -> bool:
    """Whether games are in order of play: cheaper than sorting them, and nearly always true."""
    if len(games.played) < 2:
        return True
    step = np.diff(games.played)
    if step.min() < 0:
        return False
    tied = step == 0
    turn = np.diff(games.order.astype(np.int64))[tied]
    if not turn.any():
        return bool((np.diff(games.position)[tied] > 0).all())
    place = np.diff(games.position)[tied]
    return bool(((turn > 0) | ((turn == 0) & (place > 0))).all())


def in_play_order(games: GameTable) -> GameTable:
    """The games in order of play."""
    if in_order(games):
        return games
    return games.take(play_order(games.played, games.order, games.position))


def follows(first: GameTable, second: GameTable) -> bool:
    """Whether everything sorted in `second` comes after everything in `first`."""
    if not len(first.played) or not len(second.played):
        return True
    return bool(
        (first.played[-1], first.order[-1], first.position[-1])
        < (second.played[0], second.order[0], second.position[0])
    )


def merged(known: GameTable, fresh: GameTable) -> GameTable:
    """Two tables in order of play as one."""
    if follows(known, fresh):
        return known.then(fresh) if len(known.played) else fresh
    if len(fresh.played) > _FEW * len(known.played):
        return in_play_order(known.then(fresh))
    places = [known.place(*key) for key in zip(fresh.played, fresh.order, fresh.position, strict=True)]
    return GameTable(*(np.insert(column, places, late) for column, late in zip(known, fresh, strict=True)))
