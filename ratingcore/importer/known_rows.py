"""Matches the rows of a file with the events recorded in the log, mainly rows without ids."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from attrs import evolve

from ratingcore.errors import Conflict, ContentChanged
from ratingcore.events import NO_ID, Event, Instant, Row
from ratingcore.events.corrections import Corrections
from ratingcore.events.kinds import players_of
from ratingcore.events.missing_uids import is_nameless, own_uids
from ratingcore.events.rows import players_of_row
from ratingcore.importer.brought_again import IN_ORDER, BroughtAgain, put_in_order
from ratingcore.importer.last_issues import LastIssues, Revision
from ratingcore.importer.recorded_games import Found, GivenIds, Recorded, has_derived
from ratingcore.log.append import Expected, check_head, uids_of
from ratingcore.log.chain import Receipt
from ratingcore.log.contract import Log
from ratingcore.log.derived_uids import PREFIXES, Identity, is_given
from ratingcore.log.duplicates import compared_fields, differs
from ratingcore.log.encoder import looked_up
from ratingcore.log.lookup import corrections_of, decoder_of
from ratingcore.log.names import NameDraft, random_salt


class Matching:
    """Matches the rows of one file with the events of the log, by identity and then by content.

    Rows and recorded events of one identity are paired in two steps. First, each row is paired with a recorded event
    of equal content. Then each remaining row is paired with a remaining event, which it contradicts; further rows are
    new. An event that this matching has appended itself is not matched with another row of the file.

    A player whose name was erased may be any player whose name was recorded later: rows of such players are matched
    with the event, so that importing the file again does not bring the name back.

    Parameters
    ----------
    log : Log
    again : bool
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
    returning : set of str
        Names in the file where the log has an erased name.
    had_no_ids : bool
        Whether rows with ids were matched with events recorded without ids.
    retimed : int
        Number of matched events whose time differs from their row.
    """

    def __init__(
        self, log: Log, again: bool = False, either_time: bool = False, sure: bool = False, by: str = "import",
        amend: bool = False,
    ) -> None:  # fmt: skip
        self._either_time, self._sure, self._by = either_time, sure, by
        self.retimed = 0
        self.given = GivenIds(log) if again else None
        """Finds events recorded with ids from their file; None if the file was not imported before."""
        self.uids = uids_of(log)
        self.returning: set[str] = set()
        self.had_no_ids = False
        self.log = log
        self._first: list[int] = []
        self._last: list[int] = []
        self._matched: set[int] = set()
        self.again = BroughtAgain(log, issues := LastIssues(log, by), by, self._matched)
        self._corrections = Corrections()
        self._issues = issues
        self.looked_up: dict[Identity, tuple[int, list[Row]]] = {}
        """By identity with several events, the next ordinal to look up, and the events not matched yet."""
        self.amend = amend
        self._waiting = set[tuple[str, Instant] | None]()
        """Pools and times of rows whose match a later row may change: new ones are recorded after them."""
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
    ) -> tuple[Found, Receipt]:
        """Appends those of `events` that are new, and `others`, which are known to be new, as one batch.

        Unless they are the last ones of the file, events without an id that contradict the log wait, and so do new ones
        of their time: a later row may match the recorded event, and events of one time keep the order of the file.
        """
        with self.log.writing():  # the matching must hold until they are written
            all_new = Found(dict(enumerate(events)), [], {}, {}, {})
            found = self.sort(events, last=last) if self._may_be_there(events) else all_new
            try:
                receipt = self._recorded(found, others, source, expect)
            except ContentChanged as changed:  # most events are new: they are looked up only if one of them is not
                if found is not all_new:
                    raise
                found = self.sort(events, _like(events, changed.all_given), last=last)
                if self._sure and found.conflicts:
                    raise found.conflicts[0] from None
                receipt = self._recorded(found, others, source, expect)
        self.appended(receipt)
        return found, receipt

    def appended(self, receipt: Receipt) -> None:
        """Notes appended events, with which no other row of the file is to be matched."""
        if receipt.accepted:
            self._first.append(receipt.positions[0])
            self._last.append(receipt.positions[-1])

    def _recorded(self, found: Found, others: Sequence[Event], source: str, expect: Expected) -> Receipt:
        events = [*found.new.values(), *others, *chain.from_iterable(found.again.values()), *found.decided]
        if events:
            return self.log.append(events, source=source, expect=expect)
        head = self.log.head
        check_head(head, expect)
        return Receipt(head, 0, 0)

    def _may_be_there(self, events: Sequence[Event]) -> bool:
        """True if an append might not notice that events are in the log, or if they need a closer look."""
        if self._sure or self._waiting:
            return not self._sure
        uids = own_uids(events)
        if len(uids) < len(events) and (self.given is not None or self.log.book.erased):
            return True
        return bool(uids) and (self._has_derived or len(set(uids)) < len(uids) or bool(self.log.find(uids)))

    def sort(self, events: Sequence[Event], places: Sequence[int] | None = None, *, last: bool = True) -> Found:
        """Sorts events into new, known, conflicting and waiting ones; events at places not in `places` are new."""
        places = range(len(events)) if places is None else places
        self._corrections = corrections_of(self.log)
        book, rows = self.log.book, dict[int, tuple[Event, Row]]()
        found, again, back = dict[int, Recorded](), dict[int, Revision](), dict[int, Row]()
        draft = NameDraft(book, book.count, random_salt)  # the names of new events are not in the log yet
        asked = list(looked_up(draft, self.log.find, [events[place] for place in places], self.log.head.position))
        gone = self.again.given(there for _, _, there in asked if there is not None)
        for place, (event, row, there) in zip(places, asked, strict=True):
            if there is None:
                if is_nameless(event.uid) or (event.kind in PREFIXES and self._has_derived):
                    rows[place] = event, row
            elif there.position in gone and (revision := self.again.revived(event, gone[there.position])) is not None:
                again[place], back[place] = revision, there
            else:
                found[place] = Recorded(there, self._differing(event, row, there, draft))
        turns = dict[Identity, int]()
        matched = _Sorting(self, rows, turns, book.count, last=last).run()
        found |= matched
        waiting = set[int]() if last else self._to_wait(events, rows, found, again)
        new, conflicts = dict[int, Event](), list[Conflict]()
        known, voided = dict[int, int](), dict[int, int]()
        anew = defaultdict[Identity, list[int]](list)
        by_id = {events[place].uid: one for place, one in matched.items() if not is_nameless(events[place].uid)}
        self.had_no_ids |= bool(by_id)
        for place, event in enumerate(events):
            if place in again or place in waiting:
                continue
            if event.uid in by_id:  # further rows with the same id are matched too
                found[place] = by_id[event.uid]
            if place not in found:
                identity = Identity.of(rows[place][1]) if (turns or self.again.there) and place in rows else None
                if identity in self.again.there:
                    anew[identity].append(place)
                if identity is not None and (identity in turns or identity in anew) and is_nameless(event.uid):
                    turn = turns.get(identity, 0)
                    event, turns[identity] = evolve(event, uid=self.uids.uid(identity, turn)), turn + 1
                new[place] = event
            elif found[place].differs:
                (row, field), kind = found[place], ContentChanged if is_nameless(event.uid) else Conflict
                conflicts.append(kind(row.uid, row.position, field, place))
            else:
                at = found[place].row.position
                (voided if at in self._void else known)[place] = at
        corrections = {place: revision.events for place, revision in again.items()}
        if again:
            put_in_order(events, back, corrections, new, self._by)
        decided = self.again.decided(new, anew)
        revisions = sorted((again | decided).items())
        replaced = [(place, *one) for place, revision in revisions for one in revision.replaced.items()]
        kept = [(place, position) for place, revision in revisions for position in revision.kept.values()]
        further = chain.from_iterable(revision.events for revision in decided.values())
        return Found(new, conflicts, corrections, known, voided, [*further], replaced, kept, sorted(waiting))

    def _to_wait(
        self, events: Sequence[Event], rows: Mapping[int, tuple[Event, Row]], found: Mapping[int, Recorded],
        again: Collection[int],
    ) -> set[int]:  # fmt: skip
        """Returns the places of events for which later rows count, and of the new events of their times."""
        differing = {place for place, one in found.items() if one.differs and is_nameless(events[place].uid)}
        late = set(differing)
        if self.again.there:
            anew = {place: Identity.of(row) for place, (_, row) in rows.items() if place not in found}
            corrected = self.again.corrected(anew.values())
            late |= {place for place, identity in anew.items() if identity in corrected}
        self._waiting |= {_time_of(events[place]) for place in late}
        new = [place for place in range(len(events)) if place not in found and place not in again]
        return differing | {place for place in new if self._waiting and _time_of(events[place]) in self._waiting}

    def reopened(self, waiting: Sequence[Event]) -> dict[int, Event]:
        """Makes the events free whose identities are those of waiting rows; returns their rows, by position.

        All rows of an identity are then matched at once, as if the file were one batch.
        """
        book, uids = self.log.book, [event for event in waiting if is_nameless(event.uid)]
        draft = NameDraft(book, book.count, random_salt)
        asked = looked_up(draft, self.log.find, uids, self.log.head.position)
        turns = {Identity.of(row): 0 for _, row, _ in asked}
        rows = [row for _, row in self.by_ordinal(turns, lambda identity: max(turns[identity], 1))]
        rows += [row for _, row in self.given.alike(turns)] if self.given is not None else []
        decoded, made = decoder_of(self.log), dict[int, Event]()
        for row in rows:
            if row.position in self._matched:
                self._matched.discard(row.position)
                given = self._otherwise.pop(row.position, None)
                made[row.position] = evolve(decoded(row), uid=NO_ID) if given is None else given
        for identity in turns:
            self.looked_up.pop(identity, None)
        return made

    def by_ordinal(
        self, turns: dict[Identity, int], wanted: Callable[[Identity], int]
    ) -> Iterator[tuple[Identity, Row]]:
        """Yields the recorded events of identities, by ordinal, until one is missing or no more are wanted.

        Parameters
        ----------
        turns : dict of Identity to int
            The first ordinal to look up; afterwards the next one.
        wanted : callable
            Returns the number of events of an identity to look up next.
        """
        asked = [identity for identity in turns if wanted(identity)]
        while asked:
            uids = {one: [self.uids.uid(one, turns[one] + n) for n in range(wanted(one))] for one in asked}
            there = self.log.find([uid for some in uids.values() for uid in some])
            for identity, some in uids.items():
                for uid in some:
                    if uid not in there:
                        break
                    turns[identity] += 1
                    yield identity, there[uid]
            asked = [identity for identity, some in uids.items() if some[-1] in there and wanted(identity)]

    def _differing(self, event: Event, row: Row, recorded: Row, book: NameDraft) -> str:
        """Returns a field in which an event differs from every reading of the recorded one of its id; empty if none."""
        readings = self.readings(recorded)
        field = differs(recorded, row, book)
        others = any(not differs(reading, row, book) for reading in readings[1:]) if field else True
        if not (others or self.is_retimed(readings[-1], row)):
            return field
        if recorded[2:] != row[2:]:
            self._returning(event, row, recorded)
        return ""

    @cached_property
    def _has_derived(self) -> bool:
        """True if the log has events without ids of their own, which may be the same as events that now have ids."""
        return has_derived(self.log)

    @cached_property
    def _void(self) -> frozenset[int]:
        """Positions of the events that were void when this was first read; used only for warnings."""
        return corrections_of(self.log).void

    def reserve(self, positions: Iterable[int]) -> None:
        """Excludes events from the matching, because their rows are known already."""
        self._matched.update(positions)

    def matched(self, positions: Iterable[int]) -> list[int]:
        """Returns those of some positions whose events have a row already."""
        return [position for position in positions if position in self._matched]

    def readings(self, recorded: Row) -> list[Row]:
        """Returns the readings of an event: as recorded and as corrected; for a void one, by all its amendments too."""
        now, at = self._corrections, recorded.position
        if at not in now.void:
            read = now.read(recorded) if at in now.changes else None
            if read is None or read.order == recorded.order:
                return [recorded] if read is None else [recorded, read]
            why = self.log.book.find("note", IN_ORDER)
            given = [row for row in self._issues.about([recorded]) if row.kind == "void" or row.facts.get("why") != why]
            return [recorded, Corrections.of(given).read(recorded) or recorded, read]
        amendments = [row for row in self._issues.about([recorded]) if row.kind == "amend" and row.ref == at]
        ever = (amendments, [row for row in amendments if row.position not in now.void])
        return [recorded, *filter(None, (Corrections.of(some).read(recorded) for some in ever))]

    def is_retimed(self, recorded: Row, row: Row) -> bool:
        """True if a row differs from an event only in its time, and may do so; counts such events."""
        timed = recorded._replace(played=row.played, order=row.order)
        if not self._either_time or differs(timed, row, self.log.book):
            return False
        self.retimed += 1
        return True

    # queries of sorting

    def free(self, position: int) -> bool:
        """True if the event at a position may still be matched with a row of the file."""
        if position in self._matched or position in self.again.back.voids:
            return False
        place = bisect_right(self._first, position) - 1
        return place < 0 or position > self._last[place]

    def release(self, position: int) -> None:
        """Makes a matched event free again."""
        self._matched.discard(position)

    def take(self, event: Event, row: Row, recorded: Row) -> None:
        """Notes that a row was matched with a recorded event."""
        self._matched.add(recorded.position)
        self._returning(event, row, recorded)

    def take_otherwise(self, event: Event, position: int) -> None:
        """Notes that a matched row is not what the log has: a later row may be a better match."""
        self._otherwise[position] = event
        self._waiting.add(_time_of(event))

    def _returning(self, event: Event, row: Row, recorded: Row) -> None:
        book = self.log.book
        if not book.erased or event.kind not in PREFIXES:
            return
        recorded_players = set(players_of_row(recorded))
        if any(player in book.erased for player in recorded_players):
            self.returning |= {
                name
                for name, number in zip(players_of(event), players_of_row(row), strict=True)
                if number not in recorded_players
            }


def _time_of(event: Any) -> tuple[str, Instant] | None:
    """Pool and time of an event that may have no id; None for other events."""
    return (event.pool, event.played) if event.kind in PREFIXES else None


def _like(events: Sequence[Event], there: Sequence[int]) -> Sequence[int] | None:
    """Returns the places of events with the same players as one that the log has; None for all events."""
    if own_uids(events) or there[-1] >= len(events):
        return None
    met = {frozenset(players_of(events[place])) for place in there}
    return [place for place, event in enumerate(events) if frozenset(players_of(event)) in met]


class _Sorting:
    """One run over the rows of a batch."""

    def __init__(
        self,
        matching: Matching,
        rows: dict[int, tuple[Event, Row]],
        turns: dict[Identity, int],
        known: int,
        *,
        last: bool,
    ) -> None:
        self._matching, self._last = matching, last
        self._log = matching.log
        self._rows = rows
        self._turns = turns
        self._known = known
        self._outcome: dict[int, Recorded] = {}
        self._left: dict[Identity, dict[int, None]] = {}
        """By identity, the rows not matched yet, in the order of the file."""
        self._alike: dict[int, list[int]] = {}
        """By row, the unmatched rows that agree with it in the key of `_saying`, last first."""
        self._saying: dict[tuple[object, ...], list[int]] = {}
        """The same lists, by identity, content, reporting side, and whether the rows have no id."""
        self._without_ids = sorted({is_nameless(event.uid) for event, _ in rows.values()}, reverse=True)
        self._paired: dict[Identity, list[int]] = defaultdict(list)
        """By identity, the rows that are matched."""
        self._spare: dict[Identity, list[Row]] = defaultdict(list)
        """By identity, the recorded events not matched yet."""

    def run(self) -> dict[int, Recorded]:
        for number, (event, row) in self._rows.items():
            identity = Identity.of(row)
            self._left.setdefault(identity, {})[number] = None
            key = identity, compared_fields(row), row.a, is_nameless(event.uid)
            self._alike[number] = alike = self._saying.setdefault(key, [])
            alike.append(number)
        for alike in self._saying.values():
            alike.reverse()
        self._by_uid()
        if self._matching.given is not None:
            for identity, row in self._matching.given.alike(one for one in self._left if not one.scope):
                self._offer(identity, row)
        if self._log.book.erased:
            self._by_erased()
        self._contradicted()
        return self._outcome

    def _by_uid(self) -> None:
        """Looks up the derived uids, ordinal by ordinal, until one is missing or every row is matched."""
        earlier, next_turn = self._matching.looked_up, dict[Identity, int]()
        for identity in list(self._left):
            next_turn[identity], spare = earlier.get(identity, (0, []))
            for recorded in spare:
                self._offer(identity, recorded)
        for identity, recorded in self._matching.by_ordinal(next_turn, lambda one: len(self._left.get(one, ()))):
            self._offer(identity, recorded)
        for identity, turn in next_turn.items():
            if turn:
                self._turns[identity] = turn
            if turn > 1 or identity in self._spare:
                earlier[identity] = turn, list(self._spare[identity])

    def _offer(self, identity: Identity, recorded: Row) -> None:
        """Matches a recorded event with a row that equals it, as recorded or as corrected.

        Either side of a game may report it: if two rows are equal, the row of the same side is taken.
        """
        if not self._matching.free(recorded.position):
            if recorded.position in self._matching.again.back.voids:
                self._matching.again.there[identity][recorded.position] = recorded
            return
        kinds = self._without_ids
        if False in kinds and is_given(recorded.uid):
            kinds = [kind for kind in kinds if kind]
        for reading in self._matching.readings(recorded):
            content = compared_fields(reading)
            for side in (reading.a, reading.b) if reading.kind == "game" else (reading.a,):
                alike = [one for kind in kinds if (one := self._saying.get((identity, content, side, kind)))]
                if alike:
                    self._pair(number := min(one[-1] for one in alike), identity, recorded)
                    event, row = self._rows[number]
                    if not (self._last or (is_nameless(event.uid) and row[2:] == recorded[2:])):
                        self._matching.take_otherwise(event, recorded.position)
                    return
        self._spare[identity].append(recorded)

    def _may_be_one(self, number: int, recorded: Row) -> bool:
        """True if the ids of a row and an event allow them to be the same; two given ids mean two results."""
        return is_nameless(self._rows[number][0].uid) or not is_given(recorded.uid)

    def _pair(self, number: int, identity: Identity, recorded: Row) -> None:
        alike = self._alike[number]
        alike.pop() if alike[-1] == number else alike.remove(number)
        self._match(number, identity, recorded)

    def _match(self, number: int, identity: Identity, recorded: Row) -> None:
        event, row = self._rows[number]
        self._matching.take(event, row, recorded)
        self._outcome[number] = Recorded(recorded)
        if self._matching.amend:
            self._paired[identity].append(number)
        del self._left[identity][number]
        if not self._left[identity]:
            del self._left[identity]

    # erased names

    def _by_erased(self) -> None:
        for identity in list(self._left):
            if identity.scope and identity.kind == "session":
                self._by_erased_seats(identity)
                continue
            if not any(map(self._is_late, identity.seats or (identity.low, identity.high))):
                continue
            for recorded in self._nameless(identity):
                if identity not in self._left:
                    break
                if self._matching.free(recorded.position) and self._may_be(identity, recorded):
                    self._offer_erased(identity, recorded)

    def _by_erased_seats(self, identity: Identity) -> None:
        """Matches sessions that have a name with recorded sessions that differ only in erased names of players."""
        for recorded in self._spare.pop(identity, []):
            if identity in self._left:
                self._offer_erased(identity, recorded)
            else:
                self._spare[identity].append(recorded)

    def _nameless(self, identity: Identity) -> Iterator[Row]:
        """Yields recorded events of the same pool and time, or document, with an erased name, oldest first."""
        start = self._matching.uids.start(identity)
        rows = list(self._log.rows_between(start, start[:-1] + "."))
        if self._matching.given is not None and not identity.scope:
            rows += self._matching.given.at_time(identity)
        erased = self._log.book.erased
        return (row for row in sorted(rows) if not erased.isdisjoint(players_of_row(row)))

    def _is_late(self, number: int, position: int = 0) -> bool:
        """True if a player's name came into the log only after an event was recorded, or is not in it."""
        if number == 0:  # the missing second player of a seed
            return False
        return not 0 < number <= self._known or position == 0 or self._log.book.name(number).batch > position

    def _may_be(self, identity: Identity, recorded: Row) -> bool:
        """True if the players of a row may be those of an event with an erased side."""
        if identity.seats:
            return self._may_sit(identity.seats, recorded)
        one, other = recorded.a or 0, recorded.b or 0
        return any(
            self._fits(one, a, recorded.position) and self._fits(other, b, recorded.position)
            for a, b in ((identity.low, identity.high), (identity.high, identity.low))
        )

    def _may_sit(self, given: tuple[int, ...], recorded: Row) -> bool:
        """True if the players of a session may be those of one with erased names."""
        seats = set(players_of_row(recorded))
        there, strangers = seats - self._log.book.erased, [one for one in given if one not in seats]
        late = all(self._is_late(number, recorded.position) for number in strangers)
        return late and there <= set(given) and len(given) == len(seats)

    def _fits(self, recorded: int, given: int, position: int) -> bool:
        return recorded == given or (recorded in self._log.book.erased and self._is_late(given, position))

    def _offer_erased(self, identity: Identity, recorded: Row) -> None:
        book = self._log.book
        readings = self._matching.readings(recorded)
        for number in self._left[identity]:
            row = self._rows[number][1]
            if self._may_be_one(number, recorded) and not all(differs(reading, row, book) for reading in readings):
                self._pair(number, identity, recorded)
                return
        self._spare[identity].append(recorded)

    # the rest

    def _contradicted(self) -> None:
        """Pairs the remaining rows without an id with remaining events that they contradict; further rows are new."""
        amend = self._last and self._matching.amend
        for identity in [one for one in self._left if amend and self._spare.get(one)]:
            self._by_place(identity)
        left = ((number, identity) for identity, numbers in self._left.items() for number in numbers)
        spare = {identity: iter(some) for identity, some in self._spare.items()}
        for number, identity in sorted(left):
            if not is_nameless(self._rows[number][0].uid):
                continue
            free = (row for row in spare.get(identity, ()) if self._matching.free(row.position))
            if (recorded := next(free, None)) is not None:
                row = self._rows[number][1]
                differing = differs(recorded, row, self._log.book) or "content"
                same = self._last and identity.scope and self._matching.is_retimed(recorded, row)
                self._outcome[number] = Recorded(recorded, "" if same else differing)

    def _by_place(self, identity: Identity) -> None:
        """Matches the rows of an identity with its events in order: some are corrected, and the order counts."""
        paired, left = sorted(self._paired.get(identity, ())), sorted(self._left[identity])
        spare = [row for row in self._spare[identity] if self._matching.free(row.position)]
        there = {number: self._outcome[number].row for number in paired} | dict(zip(left, spare, strict=False))
        numbers = sorted([*paired, *left])
        if not paired or len(left) < len(spare) or any(self._is_named(number, there.get(number)) for number in numbers):
            return
        for number in paired:
            self._matching.release(self._outcome.pop(number).row.position)
        self._left[identity] = dict.fromkeys(numbers)
        spare = self._spare[identity] = sorted(there.values())
        for number, recorded in zip(numbers, spare, strict=False):
            content = compared_fields(self._rows[number][1])
            if content in map(compared_fields, self._matching.readings(recorded)):
                self._match(number, identity, recorded)

    def _is_named(self, number: int, recorded: Row | None) -> bool:
        named = not is_nameless(self._rows[number][0].uid)
        return named or (recorded is not None and is_given(recorded.uid))
