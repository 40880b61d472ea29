"""Matches the rows of a file with the events recorded in the log, mainly rows without ids, batch by batch."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from attrs import evolve

from ratingcore.errors import Conflict, ContentChanged
from ratingcore.events import NO_ID, Event, Instant, Row
from ratingcore.events.kinds import players_of
from ratingcore.events.missing_uids import is_nameless, own_uids
from ratingcore.events.rows import players_of_row
from ratingcore.importer.last_issues import Revision
from ratingcore.importer.recorded_events import RecordedEvents
from ratingcore.importer.recorded_games import has_derived
from ratingcore.importer.restored_results import RestorableResults, put_in_order
from ratingcore.importer.row_pairs import Pairs, Recorded
from ratingcore.log.append import Expected, check_head
from ratingcore.log.chain import Receipt
from ratingcore.log.contract import Log
from ratingcore.log.derived_uids import PREFIXES, Identity
from ratingcore.log.duplicates import differs
from ratingcore.log.encoder import looked_up
from ratingcore.log.lookup import decoder_of
from ratingcore.log.names import NameDraft, random_salt


class SortedEvents(NamedTuple):
    """Events of a file, sorted by whether the log has them.

    Attributes
    ----------
    new : dict of int to Event
        By place, the new events; an event without an id has a uid if the log has its identity already.
    conflicts : list of Conflict
        Events recorded with other content.
    restored : dict of int to list of Event
        By place, the corrections that restore an event with an id whose source was taken back.
    known : dict of int to int
        By place, the positions of the recorded events that count.
    voided : dict of int to int
        By place, the positions of the recorded events that are void.
    decided : sequence of Event
        Corrections by hand, for new events in place of those that were taken back with their source.
    replaced : sequence of (int, str, int)
        Corrections by hand that do not hold any more: the place, the field, and the position of the correction.
    kept : sequence of (int, int)
        Corrections by hand that hold for events whose source was taken back: the place, and the position.
    waiting : sequence of int
        Places of the events that wait for the end of their file.
    repeated : sequence of int
        Places of known events that the file itself brought, on an earlier row with the same id.
    """

    new: dict[int, Event]
    conflicts: list[Conflict]
    restored: dict[int, list[Event]]
    known: dict[int, int]
    voided: dict[int, int]
    decided: Sequence[Event] = ()
    replaced: Sequence[tuple[int, str, int]] = ()
    kept: Sequence[tuple[int, int]] = ()
    waiting: Sequence[int] = ()
    repeated: Sequence[int] = ()


class Matching:
    """Matches the rows of one file with the events of the log: by id, and those without by identity and content.

    An event that this matching has appended itself is not matched with another row of the file.

    A player whose name was erased may be any player whose name was recorded later: rows of such players are matched
    with the event, so that importing the file again does not bring the name back.

    Parameters
    ----------
    log : Log
    imported_before : bool
        Whether the file was imported before; its rows may have had ids then.
    either_time : bool
        Whether the log may have a game's start and the file its end, or the reverse: games that differ only in their
        time are then the same.
    sure : bool
        Whether the events are known to be new; a conflict then raises an error.
    by : str
        Actor of the corrections for events taken back as a whole.
    amend : bool
        Whether events that rows contradict are amended; events of one identity then get the order of their rows.

    Attributes
    ----------
    restorable : RestorableResults
        The results of the file that were taken back.
    returning : set of str
        Names in the file where the log has an erased name.
    had_no_ids : bool
        Whether rows with ids were matched with events recorded without ids.
    retimed : int
        Number of matched events whose time differs from their row.
    """

    def __init__(
        self, log: Log, imported_before: bool = False, either_time: bool = False, sure: bool = False,
        by: str = "import", amend: bool = False,
    ) -> None:  # fmt: skip
        self._log, self._sure, self._by, self._amend = log, sure, by, amend
        self._recorded = RecordedEvents(log, by, imported_before=imported_before, either_time=either_time)
        self.restorable = RestorableResults(self._recorded, by)
        self.returning = set[str]()
        self.had_no_ids = False
        self.retimed = 0
        self._waiting = set[tuple[str, Instant] | None]()
        """Pools and times of rows whose match a later row may change: new ones are recorded after them."""
        self._waiting_ids = set[str]()
        """Ids of waiting rows: other rows with such an id wait too."""
        self._otherwise = dict[int, Event]()
        """By position of a matched event, its row, if it gives the event in other words than the log."""

    @property
    def waits(self) -> bool:
        """True if new events of some times wait for the end of the file."""
        return bool(self._waiting)

    def append(
        self,
        events: Sequence[Event],
        others: Sequence[Event] = (),
        *,
        source: str = "",
        expect: Expected = None,
        last: bool = True,
    ) -> tuple[SortedEvents, Receipt]:
        """Appends those of `events` that are new, and `others`, which are known to be new, as one batch.

        Unless they are the last ones of the file, events without an id that contradict the log wait, and so do new ones
        of their time: a later row may match the recorded event, and events of one time keep the order of the file.
        """
        with self._log.writing():  # the matching must hold until they are written
            all_new = SortedEvents(dict(enumerate(events)), [], {}, {}, {})
            found = self.sort(events, last=last) if self._may_be_there(events) else all_new
            try:
                receipt = self._written(found, others, source, expect)
            except ContentChanged as changed:  # most events are new: they are looked up only if one of them is not
                if found is not all_new:
                    raise
                found = self.sort(events, _like(events, changed.all_given), last=last)
                if self._sure and found.conflicts:
                    raise found.conflicts[0] from None
                receipt = self._written(found, others, source, expect)
        self.appended(receipt)
        return found, receipt

    def appended(self, receipt: Receipt) -> None:
        """Notes appended events, with which no other row of the file is to be matched."""
        self._recorded.appended(receipt)

    def reserve(self, positions: Iterable[int]) -> None:
        """Excludes events from the matching, because their rows are known already."""
        self._recorded.matched.update(positions)

    def matched(self, positions: Iterable[int]) -> list[int]:
        """Returns those of some positions whose events have a row already."""
        return [position for position in positions if position in self._recorded.matched]

    def _written(self, found: SortedEvents, others: Sequence[Event], source: str, expect: Expected) -> Receipt:
        events = [*found.new.values(), *others, *chain.from_iterable(found.restored.values()), *found.decided]
        if events:
            return self._log.append(events, source=source, expect=expect)
        head = self._log.head
        check_head(head, expect)
        return Receipt(head, 0, 0)

    def _may_be_there(self, events: Sequence[Event]) -> bool:
        """True if an append might not notice that events are in the log, or if they need a closer look."""
        if self._sure or self._waiting:
            return not self._sure
        uids = own_uids(events)
        if len(uids) < len(events) and (self._recorded.given is not None or self._log.book.erased):
            return True
        return bool(uids) and (self._has_derived or len(set(uids)) < len(uids) or bool(self._log.find(uids)))

    def sort(self, events: Sequence[Event], places: Sequence[int] | None = None, *, last: bool = True) -> SortedEvents:
        """Sorts events into new, known, conflicting and waiting ones; events at places not in `places` are new."""
        recorded = self._recorded
        recorded.reread()
        found, restored, rows = self._with_ids(events, range(len(events)) if places is None else places)
        pairs = Pairs(rows, recorded, last=last, in_order=self._amend)
        self._otherwise |= pairs.otherwise
        self._waiting |= set(map(_time_of, pairs.otherwise.values()))
        for place, pair in pairs.found.items():
            self._note(*rows[place], pair)
        found |= pairs.found
        by_id = {rows[place][0].uid: one for place, one in pairs.found.items() if not is_nameless(rows[place][0].uid)}
        self.had_no_ids |= bool(by_id)
        waiting = set[int]() if last else self._to_wait(events, rows, found, restored)
        new, conflicts = dict[int, Event](), list[Conflict]()
        known, voided = dict[int, int](), dict[int, int]()
        anew, turns = defaultdict[Identity, list[int]](list), pairs.turns
        head, positions = self._log.head.position, dict[str, int]()
        """Positions that new events will have, by id."""
        repeated = list[int]()
        for place, event in enumerate(events):
            if place in restored or place in waiting:
                continue
            one = by_id.get(event.uid) or found.get(place)  # further rows with the same id are matched too
            if one is None:
                identity = Identity.of(rows[place][1]) if (turns or recorded.gone) and place in rows else None
                if identity in recorded.gone:
                    anew[identity].append(place)
                if identity is not None and (identity in turns or identity in anew) and is_nameless(event.uid):
                    turn = turns.get(identity, 0)
                    event, turns[identity] = evolve(event, uid=recorded.uids.uid(identity, turn)), turn + 1
                new[place] = event
                positions[event.uid] = head + len(new)
                continue
            at = one.row.position if one.row.position <= head else positions[event.uid]
            if one.differs:
                kind = ContentChanged if is_nameless(event.uid) else Conflict
                conflicts.append(kind(one.row.uid, at, one.differs, place))
            else:
                (voided if at in recorded.void else known)[place] = at
                if at > head or recorded.is_own(at):
                    repeated.append(place)
        if restored:
            put_in_order(events, restored, new, self._by)
        corrections = {place: revision.events for place, revision in restored.items()}
        decided = self.restorable.repeated_corrections(new, anew)
        revisions = sorted((restored | decided).items())
        replaced = [(place, *one) for place, revision in revisions for one in revision.replaced.items()]
        kept = [(place, position) for place, revision in revisions for position in revision.upheld.values()]
        further = chain.from_iterable(revision.events for revision in decided.values())
        return SortedEvents(
            new, conflicts, corrections, known, voided, [*further], replaced, kept, sorted(waiting), repeated
        )

    def _with_ids(
        self, events: Sequence[Event], places: Sequence[int]
    ) -> tuple[dict[int, Recorded], dict[int, Revision], dict[int, tuple[Event, Row]]]:
        """Looks up the ids of events; returns those found, those that are restored, and those to be paired."""
        found, restored, rows = dict[int, Recorded](), dict[int, Revision](), dict[int, tuple[Event, Row]]()
        book = self._log.book
        draft = NameDraft(book, book.count, random_salt)  # the names of new events are not in the log yet
        asked = list(looked_up(draft, self._log.find, [events[place] for place in places], self._log.head.position))
        gone = self.restorable.given(there for _, _, there in asked if there is not None)
        for place, (event, row, there) in zip(places, asked, strict=True):
            if there is None:
                if is_nameless(event.uid) or (event.kind in PREFIXES and self._has_derived):
                    rows[place] = event, row
            elif (one := gone.get(there.position)) and (revision := self.restorable.revived(event, one)) is not None:
                restored[place] = revision
            else:
                found[place] = self._compared(row, there, draft)
                self._note(event, row, found[place])
        return found, restored, rows

    def _compared(self, row: Row, recorded: Row, book: NameDraft) -> Recorded:
        """Compares a row with the recorded event of its id, as recorded and as corrected."""
        field = differs(recorded, row, book)
        if not field:
            return Recorded(recorded)
        readings = self._recorded.readings(recorded)
        if any(not differs(reading, row, book) for reading in readings[1:]):
            return Recorded(recorded)
        retimed = self._recorded.is_retimed(readings[-1], row)
        return Recorded(recorded, "" if retimed else field, retimed)

    def _note(self, event: Event, row: Row, one: Recorded) -> None:
        """Notes that a row was matched with a recorded event, unless it contradicts it."""
        self.retimed += one.retimed
        erased = self._log.book.erased
        if one.differs or not erased or event.kind not in PREFIXES:
            return
        there = set(players_of_row(one.row))
        if not erased.isdisjoint(there):
            names = zip(players_of(event), players_of_row(row), strict=True)
            self.returning |= {name for name, number in names if number not in there}

    def _to_wait(
        self, events: Sequence[Event], rows: Mapping[int, tuple[Event, Row]], found: Mapping[int, Recorded],
        restored: Mapping[int, Revision],
    ) -> set[int]:  # fmt: skip
        """Returns the places of events for which later rows count, and of the new events of their times."""
        differing = {place for place, one in found.items() if one.differs and is_nameless(events[place].uid)}
        late = set(differing)
        if self._recorded.gone:
            anew = {place: Identity.of(row) for place, (_, row) in rows.items() if place not in found}
            corrected = self.restorable.corrected(anew.values())
            late |= {place for place, identity in anew.items() if identity in corrected}
        self._waiting |= {_time_of(events[place]) for place in late}
        if not self._waiting:
            return set()
        new = {place for place, event in enumerate(events) if place not in found and _time_of(event) in self._waiting}
        waiting = differing | (new - restored.keys())
        self._waiting_ids |= {events[place].uid for place in waiting if not is_nameless(events[place].uid)}
        return waiting | {place for place, event in enumerate(events) if event.uid in self._waiting_ids}

    def reopened(self, waiting: Sequence[Event]) -> dict[int, Event]:
        """Makes the events free whose identities are those of waiting rows; returns their rows, by position.

        All rows of an identity are then matched at once, as if the file were one batch.
        """
        book, nameless = self._log.book, [event for event in waiting if is_nameless(event.uid)]
        draft = NameDraft(book, book.count, random_salt)
        asked = looked_up(draft, self._log.find, nameless, self._log.head.position)
        decoded, made = decoder_of(self._log), dict[int, Event]()
        for row in self._recorded.release(Identity.of(row) for _, row, _ in asked):
            given = self._otherwise.pop(row.position, None)
            made[row.position] = evolve(decoded(row), uid=NO_ID) if given is None else given
        return made

    @cached_property
    def _has_derived(self) -> bool:
        """True if the log has events without ids of their own, which may be the same as events that now have ids."""
        return has_derived(self._log)


def _time_of(event: Any) -> tuple[str, Instant] | None:
    """Pool and time of an event that may have no id; None for other events."""
    return (event.pool, event.played) if event.kind in PREFIXES else None


def _like(events: Sequence[Event], there: Sequence[int]) -> Sequence[int] | None:
    """Returns the places of events with the same players as one that the log has; None for all events."""
    if own_uids(events) or there[-1] >= len(events):
        return None
    met = {frozenset(players_of(events[place])) for place in there}
    return [place for place, event in enumerate(events) if frozenset(players_of(event)) in met]
