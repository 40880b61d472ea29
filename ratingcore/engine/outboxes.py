"""Delivers events waiting in a program's outbox to the log."""

import json
from collections.abc import Sequence

from attrs import frozen

from ratingcore.engine.core import Part
from ratingcore.engine.events import Events
from ratingcore.errors import LogUnavailable, NotALog, OnlySupposed, RatingCoreError
from ratingcore.events import Event, ResultVoided
from ratingcore.events.exchange_form import from_json
from ratingcore.events.rows import AMENDABLE
from ratingcore.outbox import OutboxRow, check, opened, quoted, turn


@frozen
class SetAside:
    """A row of an outbox that the log refused.

    Parameters
    ----------
    number : int
        Number of the row.
    error : Exception
        The error. Its text is in the column `error` of the row; set this to NULL to have the row tried again.
    """

    number: int
    error: Exception


@frozen
class Delivered:
    """Outcome of a delivery.

    Parameters
    ----------
    accepted : int
        Number of events that are new in the log.
    known : int
        Number of events that the log had already, or that a later row of the same result replaced.
    refused : tuple of SetAside
    """

    accepted: int
    known: int
    refused: tuple[SetAside, ...]


class Outboxes(Part):
    """Outboxes of programs, delivered to the log."""

    def deliver(self, connection: object, table: str = "outbox") -> Delivered:
        """Records events put into a table of a program by `ratingcore.outbox.put`, and deletes their rows.

        Any number of processes may deliver at any time: they take turns in the order of the rows, so the log ends with
        the last row of each result. After a crash, rows are delivered again and change nothing. A row that the log
        refuses is set aside with its error, and the others are delivered.

        Parameters
        ----------
        connection : connection
            Connection of `sqlite3`, Django or SQLAlchemy to a SQLite file, outside a transaction.
        table : str
            The table of the outbox.

        Returns
        -------
        Delivered

        Raises
        ------
        LogUnavailable
            If the log cannot be written, or the connection is in a transaction. Only recorded rows were deleted.
        BadValue
            If the connection is not to a SQLite file, or the table's name is not plain.

        Examples
        --------
        >>> import sqlite3
        >>> import ratingcore as rc
        >>> from ratingcore.outbox import put
        >>> engine, site = rc.open(":memory:"), sqlite3.connect(":memory:")
        >>> with site:
        ...     put(site, rc.GamePlayed(uid="m-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> engine.deliver(site).accepted, engine.deliver(site).accepted
        (1, 0)
        """
        raw, name = opened(connection), quoted(table)
        accepted, known, refused = 0, 0, list[SetAside]()
        while True:
            with turn(raw, name) as (cursor, waiting):
                if not waiting:
                    return Delivered(accepted, known, tuple(refused))
                read, failed = _read(waiting)
                last = self._last(read)
                count, failing = self._record(last)
                failed = sorted(failed + failing, key=lambda one: one.number)
                aside = [(f"{type(one.error).__name__}: {one.error}", one.number) for one in failed]
                cursor.executemany(f"UPDATE {name} SET error = ? WHERE number = ?", aside)
                done = {row.number for row in waiting} - {one.number for one in failed}
                cursor.executemany(f"DELETE FROM {name} WHERE number = ?", [(number,) for number in sorted(done)])
            accepted, known, refused = accepted + count, known + len(done) - count, refused + failed

    def _last(self, read: Sequence[tuple[int, Event]]) -> list[tuple[int, Event]]:
        """Returns the events to record, without results that a later row replaces, or that a void already took back."""
        here = self.core.log.find([event.uid for _, event in read])
        voids = {event.uid: event.of for _, event in read if isinstance(event, ResultVoided)}
        gone = {of for uid, of in voids.items() if uid in here and uid not in voids.values()}
        last = {event.uid: number for number, event in read}
        return [
            (number, event) for number, event in read
            if event.kind not in AMENDABLE or (last[event.uid] == number and event.uid not in gone)
        ]  # fmt: skip

    def _record(self, rows: Sequence[tuple[int, Event]]) -> tuple[int, list[SetAside]]:
        """Records events in one batch, or in halves if one is refused; returns the number accepted, and the refused."""
        if not rows:
            return 0, []
        try:
            return Events(self.core).record(*(event for _, event in rows), amend=True).accepted, []
        except (LogUnavailable, NotALog, OnlySupposed):
            raise
        except RatingCoreError as error:
            if len(rows) == 1:
                return 0, [SetAside(rows[0][0], error)]
        middle = len(rows) // 2
        before, failing = self._record(rows[:middle])
        after, failed = self._record(rows[middle:])
        return before + after, failing + failed


def _read(waiting: Sequence[OutboxRow]) -> tuple[list[tuple[int, Event]], list[SetAside]]:
    """Returns the events of rows, and the rows that have no valid event."""
    read, failed = [], []
    for row in waiting:
        try:
            event = from_json(json.loads(row.text))
            check(event)
            read.append((row.number, event))
        except (RatingCoreError, ValueError, RecursionError) as error:
            failed.append(SetAside(row.number, error))
    return read, failed
