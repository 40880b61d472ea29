"""The installed distributions that announce plugins: their names and versions, as they may be printed."""

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # importing it takes a tenth of a first list
    from importlib.metadata import Distribution, EntryPoint


def distribution_of(point: "EntryPoint") -> tuple[str, str]:
    """Name and version of the distribution of an entry point; `unknown` and nothing where its metadata do not say.

    Metadata are read once for all entry points of a distribution: that takes a millisecond.
    """
    try:
        return ("unknown", "") if point.dist is None else _read(point.dist)
    except Exception:  # metadata that cannot be read say nothing of the plugin
        return "unknown", ""


@lru_cache(maxsize=64)
def _read(distribution: "Distribution") -> tuple[str, str]:
    metadata = distribution.metadata
    return printable(metadata["Name"]), printable(metadata["Version"])


def printable(text: object) -> str:
    """A text of a distribution as it may be printed: 80 characters at most, and a question mark for odd ones."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(text)[:80])
