"""Outcomes of reading a file: each row is an event, refused, or unrated."""

from typing import NamedTuple

from ratingcore.events import Event, Instant


class Refused(NamedTuple):
    """A row that cannot be an event; `text` is the row as it stands in the file."""

    reason: str
    text: str


class Unrated(NamedTuple):
    """A valid row without a played game: a forfeit, a bye, no result yet."""

    reason: str


Outcome = Event | Refused | Unrated
"""What became of a row."""


class Line(NamedTuple):
    """One row of a file: the line it begins on (1 is the first of the file) and what became of it."""

    number: int
    outcome: Outcome


class KnownLine(Line):
    """A row of a file that says when its result became `known`."""

    known: Instant

    @classmethod
    def at(cls, number: int, outcome: Outcome, known: Instant) -> "KnownLine":
        """The row of this line."""
        line = cls(number, outcome)
        line.known = int(known)  # one without an offset is of UTC, as all recorded times are
        return line
