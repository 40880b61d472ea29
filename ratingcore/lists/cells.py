"""The cells of a list, and the digest of its rows."""

import hashlib
from collections.abc import Iterable, Sequence
from math import floor, isfinite, log10

from ratingcore.events import canonical

Cell = str | int | float | None


def cell(number: float) -> float | None:
    """A number as a cell: None where there is none."""
    return None if number != number else number


def difference(new: float, old: float) -> float:
    """A listed number minus another one: to nine decimals, and to as many more as small numbers have zeros.

    Examples
    --------
    >>> difference(1522.3613, 1488.4143), difference(0.0191432, 0.0191)
    (33.947, 4.32e-05)
    """
    size = max(abs(new), abs(old))
    zeros = -floor(log10(size)) if isfinite(size) and 0.0 < size < 1.0 else 0
    return round(new - old, 9 + zeros)


def digest_of(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """sha256 of rows under their headings, in canonical JSON."""
    return hashlib.sha256(canonical([list(columns), list(map(list, rows))]).encode()).hexdigest()
