"""Exports a log as lines of JSON, and loads such an export into another log."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ratingcore.errors import BadTransfer, BrokenChain
from ratingcore.events import DAY, Row, canonical
from ratingcore.events.values import RepeatedKey, text, unrepeated
from ratingcore.log.append import BatchRefused, UidTaken, UidTwice
from ratingcore.log.chain import EMPTY, Batch, Head, Name, Verified, bound, follows, is_whole
from ratingcore.log.contract import Log
from ratingcore.log.validation import Validation

FORMAT = 1
"""Version of the lines; rises when an older ratingcore could not load them."""


def export_lines(log: Log) -> Iterator[str]:
    """Yields a log as lines of JSON: a header, then each batch with its names and rows."""
    head = log.head
    yield canonical({"ratingcore": FORMAT, "key": log.key, "head": [head.position, head.digest]})
    names = iter(log.book.names())
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


_AHEAD = 366 * DAY
"""Tolerated difference between clocks, so that no log is refused for a clock that is slightly wrong."""

_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""Errors from reading a line that does not belong to an export."""


def load_lines(log: Log, lines: Iterable[str]) -> Verified:
    """Loads an export into an empty log; checks every digest, and every line as strictly as an append checks events.

    Raises
    ------
    BadTransfer
        If a line does not belong in an export, or has values that no append writes, or the log is not empty.
    BrokenChain
        If the digests do not follow from the rows.
    """
    try:
        with log.writing():  # all of it or nothing
            if log.head != EMPTY:
                raise BadTransfer(0, "the log it should be loaded into is not empty")
            return _load(log, lines)
    except UidTwice as twice:  # ids of sealed games are indexed at the end
        raise BadTransfer(0, f"two events have the same uid: {twice.uid}") from None


def _load(log: Log, lines: Iterable[str]) -> Verified:
    numbered = enumerate(lines, 1)
    number, first = next(numbered, (0, ""))
    if not number:
        raise BadTransfer(0, "it is empty")
    promised = _begin(log, first)
    validation = Validation(log.key, log.rows_at)
    count = 0
    pending: _Pending | None = None
    for number, line in numbered:
        kind, value = _line(number, line)
        if kind == "batch":
            count += pending.write(log, validation, number) if pending else 0
            pending = _Pending(number, value)
        elif pending is not None and kind == "name":
            pending.names.append((number, value))
        elif pending is not None and kind == "row":
            pending.rows.append((number, value))
        else:
            raise BadTransfer(number, f"a line of kind {kind} has no place here")
    count += pending.write(log, validation, number + 1) if pending else 0
    if log.head != promised:
        raise BadTransfer(number + 1, f"the export ends at position {log.head.position}, not at {promised}")
    return Verified(log.head, count, 0, validation.bound, tuple(validation.remarks))


_MAKE = {"batch": Batch._make, "name": Name._make, "row": Row._make}


def _object(number: int, line: str) -> Any:
    try:
        return json.loads(line, object_pairs_hook=unrepeated)
    except RepeatedKey as problem:
        raise BadTransfer(number, str(problem)) from None


def _line(number: int, line: str) -> tuple[str, Any]:
    try:
        facts = _object(number, line)
        kind = next(key for key in ("ratingcore", *_MAKE) if key in facts)
        return kind, _MAKE[kind](facts[kind]) if kind in _MAKE else None
    except (StopIteration, *_UNREADABLE):
        raise BadTransfer(number, "this is not a line of an export") from None


def _begin(log: Log, line: str) -> Head:
    try:
        facts = _object(1, line)
        if facts["ratingcore"] != FORMAT:
            raise BadTransfer(1, f"this is not an export of format {FORMAT}")
        if facts["key"] == "":
            raise BadTransfer(1, "the log has no key")
        log.adopt(text(facts["key"], "key"))
        return Head(*facts["head"])
    except _UNREADABLE:
        raise BadTransfer(1, "this is not a line of an export") from None


class _Pending:
    """A batch whose lines are being read; it is checked and written when the next one begins."""

    def __init__(self, line: int, batch: Batch) -> None:
        self.line = line
        self.batch = batch
        self.names: list[tuple[int, Name]] = []
        self.rows: list[tuple[int, Row]] = []

    def write(self, log: Log, validation: Validation, line: int) -> int:
        """Checks and writes the batch, which ends before a line; returns the number of batches written."""
        head, names, rows = log.head, [name for _, name in self.names], [row for _, row in self.rows]
        if not is_whole(head, self.batch, rows):
            raise BrokenChain(head.position + 1, f"the batch before line {line} of the export has another digest")
        fault = next(self._faults(validation, log.book.count, log.now() + _AHEAD), None)
        if not follows(head, self.batch, names, rows, checked=fault is None):
            raise BrokenChain(head.position + 1, f"the batch before line {line} of the export has another digest")
        if fault is not None:
            raise fault
        try:
            log.restore(self.batch, names, rows)
        except UidTaken:
            raise self._twice(log) from None
        except BatchRefused as refused:
            raise BadTransfer(line - 1, f"this log cannot hold the batch that ends here: {refused}") from None
        return 1

    def _faults(self, validation: Validation, known: int, latest: int) -> Iterator[BadTransfer | BrokenChain]:
        for expected, (line, name) in enumerate(self.names, known + 1):
            # the digest covers commitments, not names: each name is checked against its commitment separately
            if name.id != expected or name.batch != self.batch.first or not bound(name):
                why = f"name {name.id} is not the one that was recorded: {name.key}"
                yield BrokenChain(self.batch.first, why)
            elif why := validation.name(name) or validation.ambiguous(name):
                yield BadTransfer(line, why)
        for index, why in validation.rows([row for _, row in self.rows]):
            yield BadTransfer(self.rows[index][0], why)
        if why := validation.batch(self.batch, latest):
            yield BadTransfer(self.line, why)

    def _twice(self, log: Log) -> BadTransfer:
        """The error for the first row whose uid an earlier row already has."""
        seen = set(log.find([row.uid for _, row in self.rows]))
        for line, row in self.rows:
            if row.uid in seen:
                return BadTransfer(line, f"its uid is there already: {row.uid}")
            seen.add(row.uid)
        raise AssertionError(self.batch)
