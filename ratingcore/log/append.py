"""Appends events to a store as one batch: checks them against the log, encodes, numbers and digests them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol
from weakref import WeakKeyDictionary

from ratingcore.errors import BadValue, Conflict, ContentChanged, HeadMoved, NotBackfilled, UnknownZone
from ratingcore.events import (
    NO_ID,
    Event,
    Instant,
    ListPublished,
    PlayerDescribed,
    PoolDeclared,
    Row,
    exact,
    iso,
)
from ratingcore.events.bounds import are_near, are_spaced, check_new
from ratingcore.events.missing_uids import is_nameless, own_uids
from ratingcore.events.values import text
from ratingcore.log.chain import Batch, Cells, Head, Name, Receipt, batch_digest, head_after
from ratingcore.log.contract import Log
from ratingcore.log.derived_uids import PREFIXES, Uids
from ratingcore.log.duplicates import differs
from ratingcore.log.encoder import looked_up, rows_of
from ratingcore.log.local_times import localised
from ratingcore.log.lookup import last_batch
from ratingcore.log.names import NameDraft
from ratingcore.safe_text import LONGEST


class UidTaken(Exception):
    """Raised by a store that has one of the uids already; nothing was written."""


class BatchRefused(Exception):
    """Raised by a store that cannot hold a batch; nothing was written."""


class UidTwice(BatchRefused):
    """Raised if two events have the same uid, where uids are indexed after the events; nothing stays written."""

    def __init__(self, uid: str) -> None:
        super().__init__(f"UNIQUE constraint failed: event.uid: {uid}")
        self.uid = uid


_UIDS: WeakKeyDictionary[Log, Uids] = WeakKeyDictionary()
"""Cache of the `Uids` of each log, since the same rows are often tried, looked up and then written."""


def uids_of(log: Log) -> Uids:
    """Returns the `Uids` of a log, which derive uids with its key."""
    cached, key = _UIDS.get(log), log.key
    if cached is None or cached.key != key:  # an empty log takes the key of the export that it loads
        cached = _UIDS[log] = Uids(key)
    return cached


class Store(Log, Protocol):
    """A log with the further members that appending needs, inside one transaction."""

    @property
    def draft(self) -> NameDraft:
        """The book of names as the transaction leaves it; it exists only while the transaction is open."""

    def last_batch(self) -> Batch | None:
        """The newest batch; None in an empty log."""

    def write(self, batch: Batch, names: Sequence[Name], rows: Sequence[Cells]) -> None: ...


Expected = Head | int | Callable[[Head], None] | None
"""The head that a log must have, or a function that is called with its head while others wait, and may raise."""


def append(store: Store, events: Iterable[Event], *, source: str = "", expect: Expected = None) -> Receipt:
    """Appends events to a store as one batch; see `Log.append` for what it guarantees."""
    fresh = _checked(events, source)
    with store.writing():
        return _appended(store, localised(store, fresh), source, expect, {})


def backfill(store: Store, parts: Iterable[tuple[Instant, Sequence[Event]]], *, source: str = "") -> Receipt:
    """Appends events as batches recorded in the past, all or none, for a pool that is new to the log.

    Each batch comes with its recorded time; times do not decrease. The source should be marked by `backfilled`, which
    shows that the batches were filed later. Events without an id are numbered across all batches.

    Raises
    ------
    NotBackfilled
        If the log has a pool of the events, or a batch that was recorded later; or a time is in the future.
    """
    accepted = duplicates = 0
    turns: dict[str, int] = {}
    with store.writing():
        head, count = head_after(store.last_batch()), store.draft.count
        for recorded, events in parts:
            fresh = _checked(events, source)
            check_backfill(store, recorded, {getattr(event, "pool", "") for event in fresh}, count)
            receipt = _appended(store, localised(store, fresh), source, None, turns, recorded)
            head = receipt.head
            accepted, duplicates = accepted + receipt.accepted, duplicates + receipt.duplicates
    return Receipt(head, accepted, duplicates)


def check_backfill(log: Log, recorded: Instant, pools: Iterable[str], count: int | None = None) -> None:
    """Refuses a batch of the past that cannot come next, or that concerns a pool already in the log.

    Parameters
    ----------
    count : int or None
        Number of names in the log before these batches; None for all names it has now.

    Raises
    ------
    NotBackfilled
    """
    last, book = last_batch(log), log.book
    if recorded > log.now():
        raise NotBackfilled(f"{exact(recorded)} is still to come")
    if last is not None and recorded < last.recorded:
        raise NotBackfilled(f"the log has a batch of {exact(last.recorded)}, and these begin on {iso(recorded)[:10]}")
    for pool in sorted(pools):
        number = book.find("pool", pool)
        if number is not None and number <= (book.count if count is None else count):
            raise NotBackfilled(f"the pool {pool} is in the log already")


def _checked(events: Iterable[Event], source: str) -> list[Event]:
    text(source, "source")
    fresh = list(events)
    for kind in set(map(type, fresh)):
        if not issubclass(kind, Event):
            foreign = next(event for event in fresh if type(event) is kind)
            raise BadValue("event", foreign, "must be an event that a log can hold")
        if kind.kind not in PREFIXES and any(event.uid == NO_ID for event in fresh if type(event) is kind):
            raise BadValue("uid", NO_ID, f"can only be derived for results and seeds, not for a {kind.kind}")
    return fresh


def _appended(
    store: Store,
    fresh: list[Event],
    source: str,
    expect: Expected,
    turns: dict[str, int],
    recorded: Instant | None = None,
) -> Receipt:
    """Appends a batch within a transaction.

    Parameters
    ----------
    turns : dict of str to int
        Number of appended events without an id, by the uid of the first event of an identity.
    """
    last, given, names = store.last_batch(), len(fresh), store.draft.count
    head = head_after(last)
    check_head(head, expect)
    # Most appends have only new uids. So the rows are written without looking up each uid first: the unique index of
    # the store reports a uid that is taken. Uids that occur twice in the batch are sorted out before.
    uids = own_uids(fresh)
    if len(set(uids)) == len(uids):
        try:
            return _write(store, fresh, source, last, given, turns, recorded)
        except UidTaken:
            store.draft.forget(names)  # their ids must be given out again in the order of the remaining rows
    fresh = _without_recorded(store, fresh, head.position)
    return _write(store, fresh, source, last, given, turns, recorded)


def check_head(head: Head, expect: Expected) -> None:
    """Refuses a head other than the expected one: `HeadMoved`, or an error of the function."""
    if callable(expect):
        expect(head)
        return
    position = expect.position if isinstance(expect, Head) else expect
    if position is not None and position != head.position:
        raise HeadMoved(position, head.position)
    if isinstance(expect, Head) and not head.digest.startswith(expect.digest):
        raise HeadMoved(expect.position, head.position)


def _write(
    store: Store,
    events: Sequence[Event],
    source: str,
    last: Batch | None,
    given: int,
    turns: dict[str, int],
    recorded: Instant | None,
) -> Receipt:
    """Writes events that are new to the log after its last batch; the other given events are duplicates."""
    head = head_after(last)
    if not events:
        return Receipt(head, 0, given)
    for event in () if _need_no_check(events) else events:
        try:
            check_new(event)
        except (BadValue, UnknownZone):
            if not store.find([event.uid]):  # events accepted by older logs stay duplicates
                raise
    first, draft = head.position + 1, store.draft
    before = draft.count
    draft.begin(first)
    rows = rows_of(draft, store.find, events, first)
    counted = dict(turns)  # a batch that is not written must not change the counts
    if any(is_nameless(event.uid) for event in events):
        naming = uids_of(store).naming(counted)
        rows = [(row[0], naming(row), *row[2:]) if is_nameless(row[1]) else row for row in rows]
    origin = draft.getter("source")(source) if source else None
    if not draft.bound and store.key:  # the first batch, or the next one in a log of an older version
        draft.add("key", store.key)
    if recorded is None:
        recorded = max(int(store.now()), last.recorded if last else -(2**62))  # clocks may go back
    names = draft.since(before)
    end = head.position + len(rows)
    digest = batch_digest(head.digest, first, end, recorded, origin, names, rows)
    try:
        store.write(Batch(first, end, recorded, origin, digest), names, rows)
    except UidTaken:
        _check_derived(store, events, rows)
        raise
    turns |= counted
    return Receipt(Head(end, digest), len(rows), given - len(rows), tuple(row[1] for row in rows))


def _need_no_check(events: Sequence[Event]) -> bool:
    """True if new events need no further check, which is usual; bulk imports pass every row through here."""
    uids = own_uids(events)
    together = "".join(uids)  # has every character of every uid
    return (
        together.isascii()
        and together.isprintable()
        and " " not in together
        and max(map(len, uids), default=0) <= LONGEST
        and not any(type(event) in (ListPublished, PoolDeclared) for event in events)
        and not any("called" in event.data for event in events if type(event) is PlayerDescribed)
        and are_near(events)
        and not are_spaced(events)
    )


def _check_derived(store: Store, events: Sequence[Event], rows: Sequence[Cells]) -> None:
    """Refuses an event without an id if its derived uid is taken, because the two may be different events."""
    derived = {rows[number][1]: number for number, event in enumerate(events) if is_nameless(event.uid)}
    there = store.find(list(derived))
    if there:
        numbers = tuple(sorted(derived[uid] for uid in there))
        row = Row._make(rows[numbers[0]])
        recorded = there[row.uid]
        raise ContentChanged(row.uid, recorded.position, differs(recorded, row, store.draft), numbers[0], numbers)


def _without_recorded(store: Store, events: Sequence[Event], head: int) -> list[Event]:
    """Returns the events that are not in the log; raises `Conflict` for one that is in it with other content."""
    names, fresh = store.draft.count, list[Event]()
    for number, (event, row, recorded) in enumerate(looked_up(store.draft, store.find, events, head)):
        if recorded is None:
            fresh.append(event)
        elif field := differs(recorded, row, store.draft):
            raise Conflict(event.uid, recorded.position if recorded.position <= head else 0, field, number)
    store.draft.forget(names)  # encoding added them only to compare; writing the batch adds those it needs
    return fresh
