"""Finds days of a few new results that are years before all others of their pool, as with a mistyped year."""

from collections.abc import Iterator, Sequence
from itertools import islice

from ratingcore.events import DAY, iso
from ratingcore.importer.day_notes import FarFromPool
from ratingcore.log import Log

_RESULTS = ("game", "session")
_YEARS = 2 * 365 * DAY
_FEW = 50
"""Largest number of new results: more may be an archive of earlier years."""
_KNOWN = 10
"""Least number of results of a pool with which days are compared."""
_READ = 100_000
"""Largest number of results of a pool that are read for this; a pool with more is not examined to its end."""


def far_from_pool(log: Log, before: int, positions: Sequence[tuple[int, int]]) -> Iterator[FarFromPool]:
    """Yields a note for each pool in which a few new results are more than two years before its first day.

    Parameters
    ----------
    before : int
        Position of the log before the import.
    positions : sequence of (int, int)
        First and last positions of the new events.
    """
    new = [row for first, last in positions for row in islice(log.rows(first - 1, last, _RESULTS), _FEW + 1)]
    for pool in {row.pool for row in new} if len(new) <= _FEW else ():
        first = min(row.played or 0 for row in new if row.pool == pool)
        known = list[int]()
        for row in islice(log.rows(0, before, _RESULTS, pool), _READ):
            known.append(row.played or 0)
            if known[-1] - first <= _YEARS:
                break
        else:
            if _KNOWN <= len(known) < _READ:
                yield FarFromPool(log.book.key(pool or 0), iso(first)[:10], iso(min(known))[:10])
