"""Notes of an import about rows that the log has, or may have: one class for each kind, with its facts and text."""

from collections.abc import Iterable, Sequence
from typing import Self

from attrs import frozen

from ratingcore.importer.notes import NAMES, named
from ratingcore.plans.notes import Twin, likeness
from ratingcore.readers import Note, OfLine
from ratingcore.safe_text import counted


def _at(lines: Sequence[int]) -> str:
    return f" ({named(sorted(lines))})" if lines else ""


def _positions(positions: Sequence[int]) -> str:
    """The first of some positions in words."""
    more = f" and {len(positions) - NAMES} more" if len(positions) > NAMES else ""
    return f"{'position' if len(positions) == 1 else 'positions'} {', '.join(map(str, positions[:NAMES]))}{more}"


@frozen
class ErasedReturn(Note):
    """Names in new rows that may belong to erased players."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        first = ", ".join(self.names[:NAMES]) + (
            f" and {len(self.names) - NAMES} more" if len(self.names) > NAMES else ""
        )
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


@frozen
class RecordedTwice(Note):
    """New games of a pool that seem to be in the log, or in their own file, a second time.

    Parameters
    ----------
    pool : str
    twin : Twin
    results, of : int
        Number of such games, and of all new games of the pool.
    lines : tuple of int
        Lines of such games, if known.
    first : (int, int)
        Positions of the first such game, and of the game that it repeats.
    spans : tuple of (int, int)
        First and last positions of runs of such games.
    days : int
        For `moved`: number of days by which the games are later than those they repeat.
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
        where = "file" if self.twin == "file" else "log"
        return (
            f"{self.results} of {counted(self.of, 'new game')} of {self.pool} may be in the {where} a second time"
            f"{_at(self.lines)}: {likeness(self.twin, self.first, self.days)}"
        )


@frozen
class ColumnsKept(Note):
    """Fields that the log keeps because the file has no column for them, each with the number of results."""

    fields: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        fields = ", ".join(f"{name} ({counted(count, 'result')})" for name, count in self.fields)
        return f"the file has no column for {fields}: what is recorded stays; an empty column removes it"


@frozen
class TwiceInLog(Note):
    """Games that the log has from both sides, although each game of the file is to be taken once."""

    games: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        games = counted(self.games, "game of the file is", "games of the file are")
        return f"{games} in the log twice, from both sides: {named(self.lines)}"


@frozen
class Differing(Note):
    """Rows that the log has with other content: their number, and kind."""

    rows: int
    noun: str

    def __str__(self) -> str:
        return counted(
            self.rows,
            "row is recorded with other content, and stays as it is",
            "rows are recorded with other content, and stay as they are",
        )


@frozen
class ColumnAdded(Note):
    """Rows that differ from the log only in one field that it lacks: their number, and the field."""

    rows: int
    field: str

    def __str__(self) -> str:
        rows = counted(self.rows, "row has", "rows have")
        return f"one column is new: {rows} {self.field}, which the log lacks, and all else is the same"


@frozen
class Retimed(Note):
    """Games that are recorded at another time."""

    games: int

    def __str__(self) -> str:
        return counted(
            self.games,
            "game is recorded at another time, and stays as it is",
            "games are recorded at another time, and stay as they are",
        )


@frozen
class Voided(Note):
    """Rows whose events count as never recorded.

    Attributes
    ----------
    rows : int
    uid : str
        Uid of the event, if there is only one.
    voids : tuple of (int, int)
        First and last positions of the events that void them.
    """

    rows: int
    uid: str
    voids: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        them = "it counts" if self.rows == 1 else "they count"
        return f"{counted(self.rows, 'row is', 'rows are')} in the log, but voided there, so {them} nowhere"


@frozen
class CorrectedByHand(OfLine):
    """A field that was corrected in the log, at a position, and that the file changes when it comes again."""

    field: str
    position: int

    @property
    def text(self) -> str:
        return f"{self.field} was corrected in the log at position {self.position}; what the file gives now replaces it"


@frozen
class CorrectionsKept(Note):
    """Corrections by hand, at positions, that hold for rows whose file was taken back after them and comes again."""

    lines: tuple[int, ...]
    positions: tuple[int, ...]

    @classmethod
    def of(cls, upheld: Iterable[tuple[int, int]]) -> Self:
        """Returns the note for pairs of a line and the position of a correction."""
        lines, positions = (tuple(sorted({*column})) for column in zip(*upheld, strict=True))
        return cls(lines, positions)

    def __str__(self) -> str:
        rows = counted(len(self.lines), "row keeps", "rows keep")
        return (
            f"{rows} what was corrected by hand before the file was taken back{_at(self.lines)}: corrected at "
            f"{_positions(self.positions)}"
        )


@frozen
class CorrectionsLost(Note):
    """Corrections by hand, at positions, of results that were taken back and that no row of their file brings again."""

    positions: tuple[int, ...]

    def __str__(self) -> str:
        corrections = counted(len(self.positions), "correction", "corrections")
        hold = "does not hold" if len(self.positions) == 1 else "do not hold"
        return (
            f"{corrections} by hand {hold} any more, since no row of the file is the corrected result: "
            f"{_positions(self.positions)}"
        )


@frozen
class ImportedBefore(Note):
    """New rows of a file imported before; without ids, changed rows are among them. `lines` are the first of them."""

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
class RowsGone(Note):
    """Results that a file gave before, and of which it has no row now: they still count, since it may be a part."""

    source: str
    count: int

    def __str__(self) -> str:
        results = counted(self.count, "result that it no longer has counts", "results that it no longer has count")
        return f"{self.source} was imported before, and {results} as before"


@frozen
class MostlyKnown(Note):
    """New rows of a file with a new name, most of whose rows the log has from elsewhere."""

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
class LeftOut(Note):
    """Games of a document or file that the log has from elsewhere, or with another time of day, and their lines."""

    event: str
    known: int
    games: int
    source: str
    lines: tuple[int, ...] = ()

    def __str__(self) -> str:
        games = f"{self.known} of {self.games} games are in the log already, from {self.source or 'somewhere else'}"
        if self.source == self.event:
            way = "to have its times, take back what was recorded from it, and import it again"
            return f"{games}, with another time of day: left out{_at(self.lines)}; {way}"
        return f"{self.event}: {games}: left out{_at(self.lines)}"


@frozen
class LaterIssue(Note):
    """A document that the log has in a later issue than the imported one."""

    event: str

    def __str__(self) -> str:
        return f"{self.event}: the log has a later issue than this one"


@frozen
class MissingStay(Note):
    """Results that are missing from the new issue of a table, but stay because some of its rows are refused."""

    results: int

    def __str__(self) -> str:
        results = counted(self.results, "result that is", "results that are")
        return f"{results} missing from the file stay, since rows of it are refused"


@frozen
class SourceUnknown(Note):
    """A table imported as a new issue, although nothing was imported from its source before.

    Attributes
    ----------
    source : str
    known, new : int
        Rows that the log has from elsewhere, and new ones.
    sources : tuple of str
        The last sources of the log.
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
