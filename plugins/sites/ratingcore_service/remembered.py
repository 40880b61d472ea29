"""A cache of responses by address; an entry is valid as long as the state it depends on is unchanged."""

import asyncio
import gzip
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING

from attrs import frozen
from starlette.responses import Response

if TYPE_CHECKING:
    from ratingcore.plugin.stores import Stamp

Key = tuple[str, str, bytes]
"""Where the application is mounted, the path, and the query string."""
Headers = list[tuple[bytes, bytes]]

HEAD = "Ratingcore-Head"
"""The header that names the head of the log."""
PACKED_FROM = 1024
"""Size in bytes from which on a body is sent compressed to clients that accept it."""
PACKING = 2
"""Compression level: half the time of the usual level, for an eighth more bytes."""


def policy(embed_in: Sequence[str] = ()) -> str:
    """Returns the Content-Security-Policy of a page, with the sites that may show it in a frame."""
    framing = " ".join(embed_in) or "'none'"
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        f"form-action 'self'; base-uri 'none'; frame-ancestors {framing}"
    )


SAFE: Headers = [
    (b"content-security-policy", policy().encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
"""Headers of every answer, unless it sets them itself."""

_GZIP = re.compile(rb"(?i)(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)")
"""Gzip in `Accept-Encoding`, unless with the weight 0."""
_CUT = re.compile(r"\s*(list:.+|(head )?\d{1,18}(:[0-9A-Fa-f]{12,64})?)\s*")


def names_state(known_at: str | None) -> bool:
    """True if a cut names a state of the log that never changes: a position, a head or a list, but not a time.

    Examples
    --------
    >>> names_state("60"), names_state("list:2024-03"), names_state("2024-03-31"), names_state(None)
    (True, True, False, False)
    """
    return known_at is not None and _CUT.fullmatch(known_at) is not None


def safe(headers: Headers) -> Headers:
    """Returns headers with the common ones added."""
    own = {name for name, _ in headers}
    return [*headers, *((name, value) for name, value in SAFE if name not in own)]


def tag_of(key: Key, state: "Stamp", version: str) -> str:
    """Returns the ETag of an answer, which is known before the answer is made.

    Parameters
    ----------
    key : Key
    state : Stamp
        The stamp of the log, or of the fixed state of it that the question is about.
    version : str
        Digest of the program's version and settings.
    """
    text = repr((key, tuple(state), version))
    return f'W/"{sha256(text.encode()).hexdigest()[:32]}"'


@frozen(eq=False)
class Entry:
    """A cached response, ready to be sent.

    Parameters
    ----------
    depends : Stamp or int
        The stamp of the log; for a question about a fixed state of the log, only the number of erasures.
    tag : bytes
    whole, packed : tuple of (list of headers, bytes)
        The response uncompressed and compressed; the same if it is too small to compress.
    bare : list of headers
        Headers of a 304 response.
    status : int
    head : str
        The head of the log that it was made from.
    """

    depends: "Stamp | int"
    tag: bytes
    whole: tuple[Headers, bytes]
    packed: tuple[Headers, bytes]
    bare: Headers
    status: int = 200
    head: str = ""

    @classmethod
    def of(cls, made: Response, depends: "Stamp | int", tag: str, cache: str) -> "Entry":
        """Makes the entry of a response; large ones are also compressed.

        Parameters
        ----------
        cache : str
            Value of its header `Cache-Control`.
        """
        made.headers.update({"etag": tag, "cache-control": cache, "vary": "accept-encoding, authorization"})
        base, body = safe([pair for pair in made.raw_headers if pair[0] != b"content-length"]), bytes(made.body)
        whole = packed = [*base, (b"content-length", b"%d" % len(body))], body
        if len(body) >= PACKED_FROM:
            small = gzip.compress(body, PACKING, mtime=0)
            packed = [*base, (b"content-encoding", b"gzip"), (b"content-length", b"%d" % len(small))], small
        bare = [(name, value) for name, value in base if name != b"content-type"]
        return cls(depends, tag.encode(), whole, packed, bare, made.status_code, made.headers.get(HEAD, ""))

    def chosen(self, wanted: bytes | None, taken: bytes | None) -> tuple[int, Headers, bytes]:
        """Returns status, headers and body for a client.

        Parameters
        ----------
        wanted, taken : bytes or None
            The client's headers `If-None-Match` and `Accept-Encoding`.
        """
        if wanted is not None and has_tag(wanted, self.tag):
            return 304, self.bare, b""
        headers, body = self.packed if taken is not None and takes_gzip(taken) else self.whole
        return self.status, headers, body

    @property
    def size(self) -> int:
        """Size in bytes."""
        own = 0 if self.packed is self.whole else len(self.packed[1])
        return len(self.whole[1]) + own + 1000


def has_tag(wanted: bytes, tag: bytes) -> bool:
    """True if a client has the answer with this ETag, by its header `If-None-Match`."""
    return tag in wanted or wanted.strip() == b"*" or tag.removeprefix(b"W/") in wanted


def takes_gzip(taken: bytes) -> bool:
    """True if a client takes bodies that are compressed with gzip, by its header `Accept-Encoding`.

    Examples
    --------
    >>> takes_gzip(b"gzip, deflate"), takes_gzip(b"br;q=1.0, GZIP; q=0.5"), takes_gzip(b"gzip;q=0, identity")
    (True, True, False)
    """
    return _GZIP.search(taken) is not None


class Remembered:
    """Cached responses by address, up to a number of bytes; the least recently used are dropped first.

    Parameters
    ----------
    most : int, bytes
    """

    def __init__(self, most: int) -> None:
        self._most, self._held = most, 0
        self._entries: OrderedDict[Key, Entry] = OrderedDict()
        self._making: dict[tuple[Key, asyncio.AbstractEventLoop], asyncio.Event] = {}
        """Events of answers that are being made, by address and event loop."""

    @property
    def size(self) -> int:
        """Number of bytes held."""
        return self._held

    def get(self, key: Key) -> Entry | None:
        """Returns the entry of an address; None if there is none."""
        found = self._entries.get(key)
        if found is not None:
            self._entries.move_to_end(key)
        return found

    @contextmanager
    def making(self, key: Key) -> Iterator[None]:
        """Announces that the answer of an address is being made in this block."""
        place = key, asyncio.get_running_loop()
        made = self._making.setdefault(place, asyncio.Event())
        try:
            yield
        finally:
            self._making.pop(place, None)
            made.set()

    async def renewed(self, key: Key) -> bool:
        """Waits for an answer that is being made, which costs less than asking too; returns whether there is one."""
        made = self._making.get((key, asyncio.get_running_loop()))
        return made is not None and await made.wait()

    def put(self, key: Key, entry: Entry) -> None:
        """Stores an entry."""
        self.drop(key)
        self._entries[key] = entry
        self._held += entry.size
        while self.size > self._most:
            self.drop(next(iter(self._entries)))

    def drop(self, key: Key) -> None:
        """Drops an entry, if there is one."""
        old = self._entries.pop(key, None)
        self._held -= old.size if old is not None else 0

    def clear(self) -> None:
        """Drops everything, because a name was erased."""
        self._entries.clear()
        self._held = 0
