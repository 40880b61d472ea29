"""Appends events to a store as one batch: checks them against the log, encodes, numbers and digests them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from attrs import evolve

from ratingcore.errors import BadValue, Conflict, ContentChanged, HeadMoved, NotBackfilled
from ratingcore.events import (
    NO_ID,
    Event,
    Instant,
    ListPublished,
    PlayerDescribed,
    Row,
    encode,
    exact,
    iso,
)
from ratingcore.events.bounds import are_spaced, check_new
from ratingcore.events.missing_uids import is_nameless
from ratingcore.events.values import text
from ratingcore.log.chain import Batch, Cells, Head, Name, Receipt, batch_digest, head_after
from ratingcore.log.derived_uids import PREFIXES, Matcher, Recorded
from ratingcore.log.duplicates import differs
from ratingcore.log.encoder import Encoder, rows_of
from ratingcore.log.local_times import Readable, localised
from ratingcore.log.names import NameDraft
from ratingcore.spelling import LONGEST


class UidTaken(Exception):
    """Raised by a store that has one of the uids already; nothing was written."""


class BatchRefused(Exception):
    """Raised by a store that cannot hold a batch; nothing was written."""


class UidTwice(BatchRefused):
    """Raised where uids are indexed after the events, and two events have the same; nothing stays written."""

    def __init__(self, uid: str) -> None:
        super().__init__(f"UNIQUE constraint failed: event.uid: {uid}")
        self.uid = uid


class Store(Readable, Protocol):
    """What appending needs from a store, inside one transaction."""

    @property
    def key(self) -> str: ...
    @property
    def draft(self) -> NameDraft:
        """The book of names as the transaction leaves it; there is one only while it is open."""

    def writing(self) -> AbstractContextManager[None]:
        """One transaction: if anything in it fails, rows, batches and names are as before."""

    def write(self, batch: Batch, names: Sequence[Name], rows: Sequence[Cells]) -> None: ...


Expected = Head | int | Callable[[Head], None] | None
"""The head that a log must have, or a function that is called with it while others wait and raises to refuse."""


def append(
    store: Store,
    events: Iterable[Event],
    *,
    source: str = "",
    expect: Expected = None,
    conflicts: list[Conflict] | None = None,
    matching: Matcher | None = None,
) -> Receipt:
    """Appends events to a store as one batch; see `Log.append` for what it guarantees."""
    fresh, named = _checked(events, source, matching)
    with store.writing():
        fresh = localised(store, fresh)
        receipt = _appended(store, fresh, named, source, expect, conflicts, matching)
    if matching is not None and receipt.accepted:
        matching.wrote(receipt.head.position - receipt.accepted + 1, receipt.head.position)
    return receipt


def backfill(
    store: Store,
    parts: Iterable[tuple[Instant, Sequence[Event]]],
    *,
    source: str = "",
    matching: Matcher | None = None,
) -> Receipt:
    """Appends events as batches that were recorded in the past; see `Log.backfill` for what it guarantees."""
    accepted = duplicates = 0
    with store.writing():
        head, count = head_after(store.last_batch()), store.draft.count
        for recorded, events in parts:
            fresh, named = _checked(events, source, matching)
            check_backfill(store, recorded, {getattr(event, "pool", "") for event in fresh}, count)
            fresh = localised(store, fresh)
            receipt = _appended(store, fresh, named, source, None, [], matching, recorded)
            if matching is not None and receipt.accepted:
                matching.wrote(receipt.head.position - receipt.accepted + 1, receipt.head.position)
            head = receipt.head
            accepted, duplicates = accepted + receipt.accepted, duplicates + receipt.duplicates
    return Receipt(head, accepted, duplicates)


def check_backfill(log: Readable, recorded: Instant, pools: Iterable[str], count: int | None = None) -> None:
    """Refuses a batch of the past that cannot come next, or that is about a pool of the log.

    Parameters
    ----------
    count : int or None
        How many names the log had before the batches of which this is one; all it has for None.

    Raises
    ------
    NotBackfilled
    """
    last, book = log.last_batch(), log.book
    if recorded > log.now():
        raise NotBackfilled(f"{exact(recorded)} is still to come")
    if last is not None and recorded < last.recorded:
        raise NotBackfilled(f"the log has a batch of {exact(last.recorded)}, and these begin on {iso(recorded)[:10]}")
    for pool in sorted(pools):
        number = book.find("pool", pool)
        if number is not None and number <= (book.count if count is None else count):
            raise NotBackfilled(f"the pool {pool} is in the log already")


def _checked(events: Iterable[Event], source: str, matching: Matcher | None) -> tuple[list[Event], list[str]]:
    """The events of a batch, and the uids of those that have ids of their own; refuses what cannot be a batch."""
    text(source, "source")
    fresh = list(events)
    if not all(issubclass(kind, Event) for kind in set(map(type, fresh))):
        foreign = next(event for event in fresh if not isinstance(event, Event))
        raise BadValue("event", foreign, "is none of the events that a log holds")
    named = [event.uid for event in fresh]
    if NO_ID in "".join(named):
        named = [uid for uid in named if not uid.startswith(NO_ID)]
    if len(named) < len(fresh):
        _check_nameless(fresh, matching)
    return fresh, named


def _appended(
    store: Store,
    fresh: list[Event],
    named: list[str],
    source: str,
    expect: Expected,
    conflicts: list[Conflict] | None,
    matching: Matcher | None,
    recorded: Instant | None = None,
) -> Receipt:
    """Appends a batch within a transaction; `named` are the uids of its events that have ids of their own."""
    given, nameless = len(fresh), len(fresh) - len(named)
    last = store.last_batch()
    head = head_after(last)
    check_head(head, expect)
    # Most appends bring new uids only. So the rows are written without looking each uid up first, and the unique
    # index of the store finds the rest; only uids given twice must be sorted out before, and events without an id
    # that may be in the log under another uid than their numbers give.
    turns: dict[str, int] = {}
    careful = matching is not None and ((nameless and matching.careful) or (bool(named) and matching.doubtful))
    if careful or len(set(named)) < len(named):
        fresh, turns = _unknown(store, fresh, head.position, conflicts, matching)
    names = store.draft.count
    try:
        receipt = _write(store, fresh, source, last, given, matching, turns, recorded)
    except UidTaken:
        store.draft.forget(names)  # their ids must be given out again in the order of the rows that remain
        fresh, turns = _unknown(store, fresh, head.position, conflicts, matching)
        receipt = _write(store, fresh, source, last, given, matching, turns, recorded)
    # `_write` counts every event it was not given as a duplicate, conflicts included
    return evolve(receipt, duplicates=receipt.duplicates - len(conflicts)) if conflicts else receipt


def _check_nameless(events: Sequence[Event], matching: Matcher | None) -> None:
    """Refuses events without an id that cannot get one."""
    if matching is None:
        raise BadValue("uid", NO_ID, "is for files that are imported, and no uid")
    foreign = next((event for event in events if event.uid == NO_ID and event.kind not in PREFIXES), None)
    if foreign is not None:
        raise BadValue("uid", NO_ID, f"is for results and seeds, not for a {foreign.kind}")


def check_head(head: Head, expect: Expected) -> None:
    """Refuses a head that is not the one that is expected: `HeadMoved`, or what the function raises."""
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
    matching: Matcher | None,
    turns: dict[str, int],
    recorded: Instant | None = None,
) -> Receipt:
    """Writes events that are new to the log after its last batch; of those given the others are duplicates."""
    head = head_after(last)
    if not events:
        return Receipt(head, 0, given)
    for event in () if _plain(events) else events:
        try:
            check_new(event)
        except BadValue:
            if not store.find([event.uid]):  # what an older log took is a duplicate, as ever
                raise
    first, draft = head.position + 1, store.draft
    before = draft.count
    draft.begin(first)
    naming = None if matching is None else matching.uids.naming(turns)
    rows = rows_of(draft, store.find, events, first, naming)
    origin = draft.getter("source")(source) if source else None
    if not draft.bound and store.key:  # the first batch, or the next one of a log that is older than this rule
        draft.add("key", store.key)
    if recorded is None:
        recorded = max(int(store.now()), last.recorded if last else -(2**62))  # never decreases, as clocks do
    names = draft.since(before)
    end = head.position + len(rows)
    digest = batch_digest(head.digest, first, end, recorded, origin, names, rows)
    store.write(Batch(first, end, recorded, origin, digest), names, rows)
    return Receipt(Head(end, digest), len(rows), given - len(rows), tuple(row[1] for row in rows))


def _plain(events: Sequence[Event]) -> bool:
    """Whether nothing about new events is left to check, as of nearly all: bulk imports come by here for every row."""
    uids = [event.uid for event in events]
    together = "".join(uids)  # which has every character of each
    return (
        together.isascii()
        and together.isprintable()
        and " " not in together
        and max(map(len, uids)) <= LONGEST
        and not any(type(event) is ListPublished for event in events)
        and not any("called" in event.data for event in events if type(event) is PlayerDescribed)
        and not are_spaced(events)
    )


def _unknown(
    store: Store, events: Sequence[Event], head: int, conflicts: list[Conflict] | None, matching: Matcher | None
) -> tuple[list[Event], dict[str, int]]:
    """Returns the events that are not in the log yet, and how many it has of their identities.

    One that is there with other content is a `Conflict`.
    """
    names = store.draft.count
    turns: dict[str, int] = {}
    encoder = Encoder(store.draft, store.find, head)
    encoder.foresee(events)
    sorted_out: Iterator[Recorded | None] = iter(())
    if matching is not None:
        nameless = [(e, Row._make((0, e.uid, e.kind, *encode(e, encoder)))) for e in events if is_nameless(e.uid)]
        sorted_out = iter(matching.sort(nameless, turns, names))
    there = store.find([event.uid for event in events])
    encoder.foresee_facts(events, there)
    if matching is not None and matching.doubtful:
        new = [e for e in events if not is_nameless(e.uid) and e.uid not in there]
        rows = [(e, Row._make((0, e.uid, e.kind, *encode(e, encoder)))) for e in new if e.kind in PREFIXES]
        without_id = {e.uid for (e, _), one in zip(rows, matching.sort_named(rows, names), strict=True) if one}
    else:
        without_id = set()
    fresh: list[Event] = []
    for number, event in enumerate(events):
        if is_nameless(event.uid):
            found = next(sorted_out)
            if found is None:
                fresh.append(event)
            elif found.differs:
                _conflict(ContentChanged(found.row.uid, found.row.position, found.differs, number), conflicts)
            continue
        if event.uid in without_id:
            continue
        recorded = there.get(event.uid)
        encoder.position = head + len(fresh) + 1 if recorded is None else recorded.position
        row = Row._make((head + len(fresh) + 1, event.uid, event.kind, *encode(event, encoder)))
        if recorded is None:
            there[event.uid] = encoder.batch[event.uid] = row
            fresh.append(event)
        elif (field := differs(recorded, row, store.draft)) and not (matching and matching.reads_as(recorded, row)):
            _conflict(Conflict(event.uid, recorded.position, field, number), conflicts)
        elif matching is not None:
            matching.recognised(event, row, recorded)
    store.draft.forget(names)  # encoding added them only to compare; writing the batch adds those it needs
    return fresh, turns


def _conflict(conflict: Conflict, conflicts: list[Conflict] | None) -> None:
    if conflicts is None:
        raise conflict
    conflicts.append(conflict)
