"""Counting results by player: blocks at a time, so that columns of millions stay in the cache of a core."""

import numpy as np

from ratingcore.tables.arrays import Ints
from ratingcore.tables.ordering import counted
from ratingcore.tables.pieces import Spliced
from ratingcore.tables.timeline import Timeline


def counted_results(timeline: Timeline) -> Ints:
    """How many results each player of a timeline takes part in."""
    if timeline.results is not None:
        return timeline.results
    counts = np.zeros(len(timeline.players.id), dtype=np.int64)
    count_into(counts, timeline.table, 0, len(timeline.table), timeline.sessions.player, 1)
    return counts


def count_into(counts: Ints, table: Spliced, start: int, stop: int, seated: Ints, sign: int) -> None:
    """Add to the counts of players the games between two indices, and the seats of sessions."""
    for at in range(start, stop, _BLOCK):  # blocks that stay in the cache of a core while they are widened
        games = table.part(at, min(at + _BLOCK, stop))
        for ids in (games.a, games.b):
            counts += sign * counted(ids, len(counts))
    counts += sign * counted(seated, len(counts))


_BLOCK = 262_144
