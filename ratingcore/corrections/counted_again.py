"""Finds results that count again because their void was taken back, although their replacements count too."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable

from ratingcore.columns.games import Ints
from ratingcore.events import Row
from ratingcore.events.rows import players_of_row
from ratingcore.events.times import DAY
from ratingcore.log import Log
from ratingcore.log.lookup import corrections_of

ResultsOf = Callable[[str, Collection[int]], Ints]
"""Function that returns the positions of results in a pool, given by name, in which any of some players took part."""

_RESULTS = ("game", "session")


def counted_twice(log: Log, then: Log, results_of: ResultsOf) -> list[tuple[int, int]]:
    """Returns pairs of positions: a result that corrections made count again, and its likely replacement.

    The replacement was recorded while the first result was void. It has the same pool, day and players; other facts
    may differ.

    Parameters
    ----------
    log, then : Log
        The log without the corrections, and with them.
    results_of : callable
        Finds results of the log without the corrections.

    Returns
    -------
    list of (int, int)
        Pairs in the order of the log.
    """
    taken_back = {row.ref for row in then.rows(log.head.position, None, ("void",)) if row.ref is not None}
    voids = [row for row in log.rows_at(sorted(taken_back)) if row.kind == "void"]
    since = {row.ref: row.position for row in voids if row.ref is not None}
    if not since:
        return []
    reading, waiting = corrections_of(then), defaultdict[Hashable, list[tuple[int, int]]](list)
    players = defaultdict[int, set[int]](set)
    for row in then.rows_at(sorted(since)):
        read = reading.read(row) if row.kind in _RESULTS else None
        if read is not None and read.pool is not None:
            waiting[_meeting(read)].append((since[row.position], row.position))
            players[read.pool].update(players_of_row(read))
    again = {at for pool, some in players.items() for at in results_of(log.book.key(pool), some).tolist()}
    pairs = list[tuple[int, int]]()
    for row in then.rows_at(again | {one for some in waiting.values() for _, one in some}):
        read = reading.read(row)
        meetings = waiting.get(_meeting(read), []) if read is not None else []
        one = next((one for one in meetings if one[0] < row.position and one[1] != row.position), None)
        if one is not None:
            meetings.remove(one)
            pairs.append((one[1], row.position))
    return sorted(pairs)


def _meeting(row: Row) -> Hashable:
    return row.pool, (row.played or 0) // DAY, tuple(sorted(players_of_row(row)))
