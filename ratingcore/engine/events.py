"""Appends, reads and follows the events of a log, and verifies the log."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, overload

from attrs import evolve, frozen

from ratingcore.engine.arguments import check_counted
from ratingcore.engine.core import Core, Part
from ratingcore.errors import BadCut, BadValue, RatingCoreError
from ratingcore.events import AnyEvent, Event, Row, iso
from ratingcore.events.exchange_form import as_json
from ratingcore.lists.cuts import position
from ratingcore.log import Anchor, Head, Receipt, Verified, verify
from ratingcore.log.feed import Feed
from ratingcore.log.lookup import decoder_of
from ratingcore.report.table import AsRow, AsTable, Table, columns_of


class _Logged(NamedTuple):
    row: Row
    event: AnyEvent


class LoggedEvent(AsRow, _Logged):
    """A row of the log and its event, as a pair; also a row with the event's fields by name: `logged["uid"]`."""

    __slots__ = ()

    def as_row(self) -> dict[str, Any]:
        """Returns the position and the fields of the event; fields with several values are JSON."""
        cells: dict[str, Any] = {
            name: json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
            for name, value in as_json(self.event).items()
        }
        played = {"played": iso(cells["played"])} if "played" in cells else {}
        return {"position": self.row.position, **cells, **played}


@frozen(eq=False, repr=False)
class EventSpan(AsTable):
    """Events of a log in order; iterating reads them page by page, so they are not all in memory.

    As a table, it has a row per event with the event's fields as columns; fields with several values become JSON.

    Parameters
    ----------
    core : Core
    after, to : int
        Position after which the events begin, and their last position.
    kinds : tuple of str
        Kinds of events; all if empty.
    """

    _core: Core
    after: int
    to: int
    kinds: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[LoggedEvent]:  # type: ignore[override]  # the events themselves
        event = decoder_of(self._core.log)
        try:
            for row in self._core.log.rows(self.after, self.to, self.kinds):
                yield LoggedEvent(row, event(row))
        except RatingCoreError:
            raise
        except Exception as error:  # rows may have values that no event has
            raise self._core.damage(error) or error from error

    def __len__(self) -> int:
        if not self.kinds:
            return max(0, self.to - self.after)
        return sum(1 for _ in self._core.log.rows(self.after, self.to, self.kinds))

    @overload  # type: ignore[override]  # as above
    def __getitem__(self, place: int) -> LoggedEvent: ...
    @overload
    def __getitem__(self, place: slice) -> list[LoggedEvent]: ...
    def __getitem__(self, place: int | slice) -> LoggedEvent | list[LoggedEvent]:
        if isinstance(place, slice) or self.kinds:
            return list(self)[place]
        at = range(self.after, self.to)[place]
        return next(iter(evolve(self, after=at, to=at + 1)))

    def as_table(self) -> Table:
        """Returns a table with a row per event."""
        return Table("events", "Events", columns_of([logged.as_row() for logged in self], ["position"]))


