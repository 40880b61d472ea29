"""Lets results that were taken back with their whole source come again, with what was corrected in them by hand."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ratingcore.events import Event, GamePlayed, Instant, ResultAmended, Row, SessionPlayed
from ratingcore.events.missing_uids import is_nameless
from ratingcore.importer.differences import is_same
from ratingcore.importer.last_issues import GivenResult, LastIssues, Revision
from ratingcore.importer.recorded_games import batches_from
from ratingcore.importer.taken_back import TakenBack
from ratingcore.log import Log
from ratingcore.log.derived_uids import Identity

WHY = "brought again"
"""Reason of the corrections that make such events count again."""
IN_ORDER = "in the order of the file"
"""Reason of corrections of an order on the day that the file itself does not give."""


class BroughtAgain:
    """Results of one file that were taken back, each of which may come again once.

    A result with an id counts again, and is amended; one without an id is a new event, in the order of the file.

    Parameters
    ----------
    log : Log
    issues : LastIssues
    by : str
        Actor of the corrections.
    used : set of int
        Positions of the results that have a row; those that come again are added.

    Attributes
    ----------
    back : TakenBack
        What was taken back before the first row.
    there : dict of Identity to dict of int to Row
        The results found for rows without an id, by position.
    """

    def __init__(self, log: Log, issues: LastIssues, by: str, used: set[int]) -> None:
        self._log, self._issues, self._by, self._used = log, issues, by, used
        self.there: dict[Identity, dict[int, Row]] = defaultdict(dict)

    @property
    def back(self) -> TakenBack:
        return self._issues.taken_back

    def given(self, recorded: Iterable[Row]) -> dict[int, GivenResult]:
        """Returns those of some events that were taken back, by position."""
        rows = {row.position: row for row in recorded if row.position in self.back.voids}
        return {given.row.position: given for given in self._issues.of([*rows.values()])}

    def revived(self, event: Event, given: GivenResult) -> Revision | None:
        """Returns what makes an event with an id count again; None if its kind or pool is another one now.

        Its first row in the file decides.
        """
        if given.row.position in self._used or given.row.kind != event.kind:
            return None
        revision = given.revised(event, WHY, self._by)
        if "pool" in revision.changes:
            return None
        self._used.add(given.row.position)
        return revision

    def decided(self, new: Mapping[int, Event], anew: Mapping[Identity, Sequence[int]]) -> dict[int, Revision]:
        """Returns what was corrected by hand in results taken back, for the new events that come in their place.

        Parameters
        ----------
        new : mapping of int to Event
        anew : mapping of Identity to sequence of int
            Places of the new events of an identity that has results taken back.
        """
        every = chain.from_iterable(self.there[identity].values() for identity in anew)
        amended = {row.ref for row in self._issues.about(every) if row.kind == "amend"}
        decided = dict[int, Revision]()
        for identity, places in anew.items():
            if amended.isdisjoint(self.there[identity]):
                continue
            rows = self.back.last(self.there[identity].values())
            left = [given for given in self._issues.of(rows) if given.row.position not in self._used]
            for alike in (True, False):
                for place in [place for place in places if place not in decided]:
                    one = next((one for one in left if not alike or is_same(one.event, new[place])), None)
                    if one is not None:
                        left = [other for other in left if other is not one]
                        self._used.add(one.row.position)
                        decided[place] = one.decided_again(new[place])
        return decided

    def lost(self, source: str, before: int) -> list[int]:
        """Returns the positions of corrections by hand, of results taken back for which no row of their file came.

        Parameters
        ----------
        source : str
        before : int
            Position of the log before the file.
        """
        back = self.back.voids
        amended = {row.ref for row in self._log.rows(0, before, ("amend",))} & back.keys() - self._used if back else ()
        batches = list(batches_from(self._log, source)) if amended else []
        rows = [
            row
            for row in self._log.rows_at(sorted(at for at in amended if at is not None))
            if any(one.first <= row.position <= one.last for one in batches)
            and not any(back[row.position][0].position < one.first <= before for one in batches)  # it came again since
        ]
        return sorted({one.position for given in self._issues.of(rows) for one in given.by_hand.values()})


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
