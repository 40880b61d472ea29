"""Predicts what appending the rows of a file would do, without writing."""

from collections.abc import Iterable

from ratingcore.errors import Conflict, ContentChanged
from ratingcore.events import Event, Row, encode
from ratingcore.events.kinds import players_of
from ratingcore.events.stand_ins import is_nameless
from ratingcore.importer.contradictions import Contradiction, Contradictions, Numbered, recorded_of
from ratingcore.importer.report import ImportReport
from ratingcore.log import Log, Matching
from ratingcore.log.identity import Recorded
from ratingcore.log.matching import differs

SHOWN = 20
"""Rows that would be accepted whose lines are kept."""


class _Contents:
    """Encodes events as the log would, giving names it does not have negative ids instead of adding them."""

    def __init__(self, log: Log) -> None:
        self._log, self.book = log, log.names_book
        self._strangers: dict[tuple[str, str], int] = {}
        self._absent: set[str] = set()
        """Players whom the log does not have."""

    def expect(self, events: Iterable[Event]) -> None:
        """Looks up at once the players of events."""
        self._absent = self.book.expect("player", (name for event in events for name in players_of(event)))

    def of(self, event: Event) -> Row:
        """Returns the row of an event, without a position."""
        return Row._make((0, event.uid, event.kind, *encode(event, self)))

    def _id(self, kind: str, key: str) -> int:
        stranger = self._strangers.get((kind, key))
        find = self.book.labelled if kind == "player" and key in self._absent else self.book.find
        number = find(kind, key) if stranger is None else stranger
        return self._strangers.setdefault((kind, key), -1 - len(self._strangers)) if number is None else number

    def pool(self, key: str) -> int:
        return self._id("pool", key)

    def player(self, key: str) -> int:
        return self._id("player", key)

    def note(self, text: str) -> int:
        return self._id("note", text)

    def called(self, text: str) -> list[int]:
        return [self._id("called", text)]

    def labelled(self, label: str) -> int | None:
        return self.book.labelled("player", label)

    def target(self, uid: str) -> Row:
        return self._log.row_of(uid)

    def key(self, number: int) -> str:
        return self.book.key(number)


class Rehearsal:
    """Predicts what appending would do, without writing."""

    def __init__(self, log: Log, contradictions: Contradictions, matching: Matching | None = None) -> None:
        self.matching = matching or Matching(log)
        self._contradictions = contradictions
        self.named: set[str] = set()
        """Names in events that would be accepted, if the log has erased names."""
        self.accepted: list[int] = []
        """Lines of the first rows that would be accepted."""
        self._log = log
        self._head = log.head.position
        self._contents = _Contents(log)
        self._new: dict[str, tuple[int, Event]] = {}
        """By uid, the events that are not in the log, with the positions they would get; their rows are made anew."""

    def take(self, numbered: Numbered, report: ImportReport) -> list[Contradiction]:
        self._contents.expect(event for _, event in numbered)
        rows = [(event, self._contents.of(event)) for _, event in numbered]
        nameless = [(event, row) for event, row in rows if is_nameless(event.uid)]
        sorted_out = iter(self.matching.sort(nameless, {}, self._contents.book.count))
        there = self._log.find([event.uid for event, _ in rows])
        without_id = self._without_id([one for one in rows if not is_nameless(one[0].uid) and one[0].uid not in there])
        conflicts: list[Conflict] = []
        for number, (event, row) in enumerate(rows):
            position = self._head + report.accepted + 1
            if is_nameless(event.uid):
                found = next(sorted_out)
            elif event.uid in without_id:
                found = without_id[event.uid]
            else:
                recorded = there.get(event.uid) or self._said(event.uid)
                found = recorded and Recorded(recorded, self._differing(recorded, row))
                self._new.setdefault(event.uid, (position, event))
            if found is None:
                report.accepted += 1
                if len(self.accepted) < SHOWN:
                    self.accepted.append(numbered[number][0])
                self._note_names(event)
            elif not found.differs:
                report.duplicates += 1
                if not is_nameless(event.uid):
                    self.matching.recognised(event, row, found.row)
            else:
                kind = ContentChanged if is_nameless(event.uid) else Conflict
                conflicts.append(kind(found.row.uid, found.row.position, found.differs, number))
        events = {one.uid: self._new[one.uid][1] for one in conflicts if one.uid in self._new}
        return self._contradictions.sort(numbered, conflicts, events | recorded_of(self._log, conflicts))

    def _said(self, uid: str) -> Row | None:
        """The row of an earlier event of the file with this uid."""
        if uid not in self._new:
            return None
        position, event = self._new[uid]
        return self._contents.of(event)._replace(position=position)

    def _differing(self, recorded: Row, row: Row) -> str:
        field = differs(recorded, row, self._contents.book)
        return "" if field and self.matching.reads_as(recorded, row) else field

    def _without_id(self, rows: list[tuple[Event, Row]]) -> dict[str, Recorded]:
        """By uid, the recorded events without an id that say what new ones with an id say."""
        if not rows or not self.matching.doubtful:
            return {}
        found = self.matching.sort_named(rows, self._contents.book.count)
        return {event.uid: one for (event, _), one in zip(rows, found, strict=True) if one is not None}

    def _note_names(self, event: Event) -> None:
        if self._contents.book.erased:
            self.named.update(players_of(event))
