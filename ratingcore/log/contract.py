"""The contract of a log: the members of every store, including tables of plugins."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from attrs import field, frozen

from ratingcore.events import Event, Instant, Row
from ratingcore.events.rows import GameColumns
from ratingcore.log.address import Address
from ratingcore.log.chain import EMPTY, Batch, Head, Name, Receipt
from ratingcore.log.names import NameBook


class Tables(ABC):
    """Tables in the database of a log, or in a file next to it.

    Statements write names of tables as plain words, and `?` for each value.

    Parameters
    ----------
    where : str
        Name of the database in errors.
    writing : callable
        Returns a context that writes everything or nothing.
    """

    position: str = "instr"
    """The SQL function that returns the position of a text in another one; 0 if it is missing."""

    def __init__(self, where: str, writing: Callable[[], AbstractContextManager[None]]) -> None:
        self.where = where
        self.writing = writing

    @abstractmethod
    def all(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """All rows of a statement."""

    @abstractmethod
    def run(self, sql: str, values: Sequence[object] = ()) -> int:
        """Runs a statement; returns the number of rows changed."""

    @abstractmethod
    def add(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        """Inserts rows with a value for every column; NaN is kept as NULL."""

    @abstractmethod
    def clear(self) -> None:
        """Rewrites the tables, so that no free page holds old values."""

    @abstractmethod
    def columns(self, table: str) -> list[str]:
        """Names of the columns of a table; empty if it does not exist."""

    @abstractmethod
    def create(
        self, table: str, columns: Mapping[str, type], key: Sequence[str], indexes: Iterable[Sequence[str]] = ()
    ) -> None:
        """Creates a table of texts, whole numbers and floats, with its primary key and further indexes."""


@frozen
class Look:
    """A snapshot of the head and the names of a log, taken before anything else is read.

    Parameters
    ----------
    head : Head
    names : int
        Number of names of the log.
    erasures : int
        Number of names ever erased.
    book : NameBook
        The book of names, without erased ones. It may also find names added later.
    """

    head: Head
    names: int
    erasures: int
    book: NameBook = field(eq=False, repr=False)

    @property
    def stamp(self) -> "Stamp":
        """The head and the erasures alone."""
        return Stamp(self.head.position, self.head.digest, self.erasures)


class Stamp(NamedTuple):
    """The part of a log's state on which everything read from it depends; appends and erasures change it."""

    position: int
    digest: str
    erasures: int


class Seen(NamedTuple):
    """The state of a log, read by one statement: its head, and its numbers of names and of erased names."""

    head: Head
    names: int
    erasures: int


UNSEEN = Seen(EMPTY, 0, 0)
"""State of a log before anything was read."""


class GivesRows(Protocol):
    """The part of a log that returns rows and batches."""

    def rows(
        self,
        after: int = 0,
        to: int | None = None,
        kinds: Sequence[str] = (),
        pool: int | None = None,
        players: Sequence[int] | None = None,
    ) -> Iterator[Row]:
        """Rows after position `after`, up to `to`, in order; only those with a given kind, pool and first player."""

    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]:
        """Rows at these positions, in order of position."""

    def rows_between(self, first: str, last: str) -> Iterator[Row]:
        """The rows with `first <= uid < last`, in order of uid."""

    def find(self, uids: Sequence[str]) -> dict[str, Row]:
        """The rows with these uids that the log has."""

    def batches(self, after: int = 0) -> Iterator[Batch]:
        """Batches that end after a position, oldest first."""

    def digest_at(self, position: int) -> str:
        """Digest of all events up to a position."""


class GivesColumns(Protocol):
    """The part of a log that returns results as columns."""

    def games(self, pool: int, after: int, to: int) -> GameColumns:
        """Games of a pool as columns, as first recorded: corrections are not applied."""

    def fields(self, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]:
        """Pairs of position and value of a field of `data` in games and sessions that have it."""


class GivesLooks(Protocol):
    """The part of a log that returns its current state."""

    @property
    def head(self) -> Head:
        """Position and digest of the newest event."""

    def look(self) -> Look:
        """Takes a snapshot of the head and the names; a computation must use only one snapshot."""

    @property
    def book(self) -> NameBook:
        """The current names; inside a transaction, with its changes."""

    def reading(self) -> AbstractContextManager[object]:
        """A transaction in which this thread reads the same state while others append."""

    def wait(self, after: int, seconds: float) -> Head | None:
        """Waits until the head is beyond a position and returns it; None if that takes longer than `seconds`."""


class Appends(Protocol):
    """The part of a log that appends events."""

    @property
    def key(self) -> str:
        """Hexadecimal key of this log, which derives the uids of events without an id."""

    def now(self) -> Instant:
        """The instant at which a batch would be recorded."""

    def append(
        self,
        events: Iterable[Event],
        *,
        source: str = "",
        expect: Head | int | Callable[[Head], None] | None = None,
    ) -> Receipt:
        """Appends events as one batch, all or none; events that the log already has are only counted.

        An event without an id (its uid is `NO_ID`) gets one made from pool, time and players; further events of one
        batch with the same pool, time and players are numbered. If `expect` is a function, it is called with the head
        while other writers wait; it should raise if the events no longer fit the log, and then nothing is written.

        Raises
        ------
        Conflict
            If a uid is in the log with other content.
        ContentChanged
            If the log already has the uid derived for an event without an id: the two may be different events.
        HeadMoved
            If `expect` is given and is not the head of the log.
        UnknownUid, BadCorrection
            If a correction refers to an event that is not in the log, or that it cannot correct.
        """

    def writing(self) -> AbstractContextManager[None]:
        """Opens a transaction for which other writers wait; any error in the block undoes it.

        Nested in another one of the same thread, it is a savepoint: an error undoes the inner block only.
        """


class Serves(Protocol):
    """The part of a log that keeps the positions of its subscribers."""

    def cursor(self, subscriber: str) -> int:
        """Position of the last event that a subscriber has read; 0 if none."""

    def move_cursor(self, subscriber: str, expected: int, position: int) -> None:
        """Moves a cursor from where its reader left it; `CursorMoved` if it is elsewhere."""


class Changes(Protocol):
    """The part of a log that erases names, and loads an export; inside `writing`."""

    def erase(self, numbers: Sequence[int], by: str = "") -> None:
        """Drops the keys and salts behind ids; every digest stays."""

    def adopt(self, key: str) -> None:
        """Takes over the key of the log that is being loaded."""

    def restore(self, batch: Batch, names: Sequence[Name], rows: Sequence[Row]) -> None:
        """Writes a batch as exported."""


class HasPlace(Protocol):
    """The part of a log that gives its address, and closes it."""

    @property
    def address(self) -> Address | None:
        """Address that opens the log again, in another process too; None for a log that cannot be reopened."""

    def close(self) -> None:
        """Releases the resources of the store."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Log(GivesRows, GivesColumns, GivesLooks, Appends, Serves, Changes, HasPlace, Protocol):
    """An append-only sequence of events, in batches, with a chain of digests and a book of names.

    Rows never change once they are appended, so reading up to a head gives one consistent prefix, even while others
    append. Everything else is a function of these members: in `lookup` if it needs only rows and batches, in
    `abilities` if some stores can do it better.
    """


Eraser = Callable[[Log, Sequence[int]], int]
"""Removes players, by their ids, from tables in the database of a log; returns the number of rows changed."""
