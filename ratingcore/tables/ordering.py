"""Order of play and numbering of players: the two sorts behind a timeline, done by arrays."""

import numpy as np
from numpy.typing import NDArray

from ratingcore.tables.arrays import Ints
from ratingcore.tables.timeline import NEVER, GameTable, Players, SeedTable, SessionTable

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
    places = [_place(known, *key) for key in zip(fresh.played, fresh.order, fresh.position, strict=True)]
    return GameTable(*(np.insert(column, places, late) for column, late in zip(known, fresh, strict=True)))


def _place(games: GameTable, played: int, order: int, position: int) -> int:
    low, high = int(np.searchsorted(games.played, played)), int(np.searchsorted(games.played, played, "right"))
    for column, value in ((games.order, order), (games.position, position)):
        part = column[low:high]
        low, high = low + int(np.searchsorted(part, value)), low + int(np.searchsorted(part, value, "right"))
    return low


def numbered(games: GameTable, sessions: SessionTable, seeds: SeedTable) -> Players:
    """Players of ids in order of first appearance: seeds before results of the same time, a before b."""
    pairs = np.empty(2 * len(games.a), dtype=np.int32)
    pairs[0::2], pairs[1::2] = games.a, games.b
    parts = [_appearances(pairs, 1, np.arange(len(pairs)) // 2, games.played, games.order, games.position)]
    if len(sessions.player):
        per_session = np.diff(sessions.side[sessions.result])
        which = np.repeat(np.arange(len(sessions.played)), per_session)
        parts.append(_appearances(sessions.player, 1, which, sessions.played, sessions.order, sessions.position))
    if len(seeds.player):
        which = np.arange(len(seeds.player))
        parts.append(_appearances(seeds.player, 0, which, seeds.played, which, which))
    ids, *keys = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort(keys[::-1])
    _, first = np.unique(ids[order], return_index=True)
    chosen = order[np.sort(first)]
    nothing = np.zeros(len(chosen), dtype=np.int64)
    players = Players(ids[chosen].astype(np.int32), keys[0][chosen], np.full(len(chosen), NEVER), nothing)
    row = players.rows(int(ids.max(initial=0)) + 1)
    results = order[keys[1][order] == 1][::-1]
    players.debut[row[ids[results]]] = keys[0][results]  # the last assignment stands: the earliest
    return players._replace(results=counted(row[pairs], len(chosen)) + counted(row[sessions.player], len(chosen)))


def counted(rows: Ints, players: int) -> NDArray[np.int64]:
    """How often each row stands in a column."""
    return np.bincount(rows, minlength=players).astype(np.int64)


def _appearances(
    ids: Ints, phase: int, result: NDArray[np.int64], played: Ints, order: Ints, position: Ints
) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints]:
    """Id, played, phase, order, position and seat of the first appearance of each id in one table."""
    first = np.full(int(ids.max()) + 1 if len(ids) else 1, -1, dtype=np.int64)
    first[ids[::-1]] = np.arange(len(ids))[::-1]  # the last assignment stands: the first appearance
    seat = first[first >= 0]
    at = result[seat]
    return ids[seat], played[at], np.full(len(seat), phase), order[at], position[at], seat
