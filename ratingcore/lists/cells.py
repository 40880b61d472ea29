"""The cells of a list, and the digest of its rows."""

import hashlib
from collections.abc import Iterable, Sequence

from ratingcore.events import canonical

Cell = str | int | float | None


def cell(number: float) -> float | None:
    """A number as a cell: None where there is none."""
    return None if number != number else number


def digest_of(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """sha256 of rows under their headings, in canonical JSON."""
    return hashlib.sha256(canonical([list(columns), list(map(list, rows))]).encode()).hexdigest()
