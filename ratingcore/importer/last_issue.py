"""What a reader said of a document when it was last issued, as the log has it, and what the log says of it now."""

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from ratingcore.events import Event, Instant, Row, instant
from ratingcore.events.corrections import Corrections
from ratingcore.log import Log
from ratingcore.log.facts import Batch

ISSUED = " issued "
"""Stands in the source of a batch before the time at which the document says it was issued."""


@frozen
class Said:
    """A result that a document gave.

    Attributes
    ----------
    row : Row
        As it was first recorded.
    last : Event
        As the document gave it last.
    now : Event or None
        As it reads now, whoever corrected it; None if it counts as never recorded.
    void : str
        Uid of the void by which the reader took it back, because it was missing from a later issue; or nothing.
    """

    row: Row
    last: Event
    now: Event | None
    void: str = ""

    @property
    def gone(self) -> bool:
        """Whether the document did not give it any more when it was last issued."""
        return bool(self.void)


class LastIssues:
    """The last issues of the documents of one reader.

    Parameters
    ----------
    log : Log
    by : str
        The name under which the reader corrects, such as `reader trf`: corrections by this name tell what a later
        issue said.
    """

    def __init__(self, log: Log, by: str) -> None:
        self._log, self._by = log, by
        self._seen = 0
        self._own: list[Row] = []

    def of(self, rows: Iterable[Row]) -> Iterator[Said]:
        """What was said in the results that rows hold."""
        self._read_on()
        own, now = Corrections.of(self._own), self._log.corrections()
        voids = self._voids()
        amended_so_far = Corrections.of(one for one in self._own if one.kind == "amend").changes
        event = self._log.decoder()
        for row in rows:
            amended = Corrections(changes=own.changes).read(row) or row
            if row.position in own.void:  # what it said before it was taken back
                amended = Corrections(changes=amended_so_far).read(row) or row
            reads = now.read(row)
            last = event(amended)
            read = None if reads is None else last if reads is amended else event(reads)
            yield Said(row, last, read, voids.get(row.position, ""))

    def issued(self, saids: Sequence[Said]) -> Instant | None:
        """When the version that was imported last says it was issued; None if it does not say."""
        texts = [self._source(batch) for batch in self._batches([one.row for one in saids])]
        times = [instant(text.rpartition(ISSUED)[2]) for text in texts if ISSUED in text]
        return max(times, default=None)

    def versions(self, saids: Sequence[Said]) -> Iterator[list[Event]]:
        """The results of each version that was imported, the newest first."""
        rows, event = [one.row for one in saids], self._log.decoder()
        for batch in reversed(self._batches(rows)):
            then = Corrections.of(one for one in self._own if one.position <= batch.last)
            reads = (then.read(row) for row in rows if row.position <= batch.last)
            yield [event(row) for row in reads if row is not None]

    def _batches(self, rows: Sequence[Row]) -> list[Batch]:
        """The batches in which a document came, oldest first."""
        there = {row.position for row in rows}
        for one in self._own:  # a void of one of the reader's own voids is about the same document
            if one.ref in there:
                there.add(one.position)
        batches: list[Batch] = []
        for position in sorted(there):
            if not batches or position > batches[-1].last:
                batches.append(next(self._log.batches(position - 1)))
        return batches

    def _source(self, batch: Batch) -> str:
        return "" if batch.source is None else self._log.names_book.key(batch.source)

    def _read_on(self) -> None:
        """Takes note of the reader's corrections that were recorded since it was last asked."""
        note, head = self._log.id_of("note", self._by), self._log.head.position
        if note is not None:
            rows = self._log.rows(self._seen, head, ("amend", "void"))
            self._own += [row for row in rows if row.ref is not None and row.facts.get("by") == note]
            self._seen = head

    def _voids(self) -> dict[int, str]:
        """The reader's voids that stand, by the position of what they void."""
        standing: dict[int, Row] = {}
        of: dict[int, int] = {}
        for row in self._own:
            if row.kind != "void" or row.ref is None:
                continue
            if row.ref in of:  # it takes back one of the reader's own voids
                standing.pop(of[row.ref], None)
            else:
                standing[row.ref] = row
                of[row.position] = row.ref
        return {position: row.uid for position, row in standing.items()}
