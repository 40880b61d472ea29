"""Errors: a foreign file cannot be read or written."""

from collections.abc import Callable, Mapping

from ratingcore.errors.root import RatingCoreError
from ratingcore.safe_text import counted


class ArchiveError(RatingCoreError):
    """Branch: reading results and ratings from files, and writing files."""


_MANY = 3
"""Number of numbered columns (`player1`, `player2`, ...) that make a table look like one of sessions."""


_NOTHING: Mapping[str, str] = {}
GAMES = ("a", "b", "score", "played")
"""Fields for which a table of games has columns."""
_NOUNS = {"a": "one side", "b": "the other side", "score": "the score", "played": "the day"}


def _as_argument(mapping: Mapping[str, str]) -> str:
    return f"fields={dict(mapping)}"


def _wide(columns: tuple[str, ...]) -> str:
    """Names the first numbered columns of one kind if there are many: `player1, player2, player3, ...`."""
    kinds: dict[str, list[str]] = {}
    for column in columns:
        stem = column.rstrip("0123456789")
        if stem and stem != column:
            kinds.setdefault(stem, []).append(column)
    many = next((numbered for numbered in kinds.values() if len(numbered) >= _MANY), [])
    return ", ".join(many[:_MANY]) + (", ..." if len(many) > _MANY else "")


class ColumnNotFound(ArchiveError, LookupError):
    """A mapping names a column that the file does not have."""

    path: str
    column: str
    wanted_for: str
    found: tuple[str, ...]
    guess: Mapping[str, str] = _NOTHING
    """Columns by field, as far as headings suggest them."""
    readings: tuple[Mapping[str, str], ...] = ()
    """Mappings that give all required fields by columns with matching headings."""
    lacking: tuple[str, ...] = ()
    """Fields without a matching heading, if the others are found."""
    needs: tuple[str, ...] = GAMES
    """Fields for which such files have columns."""
    mapped: bool = True
    """Whether columns of such files may have other names."""

    def __str__(self) -> str:
        wanted = f"{self.column!r} for {self.wanted_for}"
        if self.column == self.wanted_for == "played":
            wanted = "for when games were played"
        return f"{self.path} has no column {wanted}: it has {', '.join(self.found)}"

    def advised(self, spelt: Callable[[Mapping[str, str]], str], more: str = "") -> str:
        """Returns the advice; `spelt` writes a mapping in the notation of the caller, `more` follows general advice."""
        if not self.mapped:
            return f"columns of this file are called {' and '.join(self.needs)}"
        if len(self.readings) > 1:
            return f"if one of these is meant: {' or '.join(map(spelt, self.readings))}"
        if self.readings:
            return f"if these are the columns: {spelt(self.readings[0])}"
        if self.lacking:
            mapping = spelt({**self.guess, **dict.fromkeys(self.lacking, "...")})
            nouns = " and ".join(_NOUNS[name] for name in self.lacking)
            return f"no heading suggests the column of {nouns}: give it as {mapping}"
        if self.wanted_for in ("a", "b") and (wide := _wide(self.found)):
            return (
                f"a row with {wide} is a session of many sides: write one row per side, with columns session, player "
                "(or player1, player2, ... for partners) and score or place, or JSON lines with sides"
            )
        if self.needs == ("a", "b"):
            return f"give the columns of the two sides: {spelt({'a': 'home_team', 'b': 'away_team'})}"
        return f"map fields to columns: {spelt(dict.fromkeys(self.needs, '...'))}{more}"

    @property
    def hint(self) -> str:
        return self.advised(_as_argument)


class BadMapping(ArchiveError, ValueError):
    """A mapping of fields to columns is malformed."""

    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


class BadFile(ArchiveError):
    """A file cannot be read, or is not in the expected format."""

    path: str
    why: str
    advice: str = ""
    setting: str = ""
    """Setting that may solve the problem, if any: `encoding`, `sheet`, `query`, `fields`; or `sheet_of_reader`, an
    option of the reader."""

    def __str__(self) -> str:
        return f"cannot read {self.path or 'a file'}: {self.why}"


class ScoresInDoubt(BadFile):
    """Many cells in a column of scores are not scores, so the others may not be scores either."""

    points: Mapping[str, str] = _NOTHING
    """The mapping of the table if its scores may be points of both sides."""
    column: str = ""
    """The column, if some of its cells cannot be read."""
    words: tuple[str, ...] = ()
    """The texts of these cells, in lower case."""

    def advised(self, spelt: Callable[[Mapping[str, str]], str]) -> str:
        """Returns the advice; `spelt` writes a mapping in the notation of the caller."""
        if not self.points:
            return self.advice
        return f"if these are points of both sides: {spelt(self.points)}, which gives points_a, points_b and the score"

    @property
    def hint(self) -> str:
        return self.advised(_as_argument)


class NoAnchors(BadFile):
    """A file of anchors contains no anchor."""

    why: str = "it holds no anchor"
    advice: str = "an anchor is a line with a head of the log, stored elsewhere: its position and digest"


class CannotWrite(ArchiveError, ValueError):
    """A format cannot represent something that is to be written."""

    what: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"cannot write {self.what}: {self.why}"


class RowsRefused(ArchiveError):
    """An import of all rows or none refused some rows."""

    path: str
    refused: int
    first: str

    advice = "run a trial to see every reason, or import the other rows"

    def __str__(self) -> str:
        rows = counted(self.refused, "row")
        return f"{self.path}: {rows} refused, nothing imported; the first: {self.first}"


class NotOnLines(ArchiveError, LookupError):
    """No result of the player was imported from the given lines of a file."""

    path: str
    why: str
    advice: str
    setting: str = ""
    """Setting that may help to find the lines of the file, if any: its `source`."""

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"
