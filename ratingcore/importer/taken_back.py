"""Finds events that were taken back with their whole source, and orders those that count again as their file does."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import frozen

from ratingcore.events import Event, GamePlayed, Instant, ResultAmended, Row, SessionPlayed
from ratingcore.events.missing_uids import is_nameless
from ratingcore.log import Log
from ratingcore.log.chain import Batch, is_taken_back
from ratingcore.log.lookup import corrections_of

WHY = "brought again"
"""Reason of the corrections that make such events count again."""
IN_ORDER = "in the order of the file"
"""Reason of corrections of an order on the day that the file itself does not give."""


@frozen
class TakenBack:
    """Events that are void because everything from their source was taken back as a whole.

    An event voided by itself is not among them: it stays void, whatever file is imported.

    Parameters
    ----------
    voids : dict of int to tuple of Row
        By position of an event, the voids against it.
    """

    voids: dict[int, tuple[Row, ...]]

    @classmethod
    def of(cls, log: Log) -> "TakenBack":
        """The events taken back in a log."""
        void = corrections_of(log).void
        against: dict[int, list[tuple[Row, bool]]] = defaultdict(list)
        batch: Batch | None = None
        for row in log.rows(0, None, ("void",)) if void else ():
            if row.ref not in void or row.position in void or row.ref is None:
                continue
            if batch is None or row.position > batch.last:
                batch = next(log.batches(row.position - 1))
            whole = batch.source is not None and is_taken_back(log.book.key(batch.source))
            against[row.ref].append((row, whole))
        return cls(
            {at: tuple(row for row, _ in some) for at, some in against.items() if all(whole for _, whole in some)}
        )

    @cached_property
    def uids(self) -> frozenset[str]:
        """Uids of the voids."""
        return frozenset(row.uid for some in self.voids.values() for row in some)

    def last(self, rows: Collection[Row]) -> list[Row]:
        """Returns those of some events taken back that the last of several imports of one file brought."""
        newest = max((row.position for row in rows), default=0)
        return sorted(row for row in rows if self.voids[row.position][0].position > newest)


def put_in_order(
    events: Sequence[Event], back: Mapping[int, Row], again: dict[int, list[Event]], new: Mapping[int, Event], by: str
) -> None:
    """Adds corrections of the order on the day, if results that count again are not in the order of the file.

    Parameters
    ----------
    back : mapping of int to Row
        By place among the events of the file, the recorded events that were taken back.
    again : dict of int to list of Event
        By place, the corrections by which they count again.
    new : mapping of int to Event
        By place, the events that are new to the log; those without an id keep their order.
    """
    with_ids = [place for place, event in new.items() if not is_nameless(event.uid)]
    given = [(place, events[place]) for place in sorted([*again, *with_ids])]
    places = {place: row.position for place, row in back.items()}
    corrections = [
        ResultAmended(of=events[place].uid, changes={"order": order}, why=IN_ORDER, by=by)
        for place, order in _orders(given, places)
    ]
    again[max(again)] = [*again[max(again)], *corrections]


def _orders(given: Sequence[tuple[int, Event]], places: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Yields the places and new orders on the day of results that the log has in another order than the file.

    Parameters
    ----------
    given : sequence of (int, Event)
        In the order of the file.
    places : mapping of int to int
        Positions of the results in the log; other results will come after them.
    """
    days: dict[tuple[str, Instant], list[tuple[int, GamePlayed | SessionPlayed]]] = defaultdict(list)
    for place, event in given:
        if isinstance(event, GamePlayed | SessionPlayed):
            days[event.pool, event.played].append((place, event))
    for results in days.values():
        results.sort(key=lambda result: result[1].order)
        turns = [(event.order, places.get(place, math.inf)) for place, event in results]
        if turns == sorted(turns):
            continue
        last = turns[0][0] - 1
        for place, event in results:
            last = max(event.order, last + 1)
            if last != event.order:
                yield place, last
