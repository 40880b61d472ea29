"""Values of a log: head, batch, name, and receipt of an append."""

import re
from typing import NamedTuple, Self

from attrs import frozen

from ratingcore.errors import BadCut
from ratingcore.errors.root import quoted
from ratingcore.events import Instant

GENESIS = "0" * 64
"""Digest of the empty log."""


@frozen
class Head:
    """A point of a history: the number of its events, and the digest of all of them."""

    position: int
    digest: str

    def __attrs_post_init__(self) -> None:
        whole = isinstance(self.position, int) and not isinstance(self.position, bool)
        if not whole or not 0 <= self.position < 2**63 or not isinstance(self.digest, str):
            raise BadCut("head", f"{quoted(self.position)}:{quoted(self.digest)}", "is no position with a digest")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parses `POSITION:DIGEST`; at least 12 hexadecimal digits of the digest."""
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


_BACKFILLED = re.compile(r" backfilled [0-9]{4}-[0-9]{2}-[0-9]{2}$")


def backfilled(source: str, day: str) -> str:
    """The source of batches that were filed on a day under the earlier days on which their results became known."""
    return f"{source} backfilled {day}"


def without_mark(source: str) -> str:
    """A source without the mark of batches that were filed later; as it is without one."""
    return _BACKFILLED.sub("", source)


NAMED = ("pool", "player", "source", "note", "key", "called")
"""What a name may stand for; `key` is the key of the log, named once so that the digests cover it too, and
`called` the name that people see beside the key of a player."""

ERASABLE = ("player", "source", "note", "called")
"""Kinds of names that an erasure may take away."""


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
    """Result of an append: the head after it, how many events it added, and how many were there already."""

    head: Head
    accepted: int
    duplicates: int


@frozen
class Verified:
    """Result of `verify` and of `load`: the head, and what was checked.

    Parameters
    ----------
    head : Head
    batches, anchors : int
        How many were checked.
    bound : bool
        Whether the digests cover the key of the log; of an older log they do once it has been appended to.
    remarks : tuple of str
        What an older version recorded and none would record today, and names that are erased without an entry; it
        stays as it is.
    damaged : tuple of str
        Caches that were not what the rows of the log give, and were dropped.
    """

    head: Head
    batches: int
    anchors: int
    bound: bool = False
    remarks: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
