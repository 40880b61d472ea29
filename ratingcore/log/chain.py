"""The chain of digests: each batch is hashed with the digest of all that came before."""

import hashlib
from collections.abc import Sequence
from typing import Any

from ratingcore.events import Row, canonical
from ratingcore.events.values import canonical_bytes
from ratingcore.log.facts import Batch, Name

_SCORE = Row._fields.index("score")


def commitment(kind: str, key: str, salt: str) -> str:
    """Digest that binds a name without telling it: without its salt nobody can try out names."""
    return hashlib.sha256(canonical([salt, kind, key]).encode()).hexdigest()


def batch_digest(
    before: str,
    first: int,
    last: int,
    recorded: int,
    source: int | None,
    names: Sequence[Name],
    rows: Sequence[tuple[Any, ...]],
) -> str:
    """sha256 over the digest before, the facts of the batch and its rows, in canonical JSON.

    For rows that are being written, whose values are what they should be.
    """
    facts = _facts(first, last, recorded, source, names)
    scores = {row[_SCORE] for row in rows if row[_SCORE] is not None}
    return hashlib.sha256(canonical_bytes([before, facts, rows], scores)).hexdigest()


def digest_of(before: str, batch: Batch, names: Sequence[Name], rows: Sequence[tuple[Any, ...]]) -> str:
    """The digest a stored batch should have; with the leading rows only, that of the history so far.

    For rows that were read, in which anything may stand.
    """
    facts = _facts(batch.first, batch.first + len(rows) - 1, batch.recorded, batch.source, names)
    return hashlib.sha256(canonical([before, facts, rows]).encode()).hexdigest()


def _facts(first: int, last: int, recorded: int, source: int | None, names: Sequence[Name]) -> dict[str, object]:
    return {
        "first": first,
        "last": last,
        "names": [[name.id, name.kind, name.digest] for name in names],
        "recorded": recorded,
        "source": source,
    }
