"""The chain of digests: the digest of a batch covers its rows and the digest of the batch before it."""

import hashlib
from collections.abc import Sequence
from typing import Any

from ratingcore.events import Row, canonical
from ratingcore.events.values import canonical_bytes
from ratingcore.log.facts import Batch, Head, Name

_SCORE = Row._fields.index("score")


def commitment(kind: str, key: str, salt: str) -> str:
    """Digest that commits to a name without revealing it: the salt keeps anyone from trying out names."""
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
    """Digest of a batch that is being written: sha256 of the digest before, its facts and its rows, in canonical JSON.

    Trusts the types of the values, which encoding or admission has checked: only so may the quick encoder be used.
    """
    facts = _facts(first, last, recorded, source, names)
    # scores are the only floats outside `data`, and the quick encoder must know every float it is given
    scores = {row[_SCORE] for row in rows} - {None}
    return hashlib.sha256(canonical_bytes([before, facts, rows], scores)).hexdigest()


def digest_of_texts(
    before: str, first: int, last: int, recorded: int, source: int | None, names: Sequence[Name], rows: bytes
) -> str:
    """Digest of a batch whose rows are in canonical JSON already, parted by commas."""
    facts = canonical(_facts(first, last, recorded, source, names)).encode()
    digest = hashlib.sha256(b'["%s",%s,[' % (before.encode(), facts))
    digest.update(rows)
    digest.update(b"]]")
    return digest.hexdigest()


def digest_of(before: str, batch: Batch, names: Sequence[Name], rows: Sequence[tuple[Any, ...]]) -> str:
    """Digest that a stored batch should have; given its first rows only, the digest of the history up to them.

    Trusts nothing: somebody may have changed the rows in the file, so it takes the encoder that spells every value.
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


def whole(before: Head, batch: Batch, rows: Sequence[Row]) -> bool:
    """Whether a batch follows on the one before and its positions have no gap."""
    first = before.position + 1
    if batch.first != first or batch.last != before.position + len(rows) or not rows:
        return False
    return [row.position for row in rows] == list(range(first, batch.last + 1))


def follows(before: Head, batch: Batch, names: Sequence[Name], rows: Sequence[Row], *, checked: bool = False) -> bool:
    """Whether the digest of a batch follows from its rows; quicker where the types of all values were checked."""
    try:
        if checked:
            first, last, recorded, source, digest = batch
            return batch_digest(before.digest, first, last, recorded, source, names, rows) == digest
        return digest_of(before.digest, batch, names, rows) == batch.digest
    except (TypeError, ValueError):  # a value that JSON cannot spell, so no event has it
        return False


def bound(name: Name) -> bool:
    """Whether a name matches its commitment; an erased name has nothing left to compare."""
    if name.key is None or name.salt is None:
        return name.key is None and name.salt is None
    try:
        return commitment(name.kind, name.key, name.salt) == name.digest
    except (TypeError, ValueError):
        return False
