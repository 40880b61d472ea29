"""What became of a line: every row of a file is an event, refused, or not to be rated."""

from typing import NamedTuple

from ratingcore.events import Event


class Refused(NamedTuple):
    """The row is not possible; `text` is the row as it stood in the file."""

    reason: str
    text: str


class Unrated(NamedTuple):
    """The row is in order, but nobody played: a forfeit, a bye, no result yet."""

    reason: str


Outcome = Event | Refused | Unrated
"""What a row can become."""


class Line(NamedTuple):
    """One row of a file: the line it begins on (1 is the first of the file) and what became of it."""

    number: int
    outcome: Outcome
