"""Uploads as types: what is said of a file, what was understood of it, and who would move."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from ratingcore_service.wire import Headed, Name, Query

MAPPED = ("a", "b", "score", "played", "pool", "event", "round")
"""Fields of a result for which a column can be chosen."""
Heading = Annotated[str, Meta(max_length=200)]
Encoding = Annotated[
    str, Meta(max_length=40, examples=["cp1250"], description="Of text that is not UTF-8; cp1252 if left out.")
]
DateFormat = Annotated[
    str,
    Meta(max_length=40, examples=["%d.%m.%Y"], description="How days are written; as they look if left out."),
]


class UploadQuery(Query, kw_only=True):
    """What is said of a file that is uploaded."""

    name: Name = "results"
    pool: Annotated[str, Meta(max_length=200)] = ""
    reader: Annotated[str, Meta(max_length=200)] = ""
    zone: Annotated[str, Meta(max_length=100, examples=["Europe/Prague"])] = ""
    encoding: Encoding = ""
    date: DateFormat = ""
    amend: bool = False
    reissue: bool = False
    a: Heading = field(default="", name="map.a")
    b: Heading = field(default="", name="map.b")
    score: Heading = field(default="", name="map.score")
    played: Heading = field(default="", name="map.played")
    pool_column: Heading = field(default="", name="map.pool")
    event: Heading = field(default="", name="map.event")
    round: Heading = field(default="", name="map.round")

    @property
    def mapping(self) -> dict[str, str]:
        """The columns that were chosen, by field."""
        chosen = zip(
            MAPPED, (self.a, self.b, self.score, self.played, self.pool_column, self.event, self.round), strict=True
        )
        return {name: column for name, column in chosen if column}


class Refused(Struct, kw_only=True):
    """A row that cannot be recorded."""

    line: int
    why: str
    text: str


class Mover(Struct, kw_only=True):
    """A player who would move; None where they have no rating on one side."""

    player: str
    before: float | None
    after: float | None
    change: float | None


class Moves(Struct, kw_only=True):
    """Who would move in a pool: how many, and those who move most."""

    pool: str
    moved: int
    rows: list[Mover]


State = Literal["reading", "unmapped", "failed", "read", "recording", "accepted"]


class Report(Struct, kw_only=True):
    """What the process that read a file found."""

    state: State
    head: str
    lines: list[str] = []
    read: int = 0
    accepted: int = 0
    amended: int = 0
    duplicates: int = 0
    refused: list[Refused] = []
    pools: list[str] = []
    moves: list[Moves] = []
    columns: list[str] = []
    wanted: str = ""
    guess: dict[str, str] = {}
    error: str = ""
    hint: str = ""
    encoding: str = ""
    """Encoding of the text, where it is not UTF-8."""
    date: str = ""
    """Format of the days, where they are not ISO."""
    moved_to: int = 0
    """Position of the log, where it is not the one on which the file was tried."""


class Upload(Headed, kw_only=True):
    """An upload: how far it is, what the file holds line by line, and who would move.

    `unmapped` needs columns that were not found: upload it again with `map.FIELD=COLUMN`; `guess` is what the headings
    suggest. `read` waits to be accepted, on `head`.
    """

    id: str
    name: str
    state: State
    report: Report
    address: str


class Order(Struct, kw_only=True):
    """What the process that reads a file is to do."""

    address: str
    said: UploadQuery
    rows: int
    accept_on: str = ""
