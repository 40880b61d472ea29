"""Finds the recorded events that the rows of one file may mean, and tracks which of them have been matched."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from functools import cached_property
from operator import itemgetter

from ratingcore.events import Row
from ratingcore.events.corrections import Corrections
from ratingcore.events.rows import players_of_row
from ratingcore.importer.last_issues import IN_ORDER, LastIssues
from ratingcore.importer.recorded_games import GivenIds
from ratingcore.importer.taken_back import TakenBack
from ratingcore.log.append import uids_of
from ratingcore.log.chain import Receipt
from ratingcore.log.contract import Log
from ratingcore.log.derived_uids import Identity
from ratingcore.log.duplicates import differs
from ratingcore.log.lookup import corrections_of


class RecordedEvents:
    """The events of a log that the rows of one file may mean.

    Each event is matched with at most one row. Events recorded from this file, and events taken back with their file,
    are not matched.

    Parameters
    ----------
    log : Log
    by : str
        Actor of the file's corrections.
    imported_before : bool
        Whether the file was imported before; its rows may have had ids then.
    either_time : bool
        Whether the log may have a game's start and the file its end, or the reverse: games that differ only in their
        time are then the same.

    Attributes
    ----------
    uids : Uids
    issues : LastIssues
        The events as files gave them, and what was corrected by hand.
    given : GivenIds or None
        Finds events recorded with ids from their file; None if the file was not imported before.
    matched : set of int
        Positions of the events that rows have been matched with.
    gone : dict of Identity to dict of int to Row
        Events taken back with their file that rows without ids may mean, by identity and position.
    """

    def __init__(self, log: Log, by: str, *, imported_before: bool, either_time: bool) -> None:
        self.log, self.uids, self._either_time = log, uids_of(log), either_time
        self.issues = LastIssues(log, by)
        self.given = GivenIds(log) if imported_before else None
        self.matched = set[int]()
        self.gone: dict[Identity, dict[int, Row]] = defaultdict(dict)
        self._own = list[tuple[int, int]]()
        """First and last positions of the events that the file brought, in order."""
        self._read = dict[Identity, tuple[int, list[Row]]]()
        """By identity with several events, the next ordinal to look up, and the free events before it."""
        self._corrections = Corrections()

    @property
    def taken_back(self) -> TakenBack:
        """The events that had been taken back with their file when the import began."""
        return self.issues.taken_back

    @cached_property
    def void(self) -> frozenset[int]:
        """Positions of the events that were void when this was first read."""
        return corrections_of(self.log).void

    def reread(self) -> None:
        """Reads the corrections recorded since the last batch."""
        self._corrections = corrections_of(self.log)

    def appended(self, receipt: Receipt) -> None:
        """Notes that the file brought the events of a receipt."""
        if receipt.accepted:
            self._own.append((receipt.positions[0], receipt.positions[-1]))

    def is_free(self, position: int) -> bool:
        """True if the event at a position may still be matched with a row of the file."""
        return not (position in self.matched or position in self.taken_back.voids or self.is_own(position))

    def is_own(self, position: int) -> bool:
        """True if the file brought the event at a position."""
        place = bisect_right(self._own, position, key=itemgetter(0)) - 1
        return place >= 0 and position <= self._own[place][1]

    def is_corrected(self, position: int) -> bool:
        """True if the event at a position counts with other content than it was recorded with."""
        return position in self._corrections.changes

    def readings(self, recorded: Row) -> list[Row]:
        """Returns an event as recorded and as corrected; a void event also with all its amendments applied."""
        now, at = self._corrections, recorded.position
        if at not in now.void:
            read = now.read(recorded) if at in now.changes else None
            if read is None or read.order == recorded.order:
                return [recorded] if read is None else [recorded, read]
            why = self.log.book.find("note", IN_ORDER)
            given = [row for row in self.issues.about([recorded]) if row.kind == "void" or row.facts.get("why") != why]
            return [recorded, Corrections.of(given).read(recorded) or recorded, read]
        amendments = [row for row in self.issues.about([recorded]) if row.kind == "amend" and row.ref == at]
        ever = (amendments, [row for row in amendments if row.position not in now.void])
        return [recorded, *filter(None, (Corrections.of(some).read(recorded) for some in ever))]

    def is_retimed(self, recorded: Row, row: Row) -> bool:
        """True if a row differs from an event only in its time, and may do so."""
        timed = recorded._replace(played=row.played, order=row.order)
        return self._either_time and not differs(timed, row, self.log.book)

    def of(self, left: Mapping[Identity, Sized], turns: dict[Identity, int]) -> Iterator[tuple[Identity, Row]]:
        """Yields the free events of identities, those with derived uids first.

        Derived uids are looked up ordinal by ordinal, until one is missing or no row of their identity is left.

        Parameters
        ----------
        left : mapping of Identity to collection
            The rows of each identity without an event; the caller removes rows as it matches them.
        turns : dict of Identity to int
            The number of events looked up for each identity that has any is added to it.
        """
        for identity, row in self._every(left, turns):
            if self.is_free(row.position):
                yield identity, row
            elif row.position in self.taken_back.voids:
                self.gone[identity][row.position] = row

    def _every(self, left: Mapping[Identity, Sized], turns: dict[Identity, int]) -> Iterator[tuple[Identity, Row]]:
        ordinals, rows = dict[Identity, int](), defaultdict[Identity, list[Row]](list)
        for identity in list(left):
            ordinals[identity], earlier = self._read.get(identity, (0, []))
            rows[identity] += earlier
            for row in earlier:
                yield identity, row
        for identity, row in self._by_ordinal(ordinals, lambda one: len(left.get(one, ()))):
            rows[identity].append(row)
            yield identity, row
        for identity, ordinal in ordinals.items():
            free = [row for row in rows[identity] if self.is_free(row.position)]
            if ordinal:
                turns[identity] = ordinal
            if ordinal > 1 or free:
                self._read[identity] = ordinal, free
        if self.given is not None:
            yield from self.given.alike(one for one in left if not one.scope)

    def _by_ordinal(
        self, ordinals: dict[Identity, int], wanted: Callable[[Identity], int]
    ) -> Iterator[tuple[Identity, Row]]:
        """Yields the events with derived uids of some identities.

        Parameters
        ----------
        ordinals : dict of Identity to int
            The first ordinal to look up; afterwards the next one.
        wanted : callable
            Returns the number of events of an identity to look up next.
        """
        remaining = [identity for identity in ordinals if wanted(identity)]
        while remaining:
            uids = {one: [self.uids.uid(one, ordinals[one] + n) for n in range(wanted(one))] for one in remaining}
            there = self.log.find([uid for some in uids.values() for uid in some])
            for identity, some in uids.items():
                for uid in some:
                    if uid not in there:
                        break
                    ordinals[identity] += 1
                    yield identity, there[uid]
            remaining = [identity for identity, some in uids.items() if some[-1] in there and wanted(identity)]

    def release(self, identities: Iterable[Identity]) -> list[Row]:
        """Makes the matched events of identities free again, and returns them."""
        ordinals = dict.fromkeys(identities, 0)
        rows = [row for _, row in self._by_ordinal(ordinals, lambda identity: max(ordinals[identity], 1))]
        rows += [row for _, row in self.given.alike(ordinals)] if self.given is not None else []
        released = [row for row in rows if row.position in self.matched]
        self.matched.difference_update(row.position for row in released)
        for identity in ordinals:
            self._read.pop(identity, None)
        return released

    # erased names

    def with_erased_name(self, identity: Identity) -> Iterator[Row]:
        """Yields the free events with an erased name that the rows of an identity may mean, oldest first."""
        start = self.uids.start(identity)
        rows = list(self.log.rows_between(start, start[:-1] + "."))
        if self.given is not None and not identity.scope:
            rows += self.given.at_time(identity)
        erased = self.log.book.erased
        for row in sorted(rows):
            nameless = row.kind == identity.kind and not erased.isdisjoint(players_of_row(row))
            if nameless and self.is_free(row.position) and self._may_be(identity, row):
                yield row

    def _may_be(self, identity: Identity, recorded: Row) -> bool:
        """True if the players of a row may be those of an event: only players named later may have an erased name."""
        there, book = set(players_of_row(recorded)), self.log.book
        players = {player for player in identity.seats or (identity.low, identity.high) if player}
        return (
            len(players) == len(there)
            and there - book.erased <= players
            and all(one > book.count or book.name(one).batch > recorded.position for one in players - there)
        )
