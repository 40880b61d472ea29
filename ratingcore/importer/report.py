"""The report of an import: what became of the rows of a file, in numbers and in lines of text."""

from attrs import define, field

from ratingcore.log import Head

_LONGEST = 120
"""Characters of a refused row that are quoted in a line of the report."""


@define
class ImportReport:
    """Report of an import: what became of the rows of a file.

    Attributes
    ----------
    source : str
        Name of the file.
    read : int
        Rows of data in the file.
    accepted : int
        New events in the log (in a dry run: that would be new).
    corrected : int
        Events amended because the file was issued again with other values (in a dry run: would be).
    duplicates : int
        Rows whose events are already in the log.
    unrated : dict of reason to list of int
        Lines of valid rows without a result: forfeits, byes, games not played yet.
    refused : list of (line, reason, text)
        Rows that cannot be events, or that contradict what is recorded.
    changed : int
        How many of the refused rows are recorded with other content.
    warnings : list of str
    dry_run : bool
        Whether nothing was written.
    head : Head or None
        Head of the log afterwards.
    """

    source: str
    read: int = 0
    accepted: int = 0
    corrected: int = 0
    duplicates: int = 0
    unrated: dict[str, list[int]] = field(factory=dict)
    refused: list[tuple[int, str, str]] = field(factory=list)
    changed: int = 0
    warnings: list[str] = field(factory=list)
    dry_run: bool = False
    head: Head | None = None

    def lines(self, most: int = 20) -> list[str]:
        """Returns the report as lines of text, with at most `most` of the refused rows."""
        unrated = sum(map(len, self.unrated.values()))
        verb = "would be accepted" if self.dry_run else "accepted"
        text = [
            f"{self.source}: {_counted(self.read, 'row')} read, {self.accepted} {verb}, {unrated} unrated, "
            f"{len(self.refused)} refused, {_counted(self.duplicates, 'duplicate')}"
            f"{f', {self.corrected} corrected' if self.corrected else ''}"
        ]
        for reason, where in sorted(self.unrated.items()):
            text.append(f"  unrated, {reason}: {_places(where)}")
        text += [f"  refused, line {line}: {_with_row(reason, row)}" for line, reason, row in self.refused[:most]]
        if len(self.refused) > most:
            text.append(f"  ... and {len(self.refused) - most} more refused rows")
        return [*text, *(f"warning: {warning}" for warning in self.warnings)]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _with_row(reason: str, row: str) -> str:
    """A reason and the text of its row, each shortened if it is long; an id that the reason names stands once."""
    reason = reason if len(reason) <= 2 * _LONGEST else f"{reason[:_LONGEST]}...{reason[-_LONGEST:]}"
    row = row if len(row) <= _LONGEST else f"{row[:_LONGEST]}..."
    return reason if row in reason else f"{reason} ({row})"


def _places(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines[:5]))
    rows, word = ("1 row", "line") if len(lines) == 1 else (f"{len(lines)} rows", "lines")
    return f"{rows} ({word} {shown}{', ...' if len(lines) > 5 else ''})"
