"""Reads the names and versions of the installed distributions that provide plugins, in printable form."""

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # importing it takes a tenth of a first list
    from importlib.metadata import Distribution, EntryPoint


def distribution_of(point: "EntryPoint") -> tuple[str, str]:
    """Returns the name and version of the distribution of an entry point; `unknown` and empty without metadata.

    Metadata are read once for all entry points of a distribution, because that takes a millisecond.
    """
    try:
        return ("unknown", "") if point.dist is None else _read(point.dist)
    except Exception:  # the plugin works even if its metadata cannot be read
        return "unknown", ""


@lru_cache(maxsize=64)
def _read(distribution: "Distribution") -> tuple[str, str]:
    metadata = distribution.metadata
    return printable(metadata["Name"]), printable(metadata["Version"])


def printable(text: object) -> str:
    """Returns at most 80 characters of a text, with question marks for those that cannot be printed."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(text)[:80])
