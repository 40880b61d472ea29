"""One look at a log: its head and its names at one moment."""

from attrs import field, frozen

from ratingcore.errors import LogUnavailable
from ratingcore.log.facts import EMPTY, Head
from ratingcore.log.names import Book


@frozen
class Look:
    """The head and the names of a log at one moment; an answer to a question begins with one.

    Parameters
    ----------
    head : Head
    names : int
        How many names the log had.
    erasures : int
        How many names were ever erased.
    book : Book
        The book of names; it knows of the erasures. Names that come later are found too.
    """

    head: Head
    names: int
    erasures: int
    book: Book = field(eq=False, repr=False)


def see_same_history(address: str, held: Head, there: str | None, head: Head) -> None:
    """Sees whether the history of an open log still goes on from a head that was held.

    Parameters
    ----------
    held : Head
        As it was before the log was read.
    there : str or None
        Digest of the batch that ends at the position of that head now, if one does.
    head : Head
        The new one.

    Raises
    ------
    LogUnavailable
        If the head is no part of the history: the log went back, or went another way.
    """
    if held != EMPTY and there != held.digest:
        raise another_history(address, f"it was at {held}, and now ends at {head}")


def another_history(address: str, what: str) -> LogUnavailable:
    """The error that says by what it was seen that an open log holds another history."""
    return LogUnavailable(
        address,
        f"another history took its place while it was open: {what}",
        "open it again to read what is there now; ratingcore verify --anchor shows what is as before",
    )
