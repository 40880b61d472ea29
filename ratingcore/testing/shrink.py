"""From an example to the smallest part of it that still shows the same."""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
F = TypeVar("F")

TRIALS = 250


def smallest(
    items: Sequence[T], found: Callable[[tuple[T, ...]], F | None], first: F, trials: int = TRIALS
) -> tuple[tuple[T, ...], F]:
    """The items without all that can be left out, and what is found on them.

    Parameters
    ----------
    items : sequence
    found : callable
        What a part of the items shows, or None.
    first : object
        What the whole shows.

    Examples
    --------
    >>> smallest(range(100), lambda part: sum(part) if {3, 71} <= set(part) else None, 4950)
    ((3, 71), 74)
    """
    kept, shown = tuple(items), first
    size = len(kept) // 2
    while size and trials:
        at = 0
        while at < len(kept) and trials:
            fewer = kept[:at] + kept[at + size :]
            trials -= 1
            again = found(fewer) if fewer else None
            if again is None:
                at += size
            else:
                kept, shown = fewer, again
        size = min(size, len(kept)) // 2
    return kept, shown
