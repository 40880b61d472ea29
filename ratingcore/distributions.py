"""The installed distributions that provide plugins: their names and versions, in printable form."""

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # importing it takes a tenth of a first list
    from importlib.metadata import Distribution, EntryPoint


def distribution_of(point: "EntryPoint") -> tuple[str, str]:
    """Name and version of the distribution of an entry point; `unknown` and empty where its metadata lack them.

    Metadata are read once for all entry points of a distribution: that takes a millisecond.
    """
    try:
        return ("unknown", "") if point.dist is None else _read(point.dist)
    except Exception:  # unreadable metadata do not concern the plugin
        return "unknown", ""


@lru_cache(maxsize=64)
def _read(distribution: "Distribution") -> tuple[str, str]:
    metadata = distribution.metadata
    return printable(metadata["Name"]), printable(metadata["Version"])


def printable(text: object) -> str:
    """A text of a distribution in printable form: at most 80 characters, with question marks for odd ones."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(text)[:80])
