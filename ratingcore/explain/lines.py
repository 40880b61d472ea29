"""The lines of an explanation."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from attrs import evolve, field, frozen

from ratingcore.events import Clock, Instant
from ratingcore.events.zones import UTC
from ratingcore.explain.causes import Correction
from ratingcore.lists.cells import Cell

Row = dict[str, Any]
"""Cells by name; what a method notes beside the fixed columns has names of its own."""

Kind = Literal["result", "results", "seed", "line", "others"]
"""One result; several taken together; a rating from outside; a labelled line; what results of others moved."""

Notes = Mapping[str, float | None]
"""What a method notes on a result, by name; None where it notes nothing on this one."""


Columns = Mapping[str, Cell]
"""What a method lists beside the rating, by name."""


def _read_only(notes: Notes) -> Notes:
    return MappingProxyType(dict(notes))


def _read_only_columns(columns: Columns) -> Columns:
    return MappingProxyType(dict(columns))


@frozen
class ExplainedLine:
    """One thing that moved a rating: a result, a seed, or a line with a label.

    Parameters
    ----------
    kind : {"result", "results", "seed", "line", "others"}
    played : int
    uid, position : str and int, or None
        The event, where it is a single one.
    opponent : str
        The other side, or how many other sides there were; the label of anything but a result.
    partners : tuple of str
        The others on the player's own side.
    opposition : float or None, rating points
        Rating of the opponent before the result, the mean of several; None if one of them was unrated.
    score, expected : float or None
        Of the player's side.
    notes : mapping of name to float or None
        The method's notes on the result, such as the k used; of notes on both sides the player's own.
    contribution : float or None, rating points
        What it added to the rating; None for a result of an unrated player that added to none.
    rating : float or None, rating points
        After the line; None while unrated.
    columns : mapping of name to cell
        What the method lists beside the rating after the line, a deviation for instance.
    corrections : tuple of Correction
        Later corrections of the event.
    """

    kind: Kind
    played: Instant
    uid: str | None
    position: int | None
    opponent: str
    partners: tuple[str, ...] = ()
    opposition: float | None = None
    score: float | None = None
    expected: float | None = None
    notes: Notes = field(factory=dict, converter=_read_only, hash=False)
    contribution: float | None = None
    rating: float | None = None
    corrections: tuple[Correction, ...] = ()
    columns: Columns = field(factory=dict, converter=_read_only_columns, hash=False)

    @property
    def amount(self) -> float:
        """The contribution; 0 if there is none."""
        return self.contribution or 0.0

    def corrected(self) -> str:
        """The corrections in short."""
        return "; ".join(map(str, self.corrections))

    def named(self, uids: Mapping[int, str], corrections: Mapping[int, tuple[Correction, ...]]) -> "ExplainedLine":
        """The line with the uid and the corrections of its event, by position."""
        if self.position is None:
            return self
        return evolve(self, uid=uids[self.position], corrections=corrections.get(self.position, ()))

    def row(self, clock: Clock = UTC) -> Row:
        """The cells of the line, whose time is on a clock."""
        by, why = notes_of(self.corrections)
        return {
            "line": self.kind, "played": clock.day(self.played), "uid": self.uid, "opponent": self.opponent,
            "partners": " + ".join(self.partners) or None, "opposition": self.opposition, "score": self.score,
            "expected": self.expected, **self.notes, "contribution": self.contribution, "rating": self.rating,
            "corrected": self.corrected() or None, "corrections": " ".join(c.uid for c in self.corrections) or None,
            "by": by, "why": why,
        }  # fmt: skip


def notes_of(corrections: Sequence[Correction]) -> tuple[str | None, str | None]:
    """Actors and reasons of corrections, each once; None if there are none."""
    by = "; ".join(dict.fromkeys(c.by for c in corrections if c.by)) or None
    why = "; ".join(dict.fromkeys(c.why for c in corrections if c.why)) or None
    return by, why
