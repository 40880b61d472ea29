"""Verifies a log: its chain of digests, every row as an event, data outside the digests, and anchors kept elsewhere."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from operator import attrgetter
from pathlib import Path
from typing import Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.errors import AnchorFails, BadCut, BadFile, BrokenChain, LogError, NoAnchors, OnlySupposed, UnsoundLog
from ratingcore.events import Instant, exact
from ratingcore.gc_pause import uncollected
from ratingcore.log.abilities import faults_of, file_of, remarks_of, sealed_in, segment_faults
from ratingcore.log.chain import EMPTY, Batch, Head, Name, Verified, follows, is_whole, sealed_digest, unbound
from ratingcore.log.contract import Log
from ratingcore.log.lookup import last_batch
from ratingcore.log.names import FIRST, LAST
from ratingcore.log.overlay import supposed_in
from ratingcore.log.segments import BadSegment, Segment, hashes, repeated
from ratingcore.log.validation import Validation

_FACT = r"""(?a)[\s{#"-]*head[\s":]+(\d{1,18}:[0-9a-fA-F]{12,})(?:["\s].*)?"""
"""Matches a line that holds a head in a CSV, JSON or Markdown document, or below a printed table."""

LARGEST = 64 * 2**20
"""Largest size in bytes of a file of anchors: a list of half a million players as a document has this size."""


@frozen
class Anchor:
    """A head with its time of recording and the name of its log; `str` writes it as one line.

    The line begins with `POSITION:DIGEST`, followed by a remark for people. Keep it where nobody who can write to
    the log can write: in a mail, on paper, in somebody else's repository.

    Parameters
    ----------
    head : Head
    recorded : int or None
        Instant of the newest event; None for an empty log, and for an anchor read from a text.
    log : str
        Name of the file of the log, if it has one.
    place : str
        Place of the anchor: "line 3 of anchors.txt".
    """

    head: Head
    recorded: Instant | None = None
    log: str = ""
    place: str = ""

    @classmethod
    def of(cls, log: Log) -> Self:
        """The head of a log as an anchor, to be kept elsewhere; `OnlySupposed` for the log of a what-if."""
        if supposed_in(log):
            raise OnlySupposed(supposed_in(log))
        with log.reading():
            head, batch = log.head, last_batch(log)
        file = file_of(log)
        return cls(head, batch and batch.recorded, file.name if file else "")

    @classmethod
    def parse(cls, text: str, place: str = "") -> Self:
        """Reads `POSITION:DIGEST`, optionally with a remark after it, or a head in the form that lists and documents
        print.

        Raises
        ------
        BadCut
            If it is neither.
        """
        if not isinstance(text, str):
            raise BadCut("anchor", text, "must be a text, POSITION:DIGEST")
        printed = re.fullmatch(_FACT, text.rstrip())
        try:
            return cls(Head.parse(printed[1] if printed else text.partition("#")[0].strip()), place=place)
        except BadCut as error:
            raise BadCut(place or error.cut, text, error.why) from None

    def __str__(self) -> str:
        recorded = "nothing recorded yet" if self.recorded is None else f"recorded {exact(self.recorded)}"
        # a line end in the name must not begin another line
        log = "".join(letter if letter.isprintable() else "?" for letter in self.log)
        return f"{self.head}  # {log}, {recorded}" if log else f"{self.head}  # {recorded}"


def anchors_of(given: Iterable[Head | Anchor | str | Path]) -> Iterator[Anchor]:
    """Reads anchors from a caller: heads, texts, and files of them."""
    for one in given:
        if isinstance(one, Anchor):
            yield one
        elif isinstance(one, Path):
            yield from read_anchors(_text(one), str(one))
        else:
            yield Anchor(one) if isinstance(one, Head) else Anchor.parse(one)


def read_anchors(text: str, name: str) -> list[Anchor]:
    """Returns the anchors in a text: one per line, or those of a document or a printed list.

    Among anchors, blank lines and lines that begin with `#` are skipped; every other line must be an anchor, so that
    a mistyped anchor is an error.

    Parameters
    ----------
    text : str
    name : str
        Name of the text in errors.

    Raises
    ------
    BadCut
        At the first line that is not an anchor.
    BadFile
        If there are no anchors.
    """
    lines = [(line, f"line {number} of {name}") for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    printed = [Anchor.parse(line, place) for line, place in lines if re.fullmatch(_FACT, line.rstrip())]
    anchors = printed or [Anchor.parse(line, place) for line, place in lines if not line.lstrip().startswith("#")]
    if not anchors:
        raise NoAnchors(name)
    return anchors


def check_anchors(log: Log, anchors: Iterable[Anchor]) -> int:
    """Checks that anchors are part of the history of a log; returns their number.

    Raises
    ------
    AnchorFails
        If an anchor is not part of it; the error lists every such anchor.
    """
    checked = [(anchor, _difference(log, anchor)) for anchor in anchors]
    failing = [(anchor.head.position, why) for anchor, why in checked if why]
    if failing:
        raise AnchorFails(*failing[0], further=tuple(failing[1:]), checked=len(checked))
    return len(checked)


def _difference(log: Log, anchor: Anchor) -> str:
    """The difference between the log and an anchor in words; empty if the anchor is part of the log."""
    head, end = anchor.head, log.head.position
    which = f"the anchor in {anchor.place}" if anchor.place else "the anchor"
    if head.position > end:
        return f"the log ends at position {end}, before {which}"
    digest = log.digest_at(head.position)
    return "" if digest.startswith(head.digest) else f"{which} has {head.digest[:16]}, the log has {digest[:16]}"


def _text(path: Path) -> str:
    """The text of a file of anchors."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except OSError as error:
        raise BadFile(str(path), (error.strerror or str(error)).lower()) from None
    return anchors_text(raw, str(path))


def anchors_text(raw: bytes, name: str) -> str:
    """Decodes a file of anchors; `BadFile` if it is too large, or not UTF-8."""
    if len(raw) > LARGEST:
        raise BadFile(name, f"it has more than {LARGEST:,} bytes", "anchors are lines of POSITION:DIGEST")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadFile(name, "it is not text in UTF-8", "save it as UTF-8") from None


_FAR_BELOW = -(2**62)
_NAMES_AT_ONCE = 100_000


def verify(log: Log, anchors: Iterable[Head | Anchor | str | Path] = ()) -> Verified:
    """Checks the store, recomputes the whole chain, reads every row as an event, and checks anchors (older heads).

    Raises
    ------
    BrokenChain
        At the first position where the digests do not follow from the rows.
    UnsoundLog
        If the digests are right, but something else is wrong; the error lists every fault.
    AnchorFails
        If anchors differ; the error lists them all.
    BadCut, BadFile
        If something given is not an anchor.
    LogUnavailable
        If another log has taken the place of the one that was opened.
    """
    read = list(anchors_of(anchors))
    log.head  # noqa: B018  # raises if the log that was opened is not at its path any more
    with log.reading(), uncollected():
        return _verified(log, read)


def _verified(log: Log, anchors: Iterable[Anchor]) -> Verified:
    faults = list(faults_of(log))
    try:
        validation = Validation("" if supposed_in(log) else log.key, log.rows_at)
        head, batches = _chain(log, validation, faults)
    except BrokenChain as broken:
        broken.besides = tuple(faults)
        raise
    except LogError as error:  # a store so damaged that it cannot be read
        if faults:
            raise UnsoundLog((*faults, str(error))) from error
        raise
    if faults:
        raise UnsoundLog(tuple(faults))
    remarks = (*remarks_of(log), *validation.remarks)
    return Verified(head, batches, check_anchors(log, anchors), validation.bound, remarks)


def _chain(log: Log, validation: Validation, faults: list[str]) -> tuple[Head, int]:
    """Recomputes the digests; returns the head and the number of batches, and adds other faults to `faults`."""
    before, count = EMPTY, 0
    by_batch = ((first, list(some)) for first, some in groupby(_names(log), attrgetter("batch")))
    upcoming = next(by_batch, None)
    hashed: dict[int, NDArray[np.int64]] = {}
    for batch in log.batches(_FAR_BELOW):
        names, segment = list[Name](), _sealed(log, batch)
        if upcoming is not None and upcoming[0] == batch.first:
            names, upcoming = upcoming[1], next(by_batch, None)
        if segment is None:
            rows = list(log.rows(before.position, batch.last))
            if not is_whole(before, batch, rows):
                raise BrokenChain(before.position + 1, "events are missing")
            of_batch = list(validation.faults(batch, names, rows))
            same = follows(before, batch, names, rows, checked=not of_batch)
        else:
            if (segment.first, segment.last) != (batch.first, batch.last) or batch.first != before.position + 1:
                raise BrokenChain(before.position + 1, "events are missing")
            of_batch = list(validation.faults_of_segment(batch, names, segment))
            same = sealed_digest(before.digest, batch, names, segment) == batch.digest
            hashed[segment.first] = hashes(segment.uid, log.key)
            if again := repeated(segment.uid, hashed[segment.first]):
                of_batch.append(f"the uid {again} occurs twice")
        if not same:
            raise BrokenChain(batch.first, "the rows of this batch are not the ones that were recorded")
        faults += of_batch
        before = Head(batch.last, batch.digest)
        count += 1
    # rows after the last batch or before position 1 are covered by no digest
    for after, to in ((before.position, -_FAR_BELOW), (_FAR_BELOW, 0)):
        stray = next(log.rows(after, to), None)
        if stray is not None:
            raise BrokenChain(stray.position, "events belong to no batch")
    if upcoming is not None:
        raise BrokenChain(upcoming[0], "names belong to no batch")
    faults += segment_faults(log, hashed)
    return before, count


def _names(log: Log) -> Iterator[Name]:
    """Yields all names in order of their ids, some at a time; `BrokenChain` at one that was changed."""
    ends = [FIRST, *range(_NAMES_AT_ONCE, log.book.count, _NAMES_AT_ONCE), LAST]
    for after, to in pairwise(ends):
        some = log.book.names(after, to)
        for name in unbound(some):
            raise BrokenChain(name.batch, f"name {name.id} is not the one that was recorded: {name.key}")
        yield from some


def _sealed(log: Log, batch: Batch) -> Segment | None:
    """The segment of a batch; `BrokenChain` if it is damaged."""
    try:
        return sealed_in(log, batch)
    except BadSegment as error:
        raise BrokenChain(batch.first, f"its segment is damaged: {error}") from None
