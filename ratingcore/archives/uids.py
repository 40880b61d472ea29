"""Uids for rows that have none: from what the row says, so that importing it again is no news."""

import hashlib
from collections.abc import Callable


def uids(key: str) -> Callable[[str], str]:
    """A giver of uids to the rows of one file, in its order, from one canonical text a meaning.

    Keyed digests, the count among equal rows included. The key is the log's own: a uid tells nobody who
    does not hold it who played. BLAKE2b with its built-in key, not HMAC: the same promise in a quarter
    of the time.
    """
    fresh = hashlib.blake2b(key=bytes.fromhex(key), digest_size=16).copy
    seen: dict[bytes, int] = {}

    def uid(content: str) -> str:
        keyed = fresh()
        keyed.update(content.encode())
        digest = keyed.digest()
        if digest in seen:
            seen[digest] = count = seen[digest] + 1
            keyed.update(b"\n#%d" % count)
            return "i-" + keyed.hexdigest()
        seen[digest] = 0
        return "i-" + digest.hex()

    return uid
