"""One look at a log: its head and its names at one moment."""

from attrs import field, frozen

from ratingcore.log.facts import Head
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
