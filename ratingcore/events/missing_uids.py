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
    """True if a uid is a placeholder for one that is derived when the event is appended."""
    return uid.startswith(NO_ID)


def own_uids(events: Iterable[Event]) -> list[str]:
    return [event.uid for event in events if not event.uid.startswith(NO_ID)]


def within(scope: str, part: int = 0) -> str:
    """Builds the placeholder for the uid of a document's event, from the prefix of the document's uids and a part."""
    return f"{NO_ID} {scope} {part:x}"


def within_session(pool: str, played: Instant, name: str, players: Iterable[str]) -> str:
    """Builds the placeholder for the uid of a named session; a session's name that mentions a player is not used."""
    if not name or any(player in name and _mentions(name, player) for player in players):
        return NO_ID
    return within(scope_of(_NAMED, (pool, iso(played), name)))


def is_of_named_session(uid: str) -> bool:
    """True if a uid was derived from the name that a table gives a session."""
    return uid.startswith(f"{_NAMED}-")


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def scope_of(reader: str, key: Sequence[str]) -> str:
    """Returns the beginning of the uids of a document's events, from the reader's name and the document's key.

    Neither it nor the rest of a uid depends on the log's key, or contains a player's name.
    """
    return f"{reader}-{text_digest(chr(31).join(key))}"


def part_of(text: str) -> int:
    """Returns a number that identifies a part of a document, such as its round."""
    return int(text_digest(text), 16)


def text_digest(text: str) -> str:
    """Returns a digest of a text in sixteen hexadecimal digits, the same for all its Unicode forms."""
    return hashlib.blake2b(unicodedata.normalize("NFC", text).encode("utf-8", "replace"), digest_size=8).hexdigest()
