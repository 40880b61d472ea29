"""Heads, batches, names and receipts of a log, and the chain of digests over them."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice, repeat
from operator import attrgetter
from typing import Any, NamedTuple, Self

from attrs import field, frozen

from ratingcore.errors import BadCut
from ratingcore.errors.root import quoted
from ratingcore.events import Instant, Row, canonical
from ratingcore.events.canonical_json import canonical_bytes, is_quick
from ratingcore.log.segments import Segment

GENESIS = "0" * 64
"""Digest of the empty log."""

Cells = tuple[Any, ...]
"""A row of a log as a store writes it, cell by cell."""


@frozen
class Head:
    """A point in a history: the number of events up to it, and the digest of all of them."""

    position: int
    digest: str

    def __attrs_post_init__(self) -> None:
        whole = isinstance(self.position, int) and not isinstance(self.position, bool)
        if not whole or not 0 <= self.position < 2**63 or not isinstance(self.digest, str):
            raise BadCut("head", f"{quoted(self.position)}:{quoted(self.digest)}", "is not a position with a digest")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parses `POSITION:DIGEST`, with at least the first 12 hexadecimal digits of the digest."""
        if not isinstance(text, str):
            raise BadCut("anchor", text, "is not POSITION:DIGEST with 12 or more hexadecimal digits")
        position, _, digest = text.partition(":")
        plain = digest.strip().lower()
        number = position.isascii() and position.isdigit() and len(position) < 19
        if not number or len(plain) < 12 or set(plain) - set("0123456789abcdef"):
            raise BadCut("anchor", text, "is not POSITION:DIGEST with 12 or more hexadecimal digits")
        return cls(int(position), plain)

    def __str__(self) -> str:
        return f"{self.position}:{self.digest}"


EMPTY = Head(0, GENESIS)


class Batch(NamedTuple):
    """Events that were appended together, with the digest of the history up to the last of them."""

    first: int
    last: int
    recorded: Instant
    source: int | None
    digest: str


def head_after(last: Batch | None) -> Head:
    """The head of a log after its newest batch, or of an empty log if `last` is None."""
    return Head(last.last, last.digest) if last else EMPTY


_BACKFILLED = r" backfilled [0-9]{4}-[0-9]{2}-[0-9]{2}$"


def backfilled(source: str, day: str) -> str:
    """The source of batches that were filed on a day, for results that became known earlier."""
    return f"{source} backfilled {day}"


def without_mark(source: str) -> str:
    """A source without the mark of batches filed later; unchanged without a mark."""
    return re.sub(_BACKFILLED, "", source)


_TAKEN_BACK = "taken back"


def taken_back(source: str) -> str:
    """The source of a batch of voids that takes back all events of another source, or those at some positions."""
    return f"{source} {_TAKEN_BACK}".strip()


def is_taken_back(source: str) -> bool:
    """True if a batch with this source takes back a whole source or batch; the same file then counts as new.

    Examples
    --------
    >>> is_taken_back(taken_back("games.csv")), is_taken_back("games.csv")
    (True, False)
    """
    return source.endswith(_TAKEN_BACK)


NAMED = ("pool", "player", "source", "note", "key", "called", "fact")
"""Kinds of names; `key` is the key of the log, entered once so that the digests cover it, `called` the visible name of
a player, and `fact` one fact of a description."""

ERASABLE = ("player", "source", "note", "called", "fact")
"""Kinds of names that an erasure may remove."""


class Name(NamedTuple):
    """A readable name and its id; once erased, `key` and `salt` are None and the digest stays."""

    id: int
    kind: str
    key: str | None
    salt: str | None
    digest: str
    batch: int


