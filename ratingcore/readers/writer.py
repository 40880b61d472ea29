"""The contract of a writer: what it is given, which options it has, and the function that gives the bytes of a file."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from attrs import field, frozen
from attrs.validators import instance_of

from ratingcore.events import GamePlayed, SessionPlayed
from ratingcore.readers.items import Item
from ratingcore.readers.source import Source


class Listed(Protocol):
    """A rating list, as far as a writer needs it."""

    def document(self, form: str, name: str = "") -> str:
        """The list as a text in a format of documents, with what it was made from."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


def _nothing() -> Iterator[Any]:
    return iter(())


def _unheard(text: str) -> None:
    """Nobody asked what was left out."""


@frozen
class Outgoing:
    """What a writer may write.

    Parameters
    ----------
    name : str
        Name of the file, whose ending may say the form; empty for standard output.
    results : callable
        The results with their positions, in the order of the log, corrections applied; from the beginning each time.
    items : callable
        What a reader says about a file, or what it would say about the tournament in the log; likewise.
    head : str
        Head of the log that they were read from.
    listed : Listed or None
        The rating list that is asked for.
    listed_name : str
        The name under which it is published.
    source : Source or None
        The file that the items were read from.
    remark : callable
        Takes a sentence about what the format has no place for.
    """

    name: str
    results: Callable[[], Iterator[tuple[int, GamePlayed | SessionPlayed]]] = _nothing
    items: Callable[[], Iterator[Item]] = _nothing
    head: str = ""
    listed: Listed | None = None
    listed_name: str = ""
    source: Source | None = None
    remark: Callable[[str], None] = _unheard

    def ends(self, *suffixes: str) -> bool:
        """Whether the name of the file has one of these endings."""
        return self.name.lower().endswith(suffixes)


@frozen
class NoOptions:
    """No options."""


@frozen
class Writer:
    """Writes one format.

    Parameters
    ----------
    name : str
        What it is called on the command line; options follow as for readers, `trf:eol=lf`.
    summary : str
        One line that says what it writes.
    options : type
        A frozen attrs class.
    write : callable
        Yields the bytes of a file, given an `Outgoing` and an instance of `options`.
    """

    name: str = field(validator=instance_of(str))
    summary: str
    options: type[Any] = NoOptions
    write: Callable[[Outgoing, Any], Iterator[bytes]] = field(kw_only=True)
