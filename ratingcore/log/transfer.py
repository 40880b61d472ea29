"""Exports a log as JSON lines, loads it again with the same digests, and verifies the chain."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ratingcore.errors import BadTransfer, BrokenChain
from ratingcore.events import Row, canonical
from ratingcore.events.values import text
from ratingcore.log.append import UidTaken
from ratingcore.log.chain import commitment, digest_of
from ratingcore.log.connection import sqlite3
from ratingcore.log.facts import EMPTY, Batch, Head, Name, Verified
from ratingcore.log.protocol import Log

FORMAT = 1
_FAR_BELOW = -(2**62)


def export_lines(log: Log) -> Iterator[str]:
    """Yields a log as lines of JSON: a header, then each batch with its names and rows."""
    head = log.head
    yield canonical({"ratingcore": FORMAT, "key": log.key, "head": [head.position, head.digest]})
    names = iter(log.names())
    name = next(names, None)
    for batch in log.batches():
        if batch.first > head.position:  # appended since the header was written
            return
        yield canonical({"batch": list(batch)})
        while name is not None and name.batch <= batch.first:
            yield canonical({"name": list(name)})
            name = next(names, None)
        for row in log.rows(batch.first - 1, batch.last):
            yield canonical({"row": list(row)})


def load_lines(log: Log, lines: Iterable[str]) -> Verified:
    """Loads an export into an empty log, checking every digest.

    Raises
    ------
    BadTransfer
        If a line does not belong in an export, or the log is not empty.
    BrokenChain
        If the digests do not follow from the rows.
    """
    with log.writing():  # all of it or nothing
        if log.head != EMPTY:
            raise BadTransfer(0, "the log it should be loaded into is not empty")
        return _load(log, lines)


def _load(log: Log, lines: Iterable[str]) -> Verified:
    number = count = 0
    promised: Any = None
    pending: _Pending | None = None
    for number, line in enumerate(lines, 1):
        try:
            kind, value = _line(line)
            if number == 1:
                promised = _begin(log, json.loads(line))
            elif kind == "batch":
                count += pending.write(log, number) if pending else 0
                pending = _Pending(Batch._make(value))
            elif pending is not None and kind == "name":
                pending.names.append(Name._make(value))
            elif pending is not None and kind == "row":
                pending.rows.append(Row._make(value))
            else:
                raise BadTransfer(number, f"a line of kind {kind} has no place here")
        except (ValueError, LookupError, TypeError, StopIteration, RecursionError):
            raise BadTransfer(number, "this is no line of an export") from None
    if promised is None:
        raise BadTransfer(0, "it is empty")
    count += pending.write(log, number + 1) if pending else 0
    if log.head != promised:
        raise BadTransfer(number + 1, f"the export ends at position {log.head.position}, not at {promised}")
    return Verified(log.head, count, 0)


def _line(line: str) -> tuple[str, Any]:
    facts = json.loads(line)
    kind = next(key for key in ("ratingcore", "batch", "name", "row") if key in facts)
    return kind, facts[kind]


def _begin(log: Log, facts: Any) -> Head:
    if facts.get("ratingcore") != FORMAT:
        raise BadTransfer(1, f"this is no export of format {FORMAT}")
    log.adopt(text(facts["key"], "key"))
    return Head(*facts["head"])


class _Pending:
    """A batch whose lines are being read; it is checked and written when the next one begins."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.names: list[Name] = []
        self.rows: list[Row] = []

    def write(self, log: Log, line: int) -> int:
        try:
            return self._write(log, line)
        except (ValueError, LookupError, TypeError, UidTaken, sqlite3.IntegrityError):
            raise BadTransfer(line - 1, "the batch that ends here is none a log can hold") from None

    def _write(self, log: Log, line: int) -> int:
        head = log.head
        if not _whole(head, self.batch, self.rows) or not _follows(head, self.batch, self.names, self.rows):
            raise BrokenChain(self.batch.first, f"the batch before line {line} of the export has another digest")
        # the digest covers commitments, not names: that each name matches its commitment is a check of its own
        count = len(log.names())
        for number, name in enumerate(self.names, count + 1):
            if name.id != number or name.batch != self.batch.first or not _bound(name):
                raise BrokenChain(self.batch.first, f"name {name.id} is not the one that was recorded: {name.key}")
        log.restore(self.batch, self.names, self.rows)
        return 1


def _whole(before: Head, batch: Batch, rows: Sequence[Row]) -> bool:
    """Whether a batch follows on the one before and its positions have no gap."""
    positions = list(range(before.position + 1, batch.last + 1))
    return batch.first == before.position + 1 and bool(rows) and [row.position for row in rows] == positions


def _follows(before: Head, batch: Batch, names: Sequence[Name], rows: Sequence[Row]) -> bool:
    """Whether the digest of a batch follows from its rows."""
    try:
        return digest_of(before.digest, batch, names, rows) == batch.digest
    except (TypeError, ValueError):  # a value that JSON cannot spell, so no event has it
        return False


def _bound(name: Name) -> bool:
    """Whether a name matches its commitment; an erased name has nothing left to compare."""
    if name.key is None or name.salt is None:
        return name.key is None and name.salt is None
    try:
        return commitment(name.kind, name.key, name.salt) == name.digest
    except (TypeError, ValueError):
        return False


def verify(log: Log, anchors: Iterable[Head] = ()) -> Verified:
    """Recomputes the whole chain, and checks that anchors (older heads) are prefixes of it.

    Raises
    ------
    BrokenChain
        At the first position where the digests do not follow from the rows.
    """
    with log.reading():
        return _verified(log, anchors)


def _verified(log: Log, anchors: Iterable[Head]) -> Verified:
    before = EMPTY
    named: dict[int, list[Name]] = {}
    for name in log.names():
        named.setdefault(name.batch, []).append(name)
        if not _bound(name):
            raise BrokenChain(name.batch, f"name {name.id} is not the one that was recorded: {name.key}")
    count = 0
    for batch in log.batches(_FAR_BELOW):
        rows = list(log.rows(before.position, batch.last))
        if not _whole(before, batch, rows):
            raise BrokenChain(batch.first, "events are missing")
        if not _follows(before, batch, named.pop(batch.first, []), rows):
            raise BrokenChain(batch.first, "the rows of this batch are not the ones that were recorded")
        before = Head(batch.last, batch.digest)
        count += 1
    # rows after the last batch or before position 1 are covered by no digest
    for after, to in ((before.position, None), (_FAR_BELOW, 0)):
        stray = next(log.rows(after, to), None)
        if stray is not None:
            raise BrokenChain(stray.position, "events belong to no batch")
    if named:
        raise BrokenChain(min(named), "names belong to no batch")
    checked = [_anchored(log, anchor) for anchor in anchors]
    return Verified(before, count, len(checked))


def _anchored(log: Log, anchor: Head) -> Head:
    if anchor.position > log.head.position:
        raise BrokenChain(anchor.position, f"the log ends at position {log.head.position}")
    digest = log.digest_at(anchor.position)
    if not digest.startswith(anchor.digest):
        raise BrokenChain(anchor.position, f"the anchor says {anchor.digest[:16]}, the log {digest[:16]}")
    return anchor
