"""Pairs the rows of one batch with recorded events of the same identity: first by content, then contradicted ones."""

from collections import defaultdict, deque
from collections.abc import Mapping
from typing import NamedTuple

from ratingcore.events import Event, Row
from ratingcore.events.missing_uids import is_nameless
from ratingcore.importer.recorded_events import RecordedEvents
from ratingcore.log.derived_uids import Identity, is_given
from ratingcore.log.duplicates import compared_fields, differs


class Recorded(NamedTuple):
    """The recorded event that a row means.

    Attributes
    ----------
    row : Row
    differs : str
        The first field in which the two differ; empty without any.
    retimed : bool
        Whether only their times differ, which are then the start and the end of one game.
    """

    row: Row
    differs: str = ""
    retimed: bool = False


class Pairs:
    """The pairs of rows and recorded events in one batch, for rows without an id or a log with derived ones.

    First, each row is paired with a recorded event of equal content. Then each remaining row without an id is paired
    with a remaining event of its identity, which it contradicts; further rows are new.

    Parameters
    ----------
    rows : mapping of int to (Event, Row)
        Events and their rows, by place in the batch.
    recorded : RecordedEvents
        Events of equal content are added to those matched.
    last : bool
        Whether no other batch of the file follows.
    in_order : bool
        Whether rows that contradict an event amend it: of one identity, each event is then paired with the row at its
        place in the order.

    Attributes
    ----------
    found : dict of int to Recorded
        The events, by place of their row.
    turns : dict of Identity to int
        The number of recorded events, by identity that has any.
    otherwise : dict of int to Event
        By position of an event, its row, if it gives the event in other words and a later row may be a better match.
    """

    def __init__(
        self, rows: Mapping[int, tuple[Event, Row]], recorded: RecordedEvents, *, last: bool, in_order: bool
    ) -> None:  # fmt: skip
        self.found, self.turns, self.otherwise = dict[int, Recorded](), dict[Identity, int](), dict[int, Event]()
        self._rows, self._recorded, self._last = rows, recorded, last
        self._places = defaultdict[Identity, list[int]](list)
        """The rows of each identity, in the order of the file."""
        self._left = dict[Identity, dict[int, None]]()
        """Those without an event."""
        self._alike = defaultdict[tuple[object, ...], deque[int]](deque)
        """Rows by identity, content, reporting side, and whether they have no id."""
        self._spare = defaultdict[Identity, list[Row]](list)
        """By identity, the events without a row."""
        for place, (event, row) in rows.items():
            identity = Identity.of(row)
            self._places[identity].append(place)
            self._alike[identity, compared_fields(row), row.a, is_nameless(event.uid)].append(place)
        self._left |= {identity: dict.fromkeys(places) for identity, places in self._places.items()}
        self._with_ids = not all(is_nameless(event.uid) for event, _ in rows.values())
        corrected = list[tuple[Identity, Row]]()  # they have several contents, so others come before them
        for identity, one in recorded.of(self._left, self.turns):
            if recorded.is_corrected(one.position):
                corrected.append((identity, one))
            else:
                self._pair_equal(identity, one)
        for identity, one in corrected:
            self._pair_equal(identity, one)
        if recorded.log.book.erased:
            self._pair_erased()
        for identity in list(self._left) if last and in_order else ():
            self._pair_in_order(identity)
        self._pair_contradicted()

    def _pair_equal(self, identity: Identity, recorded: Row) -> None:
        """Pairs an event with a row that equals it, as recorded or as corrected.

        Either side of a game may report it: if two rows are equal, the row of the same side is taken.
        """
        kinds = (True, False) if self._with_ids and not is_given(recorded.uid) else (True,)
        for reading in self._recorded.readings(recorded):
            content = compared_fields(reading)
            for side in (reading.a, reading.b) if reading.kind == "game" else (reading.a,):
                alike = [place for kind in kinds for place in self._first((identity, content, side, kind))]
                if alike:
                    self._pair(place := min(alike), identity, recorded)
                    event, row = self._rows[place]
                    if not (self._last or (is_nameless(event.uid) and row[2:] == recorded[2:])):
                        self.otherwise[recorded.position] = event
                    return
        self._spare[identity].append(recorded)

    def _first(self, key: tuple[Identity, object, object, bool]) -> list[int]:
        """Returns the first row of a key that has no event yet, if there is one."""
        alike, left = self._alike.get(key, deque()), self._left.get(key[0], {})
        while alike and alike[0] not in left:
            alike.popleft()
        return [alike[0]] if alike else []

    def _pair(self, place: int, identity: Identity, recorded: Row) -> None:
        self._recorded.matched.add(recorded.position)
        self.found[place] = Recorded(recorded)
        del self._left[identity][place]
        if not self._left[identity]:
            del self._left[identity]

    def _pair_erased(self) -> None:
        """Pairs rows with events that have an erased name where the rows have another one."""
        for identity in list(self._left):
            if identity.scope and identity.kind == "session":  # its players are not part of the identity
                events = iter(self._spare.pop(identity, []))
            else:
                events = self._recorded.with_erased_name(identity)
            for recorded in events:
                if identity not in self._left:
                    break
                self._pair_alike(identity, recorded)

    def _pair_alike(self, identity: Identity, recorded: Row) -> None:
        for place in self._left[identity]:
            may_be_one = is_nameless(self._rows[place][0].uid) or not is_given(recorded.uid)  # two ids mean two results
            if may_be_one and self._equals(place, recorded):
                self._pair(place, identity, recorded)
                return
        self._spare[identity].append(recorded)

    def _equals(self, place: int, recorded: Row) -> bool:
        """True if a row equals an event, as recorded or as corrected; an erased name equals any."""
        row, book = self._rows[place][1], self._recorded.log.book
        return not all(differs(reading, row, book) for reading in self._recorded.readings(recorded))

    def _pair_in_order(self, identity: Identity) -> None:
        """Pairs the rows of an identity with its events in order: some are corrected, and the order counts."""
        places, left = self._places[identity], list(self._left[identity])
        spare = [row for row in self._spare.get(identity, ()) if self._recorded.is_free(row.position)]
        paired = {place: self.found[place].row for place in places if place in self.found}
        events = sorted([*paired.values(), *spare])
        if not (paired and spare) or len(left) < len(spare):
            return
        if any(is_given(one.uid) for one in events) or not all(is_nameless(self._rows[at][0].uid) for at in places):
            return
        self._recorded.matched.difference_update(row.position for row in paired.values())
        for place in paired:
            del self.found[place]
        self._left[identity], self._spare[identity] = dict.fromkeys(places), events
        for place, recorded in zip(places, events, strict=False):
            if self._equals(place, recorded):
                self._pair(place, identity, recorded)

    def _pair_contradicted(self) -> None:
        """Pairs the remaining rows without an id with remaining events that they contradict; further rows are new."""
        book = self._recorded.log.book
        for identity, left in self._left.items():
            nameless = (place for place in left if is_nameless(self._rows[place][0].uid))
            spare = (row for row in self._spare.get(identity, ()) if self._recorded.is_free(row.position))
            for place, recorded in zip(nameless, spare, strict=False):
                row = self._rows[place][1]
                retimed = self._last and bool(identity.scope) and self._recorded.is_retimed(recorded, row)
                differing = differs(recorded, row, book) or "content"
                self.found[place] = Recorded(recorded, "" if retimed else differing, retimed)
