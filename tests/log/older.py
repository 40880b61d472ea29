"""Uids as earlier versions made them, of the whole row with its names: logs that have them stay in use."""

import hashlib
from collections.abc import Callable, Iterable

from attrs import evolve

from ratingcore.events import Event, GamePlayed, RatingSeeded, canonical


def older_uids(key: str) -> Callable[[Event], str]:
    """Returns the function that gave the rows of one file their uids."""
    seen: dict[bytes, int] = {}

    def uid(event: Event) -> str:
        content = (text(event)).encode()
        digest = hashlib.blake2b(content, key=bytes.fromhex(key), digest_size=16).digest()
        count = seen[digest] = seen.get(digest, -1) + 1
        tail = b"\n#%d" % count if count else b""
        return "i-" + hashlib.blake2b(content + tail, key=bytes.fromhex(key), digest_size=16).hexdigest()

    return uid


def text(event: Event) -> str:
    """The text of a row that went into its uid; of a game without points."""
    if isinstance(event, RatingSeeded):
        return canonical([event.pool, event.played, event.order, event.player, dict(event.values)])
    assert isinstance(event, GamePlayed)
    facts = canonical(dict(event.data))
    return f"{event.pool}\n{event.played}\n{event.order}\n{event.a}\n{event.b}\n{event.score}\n{facts}"


def with_older_uids(key: str, events: Iterable[Event]) -> list[Event]:
    """The events of a file with the uids that they had."""
    uid = older_uids(key)
    return [evolve(event, uid=uid(event)) for event in events]
