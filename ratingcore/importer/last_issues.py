"""The results of a file as its last version gave them, and the corrections by hand that were made since."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from attrs import field, frozen

from ratingcore.events import Event, Instant, ResultAmended, ResultVoided, Row, instant
from ratingcore.events.corrections import Corrections
from ratingcore.importer.differences import changes_of, differing_fields, fields_of, same_field
from ratingcore.importer.taken_back import TakenBack
from ratingcore.log import Log
from ratingcore.log.chain import Batch
from ratingcore.log.lookup import decoder_of

IN_ORDER = "in the order of the file"
"""Reason of the corrections that put restored results of one day into the order of the file."""
ISSUED = " issued "
"""Text before a document's date of issue in the source of a batch."""


class ByHand(NamedTuple):
    """A correction by hand, that is, one that did not come from the result's file: its position, reason and actor."""

    position: int
    why: str
    by: str


class Revision(NamedTuple):
    """Corrections that bring a result up to date with the new version of its file.

    Attributes
    ----------
    row : Row
        The result as first recorded.
    events : list of Event
        The corrections to record.
    changes : dict
        The amended fields, with their new values.
    replaced : dict of str to int
        Fields whose correction by hand is replaced by the file's value, with the position of that correction.
    upheld : dict of str to int
        Fields whose correction by hand holds, although the file's value differs, with the position of that correction.
    """

    row: Row
    events: list[Event]
    changes: dict[str, Any]
    replaced: dict[str, int]
    upheld: dict[str, int]


@frozen
class GivenResult:
    """A result that came from a file.

    Attributes
    ----------
    row : Row
        The result as first recorded.
    event : Event
        The result as the file last gave it.
    now : Event or None
        The result after all corrections except `voids`; None if it was voided by hand.
    voids : tuple of str
        Uids of the voids that took it back with its file: a later version did not have it, or the whole import was
        taken back.
    by_hand : mapping of str to ByHand
        Fields whose last correction is one by hand, with that correction.
    """

    row: Row
    event: Event
    now: Event | None
    voids: tuple[str, ...] = ()
    by_hand: Mapping[str, ByHand] = field(factory=dict)

    @property
    def gone(self) -> bool:
        """True if the last version of the file did not have it, or if the whole import was taken back."""
        return bool(self.voids)

    def revised(self, given: Event, why: str, by: str) -> Revision:
        """Returns the corrections that make the result agree with its file, whose new version has `given`.

        A field corrected by hand stays as corrected if the file has the same value as before, and the players are on
        the same sides.
        """
        stays, replaced = self._by_hand(given)
        now, wanted = fields_of(self.event if self.now is None else self.now), fields_of(given)
        changes = changes_of(now, wanted, stays)
        upheld = {name: stays[name].position for name in differing_fields(now, wanted) if name in stays}
        events: list[Event] = [ResultVoided(of=void, why=why, by=by) for void in self.voids]
        if changes:
            events.append(ResultAmended(of=self.row.uid, changes=changes, why=why, by=by))
        return Revision(self.row, events, changes, replaced, upheld)

    def repeated_for(self, given: Event) -> Revision:
        """Repeats the corrections by hand of the result for an event that replaces it.

        A correction is repeated if the file has the same value as before, and the players are on the same sides.
        """
        stays, replaced = self._by_hand(given)
        events, every = list[Event](), dict[str, Any]()
        now = fields_of(self.event if self.now is None else self.now)
        for one in sorted({*stays.values()}):
            upheld = {name: now.get(name) for name, other in stays.items() if other == one}
            if changes := {
                name: upheld[name] for name in differing_fields(fields_of(given), fields_of(given) | upheld)
            }:
                events.append(ResultAmended(of=given.uid, changes=changes, why=one.why, by=one.by))
            every |= changes
        return Revision(self.row, events, every, replaced, {name: stays[name].position for name in every})

    def _by_hand(self, given: Event) -> tuple[dict[str, ByHand], dict[str, int]]:
        """Returns the corrections by hand that still hold for `given`, and the positions of those that do not."""
        if not self.by_hand or self.now is None:
            return {}, {}
        now, wanted = fields_of(self.now), fields_of(given)
        differing = {*differing_fields(fields_of(self.event), wanted)}
        if differing & _SEATS:
            differing |= _SEATS  # one seat alone could pair a player with themselves
        gave = fields_of(self.event)
        if "a" in gave and (gave["a"], gave["b"]) == (wanted.get("b"), wanted.get("a")):
            # such a correction is about one side, and the file has exchanged the sides
            differing |= {name for name in self.by_hand if name in ("score", "home") or name.endswith(("_a", "_b"))}
        stays = {name: one for name, one in self.by_hand.items() if name not in differing}
        replaced = {
            name: one.position
            for name, one in self.by_hand.items()
            if name not in stays and not same_field(name, now.get(name), wanted.get(name))
        }
        return stays, replaced


_SEATS = {"a", "b"}


class CorrectionsRead:
    """The amendments and voids of a log; each is read only once."""

    def __init__(self, log: Log) -> None:
        self._log, self._seen = log, 0
        self._of: dict[int, list[Row]] = {}

    def about(self, rows: Iterable[Row]) -> list[Row]:
        """Returns the corrections of rows, and the corrections of these corrections, in order of position."""
        head = self._log.head.position
        for row in self._log.rows(self._seen, head, ("amend", "void")) if head > self._seen else ():
            if row.ref is not None:
                self._of.setdefault(row.ref, []).append(row)
        self._seen = head
        found: list[Row] = []
        places = [row.position for row in rows]
        while places:
            corrections = self._of.get(places.pop(), ())
            found += corrections
            places += [one.position for one in corrections]
        return sorted(found, key=lambda row: row.position)


