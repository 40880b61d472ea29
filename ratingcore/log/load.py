"""Loads an export into an empty log, with the same digests."""

import json
from collections.abc import Iterable
from typing import Any

from ratingcore.errors import BadTransfer, BrokenChain
from ratingcore.events import Row
from ratingcore.events.values import text
from ratingcore.log.append import UidTaken
from ratingcore.log.chain import bound, follows, whole
from ratingcore.log.connection import sqlite3
from ratingcore.log.export import FORMAT
from ratingcore.log.facts import EMPTY, Batch, Head, Name, Verified
from ratingcore.log.protocol import Log


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
        if not whole(head, self.batch, self.rows) or not follows(head, self.batch, self.names, self.rows):
            raise BrokenChain(self.batch.first, f"the batch before line {line} of the export has another digest")
        # the digest covers commitments, not names: that each name matches its commitment is a check of its own
        count = len(log.names())
        for number, name in enumerate(self.names, count + 1):
            if name.id != number or name.batch != self.batch.first or not bound(name):
                raise BrokenChain(self.batch.first, f"name {name.id} is not the one that was recorded: {name.key}")
        log.restore(self.batch, self.names, self.rows)
        return 1