@frozen
class Receipt:
    """Result of an append: the new head, and how many events were added and how many were already in the log.

    Examples
    --------
    >>> import ratingcore as rc
    >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
    >>> receipt = rc.open(":memory:").record(game)
    >>> receipt.uids, list(receipt.positions)
    (('g-1',), [1])
    """

    head: Head
    accepted: int
    duplicates: int
    uids: tuple[str, ...] = field(default=(), repr=False)
    """Uids of the events that it added, in order."""

    @property
    def positions(self) -> range:
        """Positions of the events that it added."""
        return range(self.head.position - self.accepted + 1, self.head.position + 1)


@frozen
class Verified:
    """Result of `verify` and of `load`: the head, and counts of what was checked.

    Parameters
    ----------
    head : Head
    batches, anchors : int
        Numbers of batches and anchors that were checked.
    bound : bool
        Whether the digests cover the key of the log; in a log of an older version, they do after the next append.
    remarks : tuple of str
        Sentences about records of older versions that would be refused today, and about names erased without an entry;
        these records stay unchanged.
    damaged : tuple of str
        Caches that differed from the rows of the log, and were dropped.
    """

    head: Head
    batches: int
    anchors: int
    bound: bool = False
    remarks: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()


_SCORE = Row._fields.index("score")


def commitment(kind: str, key: str, salt: str) -> str:
    """Digest that commits to a name without revealing it: the salt prevents guessing."""
    return hashlib.sha256(canonical([salt, kind, key]).encode()).hexdigest()


def commitments(kind: str, keys: Sequence[str], salts: Sequence[str]) -> list[str]:
    """Digests that commit to names of one kind; see `commitment`."""
    sha256, quoted, named = hashlib.sha256, _quoted, f",{_quoted(kind)},"
    return [
        sha256(f"[{quoted(salt)}{named}{quoted(key)}]".encode()).hexdigest()
        for salt, key in zip(salts, keys, strict=True)
    ]


_quoted = json.encoder.encode_basestring


def batch_digest(
    before: str,
    first: int,
    last: int,
    recorded: int,
    source: int | None,
    names: Sequence[Name],
    rows: Sequence[Cells],
) -> str:
    """Digest of a new batch: sha256 of the digest before, its facts and its rows, in canonical JSON.

    The caller must have checked the types of the values, as encoding and validation do; the quick encoder needs that.
    """
    facts = _facts(first, last, recorded, source, names)
    # scores are the only floats outside `data`, and the quick encoder needs every float it is given
    scores = {row[_SCORE] for row in rows} - {None}
    return hashlib.sha256(canonical_bytes([before, facts, rows], scores)).hexdigest()


def games_digest(
    before: str,
    first: int,
    last: int,
    recorded: int,
    source: int | None,
    names: Sequence[Name],
    pool: int,
    columns: Sequence[Sequence[Any]],
) -> str:
    """Digest of a batch of games of one pool, equal to that of `batch_digest`.

    Parameters
    ----------
    columns : sequence of uid, played, order, a, b, score, data
        Each holds a value for every game.
    """
    facts = _facts(first, last, recorded, source, names)
    uids, played, order, a, b, score, data = columns
    positions, shares = range(first, last + 1), set(score)
    if is_quick(shares):
        rows = list(zip(positions, uids, repeat("game"), repeat(pool), *columns[1:6], repeat(None), data, strict=False))
        return hashlib.sha256(canonical_bytes([before, facts, rows], shares)).hexdigest()
    together = "".join(uids)
    if '"' in together or "\\" in together or not together.isascii():
        uids = [canonical(uid)[1:-1] for uid in uids]
    spelt = {value: canonical(value) for value in {*shares, *data}}
    ends = [f"{spelt[share]},null,{spelt[facts]}]" for share, facts in zip(score, data, strict=True)]
    row = f'[%d,"%s","game",{pool},%d,%d,%d,%d,%s'
    cells = zip(positions, uids, played, order, a, b, ends, strict=True)
    text = f'["{before}",{canonical(facts)},[{",".join([row % cell for cell in cells])}]]'
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of(before: str, batch: Batch, names: Sequence[Name], rows: Sequence[Cells]) -> str:
    """Digest that a stored batch should have; given its first rows only, the digest of the history up to them.

    Rows may have been changed in the file, so the full encoder is used, which checks every value.
    """
    facts = _facts(batch.first, batch.first + len(rows) - 1, batch.recorded, batch.source, names)
    return hashlib.sha256(canonical([before, facts, rows]).encode()).hexdigest()


