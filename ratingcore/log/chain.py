"""The chain of digests: each batch is hashed with the digest of all that came before."""

import hashlib
from collections.abc import Sequence
from typing import Any

from ratingcore.events import canonical
from ratingcore.log.facts import Batch, Name


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
    """sha256 over the digest before, the facts of the batch and its rows, in canonical JSON."""
    facts = {
        "first": first,
        "last": last,
        "names": [[name.id, name.kind, name.digest] for name in names],
        "recorded": recorded,
        "source": source,
    }
    return hashlib.sha256(canonical([before, facts, rows]).encode()).hexdigest()


def digest_of(before: str, batch: Batch, names: Sequence[Name], rows: Sequence[tuple[Any, ...]]) -> str:
    """The digest a stored batch should have; with the leading rows only, that of the history so far."""
    last = batch.first + len(rows) - 1
    return batch_digest(before, batch.first, last, batch.recorded, batch.source, names, rows)
