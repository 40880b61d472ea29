"""Reasons why an import refuses or leaves out a row, besides errors in its values: one class for each reason."""

from attrs import frozen

from ratingcore.readers import Note


@frozen
class UnevenRow(Note):
    """A row with more cells than the header, or fewer; `end` is its last line, 0 if it is on one line."""

    cells: int
    width: int
    end: int = 0

    def __str__(self) -> str:
        runs = f", the row runs to line {self.end}" if self.end else ""
        return f"{self.cells} cells where the header has {self.width}{runs}"


@frozen
class RecordedOtherwise(Note):
    """A row that the log has with another content.

    Attributes
    ----------
    uid : str
    position : int
    by_id : bool
        Whether the row gives the uid itself.
    fields : tuple of (str, str, str)
        The differing fields, each as recorded and as in the file.
    differing : str
        The same in words, shortened.
    players : tuple of str
        Players of the row.
    """

    uid: str
    position: int
    by_id: bool
    fields: tuple[tuple[str, str, str], ...]
    differing: str
    players: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"position {self.position}, {self.differing}"
        return f"uid {self.uid} is already at {where}" if self.by_id else f"changed: {where}"


@frozen
class OtherSideDiffers(Note):
    """A report of a game that contradicts the other side's, on `line`; `fields` has both values of each field."""

    line: int
    fields: tuple[tuple[str, str, str], ...]

    def __str__(self) -> str:
        differing = "; ".join(f"{name} {here} here, {there} there" for name, here, there in self.fields)
        return f"line {self.line} reports this game from the other side, and differs: {differing}"


@frozen
class OtherSide(Note):
    """A report of a game that an earlier row reports from the other side."""

    def __str__(self) -> str:
        return "an earlier row reports the game from the other side"


@frozen
class NotOfPool(Note):
    """A row of a pool that is declared for a method, which cannot read it."""

    why: str
    pool: str
    fits: str

    def __str__(self) -> str:
        if not self.fits:
            return f"nothing is recorded in pool {self.pool}: {self.why}"
        return f"{self.why}: pool {self.pool} takes only results that {self.fits} can read"


@frozen
class InOtherPool(Note):
    """A row of a new issue whose result the log has in another pool."""

    uid: str
    recorded: str
    given: str

    def __str__(self) -> str:
        return f"uid {self.uid} is in pool {self.recorded}, not {self.given}"


@frozen
class ZoneUnknown(Note):
    """A time of day without an offset, in a pool whose zone is not known."""

    time: str

    def __str__(self) -> str:
        return f"{self.cause}: {self.time!r}"

    @property
    def cause(self) -> str:
        return "a time without an offset, and its zone is unknown"


@frozen
class TooMuchMissing(Note):
    """A new issue refused as a whole, since it would void too many of the results of the last one."""

    missing: int
    results: int

    def __str__(self) -> str:
        return f"it would void {self.missing} of {self.results} results: is the file complete?"
