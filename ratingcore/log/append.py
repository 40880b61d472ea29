"""Appends events to a store as one batch: checks them against the log, encodes, numbers and digests them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from attrs import evolve

from ratingcore.errors import Conflict, HeadMoved, UnknownUid
from ratingcore.events import CORRECTIONS, Event, GamePlayed, Row, canonical, encode
from ratingcore.events.values import json_of, text
from ratingcore.log.chain import batch_digest
from ratingcore.log.facts import EMPTY, Batch, Head, Name, Receipt
from ratingcore.log.names import Names


class UidTaken(Exception):
    """Raised by a store that has one of the uids already; nothing was written."""


class Store(Protocol):
    """What appending needs from a store, inside one transaction."""

    @property
    def names_book(self) -> Names: ...
    def writing(self) -> AbstractContextManager[None]:
        """One transaction: if anything in it fails, rows, batches and names are as before."""

    def last_batch(self) -> Batch | None: ...
    def find(self, uids: Sequence[str]) -> dict[str, Row]: ...
    def write(self, batch: Batch, names: Sequence[Name], rows: Sequence[tuple[Any, ...]]) -> None: ...
    def now(self) -> int: ...


class Encoding:
    """Encoder of one batch: looks up ids, and the rows that corrections refer to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.pool = store.names_book.getter("pool")
        self.player = store.names_book.getter("player")
        self.note = store.names_book.getter("note")
        self.key = store.names_book.key
        self.batch: dict[str, Row] = {}

    def target(self, uid: str) -> Row:
        """Row that a correction refers to, of this batch or of the log."""
        row = self.batch.get(uid) or self._store.find([uid]).get(uid)
        if row is None:
            raise UnknownUid(uid)
        return row


def append(
    store: Store, events: Iterable[Event], source: str, expect: Head | int | None, conflicts: list[Conflict] | None
) -> Receipt:
    """Appends events to a store as one batch; see `Log.append` for what it guarantees."""
    text(source, "source")
    fresh = list(events)
    given = len(fresh)
    with store.writing():
        last = store.last_batch()
        head = Head(last.last, last.digest) if last else EMPTY
        _expected(head, expect)
        # Most appends bring new uids only. So the rows are written without looking each uid up first, and the unique
        # index of the store finds the rest; only uids given twice must be sorted out before.
        if len({event.uid for event in fresh}) < given:
            fresh = _unknown(store, fresh, head.position, conflicts)
        names = len(store.names_book.all)
        try:
            receipt = _write(store, fresh, source, head, last, given)
        except UidTaken:
            store.names_book.forget(names)  # their ids must be given out again in the order of the rows that remain
            fresh = _unknown(store, fresh, head.position, conflicts)
            receipt = _write(store, fresh, source, head, last, given)
    # `_write` counts every event it was not given as a duplicate, conflicts included
    return evolve(receipt, duplicates=receipt.duplicates - len(conflicts or ()))


def _expected(head: Head, expect: Head | int | None) -> None:
    position = expect.position if isinstance(expect, Head) else expect
    if position is not None and position != head.position:
        raise HeadMoved(position, head.position)
    if isinstance(expect, Head) and not head.digest.startswith(expect.digest):
        raise HeadMoved(expect.position, head.position)


def _write(store: Store, events: Sequence[Event], source: str, head: Head, last: Batch | None, given: int) -> Receipt:
    if not events:
        return Receipt(head, 0, given)
    first = head.position + 1
    before = len(store.names_book.all)
    store.names_book.begin(first)
    rows = _rows(store, events, first)
    origin = store.names_book.getter("source")(source) if source else None
    recorded = max(store.now(), last.recorded if last else -(2**62))  # never decreases, also where the clock does
    names = store.names_book.since(before)
    end = head.position + len(rows)
    digest = batch_digest(head.digest, first, end, recorded, origin, names, rows)
    store.write(Batch(first, end, recorded, origin, digest), names, rows)
    return Receipt(Head(end, digest), len(rows), given - len(rows))


