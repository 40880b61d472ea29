"""Handles rows that contradict the log: amends the recorded results if the user allows it, else refuses the rows."""

from collections import Counter
from collections.abc import Collection, Sequence

from attrs import evolve, field, frozen

from ratingcore.errors import Conflict, ContentChanged
from ratingcore.events import Event, GamePlayed, ResultAmended, SessionPlayed
from ratingcore.events.kinds import players_of
from ratingcore.events.rounds import follows_round, is_of_round, order_on_day
from ratingcore.importer.differences import (
    AnEvent,
    changes_of,
    contradiction,
    differences,
    differing_fields,
    fields_of,
    from_its_side,
    gives_order,
    is_same,
)
from ratingcore.importer.issue_matching import labelled
from ratingcore.importer.local_times import LocalTimes
from ratingcore.importer.reasons import RecordedOtherwise
from ratingcore.importer.recorded_notes import ColumnAdded, ColumnsKept, Differing
from ratingcore.importer.report import ImportReport
from ratingcore.log import Log
from ratingcore.log.lookup import corrections_of, decoder_of
from ratingcore.readers import Note, Reason
from ratingcore.replay.declared import MethodOf, check_fits


@frozen
class MissingColumns:
    """Adds to rows the recorded fields for which their file has no column.

    An empty cell removes a field; a missing column leaves the recorded value.

    Parameters
    ----------
    columns : collection of str or None
        Fields with a column in the file; None for files that hold everything.
    """

    columns: Collection[str] | None
    _kept: Counter[str] = field(factory=Counter, init=False)

    def completed(self, event: AnEvent, recorded: Event | None, now: Event | None = None) -> AnEvent:
        """Returns a row's event, with the recorded fields for which its file has no column.

        If the current order follows from the round, the order is derived again from the new round.
        """
        columns = self.columns
        if (
            columns is None
            or not isinstance(event, GamePlayed | SessionPlayed)
            or not isinstance(recorded, GamePlayed | SessionPlayed)
            or (is_same(event, recorded) and (now is None or now is recorded))
        ):
            return event
        kept = {name: value for name, value in recorded.data.items() if name not in columns and name not in event.data}
        data, read = {**event.data, **kept}, now if isinstance(now, GamePlayed | SessionPlayed) else recorded
        turn = read.data.get("round")
        follows = follows_round(read.order, turn)
        # older versions recorded rounds without an order: this row alone would then not match the others
        by_older = read.order and follows and data.get("round") != turn
        order = recorded.order
        if "order" in columns:
            order = event.order
        elif by_older or is_of_round(read.order, read.played, read.data):
            order = order_on_day(event.played, data)
        self._kept.update([*kept, *(["order"] if order != event.order and not follows else [])])
        return evolve(event, data=data, order=order) if kept or order != event.order else event

    def is_silent(self, event: AnEvent, recorded: Event) -> bool:
        """True if an event equals the recorded one except in fields without a column in its file; counts those."""
        if not is_same(MissingColumns(self.columns).completed(event, recorded), recorded):
            return False
        self.completed(event, recorded)
        return True

    def notes(self) -> list[Note]:
        """Notes which fields were added."""
        return [ColumnsKept(tuple(sorted(self._kept.items())))] if self._kept else []


Numbered = Sequence[tuple[int, Event]]
"""Events with the lines they come from."""

Contradiction = tuple[int, Event, Conflict]
"""An event that differs from the recorded one, with its line."""

WHY = "issued again"
"""Reason of the corrections of an import."""


