"""Phrases that several commands print."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratingcore.lists import Published


def players(count: int) -> str:
    """A number of players, in words."""
    return f"{count} player" if count == 1 else f"{count} players"


def chained(events: int, batches: int) -> str:
    """Numbers of events and of their batches, in words."""
    return f"{events} event{'' if events == 1 else 's'} in {batches} batch{'' if batches == 1 else 'es'}"


def published_as(published: "Published") -> str:
    """Where a published list stands: "as 2024-03 of pool rapid at position 6"."""
    return f"as {published.name} of pool {published.pool} at position {published.position}"
