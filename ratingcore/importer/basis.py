"""What a log said of pools when the rows of a file were read, and must still say when they are written."""

from collections.abc import Callable, Sequence
from functools import partial

from ratingcore.errors import DeclaredMeanwhile
from ratingcore.events import Event
from ratingcore.importer.local_times import LocalTimes
from ratingcore.log import Head, Log, Receipt
from ratingcore.replay.declared import declared


class Basis:
    """The declarations of pools by which the rows of a file are read, from when it is made until they are written.

    A zone turns local times into instants, from which rows get their uids, and a method says which rows a pool takes.
    Somebody else may declare another one while the file is read; its rows would then come in twice when it comes again.

    Parameters
    ----------
    log : Log
    local : LocalTimes
        Reads the local times of the file; it has looked at no pool yet.
    """

    def __init__(self, log: Log, local: LocalTimes) -> None:
        self._log, self._local = log, local
        self._position = log.head.position
        """Nothing that was declared up to here is other than it was read."""

    def holds(self, events: Sequence[Event]) -> Callable[[Head], None]:
        """What an append of events that were read expects of the log, as `Log.append` takes it."""
        return partial(self.see, events)

    def see(self, events: Sequence[Event], head: Head) -> None:
        """Sees that the pools of events are declared as they were; one look where somebody else appended meanwhile.

        Raises
        ------
        DeclaredMeanwhile
        """
        if head.position == self._position:
            return
        key = self._log.names_book.key
        rows = self._log.rows(self._position, head.position, ("pool",))
        fresh = {key(row.pool): row.position for row in rows if row.pool is not None}
        for pool in sorted(fresh.keys() & {getattr(event, "pool", "") for event in events} if fresh else ()):
            advice = self._local.changed(pool)
            if advice is None and self._fits(pool, self._position) != self._fits(pool, head.position):
                advice = "import it again: rows that the pool does not take are refused, the others count as duplicates"
            if advice is not None:
                raise DeclaredMeanwhile(pool, fresh[pool], self._local.name, advice)
        self._position = head.position

    def _fits(self, pool: str, position: int) -> str:
        found = declared(self._log, pool, position)
        return "" if found is None else found.fits

    def wrote(self, receipt: Receipt) -> None:
        """Takes in what was appended for the file itself: where nobody else appends, the log is not asked again."""
        if receipt.head.position - receipt.accepted == self._position:
            self._position = receipt.head.position