class LastIssues:
    """The last imported versions of the documents of one reader.

    Parameters
    ----------
    log : Log
    by : str
        Actor of the corrections that the reader records, such as `reader trf`. They tell a later version of the file
        from corrections by hand.
    """

    def __init__(self, log: Log, by: str) -> None:
        self._log, self.by = log, by
        self._corrections = CorrectionsRead(log)
        self._read: dict[int, Batch] = {}
        """Batches read so far, by a position in them: they do not change."""

    def about(self, rows: Iterable[Row]) -> list[Row]:
        """Returns the corrections of rows, as `CorrectionsRead.about` does."""
        return self._corrections.about(rows)

    def of(self, rows: Sequence[Row]) -> Iterator[GivenResult]:
        """Yields the results of rows, each as the document last gave it."""
        if not rows:
            return  # for a new document the log need not be read
        every = self._corrections.about(rows)
        own = self._own(every, self.taken_back.uids)
        given, results = Corrections.of(own), {row.position for row in rows}
        voids = defaultdict[int, list[Row]](list)
        for row in own:
            if row.kind == "void" and row.position not in given.void and row.ref in results:
                voids[row.ref].append(row)
        not_held = {row.uid for some in voids.values() for row in some} | self._repeated(every)
        held = [row for row in every if row.uid not in not_held]
        now, by_hand = Corrections.of(held), self._by_hand(held)
        before = Corrections.of(row for row in own if row.kind == "amend")
        event = decoder_of(self._log)
        for row in rows:
            # a result that was taken back reads as before that
            amended = (before if row.position in given.void else given).read(row) or row
            reads, last = now.read(row), event(amended)
            read = None if reads is None else last if reads is amended else event(reads)
            uids = tuple(void.uid for void in voids.get(row.position, ()))
            yield GivenResult(row, last, read, uids, by_hand.get(row.position, {}))

    @cached_property
    def taken_back(self) -> TakenBack:
        """The events that were taken back with their whole import, as of the first result that is looked up."""
        return TakenBack.of(self._log)

    def _by_hand(self, corrections: Sequence[Row]) -> dict[int, dict[str, ByHand]]:
        """Returns the corrections by hand that are in force, by position of the result and by field."""
        own = {row.position for row in self._own(corrections, self.taken_back.uids)}
        void, amendments = Corrections.of(corrections).void, dict[int, Row]()
        event, found = decoder_of(self._log), defaultdict[int, dict[str, ByHand]](dict)
        for row in corrections:
            amended = row if row.kind == "amend" else amendments.get(row.ref or 0)
            if amended is row:
                amendments[row.position] = row
            if row.position in void or amended is None or amended.ref is None:
                continue
            for name in amended.facts["set"]:
                if row.position in own:
                    found[amended.ref].pop(name, None)
                else:
                    correction: Any = event(row)
                    found[amended.ref][name] = ByHand(row.position, correction.why, correction.by)
        return found

    def _repeated(self, corrections: Sequence[Row]) -> set[str]:
        """Returns uids of voids of amendments by hand that an import had repeated, and that were taken back with it."""
        own, back = {row.position for row in self._own(corrections)}, self.taken_back.voids
        amendments = [row for row in corrections if row.kind == "amend" and row.position in back]
        return {
            void.uid
            for row in amendments
            if row.position not in own and row.ref is not None and self._batch(row.ref).last >= row.position
            for void in back[row.position]
        }

    def issued(self, results: Sequence[GivenResult]) -> Instant | None:
        """Returns the date of issue of the last imported version; None if it had none."""
        sources = (batch.source for batch in self.batches(results))
        texts = ["" if source is None else self._log.book.key(source) for source in sources]
        times = [instant(text.rpartition(ISSUED)[2]) for text in texts if ISSUED in text]
        return max(times, default=None)

    def versions(self, results: Sequence[GivenResult]) -> Iterator[list[Event]]:
        """Yields the results of each imported version, the newest first."""
        rows, event = [one.row for one in results], decoder_of(self._log)
        own = self._own(self._corrections.about(rows))
        for batch in reversed(self.batches(results)):
            then = Corrections.of(one for one in own if one.position <= batch.last)
            read = (then.read(row) for row in rows if row.position <= batch.last)
            yield [event(one) for one in read if one is not None]

    def batches(self, results: Sequence[GivenResult]) -> list[Batch]:
        """The batches of a document, oldest first."""
        rows = [one.row for one in results]
        there = {row.position for row in (*rows, *self._own(self._corrections.about(rows)))}
        batches: list[Batch] = []
        for position in sorted(there):
            if not batches or position > batches[-1].last:
                batches.append(self._batch(position))
        return batches

    def _batch(self, position: int) -> Batch:
        if position not in self._read:
            self._read[position] = next(self._log.batches(position - 1))
        return self._read[position]

    def _own(self, rows: Iterable[Row], whole: Collection[str] = ()) -> list[Row]:
        """Returns the corrections by the reader, and the voids that took back its document as a whole."""
        note = self._log.book.find("note", self.by)
        return [row for row in rows if row.uid in whole or (note is not None and row.facts.get("by") == note)]
