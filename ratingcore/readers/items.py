"""The items that readers yield: games, sessions, seeds, facts, unrated and refused rows, and notes."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple, Self

from attrs import asdict, field, frozen

from ratingcore.errors import RatingCoreError, facts
from ratingcore.errors.root import quoted
from ratingcore.events import Event, Instant
from ratingcore.events.values import Fact

LEFT_OUT = "left out by choice"
"""Reason why a row is unrated if the user chose to leave it out."""
REASONS = (
    "forfeit", "bye", "absent", "no result yet", "under one move", "both lost", "both won", "casual", "annulled",
    "not a game", "no comparison", "voided in the log", "retired", "unnamed player", "deleted account",
    LEFT_OUT,
)  # fmt: skip
"""Reasons why a row of a file may be unrated; the only other form is `variant NAME`."""


class Who(NamedTuple):
    """A player as named in a file.

    Attributes
    ----------
    id : str or None
        The number in a register, preceded by the register's name (`fide:3400042`), or the handle on a server; None if
        the file gives neither.
    name : str
        The name as written in the file.
    number : str
        The number in the document itself, such as the start rank; empty if there is none. Two numbers with the same
        id or name in one document are two players who cannot be distinguished.
    """

    id: str | None
    name: str
    number: str = ""


class Document(NamedTuple):
    """Begins a document, the complete record of one tournament or session; it ends where the next document begins.

    Attributes
    ----------
    key : tuple of str
        Key that stays the same when the document is issued again. If `start` is not in it, as ISO text, documents with
        another first day may have the same key.
    event : str
        Name of the tournament, with its first day: `Open (2024-03-02)`.
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
        In a document, the round, and whatever else distinguishes two games of one pair. Elsewhere, the public id as one
        text, `("lichess:nfjOkkBQ",)`, or several texts that identify the game; empty if players and time identify it.
    a, b : Who
        White and Black at chess, Black and White at go.
    score : float
        Share of the point that `a` took.
    played : Instant or None
        Time of play; None if the file has none.
    order : int
        Order among games of the same time, such as `round_order` of the round.
    data : mapping
        Further facts.
    tables : mapping
        Values for a template of pools, such as `"{speed}"`.
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
    """Ratings of a player in a file, by column of the state: `{"rating": 2105.0}`.

    A `guessed` seed was set by hand, or follows from a grade that nobody measured: it is used only if all ratings of a
    file are requested.
    """

    line: int
    who: Who
    values: Mapping[str, float]
    played: Instant | None
    tables: Mapping[str, str] = {}
    guessed: bool = False


class Facts(NamedTuple):
    """Facts about a player: `born` (year), `title`, `sex` (m or f), `federation`, `club`, and `called` (their name)."""

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
    """The reason why a row is refused, as text with the facts behind it.

    Parameters
    ----------
    cause : str
        What is wrong, in words that all rows with the same flaw share, so that a report shows them together.
    value : object
        The wrong value, quoted after the cause; None if there is nothing to quote.
    where : str
        Place of the value, named before the cause, such as a round.

    Attributes
    ----------
    cause : str
    kind : class
        Class of the error or note with these words; `Reason` itself if it was made from a text.
    facts : mapping
        Facts of the error or note by name, as JSON values.

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
        given = {"cause": cause, "value": value, "place": where}
        reason.cause, reason.kind = cause, cls
        reason.facts = {name: fact for name, fact in given.items() if fact not in (None, "")}
        return reason

    @classmethod
    def of(cls, about: "Exception | Note | str", where: str = "") -> Self:
        """Returns the reason for an error, a note or a text; our own errors and notes also give their facts."""
        reason = cls(about if isinstance(about, str) else str(about), where=where)
        place = {"place": where} if where else {}
        if isinstance(about, Reason):
            reason.cause, reason.kind, reason.facts = about.cause, about.kind, {**place, **about.facts}
        elif isinstance(about, RatingCoreError | Note):
            known = facts(about) if isinstance(about, RatingCoreError) else asdict(about)
            reason.cause, reason.kind, reason.facts = about.cause, type(about), {**known, **place}
        return reason


def _worded(cause: str, value: object, where: str) -> str:
    return ": ".join(filter(None, (where, cause, "" if value is None else quoted(value))))


class Refused(NamedTuple):
    """A row or pairing that cannot be read, with the reason, best a `Reason`, and the row's text in the file."""

    line: int
    reason: str
    text: str = ""


class Made(NamedTuple):
    """An event that the reader made itself, as for rows of tables, and the time when it became known, if given."""

    line: int
    event: Event
    known: Instant | None = None


@frozen
class Note:
    """A remark with its facts, for the user who reads the report; it refuses nothing. Its `str` is its text."""

    @property
    def cause(self) -> str:
        """The text that it shares with other notes, which the report shows as one."""
        return str(self)


@frozen
class OfLine(Note):
    """A note about a line; if several lines have the same note, about the first. `text` is the note."""

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
    """A note made from text, with the parameters of a `Reason`; a note about the whole file has line 0."""

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
    """A day that was not read because it is ambiguous, and the formats that fit it."""

    forms: tuple[str, ...] = field(kw_only=True)


def day_unread(line: int, what: str, why: Reason) -> Warning:
    """Returns the note about a day of a file that was not read.

    Parameters
    ----------
    line : int
    what : str
        Place of the day, such as a record; empty if the line is enough.
    why : Reason
        The reason from `day_or_why`; if the day is ambiguous, the note has its formats.

    Examples
    --------
    >>> from ratingcore.plugin.readers import day_or_why, day_unread
    >>> note = day_unread(2, "record 042", day_or_why("05/09/2024")[2])
    >>> note.forms
    ('%d/%m/%Y', '%m/%d/%Y')
    """
    given: Mapping[str, Any] = why.facts
    if "forms" not in given:
        return Warning(line, why.cause, given["value"], where=what)
    return DayInDoubt(line, why.cause, given["value"], where=what, forms=tuple(given["forms"]))


Item = Document | Game | Session | Seed | Facts | Made | Unrated | Refused | Note
"""Anything that a reader yields about a file."""

Outcome = Made | Unrated | Refused | Note
"""Outcome of a row: its event, the reason why there is none, or a note for the report."""
