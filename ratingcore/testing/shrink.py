"""Shrinking of an example to a small part that still shows the same finding."""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
F = TypeVar("F")

TRIALS = 250


def smallest(
    items: Sequence[T], found: Callable[[tuple[T, ...]], F | None], first: F, trials: int = TRIALS
) -> tuple[tuple[T, ...], F]:
    """Leaves out all items that are not needed for a finding; returns the rest with its finding.

    Parameters
    ----------
    items : sequence
    found : callable
        Returns the finding on a part of the items, or None.
    first : object
        The finding on all items.

    Examples
    --------
    >>> smallest(range(100), lambda part: sum(part) if {3, 71} <= set(part) else None, 4950)
    ((3, 71), 74)
    """
    rest, shown = tuple(items), first
    size = len(rest) // 2
    while size and trials:
        at = 0
        while at < len(rest) and trials:
            fewer = rest[:at] + rest[at + size :]
            trials -= 1
            again = found(fewer) if fewer else None
            if again is None:
                at += size
            else:
                rest, shown = fewer, again
        size = min(size, len(rest)) // 2
    return rest, shown
