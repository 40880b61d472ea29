"""Finds events that were taken back with their whole source, and lets them count again when a file has them again."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from attrs import frozen

from ratingcore.events import CORRECTIONS, Event, GamePlayed, Instant, ResultAmended, ResultVoided, Row, SessionPlayed
from ratingcore.events.corrections import Corrections
from ratingcore.events.missing_uids import is_nameless
from ratingcore.importer.differences import changes_of, fields_of
from ratingcore.log import Log
from ratingcore.log.chain import Batch, is_taken_back
from ratingcore.log.lookup import corrections_of, decoder_of

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
    voids : mapping of int to tuple of str
        By position of an event, the uids of the voids against it.
    without : Corrections
        The corrections of the log, without these voids against results.
    """

    voids: dict[int, tuple[str, ...]]
    without: Corrections

    @classmethod
    def of(cls, log: Log) -> "TakenBack":
        """The events taken back in a log."""
        void = corrections_of(log).void
        rows = list(log.rows(0, None, CORRECTIONS)) if void else []
        against: dict[int, list[tuple[str, bool]]] = defaultdict(list)
        batch: Batch | None = None
        for row in rows:
            if row.kind != "void" or row.ref not in void or row.position in void or row.ref is None:
                continue
            if batch is None or row.position > batch.last:
                batch = next(log.batches(row.position - 1))
            whole = batch.source is not None and is_taken_back(log.book.key(batch.source))
            against[row.ref].append((row.uid, whole))
        voids = {at: tuple(uid for uid, _ in some) for at, some in against.items() if all(whole for _, whole in some)}
        said = {row.position for row in rows}  # corrections that were taken back with it do not come again
        uids = set(chain.from_iterable(uids for at, uids in voids.items() if at not in said))
        return cls(voids, Corrections.of(row for row in rows if row.uid not in uids) if voids else Corrections())

    def brought_again(self, log: Log, row: Row, event: Event, by: str) -> list[Event]:
        """Returns the corrections that make a row that was taken back count again, as the event that a file gives now.

        Empty if the row was not taken back, or is of another kind or pool.
        """
        if row.position not in self.voids or row.kind != event.kind:
            return []
        changes = changes_of(fields_of(decoder_of(log)(self.without.read(row) or row)), fields_of(event))
        if "pool" in changes:
            return []
        revivals = [ResultVoided(of=void, why=WHY, by=by) for void in self.voids[row.position]]
        return [*revivals, *([ResultAmended(of=event.uid, changes=changes, why=WHY, by=by)] if changes else [])]

    def put_in_order(
        self,
        events: Sequence[Event],
        back: Mapping[int, Row],
        again: dict[int, list[Event]],
        new: Mapping[int, Event],
        by: str,
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
