"""What a log says of itself: its head, its batches, its names, and what an append did."""

from typing import NamedTuple, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.errors import BadCut
from ratingcore.events import Instant

GENESIS = "0" * 64
"""Digest of the empty log."""


@frozen
class Head:
    """A point of a history: how many events it has, and the digest of all of them."""

    position: int
    digest: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `POSITION:DIGEST`; at least 12 hexadecimal digits of the digest."""
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
    """Events that the log learnt together."""

    first: int
    last: int
    recorded: Instant
    source: int | None
    digest: str


class Name(NamedTuple):
    """A readable name behind an id; `key` and `salt` are gone once it is erased, the digest stays."""

    id: int
    kind: str
    key: str | None
    salt: str | None
    digest: str
    batch: int


@frozen
class Receipt:
    """What an append did: the head after it, the events it added, the ones that were there before."""

    head: Head
    accepted: int
    duplicates: int


@frozen
class Verified:
    """What `verify` has recomputed."""

    head: Head
    batches: int
    anchors: int


class GameColumns(NamedTuple):
    """Games of a pool as the log keeps them, in order of position; players are ids of names."""

    position: NDArray[np.int64]
    played: NDArray[np.int64]
    order: NDArray[np.int32]
    a: NDArray[np.int32]
    b: NDArray[np.int32]
    score: NDArray[np.float64]
