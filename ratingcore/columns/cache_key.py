"""The key of a cache, without which nobody can write files that this log takes for its own."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Any

from ratingcore.events import canonical

CHUNK = 4 * 2**20
"""Bytes of a file that have a digest of their own, so that a file that grows is not read from its beginning."""


class Damaged(Exception):
    """Sentinel within the caches: a file is not what was written. It is dropped and made again, and nobody sees this.

    Parameters
    ----------
    what : str
        The file, and what is wrong with it.
    """


class CacheKey:
    """Digests keyed with the key of a log, which lies in the log and not beside it.

    Parameters
    ----------
    key : str
        Key of the log.
    """

    def __init__(self, key: str) -> None:
        self._key = hashlib.sha256(b"ratingcore cache\n" + key.encode(errors="surrogatepass")).digest()

    def digest(self, content: Any) -> str:
        """Digest of bytes, or of an array."""
        return hmac.digest(self._key, content, "sha256").hex()

    def of_facts(self, facts: Mapping[str, Any]) -> str:
        """Digest of facts that JSON can hold; `ValueError` or `TypeError` if it cannot."""
        return self.digest(canonical(dict(facts)).encode())

    def chunks(self, content: Any) -> tuple[str, ...]:
        """Digests of bytes, chunk by chunk."""
        octets = memoryview(content)
        if not octets.nbytes:
            return ()
        octets = octets.cast("B")
        return tuple(self.digest(octets[start : start + CHUNK]) for start in range(0, len(octets), CHUNK))

    def grown(self, digests: Sequence[str], last: bytes, more: Any) -> tuple[str, ...]:
        """Digests of a file to which something is added.

        Parameters
        ----------
        digests : sequence of str
            Those of the file as it is.
        last : bytes
            What its last chunk holds, if that is not full.
        more : bytes or array
            What comes behind it.

        Raises
        ------
        Damaged
            If the last chunk is not what its digest says.
        """
        if not last:
            return (*digests, *self.chunks(more))
        if self.digest(last) != digests[-1]:
            raise Damaged("its last part was changed")
        return (*digests[:-1], *self.chunks(last + bytes(more)))
