"""Matches the rows of one file, where they have no ids, with the events that the log has recorded."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from ratingcore.events import Event, GamePlayed, RatingSeeded, Row, SessionPlayed
from ratingcore.events.corrections import Corrections
from ratingcore.importer.recorded_games import GivenIds
from ratingcore.importer.taken_back import TakenBack
from ratingcore.log.contract import Log
from ratingcore.log.derived_uids import (
    PREFIXES,
    Identity,
    Recorded,
    Uids,
    seats_of,
)
from ratingcore.log.duplicates import compared_fields, differs

Rows = Sequence[tuple[Event, Row]]

FRESH = 6
"""New events of a batch that are kept: one more than are named."""


class Matching:
    """Matches the rows of one file with what the log has: by their identities, then by content.

    Rows and recorded events of one identity are paired in two steps. First, each row is paired with a recorded event
    of equal content. Then each remaining row contradicts a remaining event, and rows beyond those are new. An event
    that this matching has appended itself is not matched with another row of the file.

    A player whose name was erased may be anyone whose name was recorded later: such a row is matched with the event,
    so that importing the file again does not bring the name back.

    Parameters
    ----------
    log : Log
    again : bool
        Whether the file was imported before: its rows may have had ids of their own then.
    either_time : bool
        Whether a game may be recorded by its start and come by its end, or the other way: it is the same if nothing
        but its time differs.

    Attributes
    ----------
    returning : set of str
        Names in the file at places where the log has an erased name.
    voided : list of int
        Positions of matched events that were void when the first row came.
    had_no_ids : bool
        Whether rows with ids were matched with events that were recorded without.
    retimed : int
        How many matched events have another time than their row.
    fresh : list of Event
        The first events of the last batch that the log does not have.
    """

    def __init__(self, log: Log, again: bool = False, either_time: bool = False) -> None:
        self._either_time = either_time
        self.retimed = 0
        self.fresh: list[Event] = []
        self.given = GivenIds(log) if again else None
        """The events whose ids their file gave them, if it may have."""
        self.uids = Uids(log.key)
        self.returning: set[str] = set()
        self.voided: list[int] = []
        self.had_no_ids = False
        self._log = log
        self._first: list[int] = []
        self._last: list[int] = []
        self._matched: set[int] = set()
        self._corrected: tuple[int, Corrections] | None = None
        """The corrections of the log up to a position."""
        self.looked_up: dict[Identity, tuple[int, list[Row]]] = {}
        """By identity with many events: the next ordinal to look up, and the events that are not matched yet."""

    @cached_property
    def doubtful(self) -> bool:
        return _has_derived(self._log)

    @cached_property
    def taken_back(self) -> TakenBack:
        """What was taken back as a whole before the first row: it is matched with no row."""
        return TakenBack.of(self._log)

    @cached_property
    def _void(self) -> frozenset[int]:
        """What counted as never recorded when this was first asked: it only serves to warn."""
        return self._log.corrections().void

    def sort_named(self, rows: Rows, known: int) -> list[Recorded | None]:
        places = [place for place, (event, _) in enumerate(rows) if event.kind in PREFIXES]
        found: list[Recorded | None] = [None] * len(rows)
        if places:
            for place, one in zip(places, self.sort([rows[place] for place in places], {}, known), strict=True):
                found[place] = None if one is None or one.differs else one
        self.had_no_ids |= any(found)
        return found

    @property
    def careful(self) -> bool:
        return bool(self._log.book.erased) or self.given is not None

    def wrote(self, first: int, last: int) -> None:
        self._first.append(first)
        self._last.append(last)

    def reserve(self, positions: Iterable[int]) -> None:
        """Excludes events from the matching, because their rows are known already."""
        self._matched.update(positions)

    def recognised(self, event: Event, row: Row, recorded: Row) -> None:
        if recorded.position in self._void:
            self.voided.append(recorded.position)
        if recorded[2:] != row[2:]:
            self._returning(event, row, recorded)

    def reads_as(self, recorded: Row, row: Row) -> bool:
        head = self._log.head.position
        if self._corrected is None or self._corrected[0] != head:
            self._corrected = head, self._log.corrections()
        corrections = self._corrected[1]
        now = corrections.read(recorded) if recorded.position in corrections.changes else recorded
        if now is None:
            return False
        return not differs(now, row, self._log.book) or self.is_retimed(now, row)

    def is_retimed(self, recorded: Row, row: Row) -> bool:
        """Whether a row differs from an event in its time alone, and may do so."""
        timed = recorded._replace(played=row.played, order=row.order)
        if not self._either_time or differs(timed, row, self._log.book):
            return False
        self.retimed += 1
        return True

    def sort(self, rows: Rows, turns: dict[str, int], known: int) -> list[Recorded | None]:
        found = _Sorting(self, rows, turns, known).run()
        self.fresh = list(islice((event for (event, _), one in zip(rows, found, strict=True) if one is None), FRESH))
        return found

    # what sorting asks

    @property
    def log(self) -> Log:
        return self._log

    def free(self, position: int) -> bool:
        """Whether the event at a position may be matched with a row of the file, and has not been yet."""
        if position in self._matched or position in self.taken_back.voids:
            return False
        place = bisect_right(self._first, position) - 1
        return place < 0 or position > self._last[place]

    def take(self, event: Event, row: Row, recorded: Row) -> None:
        """Notes that a row was matched with a recorded event."""
        self._matched.add(recorded.position)
        if recorded.position in self._void:
            self.voided.append(recorded.position)
        self._returning(event, row, recorded)

    def _returning(self, event: Event, row: Row, recorded: Row) -> None:
        book = self._log.book
        if not book.erased or not isinstance(event, GamePlayed | RatingSeeded | SessionPlayed):
            return
        recorded_players = set(seats_of(recorded))
        if any(player in book.erased for player in recorded_players):
            self.returning |= {
                name
                for name, number in zip(_names(event), seats_of(row), strict=True)
                if number not in recorded_players
            }


class _Sorting:
    """One run over the rows of a batch."""

    def __init__(self, matching: Matching, rows: Rows, turns: dict[str, int], known: int) -> None:
        self._matching = matching
        self._log = matching.log
        self._rows = rows
        self._turns = turns
        self._known = known
        self._outcome: list[Recorded | None] = [None] * len(rows)
        self._left: dict[Identity, dict[int, None]] = {}
        """By identity, the rows that are not matched yet, in the order of the file."""
        self._saying: dict[tuple[object, ...], list[int]] = {}
        """By identity and content, the same rows, the first one last."""
        self._spare: dict[Identity, list[Row]] = defaultdict(list)
        """By identity, the recorded events that are not matched yet."""

    def run(self) -> list[Recorded | None]:
        for number in range(len(self._rows) - 1, -1, -1):
            row = self._rows[number][1]
            self._saying.setdefault((Identity.of(row), compared_fields(row)), []).append(number)
        for number, (_, row) in enumerate(self._rows):
            self._left.setdefault(Identity.of(row), {})[number] = None
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
        uid_of, looked_up = self._matching.uids.uid, self._matching.looked_up
        next_turn = {}
        for identity in list(self._left):
            next_turn[identity], spare = looked_up.get(identity, (0, []))
            for recorded in spare:
                self._offer(identity, recorded)
        asked = [identity for identity in next_turn if identity in self._left]
        while asked:
            uids = {
                identity: [uid_of(identity, next_turn[identity] + n) for n in range(len(self._left[identity]))]
                for identity in asked
            }
            there = self._log.find([uid for some in uids.values() for uid in some])
            for identity, some in uids.items():
                for uid in some:
                    if uid not in there:
                        break
                    next_turn[identity] += 1
                    self._offer(identity, there[uid])
            asked = [identity for identity, some in uids.items() if some[-1] in there and identity in self._left]
        for identity, turn in next_turn.items():
            if turn:
                self._turns[uid_of(identity, 0)] = turn
            if turn > 1 or identity in self._spare:
                looked_up[identity] = turn, list(self._spare[identity])

    def _offer(self, identity: Identity, recorded: Row) -> None:
        """Matches a recorded event with a row that equals it, as recorded or as corrected.

        The other side of a game may report it too: of two equal rows that of the same side is taken.
        """
        if not self._matching.free(recorded.position):
            return
        readings = [recorded]
        if recorded.position in self._corrections.changes:
            now = self._corrections.read(recorded)
            readings += [now] if now is not None else []
        for reading in readings:
            saying = self._saying.get((identity, compared_fields(reading)))
            if saying:
                exact = (number for number in reversed(saying) if self._rows[number][1].a == reading.a)
                self._stands(next(exact, saying[-1]), identity, recorded)
                return
        self._spare[identity].append(recorded)

    def _stands(self, number: int, identity: Identity, recorded: Row) -> None:
        event, row = self._rows[number]
        self._matching.take(event, row, recorded)
        self._outcome[number] = Recorded(recorded)
        self._saying[identity, compared_fields(row)].remove(number)
        del self._left[identity][number]
        if not self._left[identity]:
            del self._left[identity]

    @cached_property
    def _corrections(self) -> Corrections:
        return self._log.corrections()

    # names that were erased

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
        """Matches sessions that have a name of their own with recorded ones that differ in erased names only."""
        for recorded in self._spare.pop(identity, []):
            if identity in self._left:
                self._offer_erased(identity, recorded)
            else:
                self._spare[identity].append(recorded)

    def _nameless(self, identity: Identity) -> Iterator[Row]:
        """Recorded events of the same pool and time, or document, with a side whose name was erased, oldest first."""
        start = self._matching.uids.start(identity)
        rows = list(self._log.rows_between(start, start[:-1] + "."))
        if self._matching.given is not None and not identity.scope:
            rows += self._matching.given.at_time(identity)
        erased = self._log.book.erased
        return (row for row in sorted(rows) if not erased.isdisjoint(seats_of(row)))

    def _is_late(self, number: int, position: int = 0) -> bool:
        """Whether the log learnt a name after an event was recorded, or does not know it yet."""
        if number == 0:  # the missing second player of a seed
            return False
        return not 0 < number <= self._known or position == 0 or self._log.book.name(number).batch > position

    def _may_be(self, identity: Identity, recorded: Row) -> bool:
        """Whether the players of a row may be those of an event that has an erased side."""
        if identity.seats:
            return self._may_sit(identity.seats, recorded)
        one, other = recorded.a or 0, recorded.b or 0
        return any(
            self._fits(one, a, recorded.position) and self._fits(other, b, recorded.position)
            for a, b in ((identity.low, identity.high), (identity.high, identity.low))
        )

    def _may_sit(self, given: tuple[int, ...], recorded: Row) -> bool:
        """Whether the players of a session may be those of one with erased names."""
        seats = set(seats_of(recorded))
        there, strangers = seats - self._log.book.erased, [one for one in given if one not in seats]
        late = all(self._is_late(number, recorded.position) for number in strangers)
        return late and there <= set(given) and len(given) == len(seats)

    def _fits(self, recorded: int, given: int, position: int) -> bool:
        return recorded == given or (recorded in self._log.book.erased and self._is_late(given, position))

    def _offer_erased(self, identity: Identity, recorded: Row) -> None:
        book = self._log.book
        now = self._corrections.read(recorded) if recorded.position in self._corrections.changes else None
        for number in self._left[identity]:
            row = self._rows[number][1]
            if not differs(recorded, row, book) or (now is not None and not differs(now, row, book)):
                self._stands(number, identity, recorded)
                return
        self._spare[identity].append(recorded)

    # what is left

    def _contradicted(self) -> None:
        """Each row that is left contradicts a recorded event that is left; rows beyond those are new."""
        claimed: set[int] = set()
        for identity, number in sorted(_pairs(self._left), key=lambda pair: pair[1]):
            spare = (row for row in self._spare.get(identity, ()) if self._matching.free(row.position))
            recorded = next((row for row in spare if row.position not in claimed), None)
            if recorded is not None:
                claimed.add(recorded.position)
                row = self._rows[number][1]
                differing = differs(recorded, row, self._log.book) or "content"
                same = identity.scope and self._matching.is_retimed(recorded, row)
                self._outcome[number] = Recorded(recorded, "" if same else differing)


def _has_derived(log: Log) -> bool:
    """Whether a log has games or sessions without ids of their own."""
    starts = (PREFIXES["game"], PREFIXES["session"])
    return any(True for start in starts for _ in log.rows_between(start, start[:-1] + "."))


def _names(event: GamePlayed | RatingSeeded | SessionPlayed) -> tuple[str, ...]:
    if isinstance(event, SessionPlayed):
        return tuple(name for side in event.sides for name in side.players)
    return (event.a, event.b) if isinstance(event, GamePlayed) else (event.player,)


def _pairs(left: dict[Identity, dict[int, None]]) -> Iterable[tuple[Identity, int]]:
    return ((identity, number) for identity, numbers in left.items() for number in numbers)
