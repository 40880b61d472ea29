"""Phrases that several commands print."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratingcore.lists import Published


def players(count: int) -> str:
    """A number of players, in words."""
    return f"{count} player" if count == 1 else f"{count} players"


def published_as(published: "Published") -> str:
    """Where a published list stands: "as 2024-03 of pool rapid at position 6"."""
    return f"as {published.name} of pool {published.pool} at position {published.position}"
