"""Appends events to the log as batches, reads and follows them; verifies and anchors the log."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, overload

from attrs import evolve, frozen

from ratingcore.engine.core import Core, Part
from ratingcore.errors import BadCut, BadValue, RatingCoreError
from ratingcore.events import AnyEvent, Event, Row, iso
from ratingcore.events.json_form import as_json
from ratingcore.lists.cuts import position
from ratingcore.log import Anchor, Head, Receipt, Verified, verify
from ratingcore.log.feed import Feed
from ratingcore.log.lookup import decoder_of
from ratingcore.report.table import AsTable, Table


@frozen(eq=False, repr=False)
class EventSpan(AsTable):
    """Events of a log in order: iterating reads them in pages, so none is held.

    As a table it has a row an event, with its fields as columns; what holds several values is written as JSON.

    Parameters
    ----------
    core : Core
    after, to : int
        Those after a position, up to another one.
    kinds : tuple of str
        Only these; all if empty.
    """

    _core: Core
    after: int
    to: int
    kinds: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[tuple[Row, AnyEvent]]:  # type: ignore[override]  # the events themselves
        event = decoder_of(self._core.log)
        try:
            for row in self._core.log.rows(self.after, self.to, self.kinds):
                yield row, event(row)
        except RatingCoreError:
            raise
        except Exception as error:  # rows that hold what no event does
            raise self._core.damage(error) or error from error

    def __len__(self) -> int:
        if not self.kinds:
            return max(0, self.to - self.after)
        return sum(1 for _ in self._core.log.rows(self.after, self.to, self.kinds))

    @overload  # type: ignore[override]  # as above
    def __getitem__(self, place: int) -> tuple[Row, AnyEvent]: ...
    @overload
    def __getitem__(self, place: slice) -> list[tuple[Row, AnyEvent]]: ...
    def __getitem__(self, place: int | slice) -> tuple[Row, AnyEvent] | list[tuple[Row, AnyEvent]]:
        if isinstance(place, slice) or self.kinds:
            return list(self)[place]
        at = range(self.after, self.to)[place]
        return next(iter(evolve(self, after=at, to=at + 1)))

    def as_table(self) -> Table:
        """A row an event."""
        rows = [{"position": row.position, **_flat(event)} for row, event in self]
        names = dict.fromkeys(name for row in rows for name in row)
        columns = {name: tuple(row.get(name) for row in rows) for name in names}
        return Table("events", "Events", columns or {"position": ()})


def _flat(event: Event) -> dict[str, Any]:
    """The fields of an event as cells."""
    cells: dict[str, Any] = {
        name: json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
        for name, value in as_json(event).items()
    }
    return cells | ({"played": iso(cells["played"])} if "played" in cells else {})


class Events(Part):
    """Events, appended, read and checked."""

    def record(
        self, *events: Event, source: str = "", expect: Head | int | None = None, amend: bool = False
    ) -> Receipt:
        """Appends events as one batch, all or none; those already there are counted as duplicates.

        Parameters
        ----------
        *events : Event
        source : str
            Origin of the events, kept beside the batch.
        expect : Head, int or None
            Head that the log must still have, so that nothing was appended since it was read; None for any.
        amend : bool
            Whether a result, seed or description whose uid is in the log with other content amends it: it then reads as
            given; voided events stay so. Otherwise this is a `Conflict`.

        Returns
        -------
        Receipt
            The head after the batch, and how many events were accepted and how many were duplicates.

        Raises
        ------
        Conflict
            If a uid is in the log with other content.
        HeadMoved
            If the head of the log is not `expect`.
        DoesNotFit
            If a pool was not declared to accept the result.
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
            raise BadValue("event", several, "holds several events, which are given one by one, as record(*events)")
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
            Only these kinds, such as `game` and `void`; all if empty.
        to : int or None
            The last position; None for the head as it is now.

        Returns
        -------
        EventSpan
            Iterates over pairs of (Row, AnyEvent), and reads them meanwhile; data frames take it as a table.

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

        No cache is read for that. With `caches`, all of them are recomputed from the rows; those that differ are
        dropped, and `Verified.damaged` names it.

        Parameters
        ----------
        anchors : iterable of Head, Anchor, str or Path
            Heads printed earlier, as `POSITION:DIGEST` with 12 or more digits of the digest, and any
            remark; a path is a file with one per line, or a document of a list.
        caches : bool
            Recompute and compare the columns and checkpoints beside the log too.

        Returns
        -------
        Verified

        Raises
        ------
        BrokenChain
            At the first position where the digests do not follow from the rows; `besides` has other faults.
        UnsoundLog
            If the digests follow, and anything else is wrong; `faults` has a sentence each.
        AnchorFails
            If anchors are not part of this history; it names them all, with the lines of their files.
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
            A name for the consumer, under which the log keeps its position. None for a consumer that keeps
            its position itself, with its own data: it gives `after`, and the log keeps nothing.
        after : int, Head or None
            Where to begin, regardless of the cursor: 0 for everything once more, the head for only new events.
            The digest of a head is checked against the log.

        Returns
        -------
        Feed

        Raises
        ------
        BadCut
            If `after` is not a point of this log.
        BadValue
            If the subscriber has no name.

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
            raise BadValue("subscriber", subscriber, "is no name")
        log = self.core.log
        try:
            begin = None if after is None else position(log, after)
        except BadCut as error:
            raise BadCut("after", after, error.why) from None
        feed = Feed(log, subscriber, begin)
        if feed.position > log.head.position:
            raise BadCut("cursor", feed.position, "is beyond the end of this log")
        return feed
