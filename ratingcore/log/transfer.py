"""A log as JSON lines: written and loaded again with every digest the same."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ratingcore.errors import BadTransfer, BrokenChain
from ratingcore.events import Row, canonical
from ratingcore.log.chain import commitment, digest_of
from ratingcore.log.facts import EMPTY, Batch, Head, Name, Verified
from ratingcore.log.memory import MemoryLog
from ratingcore.log.sqlite import SqliteLog

FORMAT = 1
Store = MemoryLog | SqliteLog


def export_lines(log: Store) -> Iterator[str]:
    """The log as lines of JSON: what it is, then each batch with its names and its rows."""
    head = log.head
    yield canonical({"ratingcore": FORMAT, "key": log.key, "head": [head.position, head.digest]})
    names = iter(log.names())
    name = next(names, None)
    for batch in log.batches():
        if batch.first > head.position:
            return
        yield canonical({"batch": list(batch)})
        while name is not None and name.batch <= batch.first:
            yield canonical({"name": list(name)})
            name = next(names, None)
        for row in log.rows(batch.first - 1, batch.last):
            yield canonical({"row": list(row)})


def load_lines(log: Store, lines: Iterable[str]) -> Verified:
    """Load an export into an empty log, checking every digest on the way.

    Raises
    ------
    BadTransfer
        If a line is not one of an export, or the log is not empty.
    BrokenChain
        If the digests do not follow from the rows.
    """
    if log.head != EMPTY:
        raise BadTransfer(0, "the log it should be loaded into is not empty")
    count = 0
    promised: Any = None
    pending = _Pending()
    for number, line in enumerate(lines, 1):
        kind, value = _line(number, line)
        if number == 1:
            if kind != "ratingcore" or value != FORMAT:
                raise BadTransfer(number, f"this is no export of format {FORMAT}")
            facts = json.loads(line)
            promised = facts["head"]
            log.adopt(facts["key"])
        elif kind == "batch":
            count += pending.write(log, number)
            pending = _Pending(Batch._make(value))
        elif kind == "name":
            pending.names.append(Name._make(value))
        elif kind == "row":
            pending.rows.append(Row._make(value))
        else:
            raise BadTransfer(number, f"a line of kind {kind}")
    if promised is None:
        raise BadTransfer(0, "it is empty")
    count += pending.write(log, number + 1)
    if [log.head.position, log.head.digest] != promised:
        raise BadTransfer(number + 1, f"the export ends at position {log.head.position}, not at {promised[0]}")
    return Verified(log.head, count, 0)


def _line(number: int, line: str) -> tuple[str, Any]:
    try:
        facts = json.loads(line)
        kind = next(key for key in ("ratingcore", "batch", "name", "row") if key in facts)
        return kind, facts[kind]
    except (ValueError, StopIteration, TypeError):
        raise BadTransfer(number, "this is no line of an export") from None


class _Pending:
    """A batch that is being read."""

    def __init__(self, batch: Batch | None = None) -> None:
        self.batch = batch
        self.names: list[Name] = []
        self.rows: list[Row] = []

    def write(self, log: Store, line: int) -> int:
        if self.batch is None:
            return 0
        head = log.head
        whole = len(self.rows) == self.batch.last - self.batch.first + 1 and self.batch.first == head.position + 1
        if not whole or digest_of(head.digest, self.batch, self.names, self.rows) != self.batch.digest:
            raise BrokenChain(self.batch.first, f"the batch before line {line} of the export has another digest")
        log.restore(self.batch, self.names, self.rows)
        return 1


def verify(log: Store, anchors: Iterable[Head] = ()) -> Verified:
    """Recompute the whole chain, and see that older heads are prefixes of it.

    Raises
    ------
    BrokenChain
        At the first position where the digests do not follow from the rows.
    """
    before = EMPTY
    named: dict[int, list[Name]] = {}
    for name in log.names():
        named.setdefault(name.batch, []).append(name)
        if name.key is not None and name.salt is not None and commitment(name.kind, name.key, name.salt) != name.digest:
            raise BrokenChain(name.batch, f"name {name.id} is not the one that was recorded: {name.key}")
    count = 0
    for batch in log.batches():
        rows = list(log.rows(batch.first - 1, batch.last))
        if batch.first != before.position + 1 or [row.position for row in rows] != list(range(batch.first, batch.last + 1)):
            raise BrokenChain(batch.first, "events are missing")
        if digest_of(before.digest, batch, named.get(batch.first, []), rows) != batch.digest:
            raise BrokenChain(batch.first, "the rows of this batch are not the ones that were recorded")
        before = Head(batch.last, batch.digest)
        count += 1
    if next(log.rows(before.position), None) is not None:
        raise BrokenChain(before.position + 1, "events belong to no batch")
    checked = [_anchored(log, anchor) for anchor in anchors]
    return Verified(before, count, len(checked))


def _anchored(log: Store, anchor: Head) -> Head:
    if anchor.position > log.head.position:
        raise BrokenChain(anchor.position, f"the log ends at position {log.head.position}")
    found = log.digest_at(anchor.position)
    if not found.startswith(anchor.digest):
        raise BrokenChain(anchor.position, f"the anchor says {anchor.digest[:16]}, the log {found[:16]}")
    return anchor
