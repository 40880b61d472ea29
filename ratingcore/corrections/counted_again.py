"""Warns of results that count again because their void was taken back, although their replacements count too."""

from collections import defaultdict
from collections.abc import Hashable

from ratingcore.events import Row
from ratingcore.events.rows import players_of_row
from ratingcore.events.times import DAY
from ratingcore.log import Log
from ratingcore.log.lookup import corrections_of
from ratingcore.spelling import counted

_SHOWN = 5
_RESULTS = ("game", "session")


def counted_twice(log: Log, first: int, last: int) -> list[tuple[int, int]]:
    """Returns pairs of positions: a result that corrections made count again, and one recorded while it was void.

    The second result has the same pool, day and players; other facts may differ.

    Parameters
    ----------
    log : Log
    first, last : int
        Positions of the corrections.

    Returns
    -------
    list of (int, int)
        Pairs in the order of the log.
    """
    taken_back = {row.ref for row in log.rows(first - 1, last, ("void",)) if row.ref is not None}
    voids = [row for row in log.rows_at(sorted(taken_back)) if row.kind == "void"]
    since = {row.ref: row.position for row in voids if row.ref is not None}
    if not since:
        return []
    reading, waiting = corrections_of(log), defaultdict[Hashable, list[tuple[int, int]]](list)
    for row in log.rows_at(sorted(since)):
        read = reading.read(row) if row.kind in _RESULTS else None
        if read is not None:
            waiting[_meeting(read)].append((since[row.position], row.position))
    pairs = list[tuple[int, int]]()
    for row in log.rows(min(since.values()), None, _RESULTS) if waiting else ():
        read = reading.read(row)
        again = waiting.get(_meeting(read), []) if read is not None else []
        one = next((one for one in again if one[0] < row.position and one[1] != row.position), None)
        if one is not None:
            again.remove(one)
            pairs.append((one[1], row.position))
    return sorted(pairs)


def twice_since_voided(log: Log, first: int, last: int) -> str:
    """Returns a sentence about the results that `counted_twice` finds; empty if it finds none."""
    pairs = counted_twice(log, first, last)
    if not pairs:
        return ""
    results = counted(len(pairs), "result that counts again is", "results that count again are")
    cases = "; ".join(f"{old} and {new}" for old, new in pairs[:_SHOWN])
    more = "; ..." if len(pairs) > _SHOWN else ""
    return (
        f"{results} in the log a second time, recorded while the first one was void: positions {cases}{more}; void one "
        "of the two if they are the same"
    )


def _meeting(row: Row) -> Hashable:
    return row.pool, (row.played or 0) // DAY, tuple(sorted(players_of_row(row)))
