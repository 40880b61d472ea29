"""Verifies a log: recomputes its chain of digests, and compares it with heads that were printed before."""

from collections.abc import Iterable
from pathlib import Path

from ratingcore.errors import BrokenChain
from ratingcore.log.anchors import Anchor, anchors_of, check_anchors
from ratingcore.log.chain import bound, follows, whole
from ratingcore.log.facts import EMPTY, Head, Name, Verified
from ratingcore.log.protocol import Log

_FAR_BELOW = -(2**62)


def verify(log: Log, anchors: Iterable[Head | Anchor | str | Path] = ()) -> Verified:
    """Recomputes the whole chain, and checks that anchors (older heads) are prefixes of it.

    Raises
    ------
    BrokenChain
        At the first position where the digests do not follow from the rows.
    AnchorFails
        If anchors differ; it names them all.
    BadCut, BadFile
        If what was given is no anchor.
    """
    kept = list(anchors_of(anchors))
    with log.reading():
        return _verified(log, kept)


def _verified(log: Log, anchors: Iterable[Anchor]) -> Verified:
    before = EMPTY
    named: dict[int, list[Name]] = {}
    for name in log.names():
        named.setdefault(name.batch, []).append(name)
        if not bound(name):
            raise BrokenChain(name.batch, f"name {name.id} is not the one that was recorded: {name.key}")
    count = 0
    for batch in log.batches(_FAR_BELOW):
        rows = list(log.rows(before.position, batch.last))
        if not whole(before, batch, rows):
            raise BrokenChain(batch.first, "events are missing")
        if not follows(before, batch, named.pop(batch.first, []), rows):
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
    return Verified(before, count, check_anchors(log, anchors))
