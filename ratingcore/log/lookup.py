"""Looks up events in any log by uid or position, as recorded or with corrections applied."""

from collections.abc import Callable, Iterable, Sequence
from weakref import WeakKeyDictionary

from ratingcore.errors import UnknownUid
from ratingcore.events import CORRECTIONS, AnyEvent, Instant, Row, decode
from ratingcore.events.corrections import Corrections
from ratingcore.events.values import Fact
from ratingcore.log.chain import Batch, Head
from ratingcore.log.contract import Log


def row_of(log: Log, uid: str) -> Row:
    """The row with this uid; `UnknownUid` if it is missing."""
    row = log.find([uid]).get(uid)
    if row is None:
        raise UnknownUid(uid)
    return row


def found_once(
    known: dict[str, Row | None], find: Callable[[Sequence[str]], dict[str, Row]], uids: Sequence[str]
) -> dict[str, Row]:
    """Rows by uid; only uids that are not in `known` are looked up, and then added to it."""
    missing = [uid for uid in uids if uid not in known]
    if missing:
        known |= dict.fromkeys(missing) | find(missing)
    return {uid: row for uid in uids if (row := known[uid]) is not None}


def event_of(log: Log, uid: str) -> AnyEvent:
    """The event with this uid as recorded; `UnknownUid` if it is missing."""
    return decoder_of(log)(row_of(log, uid))


def uid_at(log: Log, position: int) -> str:
    """Uid of the event at a position."""
    return uids_at(log, [position])[0]


def uids_at(log: Log, positions: Sequence[int]) -> list[str]:
    """Uids of the events at positions, in the given order."""
    if not positions:
        return []
    low, high = min(positions), max(positions)
    dense = high - low < 4 * len(positions)  # a stretch is then read faster than row by row
    uids = {row.position: row.uid for row in (log.rows(low - 1, high) if dense else log.rows_at(positions))}
    return [uids[position] for position in positions]


class GoesOn:
    """A log that continues an earlier state of another log."""

    below: Log
    upon: Head


_KEPT: WeakKeyDictionary[Log, tuple[Head, Corrections]] = WeakKeyDictionary()
"""Cache of the corrections of each log at its newest head, which planning a correction reads several times."""


def corrections_of(log: Log, to: int | None = None) -> Corrections:
    """The corrections among the events up to a position, or among all events."""
    head = log.head
    if to is None or to >= head.position:
        return _corrections_at(log, head)
    if isinstance(log, GoesOn) and to <= log.upon.position:
        return corrections_of(log.below, to)
    return Corrections.of(log.rows(0, to, CORRECTIONS))


def _corrections_at(log: Log, head: Head) -> Corrections:
    """The corrections at the present head of a log or an earlier one; extends cached corrections if possible."""
    known = _KEPT.get(log)
    if known is None and isinstance(log, GoesOn):
        known = log.upon, _corrections_at(log.below, log.upon)
    if known is not None and known[0] == head:
        return known[1]
    read = None if known is None else _gone_on(log, *known, head)
    if read is None:
        read = Corrections.of(log.rows(0, head.position, CORRECTIONS))
    if known is None or known[0].position <= head.position:
        _KEPT[log] = head, read
    return read


def _gone_on(log: Log, known: Head, read: Corrections, head: Head) -> Corrections | None:
    """Corrections up to a head from those up to an earlier one; None if all of them must be resolved anew."""
    # the earlier head may have been read in a transaction that failed
    if known.position >= head.position or log.digest_at(known.position) != known.digest:
        return None
    return read.then(list(log.rows(known.position, head.position, CORRECTIONS)))


def bases_of(log: Log, rows: Iterable[Row]) -> dict[int, Row]:
    """By position of each row, the row it finally corrects (a result, a seed, a merge, ...), or else the row itself."""
    bases = {row.position: row for row in rows}
    while refs := {row.ref for row in bases.values() if row.ref is not None}:
        there = {row.position: row for row in log.rows_at(refs)}
        bases = {at: row if row.ref is None else there[row.ref] for at, row in bases.items()}
    return bases


def as_read(log: Log, uid: str) -> Row | None:
    """The row with this uid with its corrections applied; None if it is void."""
    return corrections_of(log).read(row_of(log, uid))


def decoder_of(log: Log) -> Callable[[Row], AnyEvent]:
    """A function from a row to its event, with the current names."""
    names = _Named(log)
    return lambda row: decode(row, names)


def last_batch(log: Log) -> Batch | None:
    return next(log.batches(log.head.position - 1), None)


def position_at(log: Log, recorded: Instant) -> int:
    """Position of the last event recorded at or before a time; 0 without one."""
    low, high = 0, log.head.position
    while low < high:  # recorded times never decrease
        batch = next(log.batches((low + high) // 2))
        if batch.recorded <= recorded:
            low = batch.last
        else:
            high = batch.first - 1
    return low


def is_among(
    row: Row, kinds: Sequence[str] = (), pool: int | None = None, players: Sequence[int] | None = None
) -> bool:
    """True if a row has one of the kinds, the pool, and one of the first players, as in `Log.rows`."""
    return (not kinds or row.kind in kinds) and pool in (None, row.pool) and (players is None or row.a in players)


class _Named:
    """Decoder of a log's rows; it takes the book of names only once, since a log in a file reads it each time."""

    def __init__(self, log: Log) -> None:
        self._log, self._book = log, log.book
        self.key = self._book.key
        self._facts: dict[int, Fact | None] = {}

    def uid(self, position: int) -> str:
        """Uid of the event at a position."""
        return uid_at(self._log, position)

    def fact(self, number: int) -> Fact | None:
        """The value of a fact; it reads those of the next ids, too, since rows are decoded in order."""
        if number not in self._facts:
            ahead = range(number, max(number, min(number + _AHEAD, self._book.count)) + 1)
            self._facts = dict(zip(ahead, self._book.facts(ahead), strict=True))
        return self._facts[number]


_AHEAD = 200
"""Number of names after a fact that are also read as facts."""
