"""A feed of the events of a log, in order, from where a subscriber stopped."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Self

from ratingcore.errors import BrokenChain, NoCursor
from ratingcore.events import AnyEvent, Row
from ratingcore.events.bounds import check_name
from ratingcore.log.abilities import lease, lending
from ratingcore.log.contract import Log
from ratingcore.log.lookup import decoder_of

AT_ONCE = 2048
"""Number of events read at a time, so that a feed of millions needs little memory."""


class Feed:
    """Events of a log in order, from where a subscriber stopped.

    Iterating yields `(row, event)` up to the current head; iterate again for later events. The subscriber's cursor
    moves to the last event taken when the feed is committed: by `commit`, by the end of a `with` block that raises
    nothing, or by the end of a `transaction`. Events that are not committed come again, to this feed or the next one.
    Only one feed of a subscriber can be in a `with` block at a time: others, in any process, wait until it ends, but no
    longer than the log waits for writers.

    Parameters
    ----------
    log : Log
    subscriber : str or None
        Owner of the cursor; None for a caller that keeps the position itself.
    after : int or None
        Where to begin; at the cursor if None.

    Examples
    --------
    >>> from ratingcore.log import SqliteLog
    >>> feed = Feed(SqliteLog(":memory:"), "mailer", None)
    >>> [row.position for row, event in feed], feed.position
    ([], 0)
    """

    def __init__(self, log: Log, subscriber: str | None, after: int | None) -> None:
        self._log = log
        self.subscriber = None if subscriber is None else check_name("subscriber", subscriber)
        self._cursor = 0 if subscriber is None else log.cursor(subscriber)
        self._after = after
        self._kept = self._position = self._cursor if after is None else after
        self._lease = ExitStack()

    @property
    def position(self) -> int:
        """Position of the last event that was taken."""
        return self._position

    def __iter__(self) -> Iterator[tuple[Row, AnyEvent]]:
        end = self._log.head.position
        while self._position < end:
            yield from self._some(min(self._position + AT_ONCE, end))

    def _some(self, to: int) -> Iterator[tuple[Row, AnyEvent]]:
        rows = list(self._log.rows(self._position, to))  # no statement stays open while the consumer is at work
        if not rows:
            raise BrokenChain(self._position + 1, "events are missing")
        decode = decoder_of(self._log)
        for row in rows:
            event = decode(row)
            self._position = row.position
            yield row, event
            if self._position != row.position:  # a rollback moved the position back
                return

    def commit(self) -> None:
        """Moves the cursor to the last event taken.

        Raises
        ------
        CursorMoved
            If another feed of this subscriber has moved it: the events taken here are not committed.
        NoCursor
            If the feed has no subscriber.
        """
        if self.subscriber is None:
            raise NoCursor(self._position)
        if self._position != self._cursor:
            self._log.move_cursor(self.subscriber, self._cursor, self._position)
        self._committed()

    def _committed(self) -> None:
        self._cursor = self._kept = self._position

    @contextmanager
    def transaction(self) -> Iterator[object]:
        """Opens a transaction that commits the consumer's rows and the cursor together.

        This is for a consumer whose tables are in the database of the log. It yields a connection of `sqlite3`, or of
        psycopg if the log is in PostgreSQL. Other writers of a SQLite file wait until the block ends. Only the feed may
        run COMMIT and ROLLBACK, and only the log may write to its own tables.

        Raises
        ------
        CursorMoved
            If another reader of this name has moved the cursor; then nothing was written.
        """
        if self.subscriber is None:
            raise NoCursor(self._position)
        try:
            with lending(self._log, self.subscriber, self._cursor, lambda: self._position) as db:
                yield db
        except BaseException:
            self._position = self._kept
            raise
        self._committed()

    def __enter__(self) -> Self:
        if self.subscriber is not None:
            self._lease.enter_context(lease(self._log, self.subscriber))
            if self._position == self._kept:  # nothing was taken yet; an earlier follower may have moved the cursor
                self._cursor = self._log.cursor(self.subscriber)
                self._kept = self._position = self._cursor if self._after is None else self._after
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lease:
            if kind is not None:
                self._position = self._kept
            elif self.subscriber is not None:
                self.commit()
