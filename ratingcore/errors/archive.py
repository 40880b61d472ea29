"""A foreign file cannot be read, or not be written."""

from collections.abc import Mapping

from ratingcore.errors.root import RatingCoreError
from ratingcore.spelling import counted


class ArchiveError(RatingCoreError):
    """Branch: reading results and ratings out of files."""


_MANY = 3
"""Numbered columns of one kind from which on a row is taken for one of many players."""


def _wide(columns: tuple[str, ...]) -> str:
    """The first numbered columns of one kind, if there are many: `player1, player2, player3, ...`."""
    kinds: dict[str, list[str]] = {}
    for column in columns:
        stem = column.rstrip("0123456789")
        if stem and stem != column:
            kinds.setdefault(stem, []).append(column)
    many = next((found for found in kinds.values() if len(found) >= _MANY), [])
    return ", ".join(many[:_MANY]) + (", ..." if len(many) > _MANY else "")


class ColumnNotFound(ArchiveError, LookupError):
    """A mapping names a column that the file does not have."""

    path: str
    column: str
    wanted_for: str
    found: tuple[str, ...]
    advice: str = ""
    argument: str = ""
    """The argument of Python that maps columns, where one does."""
    guess: Mapping[str, str] | None = None
    """Columns by field of a result, as far as headings suggest them."""

    def __str__(self) -> str:
        wanted = f"{self.column!r} for {self.wanted_for}"
        if self.column == self.wanted_for == "played":
            wanted = "for when games were played"
        return f"{self.path} has no column {wanted}: it has {', '.join(self.found)}"

    @property
    def hint(self) -> str:
        if self.advice:
            return self.advice
        if self.wanted_for in ("a", "b") and (wide := _wide(self.found)):
            return (
                f"a row with {wide} is a session of many sides: write a row a side, with columns session, player (or "
                "player1, player2, ... who sit together) and score or place, or JSON lines with sides"
            )
        if self.argument:
            example = '{"a": "...", "b": "...", "score": "...", "played": "..."}'
            return f"map fields to columns: {self.argument}={example}"
        example = "player=..." if self.wanted_for == "player" else "a=...,b=...,score=...,played=..."
        mapped = f"map fields to columns: --map {example}"
        if len(self.found) < 2:
            return f"{mapped}; for another sign between cells say --delimiter, for a header further down --skip"
        return f"{mapped}; if the header is further down, say --skip"


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

    def __str__(self) -> str:
        return f"cannot read {self.path or 'a file'}: {self.why}"


class CannotWrite(ArchiveError, ValueError):
    """A format has no place for what is to be written in it."""

    what: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        return f"cannot write {self.what}: {self.why}"


class RowsRefused(ArchiveError):
    """Rows were refused in an import that was to take all rows or none."""

    path: str
    refused: int
    first: str

    advice = "see every reason with --dry-run, or import without --strict"

    def __str__(self) -> str:
        rows = counted(self.refused, "row")
        return f"{self.path}: {rows} refused, nothing imported; the first: {self.first}"


class NotOnLines(ArchiveError, LookupError):
    """Lines of a file hold no result of a player that the log has from there."""

    path: str
    why: str
    advice: str

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"
