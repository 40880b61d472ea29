"""What every store of a log offers: the one interface that all floors above know."""

from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Protocol, Self

from ratingcore.errors import Conflict
from ratingcore.events import Event, Instant, Row
from ratingcore.log.facts import Batch, GameColumns, Head, Name, Receipt


class Log(Protocol):
    """An append-only sequence of events, in batches, with a chain of digests and a book of names.

    Rows never change once they are appended, so whoever reads up to a head sees one whole prefix,
    whatever is appended meanwhile.
    """

    @property
    def head(self) -> Head:
        """Position and digest of the newest event."""

    @property
    def key(self) -> str:
        """Hexadecimal key of this log, with which importers derive uids that identify nobody."""

    def append(
        self,
        events: Iterable[Event],
        *,
        source: str = "",
        expect: Head | int | None = None,
        conflicts: list[Conflict] | None = None,
    ) -> Receipt:
        """Append events as one batch, all or none; those already there are counted, not repeated.

        With a list of `conflicts`, events that conflict are left out and told there.

        Raises
        ------
        Conflict
            If a uid is in the log with other content.
        HeadMoved
            If `expect` is given and the log is not there.
        UnknownUid, BadCorrection
            If a correction speaks about an event that is not there, or not in that way.
        """

    def batches(self, after: int = 0) -> Iterator[Batch]:
        """Batches whose last position is after this one, oldest first."""

    def rows(
        self, after: int = 0, to: int | None = None, kinds: Sequence[str] = (), pool: int | None = None
    ) -> Iterator[Row]:
        """Rows after a position and up to another, of these kinds, of this pool, in order."""

    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]:
        """Rows at these positions, in order of position."""

    def row_of(self, uid: str) -> Row:
        """The row with this uid; `UnknownUid` if there is none."""

    def games(self, pool: int, after: int, to: int) -> GameColumns:
        """Games of a pool as columns, without corrections."""

    def fields(self, pool: int, field: str, after: int, to: int) -> Iterator[tuple[int, str | int | float]]:
        """Position and value of a field of `data` of games and sessions, where it is present."""

    def names(self) -> Sequence[Name]:
        """All names in order of their ids."""

    def id_of(self, kind: str, key: str) -> int | None:
        """Id of a name, if the log knows it."""

    def uid(self, position: int) -> str:
        """Uid of the event at a position."""

    def uids(self, positions: Sequence[int]) -> list[str]:
        """Uids of the events at positions, in their order."""

    def digest_at(self, position: int) -> str:
        """Digest of the first events up to a position."""

    def position_at(self, recorded: Instant) -> int:
        """Position of the last event that was recorded by then."""

    def cursor(self, subscriber: str) -> int:
        """Position of the last event that a subscriber has read; 0 if it has read none."""

    def move_cursor(self, subscriber: str, expected: int, position: int) -> None:
        """Move a cursor from where its reader left it; `CursorMoved` if it is not there."""

    def close(self) -> None:
        """Release what the store holds."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
