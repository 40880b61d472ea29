"""Placeholders for uids of events without an id, until the log derives one on appending."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence

from ratingcore.events.kinds import Event
from ratingcore.events.times import Instant, iso
from ratingcore.events.values import NO_ID

_NAMED = "named-session"


def is_nameless(uid: str) -> bool:
    """True if a uid only holds the place of one that is derived when the event is appended."""
    return uid.startswith(NO_ID)


def own_uids(events: Iterable[Event]) -> list[str]:
    """Uids of those events that have one."""
    return [event.uid for event in events if not event.uid.startswith(NO_ID)]


def within(scope: str, part: int = 0) -> str:
    """Builds the placeholder for the uid of an event of a document: the prefix of its uids, and a part of it."""
    return f"{NO_ID} {scope} {part:x}"


def within_session(pool: str, played: Instant, name: str, players: Iterable[str]) -> str:
    """Builds the placeholder for the uid of a named session; a name that contains the name of a player is not used."""
    if not name or any(player in name and _mentions(name, player) for player in players):
        return NO_ID
    return within(scope_of(_NAMED, (pool, iso(played), name)))


def is_of_named_session(uid: str) -> bool:
    """True if a uid was derived from a table's name for a session."""
    return uid.startswith(f"{_NAMED}-")


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def scope_of(reader: str, key: Sequence[str]) -> str:
    """Beginning of the uids of the events of a document that a reader knows by a key.

    Neither this nor the rest of the uid depends on the key of the log. No player's name is part of it.
    """
    return f"{reader}-{text_digest(chr(31).join(key))}"


def part_of(text: str) -> int:
    """Returns a number that identifies a part of a document, such as its round."""
    return int(text_digest(text), 16)


def text_digest(text: str) -> str:
    """Returns a digest of a text, sixteen hexadecimal digits, the same for every Unicode form."""
    return hashlib.blake2b(unicodedata.normalize("NFC", text).encode("utf-8", "replace"), digest_size=8).hexdigest()
