"""Order of play and numbering of players: the two sorts behind a timeline, done by arrays."""

import numpy as np
from numpy.typing import NDArray

from ratingcore.tables.arrays import Ints
from ratingcore.tables.pieces import GameTable
from ratingcore.tables.timeline import NEVER, Players, SeedTable, SessionTable

_FEW = 0.02
"""Share of late games up to which placing them one by one beats sorting everything."""


def in_order(games: GameTable) -> bool:
    """Whether games are sorted by (played, order, position)."""
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
    """The games sorted by (played, order, position)."""
    if in_order(games):
        return games
    return games.take(np.lexsort((games.position, games.order, games.played)))


def follows(first: GameTable, second: GameTable) -> bool:
    """Whether everything sorted in `second` comes after everything in `first`."""
    if not len(first.played) or not len(second.played):
        return True
    return bool(
        (first.played[-1], first.order[-1], first.position[-1])
        < (second.played[0], second.order[0], second.position[0])
    )


def merged(known: GameTable, fresh: GameTable) -> GameTable:
    """Two sorted tables as one."""
    if follows(known, fresh):
        return known.then(fresh) if len(known.played) else fresh
    if len(fresh.played) > _FEW * len(known.played):
        return in_play_order(known.then(fresh))
    places = [known.place(*key) for key in zip(fresh.played, fresh.order, fresh.position, strict=True)]
    return GameTable(*(np.insert(column, places, late) for column, late in zip(known, fresh, strict=True)))


def numbered(games: GameTable, sessions: SessionTable, seeds: SeedTable) -> Players:
    """Players of ids in order of first appearance: seeds before results of the same time, a before b."""
    limit = 1 + max(int(ids.max(initial=0)) for ids in (games.a, games.b, sessions.player, seeds.player))
    seat = np.minimum(2 * _first(games.a, limit), 2 * _first(games.b, limit) + 1)
    ids = np.flatnonzero(seat < 2 * len(games.a))
    parts = [_appearances(ids, seat[ids], seat[ids] // 2, 1, games)]
    if len(sessions.player):
        seat = _first(sessions.player, limit)
        ids = np.flatnonzero(seat < len(sessions.player))
        result = np.searchsorted(sessions.side[sessions.result], seat[ids], "right") - 1
        parts.append(_appearances(ids, seat[ids], result, 1, sessions))
    if len(seeds.player):
        seat = _first(seeds.player, limit)
        ids = np.flatnonzero(seat < len(seeds.player))
        parts.append(_appearances(ids, seat[ids], seat[ids], 0, seeds))
    known, *keys = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort(keys[::-1])
    _, first = np.unique(known[order], return_index=True)
    chosen = order[np.sort(first)]
    debut = np.full(limit, NEVER)
    results = order[keys[1][order] == 1][::-1]
    debut[known[results]] = keys[0][results]  # the last assignment stands: the earliest
    ids = known[chosen]
    return Players(ids.astype(np.int32), keys[0][chosen], debut[ids])


def counted(rows: Ints, players: int) -> NDArray[np.int64]:
    """How often each row stands in a column."""
    return np.bincount(rows, minlength=players).astype(np.int64)


def _first(ids: Ints, limit: int) -> NDArray[np.int64]:
    """Index at which each id first stands in a column; more than any index for those that do not."""
    first = np.full(limit, np.iinfo(np.int64).max // 4)
    first[ids[::-1]] = np.arange(len(ids) - 1, -1, -1)  # the last assignment stands: the first appearance
    return first


def _appearances(
    ids: Ints, seat: Ints, result: Ints, phase: int, table: GameTable | SessionTable | SeedTable
) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints]:
    """Id, played, phase, order, position and seat of first appearances in one table."""
    order = result if isinstance(table, SeedTable) else table.order[result]
    return ids, table.played[result], np.full(len(ids), phase), order, table.position[result], seat
