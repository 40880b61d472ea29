"""Notes of an import on rows and what the log has of them: a class for each kind, with the facts, in words."""

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from ratingcore.importer.notes import NAMES, named
from ratingcore.readers import Note, OfLine
from ratingcore.spelling import counted


def _at(lines: Sequence[int]) -> str:
    return f" ({named(sorted(lines))})" if lines else ""


@frozen
class ErasedReturn(Note):
    """Names that new rows bring, and that may be those of erased players."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        first = ", ".join(self.names[:NAMES]) + (", ..." if len(self.names) > NAMES else "")
        return f"names of erased players may have come back with rows that are new: {first}; erase them again if so"


@frozen
class Renamed(OfLine):
    """A player who has another name in the new issue of a document or table."""

    old: str
    new: str

    @property
    def text(self) -> str:
        return f"{self.old} is called {self.new} now"


@frozen
class BetweenOnePerson(Note):
    """Results between two names that are merged into one player, and the position of the first."""

    results: int
    position: int

    def __str__(self) -> str:
        return (
            f"{counted(self.results, 'result is', 'results are')} between two names that are merged into one player, "
            f"and counts in no list: the first at position {self.position}; unmerge them, or amend the name"
        )


Twin = Literal["day", "next day", "exchanged", "moved", "file"]
"""How new games are like others: on the same day; some a day before or after; on days with day and month exchanged; all
some days before or after; like others of their own file."""


@frozen
class RecordedTwice(Note):
    """New games of a pool that the log, or their own file, has a second time, it seems.

    Parameters
    ----------
    pool : str
    twin : Twin
    results, of : int
        How many, and of how many new games of the pool.
    lines : tuple of int
        Their lines, where they are known.
    first : (int, int)
        Positions of the first, and of its like.
    spans : tuple of (int, int)
        First and last positions of runs of them.
    days : int
        For `moved`: by how many days they come later than their like.
    """

    pool: str
    twin: Twin
    results: int
    of: int
    lines: tuple[int, ...]
    first: tuple[int, int]
    spans: tuple[tuple[int, int], ...]
    days: int = 0

    def __str__(self) -> str:
        times = counted(abs(self.days), "day") + (" before" if self.days > 0 else " after")
        where, when = {
            "day": ("log", "that day"),
            "next day": ("log", "that day, or the day before or after"),
            "exchanged": ("log", "the day with day and month exchanged"),
            "moved": ("log", f"the day {times}"),
            "file": ("file", "that day"),
        }[self.twin]
        return (
            f"{self.results} of {counted(self.of, 'new game')} of {self.pool} may be in the {where} a second time"
            f"{_at(self.lines)}: the same players had the same score on {when}, such as positions {self.first[0]} and "
            f"{self.first[1]}"
        )


@frozen
class ColumnsKept(Note):
    """Fields that the log keeps, since the file has no column of them, each with the number of results."""

    fields: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        fields = ", ".join(f"{name} ({counted(count, 'result')})" for name, count in self.fields)
        return f"no column of the file says {fields}: what is recorded stays; an empty column takes it away"


@frozen
class TwiceInLog(Note):
    """Games that the log has from either side, although their file is to be taken once."""

    games: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        games = counted(self.games, "game of the file is", "games of the file are")
        return f"{games} in the log twice, from either side: {named(self.lines)}"


@frozen
class Differing(Note):
    """Rows that the log has with other content: their number, and kind."""

    rows: int
    noun: str

    def __str__(self) -> str:
        return f"{counted(self.rows, 'row is', 'rows are')} recorded with other content, which stands"


@frozen
class ColumnAdded(Note):
    """Rows with one field that the log lacks, and otherwise the same: their number, and the field."""

    rows: int
    field: str

    def __str__(self) -> str:
        say = counted(self.rows, "row says", "rows say")
        return f"one column is new: {say} {self.field}, of which the log has nothing, and else the same"


@frozen
class Retimed(Note):
    """Games that are recorded at another time."""

    games: int

    def __str__(self) -> str:
        return f"{counted(self.games, 'game is', 'games are')} recorded at another time, which stands"


@frozen
class Voided(Note):
    """Rows whose events count as never recorded.

    Attributes
    ----------
    rows : int
    uid : str
        Of the event, if it is one.
    voids : tuple of (int, int)
        First and last positions of what takes them back.
    """

    rows: int
    uid: str
    voids: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        them = "it counts" if self.rows == 1 else "they count"
        return f"{counted(self.rows, 'row is', 'rows are')} in the log, but voided there, so {them} nowhere"


@frozen
class CorrectedByHand(OfLine):
    """A field that was corrected in the log, and that the new issue of the file changes."""

    field: str

    @property
    def text(self) -> str:
        return f"{self.field} was corrected in the log, what the file says now stands"


@frozen
class ImportedBefore(Note):
    """New rows of a file whose name is known: without ids, changed ones are among them. With the first lines."""

    source: str
    new: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        rows = counted(self.new, "of its rows is", "of its rows are")
        return (
            f"{self.source} was imported before, and {rows} new to the log{_at(self.lines)}. If it has grown, or its "
            f"import was interrupted, all is well. {_IF_CHANGED}"
        )


_IF_CHANGED = "If a row was changed (another day, another player), the old result still counts"


@frozen
class MostlyKnown(Note):
    """New rows of a file whose name is new, while the log has most of its rows from elsewhere."""

    source: str
    known: int
    new: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        rows, new = counted(self.known, "row"), counted(self.new, "is", "are")
        return (
            f"{rows} of {self.source} came from elsewhere before, and {new} new to the log{_at(self.lines)}. If the "
            f"file has grown, all is well. {_IF_CHANGED}"
        )


@frozen
class KnownElsewhere(Note):
    """Games of a document that the log has from another source, and that count twice."""

    event: str
    known: int
    games: int
    source: str

    def __str__(self) -> str:
        games = f"{self.known} of {self.games} games are in the log already, from {self.source or 'somewhere else'}"
        return f"{self.event}: {games}"


@frozen
class LeftOut(KnownElsewhere):
    """Games of a document that the log has from another source, and that were left out."""

    def __str__(self) -> str:
        return f"{super().__str__()}: left out"


@frozen
class LaterIssue(Note):
    """A document of which the log has a later issue than the one that came."""

    event: str

    def __str__(self) -> str:
        return f"{self.event}: the log has a later issue than this one"


@frozen
class MissingStay(Note):
    """Results that are missing from the new issue of a table, and stay since rows of it are refused."""

    results: int

    def __str__(self) -> str:
        results = counted(self.results, "result that is", "results that are")
        return f"{results} missing from the file stay, since rows of it are refused"


@frozen
class SourceUnknown(Note):
    """A table that is issued again, while nothing came from its source.

    Attributes
    ----------
    source : str
    known, new : int
        Rows that the log has from elsewhere, and new ones.
    sources : tuple of str
        The last ones that the log has.
    """

    source: str
    known: int
    new: int
    sources: tuple[str, ...]

    def __str__(self) -> str:
        there = "all of it is new" if self.new else "nothing that is missing is voided"
        if self.known:
            there = "its rows that are in the log came from elsewhere, and nothing that is missing is voided"
        return f"nothing was imported from {self.source or 'a stream without a name'} before: {there}"
