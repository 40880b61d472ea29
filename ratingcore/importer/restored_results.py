"""Results of a file that was taken back and is imported again: restored, with their corrections by hand."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ratingcore.events import Event, GamePlayed, Instant, ResultAmended, Row, SessionPlayed
from ratingcore.events.missing_uids import is_nameless
from ratingcore.importer.differences import is_same
from ratingcore.importer.last_issues import IN_ORDER, GivenResult, Revision
from ratingcore.importer.recorded_events import RecordedEvents
from ratingcore.importer.recorded_games import batches_from
from ratingcore.log.derived_uids import Identity

WHY = "brought again"
"""Reason of the corrections that restore such results."""


class RestorableResults:
    """The results of one file that were taken back; each can be restored once.

    To restore a result with an id, its voids are taken back, and it is amended where the file differs. A result without
    an id is recorded as a new event, in the order of the file.

    Parameters
    ----------
    recorded : RecordedEvents
        Its events that were taken back; restored ones are added to those matched.
    by : str
        Actor of the corrections.
    """

    def __init__(self, recorded: RecordedEvents, by: str) -> None:
        self._recorded, self._issues, self._by = recorded, recorded.issues, by

    def given(self, recorded: Iterable[Row]) -> dict[int, GivenResult]:
        """Returns the events among `recorded` that were taken back, by position."""
        rows = {row.position: row for row in recorded if row.position in self._recorded.taken_back.voids}
        return {given.row.position: given for given in self._issues.of([*rows.values()])}

    def revived(self, event: Event, given: GivenResult) -> Revision | None:
        """Returns the corrections that restore a result with an id; None if the file now has another kind or pool.

        If the file has several rows with the id, only the first one restores it.
        """
        if given.row.position in self._recorded.matched or given.row.kind != event.kind:
            return None
        revision = given.revised(event, WHY, self._by)
        if "pool" in revision.changes:
            return None
        self._recorded.matched.add(given.row.position)
        return revision

    def corrected(self, identities: Iterable[Identity]) -> set[Identity]:
        """Returns those of some identities that have a result taken back and amended."""
        there = {identity: self._recorded.gone[identity] for identity in identities if identity in self._recorded.gone}
        every = chain.from_iterable(rows.values() for rows in there.values())
        amended = {row.ref for row in self._issues.about(every) if row.kind == "amend"}
        return {identity for identity, rows in there.items() if not amended.isdisjoint(rows)}

    def repeated_corrections(
        self, new: Mapping[int, Event], anew: Mapping[Identity, Sequence[int]]
    ) -> dict[int, Revision]:
        """Repeats the corrections by hand of results taken back, for the new events that replace these results.

        Parameters
        ----------
        new : mapping of int to Event
            New events by their index in the file.
        anew : mapping of Identity to sequence of int
            Indexes of the new events, by identity, where results of that identity were taken back.
        """
        decided, corrected = dict[int, Revision](), self.corrected(anew)
        for identity, places in anew.items():
            if identity not in corrected:
                continue
            rows = self._recorded.taken_back.last(self._recorded.gone[identity].values())
            left = [given for given in self._issues.of(rows) if given.row.position not in self._recorded.matched]
            for alike in (True, False):
                for place in [place for place in places if place not in decided]:
                    one = next((one for one in left if not alike or is_same(one.event, new[place])), None)
                    if one is not None:
                        left = [other for other in left if other is not one]
                        self._recorded.matched.add(one.row.position)
                        decided[place] = one.repeated_for(new[place])
        return decided

    def lost(self, source: str, before: int) -> list[int]:
        """Returns the positions of corrections by hand that are lost, because the file no longer has their results.

        Parameters
        ----------
        source : str
            Source of the file's batches.
        before : int
            Last position of the log before this import.
        """
        log, back = self._recorded.log, self._recorded.taken_back.voids
        left = back.keys() - self._recorded.matched
        amended = {row.ref for row in log.rows(0, before, ("amend",))} & left if back else set()
        batches = list(batches_from(log, source)) if amended else []
        rows = [
            row
            for row in log.rows_at(sorted(at for at in amended if at is not None))
            if any(one.first <= row.position <= one.last for one in batches)
            and not any(back[row.position][0].position < one.first <= before for one in batches)  # it came again since
        ]
        return sorted({one.position for given in self._issues.of(rows) for one in given.by_hand.values()})


def put_in_order(events: Sequence[Event], restored: Mapping[int, Revision], new: Mapping[int, Event], by: str) -> None:
    """Adds corrections of the order within a day, if restored results would not be in the order of the file.

    Parameters
    ----------
    events : sequence of Event
        All events of the file.
    restored : mapping of int to Revision
        The corrections that restore results, by index in `events`; those of the order are added to the last of them.
    new : mapping of int to Event
        The events that are new to the log, by index; those without an id keep their order.
    by : str
        Actor of the corrections.
    """
    with_ids = [place for place, event in new.items() if not is_nameless(event.uid)]
    given = [(place, events[place]) for place in sorted([*restored, *with_ids])]
    places = {place: revision.row.position for place, revision in restored.items()}
    restored[max(restored)].events.extend(
        ResultAmended(of=events[place].uid, changes={"order": order}, why=IN_ORDER, by=by)
        for place, order in _orders(given, places)
    )


def _orders(given: Sequence[tuple[int, Event]], places: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Yields the index and the new order within the day of results whose order in the log is not that of the file.

    Parameters
    ----------
    given : sequence of (int, Event)
        Indexes and events, in the order of the file.
    places : mapping of int to int
        Positions in the log, by index; results without one will come after all of these.
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
