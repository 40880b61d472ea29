"""Verifies a log: its chain of digests, every row as an event, and what no digest covers."""

from collections.abc import Iterable
from pathlib import Path

from ratingcore.errors import BrokenChain, LogError, UnsoundLog
from ratingcore.log.admission import Admission
from ratingcore.log.anchors import Anchor, anchors_of, check_anchors
from ratingcore.log.chain import bound, follows, whole
from ratingcore.log.facts import EMPTY, Head, Name, Verified
from ratingcore.log.protocol import Log

_FAR_BELOW = -(2**62)


def verify(log: Log, anchors: Iterable[Head | Anchor | str | Path] = ()) -> Verified:
    """Checks the store, recomputes the whole chain, reads every row as an event, and looks for anchors (older heads).

    Raises
    ------
    BrokenChain
        At the first position where the digests do not follow from the rows.
    UnsoundLog
        If the digests follow, and anything else is not as a log is written: it names every fault.
    AnchorFails
        If anchors differ; it names them all.
    BadCut, BadFile
        If what was given is no anchor.
    LogUnavailable
        If another log has taken the place of the one that was opened.
    """
    kept = list(anchors_of(anchors))
    log.head  # noqa: B018  # raises if the log that was opened is not at its path any more
    with log.reading():
        return _verified(log, kept)


def _verified(log: Log, anchors: Iterable[Anchor]) -> Verified:
    faults = list(log.faults())
    try:
        admission = Admission("" if log.supposed else log.key, log.rows_at)
        head, batches = _chain(log, admission, faults)
    except BrokenChain as broken:
        broken.besides = tuple(faults)
        raise
    except LogError as error:  # a store so damaged that it cannot be read
        if faults:
            raise UnsoundLog((*faults, str(error))) from error
        raise
    if faults:
        raise UnsoundLog(tuple(faults))
    remarks = (*log.remarks(), *admission.remarks)
    return Verified(head, batches, check_anchors(log, anchors), admission.bound, remarks)


def _chain(log: Log, admission: Admission, faults: list[str]) -> tuple[Head, int]:
    """The head that the digests lead to, and how many batches; adds to the faults what they do not show."""
    before, count = EMPTY, 0
    named: dict[int, list[Name]] = {}
    for name in log.names():
        named.setdefault(name.batch, []).append(name)
        if not bound(name):
            raise BrokenChain(name.batch, f"name {name.id} is not the one that was recorded: {name.key}")
    for batch in log.batches(_FAR_BELOW):
        names, rows = named.pop(batch.first, []), list(log.rows(before.position, batch.last))
        if not whole(before, batch, rows):
            raise BrokenChain(before.position + 1, "events are missing")
        found = list(admission.faults(batch, names, rows))
        if not follows(before, batch, names, rows, checked=not found):
            raise BrokenChain(batch.first, "the rows of this batch are not the ones that were recorded")
        faults += found
        before = Head(batch.last, batch.digest)
        count += 1
    # rows after the last batch or before position 1 are covered by no digest
    for after, to in ((before.position, None), (_FAR_BELOW, 0)):
        stray = next(log.rows(after, to), None)
        if stray is not None:
            raise BrokenChain(stray.position, "events belong to no batch")
    if named:
        raise BrokenChain(next(iter(named)), "names belong to no batch")
    return before, count
