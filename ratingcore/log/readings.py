"""What every log answers from its rows and names alone: corrections, how an event reads, names, rows as events."""

from collections.abc import Callable
from difflib import get_close_matches

from ratingcore.errors import UnknownName
from ratingcore.events import CORRECTIONS, Event, Row, decode
from ratingcore.events.corrections import Corrections
from ratingcore.log.protocol import Finds, Log

MANY = 10_000
"""Names above which only those that begin like the one that is sought are compared with it: comparing is slow."""


def near_names(name: str, names: list[str]) -> tuple[str, ...]:
    """Up to three names that are spelt much like one that is not among them.

    Examples
    --------
    >>> near_names("anna", ["ann", "bo", "anja"])
    ('ann', 'anja')
    """
    if len(names) > MANY:
        begin = name[:2].casefold()
        names = [one for one in names if one[:2].casefold() == begin and abs(len(one) - len(name)) < 3][:MANY]
    return tuple(get_close_matches(name, names, n=3))


class Readings:
    """Base of the logs, also of one that is only supposed."""

    supposed: int = 0

    def keys_of(self: Log, kind: str) -> list[str]:
        return [name.key for name in self.names() if name.kind == kind and name.key is not None]

    def nameless(self: Log, kind: str) -> list[int]:
        return [name.id for name in self.names() if name.kind == kind and name.key is None]

    def number_of(self: Log, kind: str, key: str, book: Finds | None = None) -> int:
        number = (book or self.names_book).find(kind, key)
        if number is None:
            raise UnknownName(kind, key, near_names(key, self.keys_of(kind)))
        return number

    def corrections(self: Log, to: int | None = None) -> Corrections:
        return Corrections.of(self.rows(0, to, CORRECTIONS))

    def as_read(self: Log, uid: str) -> Row | None:
        return self.corrections().read(self.row_of(uid))

    def decoder(self: Log) -> Callable[[Row], Event]:
        names = _Named(self.names_book.key, self.uid)
        return lambda row: decode(row, names)


class _Named:
    """Names and uids of a log, for decoding its rows; looked up once, as a log in a file asks the file each time."""

    def __init__(self, key: Callable[[int], str], uid: Callable[[int], str]) -> None:
        self.key = key
        self.uid = uid