def sealed_digest(before: str, batch: Batch, names: Sequence[Name], segment: Segment) -> str:
    """Digest of a batch whose games are sealed; given its first games only, the digest of the history up to them.

    It covers the digest of each column in place of the rows, so nothing depends on how columns are packed, nor on
    whether a store has the games in a segment or in rows.
    """
    facts = _facts(batch.first, segment.last, batch.recorded, batch.source, names)
    sealed = {"pool": segment.pool, "columns": segment.digests()}
    return hashlib.sha256(canonical_bytes([before, facts, sealed], ())).hexdigest()


def segment_of(before: str, batch: Batch, names: Sequence[Name], rows: Sequence[Row]) -> Segment | None:
    """The segment that holds the rows of a batch; None if the digest of the batch is not that of a segment."""
    segment = Segment.of(rows)
    return segment if segment is not None and sealed_digest(before, batch, names, segment) == batch.digest else None


def digest_within(before: str, batch: Batch, names: Sequence[Name], rows: Sequence[Row], position: int) -> str:
    """Digest of the history up to a position within a stored batch, of which all rows are given."""
    segment = segment_of(before, batch, names, rows)
    if segment is not None:
        return sealed_digest(before, batch, names, segment.part(0, position))
    return digest_of(before, batch, names, rows[: position + 1 - batch.first])


def _facts(first: int, last: int, recorded: int, source: int | None, names: Sequence[Name]) -> dict[str, object]:
    return {
        "first": first,
        "last": last,
        "names": [[name.id, name.kind, name.digest] for name in names],
        "recorded": recorded,
        "source": source,
    }


def is_whole(before: Head, batch: Batch, rows: Sequence[Row]) -> bool:
    """True if a batch follows the one before and its positions have no gap."""
    first = before.position + 1
    if batch.first != first or batch.last != before.position + len(rows) or not rows:
        return False
    return [row.position for row in rows] == list(range(first, batch.last + 1))


def follows(before: Head, batch: Batch, names: Sequence[Name], rows: Sequence[Row], *, checked: bool = False) -> bool:
    """True if the digest of a batch follows from its rows; faster with `checked`, if all types were checked."""
    try:
        if checked:
            first, last, recorded, source, digest = batch
            if batch_digest(before.digest, first, last, recorded, source, names, rows) == digest:
                return True
        elif digest_of(before.digest, batch, names, rows) == batch.digest:
            return True
        return segment_of(before.digest, batch, names, rows) is not None
    except (TypeError, ValueError):  # JSON cannot represent a value, so no append wrote it
        return False


def bound(name: Name) -> bool:
    """True if a name matches its commitment; an erased name has nothing left to compare."""
    if name.key is None or name.salt is None:
        return name.key is None and name.salt is None
    try:
        return commitment(name.kind, name.key, name.salt) == name.digest
    except (TypeError, ValueError):
        return False


_TOGETHER = 1_000
"""Number of names that are compared at once; if any is erased or wrong, each is compared by itself."""


def unbound(names: Iterable[Name]) -> Iterator[Name]:
    """The names that do not match their commitments."""
    for kind, of_kind in groupby(names, attrgetter("kind")):
        while some := list(islice(of_kind, _TOGETHER)):
            try:
                digests = commitments(kind, *([*column] for column in list(zip(*some, strict=True))[2:4]))
            except (TypeError, ValueError):  # an erased name has no key
                digests = []
            if digests != [name.digest for name in some]:
                yield from (name for name in some if not bound(name))