class Events(Part):
    """Events, appended, read and checked."""

    def record(
        self, *events: Event, source: str = "", expect: Head | int | None = None, amend: bool = False
    ) -> Receipt:
        """Appends events as one batch, all or none; events that the log has already count as duplicates.

        `engine.plan.record` names results that may be mistakes in its notes, before they are recorded.

        Parameters
        ----------
        *events : Event
        source : str
            Origin of the events, stored with the batch.
        expect : Head, int or None
            Head that the log must still have, so that nothing was appended since it was read; None for any.
        amend : bool
            Whether a result, seed or description whose uid is in the log with other content amends the event there. A
            voided event stays as it is: with the same content, it is a duplicate; with other content, a `Conflict`.

        Returns
        -------
        Receipt
            The head after the batch, and how many events were accepted and how many were duplicates.

        Raises
        ------
        Conflict
            If a uid is in the log with other content, and `amend` is false or the event was voided.
        HeadMoved
            If the head of the log is not `expect`.
        DoesNotFit
            If a pool is declared to accept other results only.
        UnknownUid, BadCorrection, LogUnavailable, OnlySupposed

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> engine.record(game).accepted, engine.record(game).duplicates
        (1, 1)
        >>> drawn = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=0.5)
        >>> [engine.record(drawn, amend=True).accepted for _ in range(2)]
        [1, 0]
        >>> [row["rating"] for row in engine.rating_list("rapid", "elo")]
        [1500.0, 1500.0]
        """
        several = next((one for one in events if isinstance(one, list | tuple | set)), None)
        if several is not None:
            raise BadValue("event", several, "must be given one by one, as record(*events)")
        check_counted(events)
        core = self.core
        if not amend:
            return core.declarations.append(events, core.method, source=source, expect=expect)
        from ratingcore.importer.differences import amending  # lists do without file formats

        with core.log.writing():
            fresh = amending(core.log, events)
            receipt = core.declarations.append(fresh, core.method, source=source, expect=expect)
        return evolve(receipt, duplicates=receipt.duplicates + len(events) - len(fresh))

    def events(self, after: int = 0, kinds: Iterable[str] = (), to: int | None = None) -> EventSpan:
        """Returns rows and events of the log after a position, in order, as they were recorded.

        Parameters
        ----------
        after : int
        kinds : iterable of str
            Kinds of events, such as `game` and `void`; all if empty.
        to : int or None
            The last position; None for the current head.

        Returns
        -------
        EventSpan
            Iterates over pairs of (Row, AnyEvent), reading as it goes; data frames accept it as a table.

        Raises
        ------
        LogUnavailable
            If the file of the log cannot be read.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> [(row.position, event.a) for row, event in engine.events() if event.kind == "game"]
        [(1, 'ann')]
        """
        head = self.core.log.head.position
        return EventSpan(self.core, max(0, after), head if to is None else min(to, head), tuple(kinds))

    def verify(self, anchors: Iterable[Head | Anchor | str | Path] = (), *, caches: bool = False) -> Verified:
        """Checks the file, recomputes the chain of digests, reads every row as an event, and looks for older heads.

        This reads no cache. With `caches`, all caches are recomputed from the rows; those that differ are dropped, and
        `Verified.damaged` names them.

        Parameters
        ----------
        anchors : iterable of Head, Anchor, str or Path
            Heads printed earlier, as `POSITION:DIGEST` with 12 or more digits of the digest, and any remark after it. A
            path is a file with one head per line, or the document of a list.
        caches : bool
            Whether to recompute and compare the cached columns and checkpoints, too.

        Returns
        -------
        Verified

        Raises
        ------
        BrokenChain
            If the digests do not follow from the rows; it names the first such position, and `besides` has other
            faults.
        UnsoundLog
            If the digests follow from the rows, but something else is wrong; `faults` has a sentence for each fault.
        AnchorFails
            If anchors are not part of this history; it names all of them, with their lines in files.
        BadCut, BadFile
            If a text or a line is not an anchor, or a file cannot be read.
        LogUnavailable
            If another log took the place of this one while it was open.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> game = rc.GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
        >>> anchor = engine.record(game).head
        >>> receipt = engine.void("g-1")
        >>> engine.verify([anchor]).batches
        2
        """
        verified = verify(self.core.log, anchors)
        return evolve(verified, damaged=self.core.check_caches().damaged) if caches else verified

    def follow(self, subscriber: str | None = None, *, after: int | Head | None = None) -> Feed:
        """Returns a feed that continues where a subscriber stopped.

        Parameters
        ----------
        subscriber : str or None
            Name of the consumer, under which the log keeps its position. None for a consumer that keeps its position
            with its own data, and gives it as `after`.
        after : int, Head or None
            Position after which to begin, regardless of the stored one: 0 for all events again, the head for new events
            only. The digest of a head is checked against the log.

        Returns
        -------
        Feed

        Raises
        ------
        BadCut
            If `after` is not a point of this log.
        BadValue
            If the subscriber is an empty text.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> for attempt in range(2):
        ...     with engine.follow("mailer") as feed:
        ...         print([row.position for row, event in feed])
        [1]
        []
        """
        if subscriber is not None and not (isinstance(subscriber, str) and subscriber.strip()):
            raise BadValue("subscriber", subscriber, "must be a name")
        log = self.core.log
        try:
            begin = None if after is None else position(log, after)
        except BadCut as error:
            raise BadCut("after", after, error.why) from None
        feed = Feed(log, subscriber, begin)
        if feed.position > log.head.position:
            raise BadCut("cursor", feed.position, "is beyond the end of this log")
        return feed