def _rows(store: Store, events: Sequence[Event], first: int) -> list[tuple[Any, ...]]:
    games = [event for event in events if type(event) is GamePlayed]
    if len(games) < len(events):
        return list(_encoded(store, events, first))
    # Bulk imports append games only: this is `encode` for them, without a function call for each event.
    pool, player = store.names_book.getter("pool"), store.names_book.getter("player")
    return [
        (
            position, game.uid, "game", pool(game.pool), game.played, game.order,
            player(game.a), player(game.b), game.score, None,
            json_of(game.data) if game.data else None,
        )
        for position, game in enumerate(games, first)
    ]  # fmt: skip


def _encoded(store: Store, events: Sequence[Event], first: int) -> Iterator[tuple[Any, ...]]:
    encoding = Encoding(store)
    keep = any(event.kind in CORRECTIONS for event in events)  # only corrections look other events up
    for position, event in enumerate(events, first):
        row = (position, event.uid, event.kind, *encode(event, encoding))
        if keep:
            encoding.batch[event.uid] = Row._make(row)
        yield row


def _unknown(store: Store, events: Sequence[Event], head: int, conflicts: list[Conflict] | None) -> list[Event]:
    """Returns the events that are not in the log yet; a uid that is there with other content is a `Conflict`."""
    names = len(store.names_book.all)
    there = store.find([event.uid for event in events])
    encoding = Encoding(store)
    fresh: list[Event] = []
    for event in events:
        recorded = there.get(event.uid)
        row = Row._make((head + len(fresh) + 1, event.uid, event.kind, *encode(event, encoding)))
        if recorded is None:
            there[event.uid] = encoding.batch[event.uid] = row
            fresh.append(event)
        elif differs := _differs(recorded, row, store.names_book):
            conflict = Conflict(event.uid, recorded.position, differs)
            if conflicts is None:
                raise conflict
            conflicts.append(conflict)
    store.names_book.forget(names)  # encoding added them only to compare; writing the batch adds those it needs
    return fresh


def _differs(recorded: Row, given: Row, book: Names) -> str:
    """Returns the field in which an event differs from the recorded one of its uid; empty if there is none.

    An erased name equals any name, since nobody can tell whose it was: a retry after an erasure is still a retry.
    """
    if recorded[2:] == given[2:]:
        return ""
    for name in Row._fields[2:]:
        was, now = getattr(recorded, name), getattr(given, name)
        if was == now or (name in ("a", "b") and was and now and _erased(book, was)):
            continue
        if name != "data" or not was or not now or not _alike(recorded.kind, was, now, book):
            return name
    return ""


def _alike(kind: str, was: str, now: str, book: Names) -> bool:
    """Whether two texts of `data` are equal, counting an erased name as equal to any."""
    # copy erased ids over into what is given, wherever `data` holds ids of names; then compare as text
    facts, given = json.loads(was), json.loads(now)
    if kind in CORRECTIONS:
        _take_erased(facts, given, ("why", "by"), book)
    if kind == "amend":
        _take_erased(facts["set"], given["set"], ("a", "b", "player"), book)
        _take_seated(facts["set"], given["set"], book)
    if kind == "session":
        _take_seated(facts, given, book)
    return canonical(facts) == canonical(given)


def _take_erased(facts: dict[str, Any], given: dict[str, Any], fields: Iterable[str], book: Names) -> None:
    for field in fields:
        if field in facts and field in given and _erased(book, facts[field]):
            given[field] = facts[field]


def _take_seated(facts: dict[str, Any], given: dict[str, Any], book: Names) -> None:
    for (members, _), (others, _) in zip(facts.get("sides", ()), given.get("sides", ()), strict=False):
        for seat, (player, _) in enumerate(zip(members, others, strict=False)):
            if _erased(book, player):
                others[seat] = player


def _erased(book: Names, number: int) -> bool:
    return book.all[number - 1].key is None
