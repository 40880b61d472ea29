"""What a reader said of a document when it was last issued, as the log has it, and what the log says of it now."""

from bisect import bisect_right
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


class CorrectionsRead:
    """The amendments and voids of a log, each read once however often it is asked."""

    def __init__(self, log: Log) -> None:
        self._log, self._seen = log, 0
        self._of: dict[int, list[Row]] = {}

    def about(self, rows: Iterable[Row]) -> list[Row]:
        """The corrections of rows, and those of these, in order of position."""
        head = self._log.head.position
        for row in self._log.rows(self._seen, head, ("amend", "void")):
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
    """The last issues of the documents of one reader.

    Parameters
    ----------
    log : Log
    by : str
        The name under which the reader corrects, such as `reader trf`: corrections by this name tell what a later
        issue said.
    """

    def __init__(self, log: Log, by: str) -> None:
        self._log, self.by = log, by
        self._corrections = CorrectionsRead(log)
        self._read: dict[int, Batch] = {}
        """Batches that were read, by a position in them: they do not change."""

    def of(self, rows: Sequence[Row]) -> Iterator[Said]:
        """What was said in the results that rows hold."""
        if not rows:
            return  # nothing needs to be read of the log for a new document
        every = self._corrections.about(rows)
        own = self._own(every)
        said, now, voids = Corrections.of(own), Corrections.of(every), _voids(own)
        before = Corrections.of(row for row in own if row.kind == "amend")
        event = self._log.decoder()
        for row in rows:
            # if it was taken back: what it said before that
            amended = (before if row.position in said.void else said).read(row) or row
            reads, last = now.read(row), event(amended)
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
        about = _by_root(rows, self._own(self._corrections.about(rows)))
        read: dict[tuple[int, int], Event | None] = {}
        for batch in reversed(self._batches(rows)):
            version = []
            for row in rows:
                if row.position > batch.last:
                    continue
                mine = about.get(row.position, [])
                count = bisect_right(mine, batch.last, key=lambda one: one.position)
                if (row.position, count) not in read:  # most results are the same in every version
                    reads = Corrections.of(mine[:count]).read(row)
                    read[row.position, count] = None if reads is None else event(reads)
                version.append(read[row.position, count])
            yield [one for one in version if one is not None]

    def _batches(self, rows: Sequence[Row]) -> list[Batch]:
        """The batches in which a document came, oldest first."""
        there = {row.position for row in (*rows, *self._own(self._corrections.about(rows)))}
        batches: list[Batch] = []
        for position in sorted(there):
            if not batches or position > batches[-1].last:
                batch = self._read.get(position)
                if batch is None:
                    batch = self._read[position] = next(self._log.batches(position - 1))
                batches.append(batch)
        return batches

    def _source(self, batch: Batch) -> str:
        return "" if batch.source is None else self._log.names_book.key(batch.source)

    def _own(self, rows: Iterable[Row]) -> list[Row]:
        """Those of corrections that the reader recorded."""
        note = self._log.id_of("note", self.by)
        return [] if note is None else [row for row in rows if row.facts.get("by") == note]


def _by_root(rows: Iterable[Row], own: Iterable[Row]) -> dict[int, list[Row]]:
    """Corrections by the position of the result that they, or what they correct, are about."""
    root = {row.position: row.position for row in rows}
    about: dict[int, list[Row]] = {}
    for one in own:
        if one.ref in root:
            root[one.position] = root[one.ref]
            about.setdefault(root[one.position], []).append(one)
    return about


def _voids(own: Iterable[Row]) -> dict[int, str]:
    """The reader's voids that stand, by the position of what they void."""
    standing: dict[int, Row] = {}
    of: dict[int, int] = {}
    for row in own:
        if row.kind != "void" or row.ref is None:
            continue
        if row.ref in of:  # it takes back one of the reader's own voids
            standing.pop(of[row.ref], None)
        else:
            standing[row.ref] = row
            of[row.position] = row.ref
    return {position: row.uid for position, row in standing.items()}
