"""The report of an import: the outcome of the rows of a file, in numbers and in lines of text."""

from collections.abc import Callable, Sequence

from attrs import define, evolve, field

from ratingcore.errors import RatingCoreError
from ratingcore.importer.reasons import TooMuchMissing
from ratingcore.importer.recorded_notes import ErasedReturn
from ratingcore.importer.row_outcomes import RowOutcomes
from ratingcore.log import Head, Receipt
from ratingcore.readers import Note, OfLine, Reason, Refused, Unrated, Warning
from ratingcore.safe_text import counted, visible

_ALIKE = 5
"""Largest number of rows with one cause, refused or warned of, that are shown one by one."""
_Row = tuple[int, Reason, str]
"""A refused row: its line, the reason, and its text."""
_LONGEST = 120
"""Largest number of characters of a refused row that a line of the report quotes."""


@define
class ImportReport:
    """The report of an import: the outcome of the rows of a file.

    Attributes
    ----------
    source : str
        Name of the file.
    read : int
        Rows of data in the file.
    refused : list of (line, reason, text)
        Rows that cannot be events, or that contradict what is recorded.
    changed : int
        Number of refused rows that are recorded with other content.
    voided : int
        Results taken back because the document no longer has them.
    revived : int
        Results that were taken back before, and count again; they count as accepted.
    renamed : int
        Amended results in which a player has another name now.
    documents : int
        Tournaments or sessions in the file.
    facts, seeds : int
        Facts and ratings of players that were recorded.
    unused_ratings : int
        Ratings in the file that did not become seeds.
    unknown : list of str
        Files of a folder or an archive without a reader.
    error : RatingCoreError or None
        Reason why the import failed or stopped early; None if the file was read to its end.
    reader : str
        Name of the reader; empty if several files were read.
    encoding : str
        The encoding of the text, if not UTF-8.
    unused_columns : list of str
        Unused columns of a table.
    kept_columns : list of str
        Columns without a known meaning that became fields of the results.
    understood : list of str
        In a dry run of a table: its first games.
    listed : dict of str to list of str
        In a dry run of a table that is issued again: the first `changed`, `missing` and `new` results.
    notes : list of Note
        Notes for the user who reads the report; each kind of note is a class.
    dry_run : bool
        Whether nothing was written.
    head : Head or None
        Head of the log afterwards.
    reports : list of ImportReport
        For several files: the report of each.
    positions : list of (int, int)
        First and last positions of the recorded events.
    new_pools : list of str
        Pools that were new to the log.
    settled : RowOutcomes
        Outcomes of the rows that are not refused, in their order; `rows` has all of them.
    """

    source: str
    read: int = 0
    refused: list[_Row] = field(factory=list)
    changed: int = 0
    voided: int = 0
    revived: int = 0
    renamed: int = 0
    documents: int = 0
    facts: int = 0
    seeds: int = 0
    unused_ratings: int = 0
    unknown: list[str] = field(factory=list)
    error: RatingCoreError | None = None
    reader: str = ""
    encoding: str = ""
    unused_columns: list[str] = field(factory=list)
    kept_columns: list[str] = field(factory=list)
    understood: list[str] = field(factory=list)
    listed: dict[str, list[str]] = field(factory=dict)
    notes: list[Note] = field(factory=list)
    dry_run: bool = False
    head: Head | None = None
    reports: "list[ImportReport]" = field(factory=list)
    positions: list[tuple[int, int]] = field(factory=list)
    new_pools: list[str] = field(factory=list)
    settled: RowOutcomes = field(factory=RowOutcomes)

    @property
    def rows(self) -> RowOutcomes:
        """The outcome of each row, in the order of the lines; for several files, one file after the other."""
        if self.reports:
            every = RowOutcomes()
            for report in self.reports:
                every.extend(report.rows)
            return every
        return self.settled.by_line(self.refused)

    @property
    def accepted(self) -> int:
        """Number of results that are new in the log (in a dry run: would be)."""
        return self.settled.count_of("taken")

    @property
    def amended(self) -> int:
        """Number of results corrected because the file differs now (in a dry run: would be)."""
        return self.settled.count_of("corrects")

    @property
    def duplicates(self) -> int:
        """Number of rows whose events are already in the log, or that are left out."""
        return self.settled.count_of("known", "left") + self.settled.count_of("voided", reason=False)

    @property
    def unrated(self) -> dict[str, list[int]]:
        """Lines of valid rows without a result, by reason: forfeits, byes, games not played yet."""
        return self.settled.lines_by_reason("unrated", "voided")

    def note(self, row: Refused | Unrated | Note) -> None:
        """Counts rows without an event, and keeps notes."""
        if isinstance(row, Note):
            self.notes.append(row)
        elif isinstance(row, Refused):
            self.read += 1
            self.refused.append((row.line, Reason.of(row.reason), row.text[:200]))
        else:
            self.read += row.count
            self.settled.add("unrated", [row.line] * row.count, reason=row.reason)

    def note_returned(self, names: Sequence[str]) -> None:
        """Notes names that are new to a log in which names were erased."""
        self.notes += [ErasedReturn(tuple(names))] if names else []

    @property
    def warnings(self) -> list[str]:
        """The notes in words."""
        return list(map(str, self.notes))

    def merge_notes(self) -> None:
        """Merges notes on many lines into one if they have one cause.

        Notes with the cause of refused rows are left out, unless they name the place of the problem.
        """
        refused = {reason.cause for _, reason, _ in self.refused}
        alike: dict[object, list[Note]] = {}
        for note in self.notes:
            cause = note.cause if isinstance(note, OfLine) and note.line else id(note)
            alike.setdefault(cause, []).append(note)
        self.notes = []
        for of, some in alike.items():
            first, more = some[0], len(some) - 1
            some = [evolve(first, more=more)] if isinstance(first, OfLine) and more >= _ALIKE else some
            self.notes += some if of not in refused or (isinstance(first, Warning) and first.where) else []

    def wrote(self, receipt: Receipt) -> None:
        """Adds the positions of appended events; events appended by others may lie between them."""
        if receipt.accepted:
            first, last = receipt.positions[0], receipt.positions[-1]
            if self.positions and self.positions[-1][1] + 1 == first:
                first, _ = self.positions.pop()
            self.positions.append((first, last))

    @property
    def failed(self) -> str:
        """Reason why the import failed or stopped early; empty if the file was read to its end."""
        return "" if self.error is None else str(self.error)

    @property
    def adds_up(self) -> bool:
        """True if every row that was read is accounted for."""
        return self.read == self._accounted

    @property
    def _accounted(self) -> int:
        return len(self.settled) + len(self.refused)

    @property
    def outcome(self) -> tuple[object, ...]:
        """The outcomes of the rows, which are equal if two imports of a file do the same."""
        counts = self.read, self.facts, self.seeds, self.voided, self.revived, self.renamed
        return *counts, self.rows.digest

    @property
    def changes(self) -> int:
        """Number of events that this import recorded; others may have recorded the same rows meanwhile."""
        corrected = self.amended + self.voided + self.revived + self.renamed
        return self.accepted + corrected + self.facts + self.seeds

    def broken_off(self, problem: RatingCoreError) -> "ImportReport":
        """Returns the report of a file that was not read to its end; it counts rows only if some are in the log."""
        if not (self.accepted or self.amended or self.duplicates or self.documents):
            return ImportReport(self.source, dry_run=self.dry_run, error=problem)
        self.error, self.read = problem, self._accounted
        return self

    def add(self, other: "ImportReport") -> None:
        """Adds the outcomes of the rows of another file, or of another part of this one."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.settled.extend(other.settled)
        self.refused += other.refused
        self.listed.update(other.listed)
        self.unknown += other.unknown
        self.positions += other.positions
        self.new_pools += other.new_pools
        self.notes += other.notes
        self.encoding = self.encoding or other.encoding
        self.head = other.head or self.head

    def _counts(self) -> str:
        """Returns the further counts that are not 0, as text."""
        renamed = f" ({self.renamed} renamed)" if self.renamed else ""
        counts = {
            f"amended{renamed}": self.amended, "voided": self.voided, "revived": self.revived,
            "new facts": self.facts, "seeds": self.seeds, "ratings not used": self.unused_ratings,
        }  # fmt: skip
        return "".join(f", {count} {what}" for what, count in counts.items() if count)

    def lines(self, most: int = 20, words: Callable[[Note], str] = str) -> list[str]:
        """Returns the report as lines of text, with at most `most` of the refused rows, and its notes."""
        if self.failed and not self.read:
            return [f"{self.source}: nothing imported: {self.failed}"]
        unrated = sum(map(len, self.unrated.values()))
        verb = "would be accepted" if self.dry_run else "accepted"
        text = [
            f"{self.source}: {counted(self.read, 'row')} read, {self.accepted} {verb}, {unrated} unrated, "
            f"{len(self.refused)} refused, {counted(self.duplicates, 'duplicate')}"
            f"{self._counts()}"
        ]
        for reason, where in sorted(self.unrated.items()):
            text.append(f"  unrated, {reason}: {_places(where)}")
        for fields, where in self.settled.lines_by_fields().items() if self.dry_run and not self.listed else ():
            text.append(f"  corrected, {', '.join(fields)}: {_places(where)}")
        if self.kept_columns:
            text.append(f"  columns kept as fields: {', '.join(self.kept_columns)}")
        if self.unused_columns:
            text.append(f"  columns not used: {', '.join(self.unused_columns)}")
        text += [f"  understood, {row}" for row in self.understood]
        causes: dict[object, list[_Row]] = {}
        for one in self.refused:
            causes.setdefault(_group(one), []).append(one)
        shown = [row for rows in causes.values() for row in rows[: len(rows) if len(rows) <= _most(rows) else 1]]
        for line, reason, row in sorted(shown)[:most]:
            alike = causes[_group((line, reason, row))]
            rest = counted(len(alike) - 1, "more row")
            more = f" and {rest}" if len(alike) > _most(alike) else ""
            text.append(f"  refused, line {line}{more}: {_with_row(reason, row)}")
        if len(shown) > most:
            text.append(f"  ... and {len(shown) - most} more refused rows")
        text += [f"  {what}, {row}" for what, rows in self.listed.items() for row in rows]
        if self.failed:
            text.append(f"  nothing more was imported: {self.failed}")
        if self.unknown:
            text.append(f"  no reader recognises {counted(len(self.unknown), 'file')}: {', '.join(self.unknown[:5])}")
        return [*text, *(f"warning: {words(note)}" for note in self.notes)]

    def __str__(self) -> str:
        return "\n".join(self.lines())


_COUNTS = (
    "read", "changed", "voided", "revived", "renamed", "documents", "facts",
    "seeds", "unused_ratings",
)  # fmt: skip


def is_truncated(reason: Reason) -> bool:
    """True if a row is refused because a new version of the whole document lacks too many results."""
    return reason.kind is TooMuchMissing


def _group(refused: _Row) -> object:
    """Returns the key of refused rows that are shown together: the cause, and the document if refused as a whole."""
    _, reason, row = refused
    return (reason.cause, row) if is_truncated(reason) else reason.cause


def _most(alike: Sequence[_Row]) -> int:
    """Number of refused rows of a group that are shown one by one."""
    return 1 if is_truncated(alike[0][1]) else _ALIKE


def _with_row(reason: str, row: str) -> str:
    """A reason and the text of its row, each shortened if long; an id named in the reason appears once."""
    reason = reason if len(reason) <= 2 * _LONGEST else f"{reason[:_LONGEST]}...{reason[-_LONGEST:]}"
    row = visible(row if len(row) <= _LONGEST else f"{row[:_LONGEST]}...")  # a line end in a cell must not begin a line
    return reason if row in reason else f"{reason} ({row})"


def _places(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines[:5]))
    rows, word = counted(len(lines), "row"), "line" if len(lines) == 1 else "lines"
    return f"{rows} ({word} {shown}{f' and {len(lines) - 5} more' if len(lines) > 5 else ''})"