class Contradictions:
    """Settles the rows of one file that contradict the log.

    Parameters
    ----------
    log : Log
    report : ImportReport
    amend : bool
        Whether recorded events are amended; if not, the rows are refused.
    by : str
        Actor of the amendments.
    missing : MissingColumns
        Adds recorded fields to rows.
    times : LocalTimes
        Reads the local times of the file in the zones of its pools.
    method : callable
        Returns the method that a text names.
    """

    def __init__(
        self,
        log: Log,
        report: ImportReport,
        amend: bool,
        by: str,
        missing: MissingColumns,
        times: LocalTimes,
        method: MethodOf,
    ) -> None:
        self._log, self._report, self._amend, self._by = log, report, amend, by
        self._missing, self._times, self._method = missing, times, method

    def settle(self, contradicting: Sequence[Contradiction]) -> None:
        """Amends recorded events, or reports the rows with both values and adds a warning.

        A row of a void event of the same pool counts as `voided`, whatever its values; one that differs only in fields
        without a column in its file counts as `known`.
        """
        if self._amend and contradicting:
            contradicting = self._amended(contradicting)
        if not contradicting:
            return
        decoded, now = decoder_of(self._log), corrections_of(self._log)
        rows = self._log.find([conflict.uid for _, _, conflict in contradicting])
        recorded = {uid: decoded(row) for uid, row in rows.items()}
        nameless, added = 0, set[str]()
        for line, event, conflict in contradicting:
            was, by_id = recorded[conflict.uid], not isinstance(conflict, ContentChanged)
            if conflict.position in now.void and _is_of_one_pool(was, event):
                self._report.settled.add("voided", [line], positions=[conflict.position])
                continue
            row = rows[conflict.uid]
            readings = [was, *([decoded(now.read(row) or row)] if conflict.position in now.changes else [])]
            if any(self._missing.is_silent(from_its_side(one, event), one) for one in readings):
                self._report.settled.add("known", [line], positions=[conflict.position])
                continue
            differing = contradiction(was, event)
            if not by_id:
                nameless += 1
                added.add(_added(was, event))
            fields = differences(was, event)
            otherwise = RecordedOtherwise(conflict.uid, conflict.position, by_id, fields, differing, players_of(event))
            reason = Reason.of(otherwise if differing else conflict)
            self._report.refused.append((line, reason, conflict.uid))
        self._report.changed += nameless
        if nameless:
            self._warn(contradicting[0][1], added.pop() if len(added) == 1 else "")

    def _warn(self, event: Event, added: str) -> None:
        """Warns of changed rows; `added` is the one field that all of them add to the log, empty if there is none."""
        changed = self._report.changed
        another = event.kind if event.kind in ("game", "session") else "rating"
        self._report.notes.append(ColumnAdded(changed, added) if added else Differing(changed, another))

    def _amended(self, contradicting: Sequence[Contradiction]) -> list[Contradiction]:
        """Amends the recorded results that rows contradict; returns the rows whose results cannot be amended."""
        rows = self._log.find([conflict.uid for _, _, conflict in contradicting])
        decoded, now = decoder_of(self._log), corrections_of(self._log)
        amendments: list[Event] = []
        left = []
        by_id = [conflict.position for _, _, conflict in contradicting if not isinstance(conflict, ContentChanged)]
        given = self._report.settled.among(by_id)  # if several rows have one id, the first decides
        for line, event, conflict in contradicting:
            row = rows[conflict.uid]
            if row.position in given:
                left.append((line, event, conflict))
                continue
            read = now.read(row)
            reads = None if read is None else decoded(read)
            if reads is None or not _is_of_one_pool(reads, event):
                left.append((line, event, conflict))
                continue
            event = self._missing.completed(from_its_side(reads, labelled(event, reads)), reads)
            changes = changes_of(fields_of(reads), fields_of(event))
            if changes:
                amendments.append(ResultAmended(of=conflict.uid, changes=changes, why=WHY, by=self._by))
                given.add(row.position)
                self._report.settled.add("corrects", [line], fields=changes, positions=[row.position])
            else:
                self._report.settled.add("known", [line], positions=[row.position])
        if amendments:
            check_fits(self._log, amendments, self._method)
            expect = self._times.unchanged_for([event for _, event, _ in contradicting])
            receipt = self._log.append(amendments, source=self._report.source, expect=expect)
            self._times.wrote(receipt)
            self._report.wrote(receipt)
        return left


def _is_of_one_pool(one: Event, other: Event) -> bool:
    """True if two events are of one kind and pool."""
    return one.kind == other.kind and fields_of(one)["pool"] == fields_of(other)["pool"]


def _added(recorded: Event, given: Event) -> str:
    """Returns the field that a row adds to the recorded event, if nothing else differs; else empty."""
    was = fields_of(recorded)
    now = fields_of(from_its_side(recorded, given))
    differing = [name for name in differing_fields(was, now) if name != "order" or gives_order(was, now)]
    return differing[0] if len(differing) == 1 and was.get(differing[0]) is None else ""
