"""Items that readers yield: games, sessions, seeds and facts, and rows that are unrated, refused or worth a remark."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple, Self

from attrs import asdict, field, frozen

from ratingcore.errors import RatingCoreError, facts
from ratingcore.errors.root import quoted
from ratingcore.events import Event, Instant
from ratingcore.events.values import Fact

LEFT_OUT = "left out by choice"
"""Reason why a row is unrated that whoever imports it did not want."""
REASONS = (
    "forfeit", "bye", "absent", "no result yet", "under one move", "both lost", "both won", "casual", "annulled",
    "not a game", "no comparison", "voided in the log", "retired", "unnamed player", "deleted account",
    LEFT_OUT,
)  # fmt: skip
"""Reasons why a row of a file may be unrated; the only others are `variant NAME`."""


class Who(NamedTuple):
    """A player as named in a file.

    Attributes
    ----------
    id : str or None
        The number in a register, with the name of the register (`fide:3400042`), or the handle on a
        server; None where the file gives none.
    name : str
        The name as written in the file.
    number : str
        The number in the document itself, such as the start rank; empty if it has none. Two numbers
        with one id or name in one document are two players who cannot be distinguished.
    """

    id: str | None
    name: str
    number: str = ""


class Document(NamedTuple):
    """Opens a document: the whole truth about one tournament or session. It ends where the next one opens.

    Attributes
    ----------
    key : tuple of str
        Key that stays the same when the document is issued again.
    event : str
        Name of the tournament, with the day it began: `Open (2024-03-02)`.
    start, end : date or None
        First and last day; None if the document has none.
    issued : Instant or None
        Time when this version was written; None if the document has none.
    """

    key: tuple[str, ...]
    event: str
    start: date | None = None
    end: date | None = None
    issued: Instant | None = None


class Game(NamedTuple):
    """A game of two players.

    Attributes
    ----------
    line : int
        Number of its line, from 1.
    key : tuple of str
        In a document its round, and what else distinguishes two games of one pair. Elsewhere its public id as one
        text, `("lichess:nfjOkkBQ",)`; or several texts that identify it; or nothing if players and time do.
    a, b : Who
        White and Black at chess, Black and White at go.
    score : float
        Share of the point that `a` took.
    played : Instant or None
        Time of play; None if the file has none.
    order : int
        Order among games of the same time, `round_order` of the round.
    data : mapping
        Further facts.
    tables : mapping
        Values for a template of pools such as `"{speed}"`.
    """

    line: int
    key: tuple[str, ...]
    a: Who
    b: Who
    score: float
    played: Instant | None
    order: int = 0
    data: Mapping[str, Fact] = {}
    tables: Mapping[str, str] = {}


class Session(NamedTuple):
    """A session of sides of one or more players, each with its score; the other fields are those of `Game`."""

    line: int
    key: tuple[str, ...]
    sides: tuple[tuple[tuple[Who, ...], float], ...]
    played: Instant | None
    order: int = 0
    data: Mapping[str, Fact] = {}
    tables: Mapping[str, str] = {}


class Seed(NamedTuple):
    """Ratings of a player that the file gives, by column of the state: `{"rating": 2105.0}`.

    A `guessed` one was set by hand or follows from a grade that nobody measured: it is used only if all
    ratings of a file are requested.
    """

    line: int
    who: Who
    values: Mapping[str, float]
    played: Instant | None
    tables: Mapping[str, str] = {}
    guessed: bool = False


class Facts(NamedTuple):
    """Facts about a player: `born` (year), `title`, `sex` (m or f), `federation`, `club`, and `called`, their name."""

    line: int
    who: Who
    data: Mapping[str, Fact]
    played: Instant | None


class Unrated(NamedTuple):
    """Pairings without a result that is rated; `reason` is one of `REASONS`, or `variant NAME`."""

    line: int
    reason: str
    count: int = 1  # type: ignore[assignment]  # a number, not the method of a tuple


class Reason(str):
    """Reason why a row is refused, in words with their facts.

    Parameters
    ----------
    cause : str
        What is wrong, in words that all rows with the same flaw share: a report shows them as one.
    value : object
        The value found, quoted after the cause; None if there is nothing to quote.
    where : str
        Place of the value, named before the cause, such as a round.

    Attributes
    ----------
    cause : str
    kind : class
        Kind of the error or the note with these words; `Reason` itself if it was made from words.
    facts : mapping
        Its facts by name, as JSON has them.

    Examples
    --------
    >>> Reason("its komi is not a number of points", "six", where="round 2")
    "round 2: its komi is not a number of points: 'six'"
    """

    cause: str
    kind: type[object]
    facts: Mapping[str, object]

    def __new__(cls, cause: str, value: object = None, *, where: str = "") -> Self:
        reason = super().__new__(cls, _worded(cause, value, where))
        reason.cause, reason.kind, reason.facts = cause, cls, {} if value is None else {"value": value}
        return reason

    @classmethod
    def of(cls, about: "Exception | Note | str", where: str = "") -> Self:
        """The words of an error or a note, after the place, with the facts of our own ones; or plain words."""
        reason = cls(str(about), where=where)
        if isinstance(about, Reason):
            reason.cause, reason.kind, reason.facts = about.cause, about.kind, about.facts
        elif isinstance(about, RatingCoreError | Note):
            known = facts(about) if isinstance(about, RatingCoreError) else asdict(about)
            reason.cause, reason.kind, reason.facts = about.cause, type(about), known
        return reason


def _worded(cause: str, value: object, where: str) -> str:
    return ": ".join(filter(None, (where, cause, "" if value is None else quoted(value))))


class Refused(NamedTuple):
    """A row or pairing that cannot be read: the reason, best a `Reason`, and its text in the file."""

    line: int
    reason: str
    text: str = ""


class Made(NamedTuple):
    """An event made by the reader itself, as for rows of tables, and its time of becoming known, if any."""

    line: int
    event: Event
    known: Instant | None = None


@frozen
class Note:
    """A remark for the reader of the report, with its facts; it refuses nothing. Its `str` are words."""

    @property
    def cause(self) -> str:
        """What it has in common with others that the report shows as one."""
        return str(self)


@frozen
class OfLine(Note):
    """A note about a line, the first of those with the same note; `text` is the note."""

    line: int
    more: int = field(default=0, kw_only=True)
    """Number of further lines with the same note."""

    @property
    def text(self) -> str:
        raise NotImplementedError

    @property
    def cause(self) -> str:
        return self.text

    def __str__(self) -> str:
        more = f" and {self.more} more" if self.more else ""
        return f"line {self.line}{more}: {self.text}" if self.line else self.text


@frozen
class Warning(OfLine):
    """A note in words, with the parameters of a `Reason`; a note about the file as a whole has line 0."""

    why: str
    value: object = None
    where: str = field(default="", kw_only=True)

    @property
    def text(self) -> str:
        return _worded(self.why, self.value, self.where)

    @property
    def cause(self) -> str:
        return self.why


@frozen
class DayInDoubt(Warning):
    """A day that may mean several and so was not read, and the formats that fit it."""

    forms: tuple[str, ...] = field(kw_only=True)


def day_unread(line: int, what: str, why: Reason) -> Warning:
    """Returns the note about a day of a file that was not read.

    Parameters
    ----------
    line : int
    what : str
        Place of the day, such as a record; empty where the line tells it.
    why : Reason
        The one from `day_or_why`: if the day may mean several, the note has the formats.

    Examples
    --------
    >>> from ratingcore.plugin.readers import day_or_why, day_unread
    >>> note = day_unread(2, "record 042", day_or_why("05/09/2024")[2])
    >>> note.forms
    ('%d/%m/%Y', '%m/%d/%Y')
    """
    said: Mapping[str, Any] = why.facts
    if "forms" not in said:
        return Warning(line, why.cause, said["value"], where=what)
    return DayInDoubt(line, why.cause, said["value"], where=what, forms=tuple(said["forms"]))


Item = Document | Game | Session | Seed | Facts | Made | Unrated | Refused | Note
"""Anything that a reader yields about a file."""

Outcome = Made | Unrated | Refused | Note
"""Outcome of a row: its event or the reason why there is none, and notes for the reader of the report."""
