"""The plugin usebio: reads duplicate-bridge sessions in the USEBIO format."""

from collections.abc import Callable, Iterator
from os import PathLike

from ratingcore.plugin import SessionPlayed, hookimpl
from ratingcore_usebio.sessions import read_usebio

__all__ = ["read_usebio"]


@hookimpl
def ratingcore_readers() -> dict[str, Callable[[str | PathLike[str]], Iterator[SessionPlayed]]]:
    """The readers of this plugin."""
    return {"usebio": read_usebio}
